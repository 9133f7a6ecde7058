import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { createClient } from '../../../generated/client.js'
import { createMetrics } from '../../../src/service/gateway/metrics.js'
import { recordUsage } from '../../../src/service/usage/record-usage.js'
import { PRIVATE_KEY, QUEUE_ID, start, stopAll } from '../gateway/gateway-fixture.js'
import { temporaryFolder, usageOf } from './spec-usage.js'

const log = pino({ level: 'silent' })

afterEach(stopAll)

const outcomes = async ({ registry }: ReturnType<typeof createMetrics>) => {
  const text = await registry.metrics()
  const found = text.matchAll(/^twinspec_usage_records_total\{outcome="(\w+)"\} (\d+)/gm)
  return Object.fromEntries([...found].map(([, name, count]) => [name, Number(count)]))
}

it('calls of a service become counts of `twinspec usage`, without the values that were sent', async () => {
  const folder = join(temporaryFolder(), 'made', 'usage')
  const metrics = createMetrics()
  const usage = await recordUsage(folder, { log, onRecords: metrics.recorded })
  const { url } = await start({ usage })
  const options = { server: url, auth: { apiKey: PRIVATE_KEY } }
  const client = createClient({ ...options, clientPackage: '@acme/orders/1.4.2' })
  await client.http.submitZkt({ body: { arguments: 'words-of-mine' } })
  await client.http.getZktTransaction({ path: { queueId: QUEUE_ID } })
  const bare = createClient(options)
  await bare.rpc.ethChainId()
  await bare.rpc.batch((b) => Promise.all([b.ethChainId(), b.ethBlockNumber()])).catch(() => 0)
  await bare.http.submitZkt({ body: { arguments: 'more-words-of-mine' } })
  await fetch(`${url}/zkt/try-it-out`, {
    ...{ method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
  })
  await fetch(`${url}/nothing/here`)
  await usage.close()

  const names = readdirSync(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  const file = names.find((name) => name.endsWith('.gz')) ?? ''
  const text = gunzipSync(readFileSync(join(folder, file))).toString()
  expect(text).not.toMatch(new RegExp(`of-mine|${PRIVATE_KEY}|${QUEUE_ID}`))
  expect(await outcomes(metrics)).toEqual({ written: 6 })

  const { requests, undocumented, faulty, consumers } = await usageOf(folder)
  expect({ requests, undocumented, faulty }).toEqual({ requests: 7, undocumented: 0, faulty: 0 })
  const [key = ''] = Object.keys(consumers).filter((name) => name.startsWith('key:'))
  const named = consumers['package:@acme/orders/1.4.2'] ?? {}
  expect(Object.keys(named).sort()).toEqual([
    'GET /gtn/v1/zkt/transaction/{queueId}',
    'POST /zkt/{apiKey}',
  ])
  const sent = named['POST /zkt/{apiKey}']?.request.properties?.body
  const body = sent?.properties?.['application/json']
  expect(body?.properties?.arguments).toMatchObject({ requests: 1, lengths: { least: 13 } })
  expect(named['POST /zkt/{apiKey}']?.counts).toMatchObject({
    'status 200': { requests: 1 },
    'variant message': { requests: 1 },
  })
  expect(consumers[key]?.eth_chainId?.requests).toBe(2)
  expect(consumers[key]?.['POST /zkt/{apiKey}']?.requests).toBe(1)
  const others = Object.entries(consumers).filter(([name]) => !/^(key|package):/.test(name))
  const counts = others.flatMap(([, one]) => Object.values(one).map((own) => own.counts))
  expect(counts).toEqual([expect.objectContaining({ 'status 400': expect.anything() })])
})

it('the secret of a folder is kept, and a key has the same id after the next start', async () => {
  const folder = temporaryFolder()
  for (const _ of [1, 2]) {
    const usage = await recordUsage(folder, { log, onRecords: () => undefined })
    const { url } = await start({ usage })
    await createClient({ server: url, auth: { apiKey: PRIVATE_KEY } }).rpc.ethChainId()
    await usage.close()
  }
  expect(readdirSync(folder).filter((name) => name.endsWith('.gz'))).toHaveLength(2)
  const { consumers } = await usageOf(folder)
  expect(Object.values(consumers).map((one) => one.eth_chainId?.requests)).toEqual([2])
})

it('what is too much is dropped and counted, and what cannot be written fails; callers notice neither', async () => {
  const metrics = createMetrics()
  const folder = temporaryFolder()
  const usage = await recordUsage(folder, { log, onRecords: metrics.recorded, mostBytes: 3_000 })
  const { url } = await start({ usage })
  const { rpc } = createClient({ server: url })
  const deep = '['.repeat(30_000) + ']'.repeat(30_000)
  const sent = await fetch(`${url}/zkt/try-it-out`, {
    ...{ method: 'POST', body: deep, headers: { 'content-type': 'application/json' } },
  })
  expect(sent.status).toBe(400)
  const all = await Promise.all(Array.from({ length: 40 }, () => rpc.ethChainId()))
  expect(new Set(all)).toHaveLength(1)
  await usage.close()
  const counted = await outcomes(metrics)
  expect(counted.dropped).toBeGreaterThan(10)
  expect((counted.written ?? 0) + (counted.dropped ?? 0)).toBe(41)
})

it.each([
  ['a file', 'file', /cannot be written/],
  ['a folder in a file', 'file/folder', /cannot be written/],
  ['a folder with another secret', '.', /is no secret of 64 hex digits: delete it/],
])('%s is refused at the start', async (_, name, message) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  writeFileSync(join(folder, '.usage-secret'), 'short')
  const started = recordUsage(join(folder, name), { log, onRecords: () => undefined })
  await expect(started).rejects.toThrow(message)
})
