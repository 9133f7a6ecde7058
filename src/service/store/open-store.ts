import { join } from 'node:path'
import type { Logger } from 'pino'
import { lockFolder } from './folder-lock.js'
import { migrate } from './migrate.js'
import { openPglite } from './pglite.js'
import { openPostgres } from './postgres.js'
import type { Store } from './store.js'

/**
 * Opens PostgreSQL at `databaseUrl`; without one, a PostgreSQL inside this process, in files of `folder` or, without that, in
 * memory. Its tables are made, or brought up to this version. Rejects with a UsageError where the user can mend it (a folder in
 * use, a store of a newer version), with StoreUnavailable where the server does not answer.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, folder, log, signal } = options
  if (databaseUrl !== undefined) {
    // Another process's migration, which ours waits for, may take its time on a large table.
    const patient = await openPostgres(databaseUrl, log, { statementMilliseconds: 600_000, signal })
    await migrate(patient, log).finally(patient.close)
    return openPostgres(databaseUrl, log, { signal })
  }
  const store = await (folder === undefined
    ? openPglite(undefined, signal)
    : openFolder(folder, signal))
  try {
    await migrate(store, log)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

export type StoreOptions = {
  readonly databaseUrl?: string | undefined
  readonly folder?: string | undefined
  readonly log: Logger
  /** Ends a start, at whatever it waits for in the store: what is under way rejects. A store that is in use is closed instead. */
  readonly signal?: AbortSignal | undefined
}

async function openFolder(folder: string, signal: AbortSignal | undefined): Promise<Store> {
  const lock = await lockFolder(folder)
  try {
    const store = await openPglite(join(folder, 'store'), signal)
    return { ...store, close: () => store.close().finally(lock.release) }
  } catch (error) {
    await lock.release()
    throw error
  }
}
