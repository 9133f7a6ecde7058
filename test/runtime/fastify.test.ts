import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { createServer, notOffered } from '../../generated/server.js'
import { HttpError, RpcError } from '../../src/runtime/errors.js'
import { toFastifyPlugin } from '../../src/runtime/fastify.js'

const apps: FastifyInstance[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

const QUEUED = '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942'

const generated = (seen: unknown[] = []) =>
  createServer(
    {
      ...notOffered,
      ethChainId: (_, { state }) => {
        seen.push(state)
        return '0x133edcb'
      },
      ethGasPrice: () => {
        throw new Error('broken')
      },
      ethBlockNumber: () => {
        throw new RpcError({ code: -32000, message: 'no blocks yet' })
      },
      getZktTransaction: ({ path }) => ({
        status: 200,
        body: { status: 'pending', queueId: path.queueId },
      }),
      tryZkt: {
        ...notOffered.tryZkt,
        message: () => ({ status: 200, body: { success: true, queueId: QUEUED } }),
        call: () => {
          throw new HttpError({
            operation: 'tryZkt',
            status: 503,
            body: undefined,
            message: 'not now',
          })
        },
      },
    },
    { onError: (error, { state }) => seen.push(error, state) },
  )

type Options = { readonly prefix?: string; readonly seen?: unknown[]; readonly log?: string[] }

const listen = async ({ prefix, seen, log }: Options = {}) => {
  const app = fastify({
    bodyLimit: 64,
    ...(log && { logger: { level: 'info', stream: { write: (line: string) => log.push(line) } } }),
  })
  apps.push(app)
  app.get('/own', async () => ({ mine: true }))
  app.post('/own', async ({ body }) => ({ had: body }))
  app.addHook('onSend', async (_, reply) => {
    reply.header('x-own-hook', 'ran')
  })
  app.setNotFoundHandler((_, reply) => reply.code(404).send({ own: 'nothing' }))
  app.register(toFastifyPlugin(generated(seen)), { ...(prefix && { prefix }) })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return { app, port, url: `http://127.0.0.1:${port}` }
}

const post = (url: string, body: string, type = 'application/json') =>
  fetch(url, { method: 'POST', headers: { 'content-type': type }, body })

const call = (method: string, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params: [] })

describe.each(['', '/v1', '/of/:team'])('below the prefix “%s”', (prefix) => {
  const at = prefix.replace(':team', 'ours')

  it('S18: a request in absolute form is answered as in origin form', async () => {
    const { port } = await listen({ prefix })
    const headers = { 'content-type': 'application/json' }
    const target = `http://other.example${at}/zgt/try-it-out?a=b`
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path: target, headers })
    sent.end(JSON.stringify(call('eth_chainId')))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect([response.statusCode, await json(response)]).toMatchObject([
      200,
      { result: '0x133edcb' },
    ])
  })

  it('both protocols answer, with batches, ids and notifications', async () => {
    const { url } = await listen({ prefix })
    const batch = [call('eth_chainId', 'a'), { jsonrpc: '2.0', method: 'eth_chainId' }]
    const answer = await post(
      `${url}${at}/zgt/my-key`,
      JSON.stringify([...batch, call('eth_blockNumber', 0), call('eth_nope', null)]),
    )
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('x-own-hook')).toBe('ran')
    expect(await answer.json()).toEqual([
      { jsonrpc: '2.0', id: 'a', result: '0x133edcb' },
      { jsonrpc: '2.0', id: 0, error: { code: -32000, message: 'no blocks yet' } },
      { jsonrpc: '2.0', id: null, error: { code: -32601, message: 'Method not found' } },
    ])
    const silent = await post(`${url}${at}/zgt/my-key`, JSON.stringify(batch[1]))
    expect([silent.status, await silent.text()]).toEqual([204, ''])
    const message = await post(`${url}${at}/zkt/try-it-out`, '{"arguments":"hi"}')
    expect([message.status, await message.json()]).toEqual([
      200,
      { success: true, queueId: QUEUED },
    ])
    const status = await fetch(`${url}${at}/gtn/v1/zkt/transaction/${QUEUED}`)
    expect(await status.json()).toEqual({ status: 'pending', queueId: QUEUED })
  })

  it('the documents’ refusals, in their words', async () => {
    const { url } = await listen({ prefix })
    const zkt = `${url}${at}/zkt/try-it-out`
    const rows = await Promise.all([
      post(zkt, '{"arguments"'),
      post(zkt, 'hi', 'text/plain'),
      post(zkt, 'hi', 'no media type'),
      post(zkt, JSON.stringify({ arguments: 'x'.repeat(1_048_576) })),
      fetch(zkt, { method: 'DELETE' }),
      fetch(zkt, { method: 'OPTIONS' }),
      post(`${url}${at}/zgt/k`, 'hi', 'text/plain'),
      post(`${url}${at}/zgt/k`, '{'),
      fetch(`${url}${at}/gtn/v1/zkt/transaction/${QUEUED}?x=1`),
    ])
    expect(rows.map(({ status }) => status)).toEqual([400, 415, 415, 413, 405, 405, 415, 200, 400])
    const bodies = await Promise.all(rows.map((row) => row.json()))
    expect(bodies.map((body) => typeof (body.error?.message ?? body.error))).toEqual(
      rows.map(() => 'string'),
    )
    expect(bodies[7].error.code).toBe(-32700)
    expect(bodies[8].error).toBe('query.x is not a parameter of this operation')
    expect(rows[4]?.headers.get('allow')).toBe('POST')
    const unknown = await fetch(`${url}${at}/zkt`)
    expect([unknown.status, await unknown.json()]).toEqual([404, { own: 'nothing' }])
  })

  it('HEAD is answered as GET is, without its body', async () => {
    const { url } = await listen({ prefix })
    const address = `${url}${at}/gtn/v1/zkt/transaction/${QUEUED}`
    const [head, get] = await Promise.all([fetch(address, { method: 'HEAD' }), fetch(address)])
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(String((await get.text()).length))
  })
})

