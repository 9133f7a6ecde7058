import type { HttpOperation } from '../../model/api.js'
import { isJson } from '../../runtime/shared/media-type.js'
import { open } from '../../runtime/validate.js'
import { type Finding, NotTested, type Session } from '../case.js'
import { declaredFor, mediaTypeOf } from '../responses/http.js'
import { jsonBody, parseJson } from '../responses/read.js'
import type { Rule } from '../rule.js'
import { type Exchange, headerOf, type Sent, textOf } from '../wire/exchange.js'

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

/** How a server responded to a request. */
export type Outcome =
  /** 2xx, and the body is no error of a variant (`x-variants`). */
  | 'taken'
  /** 4xx, 501, or an error of a variant under 2xx. */
  | 'refused'
  /** 5xx: a server error. */
  | 'broken'
  /** 429 and 503: the response would differ at another time. */
  | 'away'
  /** 1xx and 3xx. */
  | 'elsewhere'
  /** No response, or an incomplete one. */
  | 'none'

/** The outcome of a request over HTTP: by its status and, for 2xx, by whether its body is an error of a variant. */
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
  return isVariantError({ checker }, { variants }, jsonBody(answer)) ? 'refused' : 'taken'
}

/** Whether a body with 2xx rejects the request: it is an error of a variant (`x-variants`), and no response of one. */
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
  const outcome = outcomeOf(session, operation, exchange)
  if (outcome !== 'broken' && outcome !== 'none') {
    const found = check(exchange)
    session.reportAll(found)
    return { exchange, outcome, isFaulty: found.length > 0 }
  }
  // Networks fail occasionally: only a failure that occurs twice is reported.
  const again = await session.probe(sent)
  if (outcomeOf(session, operation, again) !== outcome)
    return { exchange: again, outcome: 'away' as const, isFaulty: false }
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

type MalformedOptions = {
  readonly isForeign?: boolean
  readonly isExpected?: (finding: Finding) => boolean
}

/** Whether a response is JSON that the operation declares, and not a page of another address. */
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

/** Whether the document declares this exact status; `default` and `4XX` do not count. */
export const isNamed = ({ responses }: HttpOperation, status: number): boolean =>
  responses.some(({ status: one }) => one === String(status))

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
  return [401, 402, 403, 404, 407, 429].includes(status) || status >= 500
    ? `the documented example request got the status ${status}`
    : undefined
}
