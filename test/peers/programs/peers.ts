import { fastify } from 'fastify'
import { Hono } from 'hono'
import { setupServer } from 'msw/node'
import { toFastifyPlugin } from 'twinspec/runtime/fastify'
import { toFetchHandler } from 'twinspec/runtime/server'
import { createPublicClient } from 'viem'
import { createHandlers } from './generated/msw.js'
import { createFetchClient } from './generated/openapi-fetch.js'
import { createServer, notOffered } from './generated/server.js'
import { contractCalls } from './service/contracts.js'
import { createHttpClient } from './service/http.client.js'
import { chains, rpcTransport } from './service/viem.js'

/** One use of each library that is an optional peer, for its oldest and its newest version. */
const order = { id: 'o-1', customer: 'Ada', lines: [{ sku: 'tea-1', quantity: 2 }], status: 'open' }
const call = { jsonrpc: '2.0', id: 1, method: 'stock_level', params: ['tea-1'] }
const headers = { 'content-type': 'application/json' }

const client = createPublicClient({
  chain: chains.testnet,
  transport: rpcTransport({
    auth: { apiKey: 'my-key' },
    fetch: async (_, init) => {
      const { id } = JSON.parse(String(init.body))
      return Response.json({ jsonrpc: '2.0', id, result: '0x10' })
    },
  }),
})
console.log('viem', await client.getBlockNumber())

const service = createHttpClient({
  server: 'http://service.test',
  fetch: async () => Response.json({ success: true, output: '8' }),
})
const { output } = await contractCalls(service).tryZkt({
  body: {
    abi: ['function sum() view returns (uint256)'],
    to: '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1',
    method: 'sum',
    arguments: [],
  },
})
const sum: bigint = output
console.log('abitype', sum + 1n)

// MSW 3 needs Node 22, which has this function.
if (!('withResolvers' in Promise))
  Reflect.set(Promise, 'withResolvers', () => {
    const functions: unknown[] = []
    const promise = new Promise((...both) => functions.push(...both))
    const [resolve, reject] = functions
    return { promise, resolve, reject }
  })
const handlers = setupServer(...createHandlers({ server: 'http://shop.test' }))
handlers.listen()
const mocked = await fetch('http://shop.test/rpc', {
  method: 'POST',
  headers,
  body: JSON.stringify(call),
})
console.log('msw', JSON.stringify(await mocked.json()))
handlers.close()

const fetchClient = createFetchClient({
  server: 'http://shop.test',
  fetch: async () => Response.json(order),
})
const { data } = await fetchClient.GET('/orders/{id}', { params: { path: { id: 'o-1' } } })
console.log('openapi-fetch', data?.customer)

const server = createServer({ ...notOffered, stockLevel: () => 12 })
const app = fastify()
await app.register(toFastifyPlugin(server))
const injected = await app.inject({
  method: 'POST',
  url: '/rpc',
  headers,
  payload: JSON.stringify(call),
})
console.log('fastify', injected.body)

const handle = toFetchHandler(server)
const hono = new Hono().all('*', (c) => handle(c.req.raw, c))
const answered = await hono.request('/rpc', { method: 'POST', headers, body: JSON.stringify(call) })
console.log('hono', await answered.text())
