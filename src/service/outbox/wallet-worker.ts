import type { Logger } from 'pino'
import type { Hex } from 'viem'
import type { Group } from '../group.js'
import type { Chain } from '../node/chain.js'
import type { Wallets } from '../wallet/wallets.js'
import type { Circuit } from './circuit.js'
import { createWakeup, type OutboxClock, type Timings, type Wakeup } from './clock.js'
import {
  type Ledger,
  type LedgerPage,
  type LedgerRow,
  type Request,
  SMALL_BYTES,
} from './ledger.js'
import type { Settled } from './outbox.js'

/** A wallet for which this process sends, with its first unfinished submissions, in nonce order. */
export type WalletWorker = {
  readonly wallet: number
  readonly address: Hex
  items: OutboxItem[]
  /** Every unfinished submission with a lower nonce is in `items`. */
  next: number
  /** The store has more submissions. */
  more: boolean
  /** `items` must be read again, because they differ from the chain or the store. */
  stale: boolean
  /** A submission was stored for the wallet while it was being read. */
  missed: boolean
  reading: boolean
  /** The number of the wallet's transactions on the chain, as last reported by the node. */
  mined: number
  /** Since when the node reports a lower number. */
  lowSince: number | undefined
  /** Receipts must be requested even without a new block. */
  urgent: boolean
  movedAt: number
  /** The time without progress after which the node is queried. */
  patience: number
  /** By the process's own clock, like `until`. */
  readonly startedAt: number
  /** After this, another process may hold the wallet. */
  until: number
  ended: boolean
  readonly wakeup: Wakeup
}

export type OutboxItem = {
  /** Undefined for a filler in place of a transaction that was never ours. */
  readonly queueId: string | undefined
  readonly nonce: number
  live: boolean
  marked: boolean
  marking: Promise<void> | undefined
  hash: Hex
  bytes: Hex | undefined
  /** The number of failed attempts with an unknown error: these count against it. */
  attempts: number
  /** The number of other failed attempts. */
  delays: number
  /** It must be sent alone, so that a missing response is about these bytes. */
  alone: boolean
  /** It is a filler, and the node requires a price: later transactions do not wait for it. */
  priced: boolean
  /** By the process's own clock: the time of the next attempt. */
  due: number
  /** The node has it, or its nonce is spent: the receipt shows its outcome. */
  sent: boolean
  /** Since when its nonce is mined, and it has no receipt. */
  missingSince: number | undefined
  /** The node did not know the transaction either. */
  denied: boolean
}

/** The objects that all functions of workers share. */
export type WorkerContext = {
  readonly chain: Chain
  readonly wallets: Wallets
  readonly ledger: Ledger
  readonly clock: OutboxClock
  readonly random: () => number
  readonly timings: Timings
  readonly log: Logger
  readonly circuit: Circuit
  readonly loads: Group<Request, LedgerPage>
  readonly marks: Group<string, void>
  /** How long a wallet without work is kept, in milliseconds. */
  readonly linger: () => number
  /** Limits the number of concurrent calls. */
  readonly sending: <T>(send: () => Promise<T>) => Promise<T>
  /** Notifies the callers that wait for the submission. */
  readonly onSettled: (queueId: string, settled: Settled) => void
  /** Call it after something was sent. */
  readonly wakeWatch: () => void
  /** The chain lacks transactions of a wallet that this process no longer holds: search until another process sends them. */
  readonly suspectReorg: () => void
}

/** The maximum number of unmined transactions of one wallet: pools keep only about 64 of one account. */
export const WINDOW = 64

/** The number of further transactions that the worker accepts; fillers that no pool accepts do not count. */
export function roomOf(worker: WalletWorker): number {
  return WINDOW - worker.items.filter(({ priced }) => !priced).length
}

export function createWalletWorker(
  wallet: number,
  until: number,
  { wallets, clock, timings }: WorkerContext,
): WalletWorker {
  return {
    wallet,
    address: wallets.wallet(wallet).address,
    items: [],
    next: 0,
    more: false,
    stale: true,
    missed: false,
    reading: false,
    mined: 0,
    lowSince: undefined,
    urgent: false,
    movedAt: clock.now(),
    patience: timings.stall,
    startedAt: clock.now(),
    until,
    ended: false,
    wakeup: createWakeup(clock),
  }
}

export function outboxItem(row: LedgerRow, now: number): OutboxItem {
  return {
    queueId: row.queueId,
    nonce: row.nonce,
    live: row.live,
    marked: row.marked,
    marking: undefined,
    hash: row.hash,
    bytes: row.bytes,
    attempts: row.attempts,
    delays: 0,
    alone: row.attempts > 0,
    priced: false,
    due: now + row.pause,
    sent: false,
    missingSince: undefined,
    denied: false,
  }
}

/** Forgets that its nonce may be spent by another transaction. */
export function clearMissing(item: OutboxItem): void {
  item.missingSince = undefined
  item.denied = false
}

/** Adds a submission that was just stored without reading it, if the worker has all earlier ones and free capacity. */
export function enqueue(
  worker: WalletWorker,
  stored: Pick<LedgerRow, 'queueId' | 'nonce' | 'hash'> & { raw: Hex },
) {
  if (worker.reading || worker.stale) {
    worker.missed = true
  } else if (stored.nonce === worker.next && !worker.more && roomOf(worker) > 0) {
    const { queueId, nonce, hash, raw } = stored
    const bytes = raw.length <= 2 * SMALL_BYTES ? raw : undefined
    const row = { queueId, nonce, hash, bytes, live: true, marked: false, attempts: 0, pause: 0 }
    worker.items.push(outboxItem(row, 0))
    worker.next = nonce + 1
  } else if (stored.nonce >= worker.next) {
    worker.more = true
  }
  worker.wakeup.wake()
}

/** Removes items whose nonces are spent. */
export function remove(worker: WalletWorker, gone: ReadonlySet<OutboxItem>): void {
  worker.items = worker.items.filter((item) => !gone.has(item))
  const isFiller = ({ queueId }: OutboxItem) => queueId === undefined
  // A gap longer than a window needs more fillers.
  if ([...gone].some(isFiller) && !worker.items.some(isFiller)) worker.stale = true
  worker.wakeup.wake()
}
