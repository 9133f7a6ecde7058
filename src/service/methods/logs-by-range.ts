import { type Ask, tooLarge } from '../node/ask.js'
import { MOST_RESPONSE_BYTES } from '../node/kept-fetch.js'
import type { Send } from './send.js'

/**
 * Reads logs of our own chain. anvil writes a whole response before it sends a byte, and takes 7 bytes of memory for each byte
 * of logs: one read of 144 MB of logs took 1 GB. So a range of blocks whose gas pays for many logs is read in parts first, of
 * which only the sizes are counted. Parsing them would hold every other caller.
 *
 * Throws the refusal of a response that is too large as soon as the parts together are.
 */
export const logsByRange = (send: Send, ask: Ask): Send => {
  const gasUsed: number[] = []

  const readGas = async (from: number, to: number, options: Options): Promise<void> => {
    const missing = []
    for (let block = from; block <= to; block += 1)
      if (gasUsed[block] === undefined) missing.push(block)
    await Promise.all(
      missing.map(async (block) => {
        const header = await ask('eth_getBlockByNumber', [hex(block), false], options)
        gasUsed[block] = Number(header?.gasUsed ?? 0)
      }),
    )
  }
  const numberOf = async (block: unknown, options: Options): Promise<number> => {
    if (block === 'earliest') return 0
    if (typeof block === 'string' && block.startsWith('0x')) return Number(block)
    const tag = block === 'safe' || block === 'finalized' ? block : 'latest'
    const header = await ask('eth_getBlockByNumber', [tag, false], options)
    return Number(header?.number ?? 0)
  }

  return async (params, options) => {
    const filter = (params[0] ?? {}) as Filter
    if (filter.blockHash !== undefined) return send(params, options)
    const [from, to, newest] = await Promise.all([
      numberOf(filter.fromBlock, options),
      numberOf(filter.toBlock, options),
      numberOf('latest', options),
    ])
    const end = Math.min(to, newest)
    if (from >= end) return send(params, options)
    for (let at = from; at <= end; at += MOST_HEADERS)
      await readGas(at, Math.min(end, at + MOST_HEADERS - 1), options)
    const parts = partsOf(from, end, gasUsed)
    let bytes = 0
    for (const [first, last] of parts.length > 1 ? parts : []) {
      const part = { ...filter, fromBlock: hex(first), toBlock: hex(last) }
      const size = await send([part], { ...options, isMeasuring: true })
      if (typeof size === 'number') bytes += size
      if (bytes > MOST_RESPONSE_BYTES) throw tooLarge()
    }
    return send(params, options)
  }
}

/** First and last block of each part. A block that passes the bound alone is a part by itself. */
const partsOf = (from: number, to: number, gasUsed: readonly number[]) => {
  const parts: (readonly [first: number, last: number])[] = []
  let first = from
  let sum = 0
  for (let block = from; block <= to; block += 1) {
    const gas = gasUsed[block] ?? 0
    if (block > first && sum + gas > MOST_GAS) {
      parts.push([first, block - 1])
      first = block
      sum = 0
    }
    sum += gas
  }
  return [...parts, [first, to] as const]
}

type Options = Parameters<Send>[1]

type Filter = {
  readonly blockHash?: unknown
  readonly fromBlock?: unknown
  readonly toBlock?: unknown
}

/** Of one part. A byte of a log costs 8 units of gas (G_logdata of the yellow paper), so that these pay for 12.5 MB at most. */
const MOST_GAS = 100_000_000

/** That are read at a time, of 1.8 KB each. */
const MOST_HEADERS = 1_000

const hex = (block: number): `0x${string}` => `0x${block.toString(16)}`
