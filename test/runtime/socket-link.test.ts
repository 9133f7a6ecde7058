import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import {
  type Connect,
  type Socket,
  type SocketEvent,
  type SocketOptions,
  serverSocket,
  socketLink,
} from 'twinspec/runtime/links/socket'
import { createRpc, type RpcOptions } from 'twinspec/runtime/rpc'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { errorOf, service, type TestClient, validators, type WireCall } from './rpc-fixture.js'

const open = (options: RpcOptions, own = service): TestClient =>
  createRpc<TestClient>(
    own,
    validators,
    { validate: { response: 'off' }, retry: { delay: 0 }, ...options },
    undefined,
    { serverSocket },
  )

const ok = (id: unknown, result: unknown = `of ${id}`) =>
  JSON.stringify({ jsonrpc: '2.0', id, result })

/** A server of the package ws on the loopback. */
const serve = async (
  respond: (
    socket: WebSocket,
    call: WireCall,
    headers: NodeJS.Dict<string | string[]>,
  ) => unknown = (socket, { id }) => socket.send(ok(id)),
) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  const opened: { readonly url: string | undefined; readonly protocol: string }[] = []
  server.on('connection', (socket, { url, headers }) => {
    opened.push({ url, protocol: socket.protocol })
    socket.on('message', (data) => respond(socket, JSON.parse(String(data)), headers))
  })
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, opened, server }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a WebSocket of the platform', () => {
  it('carries calls, batches and notifications over one connection', async () => {
    const texts: unknown[] = []
    const { url, opened } = await serve((socket, call) => {
      texts.push(call)
      const calls = [call].flat().filter(({ id }) => id !== undefined)
      for (const { id } of calls.reverse()) socket.send(ok(id))
    })
    const client = open({ link: socketLink(`${url}/node`) })
    expect(await Promise.all([client.nodeHeight(), client.nodeSend('é')])).toEqual(['of 1', 'of 2'])
    await client.notify('node_send', ['b'])
    expect(await client.batch((b) => Promise.all([b.nodeHeight(), b.nodeHeight()]))).toEqual([
      'of 3',
      'of 4',
    ])
    expect(texts).toHaveLength(4)
    expect(opened).toEqual([{ url: '/node', protocol: '' }])
  })

  it('is opened again after the server closed it; the call in flight fails, or is repeated', async () => {
    let calls = 0
    const { url, opened } = await serve((socket, { id }) => {
      calls += 1
      if (calls % 2 === 1) socket.close(1001, 'restart')
      else socket.send(ok(id))
    })
    const retry = { delay: 1 }
    const client = open({ link: socketLink(url, { retry }) })
    expect(await errorOf(client.nodeSend('a'))).toMatchObject({
      name: 'CallError',
      reason: 'network',
      message: 'node_send got no response: the link closed: code 1001 restart',
    })
    expect(await client.nodeSend('a')).toBe('of 2')
    expect(await client.nodeHeight()).toBe('of 3')
    expect(opened.length).toBe(3)
  })

  it('sends headers and subprotocols, and reads binary messages', async () => {
    const { url, opened } = await serve((socket, { id }, headers) =>
      socket.send(Buffer.from(ok(id, `${headers.authorization} é`))),
    )
    const headers = { authorization: 'Bearer token-of-the-test' }
    const client = open({ link: socketLink(url, { headers, protocols: ['rpc.v1'] }) })
    expect(await client.nodeSend('a')).toBe('Bearer token-of-the-test é')
    expect(opened).toEqual([{ url: '/', protocol: 'rpc.v1' }])
  })

  it('asks for the URL at each opening', async () => {
    const { url, opened } = await serve((socket) => socket.terminate())
    let count = 0
    const next = async () => `${url}/?token=${++count}`
    const client = open({ link: socketLink(next, { retry: { delay: 1 } }) })
    await errorOf(client.nodeSend('a'))
    await errorOf(client.nodeSend('a'))
    expect(opened.map((one) => one.url)).toEqual(['/?token=1', '/?token=2'])
  })

  it('logs in by its first call, of each connection', async () => {
    const calls: unknown[] = []
    const { url } = await serve((socket, call) => {
      calls.push([call.method, call.params])
      if (call.method === 'login') socket.send(ok(call.id, 'welcome'))
      else socket.close()
    })
    let count = 0
    const login = { method: 'login', params: () => ({ token: `secret-${++count}` }) }
    const client = open({ link: socketLink(url, { login, retry: { delay: 1 } }) })
    await errorOf(client.nodeSend('a'))
    await errorOf(client.nodeSend('b'))
    expect(calls).toEqual([
      ['login', { token: 'secret-1' }],
      ['node_send', ['a']],
      ['login', { token: 'secret-2' }],
      ['node_send', ['b']],
    ])
  })

  it('is not open after a rejected login, whose error repeats no secret', async () => {
    const { url } = await serve((socket, { id }) =>
      socket.send(
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: 13009, message: 'no hidden-key-1' } }),
      ),
    )
    const login = { method: 'login', params: { key: 'hidden-key-1' } }
    const client = open({ link: socketLink(url, { login, retry: { attempts: 1 } }) })
    expect(await errorOf(client.nodeSend('a'))).toMatchObject({
      reason: 'network',
      message:
        'node_send got no response: the login was rejected: {"code":13009,"message":"no [redacted]"}',
    })
  })

  it('rejects calls if no server listens, without the key in the URL', async () => {
    const { url, server } = await serve()
    server.close()
    await once(server, 'close')
    const link = socketLink(`${url}/v3/0123456789abcdef0123456789abcdef`, {
      retry: { attempts: 2, delay: 1 },
    })
    const error = await errorOf(open({ link }).nodeSend('a'))
    expect(error).toMatchObject({ name: 'CallError', reason: 'network' })
    // The platform's own WebSocket (Node 22 and later) does not say why.
    expect(String(error)).toMatch(/ECONNREFUSED|network error|code 1006/)
    const texts = (one: unknown): string =>
      one instanceof Error ? `${one.message} ${one.stack} ${texts(one.cause)}` : String(one)
    expect(texts(error)).not.toContain('0123456789abcdef')
  })

  it('removes the key in the URL from what errors of the server quote', async () => {
    const key = 'k3y-0123456789abcdef'
    const { url } = await serve((socket, { id }) =>
      socket.send(
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: 7, message: `unknown key ${key}` } }),
      ),
    )
    const error = await errorOf(open({ link: socketLink(`${url}/${key}`) }).nodeSend('a'))
    expect(error).toMatchObject({
      code: 7,
      message: expect.stringContaining('unknown key [redacted]'),
    })
  })

  it.each(['http://127.0.0.1:1', '/rpc', ''])(
    'is opened for ws: and wss: only: %j',
    async (url) => {
      const error = await errorOf(open({ link: socketLink(url) }).nodeSend('a'))
      expect(error).toMatchObject({
        message: 'node_send got no response: the URL of a socket begins with ws: or wss:',
      })
    },
  )
})

