import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpClient } from '../../generated/http.client.js'
import { createRpcClient } from '../../generated/rpc.client.js'
import {
  pause,
  type ServiceOptions,
  type ServiceProcess,
  startServiceProcess,
} from './service-process.js'
import { isFull } from './size.js'

/** A person starts the service, tries what it prints, ends it, starts it again and finds everything as it was. */

let home = ''
/** Of the first test, for the last one. */
let first: ServiceProcess
const running: ServiceProcess[] = []

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'twinspec-start-'))
})

afterAll(async () => {
  await Promise.all(running.map((service) => service.stop()))
  await rm(home, { recursive: true, force: true })
})

const start = async (args: readonly string[], options: ServiceOptions = {}) => {
  const service = await startServiceProcess({
    args: [...args, '--log-level', 'warn'],
    ...options,
  })
  running.push(service)
  return service
}

/** As a shell of a user runs them. */
const shell = async (line: string): Promise<string> => {
  const { stdout } = await promisify(execFile)('sh', ['-c', line])
  return stdout
}

const banner = async (service: ServiceProcess): Promise<Banner> => {
  await expect.poll(() => service.output(), { timeout: 60_000 }).toContain('Ctrl-C ends it.')
  const text = service.output()
  return {
    text,
    key: /^API key {2}(\S+)/m.exec(text)?.[1],
    lines: [...text.matchAll(/^ {2}(curl .*)$/gm)].map(([, line = '']) => line),
  }
}

type Banner = {
  readonly text: string
  readonly key: string | undefined
  readonly lines: readonly string[]
}

test('the three lines that it prints work as printed, each through another door', async () => {
  const begun = performance.now()
  const service = await start([])
  first = service
  const took = performance.now() - begun
  // Of a machine that does nothing else; the tests beside this one are no such thing.
  if (isFull) expect(took).toBeLessThan(5_000)
  const { text, key, lines } = await banner(service)
  expect(text).toContain(`ready at ${service.url}\n`)
  expect(text).toContain('gone when the service ends')
  expect(key).toBeDefined()
  expect(lines.length).toBe(3)
  const [read = '', write = '', follow = ''] = lines
  expect(JSON.parse(await shell(read))).toEqual({ jsonrpc: '2.0', id: 1, result: '0x133edcb' })
  expect(write).toContain(`/zkt/${key}`)
  const written = JSON.parse(await shell(write))
  expect(written).toEqual({
    success: true,
    hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    queueId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(JSON.parse(await shell(follow))).toMatchObject({
    status: expect.stringMatching(/^(pending|processing|completed)$/),
  })
  const chain = createRpcClient({ server: `${service.url}/zgt/try-it-out` })
  await expect
    .poll(() => chain.ethGetTransactionReceipt(written.hash), { timeout: 60_000 })
    .toMatchObject({ status: '0x1' })
}, 120_000)

test('a folder keeps keys, contracts and statuses over an end, a kill -9, and a second process', async () => {
  const folder = join(home, 'kept')
  const service = await start(['--data', folder])
  const { key = '', text } = await banner(service)
  expect(text).toContain(`kept in ${folder}`)
  const client = createHttpClient({ server: service.url, auth: { apiKey: key } })

  const deployed = await client.submitZkt({ body: { code: SHELF, arguments: ['7'] } })
  const to = deployed.contractAddress ?? '0x'
  const read = () =>
    client.submitZkt({
      body: { abi: ABI, to, method: 'books', arguments: [] },
    })
  const put = await client.submitZkt({
    body: { abi: ABI, to, method: 'put', arguments: ['5'], wait: true },
  })
  const queueId = String('queueId' in put ? put.queueId : undefined)
  const status = () => client.getZktTransaction({ path: { queueId } })
  const before = await status()
  expect(before).toMatchObject({ status: 'completed', queueId })
  expect(await read()).toMatchObject({ output: ['12'] })

  const intruder = await start(['--data', folder], { waitUntilReady: false })
  await expect.poll(() => intruder.output(), { timeout: 60_000 }).toContain('service: ')
  expect(intruder.output()).toContain(`${folder} is in use by process ${service.pid()}`)
  expect(await intruder.ended()).toBe(2)
  expect(await read()).toMatchObject({ output: ['12'] })

  expect(await service.stop()).toBe(0)
  await service.start()
  expect((await banner(service)).key).toBeUndefined()
  expect(await read()).toMatchObject({ output: ['12'] })
  expect(await status()).toEqual(before)

  // Saved or not: what was accepted is on the chain again after a kill.
  const last = await client.submitZkt({
    body: { abi: ABI, to, method: 'put', arguments: ['1'], wait: true },
  })
  await service.crash()
  await service.start()
  await expect.poll(read, { timeout: 30_000 }).toMatchObject({ output: ['13'] })
  const lastId = String('queueId' in last ? last.queueId : undefined)
  expect(await client.getZktTransaction({ path: { queueId: lastId } })).toMatchObject({
    status: 'completed',
  })
  for (const line of (await banner(service)).lines) JSON.parse(await shell(line))
}, 240_000)

test('Ctrl-C, once or twice, ends it and loses nothing that was accepted', async () => {
  const folder = join(home, 'interrupted')
  const service = await start(['--data', folder], { ownGroup: true })
  const { key = '' } = await banner(service)
  const client = createHttpClient({ server: service.url, auth: { apiKey: key } })
  const accepted: string[] = []
  const submit = async (count: number) => {
    const answers = Array.from({ length: count }, async (_, index) => {
      const answer = await client.submitZkt({ body: { arguments: `message ${index}` } })
      accepted.push(String('queueId' in answer ? answer.queueId : undefined))
    })
    await Promise.allSettled(answers)
  }
  // npm passes on what the terminal has sent to everybody: it comes twice.
  await submit(5)
  service.interrupt()
  service.interrupt()
  expect(await service.ended()).toBe(0)
  expect(service.output()).not.toMatch(/"level":"(error|fatal)"|\n {4}at /)
  await service.start()

  // A person who does not want to wait: it ends at once, and what keeps the chain saves it nevertheless.
  const under = submit(10)
  await expect.poll(() => accepted.length, { timeout: 30_000 }).toBeGreaterThan(5)
  service.interrupt()
  await pause(600)
  if (service.isRunning()) service.interrupt()
  expect([0, 130]).toContain(await service.ended())
  await under
  await service.start()
  expect(accepted.length).toBeGreaterThan(5)
  for (const queueId of accepted)
    await expect
      .poll(() => client.getZktTransaction({ path: { queueId } }), { timeout: 60_000 })
      .toMatchObject({ status: 'completed' })
})

test('without a node behind, or with one of another chain, it ends with a sentence', async () => {
  const upstream = `${first.url}/zgt/try-it-out`
  const other = ['--upstream', upstream, '--chain-id', '101010']
  const wrong = await start(other, { waitUntilReady: false })
  await expect.poll(() => wrong.output(), { timeout: 120_000 }).toContain('service: ')
  expect(wrong.output()).toContain(
    'the node behind is of chain 20180427, not 101010: give --upstream another node, or --chain-id 20180427',
  )
  expect(await wrong.ended()).toBe(2)
  const right = await start(['--upstream', upstream])
  expect((await banner(right)).text).toContain(`20180427 at ${new URL(first.url).host}`)
  expect(await first.stop()).toBe(0)
}, 240_000)

const ABI = ['function put(uint256 more)', 'function books() view returns (uint256)']

const SHELF = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Shelf {
  uint256 public books;
  constructor(uint256 first) { books = first; }
  function put(uint256 more) public { books += more; }
}
`
