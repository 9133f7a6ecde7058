/** Where keys, wallets and submissions are kept: one set of SQL on PGlite or on PostgreSQL. */
export type Store = {
  readonly kind: 'pglite' | 'postgres'
  /** Parameters are `$1`, `$2`. Rejects with StoreUnavailable where the store does not answer. */
  readonly query: Query
  /**
   * Commits where `work` resolves and rolls back where it rejects. After a deadlock or a conflict with another transaction,
   * which undid all of it, `work` runs again, three times at most: so it must do nothing that cannot be done twice. Inside
   * it only its own `query` may be used: PGlite has one connection, and asking the store itself would wait for ever.
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
