import { readFileSync } from 'node:fs'
import { createServer as createNodeServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { createServer, notOffered, toFetchHandler } from '../../generated/server.js'

const QUEUED = '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942'

const seen: unknown[] = []
const server = createServer({
  ...notOffered,
  ethChainId: (_, { state }) => {
    seen.push(state)
    return '0x133edcb'
  },
  getZktTransaction: ({ path }) => ({
    status: 200,
    body: { status: 'pending', queueId: path.queueId },
  }),
})
const handle = toFetchHandler(server)

const guide = readFileSync(join(import.meta.dirname, '../../docs/server.md'), 'utf8')
const [, pattern = '', route = ''] = /path\.replace\(\/(.+)\/g, '(.+?)'\)/.exec(guide) ?? []

/** A template as docs/server.md has Hono read it. */
const routeOf = (path: string): string => path.replace(new RegExp(pattern, 'g'), route)

/** The ways of docs/server.md, each beside a route of the app's own. */
const apps = {
  'all, path by path': () => {
    const app = new Hono()
    app.get('/own', (c) => c.json({ mine: true }))
    for (const path of server.paths ?? []) app.all(routeOf(path), (c) => handle(c.req.raw, c))
    app.notFound((c) => c.json({ own: 'nothing' }, 404))
    return { app, base: '', unknown: { own: 'nothing' } }
  },
  'mount, below a path': () => {
    const app = new Hono()
    app.get('/own', (c) => c.json({ mine: true }))
    app.mount('/v1', handle)
    return { app, base: '/v1', unknown: { error: 'Not found' } }
  },
}

const post = (body: unknown, type = 'application/json') => ({
  method: 'POST',
  headers: { 'content-type': type },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const call = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] })

describe.each(Object.entries(apps))('hono by %s', (_, make) => {
  it('answers both protocols, and batches', async () => {
    const { app, base } = make()
    const batch = await app.request(`${base}/zgt/my-key`, post([call('a'), call(0)]))
    expect(await batch.json()).toEqual([
      { jsonrpc: '2.0', id: 'a', result: '0x133edcb' },
      { jsonrpc: '2.0', id: 0, result: '0x133edcb' },
    ])
    const status = await app.request(`${base}/gtn/v1/zkt/transaction/${QUEUED}`)
    expect(await status.json()).toEqual({ status: 'pending', queueId: QUEUED })
    const head = await app.request(`${base}/gtn/v1/zkt/transaction/${QUEUED}`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(await (await app.request('/own')).json()).toEqual({ mine: true })
  })

  it('refuses in the words of the documents', async () => {
    const { app, base, unknown } = make()
    const zkt = `${base}/zkt/try-it-out`
    const answers = [
      await app.request(zkt, post('{"arguments"')),
      await app.request(zkt, post('hi', 'text/plain')),
      await app.request(zkt, post({ arguments: 'x'.repeat(1_048_576) })),
      await app.request(zkt, { method: 'DELETE' }),
      await app.request(`${base}/zgt/k`, post('hi', 'text/plain')),
      await app.request(`${base}/zgt/k`, post('{')),
      await app.request(`${base}/zkt`),
      await app.request(`${base}/gtn/v1/zkt/transaction/${QUEUED}?x=1`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 415, 413, 405, 415, 200, 404, 400])
    expect(answers[3]?.headers.get('allow')).toBe('POST')
    expect(await answers[5]?.json()).toMatchObject({ id: null, error: { code: -32700 } })
    expect(await answers[6]?.json()).toEqual(unknown)
    const query = { error: 'query.x is not a parameter of this operation' }
    expect(await answers[7]?.json()).toEqual(query)
  })

  it('reads a body that streams in, and no further than its limit', async () => {
    const { app, base } = make()
    const chunks = (text: string, times: number) => {
      let left = times
      return new ReadableStream<Uint8Array>({
        pull: (controller) => {
          left -= 1
          if (left < 0) controller.close()
          else
            controller.enqueue(
              new TextEncoder().encode(left === 0 ? JSON.stringify(call(7)) : text),
            )
        },
      })
    }
    const ask = (body: ReadableStream) =>
      app.request(
        new Request(`http://service${base}/zgt/k`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
          duplex: 'half',
        } as RequestInit),
      )
    expect(await (await ask(chunks('  ', 5))).json()).toMatchObject({ id: 7 })
    expect((await ask(chunks(' '.repeat(100_000), Number.POSITIVE_INFINITY))).status).toBe(413)
  })
})

it.each([
  ['/things/{thing-id}', '/things/5', '/things/5/6'],
  ['/things/{thing-id}:activate', '/things/5:activate', '/things/5/activate'],
  ['/v{major}/files/{name}.{ending}', '/v1/files/a.txt', '/v1/a.txt'],
  ['/{a}/{b}', '/x/y', '/x'],
])('hono gets the route of %s', async (path, request, other) => {
  const app = new Hono()
  app.all(routeOf(path), (c) => c.text('found'))
  expect((await app.request(request)).status).toBe(200)
  expect((await app.request(other)).status).toBe(404)
})

it('hono leaves templates that share a route to whoever tells them apart', async () => {
  const app = new Hono()
  for (const path of ['/things/{id}', '/things/{thing-id}:activate', '/things/v{n}/parts/{id}'])
    app.all(routeOf(path), (c) => c.text('found'))
  for (const request of ['/things/5', '/things/5:activate', '/things/v1/parts/2'])
    expect((await app.request(request)).status).toBe(200)
})

describe('what stands beside the request', () => {
  it('is the context of Hono, or the env of a worker', async () => {
    seen.length = 0
    const env = { KEYS: 'of a worker' }
    await apps['all, path by path']().app.request('/zgt/k', post(call(1)), env)
    await apps['mount, below a path']().app.request('/v1/zgt/k', post(call(1)), env)
    expect(seen).toMatchObject([{ env }, env])
    const worker = { fetch: handle }
    await worker.fetch(new Request('http://service/zgt/k', post(call(1))), env)
    expect(seen[2]).toBe(env)
  })
})

describe('on a socket', () => {
  it('speaks as anywhere', async () => {
    const { app } = apps['all, path by path']()
    const listener = createNodeServer(async (request, response) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of request) chunks.push(chunk)
      const answer = await app.fetch(
        new Request(`http://service${request.url}`, {
          method: request.method ?? 'GET',
          headers: request.headers as Record<string, string>,
          ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
        }),
      )
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const { port } = listener.address() as AddressInfo
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/zgt/k`, post([call(1), call('2')]))
      expect(await answer.json()).toMatchObject([{ id: 1 }, { id: '2' }])
    } finally {
      listener.closeAllConnections()
      listener.close()
    }
  })
})
