import type { Logger } from 'pino'
import { UsageError } from '../usage-error.js'
import type { Store } from './store.js'

/**
 * Migrates a store to `migrations`, in one transaction, even if other processes start at the same time. Rejects with a
 * UsageError if a newer version has migrated it.
 */
export async function migrate(
  store: Store,
  log: Logger,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const applied = await store.transaction(async (query) => {
    await query('select pg_advisory_xact_lock($1)', [LOCK])
    await query(
      `create table if not exists migration (
        id integer primary key,
        applied_at timestamptz not null default now()
      )`,
    )
    const [row] = await query<{ last: number }>(
      'select coalesce(max(id), 0) as last from migration',
    )
    const last = row?.last ?? 0
    const newest = migrations.at(-1)?.id ?? 0
    if (last > newest) {
      throw new UsageError(
        `the store was made by a newer version (it is at step ${last}, this version knows ${newest}): run that one, or give this one a store of its own`,
      )
    }
    const missing = migrations.filter(({ id }) => id > last)
    for (const { id, statements } of missing) {
      for (const statement of statements) await query(statement)
      await query('insert into migration (id) values ($1)', [id])
    }
    return missing.map(({ id }) => id)
  })
  if (applied.length > 0) log.info({ migrations: applied }, 'the store is up to date')
}

/** An arbitrary number that no other user of the database is likely to lock. */
const LOCK = 20_180_427_003

/**
 * The record of a submission. `raw` and `hash` are written before anything is sent, so that every retry sends the same bytes. A
 * submission that the node rejects permanently leaves its nonce to `filler_raw`. `done` means that one of the two has spent the
 * nonce on the chain. Few rows of a wallet are not done; every process looks for work in the index over them.
 */
const SUBMISSION_TABLE: readonly string[] = [
  `create table submission (
    queue_id uuid primary key,
    wallet integer not null references wallet (index),
    nonce integer not null check (nonce >= 0),
    kind text not null check (kind in ('message', 'call', 'deploy')),
    hash text not null,
    raw bytea not null,
    status text not null default 'pending'
      check (status in ('pending', 'processing', 'completed', 'error')),
    error_message text,
    filler_raw bytea,
    filler_hash text,
    done boolean not null default false,
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    processed_at timestamptz,
    unique (wallet, nonce),
    check ((status in ('completed', 'error')) = (processed_at is not null)),
    check ((status = 'error') = (error_message is not null))
  )`,
  'create index submission_undone on submission (wallet, nonce) where not done',
  `create function keep_submission_end() returns trigger language plpgsql as $$
    begin
      if (new.status, new.error_message, new.processed_at)
        is distinct from (old.status, old.error_message, old.processed_at) then
        raise exception 'submission % has come to its end as %', old.queue_id, old.status
          using errcode = 'check_violation';
      end if;
      return new;
    end
  $$`,
  `create trigger submission_ends_once before update on submission for each row
    when (old.status in ('completed', 'error')) execute function keep_submission_end()`,
]

/** The statements that create the tables, step by step. A released step never changes: a new one follows it. */
export const MIGRATIONS: readonly Migration[] = [
  {
    id: 1,
    statements: [
      'create table meta (key text primary key, value text not null)',
      `create table api_key (
        id text primary key,
        name text not null,
        kind text not null check (kind in ('private', 'public')),
        hash bytea not null,
        wallet integer not null unique check (wallet >= 1),
        created_at timestamptz not null default now(),
        revoked_at timestamptz
      )`,
      // A null nonce has not been read from the chain yet.
      `create table wallet (
        index integer primary key check (index >= 0),
        address text not null unique,
        next_nonce integer check (next_nonce >= 0),
        lease_owner uuid,
        lease_until timestamptz
      )`,
      ...SUBMISSION_TABLE,
      // Counts of a minute need not survive a crash of the server.
      `create unlogged table rate_limit (
        key varchar(255) primary key,
        points integer not null default 0,
        expire bigint
      )`,
    ],
  },
  {
    id: 2,
    statements: [
      // A slot is `[time, points]`: milliseconds of the last grant, and the points granted (see access/counters.ts).
      'drop table rate_limit',
      `create unlogged table rate_limit (
        key text primary key,
        slots jsonb not null default '[]',
        granted float8 not null default 0,
        counted_at float8 not null
      )`,
    ],
  },
]

type Migration = {
  /** The id of the previous migration plus one. */
  readonly id: number
  /** One statement per text. */
  readonly statements: readonly string[]
}
