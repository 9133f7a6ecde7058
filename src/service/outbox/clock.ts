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

/** Wakes a loop that sleeps. A wake while nothing waits is kept for the next wait. */
export type Wakeup = {
  readonly wake: () => void
  /** True where it was woken, false where `milliseconds` passed first; without them it waits until it is woken. */
  readonly wait: (milliseconds?: number) => Promise<boolean>
}

export function createWakeup(clock: Clock): Wakeup {
  let isWoken = false
  let waiting: (() => void) | undefined
  return {
    wake: () => {
      isWoken = true
      waiting?.()
    },
    wait: (milliseconds) =>
      new Promise((resolve) => {
        let cancel: (() => void) | undefined
        const end = () => {
          cancel?.()
          waiting = undefined
          const woken = isWoken
          isWoken = false
          resolve(woken)
        }
        if (isWoken) return end()
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

/** Milliseconds. */
export type Timings = {
  /** How long a wallet stays with a process that shows no more signs of life; by the store's clock. */
  readonly lease: number
  /** How often a process looks for wallets that nobody sends for. */
  readonly poll: number
  /** How often it looks for what other processes stored for the wallets that it holds. */
  readonly refill: number
  /** How long it keeps a wallet that has nothing to send. */
  readonly linger: number
  /** How long it keeps a wallet that has, where others wait for their turn. */
  readonly turn: number
  /** How often those who wait for other processes' submissions are looked up. */
  readonly lookUp: number
  /** How long a node may know that a nonce is mined and not by which transaction. */
  readonly grace: number
  /** How long a wallet's transactions may stand still before its node is asked whether it has them. */
  readonly stall: number
  /** How often an idle process asks for the block number, to see whether the chain went back. */
  readonly idle: number
  /** How soon after something was sent its receipt is looked for. */
  readonly soonest: number
  /** The shortest and the longest time between two looks, so that under load many are found by each. */
  readonly shortest: number
  readonly latest: number
  /** After which a chain that seems to have gone back is asked once more. */
  readonly confirm: number
}

export const usual: Timings = {
  lease: 10_000,
  poll: 500,
  refill: 100,
  linger: 2_000,
  turn: 3_000,
  lookUp: 100,
  grace: 3_000,
  stall: 5_000,
  idle: 2_000,
  soonest: 3,
  shortest: 15,
  latest: 1_000,
  confirm: 250,
}
