import { shellPath } from '../text/escape.js'

/**
 * A script of package.json that calls `twinspec generate --only types` where it called openapi-typescript. Undefined for a script
 * that does not call it; the reason where the call has no equivalent.
 */
export const rewriteScript = (
  script: string,
  { configured, folderOf }: ScriptOptions,
): RewrittenScript | { readonly why: string } | undefined => {
  const generations: Generation[] = []
  // The separators are kept: && || ; | &
  const parts = script.split(/(&&|\|\||[;|&])/)
  const written: string[] = []
  let isFound = false
  for (const part of parts) {
    const command = part.trim()
    const [, before = '', rest] = CALL.exec(command) ?? []
    if (rest === undefined) {
      written.push(part)
      continue
    }
    isFound = true
    const read = readCall(rest)
    if ('why' in read) return read
    const { document, output, check, options } = read
    const jobs =
      document !== undefined && output !== undefined
        ? [{ document, output, folder: folderOf(output) }]
        : document === undefined
          ? configured()
          : undefined
    if (jobs === undefined || jobs.length === 0)
      return {
        why: 'openapi-typescript is called without an output file: name it with -o, and run this again',
      }
    generations.push(...jobs)
    const commands = jobs.map(
      (one) =>
        `${before}twinspec generate ${shellPath(one.document)} --only types${options.length > 0 ? ` --type-options ${options.join(',')}` : ''} --out ${shellPath(one.folder)}${check ? ' --check' : ''}`,
    )
    // The space around the command is kept.
    const at = part.indexOf(command)
    written.push(`${part.slice(0, at)}${commands.join(' && ')}${part.slice(at + command.length)}`)
  }
  return isFound ? { script: written.join(''), generations } : undefined
}

export type ScriptOptions = {
  /** The documents and outputs of the configuration of Redocly. */
  readonly configured: () => readonly Generation[] | undefined
  /** The folder for the types of a file. */
  readonly folderOf: (output: string) => string
}

export type RewrittenScript = {
  readonly script: string
  readonly generations: readonly Generation[]
}

/** One document, the file that openapi-typescript printed, and the folder that replaces it. */
export type Generation = {
  readonly document: string
  readonly output: string
  readonly folder: string
}

/** The command, after what runs it: `npx openapi-typescript@7 api.yaml -o api.d.ts`. */
const CALL = /^((?:.*\s)?)openapi-typescript(?:@\S+)?(?=\s|$)(.*)$/s

type Call = {
  readonly document: string | undefined
  readonly output: string | undefined
  readonly check: boolean
  /** The names for `--type-options`. */
  readonly options: readonly string[]
}

const readCall = (rest: string): Call | { readonly why: string } => {
  if (/[$`*<]/.test(rest))
    return {
      why: 'the arguments of openapi-typescript are made by the shell: replace the call by hand',
    }
  const words = [...rest.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, a, b, c]) => a ?? b ?? c ?? '',
  )
  let [document, output, check]: [string | undefined, string | undefined, boolean] = [
    undefined,
    undefined,
    false,
  ]
  const options: string[] = []
  for (let at = 0; at < words.length; at++) {
    const [flag = '', value] = (words[at] ?? '').split(/=(.*)/s)
    if (!/^[->]/.test(flag)) document = flag
    else if (OUTPUT.has(flag)) output = value ?? words[++at]
    else if (CONFIG.has(flag)) at += value === undefined ? 1 : 0
    else if (flag === '--check') check = true
    else {
      const known = OPTIONS[flag]
      if (known === undefined)
        return { why: `openapi-typescript ${flag} is not known here: replace the call by hand` }
      const next = words[at + 1] ?? ''
      const isOn = value !== 'false' && (value !== undefined || next !== 'false')
      if (known === CHOSEN && isOn) options.push(flag.slice(2))
      else if (known !== SAME && isOn)
        return { why: `openapi-typescript ${flag}: ${known}; remove the flag, and run this again` }
      if (/^(?:true|false)$/.test(words[at + 1] ?? '')) at++
    }
  }
  return { document, output, check, options }
}

const OUTPUT: ReadonlySet<string> = new Set(['-o', '--output', '>'])
const CONFIG: ReadonlySet<string> = new Set(['-c', '--redocly'])

/** The types are the same with and without the option, or differ in no way that code notices. */
const SAME = 'same'

/** An option of types here. */
const CHOSEN = 'chosen'

/** The options of openapi-typescript 7, and why the types of `--only types` do not have them. */
export const OPTIONS: Readonly<Record<string, string>> = {
  '--alphabetize': CHOSEN,
  '--empty-objects-unknown': SAME,
  '--export-type': SAME,
  '-t': SAME,
  '--root-types': SAME,
  '--root-types-no-schema-prefix': SAME,
  '--root-types-keep-casing': SAME,
  '--default-non-nullable': SAME,
  '--additional-properties': CHOSEN,
  '--array-length': CHOSEN,
  '--conditional-enums': 'enums are unions of their values',
  '--dedupe-enums': 'enums are unions of their values',
  '--enum': 'enums are unions of their values, and --enums adds constants',
  '--enum-values': 'types alone have no values; --enums adds constants',
  '--exclude-deprecated': CHOSEN,
  '--immutable': CHOSEN,
  '--make-paths-enum': 'types alone have no values; the type is keyof paths',
  '--path-params-as-types': CHOSEN,
  '--properties-required-by-default': CHOSEN,
  '--read-write-markers': 'there are no markers',
}
