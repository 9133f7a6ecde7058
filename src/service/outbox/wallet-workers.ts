import { createGroup } from '../group.js'
import type { Wakeup } from './clock.js'
import type { Stored } from './enqueue.js'
import type { Leases } from './leases.js'
import { causeText, runWorker } from './stream.js'
import {
  createWalletWorker,
  enqueue,
  type WalletWorker,
  type WorkerContext,
} from './wallet-worker.js'

/**
 * The wallets for which this process sends, each with a worker. Their number is limited: if more have work, those that were
 * held longest are released, and those that waited longest are taken.
 */
export function createWalletWorkers({
  context,
  leases,
  most,
  wakeup,
}: WalletWorkersOptions): WalletWorkers {
  const { clock, circuit, ledger, log, timings } = context
  const workers = new Map<number, WalletWorker>()
  const running = new Map<number, Promise<void>>()
  /** Wallets to take before all others, although they have no unfinished work. */
  let required: ReadonlySet<number> = new Set()
  /** Places reserved for a pending request to the store. */
  let reserved = 0
  let crowded = false
  let stopped = false

  const vacancies = () => (stopped ? 0 : Math.max(0, most - workers.size - reserved))

  const take = async (ask: (atMost: number) => Promise<readonly number[]>) => {
    const atMost = vacancies()
    if (atMost === 0) return
    reserved += atMost
    try {
      const until = clock.now() + timings.lease
      for (const wallet of await ask(atMost)) open(wallet, until)
    } finally {
      reserved -= atMost
    }
  }

  const open = (wallet: number, until: number) => {
    if (workers.has(wallet)) return
    const worker = createWalletWorker(wallet, until, context)
    worker.ended = stopped
    workers.set(wallet, worker)
    running.set(
      wallet,
      runWorker(worker, context).then(() => close(worker)),
    )
  }

  /** The worker stays in the list until the store has released its wallet, so that it is not taken meanwhile. */
  const close = async (worker: WalletWorker) => {
    if (clock.now() < worker.until) {
      await giving.ask(worker.wallet).catch((error: unknown) => {
        log.warn({ reason: causeText(error) }, 'a wallet stays taken until its lease ends')
      })
    }
    workers.delete(worker.wallet)
    running.delete(worker.wallet)
    if (crowded) wakeup.wake()
    else if (worker.missed) want(worker.wallet)
  }

  /** Takes a wallet; one that is being released is taken again afterwards. If others wait, it waits with them. */
  const want = (wallet: number) => {
    const worker = workers.get(wallet)
    if (worker) worker.missed = true
    else if (!crowded)
      taking
        .ask(wallet)
        .catch((error: unknown) => log.debug({ reason: causeText(error) }, 'taken later'))
  }

  const giving = createGroup<number, void>(
    async (wallets) => {
      await leases.giveBack(wallets)
      return wallets.map(() => undefined)
    },
    { atMost: most },
  )

  const taking = createGroup<number, void>(
    async (asked) => {
      const free = [...new Set(asked)].filter((wallet) => !workers.has(wallet))
      crowded ||= free.length > vacancies()
      if (free.length > 0) await take((atMost) => leases.take(free, atMost))
      return asked.map(() => undefined)
    },
    { atMost: 1_024 },
  )

  const end = (worker: WalletWorker) => {
    worker.ended = true
    worker.wakeup.wake()
  }

  const makeRoom = (wallets: number) => {
    const held = [...workers.values()]
    const since = clock.now() - timings.turn
    const spare = held
      .filter((worker) => !worker.ended && (isIdle(worker) || worker.startedAt <= since))
      .sort((a, b) => Number(isIdle(b)) - Number(isIdle(a)) || a.startedAt - b.startedAt)
    const coming = vacancies() + held.filter(({ ended }) => ended).length
    for (const worker of spare.slice(0, Math.max(0, wallets - coming))) end(worker)
  }

  return {
    list: () => [...workers.values()],
    isCrowded: () => crowded,
    enqueue: (stored) => {
      for (const one of stored) {
        const worker = workers.get(one.wallet)
        if (worker && !worker.ended) enqueue(worker, one)
        else want(one.wallet)
      }
    },
    reload: (wallet) => {
      const worker = workers.get(wallet)
      if (!worker || worker.ended) return
      worker.stale = true
      worker.wakeup.wake()
    },
    hasCompared: (wallet) => {
      const worker = workers.get(wallet)
      return worker !== undefined && !worker.ended && !worker.stale && !worker.reading
    },
    require: (wallets) => {
      required = new Set(wallets)
      if (required.size > 0) wakeup.wake()
    },
    takeWaiting: async () => {
      const lacking = [...required].filter((wallet) => !workers.has(wallet))
      if (lacking.length > 0) await take((atMost) => leases.take(lacking, atMost))
      // A wallet with a worker is not required any more: the worker finds its work. Otherwise, it
      // would be taken and released endlessly.
      required = new Set([...required].filter((wallet) => !workers.has(wallet)))
      await take((atMost) => leases.takeWaiting(atMost, [...workers.keys()]))
      const left = lacking.filter((wallet) => !workers.has(wallet)).length
      const waiting = vacancies() > 0 || stopped ? 0 : left + (await leases.countWaiting(most))
      crowded = waiting > 0
      if (crowded && !circuit.isAway()) makeRoom(waiting)
    },
    refill: async () => {
      if (workers.size === 0) return
      for (const [wallet, nextNonce] of await ledger.nextNonces([...workers.keys()])) {
        const worker = workers.get(wallet)
        if (!worker || worker.more || worker.reading || worker.stale || nextNonce <= worker.next)
          continue
        worker.more = true
        worker.wakeup.wake()
      }
    },
    renew: async () => {
      const held = [...workers.values()].filter(({ ended }) => !ended)
      if (held.length === 0) return
      const until = clock.now() + timings.lease
      const still = new Set(await leases.renew(held.map(({ wallet }) => wallet)))
      for (const worker of held) {
        if (still.has(worker.wallet)) worker.until = until
        else end(worker)
      }
    },
    end: () => {
      stopped = true
      for (const worker of workers.values()) end(worker)
    },
    idle: async () => {
      await taking.idle()
      await Promise.all(running.values())
      await giving.idle()
    },
  }
}

