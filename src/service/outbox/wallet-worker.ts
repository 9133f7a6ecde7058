import type { Logger } from 'pino'
import type { Hex } from 'viem'
import type { Group } from '../group.js'
import type { Chain } from '../node/chain.js'
import type { Wallets } from '../wallet/wallets.js'
import type { Circuit } from './circuit.js'
import { type Clock, createWakeup, type Timings, type Wakeup } from './clock.js'
import { type Ledger, type Page, type Request, type Row, SMALL_BYTES } from './ledger.js'
import type { Settled } from './outbox.js'

/** A wallet that this process sends for, with the first of what is not done, in nonce order. */
export type WalletWorker = {
  readonly wallet: number
  readonly address: Hex
  items: Item[]
  /** Whatever has a lower nonce and is not done is in `items`. */
  next: number
  /** The store has more. */
  more: boolean
  /** `items` must be read again: the chain or the store is not as they say. */
  stale: boolean
  /** Something was stored for the wallet while it was being read. */
  missed: boolean
  reading: boolean
  /** How many transactions of the wallet are on the chain, as the node last said. */
  mined: number
  /** Since when the node tells a lower number. */
  lowSince: number | undefined
  /** Receipts are to be looked for even if there is no new block. */
  urgent: boolean
  movedAt: number
  /** For how long it may stand still before the node is asked. */
  patience: number
  /** By the process's own clock, as is `until`. */
  readonly takenAt: number
  /** After this, another process may hold the wallet. */
  until: number
  ended: boolean
  readonly wakeup: Wakeup
}

export type Item = {
  /** Undefined of a filler in the place of a transaction which was never ours. */
  readonly queueId: string | undefined
  readonly nonce: number
  live: boolean
  marked: boolean
  marking: Promise<void> | undefined
  hash: Hex
  bytes: Hex | undefined
  /** How many came to what nobody explains: these are held against it. */
  attempts: number
  /** How many others came to nothing. */
  delays: number
  /** Nothing is to go with it, so that the node's silence is of these bytes. */
  alone: boolean
  /** It fills its nonce for nothing, and the node asks for a price: what follows does not wait for it. */
  priced: boolean
  /** By the process's own clock: not to be sent before. */
  due: number
  /** The node has it, or its nonce is spent: what became of it is for the receipts to say. */
  sent: boolean
  /** Since when its nonce is mined without a receipt for it. */
  missingSince: number | undefined
  /** The node did not know it either when it was asked. */
  denied: boolean
}

/** What everybody who works on workers shares. */
export type WorkerContext = {
  readonly chain: Chain
  readonly wallets: Wallets
  readonly ledger: Ledger
  readonly clock: Clock
  readonly random: () => number
  readonly timings: Timings
  readonly log: Logger
  readonly circuit: Circuit
  readonly loads: Group<Request, Page>
  readonly marks: Group<string, void>
  /** How long a wallet without work is kept, in milliseconds. */
  readonly linger: () => number
  /** Runs no more than so many at a time. */
  readonly sending: <T>(send: () => Promise<T>) => Promise<T>
  /** Tells those who wait for the submission. */
  readonly onSettled: (queueId: string, settled: Settled) => void
  /** Something was sent. */
  readonly wakeWatch: () => void
  /** The chain misses something of a wallet that is no longer ours to send for: it is to be looked for until somebody does. */
  readonly suspectReorg: () => void
}

/** Unmined transactions of one wallet at a time: pools keep no more than 64 or so of one account. */
export const WINDOW = 64

/** How many more the worker takes; fillers that no pool has do not count. */
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
    takenAt: clock.now(),
    until,
    ended: false,
    wakeup: createWakeup(clock),
  }
}

export function itemOf(row: Row, now: number): Item {
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

/** Its nonce is not known any more to be spent by another. */
export function clearMissing(item: Item): void {
  item.missingSince = undefined
  item.denied = false
}

/** What was just stored need not be read from the store, where the worker has come that far and its window is not full. */
export function enqueue(
  worker: WalletWorker,
  stored: Pick<Row, 'queueId' | 'nonce' | 'hash'> & { raw: Hex },
) {
  if (worker.reading || worker.stale) {
    worker.missed = true
  } else if (stored.nonce === worker.next && !worker.more && roomOf(worker) > 0) {
    const { queueId, nonce, hash, raw } = stored
    const bytes = raw.length <= 2 * SMALL_BYTES ? raw : undefined
    const row = { queueId, nonce, hash, bytes, live: true, marked: false, attempts: 0, pause: 0 }
    worker.items.push(itemOf(row, 0))
    worker.next = nonce + 1
  } else if (stored.nonce >= worker.next) {
    worker.more = true
  }
  worker.wakeup.wake()
}

/** `items` leave their worker, for their nonces are spent. */
export function remove(worker: WalletWorker, gone: ReadonlySet<Item>): void {
  worker.items = worker.items.filter((item) => !gone.has(item))
  const isFiller = ({ queueId }: Item) => queueId === undefined
  // A gap longer than a window has more to be filled.
  if ([...gone].some(isFiller) && !worker.items.some(isFiller)) worker.stale = true
  worker.wakeup.wake()
}
