import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createRpc } from 'twinspec/runtime/rpc'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { errorOf, service, type TestClient, validators } from './rpc-fixture.js'

/** On the Node that runs this: its own dispatcher is found, and calls go through it and through nothing else. */
let serve: (id: number, response: ServerResponse, request: IncomingMessage) => void
const sockets = new Set<unknown>()
const server = createServer(async (request, response) => {
  sockets.add(request.socket)
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  const sent = JSON.parse(body)
  response.setHeader('content-type', 'application/json')
  serve(sent.id, response, request)
})

type Dispatcher = { dispatch: (request: { path: string }, handler: unknown) => boolean }
const place = globalThis as unknown as Record<symbol, Dispatcher>
const KEY = Symbol.for('undici.globalDispatcher.1')
let own: Dispatcher | undefined
let dispatched: string[] = []
let client: TestClient

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = createRpc<TestClient>(service, validators, {
    server: `http://127.0.0.1:${port}/own`,
    retry: { attempts: 1 },
  })
  new Headers()
  own = place[KEY]
  place[KEY] = {
    dispatch: (request, handler) => {
      // `fetch` hands over handlers of a class; ours are plain.
      const isPlain = Object.getPrototypeOf(handler) === Object.prototype
      dispatched.push(`${isPlain ? 'straight' : 'by fetch'} ${request.path}`)
      return own?.dispatch(request, handler) ?? false
    },
  }
})

afterEach(() => {
  dispatched = []
})

afterAll(() => {
  if (own !== undefined) place[KEY] = own
  server.closeAllConnections()
  server.close()
})

const json = (id: number, result: string): string => JSON.stringify({ jsonrpc: '2.0', id, result })

test('calls go straight to it and keep their connections', async () => {
  serve = (id, response) => response.end(json(id, 'x'))
  sockets.clear()
  for (let call = 0; call < 10; call += 1) expect(await client.nodeHeight()).toBe('x')
  expect(dispatched).toEqual(Array.from({ length: 10 }, () => 'straight /own/node/open'))
  // A caller goes on while the connection of its last call is being freed.
  expect(sockets.size).toBeLessThanOrEqual(2)
})

test('what it gives in gzip is read', async () => {
  serve = (id, response) => {
    response.setHeader('content-encoding', 'gzip')
    response.end(gzipSync(json(id, 'zipped')))
  }
  expect(await client.nodeHeight()).toBe('zipped')
  expect(dispatched).toEqual(['straight /own/node/open'])
})

test('an abort ends its request', async () => {
  const controller = new AbortController()
  const closed = new Promise<void>((resolve) => {
    serve = (_, response) => {
      response.once('close', () => resolve())
      controller.abort()
    }
  })
  const error = await errorOf(client.with({ signal: controller.signal }).nodeHeight())
  expect(error).toMatchObject({ name: 'CallError', reason: 'aborted' })
  await closed
  expect(dispatched).toEqual(['straight /own/node/open'])
})

test('a connection that breaks off is reported as by fetch', async () => {
  serve = (_, response) => response.destroy()
  expect((await errorOf(client.nodeHeight())).message).toBe(
    'node_height got no response: fetch failed: other side closed',
  )
  expect(dispatched).toEqual(['straight /own/node/open'])
})
