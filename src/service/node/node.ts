import { createRpc, type Fetch } from 'twinspec/runtime/rpc'
import type { Hex } from 'viem'
import { rpcService } from '../../../generated/operations.js'
import type { RpcClient } from '../../../generated/rpc.client.js'
import { rpcValidators } from '../../../generated/validators.js'
import { type Ask, type Asking, createAsk } from './ask.js'
import { type CallOptions, type Chain, chainOver } from './chain.js'
import { withBoundEstimates } from './estimate.js'
import { createKeptFetch } from './kept-fetch.js'

/**
 * The JSON-RPC node behind the service. Nothing is sent twice, and nothing of the node's address, which may hold an
 * operator's secret, is told in an error.
 */
export function createNode(options: NodeOptions): Node {
  const { url, chainId, timeout, fetch = createKeptFetch(), mostEstimated } = options
  const terms = {
    server: url,
    timeout,
    fetch,
    validate: { request: 'off', response: 'off' } as const,
    retry: { attempts: 1 },
  }
  const shared = createRpc<RpcClient>(behind, rpcValidators, { ...terms, batch: 'auto' })
  // A transaction is never sent twice. So it shares no batch with reads, which are repeated where one is too large.
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
  /** Of the chain that the service is for; `identity` says which one the node really has. */
  readonly chainId: number
  /** Milliseconds for each call. */
  readonly timeout: number
  readonly fetch?: Fetch
  /**
   * Units of gas that an estimate may come to, for the chain of our own, which sets no bound but its blocks'. What it would have to
   * remember of a transaction is bounded too.
   */
  readonly mostEstimated?: number
}

export type Node = {
  /** Every documented method, for the start. Calls of one turn are sent as one batch; params and results are not validated. */
  readonly rpc: RpcClient
  /** The same for requests of callers and of our own, each where it disturbs no other. */
  readonly ask: Ask
  readonly tracing: Asking['tracing']
  readonly chain: Chain
  /** Rejects where the node does not answer. */
  readonly identity: (options?: CallOptions) => Promise<Identity>
}

/** Two chains with the same id differ in the hash of their block 0. */
export type Identity = { readonly chainId: number; readonly genesis: Hex }

/**
 * The gateway counts and measures requests; what it lets through becomes longer on its way: a message of 1 MB is 2 MB as
 * hexadecimal digits. A node has an address of its own, without the documented path.
 */
const behind = { ...rpcService, path: '', limits: { batchSize: 40, payloadBytes: 4 * 1_048_576 } }
