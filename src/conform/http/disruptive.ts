import { headerOf } from '../../runtime/wire/headers.js'
import type { Exchange } from '../../traffic/exchange.js'
import { type Case, CaseStopped, NotTested, type Plan, type Session, TIME_UP } from '../case.js'
import { classify, isNamed } from '../outcome.js'
import type { Rule } from '../rule.js'
import { linkValues } from '../state/links.js'
import { retryAfter } from '../wire/exchange.js'
import { controlOf, describeExchange, shutOut } from './send-malformed.js'
import type { HttpSubject } from './subject.js'

/** Rules for rate limits and concurrent writes. */
export const DISRUPTIVE_RULES: readonly Rule[] = [
  {
    id: 'rate-limit-not-explained',
    level: 'warning',
    purpose: 'A 429 response states when to retry.',
    clause: 'RFC 6585, 4',
    checks: ['H38'],
  },
  {
    id: 'rate-limit-counter-wrong',
    level: 'warning',
    purpose: 'The remaining count of a rate limit does not increase while requests are sent.',
    clause: 'draft-ietf-httpapi-ratelimit-headers',
    checks: ['H38'],
  },
  {
    id: 'concurrent-writes-mixed-up',
    level: 'warning',
    purpose: 'Each of many concurrent writes gets a unique identifier.',
    clause: 'OpenAPI, links',
    checks: ['H45'],
  },
  {
    id: 'concurrent-writes-server-error',
    level: 'warning',
    purpose:
      'Concurrent writes get the same responses as single ones, or are rejected with a request to retry later.',
    clause: 'RFC 9110, 15.6',
    checks: ['H45'],
  },
]

/** Cases that other callers of the server would notice: rate limits and concurrent writes. */
export const disruptiveCases = (plan: Plan, subjects: readonly HttpSubject[]): readonly Case[] => [
  ...subjects.flatMap((subject) => concurrentWrites(plan, subject)),
  ...subjects.flatMap((subject) => rateLimit(plan, subject)),
]

const concurrentWrites = ({ api }: Plan, { operation, shown }: HttpSubject): readonly Case[] => {
  if (operation.idempotent || operation.links.length === 0) return []
  const [{ sent }] = shown
  const run = async (session: Session): Promise<void> => {
    const { signal } = session
    const control = await controlOf(session, sent)
    if (classify(control, operation, session).kind !== 'accepted')
      throw new NotTested(shutOut(control) ?? 'the documented example request is rejected')
    await session.take(WRITES)
    const all = await Promise.all(
      Array.from({ length: WRITES }, () => session.wire(sent, { milliseconds: 60_000, signal })),
    )
    for (const exchange of all) {
      session.reportAll(session.check(exchange))
      if (['failed', 'none', 'rejected'].includes(classify(exchange, operation, session).kind))
        session.report('concurrent-writes-server-error', atOnce(exchange), {
          message: `one of ${WRITES} concurrent writes ${describeExchange(exchange)}, but a single write is accepted`,
          expected: 'a 2xx response, or 429 or 503',
          aspect: String(exchange.answer?.status ?? 'none'),
        })
    }
    const named = (exchange: Exchange) =>
      linkValues(api, operation, exchange).map(
        ({ key, value }) => `${key} ${JSON.stringify(value)}`,
      )
    // What an earlier write got too identifies no single one: the customer of all orders, or the first response again.
    const shared = new Set(named(control))
    const seen = new Set<string>()
    for (const exchange of all)
      for (const name of named(exchange).filter((one) => !shared.has(one))) {
        if (seen.has(name))
          return session.report('concurrent-writes-mixed-up', atOnce(exchange), {
            message: `two of ${WRITES} concurrent writes both got ${name}`,
            expected: 'a different value for each',
          })
        seen.add(name)
      }
  }
  const name = `${operation.id}, ${WRITES} at once`
  return [{ name, operation, cost: WRITES + 1, isDisruptive: true, needsState: true, run }]
}

const WRITES = 50

const atOnce = (exchange: Exchange): Exchange => ({
  ...exchange,
  beside: `${WRITES} times at once`,
})

const rateLimit = ({ api }: Plan, { operation, shown }: HttpSubject): readonly Case[] => {
  const limit = operation.limits.requestsPerMinute ?? api.http?.limits.requestsPerMinute
  if (limit === undefined && !isNamed(operation, 429)) return []
  const most = Math.min(limit === undefined ? 400 : limit + 50, 2_000)
  const { json, sent: whole } = shown[0]
  // Rejected requests count towards a limit too, and an invalid body writes nothing.
  const sent = json ? { ...whole, body: '{' } : whole
  const run = async (session: Session): Promise<void> => {
    const { signal, deadline = Number.POSITIVE_INFINITY } = session
    let left: number | undefined
    for (let count = 0; count < most; count++) {
      if (signal.aborted) throw new NotTested('the run was stopped')
      if (session.now() >= deadline) throw new CaseStopped(TIME_UP)
      const exchange = await session.wire(sent, { milliseconds: 10_000, signal })
      const { answer } = exchange
      if (!answer) throw new NotTested(`request ${count + 1} ${describeExchange(exchange)}`)
      const rest = restOf(headerOf(answer.headers, 'ratelimit'))
      if (rest !== undefined && left !== undefined && rest > left && count < most / 2)
        session.report('rate-limit-counter-wrong', exchange, {
          message: `RateLimit reported ${rest} remaining after it had reported ${left}`,
          expected: `at most ${left}`,
        })
      left = rest ?? left
      if (answer.status !== 429) continue
      session.reportAll(session.check(exchange))
      const { text, seconds } = retryAfter(answer)
      if (seconds === undefined)
        session.report('rate-limit-not-explained', exchange, {
          message: `the 429 response has ${text === undefined ? 'no Retry-After' : `Retry-After: ${text}`}`,
          expected: 'Retry-After with seconds, or a date',
        })
      return session.sleep(1_000 * Math.min(seconds ?? 10, 61))
    }
    throw new NotTested(`no limit was reached in ${most} requests`)
  }
  const name = `${operation.id}, more often than is allowed`
  return [{ name, operation, cost: 0, isDisruptive: true, needsState: true, run }]
}

/** The remaining quota: 12 of `"default";r=12;t=7`, or of `12` in the older drafts. */
const restOf = (value: string | undefined): number | undefined => {
  const [, rest] = /(?:^|;\s*)r=(\d+)/.exec(value ?? '') ?? /^\s*(\d+)/.exec(value ?? '') ?? []
  return rest === undefined ? undefined : Number(rest)
}
