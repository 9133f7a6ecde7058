import type { HttpOperation } from '../../model/api.js'
import { isJson } from '../../runtime/shared/media-type.js'
import { open } from '../../runtime/validate.js'
import type { Complaint, Session } from '../case.js'
import { declaredFor, mediaTypeOf } from '../responses/http.js'
import { parseJson } from '../responses/read.js'
import { complaintsOf, ruleRows } from '../rule.js'
import { type Exchange, headerOf, type Sent, textOf } from '../wire/exchange.js'

/** What is expected of every response to a malformed request. */
export const MALFORMED_REQUEST_RULES = ruleRows([
  {
    id: 'malformed-request-server-error',
    level: 'error',
    purpose:
      'What a caller sends wrongly is rejected: it is no fault of the server, and no reason to fall silent.',
    clause: 'RFC 9110, 15.5 and 15.6',
    checks: ['H21', 'H22', 'H23', 'H24', 'H25', 'H27', 'H28'],
  },
])

const complain = complaintsOf(MALFORMED_REQUEST_RULES)

/** What a server made of a request. */
export type Outcome =
  /** 2xx, and no error of a variant (`x-variants`). */
  | 'taken'
  /** 4xx, 501, or an error of a variant under 2xx. */
  | 'refused'
  /** 5xx: the server's own fault. */
  | 'broken'
  /** 429 and 503: it would have answered otherwise at another time. */
  | 'away'
  /** 1xx and 3xx. */
  | 'elsewhere'
  /** No answer, or not all of one. */
  | 'none'

/** What a request over HTTP came to: by its status and, under 2xx, by whether its body is an error of a variant. */
export const outcomeOf = (
  { checker }: Pick<Session, 'checker'>,
  { variants }: HttpOperation,
  { answer }: Exchange,
): Outcome => {
  if (!answer) return 'none'
  const { status } = answer
  if (status === 429 || status === 503) return 'away'
  if (status === 501 || (status >= 400 && status < 500)) return 'refused'
  if (status >= 500) return 'broken'
  if (status < 200 || status >= 300) return 'elsewhere'
  return isVariantError({ checker }, { variants }, parseJson(textOf(answer.body))?.value)
    ? 'refused'
    : 'taken'
}

/** Whether a body under 2xx rejects the request: it is an error of a variant (`x-variants`), and no response of one. */
export const isVariantError = (
  { checker }: Pick<Session, 'checker'>,
  { variants }: Pick<HttpOperation, 'variants'>,
  body: unknown,
): boolean => {
  const fits = (names: readonly string[]) =>
    names.some((name) => open(checker.named(name)).check(body))
  return (
    fits(variants.flatMap(({ errors }) => errors)) &&
    !fits(variants.flatMap(({ responses }) => responses))
  )
}

/** `was answered 415`, `was not answered: the connection was closed`. */
export const describeExchange = ({ answer, failure }: Exchange): string =>
  answer ? `was answered ${answer.status}` : `was not answered: ${failure ?? 'no reason is known'}`

/**
 * What becomes of a request that nobody should send. What is always due of an answer is asked but where `isForeign`: the
 * address may be somebody else's.
 */
export const sendMalformed = async (
  session: Session,
  operation: HttpOperation,
  title: string,
  sent: Sent,
  { isForeign = false }: { readonly isForeign?: boolean } = {},
): Promise<AttemptResult> => {
  const judge = (one: Exchange) => (isForeign ? [] : session.judge(one))
  const exchange = await session.probe(sent)
  const outcome = outcomeOf(session, operation, exchange)
  if (outcome !== 'broken' && outcome !== 'none')
    return { exchange, outcome, complaints: judge(exchange) }
  // Networks fail now and then: only what happens twice is reported.
  const again = await session.probe(sent)
  if (outcomeOf(session, operation, again) !== outcome)
    return { exchange: again, outcome: 'away', complaints: [] }
  const judged = judge(again)
  if (judged.some(({ rule }) => TELLS_IT_TOO.includes(rule)))
    return { exchange: again, outcome, complaints: judged }
  const complaint = complain('malformed-request-server-error', operation, again, {
    message: `${title} ${describeExchange(again)}`,
    expected: 'an answer of 4xx, and of no other request',
    aspect: title,
  })
  return { exchange: again, outcome, complaints: [...judged, complaint] }
}

/** Rules of all answers that say the same. */
const TELLS_IT_TOO = ['server-fails']

export type AttemptResult = {
  readonly exchange: Exchange
  readonly outcome: Outcome
  readonly complaints: readonly Complaint[]
}

/** Whether an answer is one that the operation declares, in JSON, and not a page of another address. */
export const isItsOwn = (
  { checker }: Pick<Session, 'checker'>,
  { responses }: HttpOperation,
  { answer }: Exchange,
): boolean => {
  const type = answer && headerOf(answer, 'content-type')
  if (!answer || type === undefined || !isJson(type)) return false
  const body = parseJson(textOf(answer.body))
  const content = declaredFor(responses, answer.status)?.content ?? []
  const schema = mediaTypeOf(content, type)?.schema
  if (!body || schema === undefined || schema === true) return false
  return open(checker.schema(schema)).check(body.value)
}

/** Whether the document names it: `default` and `4XX` promise none in particular. */
export const isNamed = ({ responses }: HttpOperation, status: number): boolean =>
  responses.some(({ status: one }) => one === String(status))

/** The response to an example request, sent once in a run for all cases that compare with it. */
export const controlOf = (session: Session, sent: Sent): Promise<Exchange> => {
  const known = controls.get(session) ?? new Map<Sent, Promise<Exchange>>()
  controls.set(session, known)
  const control = known.get(sent) ?? session.ask(sent)
  known.set(sent, control)
  return control
}

const controls = new WeakMap<Session, Map<Sent, Promise<Exchange>>>()

/** Why nothing can be concluded from how a shown request is refused; undefined where it can. */
export const shutOut = ({ answer, failure }: Exchange): string | undefined => {
  if (!answer) return `the request that the documents show is not answered: ${failure ?? ''}`
  const { status } = answer
  return [401, 402, 403, 404, 407, 429].includes(status) || status >= 500
    ? `the request that the documents show is answered ${status}`
    : undefined
}
