import type { Exchange, Sent } from '../../traffic/exchange.js'
import type { ExchangeFinding, Session, VariedInput } from '../case.js'
import { classify, type Outcome } from '../outcome.js'
import type { Trial } from '../values/trials.js'
import {
  isUnrelated,
  reportRejected,
  responseKey,
  trialName,
  valueFindings,
  whyNotSent,
} from './evaluate.js'

/** Sends the request of a value and evaluates its response; undefined if it is not sent, which is reported. */
export const tryValue = async (
  input: VariedInput,
  trial: Trial,
  sent: Sent,
  session: Session,
  send: (sent: Sent) => Promise<Exchange>,
): Promise<TriedValue | undefined> => {
  const { operation, part } = input
  const what = trialName(input, trial)
  const whyNot = whyNotSent(input, sent, session)
  if (whyNot !== undefined) {
    session.skip(what, whyNot)
    return undefined
  }
  const exchange = await send(sent)
  const outcome = classify(exchange, operation, session)
  const evaluated = { outcome, exchange, part }
  const response = responseKey(operation, evaluated, session)
  if (trial.side === 'valid' && response !== undefined) session.noteValid(operation, response)
  if (isUnrelated(operation, evaluated, session, what)) return { exchange, outcome }
  reportRejected(input, trial, exchange, outcome, session)
  const findings = valueFindings(input, trial, exchange, outcome, session)
  return { exchange, outcome, evaluated: { response, findings } }
}

type TriedValue = {
  readonly exchange: Exchange
  readonly outcome: Outcome
  /** Undefined if the response does not depend on the value. */
  readonly evaluated?: {
    /** The status or the code of the response. */
    readonly response: string | undefined
    /** The findings besides the checks of every response. */
    readonly findings: readonly ExchangeFinding[]
  }
}
