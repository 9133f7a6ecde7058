import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLimits, type LimitsOptions } from '../../../src/service/access/limits.js'
import { type Store, StoreUnavailable } from '../../../src/service/store/store.js'
import { eachStore } from '../stores.js'

const settings = { rpcLimit: 200, zktLimit: 3, tryItOutLimit: 2, statusLimit: 0 }
const limits = (options: Partial<LimitsOptions> = {}) => createLimits({ settings, ...options })
const BUDGETS = { settings: { ...settings, tryItOutGas: 100, tryItOutBytes: 0 } }

afterEach(() => {
  vi.useRealTimers()
})

describe('a limit', () => {
  it('grants what is left of it and tells the rest', async () => {
    const { take } = limits()
    expect(await take('zkt', 'a')).toEqual({ granted: 1, limit: 3, remaining: 2, reset: 60 })
    expect(await take('zkt', 'a', 5)).toEqual({ granted: 2, limit: 3, remaining: 0, reset: 60 })
    expect(await take('zkt', 'a')).toEqual({ granted: 0, limit: 3, remaining: 0, reset: 60 })
  })

  it('says 60 seconds at any moment, though the moment is a fraction', async () => {
    // 71072.027614 + 60000 - 71072.027614 is a little more than 60000.
    const now = vi.spyOn(performance, 'now').mockReturnValue(71_072.027614)
    const { take, spent } = limits()
    expect((await take('zkt', 'a', 3)).reset).toBe(60)
    expect(spent('zkt', 'a')?.reset).toBe(60)
    now.mockRestore()
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

  it('is granted again when its oldest requests are a minute old, as the seconds say', async () => {
    vi.useFakeTimers()
    const { take, spent } = limits()
    expect(await take('zkt', 'a', 2)).toMatchObject({ granted: 2, reset: 60 })
    vi.advanceTimersByTime(20_000)
    expect(await take('zkt', 'a', 2)).toMatchObject({ granted: 1, remaining: 0, reset: 40 })
    expect(spent('zkt', 'a')).toMatchObject({ granted: 0, reset: 40 })
    vi.advanceTimersByTime(39_999)
    expect(await take('zkt', 'a')).toMatchObject({ granted: 0, reset: 1 })
    vi.advanceTimersByTime(1)
    expect(spent('zkt', 'a')).toBeUndefined()
    expect(await take('zkt', 'a', 3)).toMatchObject({ granted: 2, remaining: 0, reset: 20 })
  })

  it('holds for every 60 seconds of a long time, and is used up', async () => {
    vi.useFakeTimers()
    const { take } = limits()
    const granted: number[] = []
    for (let step = 0; step < 5_000; step += 1) {
      const taken = await take('rpc', 'a', 1 + (step % 3))
      for (let one = 0; one < taken.granted; one += 1) granted.push(performance.now())
      const isWaiting = taken.granted === 0 && step % 2 === 0
      vi.advanceTimersByTime(isWaiting ? taken.reset * 1_000 : (step * 37) % 250)
      if (isWaiting) {
        expect((await take('rpc', 'a')).granted).toBe(1)
        granted.push(performance.now())
      }
    }
    const spans = granted.slice(200).map((time, index) => time - (granted[index] ?? 0))
    expect(Math.min(...spans)).toBeGreaterThanOrEqual(60_000)
    expect(Math.min(...spans)).toBeLessThan(61_000)
  })

  it('of a budget grants a whole cost while anything is left, and then waits for all of it', async () => {
    vi.useFakeTimers()
    const { take } = limits(BUDGETS)
    expect((await take('try-it-out-gas', 'a', 99)).granted).toBe(99)
    vi.advanceTimersByTime(30_000)
    expect((await take('try-it-out-gas', 'a', 150)).granted).toBe(150)
    expect(await take('try-it-out-gas', 'a', 1)).toMatchObject({ granted: 0, reset: 60 })
    vi.advanceTimersByTime(59_000)
    expect((await take('try-it-out-gas', 'a', 1)).granted).toBe(0)
    vi.advanceTimersByTime(1_000)
    expect((await take('try-it-out-gas', 'a', 1)).granted).toBe(1)
  })

  it('forgets the counter that is idle for longest where callers are too many', async () => {
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
      const [row] = (await stores[0]?.query('select key from rate_limit')) ?? []
      expect(row).toMatchObject({ key: 'rpc:key' })
      await Promise.all(stores.map((store) => store.close()))
      await schema.remove()
    })

    it('hold for every span of a window, whichever process is asked', async () => {
      const schema = await place()
      const stores = [await schema.open(), await schema.open()]
      const few = { settings: { ...settings, rpcLimit: 20 }, windowSeconds: 1 }
      const both = stores.map((store) => limits({ ...few, store }))
      const granted: { readonly sent: number; readonly received: number }[] = []
      for (let round = 0; round < 120; round += 1) {
        const sent = performance.now()
        const taken = await Promise.all(both.map(({ take }) => take('rpc', 'key', 1 + (round % 2))))
        const received = performance.now()
        for (let one = taken.reduce((sum, { granted }) => sum + granted, 0); one > 0; one -= 1)
          granted.push({ sent, received })
        await pause(20)
      }
      expect(granted.length).toBeGreaterThan(40)
      const spans = granted
        .slice(20)
        .map(({ received }, index) => received - (granted[index]?.sent ?? 0))
      expect(Math.min(...spans)).toBeGreaterThanOrEqual(1_000)
      const [row] = (await stores[0]?.query<{ slots: unknown[] }>('select * from rate_limit')) ?? []
      expect(row?.slots.length).toBeLessThanOrEqual(61)
      await Promise.all(stores.map((store) => store.close()))
      await schema.remove()
    })

    it('of a budget grant a whole cost while anything is left', async () => {
      const schema = await place()
      const store = await schema.open()
      const { take } = limits({ ...BUDGETS, store })
      expect(await take('try-it-out-gas', 'a', 99)).toMatchObject({ granted: 99, remaining: 1 })
      expect(await take('try-it-out-gas', 'a', 150)).toMatchObject({ granted: 150, remaining: 0 })
      const other = limits({ ...BUDGETS, store })
      expect(await other.take('try-it-out-gas', 'a', 1)).toMatchObject({ granted: 0, reset: 60 })
      await store.close()
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
    // The first two points were granted without it.
    expect(asked).toEqual([2, 1])
  })

  describe('and goes silent', () => {
    /** Two gateways on one store. */
    const scene = (options: Partial<LimitsOptions> = {}) => {
      vi.useFakeTimers()
      const alive = counting([])
      let isDead = false
      const query = ((...given: Parameters<Store['query']>) =>
        isDead ? new Promise(() => undefined) : alive.query(...given)) as Store['query']
      const store = { ...alive, query }
      const gateways = [limits({ ...options, store }), limits({ ...options, store })] as const
      const take = async (gateway: 0 | 1, points = 1, policy: 'zkt' | 'try-it-out-gas' = 'zkt') => {
        const taking = gateways[gateway].take(policy, 'a', points)
        await vi.advanceTimersByTimeAsync(1_000)
        return (await taking).granted
      }
      const die = (dead: boolean) => {
        isDead = dead
      }
      return { take, die }
    }

    it('leaves each process with what was last known', async () => {
      const { take, die } = scene()
      expect([await take(0, 2), await take(1)]).toEqual([2, 1])
      die(true)
      // The first gateway has last known 2 of 3, the second 3 of 3.
      expect([await take(0, 2), await take(1)]).toEqual([1, 0])
    })

    it('begins with zero for a caller whom no store has counted', async () => {
      const { take, die } = scene()
      die(true)
      expect(await take(0, 5)).toBe(3)
    })

    it('counts after its return what was granted without it', async () => {
      const { take, die } = scene()
      expect(await take(0)).toBe(1)
      die(true)
      expect(await take(0)).toBe(1)
      die(false)
      await vi.advanceTimersByTimeAsync(2_000)
      expect([await take(0, 0), await take(1, 3)]).toEqual([0, 1])
    })

    it('grants again when the last known requests are a minute old', async () => {
      const { take, die } = scene()
      expect(await take(0, 3)).toBe(3)
      die(true)
      await vi.advanceTimersByTimeAsync(58_000)
      expect(await take(0)).toBe(0)
      await vi.advanceTimersByTimeAsync(2_000)
      expect(await take(0, 5)).toBe(3)
    })

    it('leaves a budget with what was last known', async () => {
      const { take, die } = scene(BUDGETS)
      expect(await take(0, 99, 'try-it-out-gas')).toBe(99)
      die(true)
      expect(await take(0, 50, 'try-it-out-gas')).toBe(50)
      expect(await take(0, 1, 'try-it-out-gas')).toBe(0)
    })
  })
})

/** A store that counts without a window, and records how many points each statement takes. */
function counting(asked: unknown[]): Store {
  const counters = new Map<string, number>()
  const query = async (sql: string, values: readonly unknown[] = []) => {
    if (!/^insert/.test(sql)) return []
    const [key, points, limit] = values as [string, number, number]
    asked.push(points)
    const before = counters.get(key) ?? 0
    const granted = Math.min(points, limit - before)
    counters.set(key, before + granted)
    return [{ slots: [[0, before + granted]], granted, counted_at: 0 }]
  }
  return {
    kind: 'postgres',
    query: query as Store['query'],
    transaction: () => Promise.reject(new Error('not asked for')),
    close: async () => undefined,
  }
}
