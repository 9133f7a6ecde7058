import { access, chmod, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite, PGliteOptions, Transaction } from '@electric-sql/pglite'
import { withAttempts } from './attempts.js'
import { freshCluster } from './cluster.js'
import type { Query, Store } from './store.js'
import { troubleOf } from './trouble.js'

/**
 * PostgreSQL inside this process: in memory, or in files of `folder`, which the caller has locked. It has one connection, so
 * that transactions run one after the other, and it works on the thread of its caller.
 */
export async function openPglite(folder: string | undefined, signal?: AbortSignal): Promise<Store> {
  const database = await (folder === undefined
    ? fresh('memory://', signal)
    : openFolder(folder, signal))
  const working = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const during = <T>(work: Promise<T>): Promise<T> => {
    working.add(work)
    const done = () => working.delete(work)
    work.then(done, done)
    return work
  }

  return {
    kind: 'pglite',
    query: (sql, values) => during(queryOf(database)(sql, values)),
    transaction: (work) => during(withAttempts(() => transact(database, work))),
    close: () => {
      closing ??= Promise.allSettled(working).then(() => database.close())
      return closing
    },
  }
}

/** The archive of a cluster has files that every user may read and write, so the folder itself keeps others out. */
async function openFolder(folder: string, signal: AbortSignal | undefined): Promise<PGlite> {
  const isNew = await access(join(folder, 'PG_VERSION')).then(
    () => false,
    () => true,
  )
  if (isNew) {
    // Made beside its place, so that whoever is killed meanwhile leaves no half of a cluster.
    const unfinished = `${folder}.new`
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { mode: 0o700 })
    await (await fresh(unfinished, signal)).close()
    await rename(unfinished, folder)
  }
  // Versions before this one left it open to others, and so does a careless copy.
  await chmod(folder, 0o700)
  return create(folder)
}

/** A database in a place where there is none. */
async function fresh(place: string, signal: AbortSignal | undefined): Promise<PGlite> {
  const kept = await freshCluster({ signal })
  try {
    return await create(place, { loadDataDir: kept.archive })
  } catch {
    await kept.forget()
    const made = await freshCluster({ signal })
    return create(place, { loadDataDir: made.archive })
  }
}

async function create(place: string, options: PGliteOptions = {}): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite')
  return PGlite.create(place, { parsers: { [INT8]: Number }, ...options })
}

/** The OID of `int8`: a BigInt past 2^53, unless told otherwise. */
const INT8 = 20

function queryOf(database: PGlite | Transaction): Query {
  return async <Row extends object>(sql: string, values: readonly unknown[] = []) => {
    try {
      const { rows } = await database.query<Row>(sql, [...values])
      return rows
    } catch (error) {
      throw troubleOf(error)
    }
  }
}

/** What `work` rejects with is its own affair; only what beginning and committing meet is the database's. */
async function transact<T>(database: PGlite, work: (query: Query) => Promise<T>): Promise<T> {
  let failed = false
  try {
    return await database.transaction(async (transaction) => {
      try {
        return await work(queryOf(transaction))
      } catch (error) {
        failed = true
        throw error
      }
    })
  } catch (error) {
    throw failed ? error : troubleOf(error)
  }
}
