import { createHash } from 'node:crypto'
import { dereference, type Schema } from '../../schema/schema.js'
import type { Case, Complaint, Plan, Session } from '../case.js'
import { complaintsOf, ruleRows } from '../rule.js'
import type { Sent } from '../wire/exchange.js'
import { writeHttp } from '../wire/write-request.js'
import { uuidOf } from './keys.js'
import { describeExchange, isNamed, outcomeOf, sendMalformed } from './outcome.js'
import type { Subject } from './subject.js'

/** UUIDs in a path. */
export const IDENTIFIER_RULES = ruleRows([
  {
    id: 'unknown-identifier-found',
    level: 'error',
    purpose: 'A random UUID names nothing.',
    clause: 'RFC 9110, 15.5.5',
    checks: ['H27'],
  },
  {
    id: 'unknown-identifier-wrong-status',
    level: 'error',
    purpose: 'What is not there is answered with the 404 that the operation declares.',
    clause: 'OpenAPI, responses; RFC 9110, 15.5.5',
    checks: ['H27'],
  },
  {
    id: 'malformed-identifier-accepted',
    level: 'warning',
    purpose: 'What is no UUID is answered 400 or 404.',
    clause: 'RFC 9562, 4; RFC 9110, 15.5',
    checks: ['H28'],
  },
  {
    id: 'identifier-case-sensitive',
    level: 'warning',
    purpose: 'A UUID in capitals is the same UUID.',
    clause: 'RFC 9562, 4',
    checks: ['H28'],
  },
])

const complain = complaintsOf(IDENTIFIER_RULES)

/** A UUID in the path of a lookup: unknown, malformed, in capitals, and with something behind it (H27, H28). */
export const identifierCases = (plan: Plan, subjects: readonly Subject[]): readonly Case[] =>
  subjects.flatMap((subject): readonly Case[] => {
    const { operation } = subject
    if (operation.method !== 'GET') return []
    return operation.parameters.flatMap((parameter): readonly Case[] => {
      if (parameter.in !== 'path' || parameter.secret || !isUuid(plan, parameter.schema)) return []
      const digest = createHash('sha256').update(`an unknown UUID ${plan.seed}`).digest('hex')
      const parts = { subject, parameter: parameter.name, plan, unknown: uuidOf(digest) }
      const all = { operation, weight: 'protocol' as const }
      const takesCapitals = plan.checker.schema(parameter.schema).check(parts.unknown.toUpperCase())
      const name = (what: string) => `${operation.id}, ${parameter.name}, ${what}`
      return [
        {
          ...all,
          name: name('an unknown UUID'),
          cost: 2,
          needsState: true,
          run: (session) => runUnknown(session, parts),
        },
        ...MALFORMED.map(({ title, text }) => ({
          ...all,
          name: name(title),
          cost: 2,
          run: (session: Session) => runMalformed(session, parts, title, text(parts.unknown)),
        })),
        ...(takesCapitals
          ? [
              {
                ...all,
                name: name('a UUID in capitals'),
                cost: 2,
                run: (session: Session) => runCapitals(session, parts),
              },
            ]
          : []),
        ...BEHIND.map((one) => ({
          ...all,
          name: name(one.title),
          cost: 3,
          run: (session: Session) => runBehind(session, parts, one),
        })),
      ]
    })
  })

type Parts = {
  readonly subject: Subject
  readonly parameter: string
  readonly plan: Plan
  /** Of version 4, the same for the same seed. */
  readonly unknown: string
}

/** By its format, or by a pattern that lets through UUIDs and what differs from one by a letter not. */
const isUuid = ({ api, checker }: Plan, schema: Schema): boolean => {
  const real = dereference(schema, api.schemas)
  if (typeof real === 'object' && real.format === 'uuid') return true
  const { check } = checker.schema(schema)
  const [uuid, short] = [uuidOf('0123456789abcdef'.repeat(4)), 'a'.repeat(35)]
  return check(uuid) && !check(uuid.slice(1)) && !check(`${uuid}0`) && !check(short)
}

const MALFORMED = [
  { title: 'what is no UUID', text: () => 'no-uuid' },
  { title: 'a UUID in braces', text: (uuid: string) => `{${uuid}}` },
  { title: 'a UUID without its last digit', text: (uuid: string) => uuid.slice(0, -1) },
  { title: 'a UUID with a digit too many', text: (uuid: string) => `${uuid}0` },
  { title: 'a UUID with a letter that is no digit', text: (uuid: string) => `g${uuid.slice(1)}` },
]

