import { RpcError } from 'twinspec/runtime/errors'
import type { Hex } from 'viem'
import type { RpcMethods } from '../../../generated/rpc.types.js'
import type { Ask, NodeRequestOptions } from './ask.js'
import { gasAllowance, isOutOfGas, OutOfGas } from './failure.js'
import { boundDraft, boundRaw } from './memory-cost.js'

export type { NodeRequestOptions } from './ask.js'

/**
 * The calls of the outbox and the submissions to the node. They reject with the node's RpcError, and with a CallError or an
 * HttpError if the node did not respond.
 */
export type Chain = {
  readonly id: number
  /** Sends signed bytes and returns their hash. Our own chain rejects a transaction for which it would have to store too much. */
  readonly send: (raw: Hex, options?: NodeRequestOptions) => Promise<Hex>
  /** Null if the transaction is not mined. */
  readonly receipt: (hash: Hex, options?: NodeRequestOptions) => Promise<Receipt | null>
  /** Whether the node has the transaction, mined or in its pool. */
  readonly knows: (hash: Hex, options?: NodeRequestOptions) => Promise<boolean>
  /** The number of transactions of the account that are mined (`latest`) or mined and pooled (`pending`). */
  readonly nonce: (
    address: Hex,
    block: 'latest' | 'pending',
    options?: NodeRequestOptions,
  ) => Promise<number>
  readonly blockNumber: (options?: NodeRequestOptions) => Promise<number>
  /** Null if the chain has no block of this height, undefined if the node returns blocks without hashes. */
  readonly blockHash: (
    height: number,
    options?: NodeRequestOptions,
  ) => Promise<Hex | null | undefined>
  readonly code: (address: Hex, options?: NodeRequestOptions) => Promise<Hex>
  /** The result of the call at the newest block, with 50 million gas. A revert is an RpcError with code 3 and its data. */
  readonly call: (transaction: TransactionDraft, options?: NodeRequestOptions) => Promise<Hex>
  /** Units of gas. A revert is an RpcError with code 3 and its data. Rejects the same transactions as `send`. */
  readonly estimateGas: (
    transaction: TransactionDraft,
    options?: NodeRequestOptions,
  ) => Promise<bigint>
}

/** Without `to`, the data creates a contract. */
export type TransactionDraft = { readonly from: Hex; readonly to?: Hex; readonly data: Hex }

export type Receipt = NonNullable<RpcMethods['eth_getTransactionReceipt']['result']>

/** `mostEstimated` is that of NodeOptions. */
export function chainOver(ask: Ask, id: number, mostEstimated?: number): Chain {
  const isOurs = mostEstimated !== undefined
  const estimated = mostEstimated === undefined ? {} : gasOf(mostEstimated)
  return {
    id,
    send: async (raw, options) => {
      const bound = isOurs ? boundRaw(ask, raw, options) : undefined
      // Light transactions are sent in the same turn of the event loop, all as one batch.
      if (bound !== undefined) await bound
      return hex(await ask('eth_sendRawTransaction', [raw], options))
    },
    receipt: async (hash, options) =>
      plainReceipt(await ask('eth_getTransactionReceipt', [hash], options)),
    knows: async (hash, options) =>
      (await ask('eth_getTransactionByHash', [hash], options)) !== null,
    nonce: async (address, block, options) =>
      Number(await ask('eth_getTransactionCount', [address, block], options)),
    blockNumber: async (options) => Number(await ask('eth_blockNumber', [], options)),
    blockHash: async (height, options) => {
      const block = await ask('eth_getBlockByNumber', [`0x${height.toString(16)}`, false], options)
      return block === null ? null : typeof block?.hash === 'string' ? hex(block.hash) : undefined
    },
    code: async (address, options) => hex(await ask('eth_getCode', [address, 'latest'], options)),
    call: async (transaction, options) =>
      hex(
        await ask('eth_call', [{ ...transaction, ...gasOf(MOST_CALLED) }, 'latest'], options).catch(
          outOfGas,
        ),
      ),
    estimateGas: async (transaction, options) => {
      const call = { ...transaction, ...estimated }
      const gas = BigInt(await ask('eth_estimateGas', [call, 'latest'], options))
      if (isOurs) await boundDraft(ask, transaction, gas, options)
      return gas
    },
  }
}

/**
 * geth's own limit (`--rpc.gascap`), which other nodes use too. A call is free for its caller, and anvil would run one with all
 * the gas of a block. That takes half a second, while every other caller waits.
 */
const MOST_CALLED = 50_000_000

const gasOf = (gas: number): { readonly gas: Hex } => ({ gas: `0x${gas.toString(16)}` })

/** Unlike for estimates, nodes do not report here how much gas was allowed. */
const outOfGas = (error: unknown): never => {
  if (!(error instanceof RpcError) || !isOutOfGas(error.message)) throw error
  if (gasAllowance(error.message) !== undefined) throw error
  throw new OutOfGas(error, MOST_CALLED, { cause: error })
}

/** The document's types of bytes and hashes are plain strings. */
const hex = (text: string): Hex => text as Hex

/** A receipt as documented: anvil 1.7.1 adds `blockTimestamp`, as a number. All other values are unchanged. */
export const plainReceipt = <T>(receipt: T): T => {
  if (typeof receipt !== 'object' || receipt === null || !('blockTimestamp' in receipt))
    return receipt
  const { blockTimestamp, ...rest } = receipt
  return rest as T
}
