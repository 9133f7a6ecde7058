import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Anvil, startAnvil } from '../service/anvil.js'
import {
  createDatabase,
  postgresUrl,
  startCluster,
  type TestDatabase,
} from '../service/postgres.js'
import { createKeysIn } from './keys.js'
import { MNEMONIC, pause, type ServiceProcess, startServiceProcess } from './service-process.js'

describe.skipIf(postgresUrl === undefined)('two gateways on one PostgreSQL', () => {
  let node: Anvil
  let database: TestDatabase
  let gateways: readonly ServiceProcess[] = []

  beforeAll(async () => {
    node = await startAnvil()
    database = await createDatabase(postgresUrl as string)
    gateways = await Promise.all(
      [1, 2].map(() =>
        startServiceProcess({
          args: ['--upstream', node.url],
          env: { DATABASE_URL: database.url, TWINSPEC_MNEMONIC: MNEMONIC },
        }),
      ),
    )
  })
  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop()
    await database?.drop()
    await node?.stop()
  })

  it('let exactly 200 of 1,000 requests of one key through', async () => {
    const [key = ''] = await createKeysIn({ databaseUrl: database.url }, 1)
    const statuses = await ask(
      gateways.map(({ url }) => `${url}/zgt/${key}`),
      1000,
    )
    expect(tally(statuses)).toEqual({ 200: 200, 429: 800 })
  })

  it('count the members of batches one by one', async () => {
    const [key = ''] = await createKeysIn({ databaseUrl: database.url }, 1)
    const passed = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const gateway = gateways[index % 2] as ServiceProcess
        const batch = Array.from({ length: 40 }, (_, id) => ({ ...CALL, id }))
        const answer = await post(`${gateway.url}/zgt/${key}`, batch)
        const answers: readonly { result?: string; error?: { code: number } }[] = [
          await answer.json(),
        ].flat()
        // A gateway that knows that the limit is spent responds before it reads the batch, so without its ids.
        expect([answer.status, answers.length]).toEqual(
          answers.length === 1 ? [429, 1] : [answer.status, 40],
        )
        for (const { error } of answers) expect([undefined, -32005]).toContain(error?.code)
        return answers.filter(({ result }) => result !== undefined).length
      }),
    )
    expect(passed.reduce((sum, count) => sum + count, 0)).toBe(200)
  })
})

describe('a store that dies', () => {
  it('is refused cleanly, and recovers by itself', async ({ skip }) => {
    const cluster = await startCluster()
    if (cluster === undefined) return skip('no PostgreSQL on this machine')
    const node = await startAnvil()
    const env = { DATABASE_URL: cluster.url, TWINSPEC_MNEMONIC: MNEMONIC }
    const service = await startServiceProcess({ args: ['--upstream', node.url], env })
    try {
      const write = () => post(`${service.url}/zkt/try-it-out`, { arguments: 'hello' })
      const first = await write()
      expect(first.status).toBe(200)
      const { queueId } = await first.json()
      const look = () => fetch(`${service.url}/gtn/v1/zkt/transaction/${queueId}`)

      await cluster.crash()
      const refused = await write()
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(await refused.json()).toMatchObject({ success: false, errorCode: 'UNAVAILABLE' })
      const lookup = await look()
      expect(lookup.status).toBe(503)
      expect(Object.keys(await lookup.json())).toEqual(['error'])
      // What /ready answered last is good for a second.
      await until(async () => (await fetch(`${service.url}/ready`)).status === 503)
      expect((await fetch(`${service.url}/health`)).status).toBe(200)
      // Reading needs neither a key nor the store.
      const read = await post(`${service.url}/zgt/try-it-out`, CALL)
      expect(await read.json()).toMatchObject({ result: '0x133edcb' })

      await cluster.again()
      await until(async () => (await look()).status === 200)
      await until(async () => (await (await look()).json()).status === 'completed')
      expect((await write()).status).toBe(200)
    } finally {
      await service.stop()
      await node.stop()
      await cluster.stop()
    }
  }, 120_000)
})

const CALL = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  })

const ask = async (urls: readonly string[], requests: number): Promise<readonly number[]> => {
  const statuses: number[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < requests; index = next++) {
      const answer = await post(urls[index % urls.length] as string, CALL)
      await answer.arrayBuffer()
      statuses.push(answer.status)
    }
  }
  await Promise.all(Array.from({ length: 32 }, worker))
  return statuses
}

const tally = (statuses: readonly number[]): Readonly<Record<number, number>> => {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 30_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('it did not come true within 30 seconds')
    await pause(100)
  }
}