describe('beside other routes', () => {
  it('these keep their parsers, their limit and their errors', async () => {
    const { url } = await listen()
    expect(await (await post(`${url}/own`, '{"a":1}')).json()).toEqual({ had: { a: 1 } })
    expect((await post(`${url}/own`, 'x'.repeat(65), 'text/plain')).status).toBe(413)
    expect((await post(`${url}/own`, '{')).status).toBe(400)
    const large = await post(`${url}/zkt/try-it-out`, `{"arguments":"${'x'.repeat(100_000)}"}`)
    expect(large.status).toBe(200)
  })

  it('handlers find the request, and an error is reported with it', async () => {
    const seen: unknown[] = []
    const { url } = await listen({ seen })
    await post(`${url}/zgt/my-key`, JSON.stringify(call('eth_chainId')))
    await post(`${url}/zgt/my-key`, JSON.stringify(call('eth_gasPrice')))
    const request = { ip: '127.0.0.1', method: 'POST' }
    expect(seen).toMatchObject([request, { message: 'broken' }, request])
  })

  it.each([
    ['/größe', '/gr%C3%B6%C3%9Fe'],
    ['/gr%c3%b6%c3%9fe', '/gr%C3%B6%C3%9Fe'],
    ['/größe-{a}', '/gr%C3%B6%C3%9Fe-7'],
    ['/orders:cancel', '/orders:cancel'],
    ['/%zz', '/%25zz'],
  ])('the route %s receives %s as it was sent', async (template, path) => {
    const app = fastify()
    apps.push(app)
    const handle = async ({ url }: { readonly url: string }) => ({
      status: 200,
      headers: {},
      body: url,
    })
    app.register(toFastifyPlugin({ handle, paths: [template], methods: ['GET'] }), {
      prefix: '/v1',
    })
    const { statusCode, body } = await app.inject(`/v1${path}?a=b`)
    expect([statusCode, body]).toEqual([200, `${path}?a=b`])
  })

  it('a log names the template of a path and no key', async () => {
    const log: string[] = []
    const { url } = await listen({ log, prefix: '/v1' })
    await post(`${url}/v1/zgt/secret-key-of-ours`, JSON.stringify(call('eth_chainId')))
    const text = log.join('')
    expect(text).toContain('"url":"/v1/zgt/{apiKey}"')
    expect(text).toContain('request completed')
    expect(text).not.toContain('secret-key-of-ours')
  })
})

describe('a body that is refused before it has come', () => {
  it('is refused at once, and the connection closed', async () => {
    const { port } = await listen()
    const socket = connect(port, '127.0.0.1')
    socket.write(
      'POST /zkt/try-it-out HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2000000\r\n\r\n{',
    )
    const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(1_000) })
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close/i)
    socket.end('x'.repeat(100_000))
    socket.resume()
    await once(socket, 'close', { signal: AbortSignal.timeout(10_000) })
  })

  it('is refused as soon as chunks are too many', async () => {
    const { port } = await listen()
    const socket = connect(port, '127.0.0.1')
    socket.write(
      'POST /zgt/k HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    )
    const chunk = `${(100_000).toString(16)}\r\n${' '.repeat(100_000)}\r\n`
    for (let sent = 0; sent < 12; sent += 1) socket.write(chunk)
    const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(5_000) })
    expect(String(answer)).toContain('HTTP/1.1 413')
    socket.end('0\r\n\r\n')
    socket.resume()
    await once(socket, 'close', { signal: AbortSignal.timeout(10_000) })
  })
})
