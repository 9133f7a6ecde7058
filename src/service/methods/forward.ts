import { setMaxListeners } from 'node:events'
import { CallError, HttpError, RpcError } from 'twinspec/runtime/errors'
import type { RpcOperation, RpcValidators } from 'twinspec/runtime/operation'
import type { RpcContext } from 'twinspec/runtime/server'
import * as validators from '../../../generated/validators.js'
import { plainReceipt } from '../node/chain.js'
import { isInternal } from '../node/failure.js'
import { boundRaw } from '../node/memory-cost.js'
import { boundTrace } from './bounded-trace.js'
import { boundWork, logsByRange } from './bounds.js'
import type { MethodParts, SendCall } from './method-parts.js'
import { asResponse, EVM_ERROR, isUnknownBlock } from './node-errors.js'
import { rejectForeign, sendAndWait } from './raw-transactions.js'

/**
 * Creates the handlers that call the node. Params are sent as received, with the changes that nodes need. The result is the
 * node's own; an error has the documented code and message.
 */
export const forwarder =
  ({ node, embedded, longestWait, callerOf, onError }: ForwardTerms) =>
  (operation: RpcOperation): Forward => {
    const { method } = operation
    const correct = corrections[method]
    const nullable = canBeNull(operation)

    const sendAs =
      (name: string): SendCall =>
      (params, options) =>
        node.ask(name as 'debug_traceCall', params as never, options)
    const send = sendAs(method)
    const ask: SendCall = async (params, options) => {
      try {
        return await send(params, options)
      } catch (error) {
        const again = isMisread(error) ? respell(method, params) : undefined
        if (again === undefined) throw error
        return send(again, options)
      }
    }
    const bounded = (name: string, by: SendCall): SendCall =>
      embedded ? boundTrace(name, by, node) : by
    const trace = bounded('debug_traceCall', sendAs('debug_traceCall'))
    const perform = TRACE.test(method)
      ? bounded(method, ask)
      : embedded && method === 'eth_getLogs'
        ? logsByRange(ask, node.ask)
        : performances[method]?.({ send, trace, node, longestWait })

    return async (received, context) => {
      const { signal } = context
      const options = { signal, caller: callerOf?.(context) }
      const params = complete(method, embedded ? boundWork(method, received) : received)
      // All members of a batch add a listener to the signal of their caller.
      setMaxListeners(0, signal)
      try {
        if (SEND.test(method)) {
          rejectForeign(params[0], { id: node.chain.id, embedded })
          if (embedded) await boundRaw(node.ask, params[0], options)
        }
        const result = await (perform ?? ask)(params, options)
        return correct === undefined ? result : correct(result, received)
      } catch (error) {
        if (nullable && isUnknownBlock(error, operation)) return null
        const isUnanswered = error instanceof CallError || error instanceof HttpError
        const isHidden = error instanceof RpcError && isInternal(error.message)
        if (isHidden || (isUnanswered && !signal.aborted)) onError?.(error)
        throw asResponse(error, operation)
      }
    }
  }

type Forward = (params: readonly unknown[], context: RpcContext) => Promise<unknown>

/** Methods that need more than one call. */
const performances: Readonly<Record<string, (tools: Tools) => SendCall>> = {
  eth_createAccessList:
    ({ send, trace }) =>
    (params, options) =>
      send(params, options).catch((error: unknown) => {
        if (!(error instanceof RpcError)) throw error
        return listOfFailure(error, trace, params, options)
      }),
  eth_sendRawTransactionSync: ({ send, node, longestWait }) =>
    sendAndWait(send, node.chain, longestWait),
}

type Tools = Pick<ForwardTerms, 'node' | 'longestWait'> & {
  readonly send: SendCall
  readonly trace: SendCall
}

type ForwardTerms = Pick<MethodParts, 'node' | 'callerOf' | 'onError'> & {
  /** The node is our own chain, which has no limits for callers. */
  readonly embedded: boolean
  /** The maximum milliseconds for which a caller may wait for a transaction. */
  readonly longestWait: number
}

const TRACE = /^debug_trace/

const SEND = /^eth_sendRawTransaction/

/** The node could not parse the params, so it has done nothing. */
const isMisread = (error: unknown): boolean => error instanceof RpcError && error.code === -32602

const canBeNull = ({ id }: RpcOperation): boolean =>
  (validators as unknown as Readonly<Record<string, RpcValidators>>)[id]?.result.check(null) ===
  true

/**
 * Corrects results of anvil 1.7.1, by method, that violate the document or that it declares as errors. No other node returns
 * them: a trace of a mined transaction has used gas, and the fee history of a block has a base fee.
 */
const corrections: Readonly<Record<string, Correction>> = {
  debug_traceTransaction: (result) => {
    const { gas, structLogs } = members(result)
    if (gas === 0 && isEmpty(structLogs)) throw rejection('transaction not found')
    return result
  },
  debug_traceBlockByNumber: (result, [block]) => {
    if (isEmpty(result) && isFirst(block)) throw rejection('genesis is not traceable')
    return result
  },
  eth_getTransactionReceipt: plainReceipt,
  eth_sendRawTransactionSync: plainReceipt,
  eth_getBlockReceipts: (result) => (Array.isArray(result) ? result.map(plainReceipt) : result),
  eth_feeHistory: (result, [, newest]) => {
    const { gasUsedRatio } = members(result)
    if (isEmpty(gasUsedRatio) && /^0x/.test(String(newest)))
      throw rejection(`request beyond head block: requested ${BigInt(String(newest))}`)
    return result
  },
}

