/**
 * One timer for everything that waits until a time of its own: nothing is started and stopped for what is over in time.
 * Times are those of `performance.now()`, which no change of the clock moves.
 */
export const createAlarm = <T>(ring: (one: T) => void): Alarm<T> => {
  const waiting = new Map<T, number>()
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
    for (const [one, at] of [...waiting]) {
      if (at > now) arm(at)
      else if (waiting.delete(one)) ring(one)
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
      // A timer that nobody waits for would keep the process.
      if (waiting.delete(one) && waiting.size === 0) disarm()
    },
  }
}

export type Alarm<T> = {
  /** Rings after so many milliseconds, never where that is Infinity. */
  readonly set: (one: T, milliseconds: number) => void
  readonly clear: (one: T) => void
}
