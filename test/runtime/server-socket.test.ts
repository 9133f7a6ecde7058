import { once } from 'node:events'
import { createServer, type Server as NodeServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createServerCore,
  type ServerReply,
  type ServerRequest,
  toFetchHandler,
  toNodeListener,
} from '../../src/runtime/server.js'
import { validator } from '../../src/runtime/validate.js'
import { operation } from './http-fixture.js'

const LIMIT = 1000
const CALL = '{"jsonrpc":"2.0","method":"ping","id":1}'
const PONG = '{"jsonrpc":"2.0","id":1,"result":"pong"}'

describe.each([
  { asked: 'at once', wraps: false },
  { asked: 'by the handle of whoever wraps it', wraps: true },
])('a node socket, its server asked $asked', ({ wraps }) => {
  beforeEach(() => {
    isWrapped = wraps
  })

  it('serves pipelined calls on one connection, in order', async () => {
    const socket = await open()
    const one = (id: number): string => request(`{"jsonrpc":"2.0","method":"ping","id":${id}}`)
    socket.write(Array.from({ length: 100 }, (_, id) => one(id)).join(''))
    const text = await readUntil(socket, '"id":99,"result":"pong"}')
    const ids = [...text.matchAll(/"id":(\d+)/g)].map((match) => Number(match[1]))
    expect(ids).toEqual(Array.from({ length: 100 }, (_, id) => id))
  })

  it('goes on after a refusal whose request was read to its end', async () => {
    const socket = await open()
    socket.write(request('{"x'))
    await readUntil(socket, '-32700')
    socket.write(request(CALL))
    expect(await readUntil(socket, PONG)).toContain('200 OK')
  })

  it('refuses by content-length before the body is sent, and closes', async () => {
    const socket = await open()
    socket.write(head(`content-length: ${10 * LIMIT}`))
    const text = await readUntil(socket, '}}')
    expect(text).toContain('413 Payload Too Large')
    expect(text).toMatch(/connection: close/i)
    expect(text).toContain(`The body exceeds ${LIMIT} bytes`)
    socket.write('x'.repeat(10 * LIMIT))
    await closed(socket)
  })

  it('refuses a chunked body as soon as it is too large', async () => {
    const socket = await open()
    socket.write(head('transfer-encoding: chunked'))
    const chunk = `${LIMIT.toString(16)}\r\n${' '.repeat(LIMIT)}\r\n`
    socket.write(chunk)
    socket.write(chunk)
    expect(await readUntil(socket, '}}')).toContain('413 Payload Too Large')
    socket.write('0\r\n\r\n')
    await closed(socket)
  })

  it('is not kept by a caller who sends for ever', async () => {
    const socket = await open()
    socket.on('error', () => undefined)
    socket.write(head('transfer-encoding: chunked'))
    const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`
    let sent = 0
    const timer = setInterval(() => {
      if (!socket.destroyed && socket.writableLength < 0x200000)
        sent += Number(socket.write(chunk)) + 1
    }, 1)
    const text = await readUntil(socket, '}}')
    await closed(socket)
    clearInterval(timer)
    expect(text).toContain('413')
    expect(sent).toBeGreaterThan(0)
  })

  it('a slow caller does not keep others waiting', async () => {
    const slow = await open()
    slow.write(head(`content-length: ${CALL.length}`))
    slow.write(CALL.slice(0, 10))
    const fast = await open()
    fast.write(request(CALL))
    await readUntil(fast, PONG)
    slow.write(CALL.slice(10))
    expect(await readUntil(slow, PONG)).toContain('200 OK')
  })

  it('survives a caller who goes away in the middle of the body', async () => {
    const heard: unknown[] = []
    const socket = await open((error) => heard.push(error))
    socket.write(head('content-length: 100'))
    socket.write('{"json')
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.resetAndDestroy()
    const other = await open()
    other.write(request(CALL))
    await readUntil(other, PONG)
    expect(heard).toEqual([])
  })

  it('aborts the signal of a handler whose caller has gone', async () => {
    const socket = await open()
    socket.write(request('{"jsonrpc":"2.0","method":"wait","id":1}'))
    await waiting.started.promise
    socket.destroy()
    expect(await waiting.ended.promise).toBe('aborted')
  })

  it('gives a signal that is aborted already to who asks for it after the caller has gone', async () => {
    const socket = await open()
    socket.write(request('{"jsonrpc":"2.0","method":"late","id":1}'))
    await waiting.started.promise
    socket.destroy()
    expect(await waiting.ended.promise).toBe('aborted')
  })

  it('does not abort the signal of a call that was answered, when its connection is closed later', async () => {
    const socket = await open()
    socket.write(request('{"jsonrpc":"2.0","method":"keep","id":1}'))
    await readUntil(socket, '"kept"}')
    socket.destroy()
    await pause(50)
    expect(kept.map((signal) => signal.aborted)).toEqual([false])
  })

  it('gives a copy of the context the same signal', async () => {
    const socket = await open()
    socket.write(request('{"jsonrpc":"2.0","method":"copied","id":1}'))
    expect(await readUntil(socket, '}')).toContain('"result":[true,true,true]')
  })

  it('stops a batch whose caller has gone', async () => {
    const socket = await open(undefined, 1)
    const wait = '{"jsonrpc":"2.0","method":"wait","id":1}'
    socket.write(request(`[${wait},{"jsonrpc":"2.0","method":"keep","id":2}]`))
    await waiting.started.promise
    socket.destroy()
    expect(await waiting.ended.promise).toBe('aborted')
    await pause(50)
    expect(kept).toEqual([])
  })

  it('puts a body together that is cut inside a character', async () => {
    const socket = await open()
    const bytes = Buffer.from(
      '{"jsonrpc":"2.0","method":"echo","params":["\u2603\ud83d\ude00"],"id":1}',
    )
    socket.write(head(`content-length: ${bytes.length}`))
    for (const byte of bytes) {
      socket.write(Uint8Array.of(byte))
      await pause(1)
    }
    expect(await readUntil(socket, '"id":1,"result":"\u2603\ud83d\ude00"}')).toContain(
      `content-length: ${Buffer.byteLength('{"jsonrpc":"2.0","id":1,"result":"\u2603\ud83d\ude00"}')}\r\n`,
    )
  })

  it('listens to nothing of a body that came with its head, and keeps the connection', async () => {
    const listeners: number[] = []
    const socket = await openUnder((asked, answered) =>
      answered.once('finish', () => listeners.push(asked.listenerCount('data'))),
    )
    for (const body of [CALL, '{"x', CALL]) {
      socket.write(request(body))
      const text = await readUntil(socket, body === CALL ? PONG : '-32700')
      expect(text).toMatch(/connection: keep-alive/i)
    }
    expect(listeners).toEqual([0, 0, 0])
  })

  it('lets a host hear the end of a request that came in one piece', async () => {
    const heard: string[] = []
    const socket = await openUnder((asked) =>
      asked.once('end', () => heard.push('end')).once('close', () => heard.push('close')),
    )
    socket.write(request(CALL))
    await readUntil(socket, PONG)
    await pause(20)
    expect(heard).toEqual(['end', 'close'])
  })

  it('tells bytes that are no UTF-8 from the character that stands for them', async () => {
    const socket = await open()
    const call = Buffer.from('{"jsonrpc":"2.0","method":"echo","id":1,"params":["\ufffd"]}')
    const send = (bytes: Uint8Array): boolean =>
      socket.write(Buffer.concat([Buffer.from(head(`content-length: ${bytes.length}`)), bytes]))
    send(call)
    expect(await readUntil(socket, '}')).toContain('"result":"\ufffd"')
    send(call.map((byte) => (byte === 0xbf ? 0xff : byte)))
    expect(await readUntil(socket, '}}')).toContain('-32700')
  })

  it('takes a request that has no body for one whose body is empty', async () => {
    const socket = await open()
    socket.write(request(''))
    expect(await readUntil(socket, '}}')).toContain('-32700')
  })

  it('takes a chunked body of exactly the limit, in many pieces', async () => {
    const socket = await open()
    socket.write(head('transfer-encoding: chunked'))
    const body = CALL.padEnd(LIMIT)
    for (let at = 0; at < body.length; at += 100) {
      socket.write(`64\r\n${body.slice(at, at + 100)}\r\n`)
      await pause(1)
    }
    socket.write('0\r\n\r\n')
    expect(await readUntil(socket, PONG)).toContain('200 OK')
  })

  it('answers long texts of more than ASCII with their length in bytes', async () => {
    const socket = await open()
    socket.write(request('{"jsonrpc":"2.0","method":"long","id":1}'))
    const text = await readUntil(socket, '"}')
    const [, length] = /content-length: (\d+)/i.exec(text) ?? []
    expect(Number(length)).toBe(Buffer.byteLength(text.slice(text.indexOf('\r\n\r\n') + 4)))
    expect(text.endsWith(`${LONG}"}`)).toBe(true)
  })

  it('goes on after a handler that throws at once', async () => {
    const heard: unknown[] = []
    const socket = await open((error) => heard.push(error))
    socket.write(request('{"jsonrpc":"2.0","method":"crash","id":1}'))
    expect(await readUntil(socket, '}}')).toContain('-32603')
    socket.write(request(CALL))
    await readUntil(socket, PONG)
    expect(heard).toEqual([new Error('at once')])
  })

  it('tells a host of a body that breaks off, and does not run the call', async () => {
    const replies: number[] = []
    const socket = await open(undefined, 16, replies)
    socket.write(head('content-length: 100'))
    socket.write('{"json')
    await pause(20)
    socket.resetAndDestroy()
    await pause(50)
    expect(replies).toEqual([400])
  })

  it('tells a host of a body that broke off before anybody read it', async () => {
    const replies: number[] = []
    const entered = defer()
    const admit = (): Promise<void> => {
      entered.resolve('entered')
      return pause(60)
    }
    const socket = await open(undefined, 16, replies, admit)
    socket.write(head('content-length: 100'))
    await entered.promise
    socket.resetAndDestroy()
    await pause(150)
    expect(replies).toEqual([400])
  })

  it('refuses what is no operation without reading its body', async () => {
    const socket = await open()
    socket.write(`POST /nope HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n`)
    const text = await readUntil(socket, '}')
    expect(text).toContain('404 Not Found')
    expect(text).toMatch(/connection: close/i)
  })

  it('answers a handler whose header cannot be written with 500', async () => {
    const heard: unknown[] = []
    const socket = await open((error) => heard.push(error))
    socket.write('GET /header HTTP/1.1\r\nhost: x\r\n\r\n')
    expect(await readUntil(socket, '\r\n\r\n')).toContain('500 Internal Server Error')
    expect(heard).toEqual([expect.any(TypeError)])
  })

  it.each<[string, readonly string[], number]>([
    ['two Host headers', ['host: x', 'host: y'], 400],
    ['the same Host twice', ['host: x', 'Host: x'], 400],
    ['a second Host after other headers', ['host: x', 'accept: */*', 'HOST: y'], 400],
    ['a Host with a path', ['host: x/y'], 400],
    ['a Host with a user', ['host: a@x'], 400],
    ['two hosts in one Host', ['host: x, y'], 400],
    ['no Host', ['accept: */*'], 400],
    ['a Host with a port', ['host: x.example:80'], 200],
    ['an address of IPv6', ['host: [::1]:80'], 200],
    ['an empty Host', ['host:'], 200],
    ['X-Forwarded-Host as well', ['host: x', 'x-forwarded-host: y'], 200],
  ])('RFC 9112, 3.2: answers %s by its number', async (_, headers, status) => {
    const socket = await open()
    socket.write(['GET /address HTTP/1.1', ...headers, '', ''].join('\r\n'))
    expect(await readUntil(socket, '\r\n\r\n')).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it('closes after a request with two Host headers whose body was not read', async () => {
    const socket = await open()
    socket.write(request(CALL).replace('host: x', 'host: x\r\nhost: y') + request(CALL))
    const text = await readUntil(socket, '\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1.1 400 /)
    expect(text).toMatch(/connection: close/i)
    await closed(socket)
  })

  it('takes the target with scheme and host', async () => {
    const socket = await open()
    socket.write('GET http://x/address HTTP/1.1\r\nhost: x\r\n\r\n')
    expect(await readUntil(socket, '"}')).toContain('"127.0.0.1"')
  })
})

describe('a fetch handler', () => {
  it('stops reading a stream that is too large', async () => {
    let pulled = 0
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new Uint8Array(400))
      },
      cancel: () => {
        isCancelled = true
      },
    })
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    }
    const response = await toFetchHandler(core())(
      new Request('http://x/rpc/key', init as RequestInit),
    )
    expect(response.status).toBe(413)
    expect(isCancelled).toBe(true)
    expect(pulled).toBeLessThan(10)
  })

  it('hands on the signal of the request', async () => {
    const gone = new AbortController()
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","method":"wait"}',
      signal: gone.signal,
    }
    const answer = toFetchHandler(core())(new Request('http://x/rpc/key', init))
    await waiting.started.promise
    gone.abort()
    expect(await waiting.ended.promise).toBe('aborted')
    expect((await answer).status).toBe(204)
  })
})

