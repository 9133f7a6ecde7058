import type { Logger } from 'pino'
import type { Store } from '../store/store.js'
import { SLOTS, type Slot, type Spent, spentBy, type Take, type WindowOptions } from './counter.js'

/** Counts in the store, by its clock. While the store does not respond, the fallback counts. */
export const createSharing = (
  store: Store,
  log: Logger | undefined,
): ((options: WindowOptions, fallback: Take) => Take) => {
  let isSilentUntil = 0
  let cleanedAt = 0
  return (options, fallback) => {
    const { name, limit, milliseconds, grantsWhole = false } = options
    const count = async (who: string, points: number): Promise<Spent> => {
      const key = `${name}:${who}`
      const values = [key, points, limit, milliseconds, grantsWhole, milliseconds / SLOTS]
      // The first statement for a key makes an empty counter; the next one counts.
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const [row] = await store.query<Row>(TAKE, values)
        if (row !== undefined && row.slots.length > 0)
          return spentBy(row.granted, row.slots, row.counted_at, options)
      }
      throw new Error(`the counter ${key} was removed while it was used`)
    }
    const clean = (): void => {
      const now = Date.now()
      if (now - cleanedAt < CLEAN_MILLISECONDS) return
      cleanedAt = now
      void store.query(CLEAN, [milliseconds]).catch(() => undefined)
    }
    const take: Take = async (who, points) => {
      if (Date.now() < isSilentUntil) return fallback(who, points)
      try {
        const spent = await within(STORE_MILLISECONDS, count(who, points))
        clean()
        return spent
      } catch (error) {
        if (Date.now() >= isSilentUntil)
          log?.warn({ reason: String(error) }, 'the store does not count, so this process does')
        isSilentUntil = Date.now() + SILENT_MILLISECONDS
        return fallback(who, points)
      }
    }
    // What is granted whole cannot be divided among those who asked together.
    return grantsWhole ? take : gather(take)
  }
}

type Row = {
  readonly slots: readonly Slot[]
  readonly granted: number
  readonly counted_at: number
}

/** A request waits no longer for its counter, and after that none asks the store for a while. */
const STORE_MILLISECONDS = 1_000
const SILENT_MILLISECONDS = 2_000
const CLEAN_MILLISECONDS = 60_000
const MOST_ATTEMPTS = 3

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::float8'

/**
 * `countInMemory` as one statement, so that a request waits for the store once and no transaction stays open: the key, the
 * points, the limit, the length of the window, whether all points are granted while any is left, and the length of a slot.
 */
const TAKE = `insert into rate_limit as counter (key, counted_at) values ($1, ${NOW})
  on conflict (key) do update set (slots, granted, counted_at) = (
    with clock as (
      select ${NOW} as time
    ), kept as (
      select (slot->>0)::float8 as time, (slot->>1)::float8 as points
      from jsonb_array_elements(counter.slots) as slot, clock
      where (slot->>0)::float8 > clock.time - $4::float8
    ), unused as (
      select $3::float8 - coalesce(sum(points), 0) as points from kept
    ), taken as (
      select clock.time, case
        when unused.points <= 0 then 0
        when $5::boolean then $2::float8
        else least($2::float8, unused.points)
      end as points
      from clock, unused
    ), merged as (
      select max(time) as time, sum(points) as points
      from (select * from kept union all select * from taken where points > 0) as slot
      group by floor(time / $6::float8)
    )
    select
      (select coalesce(jsonb_agg(jsonb_build_array(time, points) order by time), '[]') from merged),
      taken.points,
      taken.time
    from taken
  )
  returning slots, granted, counted_at`

const CLEAN = `delete from rate_limit where counted_at < ${NOW} - $1::float8`

/** One query at a time for each counter: requests that come meanwhile are counted together, and granted in their order. */
const gather = (take: Take): Take => {
  const queues = new Map<string, Waiting[]>()
  const serve = async (who: string): Promise<void> => {
    // One turn of the queue of microtasks, so that requests of one moment are counted together.
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
