import { CallError, HttpError, RpcError } from 'twinspec/runtime/errors'
import type { Hex } from 'viem'
import { isTooLarge, RefusedHere } from '../node/ask.js'
import type { Chain, Receipt } from '../node/chain.js'
import { isInternal } from '../node/failure.js'
import { MemoryBoundExceeded } from '../node/memory-cost.js'

/** What the node's refusal of signed bytes means for the submission. */
export type BroadcastResult = {
  readonly kind: /** It has these very bytes already. */
    | 'known'
    /** The nonce is mined; by which transaction, the receipt says. */
    | 'spent'
    /** The same bytes will never be taken. */
    | 'refused'
    /** It asks for a gas price above the 0 that all of ours offer. */
    | 'price'
    /** They may be taken later. */
    | 'again'
    /** Nobody has said what this refusal means: later, but not for ever. */
    | 'unclear'
    /** It answers other calls and not this one: later, and for a while longer. */
    | 'silent'
    /** There was no answer, so it is not known whether the bytes arrived. */
    | 'away'
  /** For an operator and for `errorMessage`: one line, without addresses of machines. */
  readonly message: string
}

/**
 * Nodes give refusals codes that differ or are all -32000, so that the words decide, and the code only where no words are
 * known. What no row knows is `unclear`.
 */
export function resultOfError(error: unknown): BroadcastResult {
  if (error instanceof RpcError) {
    const message = clean(error.message)
    if (error instanceof MemoryBoundExceeded) return { kind: 'refused', message }
    // The bytes may have arrived where the response is not read.
    if (error instanceof RefusedHere)
      return { kind: isTooLarge(error) ? 'unclear' : 'again', message }
    const text = `${error.message} ${typeof error.data === 'string' ? error.data : ''}`
    return { kind: kindOf(text, error.code), message }
  }
  if (error instanceof HttpError && error.status === 413) {
    return { kind: 'refused', message: 'the transaction is larger than the node takes' }
  }
  if (error instanceof CallError && error.reason === 'invalid-input') {
    return { kind: 'unclear', message: clean(error.message) }
  }
  if (error instanceof HttpError) {
    return { kind: 'away', message: `it answered HTTP ${error.status}` }
  }
  return { kind: 'away', message: 'the node does not answer' }
}

/** Undefined where the node answers that it does not say: the others of the same look need not suffer by it. */
export async function unlessRejected<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof RpcError) return undefined
    throw error
  }
}

/**
 * Undefined where the receipt is larger than this service reads. The transaction is mined and was not reverted then: a receipt is
 * large by its logs, and a reverted transaction has none.
 */
export async function receiptOf(
  chain: Pick<Chain, 'receipt'>,
  hash: Hex,
): Promise<{ readonly receipt: Receipt | null | undefined }> {
  try {
    return { receipt: await chain.receipt(hash) }
  } catch (error) {
    if (isTooLarge(error)) return { receipt: undefined }
    throw error
  }
}

/** The node said nothing. What it refuses, it has answered; the store's trouble and a fault of our own say nothing of it. */
export const isSilence = (error: unknown): error is CallError | HttpError =>
  error instanceof CallError || error instanceof HttpError

function kindOf(text: string, code: number): BroadcastResult['kind'] {
  const row = words.find(([, pattern]) => pattern.test(text))
  return row?.[0] ?? (passing.includes(code) ? 'again' : 'unclear')
}

/** The first row that fits. Whose words these are is in test/service/outbox/result.e2e.test.ts. */
const words: readonly (readonly [BroadcastResult['kind'], RegExp])[] = [
  [
    'known',
    /already ?known|already imported|\bknown transaction|same hash|already_exists|already in (the )?(pool|mempool)/i,
  ],
  ['spent', /nonce (is )?too low|oldnonce|stale nonce|^mined\b/i],
  ['price', /base ?fee|minimum gas price|price (is )?below|\bfee too low|tip cap \d+, minimum/i],
  // Before what is refused: these speak of the pool as it is now.
  [
    'again',
    /replace|pool is full|queue is full|account ?limit ?exceeded|nonce (is )?too high|nonce ?gap|gapped|incorrect nonce|in (the )?future|in-flight|already reserved/i,
  ],
  // Of the calls that went together, before what is too large itself.
  ['again', /batch/i],
  ['refused', /intrinsic ?gas|floor data gas|gas ?uint(64)? ?overflow/i],
  ['refused', /block gas limit|gas ?limit ?(is )?(too ?high|exceeded)/i],
  [
    'refused',
    /invalid sender|to (resolve|recover) ?sender|failedtoresolvesender|invalid signature/i,
  ],
  ['refused', /chain ?id|another chain|replay[- ]protect/i],
  ['refused', /insufficient ?funds|upfront cost|fee ?cap exceeded|exceeds the configured cap/i],
  ['refused', /init ?code|oversized|too ?large|maxtxsizeexceeded|rlp|to decode/i],
  [
    'refused',
    /(type|transactions?) (is )?not supported|(unsupported|invalid) (transaction|tx) type/i,
  ],
  ['refused', /not an eoa|senderiscontract|max value|negative value|not authorized|acl policy/i],
  ['refused', /^invalid(,| transaction)|typed transaction too short|empty transaction data/i],
  [
    'again',
    /sync|rate limit|too many requests|time(d )? ?out|temporar|unavailable|try again|busy/i,
  ],
]

/** -32005 is a limit of requests (EIP-1474), -32002 a resource that is not there now; the others are the node's own trouble. */
const passing: readonly number[] = [-32603, -32005, -32002, -32016, -32097, 429]

/** Gateways put their own address into what they answer; a node's own words are short. */
export function clean(message: string): string {
  const line = message
    .replaceAll(/[a-z][a-z0-9+.-]*:\/\/\S+/gi, 'the node')
    .replaceAll(/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g, 'the node')
    .replaceAll(/\b(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*:\d+\b|\blocalhost(?::\d+)?\b/gi, 'the node')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (isInternal(line)) return 'the node refused it'
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}
