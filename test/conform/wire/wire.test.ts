import { createServer } from 'node:http'
import { createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { isUnreachable, isUnsent, retryAfter } from '../../../src/conform/wire/exchange.js'
import { createWire } from '../../../src/conform/wire/wire.js'
import type { Sent } from '../../../src/traffic/exchange.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const listening = async (server: Server, scheme = 'http'): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return `${scheme}://127.0.0.1:${(server.address() as { port: number }).port}`
}

const sockets = (listener: (socket: Socket) => void): Server =>
  createSocketServer((socket) => {
    closing.push(() => socket.destroy())
    socket.on('error', () => undefined)
    listener(socket)
  })

const asking = () => {
  const { wire, close } = createWire()
  closing.push(close)
  return (url: string, sent: Partial<Sent> = {}, milliseconds = 3_000) =>
    wire({ method: 'GET', url, headers: {}, ...sent }, { milliseconds })
}

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

describe('a kept connection', () => {
  /** Answers as many requests over each connection, and closes it at the next. */
  const closingAfter = (most: number) => {
    const counted: number[] = []
    const server = sockets((socket) => {
      const index = counted.push(0) - 1
      socket.on('data', () => {
        counted[index] = (counted[index] ?? 0) + 1
        if ((counted[index] ?? 0) > most) socket.destroy()
        else socket.write(ANSWER)
      })
    })
    return { server, counted }
  }

  it('that is closed as the next request sets out is nobody’s fault: it is asked over another', async () => {
    const { server, counted } = closingAfter(1)
    const url = await listening(server)
    const ask = asking()
    for (const _ of [1, 2, 3])
      expect((await ask(url, { method: 'POST', body: '{}' })).answer?.status).toBe(200)
    expect(counted.length).toBeGreaterThan(1)
  })

  it('that was new and is closed without an answer is reported, and not asked again', async () => {
    const { server, counted } = closingAfter(0)
    const { failure } = await asking()(await listening(server))
    expect(failure).toBe('the connection was closed before a response')
    expect(counted).toEqual([1])
  })

  it('that breaks off in the middle of an answer is reported', async () => {
    let times = 0
    const server = sockets((socket) =>
      socket.on('data', () => {
        times += 1
        if (times === 1) socket.write(ANSWER)
        else socket.write('HTTP/1.1 200 O', () => socket.destroy())
      }),
    )
    const url = await listening(server)
    const ask = asking()
    await ask(url)
    expect((await ask(url)).answer).toBeUndefined()
    expect(times).toBe(2)
  })
})

describe('what is sent', () => {
  it('may hold any letter in its path and its headers, in UTF-8', async () => {
    let seen: readonly unknown[] = []
    const server = createServer((request, response) => {
      seen = [request.url, Buffer.from(String(request.headers['x-a']), 'latin1').toString()]
      response.end()
    })
    const url = await listening(server)
    const { answer } = await asking()(`${url}/ä/../b c?d=%2f☃`, { headers: { 'x-a': 'é☃' } })
    expect(answer?.status).toBe(200)
    expect(seen).toEqual(['/%C3%A4/../b%20c?d=%2f%E2%98%83', 'é☃'])
  })

  it.each([
    ['a header with a line end', { headers: { 'x-a': 'one\ntwo' } }],
    ['a method of two words', { method: 'GET IT' }],
  ])('%s is no request: that is said, and nothing thrown', async (_, sent) => {
    const exchange = await asking()('http://127.0.0.1:9', sent)
    expect(exchange.failure).toMatch(/^the request cannot be sent: /)
    expect(isUnsent(exchange)).toBe(true)
  })
})

it('a server that compresses unasked is read all the same, and is asked not to', async () => {
  let asked: unknown
  const server = createServer((request, response) => {
    asked = request.headers['accept-encoding']
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'))
  })
  const { answer } = await asking()(await listening(server))
  expect(Buffer.from(answer?.body ?? []).toString()).toBe('{"a":1}')
  expect(asked).toBe('identity')
})

it('a response with 101 is a response, although no request asks for another protocol', async () => {
  const switched = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nhi'
  const server = sockets((socket) => socket.once('data', () => socket.write(switched)))
  const { answer } = await asking()(await listening(server))
  expect(answer?.status).toBe(101)
})

it('what says that it is compressed and is not comes as it is', async () => {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'),
  )
  const { answer } = await asking()(await listening(server))
  expect(Buffer.from(answer?.body ?? []).toString()).toBe('plain')
})

describe('nobody is met', () => {
  it('where TLS is spoken to a plain port', async () => {
    const server = createServer((_, response) => response.end())
    const exchange = await asking()(await listening(server, 'https'))
    expect(exchange.failure).toMatch(/^the server does not speak TLS/)
    expect(isUnreachable(exchange)).toBe(true)
  })

  it('where no connection comes about in time', async () => {
    const exchange = await asking()(
      await listening(
        sockets(() => undefined),
        'https',
      ),
      {},
      200,
    )
    expect(exchange.failure).toBe(
      'no complete response arrived in 0.2 seconds: no connection was made',
    )
    expect(isUnreachable(exchange)).toBe(true)
  })

  it('but somebody is who only keeps silent', async () => {
    const exchange = await asking()(await listening(sockets(() => undefined)), {}, 200)
    expect(exchange.failure).toBe('no complete response arrived in 0.2 seconds')
    expect(isUnreachable(exchange)).toBe(false)
  })
})

it.each([
  ['120', true],
  ['Fri, 31 Dec 1999 23:59:59 GMT', true],
  ['-5', false],
  ['1.5', false],
  ['soon 1', false],
])('Retry-After: %s has a time: %s', (value, hasTime) => {
  expect(retryAfter({ headers: [['retry-after', value]] }).seconds !== undefined).toBe(hasTime)
})
