import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpOperation } from '../../model/api.js'
import type { Poll } from '../../runtime/operation.js'
import type { Complaint, Session } from '../case.js'
import { parseJson } from '../responses/read.js'
import { complaintsOf, ruleRows } from '../rule.js'
import { type Exchange, headerOf, type Sent, textOf } from '../wire/exchange.js'
import { linkValues } from './links.js'

/** A record that is polled until its state is final. */
export const POLL_RULES = ruleRows([
  {
    id: 'state-moved-back',
    level: 'error',
    purpose: 'A state that is polled only moves forward.',
    clause: 'x-poll.order',
    checks: ['H30'],
  },
  {
    id: 'terminal-state-changes',
    level: 'error',
    purpose: 'What has come to an end stays as it is.',
    clause: 'x-poll.terminal',
    checks: ['H30'],
  },
  {
    id: 'polled-record-wrong',
    level: 'error',
    purpose: 'A record bears the identifier that it was asked for by, each time.',
    clause: 'OpenAPI, links; x-poll',
    checks: ['H30'],
  },
  {
    id: 'unfinished-state-cacheable',
    level: 'warning',
    purpose:
      'An answer that may still change says that it must not be stored, or not without asking again.',
    clause: 'RFC 9111, 4.2.2 and 5.2.2',
    checks: ['H44'],
  },
])

const complain = complaintsOf(POLL_RULES)

/** Asks for a record until its state is terminal, then twice more. */
export const pollToEnd = async (
  session: Session,
  operation: HttpOperation & { readonly poll: Poll },
  sent: Sent,
  identifiers: Readonly<Record<string, unknown>>,
): Promise<Polled> => {
  const { poll } = operation
  const seen: Seen[] = []
  const began = session.now()
  const elapsed = () => session.now() - began
  for (let pause = 100; ; pause = Math.min(pause * 1.6, 3_000)) {
    const exchange = await session.ask(sent)
    const state = stateOf(exchange, poll)
    if (state !== undefined) seen.push({ exchange, state })
    else if (seen.length > 0 && isLost(exchange)) return reported('time', [lost(seen, exchange)])
    if (state !== undefined && poll.terminal.includes(state)) break
    if (elapsed() > (seen.length > 0 ? LONGEST : LONGEST_UNSEEN)) {
      const [last] = seen.slice(-1)
      return last
        ? reported('time')
        : { end: 'never there', last: exchange, state: '', complaints: [] }
    }
    await session.sleep(pause)
  }
  for (let more = 0; more < 2; more++) {
    const exchange = await session.ask(sent)
    const state = stateOf(exchange, poll)
    if (state !== undefined) seen.push({ exchange, state })
    else if (isLost(exchange)) return reported('terminal', [lost(seen, exchange)])
  }
  return reported('terminal')

  function reported(end: 'terminal' | 'time', more: readonly Complaint[] = []): Polled {
    const last = seen.at(-1) as Seen
    const complaints = [
      ...judgeOrder(session.api, operation, seen),
      ...judgeIdentity(operation, seen, identifiers),
      ...judgeStoring(operation, seen),
    ]
    return { end, last: last.exchange, state: last.state, complaints: [...complaints, ...more] }
  }

  function lost(seen: readonly Seen[], exchange: Exchange): Complaint {
    const last = seen.at(-1)?.state
    const isOver = last !== undefined && poll.terminal.includes(last)
    return complain(isOver ? 'terminal-state-changes' : 'state-moved-back', operation, exchange, {
      message: `was answered ${exchange.answer?.status} when it had been ${last}`,
      expected: isOver ? `${last}, each time` : `${last}, or a later state`,
    })
  }
}

export type Polled = {
  readonly end: 'terminal' | 'time' | 'never there'
  readonly last: Exchange
  readonly state: string
  readonly complaints: readonly Complaint[]
}

/** Milliseconds. Work takes its time; a record whose identifier was just returned is found sooner. */
const LONGEST = 30_000
const LONGEST_UNSEEN = 8_000

type Seen = { readonly exchange: Exchange; readonly state: string }

/** The object that a 2xx brought; undefined where it brought none. */
export const recordOf = ({ answer }: Exchange): Readonly<Record<string, unknown>> | undefined => {
  if (!answer || answer.status < 200 || answer.status >= 300) return undefined
  const value = parseJson(textOf(answer.body))?.value
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

const stateOf = (exchange: Exchange, { field }: Poll): string | undefined => {
  const state = recordOf(exchange)?.[field]
  return state === undefined || state === null ? undefined : String(state)
}

/** Said to be gone, and not merely away for a moment. */
const isLost = ({ answer }: Exchange): boolean => answer?.status === 404 || answer?.status === 410

const judgeOrder = (
  api: Api,
  operation: HttpOperation & { readonly poll: Poll },
  seen: readonly Seen[],
): readonly Complaint[] => {
  const { field, order, terminal } = operation.poll
  return seen.slice(1).flatMap(({ exchange, state }, at): readonly Complaint[] => {
    const before = seen[at] as Seen
    const [from, to] = [order.indexOf(before.state), order.indexOf(state)]
    if (terminal.includes(before.state)) {
      const then = linkValues(api, operation, before.exchange)
      const isSame = isDeepStrictEqual(then, linkValues(api, operation, exchange))
      if (state === before.state && isSame) return []
      const what =
        state === before.state ? 'another in what it leads to' : `${field} ${JSON.stringify(state)}`
      return [
        complain('terminal-state-changes', operation, exchange, {
          message: `${field} was ${JSON.stringify(before.state)}, which is final, and then came ${what}`,
          expected: `${before.state}, each time`,
        }),
      ]
    }
    if (from < 0 || to < 0 || to >= from) return []
    return [
      complain('state-moved-back', operation, exchange, {
        message: `${field} went back from ${before.state} to ${state}`,
        expected: `${before.state}, or what comes after it: ${order.join(', ')}`,
      }),
    ]
  })
}

/** UUIDs are the same in either letter case. */
const judgeIdentity = (
  operation: HttpOperation,
  seen: readonly Seen[],
  identifiers: Readonly<Record<string, unknown>>,
): readonly Complaint[] => {
  const plain = (value: unknown) => String(value).toLowerCase()
  return seen.flatMap(({ exchange }) =>
    Object.entries(identifiers).flatMap(([id, asked]): readonly Complaint[] => {
      const name = id.replace(/^(?:path|query)\./, '')
      const value = recordOf(exchange)?.[name]
      if (typeof value !== 'string' && typeof value !== 'number') return []
      if (plain(value) === plain(asked)) return []
      return [
        complain('polled-record-wrong', operation, exchange, {
          message: `${name} is ${JSON.stringify(value)}, and ${JSON.stringify(asked)} was asked for`,
          expected: JSON.stringify(asked),
          aspect: name,
        }),
      ]
    }),
  )
}

const judgeStoring = (
  operation: HttpOperation & { readonly poll: Poll },
  seen: readonly Seen[],
): readonly Complaint[] =>
  seen
    .filter(({ state }) => !operation.poll.terminal.includes(state))
    .flatMap(({ exchange, state }): readonly Complaint[] => {
      const said = exchange.answer && headerOf(exchange.answer, 'cache-control')
      if (/\bno-store\b|\bno-cache\b|\bmax-age=0\b/i.test(said ?? '')) return []
      return [
        complain('unfinished-state-cacheable', operation, exchange, {
          message: `${state} came ${said === undefined ? 'without Cache-Control' : `with Cache-Control: ${said}`}`,
          expected: 'Cache-Control: no-store, or no-cache',
        }),
      ]
    })
