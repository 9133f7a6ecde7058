import type { Operation, RpcOperation } from '../../model/api.js'
import { segmentsOf } from '../../runtime/shared/pointer.js'
import { isSuccessKey, isSuccessOf } from '../../runtime/wire/status.js'
import type { Exchange, Sent } from '../../traffic/exchange.js'
import type { ExchangeFinding, Session, VariedInput } from '../case.js'
import { ownName } from '../operations.js'
import { isOfCaller, isOfMissing, isOfState, type Outcome } from '../outcome.js'
import { errorOf } from '../responses/read.js'
import type { Rule } from '../rule.js'
import { adviceOnExamples } from '../values/bodies.js'
import type { Trial } from '../values/trials.js'

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

/** Why a response says nothing about the values of its request, and how far this reaches. */
type Unrelated = {
  readonly why: string
  /** `operation`: each request gets it, so no more are sent. `request`: only the resource of this one. `now`: it may differ later. */
  readonly reach: 'operation' | 'request' | 'now'
  readonly isNotOffered?: true
}

/** `part` is the part of the request that has the value: a path that leads nowhere is a rejection of a value in the path. */
export const unrelatedOf = (
  { outcome, exchange, part = '' }: Evaluated,
  { fixtures }: Pick<Session, 'fixtures'>,
): Unrelated | undefined => {
  if (outcome.kind === 'accepted' || isAcceptedValue(outcome) || isOfValue(outcome, exchange, part))
    return undefined
  const { how: why } = outcome
  switch (outcome.kind) {
    case 'none':
      return outcome.isUnsent ? { why, reach: 'operation' } : undefined
    case 'failed':
      return outcome.isUpstream ? { why, reach: 'now' } : undefined
    case 'rejected': {
      if (outcome.cause === 'other') return undefined
      if (outcome.cause === 'not offered') return { why, reach: 'operation', isNotOffered: true }
      if (outcome.cause === 'caller') return { why, reach: 'operation' }
      const isMissing = exchange.answer?.status === 404
      const missing = isMissing ? fixtures.whyMissing(exchange.sent) : undefined
      return { why: missing ?? why, reach: 'request' }
    }
    case 'unreadable':
      return { why, reach: 'operation' }
    default:
      return { why, reach: 'now' }
  }
}

type Evaluated = {
  readonly outcome: Outcome
  readonly exchange: Exchange
  readonly part?: string
}

/** Whether a value was accepted. */
export const isAcceptedValue = (outcome: Outcome): boolean =>
  outcome.kind === 'accepted' || (outcome.kind === 'redirected' && outcome.isDeclared)

/** Whether a value was rejected as invalid. */
export const isOfValue = (outcome: Outcome, { answer }: Exchange, part = ''): boolean => {
  if (outcome.kind !== 'rejected') return false
  const isGone = isOfMissing(answer?.status ?? 0)
  return outcome.cause === 'value' || (outcome.cause === 'state' && isPathPart(part) && isGone)
}

/**
 * Reports a valid value that was rejected as invalid. The server may have a reason, such as an empty account or a removed block,
 * so this is not an error. But nothing shows that it accepts such values either.
 */
export const reportRejected = (
  { operation, part }: Pick<VariedInput, 'operation' | 'part'>,
  { side, at, note, keyword, isReadOnly }: Shown,
  exchange: Exchange,
  outcome: Outcome,
  { skip }: Pick<Session, 'skip'>,
): void => {
  // The rejection is about the resource or the caller, such as a login with another password, and not about the value.
  const status = exchange.answer?.status ?? 0
  const isOfOther = operation.kind === 'http' && (isOfState(status) || isOfCaller(status))
  const isRejected = isOfValue(outcome, exchange, part)
  if (side !== 'valid' || !isRejected || isOfOther || isReadOnly) return
  const advice = adviceOnExamples(operation)
  const why =
    operation.kind === 'http' &&
    isSuccessKey(String(status)) &&
    !isSuccessOf(operation.responses, status)
      ? `the response has the status ${status}, which only the default response describes: declare it if it is a success`
      : advice === ''
        ? REJECTED
        : `the server rejected a generated value${advice}`
  skip(trialName({ operation, part }, { at, note, keyword }), why)
}

type Shown = Pick<Trial, 'side' | 'at' | 'note' | 'keyword' | 'isReadOnly'>

export const REJECTED =
  'the document allows the value, but the server rejected it: if the server is right, restrict the schema'

const isPathPart = (part: string): boolean => part.startsWith('path.')

