/** Time as the outbox sees it; a test brings its own. */
export type Clock = {
  /** Milliseconds since any moment. */
  readonly now: () => number
  /** Runs once, `milliseconds` later; what it answers calls it off. */
  readonly after: (milliseconds: number, run: () => void) => () => void
}

export const machineClock: Clock = {
  now: () => performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** What a loop sleeps by. A ring while nobody waits is kept for the next wait. */
export type Bell = {
  readonly ring: () => void
  /** True where it rang, false where `milliseconds` passed first; without them it waits for a ring. */
  readonly wait: (milliseconds?: number) => Promise<boolean>
}

export function createBell(clock: Clock): Bell {
  let rung = false
  let waiting: (() => void) | undefined
  return {
    ring: () => {
      rung = true
      waiting?.()
    },
    wait: (milliseconds) =>
      new Promise((resolve) => {
        let cancel: (() => void) | undefined
        const end = () => {
          cancel?.()
          waiting = undefined
          const rang = rung
          rung = false
          resolve(rang)
        }
        if (rung) return end()
        waiting = end
        if (milliseconds !== undefined) cancel = clock.after(milliseconds, end)
      }),
  }
}

/** Pauses double from 250 ms to 30 s; a random half of each keeps those who failed together from coming back together. */
export function pauseAfter(attempts: number, random: () => number): number {
  const full = Math.min(30_000, 250 * 2 ** Math.min(attempts - 1, 20))
  return full * (0.5 + random() / 2)
}