/** A socket whose events the test causes. */
const fakeSocket = () => {
  const listeners = new Map<string, (event: SocketEvent) => void>()
  const sent: string[] = []
  const state = { readyState: 0, bufferedAmount: 0, binaryType: 'blob', pings: 0, ended: '' }
  const socket: Socket & typeof state = Object.assign(state, {
    send: (text: string) => void sent.push(text),
    close: () => {
      state.ended ||= 'closed'
    },
    terminate: () => {
      state.ended ||= 'terminated'
    },
    ping: () => {
      state.pings += 1
    },
    on: (_: 'pong', listener: () => void) => void listeners.set('pong', listener),
    addEventListener: (type: string, listener: (event: SocketEvent) => void) => {
      listeners.set(type, listener)
      if (listeners.size >= 4) queueMicrotask(() => one.begin())
    },
  })
  const emit = (type: string, event: SocketEvent = {}) => {
    if (type === 'open') state.readyState = 1
    listeners.get(type)?.(event)
  }
  /** Called when the link listens. */
  const one = { socket, sent, emit, begin: () => undefined as unknown }
  return one
}

/** A link over fake sockets: `opening` decides for each whether it opens. */
const fakeLink = (
  options: SocketOptions = {},
  opening: (one: ReturnType<typeof fakeSocket>, count: number) => void = ({ emit }) => emit('open'),
) => {
  const sockets: ReturnType<typeof fakeSocket>[] = []
  const connect: Connect = () => {
    const one = fakeSocket()
    sockets.push(one)
    const count = sockets.length
    let isBegun = false
    one.begin = () => {
      if (!isBegun) opening(one, count)
      isBegun = true
    }
    return one.socket
  }
  const waits: number[] = []
  let now = 1_000_000
  const clock = {
    now: () => now,
    random: () => 1,
    sleep: async (milliseconds: number) => {
      waits.push(milliseconds)
      now += milliseconds
    },
  }
  const link = socketLink('wss://node.example/key', { connect, clock, ...options })
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  const ends: unknown[] = []
  const texts: string[] = []
  const openIt = () =>
    link.open({ text: (text) => texts.push(text), closed: (reason) => ends.push(reason) })
  return { openIt, sockets, waits, pass, ends, texts, connect }
}

