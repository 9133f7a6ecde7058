/**
 * Lets through as many requests a minute as are allowed, spread over the minute only where they must be: a burst first, then
 * as the minute behind frees places. Every minute in which a server may count holds no more.
 */
export const createPace = (perMinute: number | undefined, { now, sleep, signal }: Clock): Pace => {
  const taken: { readonly at: number; readonly cost: number }[] = []
  let turn = Promise.resolve()
  const take = async (cost: number): Promise<void> => {
    if (perMinute === undefined) return
    const most = Math.max(perMinute, cost)
    // Who waits for nothing any more is let through: to look at the signal is the affair of whoever sends.
    while (!signal?.aborted) {
      while (taken[0] && now() - taken[0].at >= WINDOW) taken.shift()
      const sum = taken.reduce((total, one) => total + one.cost, 0)
      if (sum + cost <= most || taken.length === 0) break
      await sleep(Math.max(1, (taken[0]?.at ?? 0) + WINDOW - now()))
    }
    taken.push({ at: now(), cost })
  }
  return {
    take: (cost) => {
      turn = turn.then(() => take(cost))
      return turn
    },
    secondsFor: (requests) =>
      perMinute === undefined ? 0 : Math.floor(Math.max(0, requests - 1) / perMinute) * 60,
  }
}

type Clock = {
  readonly now: () => number
  /** Wakes at once where `signal` has ended the run. */
  readonly sleep: (milliseconds: number) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

export type Pace = {
  /** Resolves when so many requests may be sent. */
  readonly take: (cost: number) => Promise<void>
  /** How long so many requests wait in all, at least. */
  readonly secondsFor: (requests: number) => number
}

/** A minute, and what clocks and networks may differ by. */
const WINDOW = 61_000
