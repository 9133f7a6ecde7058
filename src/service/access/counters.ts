import type { Logger } from 'pino'
import { createGroup, type Group } from '../group.js'
import type { Store } from '../store/store.js'

/**
 * Counts in the memory of this process. In no interval of the window's length are more points granted than the limit, except by
 * the last grant of a budget. Above `most` counters, it removes the one with the oldest last grant.
 */
export const createMemory = (options: WindowOptions, most: number): Memory => {
  const { limit, milliseconds, grantsWhole = false } = options
  // In order of their last grants.
  const counters = new Map<string, Counter>()
  const forget = (now: number): void => {
    for (const [who, { slots }] of counters) {
      const [last = 0] = slots.at(-1) ?? []
      if (counters.size <= most && last > now - milliseconds) return
      counters.delete(who)
    }
  }
  const slotsOf = (who: string, now: number): Slot[] =>
    (counters.get(who)?.slots ?? []).filter(([time]) => time > now - milliseconds)
  const keep = (who: string, counter: Counter, now: number): void => {
    counters.delete(who)
    counters.set(who, counter)
    forget(now)
  }
  return {
    take: async (who, points) => {
      const now = performance.now()
      const slots = slotsOf(who, now)
      const left = limit - sumOf(slots)
      const granted = grantsWhole && left > 0 ? points : Math.max(0, Math.min(points, left))
      if (granted > 0) {
        const slot = milliseconds / SLOTS
        const [time = Number.NEGATIVE_INFINITY, before = 0] = slots.at(-1) ?? []
        const isSame = Math.floor(time / slot) === Math.floor(now / slot)
        if (isSame) slots.pop()
        slots.push([now, isSame ? before + granted : granted])
        keep(who, { slots, owed: (counters.get(who)?.owed ?? 0) + granted }, now)
      }
      return spentBy(granted, slots, now, options)
    },
    learn: (who, slots, now) => {
      const own = performance.now()
      const known = slots.map(([time, points]): Slot => [time - now + own, points])
      if (known.length > 0) keep(who, { slots: known, owed: 0 }, own)
    },
    owed: (who) => Math.min(counters.get(who)?.owed ?? 0, sumOf(slotsOf(who, performance.now()))),
  }
}

/** The counters of one process, which take the place of the store's while that does not respond. */
type Memory = {
  readonly take: Take
  /** Records the state of a counter in the store, by whose clock it is `now`. */
  readonly learn: (who: string, slots: readonly Slot[], now: number) => void
  /** The points of the window that were granted since `learn`, which the store has not counted. */
  readonly owed: (who: string) => number
}

type Counter = { readonly slots: readonly Slot[]; readonly owed: number }

/** The state of a counter after `granted` points were taken; `slots` includes them. */
const spentBy = (
  granted: number,
  slots: readonly Slot[],
  now: number,
  { limit, milliseconds }: WindowOptions,
): Spent => {
  let used = sumOf(slots)
  const remaining = Math.max(0, limit - used)
  for (const [time, points] of slots) {
    used -= points
    // The order matters, because `time + milliseconds` is rounded: 60 whole seconds must not become 61.
    if (used < limit) return { granted, remaining, milliseconds: milliseconds - (now - time) }
  }
  return { granted, remaining, milliseconds: 0 }
}

/**
 * The number of slots in which a counter sums up the grants of a window, in addition to the one that is expiring. A slot counts
 * until its last grant is older than the window. So grants may return one slot length late, and never early.
 */
const SLOTS = 60

/** The time of its last grant, in milliseconds, and its points. */
type Slot = readonly [time: number, points: number]

/** Takes points for one counter. */
export type Take = (who: string, points: number) => Promise<Spent>

type Spent = {
  readonly granted: number
  readonly remaining: number
  /** Time until more points are available. */
  readonly milliseconds: number
}