/** Returns the result or throws an error; `params` are as the caller sent them. */
type Correction = (result: unknown, params: readonly unknown[]) => unknown

const members = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

const isFirst = (block: unknown): boolean => block === 'earliest' || block === '0x0'

const rejection = (message: string): RpcError => new RpcError({ code: -32000, message })

/**
 * eth_createAccessList of a call that fails during execution: the document declares a result, but anvil returns an
 * error. The list is created from two traces of the call. Rejects with the original error if the node cannot
 * trace, or the call was not executed.
 */
const listOfFailure = async (
  rejected: RpcError,
  trace: SendCall,
  [call, block = 'latest']: readonly unknown[],
  options: Parameters<SendCall>[1],
): Promise<unknown> => {
  if (rejected.code !== 3 && !EVM_ERROR.test(rejected.message)) throw rejected
  try {
    const [run, state] = await Promise.all([
      trace([call, block, { tracer: 'callTracer' }], options) as Promise<Frame>,
      trace([call, block, { tracer: 'prestateTracer' }], options) as Promise<Touched>,
    ])
    const slots = new Map(
      Object.entries(state).map(([address, { storage = {} }]) => [
        address,
        Object.keys(storage).sort(),
      ]),
    )
    // Sender, recipient and precompiled contracts are listed only if their slots were accessed.
    const called = (run.calls ?? []).flatMap(addressesIn).filter((to) => !isWarm(to, run))
    const touched = [...slots].flatMap(([address, keys]) => (keys.length > 0 ? [address] : []))
    const addresses = [...new Set([...touched, ...called])].sort()
    return {
      accessList: addresses.map((address) => ({ address, storageKeys: slots.get(address) ?? [] })),
      gasUsed: run.gasUsed,
      error: run.error ?? rejected.message,
    }
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    throw rejected
  }
}

type Frame = {
  readonly from?: string
  readonly to?: string
  readonly gasUsed?: string
  readonly error?: string
  readonly calls?: readonly Frame[]
}

/** Accounts before the call, with the slots that were read or written. */
type Touched = Readonly<Record<string, { readonly storage?: Readonly<Record<string, string>> }>>

const addressesIn = ({ to, calls = [] }: Frame): readonly string[] => [
  ...(to === undefined ? [] : [to]),
  ...calls.flatMap(addressesIn),
]

const isWarm = (address: string, { from, to }: Frame): boolean =>
  address === from || address === to || /^0x0{36}/.test(address)

/** Adds the block that the document makes optional, but that nodes require for reads of the state. */
const complete = (method: string, params: Params): Params =>
  BLOCK_AT[method] === params.length ? [...params, 'latest'] : params

/**
 * The same params in the only format that anvil 1.7.1 reads, for a node that could not parse them. Undefined if nothing
 * differs. Storage keys are not padded at first, because geth repeats the format of the request in its response.
 */
const respell = (method: string, params: Params): Params | undefined => {
  const words = SPELLINGS[method]
  if (words === undefined) return undefined
  const again = words(params)
  return JSON.stringify(again) === JSON.stringify(params) ? undefined : again
}

type Params = readonly unknown[]

const BLOCK_AT: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getProof: 2,
  eth_getStorageAt: 2,
  eth_getStorageValues: 1,
  eth_getTransactionCount: 1,
}

/** `0x1` as 32 bytes. */
const word = (key: unknown): unknown =>
  typeof key === 'string' && /^0x[\da-f]{0,63}$/i.test(key)
    ? `0x${key.slice(2).padStart(64, '0')}`
    : key

const wordsOf = (keys: unknown): unknown => (Array.isArray(keys) ? keys.map(word) : keys)

const mapValues = (value: unknown, change: (member: unknown, key: string) => unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member, key)]))
    : value

const overrides = (value: unknown): unknown =>
  mapValues(value, (member, key) => (key === 'prevRandao' ? word(member) : member))

const inBlocks = (payload: unknown): unknown =>
  mapValues(payload, (blocks, key) =>
    key === 'blockStateCalls' && Array.isArray(blocks)
      ? blocks.map((block) =>
          mapValues(block, (member, name) =>
            name === 'blockOverrides' ? overrides(member) : member,
          ),
        )
      : blocks,
  )

const inCall = (params: Params): Params =>
  params.map((param, index) => (index === 3 ? overrides(param) : param))

const SPELLINGS: Readonly<Record<string, (params: Params) => Params>> = {
  eth_call: inCall,
  eth_estimateGas: inCall,
  eth_getProof: ([address, keys, ...rest]) => [address, wordsOf(keys), ...rest],
  eth_getStorageValues: ([requests, ...rest]) => [mapValues(requests, wordsOf), ...rest],
  eth_simulateV1: ([payload, ...rest]) => [inBlocks(payload), ...rest],
  debug_traceCall: ([call, block, config]) => [
    call,
    block,
    ...(config === undefined
      ? []
      : [
          mapValues(config, (member, key) =>
            key === 'blockOverrides' ? overrides(member) : member,
          ),
        ]),
  ],
}
