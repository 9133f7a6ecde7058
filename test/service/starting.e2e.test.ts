import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startChain } from '../../src/service/embedded-chain/start-chain.js'
import { connectNode } from '../../src/service/node/connect-node.js'
import { startService } from '../../src/service/serve.js'
import { readSettings } from '../../src/service/settings.js'
import { lockFolder } from '../../src/service/store/folder-lock.js'
import { openStore } from '../../src/service/store/open-store.js'
import { type Anvil, startAnvil } from './anvil.js'
import { createDatabase, postgresUrl } from './postgres.js'

const silent = pino({ level: 'silent' })

let folder = ''
const anvils: Anvil[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'twinspec-starting-'))
})

afterEach(async () => {
  await Promise.all(anvils.splice(0).map(({ stop }) => stop()))
  await rm(folder, { recursive: true, force: true })
})

const anvilOfTest = async () => {
  const anvil = await startAnvil()
  anvils.push(anvil)
  const report = async (method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(anvil.url, { method: 'POST', headers, body })
    return ((await answer.json()) as { readonly result: unknown }).result
  }
  return { url: anvil.url, report }
}

/** It takes connections. */
const saysNothing = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port, close: () => server.close() }
}

test('a folder that another service has is reported, and the chain in it is not waited for', async () => {
  const [data, chain] = [await lockFolder(folder), await lockFolder(join(folder, 'chain'))]
  const begun = performance.now()
  const words = 'test test test test test test test test test test test junk'
  const postgres = await saysNothing()
  const DATABASE_URL = `postgres://127.0.0.1:${postgres.port}/none`
  const places = [{}, { DATABASE_URL, TWINSPEC_MNEMONIC: words }]
  const failed = places.map((environment) =>
    startService(readSettings({ port: '0', data: folder }, environment), { log: silent }),
  )
  const results = await Promise.allSettled(failed)
  const message = `${folder} is in use by process ${process.pid}: end that one, or name another folder with --data`
  const refused = { reason: { name: 'UsageError', message } }
  expect(results).toMatchObject([refused, refused])
  // Its supervisor would have waited for 15 seconds; a busy machine takes some to start one.
  expect(performance.now() - begun).toBeLessThan(14_000)
  postgres.close()
  await data.release()
  await chain.release()
})

test('a start that waits for the folder of its chain can be ended', async () => {
  const lock = await lockFolder(join(folder, 'chain'))
  const ending = new AbortController()
  const started = startChain({
    chainId: 1,
    folder,
    log: silent,
    patience: 600_000,
    signal: ending.signal,
  })
  setTimeout(() => ending.abort(), 500)
  await expect(started).rejects.toThrow('ended at its start')
  await lock.release()
})

test('a start that waits for its node can be ended, and says so', async () => {
  const node = await saysNothing()
  const settings = readSettings({ port: '0', upstream: `http://127.0.0.1:${node.port}` })
  const ending = new AbortController()
  const started = startService(settings, { log: silent, signal: ending.signal })
  // The question that is under way ends with it: it would keep the process for 30 seconds more.
  const [socket] = await once(node.server, 'connection')
  const left = once(socket, 'close')
  socket.resume()
  ending.abort()
  await expect(started).rejects.toMatchObject({
    name: 'UsageError',
    message: 'the start was ended',
  })
  await left
  node.close()
})

test.skipIf(postgresUrl === undefined)(
  'a start that waits for another one’s migration can be ended',
  async () => {
    const database = await createDatabase(String(postgresUrl))
    const store = await openStore({ databaseUrl: database.url, log: silent })
    const ending = new AbortController()
    await store.transaction(async (query) => {
      await query('lock table migration')
      const waiting = openStore({ databaseUrl: database.url, log: silent, signal: ending.signal })
      setTimeout(() => ending.abort(), 500)
      await expect(waiting).rejects.toThrow('the store does not answer')
    })
    await store.close()
    await database.drop()
  },
  60_000,
)

test('a node that asks a base fee is taken, with a warning; one that asks none is not spoken of', async () => {
  const { url, report } = await anvilOfTest()
  const warned = async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const settings = readSettings({ upstream: url })
    const { genesis } = await connectNode({ url, settings, log })
    expect(genesis).toMatch(/^0x/)
    return lines.map((line) => JSON.parse(line))
  }
  expect(await warned()).toEqual([])
  await report('anvil_setNextBlockBaseFeePerGas', '0x7')
  await report('evm_mine')
  expect(await warned()).toMatchObject([
    { wei: '7', msg: expect.stringContaining('reading works, and it will refuse what is written') },
  ])
})

test('an answer that is held is given when the service is stopped, and what was accepted is mined later', async () => {
  const { url, report } = await anvilOfTest()
  const to = `0x${'11'.repeat(20)}`
  await report('anvil_setCode', to, '0x00')
  await report('evm_setAutomine', false)
  const settings = readSettings({ port: '0', upstream: url, 'stop-seconds': '4' })
  const service = await startService(settings, { log: silent })
  const submitted = fetch(`${service.url}/zkt/${service.key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ abi: ['function put()'], to, method: 'put', arguments: [], wait: true }),
  }).then(async (answer) => ({ status: answer.status, body: await answer.json() }))
  const pooled = async () => ((await report('txpool_status')) as { pending: string }).pending
  await expect.poll(pooled, { timeout: 120_000 }).toBe('0x1')
  await service.close()
  const { status, body } = await submitted
  expect([status, body]).toMatchObject([
    200,
    { success: true, hash: expect.stringMatching(/^0x/), queueId: expect.any(String) },
  ])
  await report('evm_mine')
  expect(await report('eth_getTransactionReceipt', body.hash)).toMatchObject({ status: '0x1' })
})
