import type { HttpOperation, Operation, RpcOperation } from '../../model/api.js'
import { segmentsOf } from '../../runtime/shared/pointer.js'
import { isObject } from '../../runtime/validate/json-value.js'
import type { Finding, Input, Session } from '../case.js'
import { isNamed, isVariantError } from '../http/outcome.js'
import { NOT_OFFERED, ownName } from '../operations.js'
import { declaredFor } from '../responses/http.js'
import { isNotOffered, isStatusOfNoOffer } from '../responses/not-offered.js'
import { errorOf, jsonBody } from '../responses/read.js'
import type { Rule } from '../rule.js'
import { adviceOnExamples } from '../values/bodies.js'
import type { Trial } from '../values/trials.js'
import { type Exchange, isUnsent } from '../wire/exchange.js'

/** Rules for values that the documents allow, and for values that they do not allow. */
export const VALUE_RULES: readonly Rule[] = [
  {
    id: 'invalid-params-accepted',
    level: 'error',
    purpose: 'A call whose params do not match their schema is rejected with -32602.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J49', 'J51', 'J53', 'J54'],
  },
  {
    id: 'invalid-params-wrong-error',
    level: 'error',
    purpose: 'Params that do not match their schema are rejected only with the code -32602.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J49', 'J51', 'J53', 'J54'],
  },
  {
    id: 'extra-params-accepted',
    level: 'warning',
    purpose: 'A call with more params than the method declares is rejected with -32602.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J50'],
  },
  {
    id: 'invalid-request-accepted',
    level: 'error',
    purpose: 'A request whose parameters or body do not match their schema is rejected.',
    clause: 'OpenAPI, requestBody and parameters',
    checks: ['H01', 'H02', 'H03', 'H04', 'H05', 'H08', 'H14', 'H15'],
  },
  {
    id: 'invalid-request-server-error',
    level: 'error',
    purpose: 'A request that does not match its schema is rejected as a client error, with a 4xx.',
    clause: 'RFC 9110, 15.5',
    checks: ['H01', 'H02', 'H03', 'H04', 'H05', 'H08', 'H14', 'H15'],
  },
  {
    id: 'undeclared-property-accepted',
    level: 'warning',
    purpose: 'An undeclared property of a closed object is rejected.',
    clause: 'JSON Schema, additionalProperties',
    checks: ['H07'],
  },
  {
    id: 'valid-value-server-error',
    level: 'warning',
    purpose: 'A value that the document allows is accepted or rejected, without a server error.',
    clause: 'RFC 9110, 15.6.1',
  },
  {
    id: 'valid-value-not-answered',
    level: 'error',
    purpose: 'A request that the document allows gets a response that the document declares.',
    clause: 'RFC 9110, 15',
    showsFirst: true,
  },
]

type ValueOutcome =
  | { readonly kind: 'taken' }
  /** The server reported an error of the sender: -32602, or a 4xx. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'refused otherwise'; readonly how: string; readonly code: number }
  | { readonly kind: 'failed'; readonly how: string }
  | { readonly kind: 'unanswered'; readonly how: string }
  /** The response does not depend on the values. */
  | { readonly kind: 'beside the point'; readonly why: string; readonly cause: BesideCause }

/**
 * `not offered`: the server does not have the operation. `shut`: the caller is not accepted. `unsent`: HTTP cannot carry the
 * request. `unreadable`: the response is of no known protocol. `away`: the response may differ later, because the rate limit is
 * exhausted, the upstream is unavailable, or the request was redirected.
 */
type BesideCause = 'not offered' | 'shut' | 'unsent' | 'unreadable' | 'away'

