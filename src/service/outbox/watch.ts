import { CallError, HttpError, RpcError } from 'twinspec/runtime/errors'
import type { Receipt } from '../node/chain.js'
import type { Bell } from './clock.js'
import { type Item, type Lane, remove, type Shop } from './lane.js'
import type { End } from './ledger.js'
import { yieldNonce } from './refusal.js'
import { messageOf } from './stream.js'
import { judge } from './verdict.js'

/**
 * Looks for what became of the transactions sent: soon after one was sent, then more seldom, and only where there is a new
 * block. A wallet's count of mined nonces says which receipts there are to be fetched.
 */
export function createWatch(options: WatchOptions): Watch {
  const { shop, lanes, bell, onSetback } = options
  const { chain, clock, circuit, timings, log } = shop
  let height = -1
  /** How often in a row it was told to be lower. */
  let lower = 0
  let pause = timings.soonest
  /** How long blocks take while something is awaited: how often it is worth asking. */
  let rhythm = timings.soonest
  let newsAt = clock.now()
  let lookedAt = Number.NEGATIVE_INFINITY
  let stopped = false

  const look = async () => {
    const waiting = lanes().filter(isWaiting)
    const number = await chain.blockNumber()
    lower = number < height ? lower + 1 : 0
    if (lower === LOWER) {
      log.warn({ from: height, to: number }, 'the chain is shorter than it was')
      onSetback()
    }
    const news = number > height || lower === LOWER
    const asked = waiting.filter((lane) => news || lane.urgent)
    // Before the question: what is sent meanwhile is not in the answer.
    for (const lane of asked) lane.urgent = false
    const mined = await Promise.all(asked.map((lane) => chain.nonce(lane.address, 'latest')))
    for (const [index, lane] of asked.entries()) hear(lane, mined[index] as number)
    if (news) height = number
    const settled = await settle(waiting, shop)
    await Promise.all(waiting.map((lane) => findLost(lane, shop)))
    return settled > 0 || news
  }

  const hear = (lane: Lane, mined: number) => {
    if (mined >= lane.mined) lane.lowSince = undefined
    else if (lane.lowSince === undefined) {
      lane.lowSince = clock.now()
      lane.urgent = true
    } else if (clock.now() - lane.lowSince >= 2 * timings.confirm) {
      lane.lowSince = undefined
      lane.stale = true
      lane.bell.ring()
    } else lane.urgent = true
    if (mined > lane.mined) {
      lane.mined = mined
      lane.movedAt = clock.now()
      lane.patience = timings.stall
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
      const idle = !lanes().some(isWaiting)
      const rang = await bell.wait(
        lower > 0 && lower < LOWER ? timings.confirm : idle ? timings.idle : pause,
      )
      if (stopped) return
      if (rang) {
        // Something was sent: there is nothing to be seen at once.
        if (idle) newsAt = clock.now()
        pause = Math.min(pause, Math.max(timings.soonest, rhythm))
        const rest = lookedAt + timings.shortest - clock.now()
        await new Promise<void>((resolve) => {
          clock.after(Math.max(timings.soonest, rest), resolve)
        })
      }
      await circuit.answering()
      if (stopped) return
      try {
        paced(await look())
        lookedAt = clock.now()
      } catch (error) {
        log.debug({ reason: messageOf(error) }, 'receipts are looked for later')
        if (isNodes(error)) circuit.trip()
        for (const lane of lanes()) lane.urgent = true
        pause = Math.min(timings.latest, Math.max(50, pause * 2))
      }
    }
  }
  const running = run()

  return {
    stop: () => {
      stopped = true
      bell.ring()
      return running
    },
  }
}

export type WatchOptions = {
  readonly shop: Shop
  readonly lanes: () => readonly Lane[]
  /** Rung when something was sent. */
  readonly bell: Bell
  /** The chain lost blocks. */
  readonly onSetback: () => void
}

export type Watch = { readonly stop: () => Promise<void> }

const isWaiting = (lane: Lane) =>
  !lane.ended && !lane.reading && (lane.urgent || lane.items.some(({ sent }) => sent))

