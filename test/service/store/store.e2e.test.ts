import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Store, StoreUnavailable } from '../../../src/service/store/store.js'
import { eachStore } from '../stores.js'

describe.each(eachStore)('a store on $kind', ({ kind, openEmpty }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmpty()
    await store.query('create table thing (id integer primary key, word text)')
  })
  afterAll(() => store.close())
  const words = async () =>
    (await store.query<{ word: string }>('select word from thing order by id')).map(
      ({ word }) => word,
    )

  it('says what it is', () => expect(store.kind).toBe(kind))

  it('gives values of the same types', async () => {
    const [row] = await store.query(
      `select count(*) as count, 9007199254740991::int8 as most, '2026-01-02T03:04:05.678Z'::timestamptz as time,
        '\\x00ff10'::bytea as bytes, 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid as uuid, '{"a":[1,null]}'::jsonb as json,
        1.50::numeric as exact, 2.5::float8 as float, true as yes, null as nothing, 7 as small, 'word' as text, array['a','b'] as list`,
    )
    expect(row).toStrictEqual({
      count: 1,
      most: 9007199254740991,
      time: new Date('2026-01-02T03:04:05.678Z'),
      bytes: new Uint8Array([0, 255, 16]),
      uuid: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      json: { a: [1, null] },
      exact: '1.50',
      float: 2.5,
      yes: true,
      nothing: null,
      small: 7,
      text: 'word',
      list: ['a', 'b'],
    })
  })

  it('takes values of the same types', async () => {
    const uuid = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'
    const values = [
      7,
      9007199254740991n,
      new Date('2026-01-02T03:04:05.678Z'),
      new Uint8Array([0, 255, 16]).subarray(1),
      uuid,
      { a: [1, null] },
      ["it's", 'a "b"'],
      [uuid],
      undefined,
      true,
    ]
    const [row] = await store.query(
      `select $1::int4 as small, $2::int8 as large, $3::timestamptz as time, $4::bytea as bytes, $5::uuid as uuid,
        $6::jsonb as json, $7::text[] as list, $5::uuid = any($8::uuid[]) as among, $9::text as nothing, $10::bool as yes`,
      values,
    )
    expect(row).toStrictEqual({
      small: 7,
      large: 9007199254740991,
      time: new Date('2026-01-02T03:04:05.678Z'),
      bytes: new Uint8Array([255, 16]),
      uuid,
      json: { a: [1, null] },
      list: ["it's", 'a "b"'],
      among: true,
      nothing: null,
      yes: true,
    })
  })

  it('keeps a megabyte of bytes', async () => {
    const bytes = new Uint8Array(1_048_576).map((_, index) => index % 251)
    const [row] = await store.query<{ bytes: Uint8Array }>('select $1::bytea as bytes', [bytes])
    expect(Buffer.compare(row?.bytes ?? new Uint8Array(), bytes)).toBe(0)
  })

  it('tells what is wrong with a statement, without its values', async () => {
    const wrong = await store.query('select secret from thing where id = $1', [77]).catch((e) => e)
    expect(wrong).not.toBeInstanceOf(StoreUnavailable)
    expect(wrong).toMatchObject({ code: '42703', message: 'column "secret" does not exist' })
    expect(JSON.stringify(wrong)).not.toContain('77')
    await expect(
      store.query('insert into thing values ($1, $2)', ['x', 'y']),
    ).rejects.toMatchObject({ code: '22P02' })
  })

  it('commits a transaction that resolves, and gives its value', async () => {
    const value = await store.transaction(async (query) => {
      await query('insert into thing values ($1, $2)', [1, 'kept'])
      return 'done'
    })
    expect([value, await words()]).toEqual(['done', ['kept']])
  })

  it('undoes a transaction that rejects, whose error goes through untouched', async () => {
    const own = new Error('my own')
    const failing = store.transaction(async (query) => {
      await query('insert into thing values ($1, $2)', [2, 'lost'])
      throw own
    })
    await expect(failing).rejects.toBe(own)
    expect(await words()).toEqual(['kept'])
  })

  it('undoes a transaction that overlooks a failed statement, and says so', async () => {
    const overlooking = store.transaction(async (query) => {
      await query('insert into thing values ($1, $2)', [2, 'lost'])
      await query('insert into thing values ($1, $2)', [1, 'twice']).catch(() => undefined)
    })
    await expect(overlooking).rejects.toMatchObject({ code: '25P02' })
    expect(await words()).toEqual(['kept'])
  })

  it('runs many at once, and none is lost', async () => {
    await store.query('create table counter (n integer)')
    await store.query('insert into counter values (0)')
    const add = () =>
      store.transaction(async (query) => {
        const [row] = await query<{ n: number }>('select n from counter for update')
        await query('update counter set n = $1', [(row?.n ?? 0) + 1])
      })
    await Promise.all(Array.from({ length: 40 }, add))
    expect(await store.query('select n from counter')).toEqual([{ n: 40 }])
  })

  it('runs a transaction again that was undone for another, three times at most', async () => {
    let runs = 0
    const conflict = (times: number) =>
      store.transaction(async (query) => {
        runs += 1
        await query('insert into thing values ($1, $2)', [10 + runs, `run ${runs}`])
        if (runs <= times)
          await query("do $$ begin raise 'conflict' using errcode = '40P01'; end $$")
      })
    await conflict(2)
    expect([runs, await words()]).toEqual([3, ['kept', 'run 3']])
    runs = 10
    await expect(conflict(99)).rejects.toMatchObject({ code: '40P01' })
    expect([runs, await words()]).toEqual([13, ['kept', 'run 3']])
  })

  it('is unavailable where the server says that it is', async () => {
    for (const code of ['57P01', '57P03', '53300', '08006', '57014', '25006']) {
      const sql = `do $$ begin raise 'no' using errcode = '${code}'; end $$`
      const refused = await store.query(sql).catch((error) => error)
      expect([code, refused.name, refused.message]).toEqual([
        code,
        'StoreUnavailable',
        'the store does not answer: no',
      ])
      expect(refused.cause).toMatchObject({ code })
    }
    expect(await store.query('select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe.each(eachStore)('closing a store on $kind', ({ openEmpty }) => {
  it('waits for what is under way, and refuses what comes after', async () => {
    const store = await openEmpty()
    const slow = store.transaction(async (query) => {
      await new Promise((resolve) => setTimeout(resolve, 200))
      return query('select 1 as one')
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    await Promise.all([store.close(), expect(slow).resolves.toEqual([{ one: 1 }])])
    await expect(store.query('select 1')).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(store.transaction((query) => query('select 1'))).rejects.toThrow(StoreUnavailable)
  })
})
