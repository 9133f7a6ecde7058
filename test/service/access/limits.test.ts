import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLimits, type LimitsOptions } from '../../../src/service/access/limits.js'
import { type Store, StoreUnavailable } from '../../../src/service/store/store.js'
import { eachStore } from '../stores.js'

const settings = { limits: { rpc: 200, zkt: 3, tryItOut: 2, status: 0 } }
const limits = (options: Partial<LimitsOptions> = {}) => createLimits({ settings, ...options })

describe('a limit', () => {
  it('grants what is left of it and tells the rest', async () => {
    const { take } = limits()
    expect(await take('zkt', 'a')).toEqual({ granted: 1, limit: 3, remaining: 2, reset: 60 })
    expect(await take('zkt', 'a', 5)).toEqual({ granted: 2, limit: 3, remaining: 0, reset: 60 })
    expect(await take('zkt', 'a')).toEqual({ granted: 0, limit: 3, remaining: 0, reset: 60 })
  })

  it('is counted for each caller and each policy by itself', async () => {
    const { take } = limits()
    await take('zkt', 'a', 3)
    expect((await take('zkt', 'b')).granted).toBe(1)
    expect((await take('rpc', 'a')).granted).toBe(1)
    expect((await take('try-it-out', 'a', 3)).granted).toBe(2)
  })

  it('of 0 is none', async () => {
    const { take } = limits()
    for (const points of [1, 1_000_000])
      expect(await take('status', 'a', points)).toMatchObject({
        granted: points,
        limit: Number.POSITIVE_INFINITY,
      })
  })

  it('is whole again when its window ends', async () => {
    const { take } = limits({ windowSeconds: 1 })
    expect(await take('zkt', 'a', 4)).toMatchObject({ granted: 3, reset: 1 })
    await pause(600)
    expect((await take('zkt', 'a')).granted).toBe(0)
    await pause(500)
    expect((await take('zkt', 'a')).granted).toBe(1)
  })

  it('forgets the eldest window where callers are too many', async () => {
    const { take } = limits({ mostCounters: 100 })
    for (let caller = 0; caller < 100; caller += 1) await take('zkt', `c${caller}`, 3)
    expect((await take('zkt', 'c0')).granted).toBe(0)
    await take('zkt', 'one more')
    expect((await take('zkt', 'c1')).granted).toBe(0)
    expect((await take('zkt', 'c0')).granted).toBe(1)
  })
})

describe.each(eachStore.filter(({ kind }) => kind === 'postgres'))(
  'limits on $kind',
  ({ place }) => {
    it('let exactly 200 of 1,000 through, asked of two processes at once', async () => {
      const schema = await place()
      const stores = [await schema.open(), await schema.open()]
      const both = stores.map((store) => limits({ store }))
      const taken = await Promise.all(
        Array.from({ length: 1000 }, async (_, index) => {
          // Not all at the same moment, so that many questions are under way.
          await pause(index % 50)
          return both[index % 2]?.take('rpc', 'key')
        }),
      )
      expect(taken.filter((one) => one?.granted === 1)).toHaveLength(200)
      expect(taken.filter((one) => one?.granted === 0)).toHaveLength(800)
      const [row] = (await stores[0]?.query('select key, points from rate_limit')) ?? []
      expect(row).toMatchObject({ key: 'rpc:key' })
      await Promise.all(stores.map((store) => store.close()))
      await schema.remove()
    })

    it('count batches by their members', async () => {
      const schema = await place()
      const stores = [await schema.open(), await schema.open()]
      const both = stores.map((store) => limits({ store }))
      const taken = await Promise.all(
        Array.from({ length: 30 }, (_, index) => both[index % 2]?.take('rpc', 'key', 7)),
      )
      expect(taken.reduce((sum, one) => sum + (one?.granted ?? 0), 0)).toBe(200)
      await Promise.all(stores.map((store) => store.close()))
      await schema.remove()
    })
  },
)

describe('a store that counts', () => {
  it('is asked once for what comes at the same time', async () => {
    const asked: unknown[] = []
    const { take } = limits({ store: counting(asked) })
    const taken = await Promise.all([take('zkt', 'a'), take('zkt', 'a'), take('zkt', 'a', 2)])
    expect(asked).toEqual([4])
    expect(taken.map(({ granted, remaining }) => [granted, remaining])).toEqual([
      [1, 2],
      [1, 1],
      [1, 0],
    ])
  })

  it('is not asked again for a counter that is spent', async () => {
    const asked: unknown[] = []
    const { take } = limits({ store: counting(asked) })
    await take('zkt', 'a', 3)
    for (let again = 0; again < 5; again += 1)
      expect(await take('zkt', 'a')).toMatchObject({ granted: 0, remaining: 0 })
    expect(asked).toEqual([3])
  })

  it.each<readonly [string, Store['query']]>([
    ['refuses', () => Promise.reject(new StoreUnavailable('gone'))],
    ['never answers', () => new Promise(() => undefined)],
  ])(
    'and %s is stood in for by this process, without waiting for it each time',
    async (_, query) => {
      let asked = 0
      const store = {
        ...counting([]),
        query: ((...given: Parameters<Store['query']>) => {
          asked += 1
          return query(...given)
        }) as Store['query'],
      }
      const { take } = limits({ store })
      const granted = []
      for (let again = 0; again < 5; again += 1) granted.push((await take('zkt', 'a')).granted)
      expect(granted).toEqual([1, 1, 1, 0, 0])
      expect(asked).toBe(1)
    },
  )

  it('is asked again once it may be back', async () => {
    const asked: unknown[] = []
    let isDead = true
    const alive = counting(asked)
    const query = ((...given: Parameters<Store['query']>) =>
      isDead
        ? Promise.reject(new StoreUnavailable('gone'))
        : alive.query(...given)) as Store['query']
    const { take } = limits({ store: { ...alive, query } })
    await take('zkt', 'a')
    isDead = false
    await take('zkt', 'a')
    expect(asked).toEqual([])
    await pause(2_100)
    await take('zkt', 'a')
    expect(asked).toEqual([1])
  })
})

/** A store that keeps the counters as the table does, and tells what it was asked to add. */
function counting(asked: unknown[]): Store {
  const counters = new Map<string, number>()
  const query = async (sql: string, values: readonly unknown[] = []) => {
    if (!/insert/i.test(sql)) return []
    const [key, points, expire] = values as [string, number, number]
    asked.push(points)
    counters.set(key, (counters.get(key) ?? 0) + points)
    return [{ points: counters.get(key), expire }]
  }
  return {
    kind: 'postgres',
    query: query as Store['query'],
    transaction: () => Promise.reject(new Error('not asked for')),
    close: async () => undefined,
  }
}
