import { pauseAfter } from './clock.js'
import { type Item, itemOf, type Lane, type Shop, WINDOW } from './lane.js'
import { fill, refuse, signFiller } from './refusal.js'
import { judgeAnswered, type Verdict } from './verdict.js'

/** Sends a wallet's transactions, one after the other in nonce order, until the lane has ended or has nothing to do. */
export async function runLane(lane: Lane, shop: Shop): Promise<void> {
  let troubles = 0
  while (!lane.ended) {
    try {
      await step(lane, shop)
      troubles = 0
    } catch (error) {
      troubles++
      shop.log.warn(
        { wallet: lane.wallet, reason: messageOf(error) },
        'a wallet waits for the store',
      )
      lane.stale = true
      await lane.bell.wait(pauseAfter(troubles, shop.random))
    }
  }
}

async function step(lane: Lane, shop: Shop): Promise<void> {
  const { clock, circuit, timings } = shop
  await circuit.answering()
  if (clock.now() >= lane.until) lane.ended = true
  if (lane.ended) return
  if (lane.stale) return readAnew(lane, shop)
  const item = lane.items.find(({ sent }) => !sent)
  if (!item) {
    if (lane.more && lane.items.length < WINDOW) return readMore(lane, shop)
    const rang = await lane.bell.wait(lane.items.length > 0 ? undefined : timings.linger)
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
  const verdict = await shop.sending(() => send(bytes, shop))
  await heed(verdict, item, lane, shop)
}

/** What is about to be sent says so first, together with what follows it. */
async function mark(item: Item, lane: Lane, { marks }: Shop): Promise<void> {
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

async function send(bytes: `0x${string}`, { chain }: Shop): Promise<Verdict | undefined> {
  try {
    await chain.send(bytes)
    return undefined
  } catch (error) {
    return judgeAnswered(error, chain)
  }
}

async function heed(
  verdict: Verdict | undefined,
  item: Item,
  lane: Lane,
  shop: Shop,
): Promise<void> {
  if (!verdict || verdict.kind === 'known' || verdict.kind === 'spent') {
    item.sent = true
    item.bytes = undefined
    // A node that mines at once may have had the block before its answer came.
    lane.urgent = true
    shop.wakeWatch()
    return
  }
  const { kind, message } = verdict
  if (kind === 'away') {
    shop.circuit.trip()
    item.silences++
    item.due = shop.clock.now() + pauseAfter(item.silences, shop.random)
    return
  }
  const never = kind === 'refused' || (kind === 'unclear' && item.attempts + 1 >= UNCLEAR_ATTEMPTS)
  if (never && item.live) return refuse(item, message, lane, shop)
  if (never && (await fill(item, message, lane, shop))) return
  await tryLater(item, message, lane, shop)
}

/** With the pauses between them this is half a minute or so. */
const UNCLEAR_ATTEMPTS = 8

async function tryLater(item: Item, reason: string, lane: Lane, shop: Shop): Promise<void> {
  item.attempts++
  const pause = pauseAfter(item.attempts, shop.random)
  item.due = shop.clock.now() + pause
  const { queueId, attempts, nonce } = item
  const level = item.live || attempts < UNCLEAR_ATTEMPTS ? 'info' : 'error'
  shop.log[level]({ wallet: lane.wallet, nonce, queueId, attempts, reason }, 'sent again later')
  // A refusal may come of a gap before it: whether the pool still has what went before is looked up.
  lane.movedAt = Math.min(lane.movedAt, shop.clock.now() - lane.patience)
  shop.wakeWatch()
  if (queueId !== undefined) await shop.ledger.postpone(queueId, attempts, pause)
}

/** What the chain has and what the store has, side by side. */
async function readAnew(lane: Lane, shop: Shop): Promise<void> {
  const { clock, circuit } = shop
  lane.reading = true
  lane.missed = false
  lane.stale = false
  try {
    let mined = await heardFrom(lane, shop)
    if (mined === undefined) return
    let page = await shop.loads.ask({ wallet: lane.wallet, from: 0, atMost: WINDOW })
    if (mined < page.spent) {
      // A node among several may lag behind: only what it says twice is believed.
      await new Promise<void>((resolve) => clock.after(shop.timings.confirm, resolve))
      const again = await heardFrom(lane, shop)
      if (again === undefined) return
      mined = Math.max(mined, again)
    }
    if (mined < page.spent) {
      const reopened = await shop.ledger.reopen(lane.wallet, mined)
      shop.log.warn(
        { wallet: lane.wallet, nonce: mined, reopened },
        'the chain went back: sent again',
      )
      page = await shop.loads.ask({ wallet: lane.wallet, from: 0, atMost: WINDOW })
    }
    const last = page.rows.at(-1)
    lane.more = page.rows.length === WINDOW
    lane.next = lane.more && last ? last.nonce + 1 : page.nextNonce
    const items = page.rows.map((row) => itemOf(row, clock.now()))
    for (const item of items) item.sent = item.nonce < mined
    const gap = await fillers(mined, items[0]?.nonce ?? page.nextNonce, lane, shop)
    lane.items = [...gap, ...items]
    lane.mined = mined
    lane.movedAt = clock.now()
    lane.urgent = items.some(({ sent }) => sent)
    if (lane.urgent) shop.wakeWatch()
  } catch (error) {
    lane.stale = true
    throw error
  } finally {
    lane.reading = false
    if (lane.missed) lane.more = true
    if (circuit.isAway()) lane.stale = true
  }
}

async function heardFrom(lane: Lane, { chain, circuit }: Shop): Promise<number | undefined> {
  try {
    return await chain.nonce(lane.address, 'latest')
  } catch {
    circuit.trip()
    lane.stale = true
    return undefined
  }
}

/** A chain that went back behind the wallet's first submission misses what the store never had; these stand for it. */
async function fillers(from: number, to: number, lane: Lane, shop: Shop): Promise<Item[]> {
  const nonces = Array.from(
    { length: Math.min(WINDOW, Math.max(0, to - from)) },
    (_, i) => from + i,
  )
  return Promise.all(
    nonces.map(async (nonce) => {
      const { raw: bytes, hash } = await signFiller(nonce, lane, shop)
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
      return { ...itemOf(row, 0), queueId: undefined }
    }),
  )
}

async function readMore(lane: Lane, shop: Shop): Promise<void> {
  lane.reading = true
  lane.missed = false
  try {
    const atMost = WINDOW - lane.items.length
    const page = await shop.loads.ask({ wallet: lane.wallet, from: lane.next, atMost })
    if (lane.stale) return
    const last = page.rows.at(-1)
    lane.items.push(...page.rows.map((row) => itemOf(row, shop.clock.now())))
    lane.more = page.rows.length === atMost
    lane.next = lane.more && last ? last.nonce + 1 : Math.max(lane.next, page.nextNonce)
  } finally {
    lane.reading = false
    if (lane.missed) lane.more = true
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
