import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Outbox } from '../../../src/service/outbox/outbox.js'
import { type Store, StoreUnavailable } from '../../../src/service/store/store.js'
import { eachStore } from '../stores.js'
import { createFakeChain, type FakeTransaction } from './fake-chain.js'
import { checkBooks, emptyTables, expireLeases, message, startOutbox, untilDone } from './scene.js'

/**
 * A process dies at each point where it waits for something, one run for each: before a call reaches the store or the node, or
 * after it did and before the answer. Another process then finds the store as the first one left it.
 */
describe.each(eachStore)('a process that dies, on $kind', ({ openEmpty }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmpty()
  })
  afterAll(() => store.close())

  const refuse = ({ data }: FakeTransaction) =>
    data === message(1, 'poison').data ? 'intrinsic gas too low' : undefined

  const scenario = async (point: number, where: 'before' | 'after'): Promise<boolean> => {
    await emptyTables(store)
    const death = createDeath(point, where)
    const chain = createFakeChain({ refuse, before: death.before, after: death.after })
    const dying = startOutbox(death.store(store), chain)
    const accepted: string[] = []
    const enqueue = async (wallet: number, text: string) => {
      const { queueId } = await dying.enqueue(message(wallet, text))
      accepted.push(queueId)
    }
    const asked = ['a', 'poison', 'b'].map((text) => enqueue(1, text))
    asked.push(enqueue(2, 'c'))
    const life = Promise.all(asked).then(() => quiet(dying, accepted))
    const died = await Promise.race([life.then(() => false), death.dead.then(() => true)])
    death.now()
    // What the dead process had asked of the store is still carried out, as a server does.
    await death.settled()
    const promised = [...accepted]
    await expireLeases(store)
    const heir = startOutbox(store, chain)
    death.rise()
    const late = await heir.enqueue(message(1, 'later'))
    await untilDone(store, chain)
    const rows = await checkBooks(store, chain)
    const kept = new Set(rows.map(({ queue_id }) => queue_id))
    for (const queueId of [...promised, late.queueId]) expect(kept).toContain(queueId)
    await heir.stop()
    return died
  }

  test.each(['before', 'after'] as const)(
    '%s any call is answered',
    async (where) => {
      let point = 0
      while (await scenario(point, where)) point++
      expect(point).toBeGreaterThan(15)
    },
    120_000,
  )

  test('a commit that is carried out and not answered is accepted, and its nonces are used once', async () => {
    await emptyTables(store)
    const chain = createFakeChain()
    let failing = true
    const outbox = startOutbox(
      {
        ...store,
        transaction: async (work) => {
          const result = await store.transaction(work)
          if (!failing) return result
          failing = false
          throw new StoreUnavailable('the connection ended')
        },
      },
      chain,
    )
    const accepted = await Promise.all([1, 2].map((i) => outbox.enqueue(message(1, `${i}`))))
    expect(accepted.map(({ nonce }) => nonce)).toEqual([0, 1])
    await untilDone(store, chain)
    expect(await checkBooks(store, chain)).toHaveLength(2)
    await outbox.stop()
  })

  test('a commit that is not carried out is not accepted, and its nonces are given again', async () => {
    await emptyTables(store)
    const chain = createFakeChain()
    let failing = true
    const outbox = startOutbox(
      {
        ...store,
        transaction: (work) =>
          store.transaction(async (query) => {
            const result = await work(query)
            if (!failing) return result
            failing = false
            throw new StoreUnavailable('the connection ended')
          }),
      },
      chain,
    )
    const lost = await Promise.allSettled([1, 2].map((i) => outbox.enqueue(message(1, `${i}`))))
    for (const one of lost) expect(one).toMatchObject({ reason: expect.any(StoreUnavailable) })
    expect((await outbox.enqueue(message(1, '3'))).nonce).toBe(0)
    await untilDone(store, chain)
    expect(await checkBooks(store, chain)).toHaveLength(1)
    await outbox.stop()
  })

  test('a store that is away refuses, and what was accepted goes on when it is back', async () => {
    await emptyTables(store)
    const chain = createFakeChain({ mining: 'manual' })
    let away = false
    const outbox = startOutbox(
      {
        ...store,
        query: (sql, values) =>
          away ? Promise.reject(new StoreUnavailable('gone')) : store.query(sql, values),
        transaction: (work) =>
          away ? Promise.reject(new StoreUnavailable('gone')) : store.transaction(work),
      },
      chain,
    )
    const first = await outbox.enqueue(message(1, 'first'))
    await vi.waitFor(() => expect(chain.pooled()).toBe(1), { timeout: 120_000 })
    away = true
    await expect(outbox.enqueue(message(1, 'refused'))).rejects.toThrow(StoreUnavailable)
    chain.mine()
    await new Promise((resolve) => setTimeout(resolve, 50))
    away = false
    expect(await outbox.settled(first.queueId, { timeout: 1e7 })).toMatchObject({
      status: 'completed',
    })
    await outbox.enqueue(message(1, 'second'))
    await untilDone(store, chain)
    expect(await checkBooks(store, chain)).toHaveLength(2)
    await outbox.stop()
  })
})

async function quiet(outbox: Outbox, queueIds: readonly string[]): Promise<void> {
  for (const queueId of queueIds) await outbox.settled(queueId, { timeout: 1e7 })
}

/** From the n-th call on, nothing that the process asks is answered. */
function createDeath(point: number, where: 'before' | 'after') {
  let calls = 0
  let alive = true
  let risen = false
  let die: () => void = () => undefined
  const dead = new Promise<void>((resolve) => {
    die = resolve
  })
  const never = new Promise<never>(() => undefined)
  const now = () => {
    alive = false
    die()
  }
  /** One count for the point before a call and one for the point after it. */
  const pass = (at: 'before' | 'after') => {
    if (alive && at === where && calls++ === point) now()
    return alive ? undefined : never
  }
  const working = new Set<Promise<unknown>>()
  const counted = async <T>(run: () => Promise<T>): Promise<T> => {
    await pass('before')
    const work = run()
    working.add(work)
    const value = await work
    working.delete(work)
    await pass('after')
    return value
  }
  return {
    dead,
    now,
    settled: () => Promise.allSettled(working),
    /** From here on the chain is asked by another process. */
    rise: () => {
      risen = true
    },
    before: () => (risen ? undefined : pass('before')),
    after: () => (risen ? undefined : pass('after')),
    store: (store: Store): Store => ({
      ...store,
      query: (sql, values) => counted(() => store.query(sql, values)),
      transaction: (work) => counted(() => store.transaction(work)),
    }),
  }
}