type Deferred = { readonly promise: Promise<string>; readonly resolve: (value: string) => void }

const defer = (): Deferred => {
  let settle: (value: string) => void = () => undefined
  const promise = new Promise<string>((resolve) => {
    settle = resolve
  })
  return { promise, resolve: settle }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

const LONG = 'a\u00e9\u2603'.repeat(10_000)

let kept: AbortSignal[] = []

let waiting: { readonly started: Deferred; readonly ended: Deferred }

const core = (
  onError: (error: unknown) => void = () => undefined,
  concurrency = 16,
  admit?: () => Promise<void>,
) => {
  waiting = { started: defer(), ended: defer() }
  kept = []
  const { started, ended } = waiting
  const rpc = (method: string) =>
    ({
      kind: 'rpc',
      id: method,
      method,
      params: [],
      paramStructure: 'by-position',
      errors: [],
    }) as const
  const any = validator(() => true)
  return createServerCore(
    {
      http: {
        servers: [],
        operations: { header: operation('header'), address: operation('address') },
      },
      rpc: {
        servers: [],
        limits: { payloadBytes: LIMIT },
        path: '/rpc/{key}',
        operations: Object.fromEntries(METHODS.map((method) => [method, rpc(method)])),
      },
      validators: {
        ...Object.fromEntries(METHODS.map((method) => [method, { params: any, result: any }])),
        header: { responses: {} },
        address: { responses: {} },
      },
    },
    {
      ping: () => 'pong',
      echo: ([value]: [unknown]) => value,
      long: () => LONG,
      crash: () => {
        throw new Error('at once')
      },
      keep: (_: unknown, { signal }: { signal: AbortSignal }) => {
        kept.push(signal)
        return 'kept'
      },
      late: async (_: unknown, context: { signal: AbortSignal }) => {
        started.resolve('started')
        await pause(50)
        ended.resolve(context.signal.aborted ? 'aborted' : 'not aborted')
        return null
      },
      copied: (_: unknown, context: { signal: AbortSignal }) => {
        const copy = { ...context }
        const { signal } = context
        return [
          signal instanceof AbortSignal,
          copy.signal === signal,
          Object.keys(context).includes('signal'),
        ]
      },
      wait: (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((resolve) => {
          started.resolve('started')
          signal.addEventListener('abort', () => {
            ended.resolve('aborted')
            resolve(null)
          })
        }),
      header: () => ({ status: 200, headers: { 'x-bad': 'a\r\nb' }, body: {} }),
      address: (_: unknown, { remoteAddress }: { remoteAddress?: string }) => ({
        status: 200,
        body: { from: remoteAddress },
      }),
    },
    { onError, concurrency, ...(admit && { admit }) },
  )
}

const METHODS = ['ping', 'wait', 'echo', 'long', 'crash', 'keep', 'late', 'copied']

let isWrapped = false
const listening: NodeServer[] = []
const sockets: Socket[] = []

const open = async (
  onError?: (error: unknown) => void,
  concurrency?: number,
  replies?: number[],
  admit?: () => Promise<void>,
): Promise<Socket> => {
  const bare = core(onError, concurrency, admit)
  const { handle } = bare
  const observed = async (asked: ServerRequest): Promise<ServerReply> => {
    const reply = await handle(asked)
    replies?.push(reply.status)
    return reply
  }
  const wrapped = { ...bare, handle: observed }
  return connectTo(createServer(toNodeListener(isWrapped || replies ? wrapped : bare)))
}

/** With a host that looks at each request before it is served. */
const openUnder = (host: RequestListener): Promise<Socket> => {
  const bare = core()
  const serve = toNodeListener(
    isWrapped ? { ...bare, handle: async (asked) => bare.handle(asked) } : bare,
  )
  return connectTo(
    createServer((asked, answered) => {
      host(asked, answered)
      serve(asked, answered)
    }),
  )
}

const connectTo = async (server: NodeServer): Promise<Socket> => {
  listening.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of listening.splice(0)) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
})

const head = (length: string): string =>
  `POST /rpc/key HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${length}\r\n\r\n`

const request = (body: string): string => head(`content-length: ${Buffer.byteLength(body)}`) + body

const readUntil = (socket: Socket, end: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const read = (chunk: Buffer): void => {
      text += chunk.toString()
      if (!text.includes(end)) return
      socket.off('data', read)
      socket.resume()
      resolve(text)
    }
    socket.on('data', read)
    socket.once('close', () => reject(new Error(`Closed after ${JSON.stringify(text)}`)))
  })

const closed = async (socket: Socket): Promise<void> => {
  if (!socket.destroyed) await once(socket, 'close').catch(() => undefined)
}
