import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpOperation } from '../../model/api.js'
import { own } from '../../runtime/checks.js'
import type { Poll } from '../../runtime/operation.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { headerOf } from '../../runtime/wire/headers.js'
import { jsonOf } from '../../text/json-text.js'
import type { Exchange, ReceivedResponse, Sent } from '../../traffic/exchange.js'
import type { Session } from '../case.js'
import { isAccepted, isOfMissing } from '../outcome.js'
import { valueIn } from '../responses/read.js'
import type { Rule } from '../rule.js'
import { linkValues } from './links.js'

/** Rules for polling a record until its state is final. */
export const POLL_RULES: readonly Rule[] = [
  {
    id: 'state-moved-back',
    level: 'error',
    purpose: 'A polled state only moves forward.',
    clause: 'x-poll.order',
    checks: ['H30'],
  },
  {
    id: 'terminal-state-changes',
    level: 'error',
    purpose: 'A terminal state does not change.',
    clause: 'x-poll.terminal',
    checks: ['H30'],
  },
  {
    id: 'polled-record-wrong',
    level: 'error',
    purpose: 'A record always has the identifier that was requested.',
    clause: 'OpenAPI, links; x-poll',
    checks: ['H30'],
  },
  {
    id: 'unfinished-state-cacheable',
    level: 'warning',
    purpose:
      'A response that may still change prevents caches from storing it, or from using it without revalidation.',
    clause: 'RFC 9111, 4.2.2 and 5.2.2',
    checks: ['H44'],
  },
]

/** Polls a record until its state is terminal, then twice more, and reports errors in the sequence of its states. */
export const pollToEnd = async (
  session: Session,
  operation: PollOperation,
  sent: Sent,
  identifiers: Readonly<Record<string, unknown>>,
): Promise<Polled> => {
  const { poll } = operation
  const seen: Seen[] = []
  const began = session.now()
  const end = (how: 'terminal' | 'time', gone?: Exchange): Polled => {
    const { exchange, state } = seen.at(-1) as Seen
    const report: Report = (rule, about, words) =>
      session.report(rule, about, { ...words, operation })
    reportOrder(session.api, operation, seen, report)
    const records = seen.map(({ exchange }) => ({
      exchange,
      record: recordOf(session, operation, exchange) ?? {},
    }))
    reportIdentity(records, identifiers, report)
    reportStoring(operation, seen, report)
    if (gone !== undefined) {
      const isOver = poll.terminal.includes(state)
      report(isOver ? 'terminal-state-changes' : 'state-moved-back', gone, {
        message: `got the status ${gone.answer?.status} after its state was ${state}`,
        expected: isOver ? `${state}, each time` : `${state}, or a later state`,
      })
    }
    return { end: how, last: exchange, state }
  }
  for (let pause = 100; ; pause = Math.min(pause * 1.6, 3_000)) {
    const exchange = await session.ask(sent)
    const state = stateOf(session, operation, exchange)
    if (state !== undefined) seen.push({ exchange, state })
    else if (seen.length > 0 && isLost(exchange)) return end('time', exchange)
    if (state !== undefined && poll.terminal.includes(state)) break
    const isSeen = seen.length > 0
    if (session.now() - began > (isSeen ? LONGEST : LONGEST_UNSEEN))
      return isSeen ? end('time') : { end: 'never there', last: exchange, state: '' }
    await session.sleep(pause)
  }
  for (let more = 0; more < 2; more++) {
    const exchange = await session.ask(sent)
    const state = stateOf(session, operation, exchange)
    if (state !== undefined) seen.push({ exchange, state })
    else if (isLost(exchange)) return end('terminal', exchange)
  }
  return end('terminal')
}

export type PollOperation = HttpOperation & { readonly poll: Poll }

type Report = Session['report']

export type Polled = {
  readonly end: 'terminal' | 'time' | 'never there'
  readonly last: Exchange
  readonly state: string
}

/** Milliseconds. Processing takes time; a record whose identifier was just returned must be found sooner. */
const LONGEST = 30_000
const LONGEST_UNSEEN = 8_000

type Seen = { readonly exchange: Exchange; readonly state: string }