/** Neither the store's trouble nor a fault of our own says anything of the node. */
const isNodes = (error: unknown) =>
  error instanceof CallError ||
  error instanceof HttpError ||
  (error instanceof RpcError && judge(error).kind === 'again')

/** Of several nodes one may lag behind: a chain is shorter when it is told so this often, with time between. */
const LOWER = 4

/** Spent nonces leave their lanes, by one statement. Answers how many. */
async function settle(lanes: readonly Lane[], shop: Shop): Promise<number> {
  const spent = lanes
    .flatMap((lane) => lane.items.map((item) => ({ item, lane })))
    .filter(({ item, lane }) => item.nonce < lane.mined && (item.sent || !item.live))
    .slice(0, AT_ONCE)
  const closed: Closed[] = []
  const receipts = await Promise.all(
    spent.map(({ item }) => (item.live ? receiptOf(item, shop) : undefined)),
  )
  for (const [index, { item, lane }] of spent.entries()) {
    const receipt = receipts[index]
    if (receipt === 'unsaid') lane.urgent = true
    else if (receipt === undefined) closed.push({ item, lane })
    else if (receipt !== null) closed.push({ item, lane, receipt })
    else if (await isLost(item, lane, shop)) closed.push({ item, lane })
  }
  if (spent.length === AT_ONCE) for (const { lane } of spent) lane.urgent = true
  return close(closed, shop)
}

/** A node that refuses one receipt, as it does while it builds its index, is asked again and holds up no other. */
async function receiptOf({ hash }: Item, { chain }: Shop): Promise<Receipt | null | 'unsaid'> {
  try {
    return await chain.receipt(hash)
  } catch (error) {
    if (error instanceof RpcError) return 'unsaid'
    throw error
  }
}

/** Receipts by one look: so many that a batch of calls is full, so few that nobody waits long for the first. */
const AT_ONCE = 400

type Closed = { readonly item: Item; readonly lane: Lane; readonly receipt?: Receipt }

async function close(closed: readonly Closed[], shop: Shop): Promise<number> {
  const ends = closed.flatMap(({ item, receipt }) =>
    item.queueId === undefined ? [] : [endOf(item.queueId, receipt)],
  )
  const done = ends.length > 0 ? await shop.ledger.settle(ends) : new Set<string>()
  const gone = new Map<Lane, Set<Item>>()
  for (const { item, lane, receipt } of closed) {
    const { queueId } = item
    if (queueId !== undefined && !done.has(queueId)) {
      lane.ended = true
      lane.bell.ring()
      continue
    }
    gone.set(lane, (gone.get(lane) ?? new Set()).add(item))
    if (queueId === undefined || !receipt) continue
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
async function isLost(item: Item, lane: Lane, shop: Shop): Promise<boolean> {
  lane.urgent = true
  const now = shop.clock.now()
  item.missingSince ??= now
  if (now - item.missingSince < shop.timings.grace) return false
  const known = await shop.chain.knows(item.hash)
  // One of several nodes may lag behind: it takes two that do not know it, and time between them.
  if (known || !item.denied) {
    item.missingSince = now
    item.denied = !known
    return false
  }
  return yieldNonce(item, lane, shop)
}

/** What stands still may have been forgotten by its node, which was restarted or has thrown it out: then it is sent again. */
async function findLost(lane: Lane, shop: Shop): Promise<void> {
  const { chain, clock, log, timings } = shop
  if (lane.reading || clock.now() - lane.movedAt < lane.patience) return
  lane.movedAt = clock.now()
  lane.urgent = true
  lane.patience = Math.min(lane.patience * 2, 12 * timings.stall)
  const flying = lane.items.filter(({ sent, nonce }) => sent && nonce >= lane.mined)
  const known = await Promise.all(flying.map(({ hash }) => chain.knows(hash)))
  const lost = flying.filter((_, index) => !known[index])
  if (lost.length === 0) return
  log.warn(
    { wallet: lane.wallet, nonces: lost.map(({ nonce }) => nonce) },
    'the node forgot what it was sent',
  )
  lane.stale = true
  lane.bell.ring()
}
