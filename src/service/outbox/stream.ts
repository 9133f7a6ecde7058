import { HttpError } from 'twinspec/runtime/errors'
import type { Hex } from 'viem'
import { isOfContent, isOfWhoAsks } from './batch-fallback.js'
import { type BroadcastResult, isSilence, resultOfError } from './broadcast-result.js'
import { retryPause } from './clock.js'
import { fillFinal, replaceRejected, signFiller } from './replace-rejected.js'
import {
  type OutboxItem,
  outboxItem,
  roomOf,
  type WalletWorker,
  WINDOW,
  type WorkerContext,
} from './wallet-worker.js'

/** Sends a wallet's transactions, one after the other in nonce order, until the worker has ended or has no more work. */
export async function runWorker(worker: WalletWorker, context: WorkerContext): Promise<void> {
  let failures = 0
  while (!worker.ended) {
    try {
      await step(worker, context)
      failures = 0
    } catch (error) {
      failures++
      // An error of the store, or of the node about the wallet.
      const level = failures < LONG_ATTEMPTS ? 'warn' : 'error'
      context.log[level](
        { wallet: worker.wallet, failures, reason: causeText(error) },
        'a wallet waits',
      )
      worker.stale = true
      await worker.wakeup.wait(retryPause(failures, context.random))
    }
  }
}

async function step(worker: WalletWorker, context: WorkerContext): Promise<void> {
  const { clock, circuit } = context
  await circuit.answering()
  if (clock.now() >= worker.until) worker.ended = true
  if (worker.ended) return
  if (worker.stale) return reload(worker, context)
  const item = nextOf(worker, clock.now())
  if (worker.more && (!item || item.priced) && roomOf(worker) > 0) return readMore(worker, context)
  if (!item) {
    const woken = await worker.wakeup.wait(worker.items.length > 0 ? undefined : context.linger())
    if (!woken && worker.items.length === 0 && !worker.more && !worker.stale) worker.ended = true
    return
  }
  const pause = item.due - clock.now()
  if (pause > 0) {
    await worker.wakeup.wait(pause)
    return
  }
  await mark(item, worker, context)
  const bytes = item.bytes ?? (await context.ledger.bytes(item.queueId as string))
  if (clock.now() >= worker.until || worker.stale || circuit.isAway()) return
  const result = await context.sending(() => send(item, bytes, context))
  await applyResult(result, item, worker, context)
}

/** Fillers that no pool accepts are retried one at a time, and later transactions are sent meanwhile. */
function nextOf({ items }: WalletWorker, now: number): OutboxItem | undefined {
  const first = items.find(({ sent }) => !sent)
  if (!first?.priced || first.due <= now) return first
  return items.find(({ sent, priced }) => !sent && !priced) ?? first
}

/** Marks a transaction before it is sent, together with the ones after it. */
async function mark(
  item: OutboxItem,
  worker: WalletWorker,
  { marks }: WorkerContext,
): Promise<void> {
  if (item.marked) return
  for (const each of worker.items) {
    if (each.marked || each.marking || each.queueId === undefined) continue
    each.marking = marks.ask(each.queueId).then(() => {
      each.marked = true
    })
    each.marking.catch(() => undefined)
  }
  await item.marking
}

async function send(
  item: OutboxItem,
  bytes: Hex,
  { chain, circuit }: WorkerContext,
): Promise<BroadcastResult | undefined> {
  const { alone } = item
  try {
    await chain.send(bytes, { alone })
    return undefined
  } catch (error) {
    const result = resultOfError(error)
    if (result.kind !== 'away' || !(await circuit.doubt())) return result
    // A node that responds to other calls rejects these bytes, or other calls of the batch.
    if (isOfContent(error)) return { ...result, kind: 'unclear' }
    item.alone = true
    if (!alone || isOfWhoAsks(error)) return result
    const message = error instanceof HttpError ? result.message : 'it answers other calls, not this'
    return { kind: 'silent', message }
  }
}

async function applyResult(
  result: BroadcastResult | undefined,
  item: OutboxItem,
  worker: WalletWorker,
  context: WorkerContext,
): Promise<void> {
  if (!result || result.kind === 'known' || result.kind === 'spent') {
    item.sent = true
    item.bytes = undefined
    if (item.priced) readmit(worker)
    // A node that mines immediately may have had the block before it responded.
    worker.urgent = true
    context.wakeWatch()
    return
  }
  const { kind, message } = result
  if (kind === 'away' && context.circuit.isAway()) {
    item.delays++
    item.due = context.clock.now() + retryPause(item.delays, context.random)
    return
  }
  const bound = bounds[kind]
  if (kind === 'unclear' || kind === 'silent') item.attempts++
  else item.delays++
  const reason = kind === 'price' ? `${message} (all are sent at a gas price of 0)` : message
  const never = bound !== undefined && item.attempts >= bound
  if (never && item.live && (await replaceRejected(item, reason, worker, context))) return
  // A filler has the same price.
  item.priced = kind === 'price' && !item.live
  if (never && !item.live && !item.priced && (await fillFinal(item, reason, worker, context)))
    return
  await tryLater(item, reason, worker, context)
}

/** The node accepts transactions without a price again. */
function readmit({ items }: WalletWorker): void {
  for (const item of items.filter(({ priced }) => priced)) {
    item.priced = false
    item.due = 0
  }
}

