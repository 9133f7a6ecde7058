import { createHash } from 'node:crypto'
import type { Case, Complaint, Plan, Session } from '../case.js'
import { complaintsOf, ruleRows } from '../rule.js'
import { secretNames, type Target } from '../target.js'
import type { Exchange, Sent } from '../wire/exchange.js'
import { type HttpValues, writeHttp } from '../wire/write-request.js'
import { describeExchange, isItsOwn, isNamed, outcomeOf, sendMalformed } from './outcome.js'
import type { Subject } from './subject.js'

/** API keys in the path. */
export const KEY_RULES = ruleRows([
  {
    id: 'invalid-api-key-accepted',
    level: 'error',
    purpose: 'An unknown key is rejected.',
    clause: 'x-secret',
    checks: ['H25'],
  },
  {
    id: 'invalid-api-keys-distinguished',
    level: 'error',
    purpose: 'Keys that nobody has are all rejected alike, or their shape can be guessed.',
    clause: 'x-secret; CWE-204',
    checks: ['H25'],
  },
  {
    id: 'invalid-api-key-wrong-status',
    level: 'warning',
    purpose: 'A key that nobody has is answered 401, 403 or 404.',
    clause: 'RFC 9110, 15.5.2',
    checks: ['H25'],
  },
  {
    id: 'public-operation-requires-key',
    level: 'error',
    purpose: 'An operation that is declared public is open to those who have no key.',
    clause: 'x-access',
    checks: ['H26'],
  },
])

const complain = complaintsOf(KEY_RULES)

/** Keys that nobody has, where the path has a place for one (H25), and no key where none is needed (H26). */
export const keyCases = (plan: Plan, subjects: readonly Subject[]): readonly Case[] =>
  subjects.flatMap((subject): readonly Case[] => {
    const { operation } = subject
    const [secret] = secretNames(operation)
    const all = { operation, weight: 'protocol' as const }
    if (secret === undefined)
      return operation.access === 'public' && operation.security.length === 0
        ? [
            {
              ...all,
              name: `${operation.id}, without a key`,
              cost: 1,
              run: (session) => runPublic(session, subject),
            },
          ]
        : []
    const schema = operation.parameters.find(({ name }) => name === secret)?.schema ?? true
    const allowed = plan.checker.schema(schema)
    const keys = alike(plan).filter(({ key }) => allowed.check(key))
    const parts = { subject, secret, target: plan.target }
    return [
      {
        ...all,
        name: `${operation.id}, keys that nobody has`,
        cost: keys.length * 2,
        // A mock knows no keys.
        needsState: true,
        run: (session) => runForeign(session, parts, keys),
      },
      ...ODD.map(({ title, text }) => ({
        ...all,
        name: `${operation.id}, ${title}`,
        cost: 2,
        needsState: true,
        run: (session: Session) => runOdd(session, parts, title, text),
      })),
    ]
  })

type Key = { readonly title: string; readonly key: string }
type Parts = { readonly subject: Subject; readonly secret: string; readonly target: Target }

/** A server that responds differently to them shows what a key looks like. The run's own key, cut short, would give most of it away. */
const alike = ({ seed, target }: Plan): readonly Key[] => {
  const digest = createHash('sha256').update(`a key that nobody has ${seed}`).digest('hex')
  return [
    { title: 'an unknown key', key: digest.slice(0, 32) },
    { title: 'an unknown UUID for a key', key: uuidOf(digest) },
    { title: 'a key of one letter', key: 'x' },
    { title: 'a key with a blank', key: 'no key' },
    { title: 'a key in other letters', key: 'clé-鍵-🔑' },
    ...(target.key === undefined
      ? []
      : [{ title: 'a key and one letter more', key: `${target.key}x` }]),
  ]
}