export const outcomeOf = (
  operation: Operation,
  exchange: Exchange,
  session: Session,
): ValueOutcome => {
  const { answer, failure } = exchange
  const beside = (why: string, cause: BesideCause): ValueOutcome => {
    return { kind: 'beside the point', why, cause }
  }
  if (isUnsent(exchange)) return beside(failure ?? '', 'unsent')
  if (answer === undefined) return { kind: 'unanswered', how: failure ?? 'no response' }
  const { status } = answer
  const known = BESIDE[status]
  const value = jsonBody(answer)
  if (operation.kind === 'rpc') {
    const error = errorOf(answer)
    if (error) {
      const { code } = error
      if (isNotOffered(operation, error)) return beside(NOT_OFFERED, 'not offered')
      if (code === -32005) return beside('the rate limit of the server is exhausted', 'away')
      if (code === -32602) return { kind: 'refused' }
      return { kind: 'refused otherwise', how: `the error ${code}`, code }
    }
    // The checks of every response report a wrong status.
    if (isObject(value) && Object.hasOwn(value, 'result')) return { kind: 'taken' }
    if (known !== undefined) return beside(...known)
    if (isStatusOfNoOffer(status)) return beside(NOT_OFFERED, 'not offered')
    const how = `the status ${status} without a JSON-RPC response`
    // The checks of every response report it. Whether the value was accepted is unknown.
    return status < 400 ? beside(how, 'unreadable') : { kind: 'failed', how }
  }
  // An operation without security that declares the status uses it for values: a login with a wrong password.
  const isOfValues = known === SHUT && operation.security.length === 0 && isNamed(operation, status)
  if (known !== undefined && !isOfValues) return beside(...known)
  if (isStatusOfNoOffer(status) && isUndeclared(operation, status) && !hasPathValues(operation))
    return beside(NOT_OFFERED, 'not offered')
  if (status >= 500) return { kind: 'failed', how: `the status ${status}` }
  if (status >= 400) return { kind: 'refused' }
  if (status < 200) return beside(`the response has the status ${status}`, 'away')
  if (isVariantError(session, operation, value)) return { kind: 'refused' }
  return status >= 300 && !isSuccess(operation, status)
    ? beside(`the server redirects, with the status ${status}`, 'away')
    : { kind: 'taken' }
}

const isUndeclared = ({ responses }: HttpOperation, status: number): boolean =>
  declaredFor(responses, status) === undefined

/** With path parameters, 404 may be about their values only. */
const hasPathValues = ({ parameters }: HttpOperation): boolean =>
  parameters.some((one) => one.in === 'path')

/** A redirection is a success only if the operation declares no 2xx (RFC 9110, 15.4). */
const isSuccess = ({ responses }: HttpOperation, status: number): boolean =>
  responses.some((one) => one.status === String(status) || one.status === '3XX') &&
  !responses.some((one) => one.status.startsWith('2'))

const SHUT = ['the server rejects the caller', 'shut'] as const
const BEHIND = ['the upstream of the server was not available', 'away'] as const

const BESIDE: Readonly<Record<number, readonly [why: string, cause: BesideCause]>> = {
  401: SHUT,
  403: SHUT,
  407: SHUT,
  429: ['the rate limit of the server is exhausted', 'away'],
  501: [NOT_OFFERED, 'not offered'],
  502: BEHIND,
  503: ['the server was not available', 'away'],
  504: BEHIND,
}

/**
 * Reports a valid value that was rejected as invalid. The server may have a reason, such as an empty account or a removed block,
 * so this is not an error. But nothing shows that it accepts such values either.
 */
export const reportRejected = (
  { operation, part }: Pick<Input, 'operation' | 'part'>,
  { side, at, note, keyword }: Pick<Trial, 'side' | 'at' | 'note' | 'keyword'>,
  { answer }: Exchange,
  { kind }: ValueOutcome,
  { skip }: Pick<Session, 'skip'>,
): void => {
  // The resource is missing or in the wrong state, so the rejection is not about the value.
  const isOfVariant = operation.kind === 'rpc' || !OF_STATE.has(answer?.status ?? 0)
  if (side !== 'valid' || kind !== 'refused' || !isOfVariant) return
  const what = keyword === '' ? note : `${note} (${keyword})`
  const advice = adviceOnExamples(operation)
  const why = advice === '' ? REFUSED : `the server rejected a generated value${advice}`
  skip(`${ownName(operation)}, ${part}${at}: ${what}`, why)
}

export const REFUSED =
  'the document allows the value, but the server rejected it: if the server is right, restrict the schema'

