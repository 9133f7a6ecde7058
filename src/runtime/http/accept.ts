import type { Content, HttpOperation } from '../operation.js'
import { hasStream, isSuccessKey } from '../wire/status.js'
import type { AnyInput } from './request.js'

/**
 * Only JSON if a response may be JSON, because the types promise it. Streams as well, unless the request selects JSON; they
 * come first if it selects a stream.
 */
export const acceptOf = (operation: HttpOperation, input: AnyInput = {}): string => {
  const { responses } = operation
  const ok = responses.filter(({ status }) => isSuccessKey(status))
  const content = (ok.length > 0 ? ok : responses).flatMap((one) => one.content)
  const typesOf = (some: readonly Content[]) => some.map(({ type }) => type)
  const json = typesOf(content.filter(({ codec }) => codec === 'json'))
  const streams = mayStream(operation, input)
    ? typesOf(content.filter(({ stream }) => stream !== undefined))
    : []
  if (json.length === 0 || streams.length === 0)
    return [...new Set(json.length > 0 ? json : typesOf(content))].join(', ') || '*/*'
  const isChosen = operation.streamDefault !== undefined
  const [first, second] = isChosen ? [streams, json] : [json, streams]
  return [...new Set([...first, ...second.map((type) => `${type};q=0.9`)])].join(', ')
}

/** Whether the response may be a stream: one is declared, and the request does not select JSON by its property `stream`. */
export const mayStream = (operation: HttpOperation, { body }: AnyInput = {}): boolean =>
  hasStream(operation.responses) &&
  (operation.streamDefault === undefined ||
    (Object(body).stream ?? operation.streamDefault) === true)
