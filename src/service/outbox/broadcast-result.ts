import { CallError, HttpError, RpcError } from 'twinspec/runtime/errors'
import type { Hex } from 'viem'
import { clip } from '../clip.js'
import { isResponseTooLarge, ServiceRejection } from '../node/ask.js'
import type { Chain, Receipt } from '../node/chain.js'
import { isInternal, MOST_OF_NODE, withoutAddresses } from '../node/failure.js'
import { MemoryBoundExceeded } from '../node/memory-cost.js'

/** The meaning of the node's response to signed bytes for the submission. */
export type BroadcastResult = {
  readonly kind: /** The node has these bytes already. */
    | 'known'
    /** The nonce is mined; the receipt shows by which transaction. */
    | 'spent'
    /** The same bytes will never be accepted. */
    | 'rejected'
    /** The node requires a gas price above 0, which all our transactions have. */
    | 'price'
    /** The node may accept them later. */
    | 'again'
    /** An unknown error: retried later, with a limit. */
    | 'unclear'
    /** The node responds to other calls and not to this one: retried later, with a higher limit. */
    | 'silent'
    /** There was no response, so it is unknown whether the bytes arrived. */
    | 'away'
  /** For an operator and for `errorMessage`: one line, without addresses of machines. */
  readonly message: string
}

/**
 * Nodes use different codes for rejections, or only -32000. So the message decides, and the code only if the message is
 * unknown. An unknown error is `unclear`.
 */
export function resultOfError(error: unknown): BroadcastResult {
  if (error instanceof RpcError) {
    const message = clean(error.message)
    if (error instanceof MemoryBoundExceeded) return { kind: 'rejected', message }
    // The bytes may have arrived even if the response is not read.
    if (error instanceof ServiceRejection)
      return { kind: isResponseTooLarge(error) ? 'unclear' : 'again', message }
    const data = typeof error.data === 'string' ? clip(error.data, MOST_OF_NODE) : ''
    return { kind: kindOf(`${error.message} ${data}`, error.code), message }
  }
  if (error instanceof HttpError && error.status === 413) {
    return { kind: 'rejected', message: 'the transaction is larger than the node takes' }
  }
  if (error instanceof CallError && error.reason === 'invalid-input') {
    return { kind: 'unclear', message: clean(error.message) }
  }
  if (error instanceof HttpError) {
    return { kind: 'away', message: `it answered HTTP ${error.status}` }
  }
  return { kind: 'away', message: 'the node does not answer' }
}

/** Undefined if the node returns an error: others that are read together are not affected. */
export async function unlessRejected<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof RpcError) return undefined
    throw error
  }
}

/**
 * Undefined if the receipt is larger than this service reads. Such a transaction is mined and was not reverted: only logs make
 * a receipt large, and a reverted transaction has none.
 */
export async function receiptOf(
  chain: Pick<Chain, 'receipt'>,
  hash: Hex,
): Promise<{ readonly receipt: Receipt | null | undefined }> {
  try {
    return { receipt: await chain.receipt(hash) }
  } catch (error) {
    if (isResponseTooLarge(error)) return { receipt: undefined }
    throw error
  }
}

/** The node did not respond. An RpcError is a response; errors of the store and of this service are not about the node. */
export const isSilence = (error: unknown): error is CallError | HttpError =>
  error instanceof CallError || error instanceof HttpError

function kindOf(text: string, code: number): BroadcastResult['kind'] {
  const row = words.find(([, pattern]) => pattern.test(text))
  return row?.[0] ?? (passing.includes(code) ? 'again' : 'unclear')
}

/** The first matching row applies. test/service/outbox/result.e2e.test.ts lists which node uses which message. */
const words: readonly (readonly [BroadcastResult['kind'], RegExp])[] = [
  [
    'known',
    /already ?known|already imported|\bknown transaction|same hash|already_exists|already in (the )?(pool|mempool)/i,
  ],
  ['spent', /nonce (is )?too low|oldnonce|stale nonce|^mined\b/i],
  ['price', /base ?fee|minimum gas price|price (is )?below|\bfee too low|tip cap \d+, minimum/i],
  // Before the rows of `rejected`: these messages are about the current state of the pool.
  [
    'again',
    /replace|pool is full|queue is full|account ?limit ?exceeded|nonce (is )?too high|nonce ?gap|gapped|incorrect nonce|in (the )?future|in-flight|already reserved/i,
  ],
  // About calls that were sent together, before rows about a transaction that is too large.
  ['again', /batch/i],
  ['rejected', /intrinsic ?gas|floor data gas|gas ?uint(64)? ?overflow/i],
  ['rejected', /block gas limit|gas ?limit ?(is )?(too ?high|exceeded)/i],
  [
    'rejected',
    /invalid sender|to (resolve|recover) ?sender|failedtoresolvesender|invalid signature/i,
  ],
  ['rejected', /chain ?id|another chain|replay[- ]protect/i],
  ['rejected', /insufficient ?funds|upfront cost|fee ?cap exceeded|exceeds the configured cap/i],
  ['rejected', /init ?code|oversized|too ?large|maxtxsizeexceeded|rlp|to decode/i],
  [
    'rejected',
    /(type|transactions?) (is )?not supported|(unsupported|invalid) (transaction|tx) type/i,
  ],
  ['rejected', /not an eoa|senderiscontract|max value|negative value|not authorized|acl policy/i],
  ['rejected', /^invalid(,| transaction)|typed transaction too short|empty transaction data/i],
  [
    'again',
    /sync|rate limit|too many requests|time(d )? ?out|temporar|unavailable|try again|busy/i,
  ],
]

/** -32005 is a limit of requests (EIP-1474), -32002 a temporarily unavailable resource; the others are problems of the node. */
const passing: readonly number[] = [-32603, -32005, -32002, -32016, -32097, 429]

/** Gateways include their own address in their responses; a node's own messages are short. */
export function clean(message: string): string {
  const line = withoutAddresses(message, 'the node').replaceAll(/\s+/g, ' ').trim()
  return isInternal(line) ? 'the node rejected it' : clip(line, 299)
}
