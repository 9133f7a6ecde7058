import { CallError, HttpError, RpcError } from 'twinspec/runtime/errors'
import { createLimit } from '../group.js'
import { RefusedHere } from '../node/ask.js'
import type { CallOptions, Chain } from '../node/chain.js'
import { MemoryBoundExceeded } from '../node/memory-cost.js'
import type { Clock } from './clock.js'

/**
 * Calls go out together where the node takes that. What may have been refused for what went with it goes again by itself, so
 * that every refusal here is of this one call.
 */
export function createBatchFallback(chain: Chain, clock: Clock): Chain {
  const alone = createLimit(ALONE_AT_ONCE)
  let until = Number.NEGATIVE_INFINITY
  const ask = async <T>(
    call: (options: CallOptions) => Promise<T>,
    options: CallOptions = {},
  ): Promise<T> => {
    if (clock.now() >= until) {
      try {
        return await call(options)
      } catch (error) {
        const doubt = doubtOf(error)
        if (doubt === undefined) throw error
        if (doubt === 'batches') until = clock.now() + ALONE_MILLISECONDS
      }
    }
    return alone(() => call({ ...options, alone: true }))
  }
  return {
    id: chain.id,
    send: (raw, options) => ask((own) => chain.send(raw, own), options),
    receipt: (hash, options) => ask((own) => chain.receipt(hash, own), options),
    knows: (hash, options) => ask((own) => chain.knows(hash, own), options),
    nonce: (address, block, options) => ask((own) => chain.nonce(address, block, own), options),
    blockNumber: (options) => ask((own) => chain.blockNumber(own), options),
    code: (address, options) => ask((own) => chain.code(address, own), options),
    call: (draft, options) => ask((own) => chain.call(draft, own), options),
    estimateGas: (draft, options) => ask((own) => chain.estimateGas(draft, own), options),
  }
}

/** An answer of HTTP to what it was given; others speak of the node, or of who asks. */
export const isOfContent = (error: unknown): error is HttpError =>
  error instanceof HttpError && !ofNode.includes(error.status)

const ofWhoAsks: readonly number[] = [401, 407, 429]
const ofNode: readonly number[] = [...ofWhoAsks, 408, 502, 503, 504]

/** An answer of HTTP that has nothing to do with what it was given. */
export const isOfWhoAsks = (error: unknown): boolean =>
  error instanceof HttpError && ofWhoAsks.includes(error.status)

/** Calls by themselves at a time. */
const ALONE_AT_ONCE = 8

/** After which a node that takes no batches, or only short ones, is tried with one again. */
const ALONE_MILLISECONDS = 30_000

/** Whether the call may fare better by itself, and whether that goes for all calls. geth answers only one of a batch too long. */
function doubtOf(error: unknown): 'batches' | 'this one' | undefined {
  if (isOfContent(error)) return 'this one'
  if (error instanceof CallError) return error.reason === 'unmatched-answer' ? 'batches' : undefined
  // What this service does not read, it does not read alone either.
  if (!(error instanceof RpcError) || isOurRefusal(error)) return undefined
  const { code, message, method, cause } = error
  if (/batch|response (is )?too ?large/i.test(message) || code === INVALID_REQUEST) return 'batches'
  if (code === BATCH_OR_REFUSED) return method === SEND ? 'this one' : 'batches'
  return isOfContent(cause) || /too ?large/i.test(message) ? 'this one' : undefined
}

/** Refused by this service, whatever the call went with. */
const isOurRefusal = (error: RpcError): boolean =>
  error instanceof RefusedHere || error instanceof MemoryBoundExceeded

const INVALID_REQUEST = -32600

/** A batch too long for one gateway, and Nethermind's refusals of a transaction. */
const BATCH_OR_REFUSED = -32010

const SEND = 'eth_sendRawTransaction'
