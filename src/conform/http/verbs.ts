import type { HttpOperation } from '../../model/api.js'
import { httpOperations } from '../../model/operations.js'
import { headerOf } from '../../runtime/wire/headers.js'
import type { Exchange, Sent } from '../../traffic/exchange.js'
import { type Case, NotTested, type Plan, type Session } from '../case.js'
import { classify, isOfCaller } from '../outcome.js'
import { readExchange } from '../responses/read.js'
import type { Rule } from '../rule.js'
import { assertAccess, controlOf, describeExchange, sendMalformed } from './send-malformed.js'
import type { HttpSubject } from './subject.js'

/** Rules for methods that a path does not declare, and HEAD. */
export const METHOD_RULES: readonly Rule[] = [
  {
    id: 'undeclared-method-accepted',
    level: 'warning',
    purpose: 'A method that a path does not declare is rejected with 405.',
    clause: 'RFC 9110, 15.5.6',
    checks: ['H24'],
  },
  {
    id: 'allow-header-missing',
    level: 'error',
    purpose: 'A response with 405 lists the allowed methods in Allow.',
    clause: 'RFC 9110, 15.5.6',
    checks: ['H24'],
  },
  {
    id: 'allow-header-incomplete',
    level: 'warning',
    purpose: 'Allow lists every method that the path declares.',
    clause: 'RFC 9110, 10.2.1',
    checks: ['H24'],
  },
  {
    id: 'trace-answered',
    level: 'warning',
    purpose:
      'TRACE is rejected unless the path declares it: its response echoes the request, including credentials.',
    clause: 'RFC 9110, 9.3.8',
    checks: ['H24'],
  },
  {
    id: 'head-differs-from-get',
    level: 'warning',
    purpose: 'A response to HEAD is like the response to GET, without a body.',
    clause: 'RFC 9110, 9.1 and 9.3.2',
    checks: ['H44'],
  },
  {
    id: 'head-content-length-wrong',
    level: 'error',
    purpose: 'Content-Length of a response to HEAD is that of the response to GET.',
    clause: 'RFC 9110, 8.6',
    checks: ['H44'],
  },
]

/** Methods that a path does not declare (H24). */
export const verbCases = (
  { api, target }: Plan,
  subjects: readonly HttpSubject[],
): readonly Case[] => {
  const paths = new Map(subjects.map((subject) => [subject.operation.path, subject]))
  return [...paths.values()].flatMap(({ operation, shown: [shown] }) => {
    const { path } = operation
    const declared = httpOperations(api).flatMap((one) => (one.path === path ? one.method : []))
    return VERBS.filter((verb) => verb !== 'HEAD' || !declared.includes('GET')).flatMap(
      (verb): readonly Case[] => {
        // Without a body, because no document defines one for this method.
        const { 'content-type': _, ...headers } = shown.sent.headers
        const sent: Sent = { method: verb, url: shown.sent.url, headers }
        // Another path template may match the same path and declare the method.
        if (readExchange(api, target, { sent }).kind !== 'other') return []
        const run = (session: Session) =>
          tryVerb(session, operation, declared, { control: shown.sent, sent })
        return [{ name: `${verb} ${path}`, operation, cost: 2, run }]
      },
    )
  })
}

const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE']

const tryVerb = async (
  session: Session,
  operation: HttpOperation,
  declared: readonly string[],
  { control, sent }: { readonly control: Sent; readonly sent: Sent },
): Promise<void> => {
  const verb = sent.method
  const isMissing = (await controlOf(session, control)).answer?.status === 404
  if (!isMissing) await assertAccess(session, control)
  const { exchange, outcome } = await sendMalformed(session, operation, verb, sent)
  const status = exchange.answer?.status
  if (status === undefined || outcome.kind === 'later' || outcome.kind === 'failed') return
  if (status === 405) return reportAllow(session, declared, exchange)
  if (status === 404 && isMissing) throw new NotTested('no resource was found at its path (404)')
  if (verb === 'TRACE' && outcome.kind === 'accepted')
    return session.report('trace-answered', exchange, {
      message: `TRACE ${describeExchange(exchange)}`,
      expected: '405, or 501',
    })
  // OPTIONS is allowed for any path (RFC 9110, 9.3.7); 501 is for methods that the server does not implement at all.
  if (verb === 'OPTIONS' || status === 501 || isOfCaller(status)) return
  const what = `${verb}, which the path does not declare,`
  const words = { expected: `405 with Allow: ${declared.join(', ')}`, aspect: verb }
  if (outcome.kind === 'rejected')
    session.report('rejection-wrong-code', exchange, {
      ...words,
      message: `${what} was rejected with the wrong status: ${status}`,
      cause: `${status} for an undeclared method`,
    })
  else
    session.report('undeclared-method-accepted', exchange, {
      ...words,
      message: `${what} ${describeExchange(exchange)}`,
    })
}

const reportAllow = (session: Session, declared: readonly string[], exchange: Exchange): void => {
  const allow = exchange.answer && headerOf(exchange.answer.headers, 'allow')
  const expected = `Allow: ${declared.join(', ')}`
  const named = allow?.split(',').map((one) => one.trim())
  const missing = declared.find((one) => !named?.includes(one))
  const received = `${exchange.sent.method} got the status 405`
  if (allow === undefined) {
    const message = `${received} without Allow`
    session.report('allow-header-missing', exchange, { message, expected })
  } else if (missing !== undefined) {
    const message = `${received} with Allow: ${allow}, which does not list ${missing}`
    session.report('allow-header-incomplete', exchange, { message, expected })
  }
}

/** HEAD for each declared GET (H44). */
export const headCases = (subjects: readonly HttpSubject[]): readonly Case[] =>
  subjects
    .filter(({ operation }) => operation.method === 'GET')
    .flatMap(({ operation, shown: [{ sent }] }): readonly Case[] => [
      {
        name: `${operation.id}, by HEAD`,
        operation,
        cost: 3,
        run: (session) => tryHead(session, operation, sent),
      },
    ])

const tryHead = async (session: Session, operation: HttpOperation, sent: Sent): Promise<void> => {
  const first = await session.ask(sent)
  const head = await session.ask({ ...sent, method: 'HEAD' })
  const last = await session.ask(sent)
  const outcomes = [first, head, last].map((one) => classify(one, operation, session).kind)
  // Responses that change between requests, or are rate-limited, cannot be compared.
  if (!first.answer || first.answer.status !== last.answer?.status || outcomes.includes('later'))
    return
  const report = (what: string, expected: string) =>
    session.report('head-differs-from-get', head, { message: `HEAD ${what}`, expected })
  const { status } = first.answer
  if (head.answer?.status !== status)
    return report(`${describeExchange(head)}, but GET got ${status}`, `${status}`)
  const [got = 'none', headed] = [first.answer, head.answer].map((one) =>
    headerOf(one.headers, 'content-type'),
  )
  if (headed !== undefined && headed !== got)
    report(`has Content-Type: ${headed}, but GET has ${got}`, got)
  const [length, own, again] = [first.answer, head.answer, last.answer].map((one) =>
    headerOf(one.headers, 'content-length'),
  )
  if (own !== undefined && length !== undefined && length === again && own !== length)
    session.report('head-content-length-wrong', head, {
      message: `HEAD has Content-Length: ${own}, but GET has ${length}`,
      expected: `Content-Length: ${length}, or none`,
    })
}
