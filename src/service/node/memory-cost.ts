import { RpcError } from 'twinspec/runtime/errors'
import { formatTransactionRequest, type Hex } from 'viem'
import { inThread, LARGE } from '../thread/in-thread.js'
import { type Ask, type NodeCallOptions, ServiceRejection } from './ask.js'
import { isCostly, type ParsedTransaction, parseRaw, readCostly } from './read-raw.js'

/**
 * Rejects a signed transaction for which our own chain would have to store too much. anvil keeps, and saves, the input and the
 * output of each inner call of each mined transaction. A loop that passes 100 KB of memory costs 700 units of gas and 100 KB
 * for each round. 45 bytes of code have used 4.5 GB with 5 million. Rejects with a MemoryBoundExceeded.
 * The transaction is traced on the newest block. A transaction that behaves differently when it is mined is accepted, because
 * other blocks and transactions may come between. Against these, the supervisor of the chain watches its memory. A transaction
 * that cannot be parsed or traced is left to the node.
 */
export const boundRaw = (
  ask: Ask,
  raw: unknown,
  options?: NodeCallOptions,
): Promise<void> | undefined => {
  const isLarge = typeof raw === 'string' && raw.length >= LARGE
  if (!isLarge && !isCostly(parseRaw(raw))) return undefined
  const read = isLarge ? inThread('readCostly', raw) : readCostly(raw)
  return read.then(async (transaction) => {
    if (transaction) await measure(ask, transaction, options)
  })
}

/** The same for an unsigned transaction, with its estimate as `gas`. */
export const boundDraft = async (
  ask: Ask,
  draft: Measured,
  gas: bigint,
  options?: NodeCallOptions,
): Promise<void> => {
  // Approximately the gas with which it will be sent.
  if (isCostly({ ...draft, gas })) await measure(ask, { ...draft, gas: gas + gas / 4n }, options)
}

type Measured = {
  readonly from: Hex
  readonly to?: Hex | null | undefined
  readonly data?: Hex | undefined
  readonly gas?: bigint
}

/** Bytes. The inner calls of an ordinary transaction have fewer. */
const MOST_REMEMBERED = 32_000_000

const measure = async (
  ask: Ask,
  transaction: Measured & Pick<ParsedTransaction, 'authorizationList'>,
  options: NodeCallOptions | undefined,
): Promise<void> => {
  const { to, authorizationList } = transaction
  // Without code at the address, nothing runs, so a megabyte of data is not sent twice.
  if (to && authorizationList === undefined) {
    const code = await ifAnswered(ask('eth_getCode', [to, 'latest'], options))
    if (code === '0x') return
  }
  const params = [callOf(transaction), 'latest', { tracer: TRACER }] as const
  const size = await ifAnswered(ask('debug_traceCall', params as never, options))
  if (size === undefined) return
  if (Number(size) <= MOST_REMEMBERED) return options?.onInnerBytes?.(Number(size))
  throw new MemoryBoundExceeded()
}

/** This service rejects the transaction for its own chain, and would reject it each time. */
export class MemoryBoundExceeded extends RpcError {
  constructor() {
    const most = MOST_REMEMBERED / 1_000_000
    const message = `transaction too large: it makes the chain remember more than ${most} MB of inner calls`
    super({ code: -32000, message })
  }
}

/** Gas is free, so prices are omitted; the nonce is omitted because the sender's may have changed since. */
const callOf = (transaction: Measured): unknown => {
  const { from, to, data, gas, value, accessList, authorizationList } = transaction as Parameters<
    typeof formatTransactionRequest
  >[0]
  const request = { from, to, data, gas, value, accessList, authorizationList }
  const present = Object.entries(request).filter(
    ([, member]) => member !== undefined && member !== null,
  )
  return formatTransactionRequest(Object.fromEntries(present))
}

/** Undefined if the node returns an error. A ServiceRejection is rethrown, such as for a trace that gets no turn. */
const ifAnswered = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: unknown) => {
    if (error instanceof RpcError && !(error instanceof ServiceRejection)) return undefined
    throw error
  })

/** An error thrown in it reverts the frame, and the next call of its caller throws again. */
const TRACER = `{
  size: 0,
  add: function (bytes) {
    this.size += bytes
    if (this.size > ${MOST_REMEMBERED}) throw new Error('too large')
  },
  enter: function (frame) { this.add(1000 + frame.getInput().length) },
  exit: function (frame) { this.size += frame.getOutput().length },
  fault: function () {},
  result: function () { return this.size }
}`
