import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectNode } from '../../src/service/node/connect-node.js'
import {
  closeParts,
  type RunningService,
  startError,
  startService,
} from '../../src/service/serve.js'
import { readSettings, type SettingInputs } from '../../src/service/settings.js'
import { unavailable } from '../../src/service/store/store.js'

const log = pino({ level: 'silent' })

let folder = ''
let running: RunningService | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'twinspec-serve-'))
})

afterEach(async () => {
  await running?.close()
  running = undefined
  await rm(folder, { recursive: true, force: true })
})

const start = async (flags: SettingInputs, environment: SettingInputs = {}) => {
  running = await startService(readSettings({ port: '0', ...flags }, environment), { log })
  return running
}

/** Something that takes connections, and may say nothing. */
const taken = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: String((server.address() as AddressInfo).port), close: () => server.close() }
}

test('a start that fails in the middle lets go of all that it had; the next one finds the same store and chain', async () => {
  const other = await taken()
  const failed = start({ data: folder, port: other.port })
  await expect(failed).rejects.toMatchObject({
    name: 'UsageError',
    message: `port ${other.port} is in use: end what listens there, or give --port another one (0 takes a free one)`,
  })
  other.close()
  const { url, key } = await start({ data: folder })
  // The first start made a key, and could tell it to nobody.
  expect(key).toBeDefined()
  const health = await fetch(`${url}/ready`)
  expect(await health.json()).toEqual({
    ready: true,
    parts: { store: { ready: true }, node: { ready: true } },
  })
  await running?.close()
  const words = 'test test test test test test test test test test test junk'
  await expect(start({ data: folder }, { TWINSPEC_MNEMONIC: words })).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringContaining('the store belongs to another mnemonic'),
  })
  await expect(start({ data: folder, 'chain-id': '5' })).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.not.stringContaining('undefined'),
  })
})

test('words that are no mnemonic are reported, but not which', async () => {
  const words = 'test test test test test test test test test test test test'
  await expect(start({}, { TWINSPEC_MNEMONIC: words })).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringMatching(/^the mnemonic cannot be used: /),
  })
})

test('a store that does not answer is reported once', () => {
  expect(startError(unavailable(new Error('connect ECONNREFUSED')))).toMatchObject({
    name: 'UsageError',
    message: 'the store does not answer: connect ECONNREFUSED',
  })
})

test('a node that does not answer is waited for, for so long, and not when the start is ended', async () => {
  const settings = { chainId: 1, nodeSeconds: 30 }
  const silent = await taken()
  const url = `http://me:hush@127.0.0.1:${silent.port}/hush`
  const connect = (options: object) => connectNode({ url, settings, log, ...options })
  const refused = await connect({ patience: 300 }).catch((error: Error) => error)
  expect(refused).toMatchObject({
    name: 'UsageError',
    message:
      'the node behind does not answer (it takes connections, and says nothing): start it, or give --upstream another one',
  })
  silent.close()
  const gone = await connect({ patience: 300 }).catch((error: Error) => error)
  expect(gone).toMatchObject({
    message: expect.stringContaining('the node behind does not answer ('),
  })
  expect(String(gone)).not.toContain('hush')
  const ending = new AbortController()
  const ended = connect({ patience: 60_000, signal: ending.signal })
  setTimeout(() => ending.abort(), 50)
  await expect(ended).rejects.toThrow('the start was ended')
})

test('a node that goes away between two questions is waited for with the same patience', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on('warning', onWarning)
  let probed = 0
  let brokenProbes = 12
  const node = createHttpServer(async (request, response) => {
    const calls = (await json(request)) as { id: number; method: string }[]
    if (calls.some(({ method }) => method === 'eth_capabilities') && probed++ < brokenProbes) {
      request.socket.destroy()
      return
    }
    const answers = calls.map(({ id, method }) =>
      method === 'eth_baseFee'
        ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
        : { jsonrpc: '2.0', id, result: method === 'eth_chainId' ? '0x1' : { hash: '0xab' } },
    )
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers))
  }).listen(0, '127.0.0.1')
  await once(node, 'listening')
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  const settings = { chainId: 1, nodeSeconds: 5 }
  const connected = await connectNode({ url, settings, log })
  expect(connected.genesis).toBe('0xab')
  expect([...connected.lacking]).toEqual(['eth_baseFee'])
  expect(probed).toBe(brokenProbes + 1)
  brokenProbes = Number.POSITIVE_INFINITY
  await expect(connectNode({ url, settings, log, patience: 300 })).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringMatching(
      /^the node behind does not answer \(\w+ got no response: .*\): start it, or give --upstream/,
    ),
  })
  // What will not pass is reported at once.
  const other = connectNode({ url, settings: { ...settings, chainId: 2 }, log })
  await expect(other).rejects.toThrow('the node behind is of chain 1, not 2')
  process.off('warning', onWarning)
  node.close()
  expect(warnings).toEqual([])
})

test('a password in the address of the node goes into a header, and is decoded', async () => {
  let heard: string | undefined
  const node = createHttpServer((request, response) => {
    heard = request.headers.authorization
    response.end('[]')
  }).listen(0, '127.0.0.1')
  await once(node, 'listening')
  const { port } = node.address() as AddressInfo
  await connectNode({
    url: new URL(`http://me:p%40ss@127.0.0.1:${port}/`),
    settings: { chainId: 1, nodeSeconds: 1 },
    log,
    patience: 300,
  }).catch(() => undefined)
  node.close()
  expect(heard).toBe(`Basic ${btoa('me:p@ss')}`)
})

test('parts are closed in order, whatever one of them does', async () => {
  const closed: string[] = []
  const part = (name: string, end: () => Promise<void> = async () => undefined) => ({
    close: () => {
      closed.push(name)
      return end()
    },
  })
  const parts = {
    chain: part('chain'),
    store: part('store', () => new Promise(() => undefined)),
    outbox: part('outbox', () => Promise.reject(new Error('lost'))),
    gateway: part('gateway'),
  }
  await closeParts(parts, -4.9, log)
  expect(closed).toEqual(['gateway', 'outbox', 'store', 'chain'])
})
