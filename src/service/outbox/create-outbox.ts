import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { createGroup } from '../group.js'
import type { Chain } from '../node/chain.js'
import { type Store, StoreUnavailable } from '../store/store.js'
import type { Wallets } from '../wallet/wallets.js'
import { createBatchFallback } from './batch-fallback.js'
import { createBroadcast } from './broadcast.js'
import { receiptOf } from './broadcast-result.js'
import { createWakeup, machineClock, type OutboxClock, type Timings, usual } from './clock.js'
import { createStoring, type PendingSubmission } from './enqueue.js'
import { createLeases } from './leases.js'
import { createLedger } from './ledger.js'
import {
  type AcceptedSubmission,
  type Depth,
  type Outbox,
  OutboxFull,
  type Settled,
  type Status,
  type StatusRecord,
} from './outbox.js'
import { causeText } from './stream.js'

/** Creates an outbox, which immediately sends the stored submissions. Several processes may share one store. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { store, log, clock = machineClock, random = Math.random } = options
  const chain = createBatchFallback(options.chain, clock)
  const timings = { ...usual, ...options.timings }
  const owner = randomUUID()
  const waiting = createWaiting({ store, chain, clock, timings, log })
  const broadcast = createBroadcast({
    ...options,
    chain,
    clock,
    random,
    timings,
    ledger: createLedger(store, owner),
    leases: createLeases(store, owner, timings.lease),
    onSettled: waiting.onSettled,
  })
  const storing = createGroup<PendingSubmission, AcceptedSubmission>(
    createStoring({ ...options, chain, onStored: broadcast.enqueue }),
    { atMost: 64, heaviest: 4_194_304, weigh: ({ submission }) => submission.data.length },
  )
  const firstNonce = createFirstNonces({ store, wallets: options.wallets, chain })
  /** Submissions of wallets whose first nonces are not known yet. */
  let beginning = 0
  let stopped: Promise<void> | undefined

  return {
    enqueue: async (submission) => {
      if (stopped) throw stopping()
      if (storing.waiting() + beginning >= (options.mostWaiting ?? 2_048)) {
        throw new OutboxFull('too many submissions wait to be stored: try again later')
      }
      beginning++
      const first = await firstNonce(submission.wallet).finally(() => beginning--)
      if (stopped) throw stopping()
      return storing.ask({ submission, first })
    },
    find: (queueId) => findRecord(store, queueId),
    settled: waiting.settled,
    depth: () => depthOf(store),
    stop: () => {
      stopped ??= storing
        .idle()
        .then(() => broadcast.stop())
        .then(() => waiting.stop())
      return stopped
    },
  }
}

const stopping = () => new StoreUnavailable('the service is stopping and takes nothing up any more')

export type OutboxOptions = {
  readonly store: Store
  readonly wallets: Wallets
  readonly chain: Chain
  readonly log: Logger
  readonly clock?: OutboxClock
  /** From 0 to 1. */
  readonly random?: () => number
  readonly timings?: Partial<Timings>
  /** How many submissions may wait to be stored; more are rejected with OutboxFull. */
  readonly mostWaiting?: number
  /** How many wallets this process sends for at a time; if more have work, they take turns. */
  readonly mostWallets?: number
}

/**
 * Reads the nonce of a new wallet from the chain, once for all callers that wait for it; undefined if the store has one. It is
 * read before any lock is taken, so that a node that does not respond delays only the new wallet.
 */
function createFirstNonces({ store, wallets, chain }: FirstNoncesOptions): FirstNonces {
  /** Wallets that are known to have a nonce in the store, which is never removed. */
  const begun = new Set<number>()
  const asking = new Map<number, Promise<number>>()
  const lookUp = createGroup<number, boolean>(
    async (indices) => {
      const rows = await store.query<{ index: number }>(
        'select index from wallet where index = any($1::int[]) and next_nonce is not null',
        [[...new Set(indices)]],
      )
      for (const { index } of rows) begun.add(index)
      return indices.map((index) => begun.has(index))
    },
    { atMost: 256 },
  )
  return async (index) => {
    if (begun.has(index) || (await lookUp.ask(index))) return undefined
    const asked =
      asking.get(index) ??
      chain.nonce(wallets.wallet(index).address, 'pending').finally(() => asking.delete(index))
    asking.set(index, asked)
    return asked
  }
}

type FirstNoncesOptions = {
  readonly store: Store
  readonly wallets: Wallets
  readonly chain: Chain
}

type FirstNonces = (wallet: number) => Promise<number | undefined>

