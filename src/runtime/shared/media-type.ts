/** `application/json`, `application/problem+json; charset=utf-8` and similar types. */
export const isJson = (type: string): boolean => /^[^/\s]+\/([^/\s]+\+)?json$/.test(essence(type))

/** The media type in lower case, without parameters. */
export const essence = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase()

/** Whether a media type is one of those that the drafts of JSON-RPC over HTTP use for calls. */
export const isJsonRpc = (type: string): boolean => JSON_RPC.has(essence(type))

const JSON_RPC: ReadonlySet<string> = new Set([
  'application/json',
  'application/json-rpc',
  'application/jsonrequest',
])

/** Whether a body consists of named fields: an HTML form. */
export const isForm = (type: string): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)$/.test(essence(type))

/** Whether a body is a list of parts: `multipart/mixed` and others, except `multipart/form-data`, whose parts have names. */
export const isPartList = (type: string): boolean =>
  essence(type).startsWith('multipart/') && !isForm(type)

/** Whether a body is read and written as text: `text/*`, XML, and the few textual `application/` types. */
export const isText = (type: string): boolean =>
  /^text\/|[/+](xml|yaml|javascript|x-www-form-urlencoded)$/.test(essence(type))

/** Whether a documented media type or range (`text/*`) covers the type of a body. */
export const covers = (declared: string, sent: string): boolean => {
  const [want, got] = [essence(declared), essence(sent)]
  if (want === '*/*' || want === got) return true
  if (want.endsWith('/*')) return got.startsWith(want.slice(0, -1))
  // A declared JSON type covers `application/problem+json`, and vice versa.
  return isJson(want) && isJson(got)
}

/** How the items of a stream are separated: as events, by line feeds, or by record separators (RFC 7464). */
export type StreamFormat = 'events' | 'lines' | 'sequence'

/** The format of a media type that is a stream of items; undefined for all others. */
export const streamFormat = (type: string): StreamFormat | undefined => {
  const name = essence(type)
  if (name === 'text/event-stream') return 'events'
  if (/^application\/(x-)?(ndjson|jsonl|json-?lines)$/.test(name)) return 'lines'
  return /^application\/([^/]+\+)?json-seq$/.test(name) ? 'sequence' : undefined
}

/** How JSON texts follow each other: JSON Lines, or the sequences of RFC 7464. */
export type SequentialFormat = Exclude<StreamFormat, 'events'>