describe('opening', () => {
  it('is tried again with a growing delay, and then rejects', async () => {
    const { openIt, sockets, waits } = fakeLink({ retry: { attempts: 5, longest: 1_000 } }, (one) =>
      one.emit('close', { code: 1006 }),
    )
    await expect(openIt()).rejects.toThrow('code 1006')
    expect(sockets).toHaveLength(5)
    expect(waits).toEqual([250, 500, 1_000, 1_000])
  })

  it('succeeds as soon as one attempt does', async () => {
    const { openIt, sockets, ends } = fakeLink({}, ({ emit }, count) =>
      count === 3 ? emit('open') : emit('close', { code: 1013, reason: 'later' }),
    )
    await openIt()
    expect(sockets).toHaveLength(3)
    expect(ends).toEqual([])
  })

  it('waits before it follows a connection that ended soon, the longer the more there were', async () => {
    const { openIt, sockets, waits, pass } = fakeLink()
    const end = () => sockets.at(-1)?.emit('close', { code: 1011 })
    await openIt()
    end()
    await openIt()
    end()
    await openIt()
    expect(waits).toEqual([250, 500])
    pass(60_000)
    end()
    await openIt()
    expect(waits).toHaveLength(2)
  })

  it('that takes too long counts as failed', async () => {
    vi.useFakeTimers()
    const { openIt, sockets } = fakeLink({ timeout: 50, retry: { attempts: 1 } }, () => undefined)
    const opened = expect(openIt()).rejects.toThrow('no connection within 50 ms')
    await vi.advanceTimersByTimeAsync(50)
    await opened
    expect(sockets[0]?.socket.ended).toBe('terminated')
  })

  it('is not repeated for what cannot succeed later', async () => {
    const connect: Connect = () => {
      throw new TypeError('no headers')
    }
    const { openIt, waits } = fakeLink({ connect })
    await expect(openIt()).rejects.toThrow('no headers')
    expect(waits).toEqual([])
  })
})

describe('an open socket', () => {
  it('reports its end once', async () => {
    const { openIt, sockets, ends, texts } = fakeLink()
    await openIt()
    sockets[0]?.emit('error', { error: new Error('reset') })
    sockets[0]?.emit('close', { code: 1006 })
    sockets[0]?.emit('close', { code: 1000 })
    sockets[0]?.emit('message', { data: 'late' })
    expect(ends).toEqual(['code 1006, reset'])
    expect(texts).toEqual([])
  })

  it.each<[string, SocketOptions, (one: ReturnType<typeof fakeSocket>) => unknown]>([
    ['ping frames', {}, ({ socket }) => socket.pings],
    [
      'calls',
      { heartbeatMethod: 'net_version' },
      ({ sent }) => sent.filter((text) => JSON.parse(text).method === 'net_version').length,
    ],
  ])('asks for a sign of life after silence: %s', async (_, options, asked) => {
    vi.useFakeTimers()
    const { openIt, sockets, ends, texts } = fakeLink({ heartbeat: 100, ...options })
    await openIt()
    const one = sockets[0] ?? fakeSocket()
    one.emit('message', { data: 'a' })
    await vi.advanceTimersByTimeAsync(100)
    expect(asked(one)).toBe(0)
    await vi.advanceTimersByTimeAsync(100)
    expect(asked(one)).toBe(1)
    const sent = one.sent.map((text) => JSON.parse(text))
    if (sent.length > 0) one.emit('message', { data: ok(sent[0].id) })
    else one.emit('pong')
    await vi.advanceTimersByTimeAsync(200)
    expect(asked(one)).toBe(2)
    expect(ends).toEqual([])
    await vi.advanceTimersByTimeAsync(100)
    expect(ends).toEqual(['no sign of life within 100 ms'])
    expect(one.socket.ended).toBe('terminated')
    expect(texts).toEqual(['a'])
  })

  it('resolves a text when few bytes wait to be sent, and rejects it when too many do', async () => {
    vi.useFakeTimers()
    const { openIt, sockets } = fakeLink({ maxBufferedBytes: 5_000_000, clock: {} })
    const { send } = await openIt()
    const { socket, sent } = sockets[0] ?? fakeSocket()
    const done = vi.fn()
    Object.assign(socket, { bufferedAmount: 3_000_000 })
    void send('a').then(done)
    await vi.advanceTimersByTimeAsync(100)
    expect(sent).toEqual(['a'])
    expect(done).not.toHaveBeenCalled()
    Object.assign(socket, { bufferedAmount: 5_000_001 })
    await expect(send('b')).rejects.toThrow('more than 5000000 bytes wait to be sent')
    Object.assign(socket, { bufferedAmount: 10 })
    await vi.advanceTimersByTimeAsync(100)
    expect(done).toHaveBeenCalled()
    expect(sent).toEqual(['a'])
  })

  it('rejects texts when it is closing', async () => {
    const { openIt, sockets } = fakeLink()
    const { send, close } = await openIt()
    await close()
    Object.assign(sockets[0]?.socket ?? {}, { readyState: 2 })
    await expect(send('a')).rejects.toThrow('the connection is closed')
  })
})

