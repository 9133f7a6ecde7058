import { RpcError } from 'twinspec/runtime/errors'
import type { Hex } from 'viem'
import type { RpcMethods } from '../../../generated/rpc.client.js'
import type { Ask, CallOptions } from './ask.js'
import { gasAllowance, isOutOfGas, OutOfGas } from './failure.js'
import { boundDraft, boundRaw } from './memory-cost.js'

export type { CallOptions } from './ask.js'

/**
 * What the outbox and the submissions ask of the node behind. Calls reject with the RpcError that the node answered, and
 * with a CallError or an HttpError where it did not answer at all.
 */
export type Chain = {
  readonly id: number
  /** Hands over signed bytes and answers their hash. Our own chain refuses what it would have to remember too much of. */
  readonly send: (raw: Hex, options?: CallOptions) => Promise<Hex>
  /** Null where the transaction is not mined. */
  readonly receipt: (hash: Hex, options?: CallOptions) => Promise<Receipt | null>
  /** The transaction is known to the node, mined or in its pool. */
  readonly knows: (hash: Hex, options?: CallOptions) => Promise<boolean>
  /** How many transactions of the account are mined (`latest`) or mined and pooled (`pending`). */
  readonly nonce: (
    address: Hex,
    block: 'latest' | 'pending',
    options?: CallOptions,
  ) => Promise<number>
  readonly blockNumber: (options?: CallOptions) => Promise<number>
  readonly code: (address: Hex, options?: CallOptions) => Promise<Hex>
  /** What the call returns, at the newest block, with 50 million units of gas. A revert is an RpcError with code 3 and its data. */
  readonly call: (transaction: Draft, options?: CallOptions) => Promise<Hex>
  /** Units of gas. A revert is an RpcError with code 3 and its data. Refuses what `send` would. */
  readonly estimateGas: (transaction: Draft, options?: CallOptions) => Promise<bigint>
}

/** Without `to`, the data creates a contract. */
export type Draft = { readonly from: Hex; readonly to?: Hex; readonly data: Hex }

export type Receipt = NonNullable<RpcMethods['eth_getTransactionReceipt']['result']>

/** `mostEstimated` is as NodeOptions has it. */
export function chainOver(ask: Ask, id: number, mostEstimated?: number): Chain {
  const isOurs = mostEstimated !== undefined
  const estimated = mostEstimated === undefined ? {} : gasOf(mostEstimated)
  return {
    id,
    send: async (raw, options) => {
      const bound = isOurs ? boundRaw(ask, raw, options) : undefined
      // Light ones are sent in the turn in which they come, all of them as one batch.
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
 * geth's own bound (`--rpc.gascap`), which other nodes use too. A call costs its caller nothing, and anvil would run
 * one with all the gas of a block: half a second of a processor, while everybody waits.
 */
const MOST_CALLED = 50_000_000

const gasOf = (gas: number): { readonly gas: Hex } => ({ gas: `0x${gas.toString(16)}` })

/** Nodes do not say here how much there was, as they do of estimates. */
const outOfGas = (error: unknown): never => {
  if (!(error instanceof RpcError) || !isOutOfGas(error.message)) throw error
  if (gasAllowance(error.message) !== undefined) throw error
  throw new OutOfGas(error, MOST_CALLED, { cause: error })
}

/** The document's words for bytes and hashes are plain strings. */
const hex = (text: string): Hex => text as Hex

/** A receipt as the documents have it: anvil 1.7.1 says `blockTimestamp` too, and says it as a number. Null and all else stay. */
export const plainReceipt = <T>(receipt: T): T => {
  if (typeof receipt !== 'object' || receipt === null || !('blockTimestamp' in receipt))
    return receipt
  const { blockTimestamp, ...rest } = receipt
  return rest as T
}
