import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { createGroup } from '../group.js'
import type { Chain } from '../node/chain.js'
import { type Store, StoreUnavailable } from '../store/store.js'
import type { Wallets } from '../wallet/wallets.js'
import { createBatchFallback } from './batch-fallback.js'
import { createBroadcast } from './broadcast.js'
import { type Clock, machineClock, type Timings, usual } from './clock.js'
import { createStoring, type PendingSubmission } from './enqueue.js'
import { createLeases } from './leases.js'
import { createLedger } from './ledger.js'
import { type Accepted, type Outbox, OutboxFull } from './outbox.js'
import { createWaiting, depthOf, findRecord } from './status.js'

/** Starts to send at once what the store has for sending. Several processes may do so on one store. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { store, log, clock = machineClock, random = Math.random } = options
  const chain = createBatchFallback(options.chain, clock)
  const timings = { ...usual, ...options.timings }
  const owner = randomUUID()
  const waiting = createWaiting({ store, chain, clock, timings, log })
  const broadcast = createBroadcast({
    ...options,
    chain,
    clock,
    random,
    timings,
    ledger: createLedger(store, owner),
    leases: createLeases(store, owner, timings.lease),
    onSettled: waiting.onSettled,
  })
  const storing = createGroup<PendingSubmission, Accepted>(
    createStoring({ ...options, chain, onStored: broadcast.enqueue }),
    { atMost: 64, heaviest: 4_194_304, weigh: ({ submission }) => submission.data.length },
  )
  const firstNonce = createFirstNonces({ store, wallets: options.wallets, chain })
  /** Submissions whose wallets' first nonces are not known yet. */
  let beginning = 0
  let stopped: Promise<void> | undefined

  return {
    enqueue: async (submission) => {
      if (stopped) throw stopping()
      if (storing.waiting() + beginning >= (options.mostWaiting ?? 2_048)) {
        throw new OutboxFull('too many submissions wait to be stored: try again later')
      }
      beginning++
      const first = await firstNonce(submission.wallet).finally(() => beginning--)
      if (stopped) throw stopping()
      return storing.ask({ submission, first })
    },
    find: (queueId) => findRecord(store, queueId),
    settled: waiting.settled,
    depth: () => depthOf(store),
    stop: () => {
      stopped ??= storing
        .idle()
        .then(() => broadcast.stop())
        .then(() => waiting.stop())
      return stopped
    },
  }
}

const stopping = () => new StoreUnavailable('the service is stopping and takes nothing up any more')

export type OutboxOptions = {
  readonly store: Store
  readonly wallets: Wallets
  readonly chain: Chain
  readonly log: Logger
  readonly clock?: Clock
  /** From 0 to 1. */
  readonly random?: () => number
  readonly timings?: Partial<Timings>
  /** How many submissions may wait to be stored; more are refused with OutboxFull. */
  readonly mostWaiting?: number
  /** How many wallets this process sends for at a time; where more have work, they take turns. */
  readonly mostWallets?: number
}

/**
 * Asks the chain for the nonce of a wallet that never sent, once for all who wait for it; undefined where the store has one. It
 * is asked before anything is locked, so that a node that does not answer holds up the new wallet alone.
 */
export function createFirstNonces({ store, wallets, chain }: FirstNoncesOptions): FirstNonces {
  /** Wallets that are known to have a nonce in the store; it is never taken back. */
  const begun = new Set<number>()
  const asking = new Map<number, Promise<number>>()
  const lookUp = createGroup<number, boolean>(
    async (indices) => {
      const rows = await store.query<{ index: number }>(
        'select index from wallet where index = any($1::int[]) and next_nonce is not null',
        [[...new Set(indices)]],
      )
      for (const { index } of rows) begun.add(index)
      return indices.map((index) => begun.has(index))
    },
    { atMost: 256 },
  )
  return async (index) => {
    if (begun.has(index) || (await lookUp.ask(index))) return undefined
    const asked =
      asking.get(index) ??
      chain.nonce(wallets.wallet(index).address, 'pending').finally(() => asking.delete(index))
    asking.set(index, asked)
    return asked
  }
}

type FirstNoncesOptions = {
  readonly store: Store
  readonly wallets: Wallets
  readonly chain: Chain
}

type FirstNonces = (wallet: number) => Promise<number | undefined>
