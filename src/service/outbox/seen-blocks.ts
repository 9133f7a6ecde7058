import type { Hex } from 'viem'
import type { Receipt } from '../node/chain.js'
import type { WorkerContext } from './wallet-worker.js'

/**
 * The newest blocks that this process has seen on the chain: the head, and the blocks of receipts. While the chain has them, it
 * has all blocks before them. A reorg to an equal or greater height shows only by their hashes.
 */
export function createSeenBlocks({ chain, clock, timings, suspectReorg }: Context): SeenBlocks {
  /** The head at the last check, then blocks of receipts. */
  let seen: readonly Block[] = []
  /** Those before this check: blocks of receipts may be added while it runs. */
  let before = seen
  let height = -1
  let checkedAt = Number.NEGATIVE_INFINITY

  /** A node without this call, or without a response to it, must not delay receipts. */
  const hashAt = (number: number) => chain.blockHash(number).catch(() => undefined)
  const isReplaced = async ({ number, hash }: Block) => {
    const now = await hashAt(number)
    return now === undefined ? undefined : now !== hash
  }

  return {
    read: async (number) => {
      before = seen
      if (
        number === (seen[0]?.number ?? height) &&
        seen.length <= 1 &&
        clock.now() - checkedAt < timings.idle
      )
        return
      height = number
      checkedAt = clock.now()
      const hash = await hashAt(number)
      return hash ? { number, hash } : undefined
    },
    add: ({ blockNumber, blockHash }) => {
      const block = { number: Number(blockNumber), hash: blockHash as Hex }
      if (seen.length === 0 || seen.some(({ hash }) => hash === block.hash)) return
      const [head, ...rest] = seen
      seen = [head as Block, ...rest.slice(1 - MOST), block]
    },
    check: async (head) => {
      if (before.length === 0) {
        seen = [head]
        // Blocks may have been replaced before this one was seen.
        suspectReorg()
        return false
      }
      // The hash of the head was read before these, so no reorg between the two reads is missed.
      const replaced = await Promise.all(
        before.map((block) => (block.hash === head.hash ? false : isReplaced(block))),
      )
      if (replaced.includes(true)) checkedAt = Number.NEGATIVE_INFINITY
      if (replaced.every((each) => each === false)) {
        const rest = seen.filter((block) => !before.includes(block) || block.number > head.number)
        seen = [head, ...rest.filter(({ hash }) => hash !== head.hash)]
      }
      return replaced.includes(true)
    },
    restart: (head) => {
      seen = head ? [head, ...seen.filter((block) => !before.includes(block))] : []
    },
  }
}

type Context = Pick<WorkerContext, 'chain' | 'clock' | 'timings' | 'suspectReorg'>

/** On a chain that mines each transaction at once, a block for each would be checked. */
const MOST = 5

type Block = { readonly number: number; readonly hash: Hex }

export type SeenBlocks = {
  /** The block of this height, if it is time for a check; undefined also if the node does not return it. */
  readonly read: (number: number) => Promise<Block | undefined>
  /** Call it before the submission of the receipt is completed. */
  readonly add: (receipt: Pick<Receipt, 'blockNumber' | 'blockHash'>) => void
  /** Whether the node has another block, or none, in place of one that was seen. Else, `head` follows them. */
  readonly check: (head: Block) => Promise<boolean>
  /** After a reorg, the chain that ends with `head` is the one to compare with. */
  readonly restart: (head: Block | undefined) => void
}
