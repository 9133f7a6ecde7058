import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLeases, type Leases } from '../../../src/service/outbox/leases.js'
import type { Store } from '../../../src/service/store/store.js'
import { eachStore } from '../stores.js'

/** PostgreSQL undoes one of two that wait for each other after a second; without an order this many meet such a pair. */
const ROUNDS = 200

describe.each(eachStore)('leases on $kind', ({ openEmpty, kind }) => {
  let store: Store
  const wallets = Array.from({ length: 60 }, (_, index) => index)
  beforeAll(async () => {
    store = await openEmpty()
    // Stored from the last to the first, which is how the server then goes through them.
    await store.query(
      `insert into wallet (index, address) select i, 'wallet ' || i from unnest($1::int[]) i`,
      [[...wallets].reverse()],
    )
  })
  afterAll(() => store.close())

  test('are renewed while others lock the same wallets, and nobody waits for ever', async () => {
    const undone: unknown[] = []
    const watched: Store = {
      ...store,
      query: (sql, values) =>
        store.query(sql, values).catch((error: unknown) => {
          undone.push(error)
          throw error
        }),
    } as Store
    const leases = createLeases(watched, '00000000-0000-4000-8000-000000000001', 60_000)
    expect(await leases.take(wallets, 60)).toHaveLength(wallets.length)
    const rounds = kind === 'pglite' ? 5 : ROUNDS
    const lock = () =>
      store.transaction(async (query) => {
        await query('select 1 from wallet where index = any($1::int[]) order by index for update', [
          wallets,
        ])
      })
    const busy = async (run: () => Promise<unknown>) => {
      for (let i = 0; i < rounds; i++) await run()
    }
    await Promise.all([
      busy(lock),
      busy(lock),
      busy(lock),
      busy(() => leases.renew(wallets)),
      busy(() => leases.renew([...wallets].reverse())),
    ])
    expect(await leases.renew(wallets)).toHaveLength(wallets.length)
    await leases.giveBack(wallets)
    expect(await leases.renew(wallets)).toHaveLength(0)
    expect(undone).toEqual([])
  })

  test('are taken in the order in which their wallets waited, whoever was held last coming last', async () => {
    const owners = [1, 2].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`)
    const [one, other] = owners.map((owner) => createLeases(store, owner, 60_000)) as [
      Leases,
      Leases,
    ]
    await store.query('update wallet set lease_owner = null, lease_until = null')
    for (const [wallet, age] of [
      [7, 20],
      [3, 40],
      [5, 30],
    ]) {
      await store.query(
        `insert into submission (queue_id, wallet, nonce, kind, hash, raw, created_at)
        select gen_random_uuid(), $1, n, 'message', '0x', '', clock_timestamp() - ($2 - n) * interval '1 second'
        from generate_series(0, 2) n`,
        [wallet, age],
      )
    }
    expect(await one.countWaiting(10)).toBe(3)
    expect(await one.takeWaiting(1, [])).toEqual([3])
    expect(await other.takeWaiting(1, [])).toEqual([5])
    expect(await one.countWaiting(10)).toBe(1)
    await one.giveBack([3])
    expect(await other.takeWaiting(1, [5])).toEqual([7])
    expect(await other.takeWaiting(2, [5, 7])).toEqual([3])
    // What it does not know that it has, as an answer of the store was lost.
    expect(await other.takeWaiting(2, [5, 7])).toEqual([3])
    expect(await one.takeWaiting(3, [])).toEqual([])
    expect(await one.countWaiting(10)).toBe(0)
  })
})
