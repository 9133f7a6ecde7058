import type { Receipt } from '../node/chain.js'
import { isSilence, receiptOf, unlessRejected } from './broadcast-result.js'
import type { Wakeup } from './clock.js'
import type { FinalState } from './ledger.js'
import { yieldNonce } from './replace-rejected.js'
import { createSeenBlocks, type SeenBlocks } from './seen-blocks.js'
import { causeText } from './stream.js'
import { type OutboxItem, remove, type WalletWorker, type WorkerContext } from './wallet-worker.js'

/**
 * Looks for the receipts of sent transactions: soon after sending, then less often, and only after a new block. A wallet's
 * number of mined nonces shows which receipts to request.
 */
export function createWatch(options: WatchOptions): Watch {
  const { context, workers, wakeup, onReorg } = options
  const { chain, clock, circuit, timings, log } = context
  const blocks = createSeenBlocks(context)
  let height = -1
  /** How often in a row the node reported a lower block number, or other blocks. */
  let doubts = 0
  let pause = timings.soonest
  /** The time between blocks while transactions are pending, which sets the interval of checks. */
  let rhythm = timings.soonest
  let newsAt = clock.now()
  let lookedAt = Number.NEGATIVE_INFINITY
  let failures = 0
  let stopped = false

  const look = async () => {
    const waiting = workers().filter(isWaiting)
    const number = await chain.blockNumber()
    const news = number > height
    const asked = waiting.filter((worker) => news || worker.urgent)
    // Reset before the request: the response does not include transactions that are sent meanwhile.
    for (const worker of asked) worker.urgent = false
    // The head is read before receipts: those of blocks that replace it are checked too.
    const [head, ...mined] = await Promise.all([
      blocks.read(number),
      ...asked.map(({ address }) => unlessRejected(chain.nonce(address, 'latest'))),
    ])
    for (const [index, worker] of asked.entries()) onNonce(worker, mined[index])
    const isLower = number < height
    if (news) height = number
    const [isReplaced, settled] = await Promise.all([
      head && !isLower ? blocks.check(head) : false,
      settle(waiting, blocks, context),
    ])
    doubts = isLower || isReplaced ? doubts + 1 : 0
    if (doubts === DOUBTS) {
      log.warn({ from: height, to: number }, 'blocks of the chain were replaced')
      doubts = 0
      height = number
      blocks.restart(head)
      onReorg()
    }
    await Promise.all(waiting.map((worker) => findLost(worker, context)))
    return settled > 0 || news
  }

  const onNonce = (worker: WalletWorker, mined: number | undefined) => {
    if (mined === undefined) {
      worker.urgent = true
      return
    }
    if (mined >= worker.mined) worker.lowSince = undefined
    else if (worker.lowSince === undefined) {
      worker.lowSince = clock.now()
      worker.urgent = true
    } else if (clock.now() - worker.lowSince >= 2 * timings.confirm) {
      worker.lowSince = undefined
      worker.stale = true
      worker.wakeup.wake()
    } else worker.urgent = true
    if (mined > worker.mined) {
      worker.mined = mined
      worker.movedAt = clock.now()
      worker.patience = timings.stall
    }
  }

  const paced = (news: boolean) => {
    const now = clock.now()
    if (news) {
      rhythm = Math.min(timings.latest / 4, rhythm / 2 + (now - newsAt) / 40)
      newsAt = now
    }
    pause = news ? Math.max(timings.shortest, rhythm) : Math.min(timings.latest, pause * 1.5)
  }

  const run = async () => {
    while (!stopped) {
      const idle = !workers().some(isWaiting)
      const woken = await wakeup.wait(doubts > 0 ? timings.confirm : idle ? timings.idle : pause)
      if (stopped) return
      if (woken) {
        // A transaction that was just sent has no receipt yet.
        if (idle) newsAt = clock.now()
        if (failures === 0) pause = Math.min(pause, Math.max(timings.soonest, rhythm))
        const rest = lookedAt + (failures > 0 ? pause : timings.shortest) - clock.now()
        await new Promise<void>((resolve) => {
          clock.after(Math.max(timings.soonest, rest), resolve)
        })
      }
      await circuit.answering()
      if (stopped) return
      try {
        paced(await look())
        failures = 0
      } catch (error) {
        failures++
        const level = failures % WARNED === 0 ? 'warn' : 'debug'
        log[level]({ failures, reason: causeText(error) }, 'receipts are looked for later')
        if (isSilence(error)) await circuit.doubt()
        for (const worker of workers()) worker.urgent = true
        pause = Math.min(timings.latest, Math.max(50, pause * 2))
      }
      lookedAt = clock.now()
    }
  }
  const running = run()

  return {
    stop: () => {
      stopped = true
      wakeup.wake()
      return running
    },
  }
}

type WatchOptions = {
  readonly context: WorkerContext
  readonly workers: () => readonly WalletWorker[]
  /** Woken when something was sent. */
  readonly wakeup: Wakeup
  /** The chain lost blocks. */
  readonly onReorg: () => void
}

