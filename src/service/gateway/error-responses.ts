import type { ServerReply, ShapedError } from 'twinspec/runtime/server'
import type { Fault } from 'twinspec/runtime/validate'
import type { Policy, Taken } from '../access/limits.js'
import { RETRY_SECONDS } from '../retry-seconds.js'
import { describeValidationError } from './validation-errors.js'

/**
 * Refusals of the HTTP endpoints in the documented shapes: ZktError for submissions, `{ error }` for the status lookup and for
 * paths that there are not. What the documents do not declare, an error of our own, is 503.
 */
export const refuse = (refusal: ShapedError): ServerReply => {
  const { operation } = refusal
  if (operation === undefined)
    return jsonReply(refusal.status, { error: 'there is nothing at this path' })
  const status = refusal.status >= 500 ? 503 : refusal.status
  const headers = status === 503 ? { 'retry-after': String(RETRY_SECONDS) } : {}
  const told = refusal.status === 503 || status !== 503 ? refusal : { ...refusal, message: TROUBLE }
  const body =
    operation.method === 'GET' ? { error: lookupWords(told) } : submissionBody(status, told)
  return jsonReply(status, body, headers)
}

export const jsonReply = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): ServerReply => ({
  status,
  headers: {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json',
    ...headers,
  },
  body: JSON.stringify(body),
})

/** What a caller is told whose limit is used up. */
export const describeLimit = (policy: Policy, { reset }: Taken): string => {
  const when = `try again in ${reset} ${reset === 1 ? 'second' : 'seconds'}`
  return `${TOO_MANY[policy]}, ${when}`
}

export const UNKNOWN_KEY = 'the API key is not known'
export const STORE_TROUBLE = 'the store of keys does not answer, try again later'

const TROUBLE = 'the service is in trouble, try again later'

const TOO_MANY: Readonly<Record<Policy, string>> = {
  rpc: 'rate limit exceeded',
  zkt: 'too many submissions',
  'try-it-out': 'too many submissions',
  status: 'too many lookups',
}

const CODES: Readonly<Record<number, string>> = {
  400: 'INVALID_BODY',
  401: 'UNKNOWN_API_KEY',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  503: 'UNAVAILABLE',
}

const submissionBody = (status: number, refusal: ShapedError): unknown => {
  const { message, faults, hasMoreFaults, body, cause, limit } = refusal
  const refused = (error: string, errorCode = CODES[status]) => ({
    success: false,
    error,
    errorCode,
  })
  if (status === 401) return refused(UNKNOWN_KEY)
  if (status === 405) return refused('this path takes POST only')
  if (status === 413 && limit !== undefined)
    return refused(`the body is larger than ${limit} bytes`)
  if (status === 415)
    return refused(
      cause === 'content-encoding'
        ? 'the body must not be compressed'
        : 'the body must be application/json',
    )
  if (status !== 400) return refused(message)
  if (cause === 'too-many-members') return refused(message, 'MALFORMED_JSON')
  if (cause !== undefined) return refused('the body is no JSON', 'MALFORMED_JSON')
  if (faults.length === 0) return refused(message)
  const { error, details } = describeValidationError(faults, body)
  const more = hasMoreFaults ? ` (the first of more than ${faults.length} errors)` : ''
  return { ...refused(error + more), details, ...idOf(body, faults) }
}

/** SERVICE 4.2 rule 4, unless the id itself is what does not fit. */
const idOf = (body: unknown, faults: readonly Fault[]): { readonly id?: string | number } => {
  if (typeof body !== 'object' || body === null || !('id' in body)) return {}
  const { id } = body
  if (faults.some(({ pointer }) => pointer.startsWith('/body/id'))) return {}
  return typeof id === 'string' || typeof id === 'number' ? { id } : {}
}

const lookupWords = ({ status, message, faults }: ShapedError): string => {
  if (status === 405) return 'this path takes GET only'
  if (faults.some(({ pointer }) => pointer === '/path/queueId')) return 'queueId must be a UUID'
  return faults.length === 0 ? message : describeValidationError(faults, undefined).error
}
