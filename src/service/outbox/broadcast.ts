import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createGroup, createLimit } from '../group.js'
import type { Chain } from '../node/chain.js'
import type { Wallets } from '../wallet/wallets.js'
import { createCircuit } from './circuit.js'
import { createWakeup, type OutboxClock, type Timings, type Wakeup } from './clock.js'
import type { Stored } from './enqueue.js'
import type { Leases } from './leases.js'
import type { Ledger, LedgerPage, Request } from './ledger.js'
import type { Settled } from './outbox.js'
import { causeText } from './stream.js'
import { clearMissing, type WorkerContext } from './wallet-worker.js'
import { createWalletWorkers, type WalletWorkers } from './wallet-workers.js'
import { createWatch } from './watch.js'

/**
 * Sends stored submissions: starts the workers of this process's wallets, the watch over sent transactions and the reorg watch.
 */
export function createBroadcast(options: BroadcastOptions): Broadcast {
  const { clock, leases, ledger, log, mostWallets: most = 256, timings } = options
  const watchWakeup = createWakeup(clock)
  const takeWakeup = createWakeup(clock)
  let stopped = false

  const circuit = createCircuit({
    ...options,
    onReturn: () => {
      reorgs.suspect()
      // A restarted node has lost its pool.
      for (const worker of workers.list()) {
        worker.movedAt = clock.now() - worker.patience
        // While the node was away, missing receipts were not requested.
        for (const item of worker.items) clearMissing(item)
      }
      watchWakeup.wake()
    },
  })
  const context: WorkerContext = {
    ...options,
    circuit,
    loads: createGroup<Request, LedgerPage>(ledger.load, { atMost: most }),
    marks: createGroup<string, void>(
      async (queueIds) => {
        await ledger.mark(queueIds)
        return queueIds.map(() => undefined)
      },
      { atMost: 1_024 },
    ),
    linger: () => (workers.isCrowded() ? 0 : timings.linger),
    sending: createLimit(SENDS),
    wakeWatch: watchWakeup.wake,
    suspectReorg: () => reorgs.suspect(),
  }
  const workers = createWalletWorkers({ context, leases, most, wakeup: takeWakeup })
  const reorgs = createReorgWatch({ ...options, workers })

  const every = (milliseconds: number, run: () => Promise<void>, wakeup: Wakeup) => {
    const loop = async () => {
      while (!stopped) {
        try {
          await run()
        } catch (error) {
          log.debug({ reason: causeText(error) }, 'done later')
        }
        for (const worker of workers.list()) if (clock.now() >= worker.until) worker.wakeup.wake()
        if (!stopped) await wakeup.wait(milliseconds)
        // An embedded store responds within one turn of the event loop: repeated wakeups must not delay timers.
        await setImmediate()
      }
    }
    const done = loop()
    return () => {
      wakeup.wake()
      return done
    }
  }
  const lookForReorgs = async () => {
    if (!circuit.isAway()) await reorgs.look()
  }
  const loops = [
    every(timings.poll, workers.takeWaiting, takeWakeup),
    every(timings.poll, lookForReorgs, createWakeup(clock)),
    every(timings.recheck, async () => reorgs.suspect(), createWakeup(clock)),
    every(timings.refill, workers.refill, createWakeup(clock)),
    every(timings.lease / 3, workers.renew, createWakeup(clock)),
  ]
  const watch = createWatch({
    context,
    workers: workers.list,
    wakeup: watchWakeup,
    onReorg: () => {
      reorgs.suspect()
      for (const { wallet } of workers.list()) workers.reload(wallet)
    },
  })

  return {
    enqueue: workers.enqueue,
    stop: async () => {
      stopped = true
      circuit.stop()
      workers.end()
      await Promise.all([watch.stop(), ...loops.map((end) => end())])
      await workers.idle()
    },
  }
}

/** The number of transactions that are sent to the node at a time. */
const SENDS = 32

type BroadcastOptions = {
  readonly chain: Chain
  readonly wallets: Wallets
  readonly ledger: Ledger
  readonly leases: Leases
  readonly clock: OutboxClock
  readonly random: () => number
  readonly timings: Timings
  readonly log: Logger
  readonly onSettled: (queueId: string, settled: Settled) => void
  /** The number of wallets for which one process sends at a time, each with at most a window of transactions. */
  readonly mostWallets?: number | undefined
}

type Broadcast = {
  /** Passes stored submissions of this process to the workers directly. */
  readonly enqueue: (stored: readonly Stored[]) => void
  /** Finishes transactions that are being sent, and releases the wallets. */
  readonly stop: () => Promise<void>
}

/**
 * Finds the wallets whose transactions the chain has lost; their workers determine what to send again. Wallets
 * without a worker are requested until they have one. There may be no free worker, and wallets of a killed process
 * become free only when its leases end.
 */
function createReorgWatch({ chain, wallets, ledger, workers }: ReorgWatchOptions): ReorgWatch {
  let suspected = true
  /** Wallets for which the chain has fewer transactions than the store, with their nonces in the store, until a worker has seen that. */
  let behind: ReadonlyMap<number, number> = new Map()

  const find = async (among: ReadonlyMap<number, number>) => {
    const lower = new Map<number, number>()
    const spent = [...among]
    for (let at = 0; at < spent.length; at += BATCH) {
      await Promise.all(
        spent.slice(at, at + BATCH).map(async ([wallet, nonce]) => {
          const { address } = wallets.wallet(wallet)
          if ((await chain.nonce(address, 'latest')) < nonce) lower.set(wallet, nonce)
        }),
      )
    }
    return lower
  }

  return {
    suspect: () => {
      suspected = true
    },
    look: async () => {
      if (!suspected && behind.size === 0) return
      const all = suspected
      suspected = false
      try {
        const lower = await find(all ? await ledger.spent() : behind)
        if (all) for (const wallet of lower.keys()) workers.reload(wallet)
        behind = new Map([...lower].filter(([wallet]) => !workers.hasCompared(wallet)))
      } catch (error) {
        suspected ||= all
        throw error
      }
      workers.require([...behind.keys()])
    },
  }
}

/** The number of calls in one request. */
const BATCH = 40

type ReorgWatchOptions = {
  readonly chain: Chain
  readonly wallets: Wallets
  readonly ledger: Ledger
  readonly workers: WalletWorkers
}

type ReorgWatch = {
  /** The chain may have lost blocks: the next check is for all wallets. */
  readonly suspect: () => void
  readonly look: () => Promise<void>
}
