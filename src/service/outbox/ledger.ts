import type { Hex } from 'viem'
import type { Query, Store } from '../store/store.js'

/**
 * The reads and writes of the holder of a wallet for its submissions. Every write names the holder, and changes nothing that
 * now belongs to another one. None changes a submission in a final state.
 */
export function createLedger(store: Store, owner: string): Ledger {
  const names = async (query: Query, sql: string, values: readonly unknown[]) =>
    new Set((await query<{ queue_id: string }>(sql, values)).map(({ queue_id }) => queue_id))

  return {
    load: async (requests) => {
      const values = [
        requests.map(({ wallet }) => wallet),
        requests.map(({ from }) => from),
        requests.map(({ atMost }) => atMost),
        SMALL_BYTES,
      ]
      const pages = new Map<number, LedgerPage>()
      for (const row of await store.query<LoadedRow>(load, values)) {
        const page = pages.get(row.wallet) ?? {
          nextNonce: row.next_nonce,
          spent: row.spent ?? row.next_nonce,
          rows: [],
        }
        pages.set(
          row.wallet,
          row.queue_id === null ? page : { ...page, rows: [...page.rows, rowOf(row)] },
        )
      }
      return requests.map(
        ({ wallet }) => pages.get(wallet) ?? new Error(`there is no wallet ${wallet}`),
      )
    },
    nextNonces: async (wallets) => {
      const rows = await store.query<{ index: number; next_nonce: number }>(
        'select index, next_nonce from wallet where index = any($1::int[]) and next_nonce is not null',
        [wallets],
      )
      return new Map(rows.map(({ index, next_nonce }) => [index, next_nonce]))
    },
    bytes: async (queueId) => {
      // As text: a megabyte of bytes would be converted on this thread, twice.
      const [row] = await store.query<{ bytes: Hex }>(
        `select '0x' || encode(coalesce(filler_raw, raw), 'hex') as bytes from submission where queue_id = $1`,
        [queueId],
      )
      if (!row) throw new Error(`there is no submission ${queueId}`)
      return row.bytes
    },
    mark: async (queueIds) => {
      await store.query(mark, [queueIds, owner])
    },
    settle: (ends) =>
      names(store.query, settle, [
        ends.map(({ queueId }) => queueId),
        ends.map(({ status }) => status),
        ends.map(({ message }) => message ?? null),
        owner,
      ]),
    reject: async ({ queueId, wallet, message, filler, nextNonce }) => {
      const values = [
        queueId,
        wallet,
        owner,
        message,
        filler.raw.slice(2),
        filler.hash,
        nextNonce ?? 0,
      ]
      return (await names(store.query, reject, [...values, nextNonce !== undefined])).size > 0
    },
    fill: async (queueId, filler) => {
      const values = [queueId, owner, filler.raw.slice(2), filler.hash]
      return (await names(store.query, fill, values)).size > 0
    },
    postpone: async (queueId, attempts, pause) => {
      await store.query(postpone, [queueId, attempts, pause, owner])
    },
    reopen: async (wallet, nonce) => {
      const [row] = await store.query<{ held: boolean; reopened: number }>(reopen, [
        wallet,
        nonce,
        owner,
      ])
      return row?.held ? row.reopened : undefined
    },
    spent: async () => {
      const rows = await store.query<{ index: number; spent: number }>(spent)
      return new Map(rows.map((row) => [row.index, row.spent]))
    },
  }
}

export type Ledger = {
  /** The unfinished submissions of each wallet, in nonce order, from a nonce on. An Error if there is no such wallet. */
  readonly load: (requests: readonly Request[]) => Promise<readonly (LedgerPage | Error)[]>
  readonly nextNonces: (wallets: readonly number[]) => Promise<ReadonlyMap<number, number>>
  /** The bytes to send, of any length. */
  readonly bytes: (queueId: string) => Promise<Hex>
  /** From `pending` to `processing`. */
  readonly mark: (queueIds: readonly string[]) => Promise<void>
  /** Marks the nonces as spent. Returns the submissions whose wallets were still held. */
  readonly settle: (ends: readonly FinalState[]) => Promise<ReadonlySet<string>>
  /**
   * Ends a submission whose bytes are not on the chain, and stores its filler in the same transaction. With
   * `nextNonce`, another sender's transaction has spent its nonce, and the wallet continues from there.
   * False if the submission was not ours.
   */
  readonly reject: (rejection: Rejection) => Promise<boolean>
  /** Stores the filler of a submission in a final state, which does not change. False if the submission was not ours. */
  readonly fill: (queueId: string, filler: Rejection['filler']) => Promise<boolean>
  readonly postpone: (queueId: string, attempts: number, pause: number) => Promise<void>
  /**
   * Reopens all spent nonces from `nonce` on after a reorg, to send them again. Returns their number; undefined if the
   * wallet now belongs to another process.
   */
  readonly reopen: (wallet: number, nonce: number) => Promise<number | undefined>
  /** For every wallet, the nonce before which all are spent, as far as the store knows. */
  readonly spent: () => Promise<ReadonlyMap<number, number>>
}

export type Request = { readonly wallet: number; readonly from: number; readonly atMost: number }

