/** The store of keys, wallets and submissions: the same SQL on PGlite and on PostgreSQL. */
export type Store = {
  readonly kind: 'pglite' | 'postgres'
  /** Parameters are `$1`, `$2`. Rejects with StoreUnavailable if the store does not respond. */
  readonly query: Query
  /**
   * Commits if `work` resolves and rolls back if it rejects. A deadlock or a conflict with another transaction rolls back, and
   * `work` runs again, at most three times: its effects must be repeatable. It may use only its own `query`: PGlite has one
   * connection, and a call of the store itself would never return.
   */
  readonly transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>
  /** Waits for pending work, then releases connections and locks. */
  readonly close: () => Promise<void>
}

/**
 * Rows as objects. `int8` (including `count`) is a number, `timestamptz` a Date, `bytea` a Uint8Array, `uuid` a string in lower
 * case, `jsonb` its value, `numeric` a string. Parameters are the same; for `jsonb`, only objects.
 *
 * A statement is sent once: after StoreUnavailable it is unknown whether it was executed, unless the connection was rejected.
 * Errors in the SQL or in the values have the five characters of PostgreSQL's `code`.
 */
export type Query = <Row extends object = Record<string, unknown>>(
  sql: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>

/** The store does not respond now; the call may be repeated. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** How both databases parse the types whose values would otherwise differ: a parser of PostgreSQL's text format for each OID. */
export const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  // int8: PGlite would return a BigInt past 2^53, and pg a string.
  20: Number,
  // bytea: PGlite's own parser takes 80 ms for 1 MB, this one takes 2 ms.
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

/** An error before a statement was sent: whatever the reason, the store does not respond. */
export function unavailable(error: unknown): StoreUnavailable {
  return new StoreUnavailable(`the store does not answer: ${reasonOf(error)}`, { cause: error })
}

/** For several addresses, the error of the first one; Node's AggregateError has no message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

/** PostgreSQL's error code of five characters. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/**
 * 08: connection. 53: out of connections, memory or disk. 57P: shutting down or starting up. 57014: cancelled by a timeout. 58:
 * the server's own files. 25006: a read-only stand-by. 25P03: ended because it was idle in a transaction.
 */
const PASSING = /^(08|53|57P|57014|58|25006|25P03)/

/** Errors of the runtime itself, which are not temporary. */
const OWN_FAULTS = [TypeError, RangeError, SyntaxError, ReferenceError]

function passes(error: Error): boolean {
  const state = sqlState(error)
  if (state !== undefined) return PASSING.test(state)
  return !OWN_FAULTS.some((kind) => error instanceof kind)
}

/** PGlite adds the statement's values to its errors, which would be logged. */
function withoutValues(error: Error): Error {
  for (const name of ['params', 'queryOptions']) Reflect.deleteProperty(error, name)
  return error
}

/** Runs a transaction again that PostgreSQL rolled back because of another one: a deadlock or a serialization failure. */
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
