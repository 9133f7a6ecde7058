/** A command: its help text and its flags. */
export type Command = {
  readonly text: string
  /** The positional arguments; none are accepted by default. */
  readonly words?: readonly (readonly [name: string, text: string])[]
  /**
   * Flag as in the help -> its description: `-o, --out=<folder>` takes a value, `--direction=<in|out>` one of these,
   * `--format=<report-format>` one of `report/formats.ts`, `--link=<label=url>...` several. A default follows in parentheses. `flags.ts` parses this.
   */
  readonly flags: Readonly<Record<string, string>>
  readonly examples: readonly string[]
}

export const documents = [
  'documents',
  'Document files, URLs, - for standard input, or a folder with documents; by default spec/, or this folder',
] as const

export const sourceFlags = {
  '--header=<name: value>...':
    'Header of the requests for documents that are URLs; may be repeated',
  '--allow-outside=<folder>': 'References may lead into this folder, besides that of the document',
  '--fetch-references':
    'Fetch documents that references name by https, once, into references/ next to the document',
} as const

/** For every command that reports findings. */
export const formatFlag = {
  '--format=<report-format> (text)': 'Format of the report',
} as const

export const documentFlags = {
  '--openapi=<file | url | ->':
    'The OpenAPI document, 3.0 to 3.2; Swagger 2.0 with the package @scalar/openapi-upgrader',
  '--openrpc=<file | url | ->':
    'The OpenRPC document, 1.0 to 1.4; a URL may be that of a service with rpc.discover',
  '--overlay=<file>...':
    'An overlay, 1.0 or 1.1, applied to the documents before they are read; may be repeated, in order',
  ...sourceFlags,
} as const

/** The flag that every command has. */
export const CONFIG_FLAG = {
  '--config=<file>': 'Configuration file, or none; the nearest twinspec.config.yaml by default',
}
