import { RpcError } from 'twinspec/runtime/errors'
import { type Ask, responseTooLarge } from '../node/ask.js'
import { MOST_RESPONSE_BYTES } from '../node/kept-fetch.js'
import type { SendCall } from './method-parts.js'

/**
 * Limits the cost of one call on our own chain, like other nodes. anvil runs any amount of gas, one call at a time, and every
 * caller waits meanwhile. Throws the documented error for too many blocks.
 */
export const boundWork = (method: string, params: readonly unknown[]): readonly unknown[] => {
  const [first, ...rest] = params
  if (method === 'eth_simulateV1') return [boundSimulation(first), ...rest]
  if (method === 'debug_traceCall' && !hasTracer(params[2]))
    return [boundGas(first, MOST_TRACED), ...rest]
  return BOUNDED.has(method) ? [boundGas(first, MOST_GAS), ...rest] : params
}

/** geth's default (`--rpc.gascap`), and enough for a payload of 1 MB. It runs in 0.03 s. */
const MOST_GAS = 50_000_000

/** A trace has an entry for every step; this much gas leads to at least 20 MB of them (`bounded-trace.ts`). */
const MOST_TRACED = 1_000_000

/** The limit of all calls of one simulation together, which reduces the limit of each. A unit of gas may return two bytes. */
const MOST_SIMULATED = 2 * MOST_GAS

/** Same as in geth. */
const MOST_BLOCKS = 256

const BOUNDED = new Set(['eth_call', 'eth_createAccessList', 'eth_estimateGas', 'debug_traceCall'])

type Fields = Readonly<Record<string, unknown>>

/** The document's schemas have validated that the value is an object. */
const fields = (value: unknown): Fields => (value ?? {}) as Fields

const hasTracer = (config: unknown): boolean => (fields(config).tracer ?? '') !== ''

const boundGas = (call: unknown, most: number): Fields => {
  const { gas } = fields(call)
  const enough = typeof gas === 'string' && BigInt(gas) <= BigInt(most)
  return enough ? fields(call) : { ...fields(call), gas: `0x${most.toString(16)}` }
}

const boundSimulation = (payload: unknown): Fields => {
  const blocks = (fields(payload).blockStateCalls ?? []) as readonly Fields[]
  if (blocks.length > MOST_BLOCKS) throw tooManyBlocks()
  const calls = blocks.reduce((sum, block) => sum + callsOf(block).length, 0)
  const most = Math.min(MOST_GAS, Math.floor(MOST_SIMULATED / Math.max(calls, 1)))
  return {
    ...fields(payload),
    blockStateCalls: blocks.map((block) =>
      block.calls === undefined
        ? block
        : { ...block, calls: callsOf(block).map((call) => boundGas(call, most)) },
    ),
  }
}

const callsOf = (block: Fields): readonly unknown[] => (block.calls ?? []) as readonly unknown[]

const tooManyBlocks = (): RpcError => new RpcError({ code: -38026, message: 'too many blocks' })

/**
 * Reads logs of our own chain. anvil writes a whole response before it sends a byte, and uses 7 bytes of memory for each
 * byte of logs. One read of 144 MB took 1 GB. So a range of blocks with gas for many logs is first read in parts. Only
 * their sizes are counted, because parsing them would block every other caller. Throws the error for a too large
 * response as soon as the sum is too large.
 */
export const logsByRange = (send: SendCall, ask: Ask): SendCall => {
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
      if (bytes > MOST_RESPONSE_BYTES) throw responseTooLarge()
    }
    return send(params, options)
  }
}

/** First and last block of each part. A block that exceeds the limit is a part of its own. */
const partsOf = (from: number, to: number, gasUsed: readonly number[]) => {
  const parts: (readonly [first: number, last: number])[] = []
  let first = from
  let sum = 0
  for (let block = from; block <= to; block += 1) {
    const gas = gasUsed[block] ?? 0
    if (block > first && sum + gas > MOST_GAS_OF_PART) {
      parts.push([first, block - 1])
      first = block
      sum = 0
    }
    sum += gas
  }
  return [...parts, [first, to] as const]
}

type Options = Parameters<SendCall>[1]

type Filter = {
  readonly blockHash?: unknown
  readonly fromBlock?: unknown
  readonly toBlock?: unknown
}

/** The gas of one part. A byte of a log costs 8 units of gas (G_logdata, yellow paper), so this pays for at most 12.5 MB. */
const MOST_GAS_OF_PART = 100_000_000

/** The number of headers that are read at a time, of 1.8 KB each. */
const MOST_HEADERS = 1_000

const hex = (block: number): `0x${string}` => `0x${block.toString(16)}`
