import { CallError, type CallFailure, HttpError, RpcError } from '../errors.js'
import type { LinkRejection, SentCall } from '../link/link.js'
import { isObject, type JsonObject, type ParsedJson, parseJson } from '../shared/json.js'
import { messageOf } from '../shared/message-of.js'
import type { Redact } from '../shared/redact.js'
import { redactCause, redactHeaders, redactValue } from '../shared/redact-value.js'
import { LIMIT_EXCEEDED } from '../shared/retry.js'
import type { Fault } from '../validate.js'

/**
 * The outcome of each call of one text, in the order of the calls, from the text of its response or from its rejection. Errors
 * are created here, and all text of the server in them is redacted. Results are not validated yet.
 */
export const readResponses = (
  calls: readonly SentCall[],
  received: Received,
  parse?: typeof parseJson,
): readonly CallSettlement[] => {
  const { text, packaging, rejection, redact } = received
  const parsed = parse ? undefined : received.parsed
  const body = parsed ?? (parse ?? parseJson)(text, (text) => redact()(text))
  const ids = calls.map(({ id }) => id)
  const matchOf = 'value' in body ? matchById(ids, body.value, packaging) : () => unreadable(text)
  const isPassing =
    rejection?.reason === 'status'
      ? rejection.retryAfter !== undefined
      : rejection?.reason === 'network'
  return calls.map((call): CallSettlement => {
    const fail = (error: unknown, isPassing = false) =>
      ({ kind: 'failed', error, isPassing }) as const
    const own = matchOf(call.id)
    const isDone = call.id === undefined && own.kind === 'unusable'
    const match: Match = isDone ? { kind: 'result', value: undefined } : own
    const cause = rejection && rejectionError(call, rejection, body, redact)
    if (match.kind === 'rejected') {
      const { error } = match
      const mayRepeat = isPassing || error.code === LIMIT_EXCEEDED
      return fail(rpcError(call, error, redact, cause), mayRepeat)
    }
    if (rejection) return fail(cause, isPassing)
    if (match.kind === 'result') return match
    const { reason, message, because } = match
    const why = because ? rpcError(call, because, redact) : 'cause' in body ? body.cause : undefined
    return fail(callError(call, reason, `: ${redact()(message)}`, optional(why)))
  })
}

/** What a link received for one text: the text of the response, or of its rejection; empty if there is none. */
export type Received = {
  readonly text: string
  /** The parsed text, if it was parsed to find its ids. */
  readonly parsed?: ParsedJson | undefined
  /** How the calls were sent. */
  readonly packaging: Packaging
  readonly rejection?: LinkRejection | undefined
  readonly redact: () => Redact
}

export type CallSettlement =
  | Result
  | {
      readonly kind: 'failed'
      readonly error: unknown
      /** The same call may succeed later. The document decides whether it may be repeated. */
      readonly isPassing: boolean
    }

/** Reports the faults of a tolerated result, and throws for other faults. The text of `say` follows "the result". */
export type ReportFaults = (
  faults: readonly Fault[],
  isTolerated: boolean,
  say: (redacted: readonly Fault[]) => string,
) => Promise<void>

export type Result = {
  readonly kind: 'result'
  readonly value: unknown
  /** Converts a valid value whose text may have integers that a number rounds. */
  readonly finish?: (report: ReportFaults) => Promise<unknown>
}

/** A CallError of one call; `message` follows the name of the method. */
export const callError = (
  {
    method: { operation },
  }: { readonly method: { readonly operation: { readonly method: string } } },
  reason: CallFailure,
  message: string,
  { issues = [], ...options }: ErrorOptions & { readonly issues?: readonly Fault[] } = {},
): CallError =>
  new CallError(
    {
      reason,
      operation: operation.method,
      message: operation.method + message,
      issues,
    },
    options,
  )

/** An error without a cause has no such property. */
const optional = (cause: unknown): ErrorOptions => (cause === undefined ? {} : { cause })

const unreadable = (text: string): Match =>
  malformed(`the response is ${text.trim() ? 'not JSON' : 'empty'}`)

/** The message is the server's own, which callers compare; the method is a separate property. */
const rpcError = (
  { method: { operation } }: SentCall,
  { code, message, data }: ErrorObject,
  redact: () => Redact,
  cause?: unknown,
): RpcError => {
  const clean = redact()
  return new RpcError(
    {
      code,
      message: clean(message),
      data: redactValue(data, clean),
      method: operation.method,
    },
    optional(cause),
  )
}