const OF_STATE: ReadonlySet<number> = new Set([401, 403, 404, 409, 410, 412, 428])

/** The findings about one value and its response, in addition to the checks of every response. */
export const findingsOf = (
  input: Pick<Input, 'operation' | 'part'>,
  trial: Trial,
  exchange: Exchange,
  outcome: ValueOutcome,
): readonly Finding[] => {
  const { operation, part } = input
  const at = `${part}${trial.at}`
  const finding = (rule: string, message: string, expected: string): readonly Finding[] => [
    {
      rule,
      message,
      expected,
      exchange,
      operation,
      aspect: `${at} ${trial.keyword}`.trimEnd(),
      cause: trial.side === 'valid' ? '' : `${trial.keyword} ${trial.mutation ?? trial.note}`,
    },
  ]
  if (trial.side === 'valid') {
    const expected = 'a result, or a declared error'
    const what = `${at}: ${trial.note} is allowed by the document`
    if (outcome.kind === 'unanswered')
      return finding('valid-value-not-answered', `${what}, but ${outcome.how}`, expected)
    return outcome.kind === 'failed'
      ? finding(
          'valid-value-server-error',
          `${what}, but the response was ${outcome.how}`,
          expected,
        )
      : []
  }
  const what = `${at}: ${trial.note} (${trial.keyword})`
  const isRpc = operation.kind === 'rpc'
  const isSurplus = isRpc && trial.at === '' && trial.isSurplus === true
  const expected = isRpc ? 'an error with the code -32602' : 'a 4xx that the operation declares'
  if (isRpc && isSkipped(operation, trial) && isOrdinary(operation, outcome)) return []
  if (outcome.kind === 'taken') {
    const rule = isRpc ? 'invalid-params-accepted' : 'invalid-request-accepted'
    const received = isRpc
      ? ': the response was a result'
      : ` with the status ${exchange.answer?.status}`
    const broken = isSurplus ? 'extra-params-accepted' : takenRule(trial, part, rule)
    return finding(broken, `${what} was accepted${received}`, expected)
  }
  if (!('how' in outcome)) return []
  const rule = isRpc ? 'invalid-params-wrong-error' : 'invalid-request-server-error'
  const received = outcome.kind === 'unanswered' ? outcome.how : `the response was ${outcome.how}`
  const message = `${what} was not rejected${isRpc ? ' with -32602' : ''}: ${received}`
  return finding(isSurplus ? 'extra-params-accepted' : rule, message, expected)
}

/** JSON-RPC requires exact names of params; other objects are closed only by their document. */
const takenRule = ({ keyword, at }: Trial, part: string, rule: string): string =>
  keyword === 'additionalProperties' && !(part === 'params by name' && at === '')
    ? 'undeclared-property-accepted'
    : rule

/**
 * Whether the outcome does not depend on the values; this is reported. No more values are then sent, unless the outcome may
 * change.
 */
export const isBeside = (
  operation: Operation,
  outcome: ValueOutcome,
  session: Session,
): boolean => {
  if (outcome.kind !== 'beside the point') return false
  const { cause, why } = outcome
  if (cause !== 'away') session.close(operation)
  if (cause === 'not offered') session.notOffered(operation)
  else session.skip(ownName(operation), why)
  return true
}

/** Whether a call without the param may have this outcome: a result, or an error that the method declares. */
const isOrdinary = ({ errors }: RpcOperation, outcome: ValueOutcome): boolean =>
  outcome.kind === 'taken' ||
  (outcome.kind === 'refused otherwise' && errors.some(({ code }) => code === outcome.code))

/** Servers may treat `null` for an optional param as absent, because by position there is no other way to skip one. */
const isSkipped = ({ params }: RpcOperation, { value, at }: Trial): boolean => {
  const [key = '', ...below] = segmentsOf(at)
  if (below.length > 0 || typeof value !== 'object' || value === null) return false
  const param = Array.isArray(value) ? params[Number(key)] : params.find(({ name }) => name === key)
  return param?.required === false && (value as Readonly<Record<string, unknown>>)[key] === null
}