/** The object in the body of a success; undefined if there is none. */
const recordOf = (
  session: Session,
  operation: HttpOperation,
  exchange: Exchange,
): Readonly<Record<string, unknown>> | undefined => {
  if (!isAccepted(exchange, operation, session)) return undefined
  const value = valueIn(exchange.answer)
  return isObject(value) ? value : undefined
}

/** The text of the polled state; undefined if the response has none. */
export const stateOf = (
  session: Session,
  operation: PollOperation,
  exchange: Exchange,
): string | undefined => {
  const state = own(recordOf(session, operation, exchange) ?? {}, operation.poll.field)
  if (state === undefined || state === null) return undefined
  return typeof state === 'string' ? state : jsonOf(state)
}

/** Whether the record is gone, and not merely unavailable for a moment. */
const isLost = ({ answer }: Exchange): boolean => isOfMissing(answer?.status ?? 0)

const reportOrder = (
  api: Api,
  operation: PollOperation,
  seen: readonly Seen[],
  report: Report,
): void => {
  const { field, order, terminal } = operation.poll
  for (const [at, { exchange, state }] of seen.slice(1).entries()) {
    const before = seen[at] as Seen
    const [from, to] = [order.indexOf(before.state), order.indexOf(state)]
    if (terminal.includes(before.state)) {
      const then = linkValues(api, operation, before.exchange)
      const isSame = isDeepStrictEqual(then, linkValues(api, operation, exchange))
      if (state === before.state && isSame) continue
      const what =
        state === before.state ? 'its linked values changed' : `it was ${JSON.stringify(state)}`
      report('terminal-state-changes', exchange, {
        message: `${field} was ${JSON.stringify(before.state)}, which is final, but then ${what}`,
        expected: `${before.state}, each time`,
      })
    } else if (from >= 0 && to >= 0 && to < from)
      report('state-moved-back', exchange, {
        message: `${field} went back from ${before.state} to ${state}`,
        expected: `${before.state}, or what comes after it: ${order.join(', ')}`,
      })
  }
}

/** UUIDs are compared without regard to case. */
const reportIdentity = (
  records: readonly { readonly exchange: Exchange; readonly record: object }[],
  identifiers: Readonly<Record<string, unknown>>,
  report: Report,
): void => {
  const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number'
  const plain = (value: string | number) => String(value).toLowerCase()
  for (const { exchange, record } of records)
    for (const [id, wanted] of Object.entries(identifiers)) {
      const name = id.replace(/^(?:path|query)\./, '')
      const value = own(record, name)
      if (!isText(value) || !isText(wanted) || plain(value) === plain(wanted)) continue
      report('polled-record-wrong', exchange, {
        message: `${name} is ${JSON.stringify(value)}, but ${JSON.stringify(wanted)} was requested`,
        expected: JSON.stringify(wanted),
        aspect: name,
      })
    }
}

const reportStoring = ({ poll }: PollOperation, seen: readonly Seen[], report: Report): void => {
  for (const { exchange, state } of seen) {
    const { answer } = exchange
    const cacheControl = answer && headerOf(answer.headers, 'cache-control')
    if (poll.terminal.includes(state)) continue
    if (/\bno-store\b|\bno-cache\b|\bmax-age=0\b/i.test(cacheControl ?? '')) continue
    const hasAge = /\b(?:max-age|s-maxage)=/i.test(cacheControl ?? '')
    if (answer && !hasAge && isExpired(answer)) continue
    report('unfinished-state-cacheable', exchange, {
      message: `the response with the state ${state} has ${cacheControl === undefined ? 'no Cache-Control' : `Cache-Control: ${cacheControl}`}`,
      expected: 'Cache-Control: no-store, or no-cache',
    })
  }
}

/** RFC 9111, 5.3: an invalid date, especially 0, is in the past. */
const isExpired = (answer: ReceivedResponse): boolean => {
  const [expires, date] = ['expires', 'date'].map((name) => headerOf(answer.headers, name))
  if (expires === undefined) return false
  const isDate = /[a-z]/i.test(expires) && !Number.isNaN(Date.parse(expires))
  return !isDate || Date.parse(expires) <= Date.parse(date ?? '')
}
