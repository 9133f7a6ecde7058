import type { Exchange, ReceivedResponse, Sent } from '../../traffic/exchange.js'
import { CaseStopped } from '../case.js'
import { retryAfter } from './exchange.js'

/**
 * Watches what the server rejects with 429. A limit is an operation's own if other operations get responses during its pause.
 * The cases of that operation are stopped, and only a limit of the whole server is waited for.
 */
export const watchRateLimits = ({ operationOf, now }: Watching): RateLimits => {
  const limited = new Map<string, Limit>()
  const nameOf = (sent: Sent) => operationOf(sent) ?? `${sent.method} ${sent.url}`
  let isLastPass = false
  const isPaused = ({ until }: Limit): boolean => now() < until
  const stopOf = ({ reason }: Limit, exchange?: Exchange): CaseStopped =>
    new CaseStopped({ kind: 'operation limited', message: reason, exchange })
  return {
    stopBefore: (sent) => {
      // Most servers have no limit, so most requests are not parsed here.
      const limit = limited.size === 0 ? undefined : limited.get(nameOf(sent))
      const isStopped = limit && isPaused(limit) && (limit.isOwn || !isLastPass)
      return isStopped ? stopOf(limit) : undefined
    },
    stopAfter: (exchange, answer, mayWait) => {
      const name = nameOf(exchange.sent)
      const known = limited.get(name)
      const pause = pauseAfter(answer)
      if (mayWait && known === undefined && pause <= SHORT) return undefined
      const { reason = reasonOf(answer), isOwn = false } = known ?? {}
      const limit = { reason, isOwn, until: now() + pause }
      limited.set(name, limit)
      const isWide = [...limited.values()].filter((one) => !one.isOwn).length > MOST_STOPPED
      return isOwn || !(isWide || isLastPass) ? stopOf(limit, exchange) : undefined
    },
    noteResponse: ({ sent }, hasWaited) => {
      if (limited.size === 0) return
      limited.delete(nameOf(sent))
      // A limit of all operations need not be one of other addresses.
      if (operationOf(sent) === undefined) return
      for (const [name, limit] of limited) {
        // After a pause of the server, the limits of all operations are over.
        if (hasWaited && !limit.isOwn) limited.delete(name)
        else if (isPaused(limit)) limited.set(name, { ...limit, isOwn: true })
      }
    },
    startLastPass: () => {
      isLastPass = true
    },
  }
}

type Watching = {
  /** The name of the operation of a request. */
  readonly operationOf: (sent: Sent) => string | undefined
  readonly now: () => number
}

export type RateLimits = {
  /** Why a request is not sent: its operation is paused. */
  readonly stopBefore: (sent: Sent) => CaseStopped | undefined
  /**
   * Why a case stops after a 429 response; undefined if the run waits, because the limit is that of the server. `mayWait`: the
   * request was not repeated too often, so a short pause is waited for once.
   */
  readonly stopAfter: (
    exchange: Exchange,
    answer: ReceivedResponse,
    mayWait: boolean,
  ) => CaseStopped | undefined
  /** Notes a response that is not 429. `hasWaited`: it came after a pause. */
  readonly noteResponse: (exchange: Exchange, hasWaited: boolean) => void
  /** From now on only stopped cases run: during a pause, nothing else can be tested. */
  readonly startLastPass: () => void
}

type Limit = {
  /** The first response in words, the same for all cases of an operation. */
  readonly reason: string
  /** The value of `now` at the end of its pause. */
  readonly until: number
  /** Other operations got responses during its pause. */
  readonly isOwn: boolean
}

/** With more limited operations, the limit is taken for that of the server. */
const MOST_STOPPED = 2

/** Milliseconds that one operation may delay the others. */
const SHORT = 5_000

/** Milliseconds to wait before a retry after 429. */
export const pauseAfter = (answer: ReceivedResponse): number =>
  1_000 * Math.min(Math.max(retryAfter(answer).seconds ?? 5, 1), 61)

const reasonOf = (answer: ReceivedResponse): string => {
  const { text } = retryAfter(answer)
  const header = text === undefined ? 'without Retry-After' : `with Retry-After: ${text}`
  return `its own rate limit was exhausted (429 ${header}), while other operations responded`
}
