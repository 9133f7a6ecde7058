import type { ServerReply, ShapedError } from 'twinspec/runtime/server'
import type { Fault } from 'twinspec/runtime/validate'
import { type LimitResult, type Policy, RETRY_SECONDS } from '../access/limits.js'

/**
 * Error responses of the HTTP endpoints in the documented shapes: ZktError for submissions, `{ error }` for the
 * status lookup and for unknown paths. An internal error, which the documents do not declare, is 503.
 */
export const formatError = (rejection: ShapedError): ServerReply => {
  const { operation } = rejection
  if (operation === undefined)
    return jsonReply(rejection.status, { error: 'there is nothing at this path' })
  const status = rejection.status >= 500 ? 503 : rejection.status
  const headers = status === 503 ? { 'retry-after': String(RETRY_SECONDS) } : {}
  const shown =
    rejection.status === 503 || status !== 503 ? rejection : { ...rejection, message: UNAVAILABLE }
  const body =
    operation.method === 'GET' ? { error: lookupWords(shown) } : submissionBody(status, shown)
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

/** The response to a caller whose limit is used up. */
export const describeLimit = (policy: Policy, { reset }: LimitResult): string => {
  const when = `try again in ${reset} ${reset === 1 ? 'second' : 'seconds'}`
  return `${TOO_MANY[policy]}, ${when}`
}

export const UNKNOWN_KEY = 'the API key is not known'
export const STORE_TROUBLE = 'the store of keys does not answer, try again later'

const UNAVAILABLE = 'the service is in trouble, try again later'

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

const submissionBody = (status: number, rejection: ShapedError): unknown => {
  const { message, faults, hasMoreFaults, body, cause, limit } = rejection
  const rejected = (error: string, errorCode = CODES[status]) => ({
    success: false,
    error,
    errorCode,
  })
  if (status === 401) return rejected(UNKNOWN_KEY)
  if (status === 405) return rejected('this path takes POST only')
  if (status === 413 && limit !== undefined)
    return rejected(`the body is larger than ${limit} bytes`)
  if (status === 415)
    return rejected(
      cause === 'content-encoding'
        ? 'the body must not be compressed'
        : 'the body must be application/json',
    )
  if (status !== 400) return rejected(message)
  if (cause === 'too-many-members') return rejected(message, 'MALFORMED_JSON')
  if (cause !== undefined) return rejected('the body is no JSON', 'MALFORMED_JSON')
  if (faults.length === 0) return rejected(message)
  const { error, details } = describeValidationError(faults, body)
  const more = hasMoreFaults ? ` (the first of more than ${faults.length} errors)` : ''
  return { ...rejected(error + more), details, ...idOf(body, faults) }
}

/** Callers match responses by the id of their request, so an error has it too, unless the id itself is invalid. */
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

/** The faults of a submission: a sentence that names the first field, and the fault of each place. */
const describeValidationError = (faults: readonly Fault[], body: unknown): InputError => {
  const mixed = mixture(body)
  if (mixed !== undefined) return mixed
  const details = faults.map(describeFault)
  const [first] = details
  return {
    error: first === undefined ? 'the body does not fit' : sentence(first),
    details: details.map(({ pointer, message }) => ({ pointer, message })),
  }
}

type InputError = {
  readonly error: string
  readonly details: readonly { readonly pointer: string; readonly message: string }[]
}

type Described = { readonly pointer: string; readonly message: string; readonly phrase?: string }

/** The fault of a missing or forbidden property is reported at that property, with its name shortened. */
const describeFault = ({ pointer, keyword, message, params }: Fault): Described => {
  const at = pointer.replace(/^\/body/, '')
  if (params !== undefined) {
    const place = `${at}/${shorten(params.property).replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (keyword === 'required')
      return { pointer: place, message: 'must be present', phrase: 'is missing' }
    if (FORBIDDING.has(keyword))
      return { pointer: place, message: FORBIDDEN, phrase: 'does not belong here' }
  }
  if (keyword === 'pattern' && at === '/to')
    return { pointer: at, message: 'must be an address: 0x and 40 hex digits' }
  return { pointer: at, message: ofAbi(at, keyword) ?? message }
}

const FORBIDDEN = 'must not be present'

/** Users paste the JSON that compilers write for an ABI. */
const ofAbi = (at: string, keyword: string): string | undefined => {
  if (keyword !== 'type' && keyword !== 'pattern') return undefined
  if (at === '/abi') return `must be an array of human-readable entries such as: ${ENTRY}`
  return /^\/abi\/\d+$/.test(at) ? `must be an ABI entry such as: ${ENTRY}` : undefined
}

const ENTRY = 'function sum() view returns (uint256)'

const sentence = ({ pointer, message, phrase = message }: Described): string => {
  const place = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
  return place === '' ? `the body ${phrase}` : `${place} ${phrase}`
}

/** A name can be as long as the body, and the response repeats it. */
const shorten = (name: string): string => (name.length > 60 ? `${name.slice(0, 59)}…` : name)

const FORBIDDING = new Set(['not', 'additionalProperties', 'unevaluatedProperties', 'properties'])

/** Fields of two submission types that exclude each other, although each of them is valid. */
const mixture = (body: unknown): InputError | undefined => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const has = (name: string): boolean => Object.hasOwn(body, name)
  const ofCall = ['abi', 'to', 'method', 'wait'].filter(has)
  if (has('code')) return ofCall.length === 0 ? undefined : apart('code', ofCall)
  const isMessage =
    'arguments' in body && !Array.isArray(body.arguments) && !ofCall.some((name) => name !== 'wait')
  const extra = ['id', 'wait'].filter(has)
  return isMessage && extra.length > 0 ? apart('a message', extra) : undefined
}

const apart = (form: string, names: readonly string[]): InputError => ({
  error: `${form} does not go together with ${list(names)}`,
  details: names.map((name) => ({ pointer: `/${name}`, message: FORBIDDEN })),
})

const list = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
