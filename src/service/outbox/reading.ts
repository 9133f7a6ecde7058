import { isSilence } from './broadcast-result.js'
import { signFiller } from './replace-rejected.js'
import {
  type Item,
  itemOf,
  roomOf,
  type WalletWorker,
  WINDOW,
  type WorkerContext,
} from './wallet-worker.js'

/** What the chain has and what the store has, side by side. */
export async function readAnew(lane: WalletWorker, shop: WorkerContext): Promise<void> {
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
      if (reopened === undefined) {
        // Whoever has it by now sends again what the store has; to us that would look like a gap to be filled.
        lane.ended = true
        shop.suspectSetback()
        return
      }
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

/** Undefined where the node is away, which ends by itself; rejects where it answers, but not to this. */
async function heardFrom(
  lane: WalletWorker,
  { chain, circuit }: WorkerContext,
): Promise<number | undefined> {
  try {
    return await chain.nonce(lane.address, 'latest')
  } catch (error) {
    if (!isSilence(error) || (await circuit.doubt())) throw error
    lane.stale = true
    return undefined
  }
}

/** A chain that went back behind the wallet's first submission misses what the store never had; these stand for it. */
async function fillers(
  from: number,
  to: number,
  lane: WalletWorker,
  shop: WorkerContext,
): Promise<Item[]> {
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

export async function readMore(lane: WalletWorker, shop: WorkerContext): Promise<void> {
  lane.reading = true
  lane.missed = false
  try {
    const atMost = roomOf(lane)
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
