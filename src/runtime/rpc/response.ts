import { CallError, type CallFailure, HttpError, RpcError } from '../errors.js'
import { type ParsedJson, parseJson } from '../shared/parse-json.js'
import type { Redact } from '../shared/redact.js'
import { redactValue } from '../shared/redact-value.js'
import type { Fault } from '../validate.js'
import {
  type ErrorObject,
  type Match,
  matchResponses,
  type Packaging,
  wholeRefusal,
} from './match.js'

/**
 * What each call of one HTTP exchange came to, in the order of the calls. Errors are created here, and everything in them
 * that the server sent is redacted. Results are not validated yet.
 */
export const readResponses = (
  calls: readonly SentCall[],
  packaging: Packaging,
  reply: Reply,
): readonly Outcome[] => {
  const body = parseJson(reply.text, (text) => reply.redact()(text))
  const ids = calls.flatMap(({ id }) => id ?? [])
  const matches = 'value' in body ? matchResponses(ids, body.value, packaging) : undefined
  const whole = 'value' in body ? wholeRefusal(body.value) : undefined
  return calls.map((call) => {
    const match = call.id === undefined ? undefined : matches?.get(call.id)
    const refusal = match?.kind === 'refused' ? match.error : whole
    if (refusal !== undefined) return refused(call, refusal, body, reply)
    if (!isOk(reply)) return failed(httpError(call, body, reply), isBusy(reply))
    if (call.id === undefined) return { kind: 'result', value: undefined }
    if (match?.kind === 'result') return match
    return unusable(call, match?.kind === 'unusable' ? match : unreadable(body, reply), reply)
  })
}

/** A notification has no id. */
type SentCall = {
  readonly id: number | undefined
  readonly method: { readonly operation: { readonly method: string } }
}

/** An HTTP response, its body read. */
export type Reply = {
  readonly response: Pick<Response, 'status' | 'headers'>
  readonly text: string
  readonly redact: () => Redact
}

export type Outcome =
  | { readonly kind: 'result'; readonly value: unknown }
  | {
      readonly kind: 'failed'
      readonly error: unknown
      /** The same call may succeed later. Whether it may be repeated is for the document to say. */
      readonly isPassing: boolean
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

/** The code by which servers say "too many requests" (ASSUMPTIONS 17). */
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
  message: `the answer ${text.trim() === '' ? 'is empty' : 'is not JSON'} (HTTP ${status})`,
  cause: 'cause' in body ? body.cause : undefined,
})

const unusable = (call: SentCall, match: Unusable, reply: Reply): Outcome => {
  const { reason, message, because } = match
  const cause = because === undefined ? match.cause : rpcError(call, because, reply)
  const options = cause === undefined ? {} : { cause }
  return failed(callError(call, reason, `: ${reply.redact()(message)}`, options), false)
}

/** The message remains the server's own, which callers compare; the method has a property of its own. */
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

const httpError = (
  call: SentCall,
  body: ParsedJson,
  { response: { status, headers }, text, redact }: Reply,
) => {
  const { method } = call.method.operation
  const clean = redact()
  // A redirect that is not followed.
  const location = headers.get('location')
  const moved = location === null ? '' : `, a redirect to ${clean(location)}: give that address`
  return new HttpError({
    operation: method,
    status,
    body: 'value' in body ? redactValue(body.value, clean) : clean(text),
    headers: new Headers(
      [...headers].map(([name, value]): [string, string] => [name, clean(value)]),
    ),
    message: `${method}: the server answered HTTP ${status}${moved}`,
  })
}
