import type { Context, HttpContext } from 'twinspec/runtime/server'
import { type Hex, size } from 'viem'
import { CHAIN_FULL, type RequestCounters } from '../access/limits.js'
import type { Compiler } from '../compiler/compiler.js'
import type { Chain } from '../node/chain.js'
import type { AcceptedSubmission, Outbox, Settled, Submission } from '../outbox/outbox.js'
import { StoreUnavailable } from '../store/store.js'
import type { Caller } from '../turns.js'
import type { Wallet, Wallets } from '../wallet/wallets.js'
import { isOfNode } from './node-error.js'
import { RejectedSubmission, type RejectionCode } from './rejected.js'

/**
 * Passes a submission to the queue, unless its caller has left: such a caller may well send it again. `innerBytes` are the
 * bytes that our own chain would keep of its inner calls.
 */
export const enqueueSubmission = async (
  parts: ZktParts,
  context: HttpContext,
  submission: Submission,
  innerBytes = 0,
): Promise<AcceptedSubmission> => {
  context.signal.throwIfAborted()
  await takeFromBudget(parts, context, submission, innerBytes)
  context.signal.throwIfAborted()
  return parts.outbox.enqueue(submission)
}

/** The hash and the queue id of an accepted submission, by which its caller can follow it. */
export const followIds = ({ hash, queueId }: AcceptedSubmission) => ({ hash, queueId })

/**
 * Waits until the transaction is mined, for the configured time or until the caller leaves. Returns its receipt (undefined if
 * it is too large), or the warning that it is not mined yet. Throws RejectedSubmission if it failed: EXECUTION_REVERTED if it was mined,
 * and NOT_EXECUTED if it never will be.
 */
export const followTransaction = async (
  parts: ZktParts,
  context: HttpContext,
  accepted: AcceptedSubmission,
): Promise<Followed> => {
  const settled = await settledOf(parts, context, accepted)
  const names = followIds(accepted)
  if (settled?.status === 'error')
    throw new RejectedSubmission(settled.errorCode, settled.errorMessage, { details: names })
  if (settled) return { receipt: settled.receipt }
  return {
    warning: {
      success: true,
      error: 'the transaction was accepted, and is not mined yet',
      errorCode: 'NOT_MINED_YET',
      ...names,
    },
  }
}

type Followed =
  | {
      readonly receipt: Extract<Settled, { status: 'completed' }>['receipt']
      readonly warning?: never
    }
  | { readonly warning: Warning; readonly receipt?: never }

type Warning = {
  success: true
  error: string
  errorCode: string
  hash: Hex
  queueId: string
}

type Ended =
  | Extract<Settled, { status: 'completed' }>
  | (Extract<Settled, { status: 'error' }> & { readonly errorCode: RejectionCode })

/** An accepted submission is never rejected later. While a part of the service is down, its outcome is unknown. */
const settledOf = async (
  { outbox, chain, waitMilliseconds, ending }: ZktParts,
  { signal: gone }: HttpContext,
  { queueId, hash }: AcceptedSubmission,
): Promise<Ended | undefined> => {
  const over = new AbortController()
  const end = () => over.abort()
  const ends = [gone, ...(ending ? [ending] : [])]
  for (const each of ends) {
    each.addEventListener('abort', end, { once: true })
    if (each.aborted) end()
  }
  const { signal } = over
  try {
    const settled = await outbox.settled(queueId, { timeout: waitMilliseconds, signal })
    if (settled?.status !== 'error') return settled
    // A rejected transaction, or one whose nonce another sender used, has no receipt.
    const receipt = await chain.receipt(hash)
    return { ...settled, errorCode: receipt ? 'EXECUTION_REVERTED' : 'NOT_EXECUTED' }
  } catch (error) {
    if (error instanceof StoreUnavailable || isOfNode(error)) return undefined
    throw error
  } finally {
    for (const each of ends) each.removeEventListener('abort', end)
  }
}

/**
 * Takes the cost of a submission from the budget of its address, if its caller has no key. Throws RejectedSubmission if the budget
 * is exhausted, or if our own chain uses too much memory. A budget that is not exhausted pays for any submission, so
 * none is too large or too expensive.
 */
const takeFromBudget = async (
  { limits, walletOf, callerOf, isChainFull }: ZktParts,
  context: HttpContext,
  submission: Submission,
  innerBytes: number,
): Promise<void> => {
  if (walletOf(context) !== 0) return
  if (isChainFull?.()) throw new RejectedSubmission('UNAVAILABLE', CHAIN_FULL)
  const { name } = callerOf(context)
  const costs = [
    ['try-it-out-gas', Number(submission.gas), 'gas'],
    ['try-it-out-bytes', bytesOf(submission) + innerBytes, 'data for the chain to keep'],
  ] as const
  for (const [budget, cost, what] of costs) {
    if (cost === 0) continue
    const { granted, reset } = await limits.take(budget, name, cost)
    if (granted > 0) continue
    const when = `try again in ${reset} ${reset === 1 ? 'second' : 'seconds'}`
    throw new RejectedSubmission('RATE_LIMITED', `too much ${what} without an API key, ${when}`, {
      retrySeconds: reset,
    })
  }
}

/** The maximum that the chain keeps: the data, and logs, whose bytes cost 8 units of gas each. */
const bytesOf = ({ kind, data, gas }: Submission): number => {
  const bytes = size(data)
  if (kind === 'message') return bytes
  return bytes + Math.ceil(Math.max(0, Number(gas) - GAS_OF_BYTE * bytes) / GAS_OF_LOG_BYTE)
}

/** EIP-2028 */
const GAS_OF_BYTE = 16

/** The yellow paper's G_logdata */
const GAS_OF_LOG_BYTE = 8

/** The dependencies of submissions. */
export type ZktParts = {
  readonly outbox: Outbox
  readonly chain: Chain
  readonly compiler: Compiler
  readonly wallets: Wallets
  /** The index of the wallet that signs for a request; 0 for try-it-out. */
  readonly walletOf: (context: Context) => number
  /** The caller of a request, for taking turns. */
  readonly callerOf: (context: Context) => Caller
  /** Budgets of callers without a key. */
  readonly limits: Pick<RequestCounters, 'take'>
  /** Whether the chain uses so much memory that callers without a key cannot write. */
  readonly isChainFull?: () => boolean
  /** The maximum time that a response waits for a transaction to be mined. */
  readonly waitMilliseconds: number
  /** Ends the waiting, because the service stops soon and responses must be sent before. */
  readonly ending?: AbortSignal
}

export const signerOf = ({ wallets, walletOf }: ZktParts, context: Context): Wallet =>
  wallets.wallet(walletOf(context))
