import type { Logger } from 'pino'
import { MIGRATIONS, type Migration } from './migrations.js'
import { type Store, StoreError } from './store.js'

/**
 * Brings a store up to `migrations`, all or nothing, whoever else is starting on it meanwhile. Rejects with a StoreError where a
 * newer version has been here.
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
      throw new StoreError(
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

/** Any number that no other user of the database is likely to lock. */
const LOCK = 20_180_427_003
