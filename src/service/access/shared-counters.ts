import type { Logger } from 'pino'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Store } from '../store/store.js'
import { consume, type Spent, spentBy, type Take, type WindowOptions } from './counter.js'

/** Counting in the store, and by the fallback where and as long as it does not answer. */
export const createSharing = (
  store: Store,
  log: Logger | undefined,
): ((options: WindowOptions, fallback: Take) => Take) => {
  let isSilentUntil = 0
  let cleanedAt = 0
  const client = {
    // What rate-limiter-flexible asks of a connection of `pg`; the store names its statements itself.
    query: async ({ text, values }: { text: string; values: readonly unknown[] }) => {
      const rows = await within(STORE_MILLISECONDS, store.query(text, values))
      return { rows, rowCount: rows.length }
    },
  }
  return (options, fallback) => {
    const limiter = new RateLimiterPostgres({
      ...options,
      storeClient: client,
      storeType: 'client',
      tableName: 'rate_limit',
      tableCreated: true,
      clearExpiredByTimeout: false,
      // A counter that is spent is known to be so until its window ends, and the store is left alone.
      inMemoryBlockOnConsumed: options.points,
    })
    const clean = (): void => {
      const now = Date.now()
      if (now - cleanedAt < CLEAN_MILLISECONDS) return
      cleanedAt = now
      void store.query(CLEAN, [now]).catch(() => undefined)
    }
    return gather(async (who, points) => {
      if (Date.now() < isSilentUntil) return fallback(who, points)
      try {
        const result = await consume(limiter, who, points)
        clean()
        return spentBy(result, points, options.points)
      } catch (error) {
        if (Date.now() >= isSilentUntil)
          log?.warn({ reason: String(error) }, 'the store does not count, so this process does')
        isSilentUntil = Date.now() + SILENT_MILLISECONDS
        return fallback(who, points)
      }
    })
  }
}

/** A request waits no longer for its counter, and after that none asks the store for a while. */
const STORE_MILLISECONDS = 1_000
const SILENT_MILLISECONDS = 2_000
const CLEAN_MILLISECONDS = 60_000
const CLEAN = 'delete from rate_limit where expire < $1'

/** At most one question for a counter is under way: those who come meanwhile are asked for together, and served in order. */
const gather = (take: Take): Take => {
  const queues = new Map<string, Waiting[]>()
  const serve = async (who: string): Promise<void> => {
    // One turn, so that what is asked at the same time goes together.
    await undefined
    for (let queue = queues.get(who); queue !== undefined && queue.length > 0; ) {
      queues.set(who, [])
      const spent = await take(
        who,
        queue.reduce((sum, { points }) => sum + points, 0),
      )
      let left = spent.granted
      for (const { points, resolve } of queue) {
        const granted = Math.min(points, left)
        left -= granted
        resolve({ ...spent, granted, remaining: spent.remaining + left })
      }
      queue = queues.get(who)
    }
    queues.delete(who)
  }
  return (who, points) =>
    new Promise((resolve) => {
      const queue = queues.get(who)
      if (queue) {
        queue.push({ points, resolve })
        return
      }
      queues.set(who, [{ points, resolve }])
      void serve(who)
    })
}

type Waiting = { readonly points: number; readonly resolve: (spent: Spent) => void }

const within = <T>(milliseconds: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = (): void => reject(new Error(`no answer within ${milliseconds} ms`))
    const timer = setTimeout(late, milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
