import { CallError } from '../errors.js'
import type { HttpOperation, HttpValidators } from '../operation.js'
import { isJson } from '../shared/media-type.js'
import type { Fault } from '../validate.js'
import { describeFault } from './faults.js'
import type { ServerReply } from './request.js'

/** An answer as a handler gives it, not yet text. */
export type LooseReply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | number>>
  readonly body?: unknown
}

/** A handler's answer as text. Throws where HTTP or JSON cannot say it: a header with a line break, a bigint. */
export const encodeReply = (reply: LooseReply, operation: HttpOperation): ServerReply => {
  if (!(Number.isInteger(reply.status) && reply.status >= 200 && reply.status <= 599))
    throw new RangeError(`The handler answered with the status ${reply.status}`)
  const given = Object.entries(reply.headers ?? {}).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    String(value),
  ])
  // Throws on a header that cannot be written, while there still is somebody to tell.
  if (given.length > 0) new Headers(given)
  const headers: Record<string, string> = { ...DEFAULT_HEADERS, ...Object.fromEntries(given) }
  const { body, status } = reply
  if (body === undefined) return { status, headers }
  const declared = mediaTypesOf(operation, status)
  const type = headers['content-type'] ?? chooseType(body, declared)
  const withType = { ...headers, 'content-type': type }
  if (body instanceof Uint8Array) return { status, headers: withType, body }
  if (typeof body === 'string' && !isJson(type)) return { status, headers: withType, body }
  return { status, headers: withType, body: JSON.stringify(body) }
}

/** What is wrong with a response by the document: a status or body that it does not declare. `source` made the response. */
export const checkReply = (
  reply: ServerReply,
  operation: HttpOperation,
  validators: HttpValidators,
  variant: string | undefined,
  source = 'The handler',
): CallError | undefined => {
  const wrong = (message: string, faults: readonly Fault[] = []): CallError =>
    new CallError({ reason: 'invalid-answer', operation: operation.id, message, issues: faults })
  const key = declaredKey(Object.keys(operation.responses), reply.status)
  if (key === undefined) return wrong(`${source} answered ${reply.status}, which is not declared`)
  const type = reply.headers['content-type'] ?? ''
  if (reply.body !== undefined && operation.responses[key]?.length === 0)
    return wrong(`${source} answered ${reply.status} with a body, and none is declared`)
  const parts = variant === undefined ? undefined : validators.variants?.[variant]
  const success = reply.status >= 200 && reply.status < 300
  const accepted =
    parts && success ? [parts.response, parts.error] : [validators.responses[key]].flatMap(present)
  if (accepted.length === 0 || (reply.body !== undefined && !isJson(type))) return undefined
  const body: unknown = typeof reply.body === 'string' ? JSON.parse(reply.body) : reply.body
  if (accepted.some((validator) => validator.check(body))) return undefined
  const faults = accepted[0]?.explain(body) ?? []
  const [first] = faults
  const detail = first === undefined ? '' : `: ${describeFault(first)}`
  return wrong(`${source}'s body for ${reply.status} does not fit its schema${detail}`, faults)
}

/** Answers of a service are read afresh and never guessed at; a document may say otherwise in its own headers. */
export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** `200`, else `2XX`, else `default`. */
export const declaredKey = (keys: readonly string[], status: number): string | undefined => {
  const range = `${String(status)[0]}XX`
  return [String(status), range, range.toLowerCase(), 'default'].find((key) => keys.includes(key))
}

export const mediaTypesOf = (
  operation: HttpOperation | undefined,
  status: number,
): readonly string[] => {
  const responses = operation?.responses ?? {}
  return responses[declaredKey(Object.keys(responses), status) ?? ''] ?? []
}

const chooseType = (body: unknown, declared: readonly string[]): string => {
  const concrete = declared.filter((type) => !type.includes('*'))
  const json = concrete.find((type) => isJson(type))
  const other = concrete.find((type) => !isJson(type))
  if (body instanceof Uint8Array) return other ?? 'application/octet-stream'
  return json ?? (typeof body === 'string' ? other : undefined) ?? 'application/json'
}

const present = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value])
