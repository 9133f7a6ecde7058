import type { Hex } from 'viem'
import type { Store } from '../store/store.js'
import type { Depth, Status, StatusRecord } from './outbox.js'

/** What the status lookup tells; undefined for what is no queue id of ours. */
export async function findRecord(store: Store, queueId: string): Promise<StatusRecord | undefined> {
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

/** PostgreSQL takes other spellings, such as braces, which were never given out. */
export function isQueueId(text: string): boolean {
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

export async function depthOf(store: Store): Promise<Depth> {
  const rows = await store.query<{ status: Status; count: number; age: number }>(
    `select status, count(*) as count,
      coalesce(extract(epoch from clock_timestamp() - min(created_at) filter (where processed_at is null)), 0)::float8 as age
    from submission group by status`,
  )
  const counts = { pending: 0, processing: 0, completed: 0, error: 0 }
  for (const { status, count } of rows) counts[status] = count
  return { ...counts, oldestSeconds: Math.max(0, ...rows.map(({ age }) => age)) }
}
