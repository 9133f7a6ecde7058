import type { PGlite, Transaction } from '@electric-sql/pglite'
import { withAttempts } from './attempts.js'
import type { Query, Store } from './store.js'
import { troubleOf } from './trouble.js'

/**
 * PostgreSQL inside this process: in memory, or in files of `folder`, which the caller has locked. It has one connection, so
 * that transactions run one after the other, and it works on the thread of its caller.
 */
export async function openPglite(folder: string | undefined): Promise<Store> {
  const { PGlite } = await import('@electric-sql/pglite')
  const database = await PGlite.create(folder ?? 'memory://', { parsers: { [INT8]: Number } })
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
