import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MIGRATIONS, migrate } from '../../../src/service/store/migrate.js'
import type { Store } from '../../../src/service/store/store.js'
import { UsageError } from '../../../src/service/usage-error.js'
import { eachStore, type Place } from '../stores.js'

const log = pino({ level: 'silent' })

describe.each(eachStore)('migrations on $kind', ({ kind, place }) => {
  let at: Place
  let store: Store
  beforeAll(async () => {
    at = await place()
  })
  afterAll(() => at.remove())
  beforeEach(async () => {
    store = await at.open()
  })
  afterEach(() => store.close())
  const newest = MIGRATIONS.at(-1)?.id ?? 0
  const next = { id: newest + 1, statements: ['create table later (n integer)'] }
  const tables = async () => {
    const rows = await store.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = current_schema() and table_name = 'later'",
    )
    return rows.map(({ name }) => name)
  }

  it('are numbered one by one', () => {
    expect(MIGRATIONS.map(({ id }) => id)).toEqual(MIGRATIONS.map((_, index) => index + 1))
  })

  it('are applied once, and again when the store is opened again', async () => {
    await migrate(store, log)
    expect(await store.query('select id from migration order by id')).toEqual(
      MIGRATIONS.map(({ id }) => ({ id })),
    )
  })

  it('are undone as one where one statement fails', async () => {
    const broken = { id: newest + 2, statements: ['create table later_still (n nonsense)'] }
    await expect(migrate(store, log, [...MIGRATIONS, next, broken])).rejects.toMatchObject({
      code: '42704',
    })
    expect(await tables()).toEqual([])
  })

  it.runIf(kind === 'postgres')('are applied by one of several that start at once', async () => {
    const others = await Promise.all([at.open(), at.open(), at.open()])
    await Promise.all(others.map((other) => migrate(other, log, [...MIGRATIONS, next])))
    expect(await tables()).toEqual(['later'])
    await store.query('drop table later')
    await store.query('delete from migration where id > $1', [newest])
    for (const other of others) await other.close()
  })

  it('that a newer version made are left alone', async () => {
    await migrate(store, log, [...MIGRATIONS, next])
    const wanted = `the store was made by a newer version (it is at step ${newest + 1}, this version knows ${newest}): run that one, or give this one a store of its own`
    await expect(migrate(store, log)).rejects.toEqual(new UsageError(wanted))
    const other = kind === 'postgres' ? await at.open().catch((error) => error) : undefined
    if (other) expect(other.message).toBe(wanted)
    await store.query('drop table later')
    await store.query('delete from migration where id > $1', [newest])
  })
})
