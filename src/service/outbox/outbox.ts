import type { Hex } from 'viem'
import type { Receipt } from '../node/chain.js'

/**
 * Submissions on their way to the chain. Nonce, signed bytes and hash are stored before the first broadcast, and a
 * retry sends the same bytes. So nothing is lost and nothing is sent twice.
 */
export type Outbox = {
  /**
   * Resolves once the submission is stored: from then on it is sent even if this process ends. Rejects with
   * OutboxFull, with StoreUnavailable, and, for a wallet's first submission, with the chain's error. Nothing is
   * stored then. After StoreUnavailable it is unknown if the store went away during the commit.
   */
  readonly enqueue: (submission: Submission) => Promise<Accepted>
  /** Undefined where the queue does not have it. */
  readonly find: (queueId: string) => Promise<StatusRecord | undefined>
  /** Resolves when the submission has come to its end; undefined when `timeout` milliseconds or the signal end first. */
  readonly settled: (
    queueId: string,
    options: { readonly timeout: number; readonly signal?: AbortSignal },
  ) => Promise<Settled | undefined>
  /** How many submissions are in each state, and how old the oldest unfinished one is. */
  readonly depth: () => Promise<Depth>
  /** Stops taking up work, finishes what is being sent, and gives wallets back to other processes. */
  readonly stop: () => Promise<void>
}

export type Submission = {
  readonly kind: 'message' | 'call' | 'deploy'
  /** The index of the wallet that signs. */
  readonly wallet: number
  /** Absent where a contract is created. */
  readonly to?: Hex
  readonly data: Hex
  readonly gas: bigint
}

export type Accepted = {
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
      /** Undefined where it is too large to be read. */
      readonly receipt: Receipt | undefined
    }
  | { readonly status: 'error'; readonly errorMessage: string }

export type Depth = Readonly<Record<Status, number>> & { readonly oldestSeconds: number }

/** More submissions wait to be stored than the limit allows; try again later. */
export class OutboxFull extends Error {
  override readonly name = 'OutboxFull'
}
