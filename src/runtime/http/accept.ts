import type { HttpOperation } from '../operation.js'
import { isJson, streamFormat } from '../shared/media-type.js'
import type { AnyInput } from './request.js'

/**
 * Only JSON if a response may be JSON, because the types promise it. Streams as well, unless the request selects JSON; they
 * come first if it selects a stream.
 */
export const acceptOf = (operation: HttpOperation, input: AnyInput = {}): string => {
  const entries = Object.entries(operation.responses)
  const ok = entries.filter(([status]) => status.startsWith('2'))
  const types = (ok.length > 0 ? ok : entries).flatMap(([, types]) => types)
  const json = types.filter(isJson)
  const streams = mayStream(operation, input)
    ? types.filter((type) => streamFormat(type) !== undefined)
    : []
  if (json.length === 0 || streams.length === 0)
    return [...new Set(json.length > 0 ? json : types)].join(', ') || '*/*'
  const isChosen = operation.streamDefault !== undefined
  const [first, second] = isChosen ? [streams, json] : [json, streams]
  return [...new Set([...first, ...second.map((type) => `${type};q=0.9`)])].join(', ')
}

/** Whether the response may be a stream: one is declared, and the request does not select JSON by its property `stream`. */
export const mayStream = (
  { streams, streamDefault }: HttpOperation,
  { body }: AnyInput = {},
): boolean =>
  streams !== undefined &&
  (streamDefault === undefined || (Object(body).stream ?? streamDefault) === true)
