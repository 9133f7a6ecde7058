import { withAttempts } from '../store/attempts.js'
import type { Store } from '../store/store.js'

/**
 * Wallets belong to one process at a time, for as long as it goes on saying so. The store's clock decides, so that processes
 * need not agree on theirs.
 */
export function createLeases(store: Store, owner: string, milliseconds: number): Leases {
  const indices = async (sql: string, values: readonly unknown[]) =>
    (await withAttempts(() => store.query<{ index: number }>(sql, values))).map(
      ({ index }) => index,
    )

  return {
    take: (wallets) => indices(takeThese, [owner, milliseconds, wallets]),
    takeAbandoned: (atMost, held) => indices(takeAbandoned, [owner, milliseconds, atMost, held]),
    renew: (wallets) => indices(renewThese, [owner, milliseconds, wallets]),
    giveBack: async (wallets) => {
      await withAttempts(() => store.query(giveBackThese, [owner, wallets]))
    },
  }
}

export type Leases = {
  /** Of these, the wallets that are now this process's: free ones, and ones that it had. */
  readonly take: (wallets: readonly number[]) => Promise<readonly number[]>
  /**
   * Wallets with work that no process holds; among them those that are this process's without its knowing, as an answer of
   * the store was lost. `held` are those that it knows of.
   */
  readonly takeAbandoned: (atMost: number, held: readonly number[]) => Promise<readonly number[]>
  /** Of these, the wallets that still are this process's. */
  readonly renew: (wallets: readonly number[]) => Promise<readonly number[]>
  readonly giveBack: (wallets: readonly number[]) => Promise<void>
}

const lease = `lease_owner = $1, lease_until = clock_timestamp() + $2 * interval '1 millisecond'`
const free = '(w.lease_until is null or w.lease_until < clock_timestamp())'

const takeThese = `
  update wallet set ${lease} where index in (
    select w.index from wallet w where w.index = any($3::int[]) and (${free} or w.lease_owner = $1)
    order by w.index for update skip locked
  ) returning index`

/** Steps from wallet to wallet through the index of what is not done, so that a long queue of one costs nothing. */
const takeAbandoned = `
  with recursive busy as (
    (select wallet from submission where not done order by wallet limit 1)
    union all
    select (select s.wallet from submission s where not s.done and s.wallet > busy.wallet
      order by s.wallet limit 1) from busy where busy.wallet is not null
  )
  update wallet set ${lease} where index in (
    select w.index from wallet w where w.index in (select wallet from busy)
      and (${free} or (w.lease_owner = $1 and w.index <> all($4::int[])))
    order by w.index limit $3 for update skip locked
  ) returning index`

/** Locks are taken in the order of the indices, as those do who store submissions: else two would wait for each other. */
const renewThese = `
  update wallet set ${lease} where index = any(array(
    select w.index from wallet w where w.index = any($3::int[]) and w.lease_owner = $1
      and w.lease_until > clock_timestamp() order by w.index for update
  )) returning index`

const giveBackThese = `
  update wallet set lease_owner = null, lease_until = null where index = any(array(
    select w.index from wallet w where w.index = any($2::int[]) and w.lease_owner = $1
    order by w.index for update
  ))`
