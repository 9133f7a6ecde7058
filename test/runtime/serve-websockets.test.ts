import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveHandlers } from 'twinspec/runtime/duplex'
import { HttpError } from 'twinspec/runtime/errors'
import { acceptedSocket, socketLink } from 'twinspec/runtime/links/socket'
import { createRpc, type RpcOptions } from 'twinspec/runtime/rpc'
import {
  createServerCore,
  type ServerOptions,
  serveLink,
  toNodeListener,
} from 'twinspec/runtime/server'
import { serveWebSockets, type WebSocketOptions } from 'twinspec/runtime/ws'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createService } from '../../src/mock/service.js'
import { apiOf, openrpcOf } from '../read/api-of.js'
import { errorOf } from './rpc-fixture.js'

const text = { type: 'string' }
const { service } = createService(
  await apiOf({
    openrpc: {
      ...openrpcOf({
        openrpc: '1.4.1',
        methods: [
          {
            name: 'who',
            params: [],
            result: { name: 'name', schema: text },
          },
          {
            name: 'news',
            params: [{ name: 'item', required: true, schema: text }],
            'x-direction': 'server',
          },
        ],
      }),
      servers: [
        {
          url: 'https://h.example/rpc/{apiKey}',
          variables: { apiKey: { default: 'open', 'x-secret': true } },
        },
      ],
    },
  }),
)

type Peer = { readonly notify: { readonly news: (item: string) => Promise<void> } }

/** A server of node:http with its WebSockets. */
const listening = async (
  options: WebSocketOptions<Peer> = {},
  core: ServerOptions = {},
  handler: (params: unknown, context: { auth: { apiKey?: string }; peer: Peer }) => unknown = (
    _,
    { auth },
  ) => auth.apiKey,
) => {
  const server = createServerCore<Peer>(service, { who: handler } as never, core as never)
  const http = createServer(toNodeListener(server))
  const sockets = serveWebSockets(server, http, options)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(async () => {
    await sockets.close()
    http.closeAllConnections()
    http.close()
  })
  const { port } = http.address() as AddressInfo
  return { url: `ws://127.0.0.1:${port}/rpc/key-of-ada`, port, sockets, http }
}

const clientOf = (url: string, options: RpcOptions = {}, link: object = {}) => {
  const { rpc, validators } = service
  const client = createRpc<{ readonly who: () => Promise<string> }>(
    rpc as never,
    validators,
    {
      link: socketLink(url, { retry: { attempts: 1 }, ...link }),
      retry: { attempts: 1 },
      ...options,
    },
    undefined,
    { serveHandlers },
  )
  return client
}

/** The status of the response that rejects a connection; 101 if it is upgraded. */
const statusOf = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const socket = new WebSocket(url, { headers })
  onTestFinished(() => socket.terminate())
  return await new Promise<number | undefined>((resolve) => {
    socket.on('open', () => resolve(101))
    socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode))
    socket.on('error', () => undefined)
  })
}