/** The findings about one value and its response, in addition to the checks of every response. */
export const valueFindings = (
  input: Pick<VariedInput, 'operation' | 'part'>,
  trial: Trial,
  exchange: Exchange,
  outcome: Outcome,
  session: Pick<Session, 'isOfValid'>,
): readonly ExchangeFinding[] => {
  const { operation, part } = input
  const at = `${part}${trial.at}`
  const finding = (rule: string, message: string, expected: string): readonly ExchangeFinding[] => [
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
    if (outcome.kind === 'none')
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
  if (isAcceptedValue(outcome)) {
    // JSON Schema 2020-12 Validation, 9.4: a server may ignore a value that only it sets.
    if (trial.isReadOnly) return []
    const rule = isRpc ? 'invalid-params-accepted' : 'invalid-request-accepted'
    const received = isRpc
      ? ': the response was a result'
      : ` with the status ${exchange.answer?.status}`
    const broken = isSurplus ? 'extra-params-accepted' : acceptedRule(trial, part, rule)
    return finding(broken, `${what} was accepted${received}`, expected)
  }
  const isOther = outcome.kind === 'rejected' && outcome.cause === 'other'
  if (!isOther && outcome.kind !== 'failed' && outcome.kind !== 'none') return []
  // A call that the document allows got the same error, so the server did not reject the value.
  const isLikeValid = isOther && session.isOfValid(operation, String(outcome.code))
  const other = isRpc ? 'invalid-params-wrong-error' : 'invalid-request-server-error'
  const rule = isLikeValid ? acceptedRule(trial, part, other) : other
  const received = outcome.kind === 'none' ? outcome.how : `the response was ${outcome.how}`
  const like = isLikeValid ? ', as for a valid call' : ''
  const message = `${what} was not rejected${isRpc ? ' with -32602' : ''}: ${received}${like}`
  return finding(isSurplus ? 'extra-params-accepted' : rule, message, expected)
}

/** JSON-RPC requires exact names of params; other objects are closed only by their document. */
const acceptedRule = ({ keyword, at }: Trial, part: string, rule: string): string => {
  if (keyword === 'type' && at === '' && part.startsWith('body '))
    return 'body-of-wrong-type-accepted'
  return keyword === 'additionalProperties' && !(part === 'params by name' && at === '')
    ? 'undeclared-property-accepted'
    : rule
}

/**
 * Whether a response says nothing about the values; this is reported, for `what`. No more values are then sent, if all responses
 * of the operation would be so.
 */
export const isUnrelated = (
  operation: Operation,
  evaluated: Evaluated,
  session: Session,
  what = ownName(operation),
): boolean => {
  const unrelated = unrelatedOf(evaluated, session)
  if (unrelated === undefined) return false
  const { why, reach, isNotOffered } = unrelated
  if (reach === 'operation') session.close(operation)
  if (isNotOffered) session.notOffered(operation)
  else session.skip(reach === 'request' ? what : ownName(operation), why)
  return true
}

/** `putNote, body application/json/text: one character too many (maxLength)`. */
export const trialName = (
  { operation, part }: Pick<VariedInput, 'operation' | 'part'>,
  { at, note, keyword }: Pick<Trial, 'at' | 'note' | 'keyword'>,
): string =>
  `${ownName(operation)}, ${part}${at}: ${keyword === '' ? note : `${note} (${keyword})`}`

/** Why a trial is not sent: its resource was not found, and the run has no other one. */
export const whyNotSent = (
  { part }: Pick<VariedInput, 'part'>,
  sent: Sent,
  { fixtures }: Session,
) => (!isPathPart(part) && fixtures.isUnavailable(sent) ? fixtures.whyMissing(sent) : undefined)

/** The status or the code of the response to a value, as keywords are counted by it. */
export const responseKey = (
  operation: Operation,
  evaluated: Evaluated,
  session: Pick<Session, 'fixtures'>,
): string | undefined => {
  const { outcome, exchange } = evaluated
  const reach = unrelatedOf(evaluated, session)?.reach
  if (reach !== undefined && reach !== 'request') return undefined
  const { answer } = exchange
  const code = operation.kind === 'rpc' ? errorOf(answer)?.code : answer?.status
  return code === undefined ? outcome.kind : String(code)
}

/** Whether a call without the param may have this outcome: a result, or an error that the method declares. */
const isOrdinary = ({ errors }: RpcOperation, outcome: Outcome): boolean =>
  outcome.kind === 'accepted' ||
  (outcome.kind === 'rejected' &&
    outcome.cause === 'other' &&
    errors.some(({ code }) => code === outcome.code))

/** Servers may treat `null` for an optional param as absent, because by position there is no other way to skip one. */
const isSkipped = ({ params }: RpcOperation, { value, at }: Trial): boolean => {
  const [key = '', ...below] = segmentsOf(at)
  if (below.length > 0 || typeof value !== 'object' || value === null) return false
  const param = Array.isArray(value) ? params[Number(key)] : params.find(({ name }) => name === key)
  return param?.required === false && (value as Readonly<Record<string, unknown>>)[key] === null
}
