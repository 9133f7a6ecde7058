import { CallError, type CallFailure, HttpError, RpcError } from '../errors.js'
import { isObject, type ParsedJson, parseJson } from '../shared/json.js'
import type { Redact } from '../shared/redact.js'
import { redactHeaders, redactValue } from '../shared/redact-value.js'
import type { IncomingResponse } from '../transport/transport.js'
import type { Fault } from '../validate.js'

/**
 * The outcome of each call of one HTTP exchange, in the order of the calls. Errors are created here, and all text of the server
 * in them is redacted. Results are not validated yet.
 */
export const readResponses = (
  calls: readonly SentCall[],
  packaging: Packaging,
  reply: Reply,
  parse = parseJson,
): readonly Outcome[] => {
  const body = parse(reply.text, (text) => reply.redact()(text))
  const isRead = 'value' in body
  const ids = calls.map(({ id }) => id)
  const matchOf = isRead ? matchById(ids, body.value, packaging) : undefined
  const whole = isRead ? wholeRefusal(body.value) : undefined
  return calls.map((call) => {
    const match = call.id === undefined ? undefined : matchOf?.(call.id)
    if (match?.kind === 'result' && isOk(reply)) return match
    const refusal = match?.kind === 'refused' ? match.error : whole
    if (refusal !== undefined) return refused(call, refusal, body, reply)
    if (!isOk(reply)) return failed(httpError(call, body, reply), isBusy(reply))
    if (call.id === undefined) return { kind: 'result', value: undefined }
    return unusable(call, match?.kind === 'unusable' ? match : unreadable(body, reply), reply)
  })
}

/** A notification has no id. */
type SentCall = {
  readonly id: number | undefined
  readonly method: { readonly operation: { readonly method: string } }
}

/** An HTTP response with its body as text. */
export type Reply = {
  readonly response: Pick<IncomingResponse, 'status' | 'headers'>
  readonly text: string
  readonly redact: () => Redact
}

export type Outcome =
  | Result
  | {
      readonly kind: 'failed'
      readonly error: unknown
      /** The same call may succeed later. The document decides whether it may be repeated. */
      readonly isPassing: boolean
    }

/** Reports the faults of a tolerated result, and throws for other faults. The text of `say` follows "the result". */
export type Report = (
  faults: readonly Fault[],
  isTolerated: boolean,
  say: (redacted: readonly Fault[]) => string,
) => Promise<void>

export type Result = {
  readonly kind: 'result'
  readonly value: unknown
  /** Converts a valid value whose text may have integers that a number rounds. */
  readonly finish?: (report: Report) => Promise<unknown>
}

/** A CallError of one call; `message` follows the name of the method. */
export const callError = (
  { method: { operation } }: Pick<SentCall, 'method'>,
  reason: CallFailure,
  message: string,
  { issues = [], ...options }: ErrorOptions & { readonly issues?: readonly Fault[] } = {},
): CallError =>
  new CallError(
    { reason, operation: operation.method, message: operation.method + message, issues },
    options,
  )

export const failed = (error: unknown, isPassing: boolean): Outcome => ({
  kind: 'failed',
  error,
  isPassing,
})

const isOk = ({ response: { status } }: Reply): boolean => status >= 200 && status < 300

const isBusy = ({ response: { status } }: Reply): boolean => status === 429 || status === 503

/** The code of servers for a call over their rate limit, from Ethereum's draft of error codes (EIP-1474). */
const LIMIT_EXCEEDED = -32005

const refused = (call: SentCall, error: ErrorObject, body: ParsedJson, reply: Reply): Outcome => {
  const options = isOk(reply) ? {} : { cause: httpError(call, body, reply) }
  const isPassing = error.code === LIMIT_EXCEEDED || isBusy(reply)
  return failed(rpcError(call, error, reply, options), isPassing)
}

type Unusable = Extract<Match, { kind: 'unusable' }> & { readonly cause?: unknown }

const unreadable = (body: ParsedJson, { text, response: { status } }: Reply): Unusable => ({
  kind: 'unusable',
  reason: 'malformed-answer',
  message: `the response ${text.trim() === '' ? 'is empty' : 'is not JSON'} (HTTP ${status})`,
  cause: 'cause' in body ? body.cause : undefined,
})

const unusable = (call: SentCall, match: Unusable, reply: Reply): Outcome => {
  const { reason, message, because } = match
  const cause = because === undefined ? match.cause : rpcError(call, because, reply)
  const options = cause === undefined ? {} : { cause }
  return failed(callError(call, reason, `: ${reply.redact()(message)}`, options), false)
}

/** The message is the server's own, which callers compare; the method is a separate property. */
const rpcError = (
  { method: { operation } }: SentCall,
  { code, message, data }: ErrorObject,
  { redact }: Reply,
  options: ErrorOptions = {},
): RpcError => {
  const clean = redact()
  return new RpcError(
    { code, message: clean(message), data: redactValue(data, clean), method: operation.method },
    options,
  )
}

const httpError = (call: SentCall, body: ParsedJson, { response, text, redact }: Reply) => {
  const { method } = call.method.operation
  const { status } = response
  const headers = response.headers()
  const clean = redact()
  // A redirect that is not followed.
  const location = headers.get('location')
  const moved = location === null ? '' : `, a redirect to ${clean(location)}`
  return new HttpError({
    operation: method,
    status,
    body: 'value' in body ? redactValue(body.value, clean) : clean(text),
    headers: redactHeaders(headers, clean),
    message: `${method}: the server returned HTTP ${status}${moved}`,
  })
}

