/** Where keys, wallets and submissions are kept: one set of SQL on PGlite or on PostgreSQL. */
export type Store = {
  readonly kind: 'pglite' | 'postgres'
  /** Parameters are `$1`, `$2`. Rejects with StoreUnavailable where the store does not answer. */
  readonly query: Query
  /**
   * Commits if `work` resolves and rolls back if it rejects. A deadlock or a conflict with another transaction undoes
   * all of it, and `work` runs again, at most three times: it must do nothing that cannot be repeated. Inside it only
   * its own `query` may be used: PGlite has one connection, and a call of the store itself would wait for ever.
   */
  readonly transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>
  /** Waits for what is under way, then lets go of connections and locks. */
  readonly close: () => Promise<void>
}

/**
 * Rows as objects. `int8` (and so `count`) is a number, `timestamptz` a Date, `bytea` a Uint8Array, `uuid` a string in lower
 * case, `jsonb` its value, `numeric` a string. Parameters are the same; of `jsonb`, objects alone.
 *
 * A statement is sent once: after StoreUnavailable it is not known whether it was carried out, unless it came from a rejected
 * connection. What is wrong with the SQL itself, or with what it would store, rejects with an error with the five characters of
 * PostgreSQL's `code`.
 */
export type Query = <Row extends object = Record<string, unknown>>(
  sql: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>

/** The store does not answer now; what was asked may be asked again. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** How both databases read the types whose values would otherwise differ: a parser of PostgreSQL's text form for each OID. */
export const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  // int8: PGlite would return a BigInt past 2^53, and pg a string.
  20: Number,
  // bytea: PGlite's own parser takes 80 ms for 1 MB, and this one takes two.
  17: (text) => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex')),
}

/**
 * The error of the store for an error of the database. It is StoreUnavailable for everything temporary: a dead or
 * restarting server, a lost connection, a timeout, or no free connection. Otherwise it is the error itself.
 */
export function storeErrorOf(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error
  if (!(error instanceof Error)) return new StoreUnavailable('the store failed', { cause: error })
  return passes(error) ? unavailable(error) : withoutValues(error)
}

/** For what went wrong before a statement was sent: whatever the reason, the store does not answer. */
export function unavailable(error: unknown): StoreUnavailable {
  return new StoreUnavailable(`the store does not answer: ${reasonOf(error)}`, { cause: error })
}

/** Of several addresses tried, the first one's reason; Node gives the error that sums them up no words. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

/** The five characters that PostgreSQL names an error with. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/**
 * 08: connection. 53: out of connections, memory or disk. 57P: shutting down or starting up. 57014: cancelled by a timeout.
 * 58: the server's own files. 25006: a stand-by that may only read. 25P03: ended for being idle in a transaction.
 */
const PASSING = /^(08|53|57P|57014|58|25006|25P03)/

/** Neither the code nor the values of a caller are at fault where the runtime itself threw. */
const OWN_FAULTS = [TypeError, RangeError, SyntaxError, ReferenceError]

function passes(error: Error): boolean {
  const state = sqlState(error)
  if (state !== undefined) return PASSING.test(state)
  return !OWN_FAULTS.some((kind) => error instanceof kind)
}

/** PGlite hangs the statement's values on its errors, from where they would go into a log. */
function withoutValues(error: Error): Error {
  for (const name of ['params', 'queryOptions']) Reflect.deleteProperty(error, name)
  return error
}

/** Runs a transaction again that PostgreSQL undid for another one's sake: a deadlock or a serialization failure. */
export async function withAttempts<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === ATTEMPTS || !UNDONE.includes(sqlState(error) ?? '')) throw error
    }
  }
}

const ATTEMPTS = 3

const UNDONE = ['40001', '40P01']