describe('a server of the document', () => {
  const withServers = (...urls: readonly string[]) => ({
    ...service,
    servers: urls.map((url, index) => ({
      name: `server ${index}`,
      url,
      variables: { apiKey: { default: 'open', secret: true as const } },
    })),
  })

  it('with ws: is a WebSocket, with the credentials in its URL', async () => {
    const { url, opened } = await serve()
    const own = withServers(`${url}/node/{apiKey}`, 'https://h.example/node/{apiKey}')
    expect(await open({}, own).nodeSend('a')).toBe('of 1')
    const auth = { apiKey: async () => 'a/b' }
    expect(await open({ server: 'server 0', auth }, own).nodeSend('a')).toBe('of 1')
    expect(await open({ server: url, auth: {} }, own).nodeSend('a')).toBe('of 1')
    expect(opened.map((one) => one.url)).toEqual(['/node/open', '/node/a%2Fb', '/node/open'])
  })

  it('with http: is none', async () => {
    const own = withServers('wss://h.example/node/{apiKey}', 'https://h.example/node/{apiKey}')
    const fetch = async () => new Response(ok(1))
    expect(await open({ server: 'server 1', fetch }, own).nodeSend('a')).toBe('of 1')
    expect(await open({ server: 'http://x.example', fetch }, own).nodeSend('a')).toBe('of 1')
  })

  it('sends the headers of the client apart from its package', async () => {
    const { url } = await serve((socket, { id }, headers) =>
      socket.send(ok(id, `${headers['x-team']} ${headers['x-client-package']}`)),
    )
    const client = open(
      { headers: { 'x-team': 'one' }, clientPackage: 'a/1.0.0' },
      withServers(url),
    )
    expect(await client.nodeSend('a')).toBe('one undefined')
  })

  it('is checked when the client is created', () => {
    expect(() => open({ server: 'nowhere' }, withServers('wss://h.example'))).toThrow(TypeError)
    expect(() =>
      createRpc(withServers('wss://h.example'), validators, { validate: { request: 'off' } }),
    ).toThrow("server 'server 0' is no http:// or https:// URL")
  })
})

describe('bundles', () => {
  const bundle = async (code: string): Promise<number> => {
    const { outputFiles } = await build({
      stdin: { contents: code, resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      splitting: true,
      outdir: 'out',
      platform: 'browser',
      conditions: ['twinspec-source'],
    })
    return outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0)
  }

  it('the link adds at most 4 KB of gzip to a client, and needs no package in a browser', async () => {
    const client = `import { createRpc } from 'twinspec/runtime/rpc'
console.log(createRpc({}, {}, {}))`
    const [without, own, server] = await Promise.all([
      bundle(client),
      bundle(`import { socketLink } from 'twinspec/runtime/links/socket'
${client.replace('{}))', "{ link: socketLink('wss://h.example') }))")}`),
      bundle(`import { serverSocket } from 'twinspec/runtime/links/socket'
${client.replace('{}))', '{}, undefined, { serverSocket }))')}`),
    ])
    for (const size of [own, server]) {
      expect(size - without).toBeGreaterThan(500)
      expect(size - without).toBeLessThan(4_096)
    }
  })
})
