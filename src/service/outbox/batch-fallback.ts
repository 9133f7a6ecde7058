import { CallError, HttpError, RpcError } from 'twinspec/runtime/errors'
import { createLimit } from '../group.js'
import { ServiceRejection } from '../node/ask.js'
import type { Chain, NodeRequestOptions } from '../node/chain.js'
import { MemoryBoundExceeded } from '../node/memory-cost.js'
import type { OutboxClock } from './clock.js'

/**
 * Sends calls together if the node accepts batches. A call that may have failed because of others in its batch is sent again
 * alone, so that every error is about this one call.
 */
export function createBatchFallback(chain: Chain, clock: OutboxClock): Chain {
  const alone = createLimit(ALONE_AT_ONCE)
  let until = Number.NEGATIVE_INFINITY
  const ask = async <T>(
    call: (options: NodeRequestOptions) => Promise<T>,
    options: NodeRequestOptions = {},
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
    blockHash: (height, options) => ask((own) => chain.blockHash(height, own), options),
    code: (address, options) => ask((own) => chain.code(address, own), options),
    call: (draft, options) => ask((own) => chain.call(draft, own), options),
    estimateGas: (draft, options) => ask((own) => chain.estimateGas(draft, own), options),
  }
}

/** An HTTP response that rejects the content; other statuses are about the node or the client. */
export const isOfContent = (error: unknown): error is HttpError =>
  error instanceof HttpError && !ofNode.includes(error.status)

const ofWhoAsks: readonly number[] = [401, 407, 429]
const ofNode: readonly number[] = [...ofWhoAsks, 408, 502, 503, 504]

/** An HTTP response that is about the client, not about the content. */
export const isOfWhoAsks = (error: unknown): boolean =>
  error instanceof HttpError && ofWhoAsks.includes(error.status)

/** The number of calls that are sent alone at a time. */
const ALONE_AT_ONCE = 8

/** The time after which a batch is tried again on a node that accepts no batches, or only short ones. */
const ALONE_MILLISECONDS = 30_000

/** Whether the call may succeed alone, and whether that applies to all calls. geth sends one response to a too long batch. */
function doubtOf(error: unknown): 'batches' | 'this one' | undefined {
  if (isOfContent(error)) return 'this one'
  if (error instanceof CallError) return error.reason === 'unmatched-answer' ? 'batches' : undefined
  // A call that this service rejects is rejected alone too.
  if (!(error instanceof RpcError) || isOurRejection(error)) return undefined
  const { code, message, method, cause } = error
  if (/batch|response (is )?too ?large/i.test(message) || code === INVALID_REQUEST) return 'batches'
  if (code === BATCH_OR_REJECTED) return method === SEND ? 'this one' : 'batches'
  return isOfContent(cause) || /too ?large/i.test(message) ? 'this one' : undefined
}

/** Rejected by this service, whatever else was in the batch. */
const isOurRejection = (error: RpcError): boolean =>
  error instanceof ServiceRejection || error instanceof MemoryBoundExceeded

const INVALID_REQUEST = -32600

/** One gateway's code for a batch that is too long, and Nethermind's code for a rejected transaction. */
const BATCH_OR_REJECTED = -32010

const SEND = 'eth_sendRawTransaction'
