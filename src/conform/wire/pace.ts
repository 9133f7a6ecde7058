import type { Api } from '../../model/api.js'
import { CaseStopped, TIME_UP } from '../case.js'

/**
 * Limits the requests per minute. Half of them are sent at once, and the others are spread over the rest of the minute, so that
 * a run shows progress. No one-minute window exceeds the limit. A wait beyond the deadline rejects with CaseStopped.
 */
export const createPace = (
  perMinute: number | undefined,
  { now, sleep, signal, deadline = Number.POSITIVE_INFINITY }: Clock,
): Pace => {
  const recent: { readonly at: number; readonly cost: number }[] = []
  let isSpread = true
  let turn = Promise.resolve()
  const waitFor = (cost: number, limit: number): number => {
    while (recent[0] && now() - recent[0].at >= WINDOW) recent.shift()
    const [oldest] = recent
    const newest = recent.at(-1)
    if (!oldest || !newest) return 0
    const most = Math.max(limit, cost)
    const sum = recent.reduce((total, one) => total + one.cost, 0)
    const frees = oldest.at + WINDOW
    if (sum + cost > most) return Math.max(1, frees - now())
    if (!isSpread || sum < limit / 2) return 0
    const places = Math.max(1, most - sum)
    return Math.max(0, newest.at + (frees - newest.at) * (cost / (places + 1)) - now())
  }
  const take = async (cost: number): Promise<void> => {
    if (perMinute === undefined) return
    // After the run has ended there is no wait: the sender checks the signal.
    while (!signal?.aborted) {
      const wait = waitFor(cost, perMinute)
      if (wait < 1) break
      await sleep(Math.max(0, Math.min(wait, deadline - now())))
      if (!signal?.aborted && now() >= deadline) throw new CaseStopped(TIME_UP)
    }
    recent.push({ at: now(), cost })
  }
  const secondsFor = (requests: number): number =>
    perMinute === undefined ? 0 : Math.floor(Math.max(0, requests - 1) / perMinute) * 60
  return {
    take: (cost) => {
      const mine = turn.then(() => take(cost))
      turn = mine.catch(() => undefined)
      return mine
    },
    secondsFor,
    expect: (requests) => {
      isSpread = secondsFor(requests) > 0
    },
  }
}

type Clock = {
  readonly now: () => number
  /** Returns at once when `signal` has ended the run. */
  readonly sleep: (milliseconds: number) => Promise<void>
  readonly signal?: AbortSignal | undefined
  /** The value of `now` after which nothing waits. */
  readonly deadline?: number | undefined
}

export type Pace = {
  /** Resolves when this many requests may be sent. Rejects with CaseStopped. */
  readonly take: (cost: number) => Promise<void>
  /** The minimum time that this many requests take. */
  readonly secondsFor: (requests: number) => number
  /** Announces the number of requests: those that fit into one minute are not spread. */
  readonly expect: (requests: number) => void
}

/** A minute, and a margin for clocks and networks. */
const WINDOW = 61_000

/** The lowest rate that the documents declare. */
export const limitOf = (api: Api): number | undefined => {
  const limits = [api.http?.limits, api.rpc?.limits, ...api.operations.map((one) => one.limits)]
  const rates = limits.flatMap((one) => one?.requestsPerMinute ?? [])
  return rates.length === 0 ? undefined : Math.min(...rates)
}
