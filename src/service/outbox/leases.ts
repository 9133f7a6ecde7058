import { type Store, withAttempts } from '../store/store.js'

/**
 * Each wallet belongs to one process at a time, as long as the process renews its lease. The store's clock decides, so
 * the clocks of processes may differ.
 */
export function createLeases(store: Store, owner: string, milliseconds: number): Leases {
  const indices = async (sql: string, values: readonly unknown[]) =>
    (await withAttempts(() => store.query<{ index: number }>(sql, values))).map(
      ({ index }) => index,
    )

  return {
    take: (wallets, atMost) => indices(takeThese, [owner, milliseconds, wallets, atMost]),
    takeWaiting: (atMost, held) => indices(takeWaiting, [owner, milliseconds, atMost, held]),
    countWaiting: async (atMost) => (await indices(findWaiting, [atMost])).length,
    renew: (wallets) => indices(renewThese, [owner, milliseconds, wallets]),
    giveBack: async (wallets) => {
      await withAttempts(() => store.query(giveBackThese, [owner, wallets]))
    },
  }
}

export type Leases = {
  /** The subset of these wallets that are now this process's: free ones, and its own. */
  readonly take: (wallets: readonly number[], atMost: number) => Promise<readonly number[]>
  /**
   * Wallets with work that no process holds, longest wait first: since they were last held, or since their oldest work
   * was stored. They include wallets that this process holds without knowing, because a response of the store was
   * lost. `held` are those that it knows of.
   */
  readonly takeWaiting: (atMost: number, held: readonly number[]) => Promise<readonly number[]>
  /** The number of wallets with work that no process holds. */
  readonly countWaiting: (atMost: number) => Promise<number>
  /** The subset of these wallets that are still this process's. */
  readonly renew: (wallets: readonly number[]) => Promise<readonly number[]>
  readonly giveBack: (wallets: readonly number[]) => Promise<void>
}

const lease = `lease_owner = $1, lease_until = clock_timestamp() + $2 * interval '1 millisecond'`
const free = '(w.lease_owner is null or w.lease_until < clock_timestamp())'

const takeThese = `
  update wallet set ${lease} where index in (
    select w.index from wallet w where w.index = any($3::int[]) and (${free} or w.lease_owner = $1)
    order by w.index limit $4 for update skip locked
  ) returning index`

/** Steps from wallet to wallet through the index of unfinished submissions, so that one wallet's long queue costs nothing. */
const busy = `
  with recursive busy as (
    (select wallet, created_at from submission where not done order by wallet, nonce limit 1)
    union all
    select next.wallet, next.created_at from busy cross join lateral (
      select s.wallet, s.created_at from submission s where not s.done and s.wallet > busy.wallet
      order by s.wallet, s.nonce limit 1
    ) next
  )`

const takeWaiting = `
  ${busy}
  update wallet set ${lease} where index in (
    select w.index from wallet w join busy on busy.wallet = w.index
    where ${free} or (w.lease_owner = $1 and w.index <> all($4::int[]))
    order by greatest(busy.created_at, w.lease_until) limit $3 for update of w skip locked
  ) returning index`

const findWaiting = `
  ${busy}
  select w.index from wallet w join busy on busy.wallet = w.index where ${free} limit $1`

/** Locks are taken in the order of the indices, like those for storing submissions, to prevent deadlocks. */
const renewThese = `
  update wallet set ${lease} where index = any(array(
    select w.index from wallet w where w.index = any($3::int[]) and w.lease_owner = $1
      and w.lease_until > clock_timestamp() order by w.index for update
  )) returning index`

/** The end of the lease is stored, so that the wallet that was held last waits behind the others. */
const giveBackThese = `
  update wallet set lease_owner = null, lease_until = clock_timestamp() where index = any(array(
    select w.index from wallet w where w.index = any($2::int[]) and w.lease_owner = $1
    order by w.index for update
  ))`
