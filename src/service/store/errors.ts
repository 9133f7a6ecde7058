import { StoreUnavailable } from './store.js'

/**
 * What a database rejected with, as the store tells it: StoreUnavailable for everything that passes by itself (a dead or
 * restarting server, a lost connection, a timeout, no connection free), and the error itself where the statement is at fault.
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
