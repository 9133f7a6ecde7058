import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../src/service/store/postgres.js'
import { type Store, StoreUnavailable } from '../../../src/service/store/store.js'
import { postgresUrl as server } from '../postgres.js'

const log = pino({ level: 'silent' })
/** Others are on the same server. */
const APPLICATION = `trouble-${process.pid}`
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A wire to PostgreSQL that can be cut, frozen and mended. */
const wired = async (options: Parameters<typeof openPostgres>[2] = {}) => {
  const { hostname, port } = new URL(server ?? '')
  const sockets = new Set<Socket>()
  const wire = { frozen: false }
  const door = createServer((near) => {
    const far = connect(Number(port || 5432), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => wire.frozen || to.write(data))
      from.on('error', () => undefined)
      from.on('close', () => to.destroy())
    }
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const listen = async (at: number) => {
    door.listen(at, '127.0.0.1')
    await once(door, 'listening')
    return (door.address() as AddressInfo).port
  }
  const at = await listen(0)
  const url = new URL(server ?? '')
  url.host = `127.0.0.1:${at}`
  url.searchParams.set('application_name', APPLICATION)
  const store = await openPostgres(url.href, log, options)
  closing.push(() => {
    cut()
    door.close()
  })
  closing.push(store.close)
  return {
    store,
    cut,
    wire,
    die: async () => {
      const closed = once(door, 'close')
      door.close()
      cut()
      await closed
    },
    revive: () => listen(at),
  }
}

const one = (store: Store) => store.query<{ one: number }>('select $1::int as one', [1])

describe.skipIf(server === undefined)('a store whose PostgreSQL has trouble', () => {
  it('is unavailable while it is gone, and goes on by itself when it is back', async () => {
    const { store, die, revive } = await wired()
    await Promise.all(Array.from({ length: 20 }, () => one(store)))
    await die()
    await pause(50)
    const refused = await one(store).catch((error) => error)
    expect(refused).toBeInstanceOf(StoreUnavailable)
    expect(refused.message).toMatch(/^the store does not answer: connect ECONNREFUSED 127/)
    await expect(store.transaction((query) => query('select 1'))).rejects.toThrow(StoreUnavailable)
    await revive()
    expect(await one(store)).toEqual([{ one: 1 }])
  })

  it('says so of what was under way when it was cut, and sends nothing twice', async () => {
    const { store, cut } = await wired()
    const table = `trouble_${process.pid}`
    await store.query(`create table ${table} (n integer)`)
    closing.push(async () => store.query(`drop table ${table}`))
    const slow = store.query(`insert into ${table} select 1 from pg_sleep(0.5)`)
    const between = store.transaction(async (query) => {
      await query(`insert into ${table} values (2)`)
      await pause(300)
      await query(`insert into ${table} values (3)`)
    })
    await pause(150)
    cut()
    await expect(slow).rejects.toThrow(StoreUnavailable)
    await expect(between).rejects.toThrow(StoreUnavailable)
    await pause(600)
    const rows = await store.query<{ n: number }>(`select n from ${table} order by n`)
    // The server may finish a statement that nobody waits for any more: once.
    expect([[], [{ n: 1 }]]).toContainEqual(rows)
  })

  it('survives that the server ends all its connections', async () => {
    const { store } = await wired()
    await Promise.all(Array.from({ length: 20 }, () => one(store)))
    await store
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = '${APPLICATION}' and pid <> pg_backend_pid()`,
      )
      .catch(() => undefined)
    await pause(100)
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => one(store)))
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StoreUnavailable)
    }
    expect(await one(store)).toEqual([{ one: 1 }])
  })

  it('gives up on a statement that takes too long, and on a server that says nothing', async () => {
    const { store, wire } = await wired({ statementMilliseconds: 300 })
    await expect(store.query('select pg_sleep(20)')).rejects.toThrow(
      'the store does not answer: canceling statement due to statement timeout',
    )
    expect(await one(store)).toEqual([{ one: 1 }])
    wire.frozen = true
    await expect(one(store)).rejects.toThrow('the store does not answer: Query read timeout')
    wire.frozen = false
    expect(await one(store)).toEqual([{ one: 1 }])
  })

  it('is unavailable where all connections stay taken', async () => {
    const { store } = await wired()
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const holders = Array.from({ length: 10 }, () => store.transaction(() => held))
    await expect(one(store)).rejects.toThrow(StoreUnavailable)
    release()
    await Promise.all(holders)
    expect(await one(store)).toEqual([{ one: 1 }])
  })

  it('keeps its connection where a statement is at fault', async () => {
    const { store } = await wired()
    const pid = async () =>
      (await store.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]
    const before = await pid()
    await expect(store.query('select $1::int', ['no number'])).rejects.toThrow()
    await expect(
      store.transaction(async () => Promise.reject(new Error('our own'))),
    ).rejects.toThrow('our own')
    expect(await pid()).toEqual(before)
  })
})

describe('a store that was never there', () => {
  it('is unavailable, and tells no password', async () => {
    const store = await openPostgres('postgres://someone:secretword@127.0.0.1:1/none', log)
    closing.push(store.close)
    const refused = await one(store).catch((error) => error)
    expect(refused.name).toBe('StoreUnavailable')
    expect(`${refused.message} ${JSON.stringify(refused.cause)}`).not.toContain('secretword')
  })
})