export type LedgerPage = {
  readonly nextNonce: number
  /** The nonce before which all are spent, as far as the store knows. */
  readonly spent: number
  readonly rows: readonly LedgerRow[]
}

export type LedgerRow = {
  readonly queueId: string
  readonly nonce: number
  /** False if the submission is in a final state and only its nonce is still to be spent. */
  readonly live: boolean
  readonly marked: boolean
  /** The hash of the bytes to send. */
  readonly hash: Hex
  /** Undefined if they are long: then they are read when they are needed. */
  readonly bytes: Hex | undefined
  readonly attempts: number
  /** Milliseconds until the next attempt. */
  readonly pause: number
}

export type FinalState = {
  readonly queueId: string
  /** Ignored if the submission is already in a final state. */
  readonly status: 'completed' | 'error'
  readonly message?: string
}

type Rejection = {
  readonly queueId: string
  readonly wallet: number
  readonly message: string
  readonly filler: { readonly raw: Hex; readonly hash: Hex }
  readonly nextNonce?: number
}

/** Longer bytes stay in the store until they are sent, so that a long queue does not fill the memory. */
export const SMALL_BYTES = 16_384

type LoadedRow = {
  wallet: number
  next_nonce: number
  spent: number | null
  queue_id: string | null
  nonce: number
  status: string
  hash: Hex
  bytes: Uint8Array | null
  attempts: number
  pause: number
}

function rowOf(row: LoadedRow): LedgerRow {
  return {
    queueId: row.queue_id as string,
    nonce: row.nonce,
    live: row.status === 'pending' || row.status === 'processing',
    marked: row.status !== 'pending',
    hash: row.hash,
    bytes: row.bytes ? hexOf(row.bytes) : undefined,
    attempts: row.attempts,
    pause: row.pause,
  }
}

const hexOf = (bytes: Uint8Array): Hex =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`

const load = `
  select w.index as wallet, w.next_nonce, s.queue_id, s.nonce, s.status, s.hash, s.bytes, s.attempts, s.pause,
    (select o.nonce from submission o where o.wallet = w.index and not o.done order by o.nonce limit 1) as spent
  from unnest($1::int[], $2::int[], $3::int[]) as r (index, since, at_most)
  join wallet w on w.index = r.index
  left join lateral (
    select queue_id, nonce, status, coalesce(filler_hash, hash) as hash, attempts,
      case when octet_length(coalesce(filler_raw, raw)) <= $4::int then coalesce(filler_raw, raw) end as bytes,
      coalesce(greatest(0, extract(epoch from next_attempt_at - clock_timestamp()) * 1000), 0)::float8 as pause
    from submission where wallet = r.index and not done and nonce >= r.since
    order by nonce limit r.at_most
  ) s on true
  order by w.index, s.nonce`

const mark = `
  update submission s set status = 'processing' from wallet w
  where s.queue_id = any($1::uuid[]) and s.status = 'pending' and w.index = s.wallet and w.lease_owner = $2`

const settle = `
  update submission s set done = true,
    status = case when s.processed_at is null then e.status else s.status end,
    error_message = case when s.processed_at is null then e.message else s.error_message end,
    processed_at = coalesce(s.processed_at, clock_timestamp())
  from unnest($1::uuid[], $2::text[], $3::text[]) as e (queue_id, status, message), wallet w
  where s.queue_id = e.queue_id and w.index = s.wallet and w.lease_owner = $4
  returning s.queue_id`

/** The update locks the wallet, so no other process takes it between the check of the lease and the end. */
const reject = `
  with held as (
    update wallet set next_nonce = greatest(next_nonce, $7::int)
    where index = $2 and lease_owner = $3 and lease_until > clock_timestamp() returning index
  )
  update submission s set status = 'error', error_message = $4, processed_at = clock_timestamp(),
    filler_raw = decode($5, 'hex'), filler_hash = $6, done = $8, attempts = 0, next_attempt_at = null
  from held where s.queue_id = $1 and s.wallet = held.index and s.processed_at is null
  returning s.queue_id`

const fill = `
  update submission s set filler_raw = decode($3, 'hex'), filler_hash = $4, attempts = 0, next_attempt_at = null
  from wallet w where s.queue_id = $1 and s.processed_at is not null and not s.done
    and w.index = s.wallet and w.lease_owner = $2 and w.lease_until > clock_timestamp()
  returning s.queue_id`

const postpone = `
  update submission s set attempts = $2, next_attempt_at = clock_timestamp() + $3::float8 * interval '1 millisecond'
  from wallet w where s.queue_id = $1 and w.index = s.wallet and w.lease_owner = $4`

const reopen = `
  with held as (select index from wallet where index = $1 and lease_owner = $3),
  opened as (
    update submission s set done = false, attempts = 0, next_attempt_at = null from held
    where s.wallet = held.index and s.nonce >= $2 and s.done returning s.queue_id
  )
  select exists (select from held) as held, (select count(*) from opened)::int as reopened`

const spent = `
  select w.index, coalesce(
    (select s.nonce from submission s where s.wallet = w.index and not s.done order by s.nonce limit 1),
    w.next_nonce) as spent
  from wallet w where w.next_nonce is not null`
