/**
 * One timer for everything that waits until a time of its own: nothing is started and stopped for what is over in time.
 * Times are those of `performance.now()`, which no change of the clock moves.
 */
export const createAlarm = (): Alarm => {
  const waiting = new Map<Ring, number>()
  let due = Number.POSITIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  const arm = (at: number): void => {
    if (at >= due) return
    clearTimeout(timer)
    due = at
    // A longer delay than 2^31 - 1 fires at once.
    timer = setTimeout(ring, Math.min(Math.max(at - performance.now(), 0), 0x7fffffff))
  }
  const ring = (): void => {
    due = Number.POSITIVE_INFINITY
    const now = performance.now()
    for (const [one, at] of [...waiting]) {
      if (at > now) arm(at)
      else {
        waiting.delete(one)
        one()
      }
    }
  }

  return {
    set: (one, milliseconds) => {
      if (milliseconds === Number.POSITIVE_INFINITY) return
      const at = performance.now() + milliseconds
      waiting.set(one, at)
      arm(at)
    },
    clear: (one) => {
      if (!waiting.delete(one) || waiting.size > 0) return
      // A timer that nobody waits for would keep the process.
      clearTimeout(timer)
      due = Number.POSITIVE_INFINITY
    },
  }
}

export type Alarm = {
  /** Calls after so many milliseconds, never where that is Infinity. */
  readonly set: (ring: Ring, milliseconds: number) => void
  readonly clear: (ring: Ring) => void
}

type Ring = () => void
