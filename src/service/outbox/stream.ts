import { HttpError } from 'twinspec/runtime/errors'
import type { Hex } from 'viem'
import { isOfContent, isOfWhoAsks } from './batch-fallback.js'
import { judge, type Verdict } from './broadcast-result.js'
import { pauseAfter } from './clock.js'
import { readAnew, readMore } from './reading.js'
import { fill, refuse } from './replace-rejected.js'
import { type Item, roomOf, type WalletWorker, type WorkerContext } from './wallet-worker.js'

/** Sends a wallet's transactions, one after the other in nonce order, until the lane has ended or has nothing to do. */
export async function runLane(lane: WalletWorker, shop: WorkerContext): Promise<void> {
  let troubles = 0
  while (!lane.ended) {
    try {
      await step(lane, shop)
      troubles = 0
    } catch (error) {
      troubles++
      // The store, or what the node says of the wallet.
      const level = troubles < LONG_ATTEMPTS ? 'warn' : 'error'
      shop.log[level]({ wallet: lane.wallet, troubles, reason: messageOf(error) }, 'a wallet waits')
      lane.stale = true
      await lane.bell.wait(pauseAfter(troubles, shop.random))
    }
  }
}

async function step(lane: WalletWorker, shop: WorkerContext): Promise<void> {
  const { clock, circuit } = shop
  await circuit.answering()
  if (clock.now() >= lane.until) lane.ended = true
  if (lane.ended) return
  if (lane.stale) return readAnew(lane, shop)
  const item = nextOf(lane, clock.now())
  if (lane.more && (!item || item.priced) && roomOf(lane) > 0) return readMore(lane, shop)
  if (!item) {
    const rang = await lane.bell.wait(lane.items.length > 0 ? undefined : shop.linger())
    if (!rang && lane.items.length === 0 && !lane.more && !lane.stale) lane.ended = true
    return
  }
  const pause = item.due - clock.now()
  if (pause > 0) {
    await lane.bell.wait(pause)
    return
  }
  await mark(item, lane, shop)
  const bytes = item.bytes ?? (await shop.ledger.bytes(item.queueId as string))
  if (clock.now() >= lane.until || lane.stale || circuit.isAway()) return
  const verdict = await shop.sending(() => send(item, bytes, shop))
  await heed(verdict, item, lane, shop)
}

/** Fillers that no pool takes are tried again one at a time, and what follows them has its turn meanwhile. */
function nextOf({ items }: WalletWorker, now: number): Item | undefined {
  const first = items.find(({ sent }) => !sent)
  if (!first?.priced || first.due <= now) return first
  return items.find(({ sent, priced }) => !sent && !priced) ?? first
}

/** What is about to be sent says so first, together with what follows it. */
async function mark(item: Item, lane: WalletWorker, { marks }: WorkerContext): Promise<void> {
  if (item.marked) return
  for (const each of lane.items) {
    if (each.marked || each.marking || each.queueId === undefined) continue
    each.marking = marks.ask(each.queueId).then(() => {
      each.marked = true
    })
    each.marking.catch(() => undefined)
  }
  await item.marking
}

async function send(
  item: Item,
  bytes: Hex,
  { chain, circuit }: WorkerContext,
): Promise<Verdict | undefined> {
  const { alone } = item
  try {
    await chain.send(bytes, { alone })
    return undefined
  } catch (error) {
    const verdict = judge(error)
    if (verdict.kind !== 'away' || !(await circuit.doubt())) return verdict
    // A node that answers others has something against these bytes, or against what went with them.
    if (isOfContent(error)) return { ...verdict, kind: 'unclear' }
    item.alone = true
    if (!alone || isOfWhoAsks(error)) return verdict
    const message =
      error instanceof HttpError ? verdict.message : 'it answers other calls, not this'
    return { kind: 'silent', message }
  }
}

async function heed(
  verdict: Verdict | undefined,
  item: Item,
  lane: WalletWorker,
  shop: WorkerContext,
): Promise<void> {
  if (!verdict || verdict.kind === 'known' || verdict.kind === 'spent') {
    item.sent = true
    item.bytes = undefined
    if (item.priced) readmit(lane)
    // A node that mines at once may have had the block before its answer came.
    lane.urgent = true
    shop.wakeWatch()
    return
  }
  const { kind, message } = verdict
  if (kind === 'away' && shop.circuit.isAway()) {
    item.delays++
    item.due = shop.clock.now() + pauseAfter(item.delays, shop.random)
    return
  }
  const bound = bounds[kind]
  if (kind === 'unclear' || kind === 'silent') item.attempts++
  else item.delays++
  const reason = kind === 'price' ? `${message} (all are sent at a gas price of 0)` : message
  const never = bound !== undefined && item.attempts >= bound
  if (never && item.live && (await refuse(item, reason, lane, shop))) return
  // A filler has the same price.
  item.priced = kind === 'price' && !item.live
  if (never && !item.live && !item.priced && (await fill(item, reason, lane, shop))) return
  await tryLater(item, reason, lane, shop)
}

/** The node takes transactions without a price again. */
function readmit({ items }: WalletWorker): void {
  for (const item of items.filter(({ priced }) => priced)) {
    item.priced = false
    item.due = 0
  }
}

/**
 * How many attempts may be held against a submission before it ends. With the pauses between them, eight are half a minute or so,
 * and twelve two or three, each of them longer by the time after which no answer is expected any more.
 */
const bounds: Partial<Record<Verdict['kind'], number>> = {
  refused: 0,
  price: 0,
  unclear: 8,
  silent: 12,
}

/** After so many, an operator is to know. */
const LONG_ATTEMPTS = 8

async function tryLater(
  item: Item,
  reason: string,
  lane: WalletWorker,
  shop: WorkerContext,
): Promise<void> {
  const { queueId, attempts, delays, nonce, live } = item
  const tries = attempts + delays
  const pause = pauseAfter(Math.max(1, tries), shop.random)
  item.due = shop.clock.now() + pause
  const long = tries >= LONG_ATTEMPTS || item === lane.items.find(({ sent }) => !sent)
  const level = item.priced ? (long ? 'error' : 'debug') : tries < LONG_ATTEMPTS ? 'info' : 'error'
  shop.log[level](
    { wallet: lane.wallet, nonce, queueId, attempts: tries, reason },
    live ? 'sent again later' : 'what fills a nonce is not taken, and is sent again later',
  )
  // A refusal may come of a gap before it: whether the pool still has what went before is looked up.
  lane.movedAt = Math.min(lane.movedAt, shop.clock.now() - lane.patience)
  shop.wakeWatch()
  if (queueId !== undefined) await shop.ledger.postpone(queueId, attempts, pause)
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