/**
 * The number of failed attempts that end a submission. With the pauses between them, eight take about half a minute, and twelve
 * two or three minutes. Each takes longer by its timeout if no response arrives.
 */
const bounds: Partial<Record<BroadcastResult['kind'], number>> = {
  rejected: 0,
  price: 0,
  unclear: 8,
  silent: 12,
}

/** After this many attempts, the operator is notified. */
const LONG_ATTEMPTS = 8

async function tryLater(
  item: OutboxItem,
  reason: string,
  worker: WalletWorker,
  context: WorkerContext,
): Promise<void> {
  const { queueId, attempts, delays, nonce, live } = item
  const tries = attempts + delays
  const pause = retryPause(Math.max(1, tries), context.random)
  item.due = context.clock.now() + pause
  const long = tries >= LONG_ATTEMPTS || item === worker.items.find(({ sent }) => !sent)
  const level = item.priced ? (long ? 'error' : 'debug') : tries < LONG_ATTEMPTS ? 'info' : 'error'
  context.log[level](
    { wallet: worker.wallet, nonce, queueId, attempts: tries, reason },
    live ? 'sent again later' : 'what fills a nonce is not taken, and is sent again later',
  )
  // A gap before it may be the reason of the rejection, so the node is asked for the earlier transactions.
  worker.movedAt = Math.min(worker.movedAt, context.clock.now() - worker.patience)
  context.wakeWatch()
  if (queueId !== undefined) await context.ledger.postpone(queueId, attempts, pause)
}

export function causeText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Compares the transactions of the chain with those of the store. */
async function reload(worker: WalletWorker, context: WorkerContext): Promise<void> {
  const { clock, circuit } = context
  worker.reading = true
  worker.missed = false
  worker.stale = false
  try {
    let mined = await heardFrom(worker, context)
    if (mined === undefined) return
    let page = await context.loads.ask({ wallet: worker.wallet, from: 0, atMost: WINDOW })
    if (mined < page.spent) {
      // One of several nodes may lag behind, so only a repeated result is accepted.
      await new Promise<void>((resolve) => clock.after(context.timings.confirm, resolve))
      const again = await heardFrom(worker, context)
      if (again === undefined) return
      mined = Math.max(mined, again)
    }
    if (mined < page.spent) {
      const reopened = await context.ledger.reopen(worker.wallet, mined)
      if (reopened === undefined) {
        // The process that now has the wallet sends again; here, its transactions would look like a gap to be filled.
        worker.ended = true
        context.suspectReorg()
        return
      }
      context.log.warn(
        { wallet: worker.wallet, nonce: mined, reopened },
        'the chain went back: sent again',
      )
      page = await context.loads.ask({ wallet: worker.wallet, from: 0, atMost: WINDOW })
    }
    const last = page.rows.at(-1)
    worker.more = page.rows.length === WINDOW
    worker.next = worker.more && last ? last.nonce + 1 : page.nextNonce
    const items = page.rows.map((row) => outboxItem(row, clock.now()))
    for (const item of items) item.sent = item.nonce < mined
    const gap = await fillers(mined, items[0]?.nonce ?? page.nextNonce, worker, context)
    worker.items = [...gap, ...items]
    worker.mined = mined
    worker.movedAt = clock.now()
    worker.urgent = items.some(({ sent }) => sent)
    if (worker.urgent) context.wakeWatch()
  } catch (error) {
    worker.stale = true
    throw error
  } finally {
    worker.reading = false
    if (worker.missed) worker.more = true
    if (circuit.isAway()) worker.stale = true
  }
}

/** Undefined if the node is away, which is temporary; rejects if it responds, but not to this call. */
async function heardFrom(
  worker: WalletWorker,
  { chain, circuit }: WorkerContext,
): Promise<number | undefined> {
  try {
    return await chain.nonce(worker.address, 'latest')
  } catch (error) {
    if (!isSilence(error) || (await circuit.doubt())) throw error
    worker.stale = true
    return undefined
  }
}

/** After a reorg before the wallet's first submission, the chain lacks transactions that the store never had: fillers. */
async function fillers(
  from: number,
  to: number,
  worker: WalletWorker,
  context: WorkerContext,
): Promise<OutboxItem[]> {
  const nonces = Array.from(
    { length: Math.min(WINDOW, Math.max(0, to - from)) },
    (_, i) => from + i,
  )
  return Promise.all(
    nonces.map(async (nonce) => {
      const { raw: bytes, hash } = await signFiller(nonce, worker, context)
      const row = {
        queueId: '',
        nonce,
        hash,
        bytes,
        live: false,
        marked: true,
        attempts: 0,
        pause: 0,
      }
      return { ...outboxItem(row, 0), queueId: undefined }
    }),
  )
}

async function readMore(worker: WalletWorker, context: WorkerContext): Promise<void> {
  worker.reading = true
  worker.missed = false
  try {
    const atMost = roomOf(worker)
    const page = await context.loads.ask({ wallet: worker.wallet, from: worker.next, atMost })
    if (worker.stale) return
    const last = page.rows.at(-1)
    worker.items.push(...page.rows.map((row) => outboxItem(row, context.clock.now())))
    worker.more = page.rows.length === atMost
    worker.next = worker.more && last ? last.nonce + 1 : Math.max(worker.next, page.nextNonce)
  } finally {
    worker.reading = false
    if (worker.missed) worker.more = true
  }
}