type WindowOptions = {
  readonly name: string
  /** The points granted in any interval of `milliseconds`. */
  readonly limit: number
  readonly milliseconds: number
  /** Grants all points while any are left, like a budget: the cost of one submission cannot be granted in part. */
  readonly grantsWhole?: boolean
}

const sumOf = (slots: readonly Slot[]): number => slots.reduce((sum, [, points]) => sum + points, 0)

/**
 * Counts in the store, by its clock. While the store does not respond, the memory continues from the last known state; the store
 * then counts what was granted without it.
 */
export const createSharedCounters = (
  store: Store,
  log: Logger | undefined,
): ((options: WindowOptions, memory: Memory) => Take) => {
  let isSilentUntil = 0
  let cleanedAt = 0
  return (options, memory) => {
    const { name, limit, milliseconds, grantsWhole = false } = options
    const count = async (who: string, points: number, isWhole = grantsWhole): Promise<Row> => {
      const key = `${name}:${who}`
      const values = [key, points, limit, milliseconds, isWhole, milliseconds / SLOTS]
      // The first statement for a key creates an empty counter; the next one counts.
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const [row] = await store.query<Row>(TAKE, values)
        if (row !== undefined && row.slots.length > 0) return row
      }
      throw new Error(`the counter ${key} was removed while it was used`)
    }
    const countAll = async (who: string, points: number): Promise<Row> => {
      const owed = memory.owed(who)
      if (owed > 0) await count(who, owed, true)
      return count(who, points)
    }
    const clean = (): void => {
      const now = Date.now()
      if (now - cleanedAt < CLEAN_MILLISECONDS) return
      cleanedAt = now
      void store.query(CLEAN, [milliseconds]).catch(() => undefined)
    }
    const take: Take = async (who, points) => {
      if (Date.now() < isSilentUntil) return memory.take(who, points)
      try {
        const row = await within(STORE_MILLISECONDS, countAll(who, points))
        memory.learn(who, row.slots, row.counted_at)
        clean()
        return spentBy(row.granted, row.slots, row.counted_at, options)
      } catch (error) {
        if (Date.now() >= isSilentUntil)
          log?.warn({ reason: String(error) }, 'the store does not count, so this process does')
        isSilentUntil = Date.now() + SILENT_MILLISECONDS
        return memory.take(who, points)
      }
    }
    // Points that are granted together cannot be divided among several requests.
    return grantsWhole ? take : gather(take)
  }
}

type Row = {
  readonly slots: readonly Slot[]
  readonly granted: number
  readonly counted_at: number
}

/** The maximum wait of a request for its counter; after a timeout, no request queries the store for a while. */
const STORE_MILLISECONDS = 1_000
const SILENT_MILLISECONDS = 2_000
const CLEAN_MILLISECONDS = 60_000
const MOST_ATTEMPTS = 3

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::float8'

/**
 * `countInMemory` as one statement, so that a request waits for the store once and no transaction stays open. Its parameters
 * are the key, the points, the limit and the length of the window. The last two are whether all points are granted while any
 * are left, and the length of a slot.
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

/** One query at a time for each counter: requests that arrive meanwhile are counted together, and granted in their order. */
const gather = (take: Take): Take => {
  const groups = new Map<string, Group<number, Spent>>()
  return (who, points) => {
    const group =
      groups.get(who) ??
      createGroup<number, Spent>(
        async (all) => {
          const spent = await take(
            who,
            all.reduce((sum, one) => sum + one, 0),
          )
          let left = spent.granted
          return all.map((one) => {
            const granted = Math.min(one, left)
            left -= granted
            return { ...spent, granted, remaining: spent.remaining + left }
          })
        },
        { atMost: Number.POSITIVE_INFINITY },
      )
    groups.set(who, group)
    const spent = group.ask(points)
    void group.idle().then(() => groups.delete(who))
    return spent
  }
}

const within = <T>(milliseconds: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = (): void => reject(new Error(`no answer within ${milliseconds} ms`))
    const timer = setTimeout(late, milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