const isIdle = ({ items, more, stale, reading }: WalletWorker) =>
  items.length === 0 && !more && !stale && !reading

type WalletWorkersOptions = {
  readonly context: WorkerContext
  readonly leases: Leases
  /** The maximum number of held wallets. */
  readonly most: number
  /** Woken when `takeWaiting` is due. */
  readonly wakeup: Wakeup
}

export type WalletWorkers = {
  readonly list: () => readonly WalletWorker[]
  /** More wallets wait than there are free workers. */
  readonly isCrowded: () => boolean
  /** Passes stored submissions of this process to the workers directly. */
  readonly enqueue: (stored: readonly Stored[]) => void
  /** The wallet's worker, if there is one, compares the store with the chain again. */
  readonly reload: (wallet: number) => void
  /** False while the wallet has no worker, or one that has not yet compared the store with the chain. */
  readonly hasCompared: (wallet: number) => boolean
  /** Takes these wallets as soon as they are free, and drops those of the previous call. */
  readonly require: (wallets: readonly number[]) => void
  /** Takes wallets that wait, and releases others if more wait. */
  readonly takeWaiting: () => Promise<void>
  /** Makes the workers read the submissions that other processes stored for them. */
  readonly refill: () => Promise<void>
  readonly renew: () => Promise<void>
  /** The workers finish transactions that are being sent, and no more wallets are taken. */
  readonly end: () => void
  /** Resolves when all wallets are released; call it only after the last `takeWaiting`. */
  readonly idle: () => Promise<void>
}
