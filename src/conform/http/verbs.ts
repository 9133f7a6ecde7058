import type { Case, Complaint, Plan, Session } from '../case.js'
import { readExchange } from '../responses/read.js'
import { complaintsOf, ruleRows } from '../rule.js'
import { type Exchange, headerOf, type Sent } from '../wire/exchange.js'
import { controlOf, describeExchange, outcomeOf, sendMalformed, shutOut } from './outcome.js'
import { httpOperations, type Subject } from './subject.js'

/** Methods that a path does not declare. */
export const METHOD_RULES = ruleRows([
  {
    id: 'undeclared-method-accepted',
    level: 'warning',
    purpose: 'A method that a path does not declare is answered 405.',
    clause: 'RFC 9110, 15.5.6',
    checks: ['H24'],
  },
  {
    id: 'allow-header-missing',
    level: 'error',
    purpose: 'A response with 405 names the allowed methods.',
    clause: 'RFC 9110, 15.5.6',
    checks: ['H24'],
  },
  {
    id: 'allow-header-incomplete',
    level: 'warning',
    purpose: 'Allow names each method that the path declares.',
    clause: 'RFC 9110, 10.2.1',
    checks: ['H24'],
  },
  {
    id: 'trace-answered',
    level: 'warning',
    purpose:
      'TRACE is no method of a path that does not declare it: it sends back what a request holds, credentials too.',
    clause: 'RFC 9110, 9.3.8',
    checks: ['H24'],
  },
  {
    id: 'head-differs-from-get',
    level: 'warning',
    purpose: 'HEAD is answered like GET, without a body.',
    clause: 'RFC 9110, 9.1 and 9.3.2',
    checks: ['H44'],
  },
  {
    id: 'etag-precondition-wrong',
    level: 'error',
    purpose: 'A caller whose versions do not match gets the whole response.',
    clause: 'RFC 9110, 13.1.2',
    checks: ['H44'],
  },
])

const complain = complaintsOf(METHOD_RULES)

/** Methods that a path does not declare (H24). */
export const verbCases = ({ api, target }: Plan, subjects: readonly Subject[]): readonly Case[] => {
  const paths = new Map(subjects.map((subject) => [subject.operation.path, subject]))
  return [...paths.values()].flatMap((subject) => {
    const { path } = subject.operation
    const declared = httpOperations(api).flatMap((one) => (one.path === path ? one.method : []))
    return VERBS.filter((verb) => verb !== 'HEAD' || !declared.includes('GET')).flatMap(
      (verb): readonly Case[] => {
        const sent = bare(subject.shown[0].sent, verb)
        // Another template may fit the same path and declare the method.
        const exchange: Exchange = { sent, answer: undefined, failure: undefined }
        if (readExchange(api, target, exchange).kind !== 'other') return []
        return [
          {
            name: `${verb} ${path}`,
            operation: subject.operation,
            cost: 2,
            weight: 'protocol',
            run: (session) => run(session, subject, declared, sent),
          },
        ]
      },
    )
  })
}

const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE']

/** Without a body: what it would mean is nobody's to say. */
const bare = ({ url, headers }: Sent, method: string): Sent => {
  const { 'content-type': _, ...rest } = headers
  return { method, url, headers: rest }
}

const run = async (
  session: Session,
  { operation, shown }: Subject,
  declared: readonly string[],
  sent: Sent,
): Promise<readonly Complaint[]> => {
  const verb = sent.method
  const why = noAccess(await controlOf(session, shown[0].sent))
  if (why !== undefined) {
    session.skip(`${verb} ${operation.path}`, why)
    return []
  }
  const { exchange, outcome, complaints } = await sendMalformed(session, operation, verb, sent)
  const status = exchange.answer?.status
  if (status === undefined || outcome === 'away' || outcome === 'broken') return complaints
  if (status === 405) return [...complaints, ...judgeAllow(operation, declared, exchange)]
  if (verb === 'TRACE' && outcome === 'taken')
    return [
      ...complaints,
      complain('trace-answered', operation, exchange, {
        message: `TRACE ${describeExchange(exchange)}`,
        expected: '405, or 501',
      }),
    ]
  // OPTIONS asks what there is, and any path may answer (RFC 9110, 9.3.7); 501 is for methods that no path has.
  if (verb === 'OPTIONS' || status === 501 || status === 401 || status === 403) return complaints
  return [
    ...complaints,
    outcome === 'refused'
      ? complain('rejection-wrong-code', operation, exchange, {
          message: `${verb}, which the path does not declare, was rejected with the wrong code: ${status} came`,
          expected: `405 with Allow: ${declared.join(', ')}`,
          aspect: verb,
          cause: `${status} for an undeclared method`,
        })
      : complain('undeclared-method-accepted', operation, exchange, {
          message: `${verb}, which the path does not declare, ${describeExchange(exchange)}`,
          expected: `405 with Allow: ${declared.join(', ')}`,
          aspect: verb,
        }),
  ]
}

