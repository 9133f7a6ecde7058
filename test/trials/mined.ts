import { createRpc } from 'twinspec/runtime/rpc'
import { hexToString } from 'viem'
import { rpcService } from '../../generated/operations.js'
import type { RpcClient } from '../../generated/rpc.client.js'
import { rpcValidators } from '../../generated/validators.js'

/** Every transaction of a chain in the order it was mined, read block by block over JSON-RPC. */
export const minedOn = async (nodeUrl: string): Promise<readonly Mined[]> => {
  const service = { ...rpcService, path: '' }
  const options = { server: nodeUrl, batch: 'auto' } as const
  const rpc = createRpc<RpcClient>(service, rpcValidators, options)
  const last = Number(await rpc.ethBlockNumber())
  const mined: Mined[] = []
  for (let first = 0; first <= last; first += BLOCKS) {
    const numbers = Array.from({ length: Math.min(BLOCKS, last + 1 - first) }, (_, i) => first + i)
    const blocks = await Promise.all(
      numbers.map((number) => rpc.ethGetBlockByNumber(`0x${number.toString(16)}`, true)),
    )
    for (const block of blocks)
      for (const transaction of block?.transactions ?? []) {
        if (typeof transaction === 'string') throw new Error('the node sent hashes only')
        mined.push({
          from: String(transaction.from),
          nonce: Number(transaction.nonce),
          hash: String(transaction.hash),
          input: transaction.input as `0x${string}`,
        })
      }
  }
  return mined
}

export type Mined = {
  readonly from: string
  readonly nonce: number
  readonly hash: string
  readonly input: `0x${string}`
}

/** How often each text was written to the chain. */
export const textsOf = (mined: readonly Mined[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { input } of mined) {
    const text = input === '0x' ? '' : hexToString(input)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

/** Senders whose nonces are not 0, 1, 2 … in the order in which they were mined. */
export const outOfOrder = (mined: readonly Mined[]): readonly string[] => {
  const next = new Map<string, number>()
  const wrong: string[] = []
  for (const { from, nonce } of mined) {
    const due = next.get(from) ?? 0
    if (nonce !== due) wrong.push(`${from} used nonce ${nonce} where ${due} was due`)
    next.set(from, nonce + 1)
  }
  return wrong
}

/** What one request may ask for at once (`x-limits`). */
const BLOCKS = 40
