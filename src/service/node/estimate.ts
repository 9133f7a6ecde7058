import { RpcError } from 'twinspec/runtime/errors'
import { createTurns, NoTurn } from '../turns.js'
import { type Ask, type AskOptions, busy, isTooLarge, untilDone } from './ask.js'

/**
 * Estimates on our own chain. anvil runs a call some 25 times to find the least gas that it needs, and mines nothing meanwhile:
 * 50 million units of gas have taken it 3 seconds. So that search is left to calls that need little. Others are run one after
 * the other at most ten times, with mining between, until the estimate is at most 2 % too high. geth allows 1.5 %.
 */
export const withBoundEstimates = (ask: Ask): Ask => {
  const turns = createTurns({ atOnce: 1, waiting: 64, share: 20, milliseconds: 20_000 })

  const estimate = async (params: readonly unknown[], options: AskOptions): Promise<unknown> => {
    const [given, ...rest] = params
    const call = given as Call
    const most = Number(call.gas ?? 0)
    const data = call.data ?? call.input ?? '0x'
    const light = LIGHT + GAS_OF_BYTE * Math.ceil((data.length - 2) / 2)
    if (most <= light) return ask('eth_estimateGas', params as never, options)
    try {
      return await ask('eth_estimateGas', [{ ...call, gas: hex(light) }, ...rest] as never, options)
    } catch (error) {
      // It may need more gas, or fail with any.
      if (!(error instanceof RpcError)) throw error
    }
    return turns(async () => {
      const inTurn = untilDone(options)
      const succeeds = (gas: number) => {
        options.signal?.throwIfAborted()
        return runs(ask, [{ ...call, gas: hex(gas) }, ...rest], inTurn)
      }
      // Where it fails with all the gas, so does the first run of the search, which says why.
      if (!(await succeeds(most))) return ask('eth_estimateGas', params as never, inTurn)
      let low = light
      let high = most
      while (high / low > PRECISION) {
        const gas = Math.ceil(Math.sqrt(low * high))
        if (await succeeds(gas)) high = gas
        else low = gas
      }
      return hex(high)
    }, options).catch((error: unknown) => {
      throw error instanceof NoTurn ? busy() : error
    })
  }

  const bounded = (method: string, params: readonly unknown[], options: AskOptions = {}) =>
    method === 'eth_estimateGas'
      ? estimate(params, options)
      : ask(method as 'eth_call', params as never, options)
  return bounded as Ask
}

type Call = { readonly gas?: string; readonly data?: string; readonly input?: string }

/** Units of gas within which the search takes a moment. */
const LIGHT = 3_000_000

/** EIP-7623 */
const GAS_OF_BYTE = 40

const PRECISION = 1.02

const hex = (gas: number): string => `0x${gas.toString(16)}`

/** Nothing is recorded while it runs, as a trace would, and no other call waits in a batch with it. */
const runs = async (
  ask: Ask,
  params: readonly unknown[],
  options: AskOptions,
): Promise<boolean> => {
  try {
    await ask('eth_call', params as never, { ...options, alone: true })
    return true
  } catch (error) {
    if (error instanceof RpcError) return isTooLarge(error)
    throw error
  }
}
