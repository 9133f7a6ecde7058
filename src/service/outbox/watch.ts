import { isSilence, unlessRejected } from './broadcast-result.js'
import type { Bell } from './clock.js'
import { settle } from './settle.js'
import { messageOf } from './stream.js'
import type { WalletWorker, WorkerContext } from './wallet-worker.js'

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
  let failures = 0
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
    const mined = await Promise.all(
      asked.map(({ address }) => unlessRejected(chain.nonce(address, 'latest'))),
    )
    for (const [index, lane] of asked.entries()) hear(lane, mined[index])
    if (news) height = number
    const settled = await settle(waiting, shop)
    await Promise.all(waiting.map((lane) => findLost(lane, shop)))
    return settled > 0 || news
  }

  const hear = (lane: WalletWorker, mined: number | undefined) => {
    if (mined === undefined) {
      lane.urgent = true
      return
    }
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
        const level = failures % TOLD === 0 ? 'warn' : 'debug'
        log[level]({ failures, reason: messageOf(error) }, 'receipts are looked for later')
        if (isSilence(error)) await circuit.doubt()
        for (const lane of lanes()) lane.urgent = true
        pause = Math.min(timings.latest, Math.max(50, pause * 2))
      }
      lookedAt = clock.now()
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

type WatchOptions = {
  readonly shop: WorkerContext
  readonly lanes: () => readonly WalletWorker[]
  /** Rung when something was sent. */
  readonly bell: Bell
  /** The chain lost blocks. */
  readonly onSetback: () => void
}

type Watch = { readonly stop: () => Promise<void> }

const isWaiting = (lane: WalletWorker) =>
  !lane.ended && !lane.reading && (lane.urgent || lane.items.some(({ sent }) => sent))

/** Of several nodes one may lag behind: a chain is shorter when it is told so this often, with time between. */
const LOWER = 4

/** Of so many looks in a row that fail, one is told to the operator. */
const TOLD = 16

/** What stands still may have been forgotten by its node, which was restarted or has thrown it out: then it is sent again. */
async function findLost(lane: WalletWorker, shop: WorkerContext): Promise<void> {
  const { chain, clock, log, timings } = shop
  if (lane.reading || clock.now() - lane.movedAt < lane.patience) return
  lane.movedAt = clock.now()
  lane.urgent = true
  lane.patience = Math.min(lane.patience * 2, 12 * timings.stall)
  const flying = lane.items.filter(({ sent, nonce }) => sent && nonce >= lane.mined)
  const known = await Promise.all(flying.map(({ hash }) => unlessRejected(chain.knows(hash))))
  const lost = flying.filter((_, index) => known[index] === false)
  if (lost.length === 0) return
  log.warn(
    { wallet: lane.wallet, nonces: lost.map(({ nonce }) => nonce) },
    'the node forgot what it was sent',
  )
  lane.stale = true
  lane.bell.ring()
}
