import type { CallError, CallFailure, HttpError, RpcError } from '../errors.js'
import type { RpcValidators } from '../operation.js'
import { explainRejection, type Why } from '../shared/load-explanations.js'
import type { Redact } from '../shared/redact.js'
import { redactValue } from '../shared/redact-value.js'
import type { Fault } from '../validate.js'
import { loaded } from './loaded.js'
import { type ErrorObject, matchAnswers, type Outcome, type Sent, wholeRefusal } from './match.js'
import type { RpcMethod } from './method.js'
import { UNEXPLAINED } from './param-faults.js'

/**
 * What every call of an exchange came to. Errors are made here, at the boundary, and everything
 * that the server said is redacted in them.
 */
export const parseResponses = (
  calls: readonly Call[],
  sent: Sent,
  answered: Answered,
): Promise<readonly Verdict[]> => {
  const body = parse(answered)
  const ids = calls.flatMap(({ id }) => id ?? [])
  const outcomes = 'value' in body ? matchAnswers(ids, body.value, sent) : undefined
  const refusal = 'value' in body ? wholeRefusal(body.value) : undefined
  const judge = async (call: Call): Promise<Verdict> => {
    const outcome = call.id === undefined ? undefined : outcomes?.get(call.id)
    const refused = outcome?.kind === 'refused' ? outcome.error : refusal
    if (refused !== undefined) return refuse(call, refused, body, answered)
    if (!isOk(answered)) return fail(httpError(call, body, answered), answered)
    if (call.id === undefined) return { kind: 'answered', value: undefined }
    if (outcome?.kind === 'result') return readResult(call, outcome.value, answered)
    if (outcome?.kind === 'unusable') return giveUp(call, outcome, answered)
    return giveUp(call, unreadable(body, answered), answered)
  }
  return Promise.all(calls.map(judge))
}

/** A notification has no id. */
type Call = { readonly id: number | undefined; readonly method: RpcMethod }

type Answered = {
  readonly reply: { readonly status: number; readonly headers: Headers; readonly text: string }
  readonly redact: Redact
  readonly why: Why | undefined
}

const isOk = ({ reply: { status } }: Answered): boolean => status >= 200 && status < 300

export type Verdict =
  | { readonly kind: 'answered'; readonly value: unknown }
  | {
      readonly kind: 'failed'
      readonly error: Error
      /** Whether the same call may fare better later; whether it may be repeated is the document's word. */
      readonly passing: boolean
      /** The header of that name. */
      readonly retryAfter?: string | null
    }

/** A server's word for "too many requests" (ASSUMPTIONS 17). */
const limitExceeded = -32005

type Body = { readonly value: unknown } | { readonly cause: unknown }

const parse = ({ reply: { text }, redact }: Answered): Body => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { cause: parseError(redact(text)) }
  }
}

/** The platform's message quotes the text, cut anywhere: so the text is redacted before it is cut. */
const parseError = (text: string): unknown => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error
  }
}

const refuse = (call: Call, error: ErrorObject, body: Body, answered: Answered): Verdict => {
  const options = isOk(answered) ? {} : { cause: httpError(call, body, answered) }
  const passing = error.code === limitExceeded
  return {
    ...fail(rpcError(call, error, answered, options), answered),
    ...(passing && { passing }),
  }
}

const fail = (error: Error, { reply }: Answered): Verdict & { kind: 'failed' } => ({
  kind: 'failed',
  error,
  passing: reply.status === 429 || reply.status === 503,
  retryAfter: reply.headers.get('retry-after'),
})

const readResult = async (
  call: Call,
  value: unknown,
  { redact, why }: Answered,
): Promise<Verdict> => {
  const { operation, result } = call.method
  const { check, open = check } = result ?? { check: () => true }
  if (result === undefined || open(value)) return { kind: 'answered', value }
  const explained = await explainRejection(result, {
    value: redactValue(value, redact),
    reading: 'open',
    why,
    pick: (all) => (all as Readonly<Record<string, RpcValidators>>)[operation.id]?.result,
  })
  // Faults quote values, cut short: so these are redacted before they are cut.
  const faults = redactValue(explained, redact)
  const said = faults?.slice(0, 3).map(({ pointer, message }) => `${pointer || 'it'} ${message}`)
  const message =
    said === undefined
      ? UNEXPLAINED.result
      : `the result does not fit the document: ${said.join('; ')}`
  return {
    kind: 'failed',
    error: callError(call, 'invalid-answer', message, {}, faults),
    passing: false,
  }
}

type Unusable = Extract<Outcome, { kind: 'unusable' }> & { readonly cause?: unknown }

const unreadable = (body: Body, { reply: { text, status } }: Answered): Unusable => ({
  kind: 'unusable',
  reason: 'malformed-answer',
  message: `the answer ${text.trim() === '' ? 'is empty' : 'is not JSON'} (HTTP ${status})`,
  cause: 'cause' in body ? body.cause : undefined,
})

const giveUp = (call: Call, outcome: Unusable, answered: Answered): Verdict => {
  const { reason, message, because } = outcome
  const cause = because === undefined ? outcome.cause : rpcError(call, because, answered)
  const options = cause === undefined ? {} : { cause }
  const error = callError(call, reason, answered.redact(message), options)
  return { kind: 'failed', error, passing: false }
}

const callError = (
  { method: { operation } }: Call,
  reason: CallFailure,
  message: string,
  options: ErrorOptions,
  faults: readonly Fault[] = [],
): CallError =>
  new loaded.CallError(
    { reason, operation: operation.method, message: `${operation.method}: ${message}`, faults },
    options,
  )

/** The message stays the server's own, which is what callers compare; the method stands beside it. */
const rpcError = (
  { method: { operation } }: Call,
  { code, message, data }: ErrorObject,
  { redact }: Answered,
  options: ErrorOptions = {},
): RpcError =>
  new loaded.RpcError(
    { code, message: redact(message), data: redactValue(data, redact), method: operation.method },
    options,
  )

const httpError = (call: Call, body: Body, { reply, redact }: Answered): HttpError => {
  const { method } = call.method.operation
  const { status, headers, text } = reply
  return new loaded.HttpError({
    operation: method,
    status,
    body: 'value' in body ? redactValue(body.value, redact) : redact(text),
    headers: new Headers(
      [...headers].map(([name, value]): [string, string] => [name, redact(value)]),
    ),
    message: `${method}: the server answered HTTP ${status}`,
  })
}
