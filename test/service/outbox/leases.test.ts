import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLeases } from '../../../src/service/outbox/leases.js'
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
    expect(await leases.take(wallets)).toHaveLength(wallets.length)
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
  }, 30_000)
})
