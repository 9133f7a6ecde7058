import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Chain } from '../node/chain.js'
import type { Wallets } from '../wallet/wallets.js'
import { createCircuit } from './circuit.js'
import { type Bell, type Clock, createBell } from './clock.js'
import type { Stored } from './enqueue.js'
import { createGroup } from './group.js'
import type { Leases } from './leases.js'
import type { Ledger, Page, Request } from './ledger.js'
import { createLimit } from './limit.js'
import type { Settled } from './outbox.js'
import { createReorgWatch } from './reorg.js'
import { messageOf } from './stream.js'
import type { Timings } from './timings.js'
import { clearMissing, type WorkerContext } from './wallet-worker.js'
import { createWalletWorkers } from './wallet-workers.js'
import { createWatch } from './watch.js'

/** Sends what is stored: sets going the lanes of this process's wallets, the watch over what they sent, and the look for setbacks. */
export function createBroadcast(options: BroadcastOptions): Broadcast {
  const { clock, leases, ledger, log, mostWallets: most = 256, timings } = options
  const watchBell = createBell(clock)
  const takeBell = createBell(clock)
  let stopped = false

  const circuit = createCircuit({
    ...options,
    onReturn: () => {
      setbacks.suspect()
      // A node that was started anew has forgotten its pool.
      for (const lane of lanes.list()) {
        lane.movedAt = clock.now() - lane.patience
        // What was missed while it was away was not looked for.
        for (const item of lane.items) clearMissing(item)
      }
      watchBell.ring()
    },
  })
  const shop: WorkerContext = {
    ...options,
    circuit,
    loads: createGroup<Request, Page>(ledger.load, { atMost: most }),
    marks: createGroup<string, void>(
      async (queueIds) => {
        await ledger.mark(queueIds)
        return queueIds.map(() => undefined)
      },
      { atMost: 1_024 },
    ),
    linger: () => (lanes.isCrowded() ? 0 : timings.linger),
    sending: createLimit(SENDS),
    wakeWatch: watchBell.ring,
    suspectSetback: () => setbacks.suspect(),
  }
  const lanes = createWalletWorkers({ shop, leases, most, bell: takeBell })
  const setbacks = createReorgWatch({ ...options, lanes })

  const every = (milliseconds: number, run: () => Promise<void>, bell: Bell) => {
    const loop = async () => {
      while (!stopped) {
        try {
          await run()
        } catch (error) {
          log.debug({ reason: messageOf(error) }, 'done later')
        }
        for (const lane of lanes.list()) if (clock.now() >= lane.until) lane.bell.ring()
        if (!stopped) await bell.wait(milliseconds)
        // An embedded store answers without a turn of the event loop: a bell that rings at once must not hold up the clocks.
        await setImmediate()
      }
    }
    const done = loop()
    return () => {
      bell.ring()
      return done
    }
  }
  const lookForSetbacks = async () => {
    if (!circuit.isAway()) await setbacks.look()
  }
  const loops = [
    every(timings.poll, lanes.takeWaiting, takeBell),
    every(timings.poll, lookForSetbacks, createBell(clock)),
    every(timings.refill, lanes.refill, createBell(clock)),
    every(timings.lease / 3, lanes.renew, createBell(clock)),
  ]
  const watch = createWatch({
    shop,
    lanes: lanes.list,
    bell: watchBell,
    onSetback: () => {
      setbacks.suspect()
      for (const { wallet } of lanes.list()) lanes.readAnew(wallet)
    },
  })

  return {
    handOver: lanes.handOver,
    stop: async () => {
      stopped = true
      circuit.stop()
      lanes.end()
      await Promise.all([watch.stop(), ...loops.map((end) => end())])
      await lanes.idle()
    },
  }
}

/** Transactions on their way to the node at a time. */
const SENDS = 32

type BroadcastOptions = {
  readonly chain: Chain
  readonly wallets: Wallets
  readonly ledger: Ledger
  readonly leases: Leases
  readonly clock: Clock
  readonly random: () => number
  readonly timings: Timings
  readonly log: Logger
  readonly tell: (queueId: string, settled: Settled) => void
  /** How many wallets one process sends for at a time, each with no more than a window of transactions. */
  readonly mostWallets?: number | undefined
}

type Broadcast = {
  /** What this process stored need not wait to be found. */
  readonly handOver: (stored: readonly Stored[]) => void
  /** Finishes what is being sent, and gives the wallets back. */
  readonly stop: () => Promise<void>
}