/** The match of one call in the response, by JSON-RPC 2.0 §5 and §6. */
export type Match =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly error: ErrorObject }
  | {
      readonly kind: 'unusable'
      readonly reason: 'unmatched-answer' | 'malformed-answer'
      readonly message: string
      /** An error in the response that belongs to no call and may explain why this one is missing. */
      readonly because?: ErrorObject
    }

/** The `error` member of a response, with an integer code and a string message. */
export type ErrorObject = {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** How calls are sent: one as an object, or any number as an array. */
export type Packaging = 'single' | 'batch'

/**
 * The match of each call in a response. A call is matched only by its id: the order and number of responses are ignored, `"1"`
 * is not `1`, and two responses with one id are both unusable.
 */
export const matchById = (
  ids: readonly (number | undefined)[],
  body: unknown,
  packaging: Packaging,
): ((id: number) => Match) => {
  const each = (match: Match) => () => match
  if (packaging === 'single' && Array.isArray(body)) {
    return each(malformed('the response to a single call is an array'))
  }
  const refusal = wholeRefusal(body)
  if (refusal !== undefined) return each({ kind: 'refused', error: refusal })

  const members = membersOf(body)
  const byId = new Map<unknown, unknown>()
  for (const member of members) {
    const id = idOf(member)
    byId.set(id, byId.has(id) ? DUPLICATE : member)
  }
  if (!Array.isArray(body) && !ids.some((id) => id !== undefined && byId.has(id))) {
    const only = readMatch(body)
    if (only.kind === 'unusable') return each(only)
  }
  return (id) => {
    if (!byId.has(id)) return missing(id, members)
    const member = byId.get(id)
    return member === DUPLICATE ? duplicate(id, members) : readMatch(member)
  }
}

/**
 * The rejection of everything that was sent: one error without an id, or the same error once per item. Most servers reject
 * a batch over their limit with one object, geth with an array of one, so both are accepted.
 */
const wholeRefusal = (body: unknown): ErrorObject | undefined => {
  const members = membersOf(body)
  const error = refusalOf(members[0])
  if (error === undefined) return undefined
  return members.every((member) => refusalOf(member)?.code === error.code) ? error : undefined
}

const membersOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body])

/** The error of a response without an id. */
const refusalOf = (member: unknown): ErrorObject | undefined => {
  if (idOf(member) != null) return undefined
  const match = readMatch(member)
  return match.kind === 'refused' ? match.error : undefined
}

const idOf = (member: unknown): unknown =>
  isObject(member) && Object.hasOwn(member, 'id') ? member.id : undefined

/** Two responses or more have the id. */
const DUPLICATE = Symbol('duplicate')

const duplicate = (id: number, all: readonly unknown[]): Match => {
  const { length } = all.filter((member) => idOf(member) === id)
  return unmatched(`${length} responses have id ${id}, so none of them is used`)
}

const missing = (id: number, all: readonly unknown[]): Match => {
  if (all.length === 0) return unmatched(`no response has id ${id}: the array is empty`)
  const because = all.find((member) => idOf(member) == null || all.length === 1)
  const match = because === undefined ? undefined : readMatch(because)
  const error = match?.kind === 'refused' ? match.error : undefined
  const isText = all.some((member) => idOf(member) === String(id))
  const explanation = isText
    ? `one has the string ${JSON.stringify(String(id))}, which is a different id`
    : `seen: ${all.slice(0, 5).map(nameId).join(', ')}${all.length > 5 ? ', …' : ''}`
  const detail =
    error === undefined ? '' : `; the server returned the error ${error.code} ${error.message}`
  return unmatched(`no response has id ${id} (${explanation})${detail}`, error)
}

/** A foreign id is not quoted, because it is text of the server and may contain anything. */
const nameId = (member: unknown): string => {
  const id = idOf(member)
  if (id === undefined) return 'none'
  return typeof id === 'number' || id === null ? String(id) : `a ${typeof id}`
}

const readMatch = (response: unknown): Match => {
  if (!isObject(response)) return malformed('the response is not an object')
  if (response.jsonrpc !== '2.0') return malformed('the response does not have jsonrpc "2.0"')
  const hasResult = Object.hasOwn(response, 'result')
  const hasError = Object.hasOwn(response, 'error')
  if (hasResult && hasError) return malformed('the response has both a result and an error')
  if (hasResult) return { kind: 'result', value: response.result }
  if (!hasError) return malformed('the response has neither a result nor an error')
  const error = readError(response.error)
  return error === undefined
    ? malformed('the error has no integer code and string message')
    : { kind: 'refused', error }
}

const readError = (error: unknown): ErrorObject | undefined => {
  if (!isObject(error)) return undefined
  const { code, message } = error
  if (typeof code !== 'number' || !Number.isInteger(code)) return undefined
  if (typeof message !== 'string') return undefined
  return Object.hasOwn(error, 'data') ? { code, message, data: error.data } : { code, message }
}

const malformed = (message: string): Match => ({
  kind: 'unusable',
  reason: 'malformed-answer',
  message,
})

const unmatched = (message: string, because?: ErrorObject): Match => ({
  kind: 'unusable',
  reason: 'unmatched-answer',
  message,
  ...(because && { because }),
})
