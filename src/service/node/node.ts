import { RpcError } from 'twinspec/runtime/errors'
import { createRpc, type Fetch } from 'twinspec/runtime/rpc'
import type { Hex } from 'viem'
import { rpcService } from '../../../generated/operations.js'
import type { RpcClient } from '../../../generated/rpc.client.js'
import { rpcValidators } from '../../../generated/validators.js'
import { createTurns, NoTurn } from '../turns.js'
import {
  type Ask,
  type Asking,
  busy,
  createAsk,
  isResponseTooLarge,
  type NodeCallOptions,
  untilDone,
} from './ask.js'
import { type Chain, chainOver, type NodeRequestOptions } from './chain.js'
import { createKeptFetch } from './kept-fetch.js'

/**
 * The JSON-RPC node of the service. Nothing is sent twice, and no error contains the node's address, which
 * may include a secret of the operator.
 */
export function createNode(options: NodeOptions): ChainNode {
  const { url, chainId, timeout, fetch = createKeptFetch(), mostEstimated } = options
  const terms = {
    server: url,
    timeout,
    fetch,
    validate: { request: 'off', response: 'off' } as const,
    retry: { attempts: 1 },
  }
  const shared = createRpc<RpcClient>(behind, rpcValidators, { ...terms, batch: 'auto' })
  // A transaction is never sent twice. So it shares no batch with reads, which are repeated if a batch is too large.
  const sending = createRpc<RpcClient>(behind, rpcValidators, { ...terms, batch: 'auto' })
  const lone = createRpc<RpcClient>(behind, rpcValidators, terms)
  const measuring = createRpc<RpcClient>(behind, rpcValidators, {
    ...terms,
    fetch: createKeptFetch({ isMeasuring: true }),
  })
  const isOurs = mostEstimated !== undefined
  const asking = createAsk({ shared, sending, lone, measuring, isOurs })
  const { tracing } = asking
  const ask = isOurs ? withBoundEstimates(asking.ask) : asking.ask
  return {
    rpc: shared,
    ask,
    tracing,
    chain: chainOver(ask, chainId, mostEstimated),
    identity: async (options = {}) => {
      const asked = shared.with(options)
      const [id, block] = await Promise.all([
        asked.ethChainId(),
        asked.ethGetBlockByNumber('0x0', false),
      ])
      const genesis = block?.hash
      if (typeof genesis !== 'string') throw new Error('the node behind does not tell its block 0')
      return { chainId: Number(id), genesis: genesis as Hex }
    },
  }
}

export type NodeOptions = {
  readonly url: URL | string
  /** The chain id of the service; `identity` returns the actual one of the node. */
  readonly chainId: number
  /** Milliseconds for each call. */
  readonly timeout: number
  readonly fetch?: Fetch
  /**
   * The maximum gas of an estimate on our own chain, which otherwise limits only the gas of a block. The data that it would
   * have to store for a transaction is limited too.
   */
  readonly mostEstimated?: number
}

export type ChainNode = {
  /** All documented methods, for the start. Calls of one turn are sent as one batch; params and results are not validated. */
  readonly rpc: RpcClient
  /** The same for requests of callers and our own, each sent so that it does not delay others. */
  readonly ask: Ask
  readonly tracing: Asking['tracing']
  readonly chain: Chain
  /** Rejects if the node does not respond. */
  readonly identity: (options?: NodeRequestOptions) => Promise<Identity>
}

/** Two chains with the same id differ in the hash of their block 0. */
type Identity = { readonly chainId: number; readonly genesis: Hex }

/**
 * The gateway counts requests and limits their size. Requests to the node are longer: a message of 1 MB is 2 MB as hexadecimal
 * digits. A node has its own URL, without the documented path.
 */
const behind = { ...rpcService, path: '', limits: { batchSize: 40, payloadBytes: 4 * 1_048_576 } }

/**
 * Limits estimates on our own chain. anvil runs a call about 25 times to find the least gas that it needs, and mines nothing
 * meanwhile. 50 million units of gas have taken 3 seconds. So anvil estimates only calls that need little. Others run at most
 * ten times, with mining between, until the estimate is at most 2 % too high. geth allows 1.5 %.
 */
const withBoundEstimates = (ask: Ask): Ask => {
  const turns = createTurns({ atOnce: 1, waiting: 64, share: 20, milliseconds: 20_000 })

  const estimate = async (
    params: readonly unknown[],
    options: NodeCallOptions,
  ): Promise<unknown> => {
    const [first, ...rest] = params
    const call = first as Call
    const most = Number(call.gas ?? 0)
    const data = call.data ?? call.input ?? '0x'
    const light = LIGHT + GAS_OF_BYTE * Math.ceil((data.length - 2) / 2)
    if (most <= light) return ask('eth_estimateGas', params as never, options)
    try {
      return await ask('eth_estimateGas', [{ ...call, gas: hex(light) }, ...rest] as never, options)
    } catch (error) {
      // It may need more gas, or fail with any amount.
      if (!(error instanceof RpcError)) throw error
    }
    return turns(async () => {
      const inTurn = untilDone(options)
      const succeeds = (gas: number) => {
        options.signal?.throwIfAborted()
        return runs(ask, [{ ...call, gas: hex(gas) }, ...rest], inTurn)
      }
      // If it fails with all the gas, so does the first run of the estimate, which reports the reason.
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

  const bounded = (method: string, params: readonly unknown[], options: NodeCallOptions = {}) =>
    method === 'eth_estimateGas'
      ? estimate(params, options)
      : ask(method as 'eth_call', params as never, options)
  return bounded as Ask
}

type Call = { readonly gas?: string; readonly data?: string; readonly input?: string }

/** Units of gas for which anvil's search is fast. */
const LIGHT = 3_000_000

/** EIP-7623 */
const GAS_OF_BYTE = 40

const PRECISION = 1.02

const hex = (gas: number): string => `0x${gas.toString(16)}`

/** Whether a call succeeds. Unlike a trace, it records nothing, and no other call shares a batch with it. */
const runs = async (
  ask: Ask,
  params: readonly unknown[],
  options: NodeCallOptions,
): Promise<boolean> => {
  try {
    await ask('eth_call', params as never, { ...options, alone: true })
    return true
  } catch (error) {
    if (error instanceof RpcError) return isResponseTooLarge(error)
    throw error
  }
}
