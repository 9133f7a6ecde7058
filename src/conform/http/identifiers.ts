import { createHash } from 'node:crypto'
import type { HttpOperation } from '../../model/api.js'
import { splitUrl, withoutQuery } from '../../runtime/wire/routes.js'
import { dereference, type Schema } from '../../schema/schema.js'
import type { Sent } from '../../traffic/exchange.js'
import { type Case, NotTested, type Plan, type Session } from '../case.js'
import { classify, isNamed, isOfCaller, isOfMissing } from '../outcome.js'
import type { Rule } from '../rule.js'
import { uuidOf } from './keys.js'
import { describeExchange, sendMalformed } from './send-malformed.js'
import { type HttpSubject, withPathValue } from './subject.js'

/** Rules for UUIDs in a path. */
export const IDENTIFIER_RULES: readonly Rule[] = [
  {
    id: 'unknown-identifier-found',
    level: 'error',
    purpose: 'A random UUID identifies no resource.',
    clause: 'RFC 9110, 15.5.5',
    checks: ['H27'],
  },
  {
    id: 'unknown-identifier-wrong-status',
    level: 'error',
    purpose: 'A resource that does not exist gets the 404 that the operation declares.',
    clause: 'OpenAPI, responses; RFC 9110, 15.5.5',
    checks: ['H27'],
  },
  {
    id: 'malformed-identifier-accepted',
    level: 'warning',
    purpose: 'An identifier that is not a UUID is rejected with 400 or 404.',
    clause: 'RFC 9562, 4; RFC 9110, 15.5',
    checks: ['H28'],
  },
  {
    id: 'identifier-case-sensitive',
    level: 'warning',
    purpose: 'A UUID in upper case identifies the same resource.',
    clause: 'RFC 9562, 4',
    checks: ['H28'],
  },
]

/** A UUID in the path of a lookup: unknown, malformed, in capitals, and followed by a slash or a query (H27, H28). */
export const identifierCases = (plan: Plan, subjects: readonly HttpSubject[]): readonly Case[] =>
  subjects.flatMap((subject): readonly Case[] => {
    const { operation } = subject
    if (operation.method !== 'GET') return []
    return operation.parameters.flatMap((parameter): readonly Case[] => {
      if (parameter.in !== 'path' || parameter.secret || !isUuid(plan, parameter.schema)) return []
      const digest = createHash('sha256').update(`an unknown UUID ${plan.seed}`).digest('hex')
      const unknown = uuidOf(digest)
      const request = withPathValue(plan, subject, parameter.name)
      const lookup = { operation, parameter: parameter.name, unknown, request }
      const one = (title: string, cost: number, run: Case['run']): Case => {
        return { name: `${operation.id}, ${parameter.name}, ${title}`, operation, cost, run }
      }
      const acceptsCapitals = plan.checker.schema(parameter.schema).check(unknown.toUpperCase())
      return [
        {
          ...one('an unknown UUID', 2, (session) => tryUnknown(session, lookup)),
          needsState: true,
        },
        ...MALFORMED.map(({ title, text }) =>
          one(title, 2, (session) => tryMalformed(session, lookup, title, text(unknown))),
        ),
        ...(acceptsCapitals
          ? [one('a UUID in capitals', 2, (session) => tryCapitals(session, lookup))]
          : []),
        ...BEHIND.map((row) => one(row.title, 3, (session) => tryBehind(session, lookup, row))),
      ]
    })
  })

type Lookup = {
  readonly operation: HttpOperation
  readonly parameter: string
  /** A UUID of version 4, the same for the same seed. */
  readonly unknown: string
  readonly request: (uuid: string) => Sent
}

/** By its format, or by a pattern that accepts UUIDs and rejects those with one character more or less. */
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

const tryUnknown = async (
  session: Session,
  { operation, parameter, unknown, request }: Lookup,
): Promise<void> => {
  const sent = request(unknown)
  const { exchange, outcome } = await sendMalformed(session, operation, 'an unknown UUID', sent)
  // Any UUID may then have a response, such as an empty list.
  if (!isNamed(operation, 404))
    throw new NotTested(
      'it declares no 404, so the response to an unknown identifier is not defined',
    )
  const status = exchange.answer?.status ?? 404
  const isWrong =
    outcome.kind === 'rejected' && status >= 300 && !isOfCaller(status) && !isOfMissing(status)
  const rule = isWrong ? 'unknown-identifier-wrong-status' : 'unknown-identifier-found'
  const message = `a random ${parameter} ${describeExchange(exchange)}`
  if (outcome.kind === 'accepted' || isWrong)
    session.report(rule, exchange, { message, expected: '404' })
}

const tryMalformed = async (
  session: Session,
  { operation, request }: Lookup,
  title: string,
  value: string,
): Promise<void> => {
  const { exchange, outcome } = await sendMalformed(session, operation, title, request(value))
  const status = exchange.answer?.status ?? 0
  const expected = '400 or 404'
  if (outcome.kind === 'accepted')
    session.report('malformed-identifier-accepted', exchange, {
      message: `${title} ${describeExchange(exchange)}`,
      expected,
    })
  else if (
    outcome.kind === 'rejected' &&
    ![400, 401, 403, 404].includes(status) &&
    !isNamed(operation, status)
  )
    session.report('rejection-wrong-code', exchange, {
      message: `${title} was rejected with the wrong status: ${status}`,
      expected,
      aspect: String(status),
      cause: `${status} for a malformed identifier`,
    })
}

/** Uses an unknown UUID, because no other is known. The state cases test existing UUIDs in capitals. */
const tryCapitals = async (
  session: Session,
  { operation, unknown, request }: Lookup,
): Promise<void> => {
  const first = (await session.ask(request(unknown))).answer?.status
  const exchange = await session.ask(request(unknown.toUpperCase()))
  const status = exchange.answer?.status
  const outcome = classify(exchange, operation, session)
  if (
    first === undefined ||
    status === first ||
    (outcome.kind !== 'accepted' && outcome.kind !== 'rejected')
  )
    return
  session.report('identifier-case-sensitive', exchange, {
    message: `an unknown UUID got the status ${first}, but in upper case ${status}`,
    expected: String(first),
  })
}

const tryBehind = async (
  session: Session,
  { operation, unknown, request }: Lookup,
  { title, text, choice }: (typeof BEHIND)[number],
): Promise<void> => {
  const plain = request(unknown)
  const [, query] = splitUrl(plain.url)
  const rest = query === '' ? '' : `${text.startsWith('?') ? '&' : '?'}${query}`
  const url =
    text === '' ? plain.url.replace(unknown, '') : `${withoutQuery(plain.url)}${text}${rest}`
  const { exchange, outcome, isFaulty } = await sendMalformed(
    session,
    operation,
    title,
    { ...plain, url },
    { isForeign: true },
  )
  if (choice === undefined || isFaulty || outcome.kind === 'later') return
  const same = (await session.probe(plain)).answer
  const body = String(exchange.answer?.body) === String(same?.body)
  const isSame = same?.status === exchange.answer?.status && body
  const way = outcome.kind === 'redirected' ? 'sent elsewhere' : isSame ? 'the same' : 'rejected'
  session.observe(`http-${choice} of ${operation.id}`, way, exchange)
}
