import { RpcError } from 'twinspec/runtime/errors'

/**
 * Bounds what one call that is not sent may cost our own chain, as nodes bound it themselves: anvil runs any amount of gas,
 * one call at a time, and everybody waits meanwhile. Throws the document's refusal of too many blocks.
 */
export const boundWork = (method: string, params: readonly unknown[]): readonly unknown[] => {
  const [first, ...rest] = params
  if (method === 'eth_simulateV1') return [boundSimulation(first), ...rest]
  if (method === 'debug_traceCall' && !hasTracer(params[2]))
    return [boundGas(first, MOST_TRACED), ...rest]
  return BOUNDED.has(method) ? [boundGas(first, MOST_GAS), ...rest] : params
}

/** geth's default (`--rpc.gascap`), and enough for a payload of 1 MB. Run in 0.03 s. */
const MOST_GAS = 50_000_000

/** A trace has an entry for every step, and at least 20 MB of them for this much gas (`bounded-trace.ts`). */
const MOST_TRACED = 1_000_000

/** Of all calls of one simulation together, where there are so many that each gets less: a unit of gas may return two bytes. */
const MOST_SIMULATED = 2 * MOST_GAS

/** As geth has it. */
const MOST_BLOCKS = 256

const BOUNDED = new Set(['eth_call', 'eth_createAccessList', 'eth_estimateGas', 'debug_traceCall'])

type Fields = Readonly<Record<string, unknown>>

/** What the document's schemas have let pass as objects. */
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