const noAccess = (control: Exchange): string | undefined =>
  control.answer?.status === 404 ? undefined : shutOut(control)

const judgeAllow = (
  operation: Subject['operation'],
  declared: readonly string[],
  exchange: Exchange,
): readonly Complaint[] => {
  const allow = exchange.answer && headerOf(exchange.answer, 'allow')
  const expected = `Allow: ${declared.join(', ')}`
  const { method } = exchange.sent
  if (allow === undefined)
    return [
      complain('allow-header-missing', operation, exchange, {
        message: `${method} was answered 405 without Allow`,
        expected,
      }),
    ]
  const named = allow.split(',').map((one) => one.trim())
  const missing = declared.find((one) => !named.includes(one))
  if (missing === undefined) return []
  return [
    complain('allow-header-incomplete', operation, exchange, {
      message: `${method} was answered 405 with Allow: ${allow}, which leaves out ${missing}`,
      expected,
    }),
  ]
}

/** HEAD, and requests with a condition, of what is declared for GET (H44). */
export const conditionalCases = (subjects: readonly Subject[]): readonly Case[] =>
  subjects.flatMap((subject): readonly Case[] => {
    const { operation } = subject
    if (operation.method !== 'GET') return []
    const all = { operation, weight: 'protocol' as const }
    return [
      {
        ...all,
        name: `${operation.id}, by HEAD`,
        cost: 3,
        run: (session) => runHead(session, subject),
      },
      {
        ...all,
        name: `${operation.id}, with a condition`,
        cost: 2,
        run: (session) => runCondition(session, subject),
      },
    ]
  })

const runHead = async (
  session: Session,
  { operation, shown }: Subject,
): Promise<readonly Complaint[]> => {
  const { sent } = shown[0]
  const first = await session.ask(sent)
  const head = await session.ask({ ...sent, method: 'HEAD' })
  const last = await session.ask(sent)
  const outcomes = [first, head, last].map((one) => outcomeOf(session, operation, one))
  // What changes meanwhile, or is away, tells nothing.
  if (first.answer?.status !== last.answer?.status || outcomes.includes('away')) return []
  const differs = (what: string, expected: string): readonly Complaint[] => [
    complain('head-differs-from-get', operation, head, { message: `HEAD ${what}`, expected }),
  ]
  if (!first.answer || !last.answer) return []
  if (head.answer?.status !== first.answer.status)
    return differs(
      `${describeExchange(head)}, and GET ${first.answer.status}`,
      `${first.answer.status}`,
    )
  const [got, headed] = [first.answer, head.answer].map((one) => headerOf(one, 'content-type'))
  if (headed === undefined || headed === got) return []
  return differs(`says Content-Type: ${headed}, and GET ${got ?? 'none'}`, `${got ?? 'none'}`)
}

const runCondition = async (
  session: Session,
  { operation, shown }: Subject,
): Promise<readonly Complaint[]> => {
  const { sent } = shown[0]
  const conditioned: Sent = {
    ...sent,
    headers: { ...sent.headers, 'if-none-match': '"a-tag-that-no-answer-ever-had"' },
  }
  const exchange = await session.ask(conditioned)
  if (exchange.answer?.status !== 304) return []
  return [
    complain('etag-precondition-wrong', operation, exchange, {
      message: 'a tag that no answer ever had was answered 304',
      expected: 'what a request without a condition is answered',
    }),
  ]
}
