import type { PendingCall } from './call.js'

/**
 * One timer for all calls of a client: nothing is started and stopped for what is over in time. Calls `ring` for each
 * whose `ringsAt`, a time of `performance.now()`, which no change of the clock moves, has come.
 */
export const createTimeouts = (ring: (call: PendingCall) => void): Timeouts => {
  const waiting = new Set<PendingCall>()
  let due = Number.POSITIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  const disarm = (): void => {
    clearTimeout(timer)
    due = Number.POSITIVE_INFINITY
  }
  const arm = (at: number): void => {
    if (at >= due) return
    disarm()
    due = at
    // A longer delay than 2^31 - 1 fires at once.
    timer = setTimeout(look, Math.min(Math.max(at - performance.now(), 0), 0x7fffffff))
  }
  const look = (): void => {
    disarm()
    const now = performance.now()
    for (const call of waiting) {
      if (call.ringsAt > now) arm(call.ringsAt)
      else ring(call)
    }
  }

  return {
    add: (call) => {
      waiting.add(call)
      arm(call.ringsAt)
    },
    remove: (call) => {
      // A timer that nobody waits for would keep the process.
      if (waiting.delete(call) && waiting.size === 0) disarm()
    },
  }
}

export type Timeouts = {
  readonly add: (call: PendingCall) => void
  /** What is over rings no more. */
  readonly remove: (call: PendingCall) => void
}
