import type { Logger } from 'pino'
import type { Chain } from '../node/chain.js'
import type { Wallets } from '../wallet/wallets.js'
import { createCircuit } from './circuit.js'
import { type Clock, createBell } from './clock.js'
import type { Stored } from './enqueue.js'
import { createGroup } from './group.js'
import { createLane, forgive, handOver, type Lane, type Shop } from './lane.js'
import type { Leases } from './leases.js'
import type { Ledger, Page, Request } from './ledger.js'
import { createLimit } from './limit.js'
import type { Settled } from './outbox.js'
import { messageOf, runLane } from './stream.js'
import type { Timings } from './timings.js'
import { createWatch } from './watch.js'

/** Sends what is stored: takes wallets for this process, runs a lane for each, and gives them back when they are idle. */
export function createBroadcast(options: BroadcastOptions): Broadcast {
  const { chain, clock, leases, ledger, log, random, timings } = options
  const lanes = new Map<number, Lane>()
  const running = new Map<number, Promise<void>>()
  const watchBell = createBell(clock)
  let stopped = false
  let setback = true
  /** Wallets that are to be taken since the chain went back, with the nonces that it had. */
  let behind: ReadonlyMap<number, number> = new Map()

  const circuit = createCircuit({
    chain,
    clock,
    random,
    log,
    onReturn: () => {
      setback = true
      // A node that was started anew has forgotten its pool.
      for (const lane of lanes.values()) {
        lane.movedAt = clock.now() - lane.patience
        // What was missed while it was away was not looked for.
        for (const item of lane.items) forgive(item)
      }
      watchBell.ring()
    },
  })
  const shop: Shop = {
    ...options,
    circuit,
    loads: createGroup<Request, Page>(ledger.load, { atMost: LANES }),
    marks: createGroup<string, void>(
      async (queueIds) => {
        await ledger.mark(queueIds)
        return queueIds.map(() => undefined)
      },
      { atMost: 1_024 },
    ),
    sending: createLimit(SENDS),
    wakeWatch: watchBell.ring,
  }

  const open = (wallets: readonly number[], until: number) => {
    for (const wallet of wallets) {
      if (lanes.has(wallet)) continue
      const lane = createLane(wallet, until, shop)
      lanes.set(wallet, lane)
      running.set(
        wallet,
        runLane(lane, shop).then(() => close(lane)),
      )
    }
  }

  /** The lane stays in the list until the store has its wallet back, so that nobody takes it while it is given away. */
  const close = async (lane: Lane) => {
    if (clock.now() < lane.until) {
      await giving.ask(lane.wallet).catch((error: unknown) => {
        log.warn({ reason: messageOf(error) }, 'a wallet stays taken until its lease ends')
      })
    }
    lanes.delete(lane.wallet)
    running.delete(lane.wallet)
    if (lane.missed) want(lane.wallet)
  }

  /** A wallet that is just being given away is taken again afterwards. */
  const want = (wallet: number) => {
    const lane = lanes.get(wallet)
    if (lane) lane.missed = true
    else
      taking
        .ask(wallet)
        .catch((error: unknown) => log.debug({ reason: messageOf(error) }, 'taken later'))
  }

  const giving = createGroup<number, void>(
    async (wallets) => {
      await leases.giveBack(wallets)
      return wallets.map(() => undefined)
    },
    { atMost: LANES },
  )

  const taking = createGroup<number, void>(
    async (asked) => {
      const free = [...new Set(asked)].filter((wallet) => !lanes.has(wallet))
      const wallets = free.slice(0, LANES - lanes.size)
      const until = clock.now() + timings.lease
      if (!stopped && wallets.length > 0) open(await leases.take(wallets), until)
      return asked.map(() => undefined)
    },
    { atMost: 1_024 },
  )

  const poll = async () => {
    const room = LANES - lanes.size
    const until = clock.now() + timings.lease
    if (room > 0) open(await leases.takeAbandoned(room, [...lanes.keys()]), until)
    if (circuit.isAway() || (!setback && behind.size === 0)) return
    const all = setback
    setback = false
    try {
      behind = await findSetbacks(all ? await ledger.spent() : behind)
    } catch (error) {
      setback ||= all
      throw error
    }
  }

  /**
   * Wallets whose transactions the chain had and has no more; their lanes find out what to send again. Answers those that have no
   * lane yet: there may be no room, and of a process that was killed they are free only when its leases end.
   */
  const findSetbacks = async (among: ReadonlyMap<number, number>) => {
    const left = new Map<number, number>()
    const spent = [...among]
    for (let at = 0; at < spent.length; at += BATCH) {
      await Promise.all(
        spent.slice(at, at + BATCH).map(async ([wallet, nonce]) => {
          const { address } = options.wallets.wallet(wallet)
          if ((await chain.nonce(address, 'latest')) >= nonce) return
          const lane = lanes.get(wallet)
          if (lane && !lane.ended) {
            lane.stale = true
            lane.bell.ring()
            return
          }
          left.set(wallet, nonce)
          want(wallet)
        }),
      )
    }
    return left
  }

  const refill = async () => {
    if (lanes.size === 0) return
    for (const [wallet, nextNonce] of await ledger.nextNonces([...lanes.keys()])) {
      const lane = lanes.get(wallet)
      if (!lane || lane.more || lane.reading || lane.stale || nextNonce <= lane.next) continue
      lane.more = true
      lane.bell.ring()
    }
  }

  const renew = async () => {
    const held = [...lanes.values()].filter(({ ended }) => !ended)
    if (held.length === 0) return
    const until = clock.now() + timings.lease
    const still = new Set(await leases.renew(held.map(({ wallet }) => wallet)))
    for (const lane of held) {
      if (still.has(lane.wallet)) lane.until = until
      else lane.ended = true
      if (lane.ended) lane.bell.ring()
    }
  }

  const every = (milliseconds: number, run: () => Promise<void>) => {
    const bell = createBell(clock)
    const loop = async () => {
      while (!stopped) {
        try {
          await run()
        } catch (error) {
          log.debug({ reason: messageOf(error) }, 'done later')
        }
        for (const lane of lanes.values()) if (clock.now() >= lane.until) lane.bell.ring()
        if (!stopped) await bell.wait(milliseconds)
      }
    }
    const done = loop()
    return () => {
      bell.ring()
      return done
    }
  }
  const loops = [
    every(timings.poll, poll),
    every(timings.refill, refill),
    every(timings.lease / 3, renew),
  ]
  const watch = createWatch({
    shop,
    lanes: () => [...lanes.values()],
    bell: watchBell,
    onSetback: () => {
      setback = true
      for (const lane of lanes.values()) {
        lane.stale = true
        lane.bell.ring()
      }
    },
  })

  return {
    handOver: (stored) => {
      for (const one of stored) {
        const lane = lanes.get(one.wallet)
        if (lane && !lane.ended) handOver(lane, one)
        else want(one.wallet)
      }
    },
    stop: async () => {
      stopped = true
      circuit.stop()
      for (const lane of lanes.values()) {
        lane.ended = true
        lane.bell.ring()
      }
      await Promise.all([watch.stop(), ...loops.map((end) => end()), taking.idle()])
      for (const lane of lanes.values()) {
        lane.ended = true
        lane.bell.ring()
      }
      await Promise.all(running.values())
      await giving.idle()
    },
  }
}

/** Wallets that one process sends for at a time: each holds no more than a window of transactions. */
const LANES = 256

/** Transactions on their way to the node at a time. */
const SENDS = 32

const BATCH = 40

export type BroadcastOptions = {
  readonly chain: Chain
  readonly wallets: Wallets
  readonly ledger: Ledger
  readonly leases: Leases
  readonly clock: Clock
  readonly random: () => number
  readonly timings: Timings
  readonly log: Logger
  readonly tell: (queueId: string, settled: Settled) => void
}

export type Broadcast = {
  /** What this process stored need not wait to be found. */
  readonly handOver: (stored: readonly Stored[]) => void
  /** Finishes what is being sent, and gives the wallets back. */
  readonly stop: () => Promise<void>
}
