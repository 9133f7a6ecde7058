import type { Case, Complaint, Session } from '../case.js'
import type { Plan } from '../cases/plan.js'
import { readExchange } from '../responses/read.js'
import { type Exchange, headerOf, type Sent } from '../wire/exchange.js'
import { complain, controlOf, shutOut, tryOdd, whatCame } from './outcome.js'
import { httpOperations, type Subject } from './subject.js'

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
  const { exchange, outcome, complaints } = await tryOdd(session, operation, verb, sent)
  const status = exchange.answer?.status
  if (status === undefined || outcome === 'away' || outcome === 'broken') return complaints
  if (status === 405) return [...complaints, ...judgeAllow(operation, declared, exchange)]
  if (verb === 'TRACE' && outcome === 'taken')
    return [
      ...complaints,
      complain('trace-answered', operation, exchange, {
        message: `TRACE ${whatCame(exchange)}`,
        due: '405, or 501',
      }),
    ]
  // OPTIONS asks what there is, and any path may answer (RFC 9110, 9.3.7); 501 is for methods that no path has.
  if (verb === 'OPTIONS' || status === 501 || status === 401 || status === 403) return complaints
  return [
    ...complaints,
    outcome === 'refused'
      ? complain('rejection-wrong-code', operation, exchange, {
          message: `${verb}, which the path does not declare, was rejected with the wrong code: ${status} came`,
          due: `405 with Allow: ${declared.join(', ')}`,
          aspect: verb,
          cause: `${status} for an undeclared method`,
        })
      : complain('undeclared-method-accepted', operation, exchange, {
          message: `${verb}, which the path does not declare, ${whatCame(exchange)}`,
          due: `405 with Allow: ${declared.join(', ')}`,
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
  const due = `Allow: ${declared.join(', ')}`
  const { method } = exchange.sent
  if (allow === undefined)
    return [
      complain('allow-header-missing', operation, exchange, {
        message: `${method} was answered 405 without Allow`,
        due,
      }),
    ]
  const named = allow.split(',').map((one) => one.trim())
  const missing = declared.find((one) => !named.includes(one))
  if (missing === undefined) return []
  return [
    complain('allow-header-incomplete', operation, exchange, {
      message: `${method} was answered 405 with Allow: ${allow}, which leaves out ${missing}`,
      due,
    }),
  ]
}