type Watch = { readonly stop: () => Promise<void> }

const isWaiting = (worker: WalletWorker) =>
  !worker.ended && !worker.reading && (worker.urgent || worker.items.some(({ sent }) => sent))

/** One of several nodes may lag behind: a reorg is assumed after this many results, with time between them. */
const DOUBTS = 4

/** One in this many failed checks in a row is a warning in the log. */
const WARNED = 16

/** Sends transactions without progress again if the node lost them, after a restart or because its pool dropped them. */
async function findLost(worker: WalletWorker, context: WorkerContext): Promise<void> {
  const { chain, clock, log, timings } = context
  if (worker.reading || clock.now() - worker.movedAt < worker.patience) return
  worker.movedAt = clock.now()
  worker.urgent = true
  worker.patience = Math.min(worker.patience * 2, 12 * timings.stall)
  const flying = worker.items.filter(({ sent, nonce }) => sent && nonce >= worker.mined)
  const known = await Promise.all(flying.map(({ hash }) => unlessRejected(chain.knows(hash))))
  const lost = flying.filter((_, index) => known[index] === false)
  if (lost.length === 0) return
  log.warn(
    { wallet: worker.wallet, nonces: lost.map(({ nonce }) => nonce) },
    'the node forgot what it was sent',
  )
  worker.stale = true
  worker.wakeup.wake()
}

/** Removes spent nonces from their workers, with one statement. Returns their number. */
async function settle(
  workers: readonly WalletWorker[],
  blocks: SeenBlocks,
  context: WorkerContext,
): Promise<number> {
  const spent = workers
    .flatMap((worker) => worker.items.map((item) => ({ item, worker })))
    .filter(({ item, worker }) => item.nonce < worker.mined && (item.sent || !item.live))
    .slice(0, AT_ONCE)
  const closed: Closed[] = []
  const receipts = await Promise.all(
    spent.map(({ item }) =>
      item.live ? unlessRejected(receiptOf(context.chain, item.hash)) : 'filler',
    ),
  )
  for (const [index, { item, worker }] of spent.entries()) {
    const found = receipts[index]
    if (found === undefined) worker.urgent = true
    else if (found === 'filler') closed.push({ item, worker })
    else if (found.receipt !== null) {
      if (found.receipt) blocks.add(found.receipt)
      closed.push({ item, worker, mined: { receipt: found.receipt } })
    } else if (await isLost(item, worker, context)) closed.push({ item, worker })
  }
  if (spent.length === AT_ONCE) for (const { worker } of spent) worker.urgent = true
  return close(closed, context)
}

/** Receipts per check: enough to fill a batch of calls, few enough that the first one is not delayed. */
const AT_ONCE = 400

type Closed = {
  readonly item: OutboxItem
  readonly worker: WalletWorker
  /** Undefined if another transaction has the nonce. */
  readonly mined?: { readonly receipt: Receipt | undefined }
}

async function close(closed: readonly Closed[], context: WorkerContext): Promise<number> {
  const ends = closed.flatMap(({ item, mined }) =>
    item.queueId === undefined ? [] : [endOf(item.queueId, mined?.receipt)],
  )
  const done = ends.length > 0 ? await context.ledger.settle(ends) : new Set<string>()
  const gone = new Map<WalletWorker, Set<OutboxItem>>()
  for (const { item, worker, mined } of closed) {
    const { queueId } = item
    if (queueId !== undefined && !done.has(queueId)) {
      worker.ended = true
      worker.wakeup.wake()
      continue
    }
    gone.set(worker, (gone.get(worker) ?? new Set()).add(item))
    if (queueId === undefined || mined === undefined) continue
    const { receipt } = mined
    const { status, message } = endOf(queueId, receipt)
    context.onSettled(
      queueId,
      status === 'completed' ? { status, receipt } : { status, errorMessage: message ?? '' },
    )
  }
  for (const [worker, items] of gone) remove(worker, items)
  return closed.length
}

function endOf(queueId: string, receipt: Receipt | undefined): FinalState {
  const reverted = receipt?.status !== undefined && BigInt(receipt.status) === 0n
  return reverted
    ? { queueId, status: 'error', message: 'the transaction was mined and reverted' }
    : { queueId, status: 'completed' }
}

/** Whether another transaction has the nonce: it is mined, there is no receipt of ours, and the node does not only lag behind. */
async function isLost(
  item: OutboxItem,
  worker: WalletWorker,
  context: WorkerContext,
): Promise<boolean> {
  worker.urgent = true
  const now = context.clock.now()
  item.missingSince ??= now
  if (now - item.missingSince < context.timings.grace) return false
  const known = await unlessRejected(context.chain.knows(item.hash))
  if (known === undefined) return false
  // One of several nodes may lag behind: two responses must not know it, with time between them.
  if (known || !item.denied) {
    item.missingSince = now
    item.denied = !known
    return false
  }
  return yieldNonce(item, worker, context)
}
