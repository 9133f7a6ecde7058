import type { Case, Complaint, Plan, Session } from '../case.js'
import { complaintsOf, ruleRows } from '../rule.js'
import { linkValues } from '../state/links.js'
import { type Exchange, headerOf } from '../wire/exchange.js'
import { controlOf, describeExchange, isNamed, outcomeOf, shutOut } from './outcome.js'
import type { Subject } from './subject.js'

/** Rate limits, and many writes at the same time. */
export const DISRUPTIVE_RULES = ruleRows([
  {
    id: 'rate-limit-not-explained',
    level: 'warning',
    purpose: 'A response with 429 says when to retry.',
    clause: 'RFC 6585, 4',
    checks: ['H38'],
  },
  {
    id: 'rate-limit-counter-wrong',
    level: 'warning',
    purpose: 'What is left of a limit grows no larger while it is used up.',
    clause: 'draft-ietf-httpapi-ratelimit-headers',
    checks: ['H38'],
  },
  {
    id: 'concurrent-writes-mixed-up',
    level: 'warning',
    purpose: 'Each of many writes at the same time is known by a name of its own.',
    clause: 'OpenAPI, links',
    checks: ['H45'],
  },
  {
    id: 'concurrent-writes-server-error',
    level: 'warning',
    purpose: 'Many writes at the same time are answered as one is, or asked to come later.',
    clause: 'RFC 9110, 15.6',
    checks: ['H45'],
  },
])

const complain = complaintsOf(DISRUPTIVE_RULES)

/** What other callers of a server would notice: its limit, and many writes at the same time. */
export const disruptiveCases = (plan: Plan, subjects: readonly Subject[]): readonly Case[] => [
  ...subjects.flatMap((subject) => atOnce(plan, subject)),
  ...subjects.flatMap((subject) => limitOf(plan, subject)),
]

/** H45. */
const atOnce = ({ api }: Plan, subject: Subject): readonly Case[] => {
  const { operation } = subject
  if (operation.idempotent || operation.links.length === 0) return []
  const [{ sent }] = subject.shown
  const name = `${operation.id}, ${WRITES} at once`
  return [
    {
      name,
      operation,
      cost: WRITES + 1,
      weight: 'protocol',
      isDisruptive: true,
      needsState: true,
      run: async (session) => {
        const control = await controlOf(session, sent)
        if (outcomeOf(session, operation, control) !== 'taken') {
          session.skip(name, shutOut(control) ?? 'the request that the documents show is refused')
          return []
        }
        await session.take(WRITES)
        const all = await Promise.all(
          Array.from({ length: WRITES }, () => session.wire(sent, { milliseconds: 60_000 })),
        )
        return [
          ...all.flatMap((one) => session.judge(one)),
          ...all.flatMap((one) => judgeOne(session, subject, one)),
          ...judgeNames(api, subject, all),
        ]
      },
    },
  ]
}

const WRITES = 50

const atOnceOf = (exchange: Exchange): Exchange => ({
  ...exchange,
  beside: `${WRITES} times at once`,
})

const judgeOne = (
  session: Session,
  { operation }: Subject,
  exchange: Exchange,
): readonly Complaint[] => {
  const outcome = outcomeOf(session, operation, exchange)
  if (outcome !== 'broken' && outcome !== 'none' && outcome !== 'refused') return []
  return [
    complain('concurrent-writes-server-error', operation, atOnceOf(exchange), {
      message: `one of ${WRITES} writes at once ${describeExchange(exchange)}, and alone it is taken`,
      expected: 'an answer of 2xx, or 429 or 503',
      aspect: String(exchange.answer?.status ?? 'none'),
    }),
  ]
}

const judgeNames = (
  api: Plan['api'],
  { operation }: Subject,
  all: readonly Exchange[],
): readonly Complaint[] => {
  const seen = new Set<string>()
  for (const exchange of all) {
    for (const { key, value } of linkValues(api, operation, exchange)) {
      const name = `${key} ${JSON.stringify(value)}`
      if (!seen.has(name)) seen.add(name)
      else
        return [
          complain('concurrent-writes-mixed-up', operation, atOnceOf(exchange), {
            message: `two of ${WRITES} writes at once were both answered ${name}`,
            expected: 'another name for each',
          }),
        ]
    }
  }
  return []
}

/** H38. */
const limitOf = ({ api }: Plan, { operation, shown }: Subject): readonly Case[] => {
  const limit = operation.limits.requestsPerMinute ?? api.http?.limits.requestsPerMinute
  if (limit === undefined && !isNamed(operation, 429)) return []
  const most = Math.min(limit === undefined ? 400 : limit + 50, 2_000)
  const name = `${operation.id}, more often than is allowed`
  const { json, sent: whole } = shown[0]
  // A limit counts what is refused too, and nothing has to be done for that.
  const sent = json ? { ...whole, body: '{' } : whole
  return [
    {
      name,
      operation,
      cost: 0,
      weight: 'protocol',
      isDisruptive: true,
      needsState: true,
      run: async (session) => {
        const complaints: Complaint[] = []
        let left: number | undefined
        for (let count = 0; count < most && !session.signal.aborted; count++) {
          const exchange = await session.wire(sent, {
            milliseconds: 10_000,
            signal: session.signal,
          })
          const { answer } = exchange
          if (!answer) {
            session.skip(name, `request ${count + 1} ${describeExchange(exchange)}`)
            return complaints
          }
          const rest = restOf(headerOf(answer, 'ratelimit'))
          if (rest !== undefined && left !== undefined && rest > left && count < most / 2)
            complaints.push(
              complain('rate-limit-counter-wrong', operation, exchange, {
                message: `RateLimit named ${rest} left after it had named ${left}`,
                expected: `at most ${left}`,
              }),
            )
          left = rest ?? left
          if (answer.status !== 429) continue
          complaints.push(...session.judge(exchange), ...judgeRetry(operation, exchange))
          const seconds = Number(headerOf(answer, 'retry-after'))
          await session.sleep(1_000 * (Number.isFinite(seconds) ? Math.min(seconds, 61) : 10))
          return complaints
        }
        const why = session.signal.aborted
          ? 'the run was ended'
          : `no limit was met in ${most} requests`
        session.skip(name, why)
        return complaints
      },
    },
  ]
}

const judgeRetry = (operation: Subject['operation'], exchange: Exchange): readonly Complaint[] => {
  const answer = exchange.answer
  const after = answer && headerOf(answer, 'retry-after')
  const isRight = after !== undefined && (/^\d+$/.test(after) || !Number.isNaN(Date.parse(after)))
  if (isRight) return []
  return [
    complain('rate-limit-not-explained', operation, exchange, {
      message: `429 came ${after === undefined ? 'without Retry-After' : `with Retry-After: ${after}`}`,
      expected: 'Retry-After with seconds, or a date',
    }),
  ]
}

/** `"default";r=12;t=7`, and 12 in the older drafts. */
const restOf = (value: string | undefined): number | undefined => {
  const [, rest] = /(?:^|;\s*)r=(\d+)/.exec(value ?? '') ?? /^\s*(\d+)/.exec(value ?? '') ?? []
  return rest === undefined ? undefined : Number(rest)
}
