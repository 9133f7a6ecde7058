/** `application/json`, `application/problem+json; charset=utf-8` and the like. */
export const isJson = (type: string): boolean => /^[^/\s]+\/([^/\s]+\+)?json$/.test(essence(type))

/** The media type alone: lower case, no parameters. */
export const essence = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase()

/** What the drafts of JSON-RPC over HTTP send their calls as. */
export const isJsonRpc = (type: string): boolean => JSON_RPC.has(essence(type))

const JSON_RPC: ReadonlySet<string> = new Set([
  'application/json',
  'application/json-rpc',
  'application/jsonrequest',
])

/** A body made of named fields: an HTML form. */
export const isForm = (type: string): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)$/.test(essence(type))

/** What is read and written as text: `text/*`, XML, and the few textual `application/` types. */
export const isText = (type: string): boolean =>
  /^text\/|[/+](xml|yaml|javascript|x-www-form-urlencoded)$/.test(essence(type))

/** Whether a documented media type, `text/*` and the like included, covers one that was sent. */
export const covers = (declared: string, sent: string): boolean => {
  const [want, got] = [essence(declared), essence(sent)]
  if (want === '*/*' || want === got) return true
  if (want.endsWith('/*')) return got.startsWith(want.slice(0, -1))
  // A document that says JSON is not broken by `application/problem+json`, nor the other way round.
  return isJson(want) && isJson(got)
}

/** How the items of a stream are separated: as events, by line feeds, or by record separators (RFC 7464). */
export type StreamFormat = 'events' | 'lines' | 'sequence'

/** The format of a media type that is a stream of items; undefined for every other. */
export const streamFormat = (type: string): StreamFormat | undefined => {
  const name = essence(type)
  if (name === 'text/event-stream') return 'events'
  if (/^application\/(x-)?(ndjson|jsonl|json-?lines)$/.test(name)) return 'lines'
  return /^application\/([^/]+\+)?json-seq$/.test(name) ? 'sequence' : undefined
}
