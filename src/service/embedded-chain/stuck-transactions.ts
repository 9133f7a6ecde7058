import type { AnvilCall, AnvilRpc } from './anvil.js'

/**
 * Watches for transactions that anvil forgets in its pool during bursts (foundry #10122), and makes it mine them. `look`
 * checks once, and returns its actions.
 * Ready transactions that the miner forgets are mined by a request. Others wait for a nonce that was mined during their
 * validation, and would wait forever. They are removed and added again while nothing is mined.
 */
export function createStuckWatch(anvil: AnvilRpc, now: () => number = Date.now): Watch {
  let lastBlock: unknown
  let nextQueueLook = 0
  let queuePause = QUEUE_PAUSE
  let seen: ReadonlyMap<string, Suspect> = new Map()

  const lookAtQueue = async (): Promise<number> => {
    const stuck = await findStuck(anvil)
    // A gap in a sender's nonces is not anvil's fault, and transactions after it may wait for long.
    queuePause = stuck.length > 0 ? QUEUE_PAUSE : Math.min(queuePause * 2, LONGEST_QUEUE_PAUSE)
    const before = seen
    seen = new Map(
      stuck.map((one) => [one.key, { ...one, times: (before.get(one.key)?.times ?? 0) + 1 }]),
    )
    // Transactions that arrive while those of their sender are removed would be lost, so it must be a sender without new ones.
    const ripe = [...seen.values()].filter(
      ({ key, count, times }) => before.get(key)?.count === count || times > IMPATIENT,
    )
    if (ripe.length === 0) return 0
    return putInAgain(
      anvil,
      ripe.map(({ sender }) => sender),
    )
  }

  return {
    look: async () => {
      const [block, status] = await anvil.batch([['eth_blockNumber'], ['txpool_status']])
      const { pending, queued } = status as { pending: string; queued: string }
      const halted = block === lastBlock
      lastBlock = block
      const mined = Number(pending) > 0 && halted
      if (mined) await anvil.call('evm_mine')
      if (Number(queued) === 0) {
        queuePause = QUEUE_PAUSE
        seen = new Map()
        return { mined, freed: 0 }
      }
      if (now() < nextQueueLook) return { mined, freed: 0 }
      const freed = await lookAtQueue()
      nextQueueLook = now() + queuePause
      return { mined, freed }
    },
  }
}

export type Watch = { readonly look: () => Promise<WatchResult> }

export type WatchResult = {
  /** A block was mined for ready transactions that the miner had forgotten. */
  readonly mined: boolean
  /** The number of stuck transactions that were added again. */
  readonly freed: number
}

/** Milliseconds. */
const QUEUE_PAUSE = 250
const LONGEST_QUEUE_PAUSE = 8_000

/** How often a sender with continuous new transactions is found stuck before its transactions are added again anyway. */
const IMPATIENT = 12

type Stuck = {
  readonly sender: string
  /** The sender and the nonce that it is stuck at. */
  readonly key: string
  /** The number of its waiting transactions. */
  readonly count: number
}

type Suspect = Stuck & { readonly times: number }

/** Senders whose next transaction is listed as waiting for another one. */
async function findStuck(anvil: AnvilRpc): Promise<readonly Stuck[]> {
  const { queued } = (await anvil.call('txpool_inspect')) as { queued: ByNonce<string> }
  const senders = Object.keys(queued)
  const nonces = await inGroups(anvil, senders, (one) => ['eth_getTransactionCount', one, 'latest'])
  return senders.flatMap((sender, index) => {
    const next = Number(nonces[index])
    const waiting = queued[sender] ?? {}
    if (waiting[next] === undefined) return []
    return [{ sender, key: `${sender} ${next}`, count: Object.keys(waiting).length }]
  })
}

async function putInAgain(anvil: AnvilRpc, senders: readonly string[]): Promise<number> {
  await anvil.call('evm_setAutomine', false)
  try {
    const content = (await anvil.call('txpool_content')) as Pool<{ readonly hash: string }>
    const hashes = senders.map((sender) => inOrder(content, sender).map(([, { hash }]) => hash))
    const raws = await inGroups(anvil, hashes.flat(), (hash) => [
      'eth_getRawTransactionByHash',
      hash,
    ])
    const rawOf = new Map(hashes.flat().map((hash, index) => [hash, raws[index]]))
    // Reading takes time: senders with new transactions are left for the next look.
    const now = (await anvil.call('txpool_inspect')) as Pool<string>
    const whole = senders.flatMap((sender, index) => {
      const own = hashes[index]?.flatMap((hash) => rawOf.get(hash) ?? []) ?? []
      return own.length === inOrder(now, sender).length ? [{ sender, raws: own }] : []
    })
    await inGroups(anvil, whole, ({ sender }) => ['anvil_removePoolTransactions', sender])
    const again = whole.flatMap((one) => one.raws)
    // A transaction that was mined meanwhile is rejected, as expected.
    await inGroups(anvil, again, (raw) => ['eth_sendRawTransaction', raw], 'passes')
    return again.length
  } finally {
    await anvil.call('evm_setAutomine', true)
    await anvil.call('evm_mine')
  }
}

type Pool<T> = Readonly<Record<'queued' | 'pending', ByNonce<T>>>

/** A sender's transactions by nonce, the lowest first. */
function inOrder<T>({ queued, pending }: Pool<T>, sender: string): readonly [string, T][] {
  const all = { ...queued[sender], ...pending[sender] }
  return Object.entries(all).sort(([a], [b]) => Number(a) - Number(b))
}

type ByNonce<T> = Readonly<Record<string, Readonly<Record<string, T>>>>

async function inGroups<T>(
  anvil: AnvilRpc,
  items: readonly T[],
  callOf: (item: T) => AnvilCall,
  rejected: 'rejects' | 'passes' = 'rejects',
): Promise<readonly unknown[]> {
  const results: unknown[] = []
  for (let start = 0; start < items.length; start += 100) {
    const group = anvil.batch(items.slice(start, start + 100).map(callOf), 60_000)
    results.push(...(await (rejected === 'rejects' ? group : group.catch(() => []))))
  }
  return results
}
