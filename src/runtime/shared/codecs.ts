import { essence, type SequentialFormat, type StreamFormat } from './media-type.js'

/**
 * How the value of each kind of body is written and read. The first row with the media type of a body decides; `*` is
 * any text without a slash. `holds` is the shape of the value, from which validation and the TypeScript type follow:
 *
 * - `value`: a value of the schema; `items`: a list of values, one after another; both are validated
 * - `fields`: an object whose properties are texts and files; `parts`: the same for a list
 * - `text`, `bytes`: not validated
 */
export const CODECS = {
  json: { holds: 'value', types: ['*/json', '*/*+json'] },
  /** RFC 8949, with the values of JSON. */
  cbor: { holds: 'value', types: ['application/cbor', '*/*+cbor'] },
  events: { holds: 'items', types: ['text/event-stream'] },
  /** JSON Lines. */
  lines: {
    holds: 'items',
    types: [
      'application/jsonl',
      'application/x-jsonl',
      'application/ndjson',
      'application/x-ndjson',
      'application/jsonlines',
      'application/x-jsonlines',
      'application/json-lines',
      'application/x-json-lines',
    ],
  },
  /** JSON texts, each after a record separator (RFC 7464). */
  sequence: { holds: 'items', types: ['application/json-seq', 'application/*+json-seq'] },
  form: { holds: 'fields', types: ['application/x-www-form-urlencoded'] },
  multipart: { holds: 'fields', types: ['multipart/form-data'] },
  parts: { holds: 'parts', types: ['multipart/*'] },
  text: {
    holds: 'text',
    types: ['text/*', '*/xml', '*/*+xml', '*/yaml', '*/*+yaml', '*/javascript', '*/*+javascript'],
  },
  /** A range that includes JSON, text and bytes: the codec is that of the type which is sent. */
  any: { holds: 'any', types: [] },
  /** Every other type. */
  bytes: { holds: 'bytes', types: [] },
} as const

type Rows = typeof CODECS

/** The name of a row. */
export type Codec = keyof Rows

type Shape = Rows[Codec]['holds']

/** The codecs of values with a shape. */
export type CodecOf<What extends Shape> = {
  [Kind in Codec]: Rows[Kind]['holds'] extends What ? Kind : never
}[Codec]

/** The media types of some codecs: `${string}/json`. */
export type TypesOf<Kind extends Codec> = Kind extends 'any'
  ? '*/*' | 'application/*'
  : Pattern<Rows[Kind]['types'][number]>
type Pattern<Type> = Type extends `${infer Start}*${infer End}`
  ? `${Start}${string}${Pattern<End>}`
  : Type

/** The codec of a media type, or of a range. */
export const codecOf = (type: string): Codec => {
  const name = essence(type)
  if (name === 'application/json') return 'json'
  if (name === '*/*' || name === 'application/*') return 'any'
  const row = Object.entries(CODECS).find(([, { types }]) =>
    types.some((pattern) => matches(pattern, name)),
  )
  return (row?.[0] as Codec | undefined) ?? 'bytes'
}

const matches = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.replace(/[.+]/g, '\\$&').replaceAll('*', '[^/\\s]+')}$`).test(name)

/**
 * The codec of a request body. JSON Lines and json-seq are lists of items only if the document describes the items; otherwise
 * they are bytes. An event stream is text.
 */
export const requestCodec = (type: string): Codec => {
  const codec = codecOf(type)
  if (codec === 'events') return 'text'
  return holdsItems(codec) ? 'bytes' : codec
}

/** The codec of a response body. A form is read as text, other multipart bodies as bytes. */
export const responseCodec = (type: string): Codec => {
  const codec = codecOf(type)
  if (codec === 'form') return 'text'
  return codec === 'multipart' || codec === 'parts' ? 'bytes' : codec
}

/** The codec of a body that was or will be sent as a type: that of its declared content, or of the type if that is a range of any. */
export const sentCodec = (
  declared: { readonly codec: Codec } | undefined,
  type: string,
  codecFor = codecOf,
): Codec => {
  if (declared !== undefined && declared.codec !== 'any') return declared.codec
  const codec = codecFor(type)
  // Only codecs that a document names are imported, so that a body of another one is bytes.
  return isImported(codec) ? 'bytes' : codec
}

/** The functions of a codec of values. Only those of JSON are built in. */
export type ValueCodec = {
  /** Throws a TypeError for a value that the media type cannot represent. */
  readonly encode: (value: unknown) => Uint8Array<ArrayBuffer>
  /** Throws for bytes that are not of the media type, and the error of `tooManyMembers` for an object with more than `mostMembers`. */
  readonly decode: (bytes: Uint8Array, mostMembers?: number) => unknown
}

/** The codecs of values that are not built in: generated code imports those that its operations name. */
export type ImportedCodec = Exclude<CodecOf<'value'>, 'json'>

export type ValueCodecs = { readonly [Kind in ImportedCodec]?: ValueCodec }

/** Whether a body is a value of its schema in a codec that is not built in. */
export const isImported = (codec: Codec): codec is ImportedCodec =>
  holdsValue(codec) && codec !== 'json'

/** One of the codecs that were passed. Throws a TypeError if it is missing. */
export const codecNamed = (kind: ImportedCodec, codecs: ValueCodecs): ValueCodec => {
  const codec = codecs[kind]
  if (codec !== undefined) return codec
  throw new TypeError(
    `needs the codec ${kind}: pass \`{ ${kind} }\` of twinspec/runtime/codecs/${kind}`,
  )
}

/** Whether a body is a stream of items; the codec is the format of the stream. */
export const holdsItems = (codec: Codec): codec is StreamFormat => CODECS[codec].holds === 'items'

/** Whether a body is JSON texts, one after another. */
export const isSequential = (codec: Codec): codec is SequentialFormat =>
  codec === 'lines' || codec === 'sequence'

/** Whether a body is a value of its schema. */
export const holdsValue = (codec: Codec): codec is CodecOf<'value'> =>
  CODECS[codec].holds === 'value'

/** Whether a body is text on the wire, so that a shell, a page or a log can show it. */
export const isText = (codec: Codec): boolean => TEXTS.has(codec)

const TEXTS: ReadonlySet<Codec> = new Set(['json', 'events', 'lines', 'sequence', 'form', 'text'])

/** Whether a text of the media type is a plain sentence, such as the message of an error. HTML and others have their own syntax. */
export const isPlainText = (type: string): boolean => /^text\/(plain|\*)$/.test(essence(type))

export const isXml = (type: string): boolean => /[/+]xml$/.test(essence(type))

/** Whether the schema of a text may describe the structure of the text: XML and YAML. */
export const isStructuredType = (type: string): boolean =>
  isXml(type) || /[/+]yaml$/.test(essence(type))

/** Whether bodies of the media type are certainly bytes. A document may describe the text of other types, such as a chess game. */
export const isBinaryType = (type: string): boolean =>
  codecOf(type) === 'bytes' &&
  /^(audio|font|image|model|video)\/(?!svg)|\b(octet-stream|zip|gzip|pdf)$/.test(essence(type))

/** Whether a body has named fields: an HTML form. */
export const holdsFields = (codec: Codec): codec is CodecOf<'fields'> =>
  CODECS[codec].holds === 'fields'
