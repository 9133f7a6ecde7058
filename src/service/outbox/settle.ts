import type { Receipt } from '../node/chain.js'
import { receiptOf, unlessRejected } from './broadcast-result.js'
import type { End } from './ledger.js'
import { yieldNonce } from './replace-rejected.js'
import { type Item, remove, type WalletWorker, type WorkerContext } from './wallet-worker.js'

/** Spent nonces leave their lanes, by one statement. Answers how many. */
export async function settle(lanes: readonly WalletWorker[], shop: WorkerContext): Promise<number> {
  const spent = lanes
    .flatMap((lane) => lane.items.map((item) => ({ item, lane })))
    .filter(({ item, lane }) => item.nonce < lane.mined && (item.sent || !item.live))
    .slice(0, AT_ONCE)
  const closed: Closed[] = []
  const receipts = await Promise.all(
    spent.map(({ item }) =>
      item.live ? unlessRejected(receiptOf(shop.chain, item.hash)) : 'not ours to tell',
    ),
  )
  for (const [index, { item, lane }] of spent.entries()) {
    const told = receipts[index]
    if (told === undefined) lane.urgent = true
    else if (told === 'not ours to tell') closed.push({ item, lane })
    else if (told.receipt !== null) closed.push({ item, lane, mined: { receipt: told.receipt } })
    else if (await isLost(item, lane, shop)) closed.push({ item, lane })
  }
  if (spent.length === AT_ONCE) for (const { lane } of spent) lane.urgent = true
  return close(closed, shop)
}

/** Receipts by one look: so many that a batch of calls is full, so few that nobody waits long for the first. */
const AT_ONCE = 400

type Closed = {
  readonly item: Item
  readonly lane: WalletWorker
  /** Absent where another transaction has the nonce. */
  readonly mined?: { readonly receipt: Receipt | undefined }
}

async function close(closed: readonly Closed[], shop: WorkerContext): Promise<number> {
  const ends = closed.flatMap(({ item, mined }) =>
    item.queueId === undefined ? [] : [endOf(item.queueId, mined?.receipt)],
  )
  const done = ends.length > 0 ? await shop.ledger.settle(ends) : new Set<string>()
  const gone = new Map<WalletWorker, Set<Item>>()
  for (const { item, lane, mined } of closed) {
    const { queueId } = item
    if (queueId !== undefined && !done.has(queueId)) {
      lane.ended = true
      lane.bell.ring()
      continue
    }
    gone.set(lane, (gone.get(lane) ?? new Set()).add(item))
    if (queueId === undefined || mined === undefined) continue
    const { receipt } = mined
    const { status, message } = endOf(queueId, receipt)
    shop.tell(
      queueId,
      status === 'completed' ? { status, receipt } : { status, errorMessage: message ?? '' },
    )
  }
  for (const [lane, items] of gone) remove(lane, items)
  return closed.length
}

function endOf(queueId: string, receipt: Receipt | undefined): End {
  const reverted = receipt?.status !== undefined && BigInt(receipt.status) === 0n
  return reverted
    ? { queueId, status: 'error', message: 'the transaction was mined and reverted' }
    : { queueId, status: 'completed' }
}

/** A mined nonce without a receipt of ours: another transaction has it, unless the node only lags behind. */
async function isLost(item: Item, lane: WalletWorker, shop: WorkerContext): Promise<boolean> {
  lane.urgent = true
  const now = shop.clock.now()
  item.missingSince ??= now
  if (now - item.missingSince < shop.timings.grace) return false
  const known = await unlessRejected(shop.chain.knows(item.hash))
  if (known === undefined) return false
  // One of several nodes may lag behind: it takes two that do not know it, and time between them.
  if (known || !item.denied) {
    item.missingSince = now
    item.denied = !known
    return false
  }
  return yieldNonce(item, lane, shop)
}
