import type { Hex } from 'viem'
import type { RpcClient, RpcMethods } from '../../../generated/rpc.client.js'
import { RpcError } from '../../runtime/errors.js'
import { plainReceipt } from './receipt.js'
import { boundDraft, boundRaw } from './remembered.js'

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

export type CallOptions = {
  readonly signal?: AbortSignal
  readonly timeout?: number
  /** The call goes by itself: what the node says is of nothing else. */
  readonly alone?: boolean
}

/** Without `to`, the data creates a contract. */
export type Draft = { readonly from: Hex; readonly to?: Hex; readonly data: Hex }

export type Receipt = NonNullable<RpcMethods['eth_getTransactionReceipt']['result']>

/** `mostEstimated` is as NodeOptions has it; `lone` sends each call by itself. */
export function chainOver(
  rpc: RpcClient,
  id: number,
  mostEstimated?: number,
  lone: RpcClient = rpc,
): Chain {
  const isOurs = mostEstimated !== undefined
  const estimated = mostEstimated === undefined ? {} : gasOf(mostEstimated)
  const over = (options: CallOptions | undefined) =>
    options ? (options.alone ? lone : rpc).with(options) : rpc
  return {
    id,
    send: async (raw, options) => {
      const bound = isOurs ? boundRaw(rpc, raw, options) : undefined
      // Light ones go out in the turn they are asked in, all of them as one batch.
      if (bound !== undefined) await bound
      return hex(await over(options).ethSendRawTransaction(raw))
    },
    receipt: async (hash, options) =>
      plainReceipt(await over(options).ethGetTransactionReceipt(hash)),
    knows: async (hash, options) => (await over(options).ethGetTransactionByHash(hash)) !== null,
    nonce: async (address, block, options) =>
      Number(await over(options).ethGetTransactionCount(address, block)),
    blockNumber: async (options) => Number(await over(options).ethBlockNumber()),
    code: async (address, options) => hex(await over(options).ethGetCode(address, 'latest')),
    call: async (transaction, options) =>
      hex(
        await over(options)
          .ethCall({ ...transaction, ...gasOf(MOST_CALLED) }, 'latest')
          .catch(outOfGas),
      ),
    estimateGas: async (transaction, options) => {
      const call = { ...transaction, ...estimated }
      const gas = BigInt(await over(options).ethEstimateGas(call, 'latest'))
      if (isOurs) await boundDraft(rpc, transaction, gas, options)
      return gas
    },
  }
}

/**
 * geth's own bound (`--rpc.gascap`), which other nodes have taken from it. Nobody pays for a call, and anvil would run one with
 * all the gas of a block: half a second of a whole processor, while everybody waits.
 */
const MOST_CALLED = 50_000_000

const gasOf = (gas: number) => ({ gas: `0x${gas.toString(16)}` })

/** Nodes do not say here how much there was, as they do of estimates. */
const outOfGas = (error: unknown): never => {
  if (!(error instanceof RpcError) || !/^(EVM error OutOfGas|out of gas)/i.test(error.message))
    throw error
  const { code, method } = error
  const message = `out of gas: gas required exceeds allowance (${MOST_CALLED})`
  throw new RpcError({ code, message, ...(method && { method }) }, { cause: error })
}

/** The document's words for bytes and hashes are plain strings. */
const hex = (text: string): Hex => text as Hex
