import { covers } from '../../runtime/shared/media-type.js'
import type { Case, Complaint, Plan, Session } from '../case.js'
import { complaintsOf, ruleRows } from '../rule.js'
import type { Sent } from '../wire/exchange.js'
import { controlOf, describeExchange, outcomeOf, sendMalformed, shutOut } from './outcome.js'
import type { Shown, Subject } from './subject.js'

/** The Content-Type of a request. */
export const MEDIA_TYPE_RULES = ruleRows([
  {
    id: 'undeclared-media-type-accepted',
    level: 'warning',
    purpose:
      'A body that is said to be of a media type which is not declared is answered 415, or 400.',
    clause: 'RFC 9110, 15.5.16',
    checks: ['H22'],
  },
  {
    id: 'media-type-spelling-significant',
    level: 'error',
    purpose:
      'The letter case of a media type, and the charset of JSON, which is always UTF-8, mean nothing.',
    clause: 'RFC 9110, 8.3.1; RFC 8259, 11',
    checks: ['H22'],
  },
])

const complain = complaintsOf(MEDIA_TYPE_RULES)

/** Bodies that are said to be something else, and the same type in other letters (H22). */
export const mediaTypeCases = (_plan: Plan, subjects: readonly Subject[]): readonly Case[] =>
  subjects.flatMap((subject): readonly Case[] => {
    const { operation } = subject
    const shown = subject.shown.find(({ json }) => json !== undefined)
    if (!shown?.json) return []
    const declared = operation.body?.content.map(({ type }) => type) ?? []
    const foreign = FOREIGN.filter((type) => !declared.some((one) => covers(one, type)))
    const all = { operation, weight: 'protocol' as const }
    return [
      ...foreign.map((type) => ({
        ...all,
        name: `${operation.id}, a body said to be ${type.replace(/;.*/, '')}`,
        cost: 2,
        run: (session: Session) => runForeign(session, subject, shown, type),
      })),
      {
        ...all,
        name: `${operation.id}, a body without Content-Type`,
        cost: 2,
        run: (session) => runWithout(session, subject, shown),
      },
      ...sameTypes(shown.json.type).map((type) => ({
        ...all,
        name: `${operation.id}, a body said to be ${type}`,
        cost: 2,
        run: (session: Session) => runSame(session, subject, shown, type),
      })),
    ]
  })

/** The same type in another spelling. The values of its parameters may be case-sensitive. */
const sameTypes = (type: string): readonly string[] => {
  const [name = '', ...parameters] = type.split(';')
  const upper = [name.toUpperCase(), ...parameters].join(';')
  const hasCharset = parameters.some((one) => /^\s*charset\s*=/i.test(one))
  return hasCharset ? [upper] : [upper, `${type}; charset=utf-8`]
}

const FOREIGN = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=part',
  'application/xml',
  'image/png',
]

const withType = (sent: Sent, type: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'content-type': type },
})

const runForeign = async (
  session: Session,
  { operation }: Subject,
  shown: Shown,
  type: string,
): Promise<readonly Complaint[]> => {
  const title = `a body said to be ${type.replace(/;.*/, '')}`
  const why = shutOut(await controlOf(session, shown.sent))
  if (why !== undefined) {
    session.skip(`${operation.id}, ${title}`, why)
    return []
  }
  const tried = await sendMalformed(session, operation, title, withType(shown.sent, type))
  const status = tried.exchange.answer?.status ?? 0
  const isRight = tried.outcome !== 'taken' && (status === 415 || status === 400 || status < 300)
  if (isRight || (tried.outcome !== 'taken' && tried.outcome !== 'refused')) return tried.complaints
  return [
    ...tried.complaints,
    complain('undeclared-media-type-accepted', operation, tried.exchange, {
      message: `${title} ${describeExchange(tried.exchange)}`,
      expected: '415, or 400',
      ...(tried.outcome === 'taken' ? {} : { aspect: String(status) }),
    }),
  ]
}

/** RFC 9110, 8.3: a recipient may then look at the data itself. */
const runWithout = async (
  session: Session,
  { operation }: Subject,
  shown: Shown,
): Promise<readonly Complaint[]> => {
  const { 'content-type': _, ...headers } = shown.sent.headers
  const title = 'a body without Content-Type'
  const tried = await sendMalformed(session, operation, title, { ...shown.sent, headers })
  const control = outcomeOf(session, operation, await controlOf(session, shown.sent))
  if (control === 'taken' && (tried.outcome === 'taken' || tried.outcome === 'refused'))
    session.observe(`http-content-type-missing of ${operation.id}`, tried.outcome, tried.exchange)
  return tried.complaints
}

const runSame = async (
  session: Session,
  { operation }: Subject,
  { sent }: Shown,
  type: string,
): Promise<readonly Complaint[]> => {
  const exchange = await session.ask(withType(sent, type))
  const { status = 0 } = exchange.answer ?? {}
  if (status !== 415 && status !== 400) return []
  // Asked now, for what was taken once may be refused as its own repetition.
  const control = await session.ask(sent)
  if (outcomeOf(session, operation, control) !== 'taken') return []
  const plain = sent.headers['content-type'] ?? ''
  return [
    complain('media-type-spelling-significant', operation, exchange, {
      message: `a body said to be ${type} ${describeExchange(exchange)}`,
      expected: `what ${plain} is answered`,
      aspect: type,
    }),
  ]
}