const rejectionError = (
  call: SentCall,
  rejection: LinkRejection,
  body: ParsedJson,
  redact: () => Redact,
): unknown => {
  const { method } = call.method.operation
  const clean = redact()
  if (rejection.reason === 'status') {
    const { status, headers = new Headers(), text } = rejection
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
  const cause = redactCause(rejection.cause, clean)
  if (rejection.reason === 'hook') return cause
  const [reason, what] = FAILURES[rejection.reason]
  const message = cause === undefined ? what : `${what}: ${messageOf(cause)}`
  return callError(call, reason, message, optional(cause))
}

const FAILURES = {
  network: ['network', ' got no response'],
  'too-large': ['response-too-large', ''],
  'not-sent': ['invalid-input', ' was not sent'],
} as const

/** The match of one call in the response, by JSON-RPC 2.0 §5 and §6. */
export type Match =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'rejected'; readonly error: ErrorObject }
  | {
      readonly kind: 'unusable'
      readonly reason: 'unmatched-answer' | 'malformed-answer'
      readonly message: string
      /** An error in the response that belongs to no call and may explain why this one is missing. */
      readonly because?: ErrorObject | undefined
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
 * is not `1`, and two responses with one id are both unusable. A notification, whose id is undefined, has no response; only a
 * rejection of everything that was sent is about it too.
 */
export const matchById = (
  ids: readonly unknown[],
  body: unknown,
  packaging: Packaging,
): ((id: unknown) => Match) => {
  const each = (match: Match) => () => match
  const rejection = wholeRejection(body)
  if (rejection !== undefined) return each({ kind: 'rejected', error: rejection })
  if (packaging === 'single' && Array.isArray(body)) {
    return each(malformed('the response to a single call is an array'))
  }

  const members = membersOf(body)
  const byId = new Map<unknown, unknown>()
  for (const member of members) {
    const id = idOf(member)
    byId.set(id, byId.has(id) ? DUPLICATE : member)
  }
  if (!Array.isArray(body) && !ids.some((id) => id !== undefined && byId.has(id))) {
    const only = readRpcResponse(body)
    if (only.kind === 'unusable') return each(only)
  }
  return (id) => {
    if (id === undefined || !byId.has(id)) return missing(id, members)
    const member = byId.get(id)
    return member === DUPLICATE ? duplicate(id, members) : readRpcResponse(member)
  }
}

/**
 * The rejection of everything that was sent: one error without an id, or the same error once per item. Most servers reject
 * a batch over their limit with one object, geth with an array of one, so both are accepted.
 */
const wholeRejection = (body: unknown): ErrorObject | undefined => {
  const members = membersOf(body)
  const error = rejectionOf(members[0])
  if (error === undefined) return undefined
  return members.every((member) => rejectionOf(member)?.code === error.code) ? error : undefined
}

/**
 * Whether a message of a server is a call or a notification of its own, and not a response (JSON-RPC 2.0, 4 and 5). Some servers
 * repeat the method in a response.
 */
export const isCall = (message: unknown): message is JsonObject =>
  isObject(message) &&
  Object.hasOwn(message, 'method') &&
  !Object.hasOwn(message, 'result') &&
  !Object.hasOwn(message, 'error')

const membersOf = (body: unknown): readonly unknown[] =>
  [body].flat().filter((member) => !isCall(member))

/** The error of a response without an id. */
const rejectionOf = (member: unknown): ErrorObject | undefined => {
  if (idOf(member) != null) return undefined
  const match = readRpcResponse(member)
  return match.kind === 'rejected' ? match.error : undefined
}

const idOf = (member: unknown): unknown => (isObject(member) ? member.id : undefined)

/** Two responses or more have the id. */
const DUPLICATE = Symbol('duplicate')

const duplicate = (id: unknown, all: readonly unknown[]): Match => {
  const { length } = all.filter((member) => idOf(member) === id)
  return unmatched(`${length} responses have id ${id}, so none is used`)
}

const missing = (id: unknown, all: readonly unknown[]): Match => {
  const match = readRpcResponse(all.find((member) => idOf(member) == null || all.length === 1))
  const error = match.kind === 'rejected' ? match.error : undefined
  const seen = all.slice(0, 5).map((member) => nameId(member, id))
  const shown = `${seen.join(', ') || 'nothing'}${all.length > 5 ? ', …' : ''}`
  const detail = error ? `; the server returned the error ${error.code} ${error.message}` : ''
  return unmatched(`no response has id ${id} (seen: ${shown})${detail}`, error)
}

/** A foreign text is not quoted, because it is text of the server and may contain anything. */
const nameId = (member: unknown, wanted: unknown): string => {
  const id = idOf(member)
  if (id === undefined) return 'none'
  if (id === String(wanted)) return `"${id}"`
  return typeof id === 'number' || id === null ? String(id) : `a ${typeof id}`
}

/** What one Response object says, whatever its id is (JSON-RPC 2.0, 5). */
export const readRpcResponse = (response: unknown): Match => {
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
    : { kind: 'rejected', error }
}

const readError = (error: unknown): ErrorObject | undefined => {
  const { code, message, data } = Object(error)
  if (!Number.isInteger(code) || typeof message !== 'string') return undefined
  return Object.hasOwn(error as object, 'data') ? { code, message, data } : { code, message }
}

const malformed = (message: string): Match => ({
  kind: 'unusable',
  reason: 'malformed-answer',
  message,
  because: undefined,
})

const unmatched = (message: string, because?: ErrorObject): Match => ({
  kind: 'unusable',
  reason: 'unmatched-answer',
  message,
  because,
})
