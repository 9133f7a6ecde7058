import { createHash } from 'node:crypto'
import type { HttpOperation } from '../../model/api.js'
import type { Exchange, Sent } from '../../traffic/exchange.js'
import type { Case, Plan, Session } from '../case.js'
import { isNamed } from '../outcome.js'
import type { Rule } from '../rule.js'
import { secretNames } from '../target.js'
import { describeExchange, isItsOwn, sendMalformed } from './send-malformed.js'
import { type HttpSubject, withPathValue } from './subject.js'

/** Rules for API keys in the path. */
export const KEY_RULES: readonly Rule[] = [
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
    purpose: 'All unknown keys are rejected alike; otherwise, their format can be guessed.',
    clause: 'x-secret; CWE-204',
    checks: ['H25'],
  },
  {
    id: 'invalid-api-key-wrong-status',
    level: 'warning',
    purpose: 'An unknown key is rejected with 401, 403 or 404.',
    clause: 'RFC 9110, 15.5.2',
    checks: ['H25'],
  },
  {
    id: 'public-operation-requires-key',
    level: 'error',
    purpose: 'An operation that is declared public accepts requests without a key.',
    clause: 'x-access',
    checks: ['H26'],
  },
]

/** Invalid keys if the path has a key parameter (H25), and no key if none is required (H26). */
export const keyCases = (plan: Plan, subjects: readonly HttpSubject[]): readonly Case[] =>
  subjects.flatMap((subject): readonly Case[] => {
    const { operation, shown } = subject
    const [secret] = secretNames(operation)
    const one = (title: string, cost: number, run: Case['run']): Case => {
      return { name: `${operation.id}, ${title}`, operation, cost, run }
    }
    if (secret === undefined)
      return operation.access === 'public' && operation.security.length === 0
        ? [one('without a key', 1, (session) => tryPublic(session, shown[0].sent))]
        : []
    const schema = operation.parameters.find(({ name }) => name === secret)?.schema ?? true
    const allowed = plan.checker.schema(schema)
    const keys = unknownKeys(plan).filter(({ key }) => allowed.check(key))
    const withKey = withPathValue(plan, subject, secret)
    return [
      one('keys that nobody has', keys.length * 2, (session) =>
        tryUnknown(session, operation, keys, withKey),
      ),
      ...ODD.map(({ title, text }) =>
        one(title, 2, async (session) => {
          const whole = withKey(PLACE)
          const odd = { ...whole, url: whole.url.replace(PLACE, text) }
          const { exchange, outcome } = await sendMalformed(session, operation, title, odd, {
            isForeign: true,
          })
          // A page of another address may be public.
          if (outcome.kind === 'accepted' && isItsOwn(session, operation, exchange))
            reportAccepted(session, title, exchange)
        }),
      ),
      // A mock does not check keys.
    ].map((each) => ({ ...each, needsState: true }))
  })

type Key = { readonly title: string; readonly key: string }

/**
 * A server that responds differently to them reveals what a key looks like. The run's own key, truncated, would give most of it
 * away.
 */
const unknownKeys = ({ seed, target }: Plan): readonly Key[] => {
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

/** A UUID of version 4 with these hex digits. */
export const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`

/** A gateway may reject these in its own way, by the address alone. None of them gives access or causes a server error. */
const ODD = [
  { title: 'an empty key', text: '' },
  { title: 'a key of 4096 letters', text: 'k'.repeat(4_096) },
  { title: 'a key that leads a folder up', text: '..' },
  { title: 'a key that leads a folder up, escaped', text: '%2e%2e' },
  { title: 'a key that leads out of its folder, escaped', text: '..%2f..%2fetc%2fpasswd' },
  { title: 'a key of a null byte', text: '%00' },
]

const PLACE = 'place-of-the-key'

const tryUnknown = async (
  session: Session,
  operation: HttpOperation,
  keys: readonly Key[],
  withKey: (key: string) => Sent,
): Promise<void> => {
  let first: number | undefined
  for (const { title, key } of keys) {
    const { exchange, outcome } = await sendMalformed(session, operation, title, withKey(key))
    if (outcome.kind === 'accepted') reportAccepted(session, title, exchange)
    if (outcome.kind !== 'rejected') continue
    const status = exchange.answer?.status ?? 0
    const message = `${title} ${describeExchange(exchange)}`
    // If the document declares none of them, the server may reject with another status.
    const named = USUAL.filter((one) => isNamed(operation, one))
    if (first === undefined && named.length > 0 && !USUAL.includes(status))
      session.report('invalid-api-key-wrong-status', exchange, {
        message,
        expected: named.join(' or '),
      })
    if (first !== undefined && status !== first)
      session.report('invalid-api-keys-distinguished', exchange, {
        message: `${message}, but ${keys[0]?.title} got ${first}`,
        expected: String(first),
      })
    first ??= status
  }
}

const USUAL = [401, 403, 404]

const reportAccepted = (session: Session, title: string, exchange: Exchange): void =>
  session.report('invalid-api-key-accepted', exchange, {
    message: `${title} ${describeExchange(exchange)} as if it were valid`,
    expected: '401, 403 or 404',
  })

const tryPublic = async (session: Session, sent: Sent): Promise<void> => {
  const exchange = await session.ask(sent)
  const status = exchange.answer?.status
  if (status !== 401 && status !== 403) return
  session.report('public-operation-requires-key', exchange, {
    message: `a request without a key ${describeExchange(exchange)}, but x-access is public`,
    expected: 'the response that every caller gets',
  })
}