/** The result of a status lookup; undefined for an unknown queue id. */
async function findRecord(store: Store, queueId: string): Promise<StatusRecord | undefined> {
  if (!isQueueId(queueId)) return undefined
  const [row] = await store.query<RecordRow>(
    `select queue_id, status, hash, created_at, processed_at, error_message
    from submission where queue_id = $1`,
    [queueId],
  )
  return (
    row && {
      queueId: row.queue_id,
      status: row.status,
      hash: row.hash,
      createdAt: row.created_at,
      processedAt: row.processed_at ?? undefined,
      errorMessage: row.error_message ?? undefined,
    }
  )
}

/** PostgreSQL accepts other spellings, such as braces, but no queue id has them. */
function isQueueId(text: string): boolean {
  return UUID.test(text)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

type RecordRow = {
  queue_id: string
  status: Status
  hash: Hex
  created_at: Date
  processed_at: Date | null
  error_message: string | null
}

async function depthOf(store: Store): Promise<Depth> {
  const rows = await store.query<{ status: Status; count: number; age: number }>(
    `select status, count(*) as count,
      coalesce(extract(epoch from clock_timestamp() - min(created_at) filter (where processed_at is null)), 0)::float8 as age
    from submission group by status`,
  )
  const counts = { pending: 0, processing: 0, completed: 0, error: 0 }
  for (const { status, count } of rows) counts[status] = count
  return { ...counts, oldestSeconds: Math.max(0, ...rows.map(({ age }) => age)) }
}

/**
 * Callers that wait for the end of submissions. They are notified immediately of those that this process ends; those of other
 * processes are looked up together, as long as a caller waits.
 */
function createWaiting(options: WaitingOptions): Waiting {
  const { clock, timings, log } = options
  const waiters = new Map<string, Set<(settled: Settled | undefined) => void>>()
  const wakeup = createWakeup(clock)
  let stopped = false

  const onSettled = (queueId: string, settled: Settled | undefined) => {
    for (const resolve of waiters.get(queueId) ?? []) resolve(settled)
  }
  const run = async () => {
    while (!stopped) {
      await wakeup.wait(waiters.size > 0 ? timings.lookUp : undefined)
      if (stopped || waiters.size === 0) continue
      try {
        const found = await lookUp([...waiters.keys()], options)
        for (const [queueId, settled] of found) onSettled(queueId, settled)
      } catch (error) {
        log.debug({ reason: causeText(error) }, 'ends are looked up later')
      }
    }
  }
  const running = run()

  return {
    onSettled,
    settled: (queueId, { timeout, signal }) =>
      new Promise((resolve) => {
        if (stopped || signal?.aborted || !isQueueId(queueId)) return resolve(undefined)
        const those = waiters.get(queueId) ?? new Set()
        const end = (settled: Settled | undefined) => {
          cancel()
          signal?.removeEventListener('abort', giveUp)
          those.delete(end)
          if (those.size === 0) waiters.delete(queueId)
          resolve(settled)
        }
        const giveUp = () => end(undefined)
        const cancel = clock.after(timeout, giveUp)
        signal?.addEventListener('abort', giveUp)
        waiters.set(queueId, those.add(end))
        wakeup.wake()
      }),
    stop: async () => {
      stopped = true
      for (const queueId of [...waiters.keys()]) onSettled(queueId, undefined)
      wakeup.wake()
      await running
    },
  }
}

type WaitingOptions = {
  readonly store: Store
  readonly chain: Chain
  readonly clock: OutboxClock
  readonly timings: Timings
  readonly log: Logger
}

type Waiting = {
  readonly settled: Outbox['settled']
  /** Call it when this process ends a submission. */
  readonly onSettled: (queueId: string, settled: Settled) => void
  readonly stop: () => Promise<void>
}

async function lookUp(
  queueIds: readonly string[],
  { store, chain }: WaitingOptions,
): Promise<readonly (readonly [string, Settled])[]> {
  const rows = await store.query<EndRow>(
    `select queue_id, hash, error_message from submission
    where queue_id = any($1::uuid[]) and processed_at is not null`,
    [queueIds],
  )
  const ends = await Promise.all(
    rows.map(async ({ queue_id, hash, error_message }): Promise<[string, Settled | undefined]> => {
      if (error_message !== null)
        return [queue_id, { status: 'error', errorMessage: error_message }]
      // A node that lags behind, or is away, has the receipt later.
      const { receipt } = await receiptOf(chain, hash).catch(() => ({ receipt: null }))
      return [queue_id, receipt === null ? undefined : { status: 'completed', receipt }]
    }),
  )
  return ends.flatMap(([queueId, settled]) => (settled ? [[queueId, settled] as const] : []))
}

type EndRow = { queue_id: string; hash: `0x${string}`; error_message: string | null }