/** A UUID of version 4 whose digits are these. */
export const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`

/** What a gateway may refuse in its own way, by the address alone: it opens nothing, and breaks nothing. */
const ODD = [
  { title: 'an empty key', text: '' },
  { title: 'a key of 4096 letters', text: 'k'.repeat(4_096) },
  { title: 'a key that leads a folder up', text: '..' },
  { title: 'a key that leads a folder up, escaped', text: '%2e%2e' },
  { title: 'a key that leads out of its folder, escaped', text: '..%2f..%2fetc%2fpasswd' },
  { title: 'a key of a null byte', text: '%00' },
]

const withKey = ({ subject, secret, target }: Parts, key: string): Sent | undefined => {
  const { values } = subject.shown[0]
  const parameters: HttpValues['parameters'] = { ...values.parameters, [`path.${secret}`]: key }
  return writeHttp(subject.operation, { ...values, parameters }, target)
}

const runForeign = async (
  session: Session,
  parts: Parts,
  keys: readonly Key[],
): Promise<readonly Complaint[]> => {
  const { operation } = parts.subject
  const complaints: Complaint[] = []
  let first: Exchange | undefined
  for (const { title, key } of keys) {
    const sent = withKey(parts, key)
    if (!sent) continue
    const tried = await sendMalformed(session, operation, title, sent)
    complaints.push(...tried.complaints)
    const { exchange, outcome } = tried
    if (outcome === 'taken') complaints.push(taken(operation, title, exchange))
    if (outcome !== 'refused') continue
    const status = exchange.answer?.status
    if (!first) complaints.push(...judgeFirst(operation, title, exchange))
    else if (status !== first.answer?.status)
      complaints.push(
        complain('invalid-api-keys-distinguished', operation, exchange, {
          message: `${title} ${describeExchange(exchange)}, and ${keys[0]?.title} ${first.answer?.status}`,
          expected: String(first.answer?.status),
        }),
      )
    first ??= exchange
  }
  return complaints
}

const taken = (operation: Subject['operation'], title: string, exchange: Exchange): Complaint =>
  complain('invalid-api-key-accepted', operation, exchange, {
    message: `${title} ${describeExchange(exchange)} as if it were a right one`,
    expected: '401, 403 or 404',
  })

const judgeFirst = (
  operation: Subject['operation'],
  title: string,
  exchange: Exchange,
): readonly Complaint[] => {
  const status = exchange.answer?.status ?? 0
  const usual = [401, 403, 404]
  // Where the document names none of them it has its own way to refuse.
  if (usual.includes(status) || !usual.some((one) => isNamed(operation, one))) return []
  return [
    complain('invalid-api-key-wrong-status', operation, exchange, {
      message: `${title} ${describeExchange(exchange)}`,
      expected: usual.filter((one) => isNamed(operation, one)).join(' or '),
    }),
  ]
}

const runOdd = async (
  session: Session,
  parts: Parts,
  title: string,
  text: string,
): Promise<readonly Complaint[]> => {
  const { operation } = parts.subject
  const sent = withKey(parts, PLACE)
  if (!sent) return []
  const url = sent.url.replace(PLACE, text)
  const tried = await sendMalformed(
    session,
    operation,
    title,
    { ...sent, url },
    { isForeign: true },
  )
  // A page of another address may well be there for anybody.
  return tried.outcome === 'taken' && isItsOwn(session, operation, tried.exchange)
    ? [...tried.complaints, taken(operation, title, tried.exchange)]
    : tried.complaints
}

const PLACE = 'place-of-the-key'

const runPublic = async (
  session: Session,
  { operation, shown }: Subject,
): Promise<readonly Complaint[]> => {
  const exchange = await session.ask(shown[0].sent)
  const status = exchange.answer?.status
  if (outcomeOf(session, operation, exchange) !== 'refused') return []
  if (status !== 401 && status !== 403) return []
  return [
    complain('public-operation-requires-key', operation, exchange, {
      message: `a request without a key ${describeExchange(exchange)}, and x-access says public`,
      expected: 'what anybody is answered',
    }),
  ]
}
