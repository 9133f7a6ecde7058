import { sqlState } from './trouble.js'

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