const BEHIND = [
  { title: 'nothing in its place', text: '', choice: undefined },
  { title: 'a slash behind it', text: '/', choice: 'trailing-slash' },
  { title: 'an unknown query behind it', text: '?unknown=1', choice: 'unknown-query' },
] as const

const lookup = ({ subject, parameter, plan }: Parts, value: string): Sent | undefined => {
  const { values } = subject.shown[0]
  const parameters = { ...values.parameters, [`path.${parameter}`]: value }
  return writeHttp(subject.operation, { ...values, parameters }, plan.target)
}

const runUnknown = async (session: Session, parts: Parts): Promise<readonly Complaint[]> => {
  const { operation } = parts.subject
  const sent = lookup(parts, parts.unknown)
  if (!sent) return []
  const tried = await sendMalformed(session, operation, 'an unknown UUID', sent)
  const { exchange, outcome } = tried
  // There may be something for any UUID then: a list, and be it empty.
  if (!isNamed(operation, 404)) {
    session.skip(
      `${operation.id}, ${parts.parameter}, an unknown UUID`,
      'it declares no 404, so that nothing is due of what is not there',
    )
    return tried.complaints
  }
  if (outcome === 'taken')
    return [
      ...tried.complaints,
      complain('unknown-identifier-found', operation, exchange, {
        message: `a random ${parts.parameter} ${describeExchange(exchange)}`,
        expected: '404',
      }),
    ]
  const status = exchange.answer?.status ?? 404
  const isRight = [401, 403, 404, 410].includes(status)
  if (outcome !== 'refused' || status < 300 || isRight) return tried.complaints
  return [
    ...tried.complaints,
    complain('unknown-identifier-wrong-status', operation, exchange, {
      message: `a random ${parts.parameter} ${describeExchange(exchange)}`,
      expected: '404',
    }),
  ]
}

const runMalformed = async (
  session: Session,
  parts: Parts,
  title: string,
  value: string,
): Promise<readonly Complaint[]> => {
  const { operation } = parts.subject
  const sent = lookup(parts, value)
  if (!sent) return []
  const tried = await sendMalformed(session, operation, title, sent)
  const { exchange, outcome } = tried
  const status = exchange.answer?.status ?? 0
  const isRight = [400, 401, 403, 404].includes(status) || isNamed(operation, status)
  if (outcome !== 'taken' && (outcome !== 'refused' || isRight)) return tried.complaints
  return [
    ...tried.complaints,
    outcome === 'taken'
      ? complain('malformed-identifier-accepted', operation, exchange, {
          message: `${title} ${describeExchange(exchange)}`,
          expected: '400 or 404',
        })
      : complain('rejection-wrong-code', operation, exchange, {
          message: `${title} was rejected with the wrong code: ${status} came`,
          expected: '400 or 404',
          aspect: String(status),
          cause: `${status} for a malformed identifier`,
        }),
  ]
}

/** Of an unknown one, for nothing else is known to be there; what is looked up for real is asked in capitals by the states. */
const runCapitals = async (session: Session, parts: Parts): Promise<readonly Complaint[]> => {
  const { operation } = parts.subject
  const [lower, upper] = [parts.unknown, parts.unknown.toUpperCase()].map((value) =>
    lookup(parts, value),
  )
  if (!lower || !upper) return []
  const first = (await session.ask(lower)).answer?.status
  const exchange = await session.ask(upper)
  const status = exchange.answer?.status
  const outcome = outcomeOf(session, operation, exchange)
  if (first === undefined || status === first || (outcome !== 'taken' && outcome !== 'refused'))
    return []
  return [
    complain('identifier-case-sensitive', operation, exchange, {
      message: `an unknown UUID was answered ${first}, and in capitals ${status}`,
      expected: String(first),
    }),
  ]
}

const runBehind = async (
  session: Session,
  parts: Parts,
  { title, text, choice }: (typeof BEHIND)[number],
): Promise<readonly Complaint[]> => {
  const { operation } = parts.subject
  const sent = lookup(parts, parts.unknown)
  if (!sent) return []
  const url = text === '' ? sent.url.replace(parts.unknown, '') : `${sent.url}${text}`
  const { exchange, outcome, complaints } = await sendMalformed(
    session,
    operation,
    title,
    { ...sent, url },
    { isForeign: true },
  )
  if (choice === undefined || complaints.length > 0 || outcome === 'away') return complaints
  const same = (await session.probe(sent)).answer
  const body = String(exchange.answer?.body) === String(same?.body)
  const isSame = same?.status === exchange.answer?.status && body
  const way = outcome === 'elsewhere' ? 'sent elsewhere' : isSame ? 'the same' : 'refused'
  session.observe(`http-${choice} of ${operation.id}`, way, exchange)
  return []
}
