import type { HttpOperation } from '../../model/api.js'
import { codecOf } from '../../runtime/shared/codecs.js'
import { open } from '../../runtime/validate.js'
import { tryParseJson } from '../../text/json-text.js'
import { contentTypeOf, type Exchange, type Sent, textOf } from '../../traffic/exchange.js'
import { type ExchangeFinding, NotTested, type Session } from '../case.js'
import { classify, isOfCaller, isOfMissing, isOfMoment, type Outcome } from '../outcome.js'
import { receivedMedia } from '../responses/read.js'
import type { Rule } from '../rule.js'

/** Rules for every response to a malformed request. */
export const MALFORMED_REQUEST_RULES: readonly Rule[] = [
  {
    id: 'malformed-request-server-error',
    level: 'error',
    purpose: 'A malformed request is rejected: it causes no server error, and it gets a response.',
    clause: 'RFC 9110, 15.5 and 15.6',
    checks: ['H21', 'H22', 'H23', 'H24', 'H25', 'H27', 'H28'],
  },
]

/** `got the status 415`, `got no response: the connection was closed`. */
export const describeExchange = ({ answer, failure }: Exchange): string =>
  answer
    ? `got the status ${answer.status}`
    : `got no response: ${failure ?? 'the reason is unknown'}`

/**
 * Sends a malformed request, and reports what is wrong with the response. `isForeign`: the address may belong to another
 * service, so the response is not checked. `isExpected`: findings of the response that are not reported. Resolves with
 * `isFaulty` if something was reported.
 */
export const sendMalformed = async (
  session: Session,
  operation: HttpOperation,
  title: string,
  sent: Sent,
  { isForeign = false, isExpected = () => false }: MalformedOptions = {},
) => {
  const check = (one: Exchange) =>
    isForeign ? [] : session.check(one).filter((found) => !isExpected(found))
  const exchange = await session.probe(sent)
  const outcome = classify(exchange, operation, session)
  if (outcome.kind !== 'failed' && outcome.kind !== 'none') {
    const found = check(exchange)
    session.reportAll(found)
    return { exchange, outcome, isFaulty: found.length > 0 }
  }
  // Networks fail occasionally: only a failure that occurs twice is reported.
  const again = await session.probe(sent)
  if (classify(again, operation, session).kind !== outcome.kind)
    return { exchange: again, outcome: DIFFERS, isFaulty: false }
  const found = check(again)
  session.reportAll(found)
  if (!found.some(({ rule }) => rule === 'server-fails'))
    session.report('malformed-request-server-error', again, {
      message: `${title} ${describeExchange(again)}`,
      expected: 'a 4xx response to this request',
      aspect: title,
    })
  return { exchange: again, outcome, isFaulty: true }
}

const DIFFERS: Outcome = { kind: 'later', how: 'the same request got another response' }

type MalformedOptions = {
  readonly isForeign?: boolean
  readonly isExpected?: (finding: ExchangeFinding) => boolean
}

/** Whether a response is JSON that the operation declares, and not a page of another address. */
export const isItsOwn = (
  { checker }: Pick<Session, 'checker'>,
  { responses }: HttpOperation,
  { answer }: Exchange,
): boolean => {
  const type = answer && contentTypeOf(answer)
  if (!answer || type === undefined || codecOf(type) !== 'json') return false
  const body = tryParseJson(textOf(answer.body))
  const schema = receivedMedia({ responses }, answer)?.schema
  if (!body || schema === undefined || schema === true) return false
  return open(checker.schema(schema)).check(body.value)
}

/** The response to an example request, sent once in a run for all cases that compare with it. */
export const controlOf = (session: Session, sent: Sent): Promise<Exchange> =>
  session.once(sent, () => session.ask(sent))

/**
 * Resolves with the exchange of `controlOf`. Throws NotTested if the example request is denied: rejections of other requests
 * then prove nothing.
 */
export const assertAccess = async (session: Session, sent: Sent): Promise<Exchange> => {
  const control = await controlOf(session, sent)
  const why = shutOut(control)
  if (why !== undefined) throw new NotTested(why)
  return control
}

/** Why the server denies an example request, so that rejections of others prove nothing; undefined if it does not. */
export const shutOut = ({ answer, failure }: Exchange): string | undefined => {
  if (!answer) return `the documented example request got no response: ${failure ?? ''}`
  const { status } = answer
  const isDenied = isOfCaller(status) || isOfMissing(status) || isOfMoment(status)
  return isDenied || status >= 500
    ? `the documented example request got the status ${status}`
    : undefined
}
