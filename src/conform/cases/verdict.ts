import type { HttpOperation, Operation } from '../../model/api.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { parseJson } from '../answers/read.js'
import type { Complaint, Session } from '../case.js'
import { isFormError } from '../http/outcome.js'
import { NOT_OFFERED, ownName } from '../own-name.js'
import type { Trial } from '../values/boundaries.js'
import { type Exchange, isUnsent, textOf } from '../wire/exchange.js'
import type { Input } from './input.js'

/** What a server made of a request, as far as values are concerned. */
export type Outcome =
  | { readonly kind: 'taken' }
  /** As the mistake of the sender: -32602, or a 4xx. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'refused otherwise'; readonly how: string }
  | { readonly kind: 'failed'; readonly how: string }
  | { readonly kind: 'unanswered'; readonly how: string }
  /** The method is not offered, the key is not known, the limit is used up: nothing is said of values. */
  | { readonly kind: 'beside the point'; readonly why: string }

export const outcomeOf = (operation: Operation, exchange: Exchange, session: Session): Outcome => {
  const { answer, failure } = exchange
  if (isUnsent(exchange)) return { kind: 'beside the point', why: failure ?? '' }
  if (answer === undefined) return { kind: 'unanswered', how: failure ?? 'no answer came' }
  const { status } = answer
  const why = BESIDE[status]
  const value = parseJson(textOf(answer.body))?.value
  if (operation.kind === 'rpc') {
    const code = isObject(value) && isObject(value.error) ? value.error.code : undefined
    if (code === -32601) return { kind: 'beside the point', why: NOT_OFFERED }
    if (code === -32005)
      return { kind: 'beside the point', why: 'the limit of the server is used up' }
    if (code === -32602) return { kind: 'refused' }
    if (typeof code === 'number') return { kind: 'refused otherwise', how: `the error ${code}` }
    if (isObject(value) && Object.hasOwn(value, 'result') && status < 400) return { kind: 'taken' }
    if (why !== undefined) return { kind: 'beside the point', why }
    const how = `the status ${status} without a JSON-RPC answer`
    // What is wrong with it is told of every answer; whether the value was taken cannot be known.
    return status < 400 ? { kind: 'beside the point', why: how } : { kind: 'failed', how }
  }
  if (why !== undefined) return { kind: 'beside the point', why }
  if (status >= 500) return { kind: 'failed', how: `the status ${status}` }
  if (status >= 400) return { kind: 'refused' }
  if (isFormError(session, operation, value)) return { kind: 'refused' }
  return status >= 300 && !isSuccess(operation, status)
    ? { kind: 'beside the point', why: `the server sends elsewhere, with the status ${status}` }
    : { kind: 'taken' }
}

/** A redirection takes a request where it is all that an operation promises: it is no acceptance otherwise (RFC 9110, 15.4). */
const isSuccess = ({ responses }: HttpOperation, status: number): boolean =>
  responses.some((one) => one.status === String(status) || one.status === '3XX') &&
  !responses.some((one) => one.status.startsWith('2'))

const BESIDE: Readonly<Record<number, string>> = {
  401: 'the server does not let the caller in',
  403: 'the server does not let the caller in',
  407: 'the server does not let the caller in',
  429: 'the limit of the server is used up',
  501: NOT_OFFERED,
  502: 'what stands behind the server was away',
  503: 'the server was not available',
  504: 'what stands behind the server was away',
}

/**
 * Tells of a right value that was refused as a wrong one is. What it means there may be why, an account that is empty or a block
 * that is gone, so that nothing can be said of the server; but neither is it known to take such values.
 */
export const tellRefused = (
  { operation, part }: Pick<Input, 'operation' | 'part'>,
  { side, at, note, keyword }: Pick<Trial, 'side' | 'at' | 'note' | 'keyword'>,
  { answer }: Exchange,
  { kind }: Outcome,
  { skip }: Pick<Session, 'skip'>,
): void => {
  // There is no such thing, or it is not its time: that is never the fault of a value's form.
  const isOfForm = operation.kind === 'rpc' || !OF_STATE.has(answer?.status ?? 0)
  if (side !== 'valid' || kind !== 'refused' || !isOfForm) return
  const what = keyword === '' ? note : `${note} (${keyword})`
  skip(`${ownName(operation)}, ${part}${at}: ${what}`, REFUSED)
}

export const REFUSED = 'the document allows it and the server refused it, rightly or not'

const OF_STATE: ReadonlySet<number> = new Set([404, 409, 410, 412, 428])

/** What is said of one value and what came of it, beside what is due of every answer. */
export const complaintsOf = (
  input: Pick<Input, 'operation' | 'part'>,
  trial: Trial,
  exchange: Exchange,
  outcome: Outcome,
): readonly Complaint[] => {
  const { operation, part } = input
  const at = `${part}${trial.at}`
  const complain = (rule: string, message: string, due: string): readonly Complaint[] => [
    { rule, message, due, exchange, operation, aspect: `${at} ${trial.keyword}`.trimEnd() },
  ]
  const what = `${at} is ${trial.note}`
  if (trial.side === 'valid') {
    const due = 'an answer, or a refusal that is declared'
    if (outcome.kind === 'unanswered')
      return complain('allowed-value-is-not-answered', `${what}, and ${outcome.how}`, due)
    return outcome.kind === 'failed'
      ? complain('allowed-value-fails-the-server', `${what}, and ${outcome.how} came`, due)
      : []
  }
  if (operation.kind === 'rpc') {
    const due = 'an error with the code -32602'
    const isSurplus = trial.at === '' && trial.note === 'one item too many'
    if (outcome.kind === 'taken')
      return complain(
        isSurplus ? 'surplus-params-are-taken' : takenRule(trial, part, 'broken-params-are-taken'),
        `${what} (${trial.keyword}), and a result came`,
        due,
      )
    return 'how' in outcome
      ? complain(
          isSurplus ? 'surplus-params-are-taken' : 'broken-params-are-refused-otherwise',
          `${what} (${trial.keyword}), and ${came(outcome)}`,
          due,
        )
      : []
  }
  const due = 'a 4xx that the operation declares'
  if (outcome.kind === 'taken')
    return complain(
      takenRule(trial, part, 'broken-request-is-taken'),
      `${what} (${trial.keyword}), and it was answered with ${exchange.answer?.status}`,
      due,
    )
  return 'how' in outcome
    ? complain(
        'broken-request-fails-the-server',
        `${what} (${trial.keyword}), and ${came(outcome)}`,
        due,
      )
    : []
}

const came = (outcome: { readonly kind: string; readonly how: string }): string =>
  outcome.kind === 'unanswered' ? outcome.how : `${outcome.how} came`

/** Of the names of params JSON-RPC says that they match exactly; other objects are closed by their document alone. */
const takenRule = ({ keyword, at }: Trial, part: string, rule: string): string =>
  keyword === 'additionalProperties' && !(part === 'params by name' && at === '')
    ? 'undeclared-property-is-taken'
    : rule
