import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createRpc, type RpcOptions } from 'twinspec/runtime/rpc'
import { expect, test } from 'vitest'
import { service, type TestClient, validators } from './rpc-fixture.js'

/** What a server does with each request, and what comes of the call. */
const exchanges: { title: string; serve: Serve; want: unknown }[] = [
  {
    title: 'an answer in pieces, cut within a character',
    serve: ({ id, response }) => {
      const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: 'é€😀' }))
      for (const byte of bytes) response.write(Buffer.from([byte]))
      response.end()
    },
    want: 'é€😀',
  },
  {
    title: 'an answer behind a byte order mark',
    serve: ({ id, response }) =>
      response.end(`\ufeff${JSON.stringify({ jsonrpc: '2.0', id, result: 'x' })}`),
    want: 'x',
  },
  {
    title: 'gzip, which was asked for',
    serve: ({ id, request, response }) => {
      const result = String(request.headers['accept-encoding']).includes('gzip') ? 'x' : 'not asked'
      response.setHeader('content-encoding', 'gzip')
      response.end(gzipSync(JSON.stringify({ jsonrpc: '2.0', id, result })))
    },
    want: 'x',
  },
  {
    title: 'early hints before the answer',
    serve: ({ id, response }) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: 'x' }))
    },
    want: 'x',
  },
  {
    title: 'a redirection that keeps the call',
    serve: ({ id, request, response, body }) => {
      if (request.url !== '/moved') response.writeHead(307, { location: '/moved' }).end()
      else response.end(JSON.stringify({ jsonrpc: '2.0', id, result: `${request.method} ${body}` }))
    },
    want: 'POST {"jsonrpc":"2.0","id":1,"method":"node_height","params":[]}',
  },
  {
    title: 'a redirect that would make a GET of the call',
    serve: ({ request, response }) => {
      if (request.url !== '/moved') response.writeHead(303, { location: '/moved' }).end()
      else response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: `${request.method}` }))
    },
    want: 'HttpError node_height: the server returned HTTP 303, a redirect to /moved',
  },
  {
    title: 'a refusal under HTTP, its headers',
    serve: ({ response }) => response.writeHead(403, { 'x-why': 'key' }).end('no'),
    want: 'HttpError node_height: the server returned HTTP 403, no, key',
  },
  {
    title: 'an answer that is cut short',
    serve: ({ response }) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"jsonrpc"')
      setTimeout(() => response.destroy(), 10)
    },
    want: 'CallError node_height got no response: terminated: other side closed',
  },
  {
    title: 'no answer at all',
    serve: ({ response }) => response.destroy(),
    want: 'CallError node_height got no response: fetch failed: other side closed',
  },
]

test.each(exchanges)('both transports tell the same of $title', async ({ serve, want }) => {
  const platform: RpcOptions['fetch'] = (url, init) => fetch(url, init)
  for (const fetch of [undefined, platform]) expect(await outcomeOf(serve, { fetch })).toEqual(want)
})

test('an address with credentials is one that fetch does not take', async () => {
  const client = createRpc<TestClient>(service, validators, {
    server: 'http://user:s3cret@127.0.0.1:1/',
    retry: { attempts: 1 },
  })
  const error = await client.nodeHeight().then(String, String)
  expect(error).toMatch(/includes credentials/)
  expect(error).not.toContain('s3cret')
})

test('an abort closes the connection', async () => {
  let close: () => void = () => undefined
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  const controller = new AbortController()
  const serve: Serve = ({ response }) => {
    response.once('close', () => close())
    controller.abort()
  }
  expect(await outcomeOf(serve, { signal: controller.signal })).toBe(
    'CallError node_height: aborted by its caller',
  )
  await closed
})

type Serve = (asked: {
  readonly id: number
  readonly body: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
}) => unknown

const outcomeOf = async (serve: Serve, options: RpcOptions): Promise<unknown> => {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    serve({ id: body === '' ? 1 : JSON.parse(body).id, body, request, response })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const at = { server: `http://127.0.0.1:${port}/`, retry: { attempts: 1 } }
  try {
    return await createRpc<TestClient>(service, validators, { ...at, ...options }).nodeHeight()
  } catch (error) {
    const { name, message, body, headers } = error as Error & { body?: unknown; headers?: Headers }
    return [`${name} ${message}`, body, headers?.get('x-why')].filter(Boolean).join(', ')
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
