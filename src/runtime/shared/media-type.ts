/** The media type of JSON (RFC 8259, 11). */
export const JSON_TYPE = 'application/json'

/** The media type in lower case, without parameters. */
export const essence = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase()

/** Whether a media type is one of those that the drafts of JSON-RPC over HTTP use for calls. */
export const isJsonRpc = (type: string): boolean => JSON_RPC.has(essence(type))

const JSON_RPC: ReadonlySet<string> = new Set([
  JSON_TYPE,
  'application/json-rpc',
  'application/jsonrequest',
])

/** How the items of a stream are separated: as events, by line feeds, or by record separators (RFC 7464). */
export type StreamFormat = 'events' | 'lines' | 'sequence'

/** How JSON texts follow each other: JSON Lines, or the sequences of RFC 7464. */
export type SequentialFormat = Exclude<StreamFormat, 'events'>
