import type { Hex } from 'viem'
import type { Receipt } from '../node/chain.js'

/**
 * Sends submissions to the chain. Nonce, signed bytes and hash are stored before the first broadcast, and a retry sends the
 * same bytes. So nothing is lost and nothing is sent twice.
 */
export type Outbox = {
  /**
   * Resolves when the submission is stored: from then on it is sent even if this process ends. Rejects with OutboxFull, with
   * StoreUnavailable, and, for a wallet's first submission, with the chain's error. Then nothing is stored, except perhaps
   * after a StoreUnavailable during the commit.
   */
  readonly enqueue: (submission: Submission) => Promise<AcceptedSubmission>
  /** Undefined if the queue does not have it. */
  readonly find: (queueId: string) => Promise<StatusRecord | undefined>
  /** Resolves when the submission is in a final state; undefined if `timeout` milliseconds or the signal end first. */
  readonly settled: (
    queueId: string,
    options: { readonly timeout: number; readonly signal?: AbortSignal },
  ) => Promise<Settled | undefined>
  /** The number of submissions in each state, and the age of the oldest unfinished one. */
  readonly depth: () => Promise<Depth>
  /** Accepts no more work, finishes transactions that are being sent, and releases the wallets for other processes. */
  readonly stop: () => Promise<void>
}

export type Submission = {
  readonly kind: 'message' | 'call' | 'deploy'
  /** The index of the wallet that signs. */
  readonly wallet: number
  /** Undefined if a contract is created. */
  readonly to?: Hex
  readonly data: Hex
  readonly gas: bigint
}

export type AcceptedSubmission = {
  readonly queueId: string
  readonly hash: Hex
  readonly from: Hex
  readonly nonce: number
}

export type Status = 'pending' | 'processing' | 'completed' | 'error'

export type StatusRecord = {
  readonly queueId: string
  readonly status: Status
  readonly hash: Hex
  readonly createdAt: Date
  /** When the state became `completed` or `error`. */
  readonly processedAt: Date | undefined
  readonly errorMessage: string | undefined
}

export type Settled =
  | {
      readonly status: 'completed'
      /** Undefined if it is too large to be read. */
      readonly receipt: Receipt | undefined
    }
  | { readonly status: 'error'; readonly errorMessage: string }

export type Depth = Readonly<Record<Status, number>> & { readonly oldestSeconds: number }

/** More submissions wait to be stored than the limit allows; try again later. */
export class OutboxFull extends Error {
  override readonly name = 'OutboxFull'
}
