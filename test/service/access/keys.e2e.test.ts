import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeys, type Keys } from '../../../src/service/access/keys.js'
import { type Store, StoreUnavailable } from '../../../src/service/store/store.js'
import { eachStore } from '../stores.js'

describe.each(eachStore)('keys on $kind', ({ kind, openEmpty, place }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmpty()
  })
  afterAll(() => store.close())

  /** As another process has them: with a cache of its own, whose clock only moves when it is set. */
  const keysOf = (asked: Store = store) => {
    const clock = { now: 0 }
    return { clock, keys: createKeys(asked, () => clock.now) }
  }

  it('have one first among them, however many processes start at once on an empty store', async () => {
    const { open, remove } = await place()
    const opened = await open()
    // Each has connections of its own where the store allows it.
    const stores =
      kind === 'postgres' ? [opened, await open(), await open(), await open()] : [opened]
    const several = Array.from({ length: 12 }, (_, index) =>
      createKeys(stores[index % stores.length] as Store),
    )
    const first = { name: 'first', kind: 'private' } as const
    const made = await Promise.all(several.map((keys) => keys.createFirst(first)))
    const [only, ...others] = made.filter((one) => one !== undefined)
    expect(others).toEqual([])
    expect(await several[0]?.list()).toMatchObject([{ id: only?.id, name: 'first', wallet: 1 }])
    await several[0]?.revoke(String(only?.id))
    expect(await several[1]?.createFirst(first)).toBeUndefined()
    for (const one of stores) await one.close()
    await remove()
  })

  it('are shown once, and found by their text', async () => {
    const { keys } = keysOf()
    const { key, ...record } = await keys.create({ name: 'web shop', kind: 'public' })
    expect(key).toMatch(/^ts_[0-9a-f]{12}_[0-9a-f]{48}$/)
    expect(record).toEqual({
      id: key.split('_')[1],
      name: 'web shop',
      kind: 'public',
      wallet: 1,
      createdAt: expect.any(Date),
      revokedAt: undefined,
    })
    expect(Math.abs(Date.now() - record.createdAt.getTime())).toBeLessThan(60_000)
    expect(await keys.find(key)).toEqual(record)
    expect(await keysOf().keys.find(key)).toEqual(record)
    expect(await keys.list()).toEqual([record])
  })

  it('are stored as a hash', async () => {
    const { key } = await keysOf().keys.create({ name: '', kind: 'private' })
    const everything = JSON.stringify(await store.query('select to_jsonb(k)::text from api_key k'))
    expect(everything).not.toContain(key.split('_')[2])
    const [row] = await store.query<{ hash: Uint8Array }>(
      'select hash from api_key order by wallet desc limit 1',
    )
    const wanted = createHash('sha256').update(key).digest('hex')
    expect(Buffer.from(row?.hash ?? []).toString('hex')).toBe(wanted)
  })

  it('have each a wallet of its own, however many are made at once by however many processes', async () => {
    const several = [keysOf().keys, keysOf().keys, keysOf().keys]
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        (several[index % 3] as Keys).create({ name: `${index}`, kind: 'private' }),
      ),
    )
    const wallets = made.map(({ wallet }) => wallet).sort((a, b) => a - b)
    expect(wallets).toEqual(Array.from({ length: 30 }, (_, index) => index + 3))
    expect(new Set(made.map(({ key }) => key)).size).toBe(30)
  })

  it('are nobody’s wallet again once they are revoked', async () => {
    const { keys } = keysOf()
    const first = await keys.create({ name: 'first', kind: 'private' })
    await keys.revoke(first.id)
    const second = await keys.create({ name: 'second', kind: 'private' })
    expect(second.wallet).toBe(first.wallet + 1)
  })

  it.each([
    ['no text', () => ''],
    ['another form', () => 'try-it-out'],
    ['another secret', (key: string) => key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['another id', (key: string) => key.replace(/_./, (first) => (first === '_0' ? '_1' : '_0'))],
    ['other letters', (key: string) => key.toUpperCase()],
    ['more', (key: string) => `${key}0`],
    ['a line more', (key: string) => `${key}\n`],
    ['SQL', () => `ts_' or true --_${'0'.repeat(48)}`],
  ])('are not found by %s', async (_, change) => {
    const { keys } = keysOf()
    const { key } = await keys.create({ name: '', kind: 'private' })
    expect(await keys.find(change(key))).toBeUndefined()
    expect(await keys.find(key)).toBeDefined()
  })

  it('die at once where they are revoked, and within two seconds everywhere', async () => {
    const [here, there] = [keysOf(), keysOf()]
    const { id, key } = await here.keys.create({ name: '', kind: 'private' })
    expect(await here.keys.find(key)).toBeDefined()
    expect(await there.keys.find(key)).toBeDefined()
    expect(await here.keys.revoke(id)).toBe(true)
    expect(await here.keys.find(key)).toBeUndefined()
    there.clock.now = 1_999
    expect(await there.keys.find(key)).toBeDefined()
    there.clock.now = 2_000
    expect(await there.keys.find(key)).toBeUndefined()
    const listed = (await there.keys.list()).find((record) => record.id === id)
    expect(listed?.revokedAt).toBeInstanceOf(Date)
    expect([await here.keys.revoke(id), await here.keys.revoke('nobody')]).toEqual([false, false])
  })

  it('ask the store once in two seconds', async () => {
    let asked = 0
    const counting: Store = {
      ...store,
      query: (...args) => {
        asked += 1
        return store.query(...args)
      },
    }
    const { keys, clock } = keysOf(counting)
    const { key } = await keys.create({ name: '', kind: 'private' })
    for (const time of [0, 1_000, 1_999]) {
      clock.now = time
      await Promise.all([keys.find(key), keys.find(key)])
    }
    expect(asked).toBe(1)
    clock.now = 2_001
    await keys.find(key)
    expect(asked).toBe(2)
    await keys.find('no key')
    expect(asked).toBe(2)
  })

  it('that do not exist are asked for together, and not remembered', async () => {
    let asked = 0
    const counting: Store = {
      ...store,
      query: (...args) => {
        asked += 1
        return store.query(...args)
      },
    }
    const { keys } = keysOf(counting)
    const unknown = `ts_000000000000_${'0'.repeat(48)}`
    await Promise.all([keys.find(unknown), keys.find(unknown)])
    expect(asked).toBe(1)
    expect(await keys.find(unknown)).toBeUndefined()
    expect(asked).toBe(2)
  })

  it('are asked for by one statement at a time, however many guess at them at once', async () => {
    let asked = 0
    let underWay = 0
    let most = 0
    const counting: Store = {
      ...store,
      query: async (...args) => {
        asked += 1
        underWay += 1
        most = Math.max(most, underWay)
        try {
          return await store.query(...args)
        } finally {
          underWay -= 1
        }
      },
    }
    const { keys } = keysOf(counting)
    const { id, key } = await keys.create({ name: '', kind: 'private' })
    const guess = (index: number) =>
      keys.find(`ts_${index.toString(16).padStart(12, '0')}_${'0'.repeat(48)}`)
    const first = guess(0)
    await Promise.resolve()
    const guesses = [first, ...Array.from({ length: 500 }, (_, index) => guess(index + 1))]
    const found = keys.find(key)
    expect(await Promise.all(guesses)).toEqual(guesses.map(() => undefined))
    expect((await found)?.id).toBe(id)
    expect(most).toBe(1)
    expect(asked).toBeLessThan(4)
  })

  it('go on for two seconds without the store, and then say that it does not answer', async () => {
    let dead = false
    const dying: Store = {
      ...store,
      query: async (...args) => {
        if (dead) throw new StoreUnavailable('gone')
        return store.query(...args)
      },
    }
    const { keys, clock } = keysOf(dying)
    const { key } = await keys.create({ name: '', kind: 'private' })
    await keys.find(key)
    dead = true
    expect(await keys.find(key)).toBeDefined()
    clock.now = 2_000
    await expect(keys.find(key)).rejects.toThrow(StoreUnavailable)
    await expect(keys.find(key)).rejects.toThrow(StoreUnavailable)
    dead = false
    expect(await keys.find(key)).toBeDefined()
  })
})
