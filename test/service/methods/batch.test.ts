import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toNodeListener } from '../../../generated/server.js'
import { type Anvil, startAnvil } from '../anvil.js'
import { account } from './seed.js'
import { startMethods } from './service.js'

let anvil: Anvil
let http: Server
let url: string
const sizes: number[] = []

beforeAll(async () => {
  anvil = await startAnvil()
  const { server } = startMethods({
    url: anvil.url,
    settings: { upstream: undefined },
    fetch: async (to, init) => {
      const body = JSON.parse(String(init.body))
      sizes.push(Array.isArray(body) ? body.length : 1)
      const slow = JSON.stringify(body).includes('eth_simulateV1')
      if (slow) await new Promise((resolve) => setTimeout(resolve, 400))
      return fetch(to, init)
    },
  })
  http = createHttpServer(toNodeListener(server)).listen(0, '127.0.0.1')
  await once(http, 'listening')
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/zgt/key`
})
afterAll(async () => {
  http?.close()
  await anvil?.stop()
})

const post = async (body: unknown) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Record<string, unknown>[]
  return answer
}

const call = (id: unknown, method: string, params: readonly unknown[] = []) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

describe('a batch of forty', () => {
  it('keeps ids and their answers, one failing member fails alone', async () => {
    const slots = (index: number) => `0x${index.toString(16)}`
    const batch = Array.from({ length: 40 }, (_, index) => {
      if (index === 7) return call('seven', 'eth_getBalance', [account.address, '0xffffff'])
      if (index === 8) return call(8, 'eth_noSuchMethod')
      if (index === 9) return call(9, 'eth_getBalance', ['nobody'])
      if (index % 2 === 0) return call(`n${index}`, 'eth_chainId')
      return call(index, 'web3_sha3', [`0x${slots(index + 16).slice(2)}`])
    })
    const answers = await post(batch)
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    expect(byId.size).toBe(40)
    expect(answers.map(({ id }) => id)).toEqual(batch.map(({ id }) => id))
    expect(byId.get('seven')?.error).toEqual({ code: -32000, message: 'header not found' })
    expect(byId.get(8)?.error).toMatchObject({ code: -32601 })
    expect(byId.get(9)?.error).toMatchObject({ code: -32602 })
    for (const { id, method } of batch.filter(({ method }) => method === 'eth_chainId'))
      expect({ method, ...byId.get(id) }).toMatchObject({ result: '0x133edcb' })
    const hashed = await Promise.all(
      batch
        .filter(({ method }) => method === 'web3_sha3')
        .map(async ({ id, params }) => {
          const [alone] = await post([call('alone', 'web3_sha3', params)])
          return [byId.get(id)?.result, alone?.result]
        }),
    )
    expect(hashed.length).toBeGreaterThan(15)
    for (const [inBatch, alone] of hashed) expect(inBatch).toBe(alone)
    expect(Math.max(...sizes)).toBeGreaterThan(4)
  })

  it('is not held up in the node by one slow member', async () => {
    sizes.length = 0
    const answers = await post([
      call(1, 'eth_simulateV1', [{ blockStateCalls: [{}] }]),
      ...Array.from({ length: 10 }, (_, index) => call(index + 2, 'eth_chainId')),
    ])
    expect(answers[0]?.result).toMatchObject([{ calls: [] }])
    expect(answers.slice(1).every(({ result }) => result === '0x133edcb')).toBe(true)
    expect(sizes).toEqual([1, 10])
  })
})
