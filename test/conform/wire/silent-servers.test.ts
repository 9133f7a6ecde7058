import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { folderOf, twinspec } from '../../cli/command-line.js'
import { bodyOf, conformed, openrpc, squareMethod, textMethod } from '../rpc/rpc-server.js'

const document = openrpc(squareMethod('square'), textMethod('other'))

const openapi = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: {
    '/a': { get: { operationId: 'a', responses: { 200: { description: 'x' } } } },
    '/b': { get: { operationId: 'b', responses: { 200: { description: 'x' } } } },
  },
})

/** The URL of a server that may speak any protocol. Its sockets are closed when the test ends. */
const listenRaw = async (server: Server): Promise<string> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const afterRequest = (act: (socket: Socket) => void) =>
  createServer((socket) => void socket.once('data', () => act(socket)))

const silent: readonly (readonly [what: string, server: () => Server, received: string])[] = [
  [
    'resets each connection at once',
    () => createServer((socket) => void socket.resetAndDestroy()),
    'the connection was closed before a response',
  ],
  [
    'resets each connection after the request',
    () => afterRequest((socket) => void socket.resetAndDestroy()),
    'the connection was closed before a response',
  ],
  [
    'closes each connection with an empty response',
    () => afterRequest((socket) => void socket.end()),
    'the connection was closed before a response',
  ],
  [
    'sends bytes that are no HTTP',
    () => afterRequest((socket) => void socket.end('junk\r\n')),
    'the server sent bytes that are not HTTP: "junk\\r\\n"',
  ],
  [
    'greets before it reads',
    () => createServer((socket) => void socket.end('SSH-2.0-server\r\n')),
    'the server sent bytes that are not HTTP: "SSH-2.0-server\\r\\n"',
  ],
  [
    'sends each request back',
    () => createServer((socket) => void socket.pipe(socket)),
    'the server sent the request back and no response',
  ],
  [
    'speaks HTTP/2 only',
    () => createHttp2Server(),
    'the server sent an HTTP/2 frame, and the request was HTTP/1.1',
  ],
]

it.each(silent)(
  'a server that %s was not tested, and has no findings',
  async (_, start, received) => {
    for (const [kind, text] of [
      ['openrpc', document],
      ['openapi', openapi],
    ] as const) {
      const folder = await folderOf({ 'api.json': text })
      const url = await listenRaw(start())
      const { code, stdout, stderr } = await twinspec(
        ...['conform', url, `--${kind}`, `${folder}/api.json`, '--rate', '0'],
      )
      expect(code).toBe(2)
      expect(stdout).toBe('')
      const [line = ''] = stderr.trim().split('\n').slice(-1)
      expect(line).toContain(`${url} gave no HTTP response to any of `)
      expect(line).toContain(received)
      expect(line).toContain('check that this is the URL of an HTTP/1.1 server')
    }
  },
)

it('a server of TLS that is asked without it was not tested, and the right URL is named', async () => {
  const folder = await folderOf({ 'api.json': document })
  // It has no certificate and ends each handshake with an alert, which is TLS as well.
  const url = await listenRaw(createTlsServer().on('tlsClientError', () => undefined))
  const { code, stdout, stderr } = await twinspec(
    ...['conform', url, '--openrpc', `${folder}/api.json`, '--rate', '0'],
  )
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`so give its URL as ${url.replace('http:', 'https:')}`)
})

it('a key is not shown where a server sends bytes with it', async () => {
  const folder = await folderOf({ 'api.json': document })
  const url = await listenRaw(afterRequest((socket) => void socket.end('no key-1234567 here\n')))
  const { code, stderr } = await twinspec(
    ...['conform', url, '--openrpc', `${folder}/api.json`, '--rate', '0'],
    ...['--api-key', 'key-1234567'],
  )
  expect(code).toBe(2)
  expect(stderr).toContain('no $KEY here')
  expect(stderr).not.toContain('1234567')
})

it.each([1, 5, 40])(
  'a server that closes every connection after %s responses is one finding, with the first request',
  { timeout: 900_000 },
  async (most) => {
    let count = 0
    let first = ''
    const server = createHttpServer(async (request, response) => {
      const text = (await bodyOf(request)).toString()
      count += 1
      if (count === most + 1) first = text
      if (count > most) return void request.socket.resetAndDestroy()
      if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end()
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"jsonrpc":"2.0","id":1,"result":9}')
    })
    const url = await listenRaw(server)
    const { code, findings, stderr } = await conformed(url, { openrpc: document })
    expect(code).toBe(1)
    const ends = findings.filter(({ exchange }) => !/^\d/.test(exchange.response))
    expect(ends.map(({ rule }) => rule)).toEqual(['server-stopped-responding'])
    expect(ends[0]?.exchange.request).toContain(first)
    expect(ends[0]?.message).toContain('this request failed first')
    expect(stderr).toContain('not complete, because the server stopped responding before')
  },
)
