/** The time for the outbox; a test passes its own. */
export type OutboxClock = {
  /** Milliseconds since any point in time. */
  readonly now: () => number
  /** Runs once, `milliseconds` later; the returned function cancels it. */
  readonly after: (milliseconds: number, run: () => void) => () => void
}

export const machineClock: OutboxClock = {
  now: () => performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** Wakes a loop that sleeps. A wake while nothing waits is kept for the next wait. */
export type Wakeup = {
  readonly wake: () => void
  /** True if it was woken, false if `milliseconds` passed first; without `milliseconds`, it waits until it is woken. */
  readonly wait: (milliseconds?: number) => Promise<boolean>
}

export function createWakeup(clock: OutboxClock): Wakeup {
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

/** Pauses double from 250 ms to 30 s; half of each is random, so that simultaneous failures are not retried simultaneously. */
export function retryPause(attempts: number, random: () => number): number {
  const full = Math.min(30_000, 250 * 2 ** Math.min(attempts - 1, 20))
  return full * (0.5 + random() / 2)
}

/** Milliseconds. */
export type Timings = {
  /** How long a wallet stays with a process that no longer renews its lease; by the store's clock. */
  readonly lease: number
  /** How often a process looks for wallets for which no process sends. */
  readonly poll: number
  /** How often it looks for submissions that other processes stored for its wallets. */
  readonly refill: number
  /** How long it keeps a wallet that has nothing to send. */
  readonly linger: number
  /** How long it keeps a wallet that has something to send, while others wait for their turn. */
  readonly turn: number
  /** How often it looks up submissions of other processes for which callers wait. */
  readonly lookUp: number
  /** How long a node may report a nonce as mined without returning the receipt. */
  readonly grace: number
  /** How long a wallet's transactions may make no progress before the node is queried for them. */
  readonly stall: number
  /** How often an idle process requests the block number, to detect reorgs. */
  readonly idle: number
  /** How often all wallets are compared with the chain: blocks that only another, stopped process saw may have been replaced. */
  readonly recheck: number
  /** How soon after sending a transaction its receipt is requested. */
  readonly soonest: number
  /** The shortest and the longest time between two checks, so that under load each finds many receipts. */
  readonly shortest: number
  readonly latest: number
  /** The time after which an apparent reorg is checked again. */
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
  recheck: 300_000,
  soonest: 3,
  shortest: 15,
  latest: 1_000,
  confirm: 250,
}
