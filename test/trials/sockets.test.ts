import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSubscriptions, serveHandlers } from 'twinspec/runtime/duplex'
import { socketLink } from 'twinspec/runtime/links/socket'
import { createRpc } from 'twinspec/runtime/rpc'
import { createServerCore } from 'twinspec/runtime/server'
import { serveWebSockets } from 'twinspec/runtime/ws'
import { expect, it, onTestFinished } from 'vitest'
import { createService } from '../../src/mock/service.js'
import { apiOf, openrpcOf } from '../read/api-of.js'
import { sized } from './size.js'

const text = { type: 'string' }
const param = (name: string, schema: object) => ({ name, required: true, schema })
const result = (schema: object) => ({ result: { name: 'result', schema } })

const { service } = createService(
  await apiOf({
    openrpc: openrpcOf({
      openrpc: '1.4.1',
      methods: [
        {
          name: 'watch',
          params: [param('count', { type: 'integer' })],
          ...result(text),
          'x-subscription': {
            unsubscribe: 'unwatch',
            id: '/id',
            notifications: [{ method: 'seen', item: '/item' }],
          },
        },
        { name: 'unwatch', params: [param('id', text)], ...result({ type: 'boolean' }) },
        {
          name: 'seen',
          'x-direction': 'server',
          paramStructure: 'by-name',
          params: [param('id', text), param('item', { type: 'object', required: ['number'] })],
        },
      ],
    }),
  }),
)

type Client = {
  readonly subscribe: {
    readonly watch: (
      count: number,
      options?: { readonly buffer?: number },
    ) => AsyncIterableIterator<{ readonly number: number }>
  }
}

/** A client of a server whose subscriptions have as many items as they were asked for, and the number of those that are open. */
const connected = async () => {
  let open = 0
  const server = createServerCore(service, {
    watch: async function* ([count]: readonly number[]) {
      open += 1
      try {
        for (let number = 0; number < (count ?? 0); number += 1)
          yield { number, text: 'x'.repeat(100) }
        // A subscription stays open until it is left.
        await new Promise(() => {})
      } finally {
        open -= 1
      }
    },
  } as never)
  const http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const sockets = serveWebSockets(server, http, { subscriptions: 20_000, waiting: 20_000 })
  const { port } = http.address() as AddressInfo
  const ending = new AbortController()
  const options = { link: socketLink(`ws://127.0.0.1:${port}/`), signal: ending.signal }
  const client = createRpc<Client>(service.rpc as never, service.validators, options, undefined, {
    serveHandlers,
    createSubscriptions,
  })
  onTestFinished(async () => {
    ending.abort()
    await sockets.close()
    http.close()
  })
  return { client, open: () => open, connections: sockets.connections }
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes in use after all garbage is collected. */
const heap = (): number => {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

it('items of a subscription leave nothing behind', async () => {
  const { client } = await connected()
  const count = sized(20_000, 1_000_000)
  const at: number[] = []
  let last = -1
  let lost = 0
  for await (const { number } of client.subscribe.watch(count, { buffer: count })) {
    if (number !== last + 1) lost += 1
    last = number
    if (number === Math.floor(count / 10) || number === count - 1) at.push(heap())
    if (number === count - 1) break
  }
  expect(lost).toBe(0)
  const [before = 0, after = 0] = at
  console.log(
    `${count} items: ${Math.round((after - before) / 1024)} KiB more after the last nine tenths`,
  )
  expect(after - before).toBeLessThan(8 * 2 ** 20)
})

it('one connection has many subscriptions, and they end with their loops', async () => {
  const { client, open, connections } = await connected()
  const count = sized(500, 10_000)
  const before = heap()
  const all = Array.from({ length: count }, () => client.subscribe.watch(1))
  const first = await Promise.all(all.map((one) => one.next()))
  expect(first.every(({ value }) => value.number === 0)).toBe(true)
  expect(open()).toBe(count)
  expect(connections()).toBe(1)
  const each = (heap() - before) / count
  console.log(`${count} subscriptions: ${Math.round(each)} bytes each, of client and server`)
  expect(each).toBeLessThan(32_768)
  await Promise.all(all.map((one) => one.return?.()))
})
