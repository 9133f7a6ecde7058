import { RpcError } from 'twinspec/runtime/errors'
import { plainReceipt } from '../node/receipt.js'

/**
 * Results that anvil 1.7.1 gives where the document has a refusal or none of that kind, by method. No other node gives them: a
 * trace of a mined transaction has used gas, and a fee history that was asked for a block has one.
 */
export const corrections: Readonly<Record<string, Correction>> = {
  debug_traceTransaction: (result) => {
    const { gas, structLogs } = members(result)
    if (gas === 0 && isEmpty(structLogs)) throw refusal('transaction not found')
    return result
  },
  debug_traceBlockByNumber: (result, [block]) => {
    if (isEmpty(result) && isFirst(block)) throw refusal('genesis is not traceable')
    return result
  },
  eth_getTransactionReceipt: plainReceipt,
  eth_sendRawTransactionSync: plainReceipt,
  eth_getBlockReceipts: (result) => (Array.isArray(result) ? result.map(plainReceipt) : result),
  eth_feeHistory: (result, [, newest]) => {
    const { gasUsedRatio } = members(result)
    if (isEmpty(gasUsedRatio) && /^0x/.test(String(newest)))
      throw refusal(`request beyond head block: requested ${BigInt(String(newest))}`)
    return result
  },
}

/** Passes the result on or throws the refusal; `params` are as the caller sent them. */
type Correction = (result: unknown, params: readonly unknown[]) => unknown

const members = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

const isFirst = (block: unknown): boolean => block === 'earliest' || block === '0x0'

const refusal = (message: string): RpcError => new RpcError({ code: -32000, message })
