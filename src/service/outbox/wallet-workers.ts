import type { Bell } from './clock.js'
import type { Stored } from './enqueue.js'
import { createGroup } from './group.js'
import type { Leases } from './leases.js'
import { messageOf, runLane } from './stream.js'
import {
  createWalletWorker,
  handOver,
  type WalletWorker,
  type WorkerContext,
} from './wallet-worker.js'

/**
 * The wallets that this process sends for, a lane each. They are few at a time: where more have work, those that were held
 * longest are given back, and those that waited longest are taken.
 */
export function createWalletWorkers({
  shop,
  leases,
  most,
  bell,
}: WalletWorkersOptions): WalletWorkers {
  const { clock, circuit, ledger, log, timings } = shop
  const lanes = new Map<number, WalletWorker>()
  const running = new Map<number, Promise<void>>()
  /** To be taken before all others, though they have no work that is not done. */
  let required: ReadonlySet<number> = new Set()
  /** Room for those that the store is being asked for. */
  let reserved = 0
  let crowded = false
  let stopped = false

  const room = () => (stopped ? 0 : Math.max(0, most - lanes.size - reserved))

  const take = async (ask: (atMost: number) => Promise<readonly number[]>) => {
    const atMost = room()
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
    if (lanes.has(wallet)) return
    const lane = createWalletWorker(wallet, until, shop)
    lane.ended = stopped
    lanes.set(wallet, lane)
    running.set(
      wallet,
      runLane(lane, shop).then(() => close(lane)),
    )
  }

  /** The lane stays in the list until the store has its wallet back, so that nobody takes it while it is given away. */
  const close = async (lane: WalletWorker) => {
    if (clock.now() < lane.until) {
      await giving.ask(lane.wallet).catch((error: unknown) => {
        log.warn({ reason: messageOf(error) }, 'a wallet stays taken until its lease ends')
      })
    }
    lanes.delete(lane.wallet)
    running.delete(lane.wallet)
    if (crowded) bell.ring()
    else if (lane.missed) want(lane.wallet)
  }

  /** A wallet that is just being given away is taken again afterwards; where others wait, it waits with them. */
  const want = (wallet: number) => {
    const lane = lanes.get(wallet)
    if (lane) lane.missed = true
    else if (!crowded)
      taking
        .ask(wallet)
        .catch((error: unknown) => log.debug({ reason: messageOf(error) }, 'taken later'))
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
      const free = [...new Set(asked)].filter((wallet) => !lanes.has(wallet))
      crowded ||= free.length > room()
      if (free.length > 0) await take((atMost) => leases.take(free, atMost))
      return asked.map(() => undefined)
    },
    { atMost: 1_024 },
  )

  const end = (lane: WalletWorker) => {
    lane.ended = true
    lane.bell.ring()
  }

  const makeRoom = (wallets: number) => {
    const held = [...lanes.values()]
    const since = clock.now() - timings.turn
    const spare = held
      .filter((lane) => !lane.ended && (isIdle(lane) || lane.takenAt <= since))
      .sort((a, b) => Number(isIdle(b)) - Number(isIdle(a)) || a.takenAt - b.takenAt)
    const coming = room() + held.filter(({ ended }) => ended).length
    for (const lane of spare.slice(0, Math.max(0, wallets - coming))) end(lane)
  }

  return {
    list: () => [...lanes.values()],
    isCrowded: () => crowded,
    handOver: (stored) => {
      for (const one of stored) {
        const lane = lanes.get(one.wallet)
        if (lane && !lane.ended) handOver(lane, one)
        else want(one.wallet)
      }
    },
    readAnew: (wallet) => {
      const lane = lanes.get(wallet)
      if (!lane || lane.ended) return false
      lane.stale = true
      lane.bell.ring()
      return true
    },
    require: (wallets) => {
      required = new Set(wallets)
      if (required.size > 0) bell.ring()
    },
    takeWaiting: async () => {
      const lacking = [...required].filter((wallet) => !lanes.has(wallet))
      if (lacking.length > 0) await take((atMost) => leases.take(lacking, atMost))
      // Who has had a lane finds out what there is to do; without any, it would be taken and given back for ever.
      required = new Set([...required].filter((wallet) => !lanes.has(wallet)))
      await take((atMost) => leases.takeWaiting(atMost, [...lanes.keys()]))
      const left = lacking.filter((wallet) => !lanes.has(wallet)).length
      const waiting = room() > 0 || stopped ? 0 : left + (await leases.countWaiting(most))
      crowded = waiting > 0
      if (crowded && !circuit.isAway()) makeRoom(waiting)
    },
    refill: async () => {
      if (lanes.size === 0) return
      for (const [wallet, nextNonce] of await ledger.nextNonces([...lanes.keys()])) {
        const lane = lanes.get(wallet)
        if (!lane || lane.more || lane.reading || lane.stale || nextNonce <= lane.next) continue
        lane.more = true
        lane.bell.ring()
      }
    },
    renew: async () => {
      const held = [...lanes.values()].filter(({ ended }) => !ended)
      if (held.length === 0) return
      const until = clock.now() + timings.lease
      const still = new Set(await leases.renew(held.map(({ wallet }) => wallet)))
      for (const lane of held) {
        if (still.has(lane.wallet)) lane.until = until
        else end(lane)
      }
    },
    end: () => {
      stopped = true
      for (const lane of lanes.values()) end(lane)
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
  readonly shop: WorkerContext
  readonly leases: Leases
  /** How many wallets are held at a time. */
  readonly most: number
  /** Rung when it is time for `takeWaiting`. */
  readonly bell: Bell
}

export type WalletWorkers = {
  readonly list: () => readonly WalletWorker[]
  /** Wallets wait that there is no room for. */
  readonly isCrowded: () => boolean
  /** What this process stored need not wait to be found. */
  readonly handOver: (stored: readonly Stored[]) => void
  /** False where the wallet has no lane. */
  readonly readAnew: (wallet: number) => boolean
  /** These are to be taken as soon as they are free, and those of the last call no more. */
  readonly require: (wallets: readonly number[]) => void
  /** Takes what waits, and makes room for what waits still. */
  readonly takeWaiting: () => Promise<void>
  /** Has the lanes read what other processes stored for them. */
  readonly refill: () => Promise<void>
  readonly renew: () => Promise<void>
  /** WalletWorkers finish what they are sending, and no wallet is taken any more. */
  readonly end: () => void
  /** Resolves when all that was taken is given back; to be asked once nobody calls `takeWaiting` any more. */
  readonly idle: () => Promise<void>
}