describe('serveWebSockets', () => {
  it('serves methods with the credentials in the URL, and the caller gets what the server sends', async () => {
    const seen: unknown[] = []
    const { url } = await listening({}, {}, async (_, { auth, peer }) => {
      await peer.notify.news('one')
      return auth.apiKey
    })
    const handlers = { news: ([item]: string[]) => seen.push(item) }
    expect(await clientOf(url, { handlers }).who()).toBe('key-of-ada')
    expect(seen).toEqual(['one'])
  })

  it('passes each connection to onConnection, isolated from others', async () => {
    const peers: Peer[] = []
    const { url } = await listening({ onConnection: ({ peer }) => peers.push(peer) })
    const seen: string[][] = [[], []]
    for (const [index, list] of seen.entries()) {
      const handlers = { news: ([item]: [string]) => list.push(item) }
      await clientOf(`${url}${index}`, { handlers }).who()
    }
    await peers[0]?.notify.news('to the first')
    await peers[1]?.notify.news('to the second')
    await vi.waitFor(() => expect(seen).toEqual([['to the first'], ['to the second']]))
  })

  it.each<[string, WebSocketOptions<Peer>, Readonly<Record<string, string>>, number]>([
    ['no origin', {}, {}, 101],
    ['its own origin', {}, { origin: 'http://127.0.0.1:PORT' }, 101],
    ['another origin', {}, { origin: 'https://evil.example' }, 403],
    ['an opaque origin', {}, { origin: 'null' }, 403],
    [
      'a listed origin',
      { origins: ['https://app.example'] },
      { origin: 'https://app.example' },
      101,
    ],
    [
      'one that is not listed',
      { origins: ['https://app.example'] },
      { origin: 'http://app.example' },
      403,
    ],
    ['any, by *', { origins: ['*'] }, { origin: 'https://evil.example' }, 101],
  ])('checks the Origin: %s', async (_, options, { origin }, status) => {
    const { url, port } = await listening(options)
    const headers = origin === undefined ? {} : { origin: origin.replace('PORT', `${port}`) }
    expect(await statusOf(url, headers)).toBe(status)
  })

  it('is at the path of the document, and leaves other paths to other listeners', async () => {
    const { url, http } = await listening()
    expect(await statusOf(url.replace('/rpc/', '/other/'))).toBe(404)
    http.on('upgrade', ({ url: path }, socket) => {
      if (path === '/theirs') socket.end('HTTP/1.1 418 \r\n\r\n')
    })
    expect(await statusOf(url.replace('/rpc/key-of-ada', '/theirs'))).toBe(418)
    expect(await statusOf(url)).toBe(101)
  })

  it('asks `admit` before it upgrades', async () => {
    const admit = ({ auth }: { auth: Readonly<Record<string, string | undefined>> }) => {
      if (auth.apiKey === 'key-of-ada') return
      throw new HttpError({
        operation: 'rpc',
        status: 401,
        body: undefined,
        message: 'who are you',
      })
    }
    const { url } = await listening({}, { admit })
    expect(await statusOf(url)).toBe(101)
    expect(await statusOf(url.replace('ada', 'bob'))).toBe(401)
  })

  it('limits connections, in all and for each caller', async () => {
    const callerOf = ({ url = '' }: { url?: string | undefined }) => url
    const { url, sockets } = await listening({ connections: 3, connectionsPerCaller: 2, callerOf })
    const one = new WebSocket(url)
    await once(one, 'open')
    expect(await statusOf(url)).toBe(101)
    expect(await statusOf(url)).toBe(429)
    expect(await statusOf(`${url}2`)).toBe(101)
    expect(await statusOf(`${url}3`)).toBe(429)
    expect(sockets.connections()).toBe(3)
    one.terminate()
    await vi.waitFor(() => expect(sockets.connections()).toBe(2))
    expect(await statusOf(url)).toBe(101)
  })

  it('closes a connection whose message is larger than the limit with 1009', async () => {
    const { url } = await listening({}, { payloadBytes: 1_000 })
    const socket = new WebSocket(url)
    await once(socket, 'open')
    socket.send(`"${'a'.repeat(1_000)}"`)
    expect((await once(socket, 'close'))[0]).toBe(1009)
  })

  it('closes connections with 1001 when it stops, and accepts no more', async () => {
    const { url, sockets } = await listening()
    const client = clientOf(url)
    await client.who()
    const socket = new WebSocket(url)
    await once(socket, 'open')
    const ended = once(socket, 'close')
    await sockets.close()
    expect((await ended)[0]).toBe(1001)
    expect(sockets.connections()).toBe(0)
    expect(await errorOf(client.who())).toMatchObject({ reason: 'network' })
  })

  it('ends a connection that gives no sign of life', async () => {
    const { url, sockets } = await listening({ heartbeat: 30 })
    const alive = new WebSocket(url)
    const dead = new WebSocket(url, { autoPong: false } as object)
    await Promise.all([once(alive, 'open'), once(dead, 'open')])
    await once(dead, 'close')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(sockets.connections()).toBe(1)
    alive.terminate()
  })

  it('holds no more than its bounds for a reader that does not read', async () => {
    let peer: Peer | undefined
    const { url } = await listening({
      maxBufferedBytes: 2 ** 20,
      onConnection: (connection) => {
        peer = connection.peer
      },
    })
    const socket = new WebSocket(url)
    await once(socket, 'open')
    socket.pause()
    await vi.waitFor(() => expect(peer).toBeDefined())
    const item = 'a'.repeat(100_000)
    const all = Array.from({ length: 300 }, () =>
      errorOf(peer?.notify.news(item) ?? Promise.resolve()),
    )
    const first = await Promise.any(all)
    expect(first).toMatchObject({
      reason: 'network',
      message: expect.stringContaining('more than 1048576 bytes wait to be sent'),
    })
    socket.terminate()
    await Promise.allSettled(all)
  })
})

describe('an accepted WebSocket of another platform', () => {
  it('is a link for serveLink, once', async () => {
    const server = createServerCore<Peer>(service, { who: () => 'me' } as never)
    const acceptor = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(acceptor, 'listening')
    onTestFinished(() => acceptor.close())
    const links: unknown[] = []
    acceptor.on('connection', (socket) => {
      const link = acceptedSocket(socket as never)
      links.push(link)
      void serveLink(server, link, { request: { url: '/rpc/key' } })
    })
    const { port } = acceptor.address() as AddressInfo
    const controller = new AbortController()
    const client = clientOf(`ws://127.0.0.1:${port}`, { signal: controller.signal })
    expect(await client.who()).toBe('me')
    await expect(serveLink(server, links[0] as never)).rejects.toThrow('has another owner')
    controller.abort()
  })
})
