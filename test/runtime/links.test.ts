import '../fixed-seed.js'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'
import fc from 'fast-check'
import { portLink } from 'twinspec/runtime/links/port'
import {
  createRpc,
  type DuplexLink,
  type ExchangeLink,
  type LinkEvents,
  type RpcLink,
  type RpcOptions,
  type Warning,
} from 'twinspec/runtime/rpc'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../../generated/client.js'
import { createRpcClient } from '../../generated/rpc.client.js'
import { readOptions } from '../../src/runtime/client-options.js'
import { createHttpLink } from '../../src/runtime/link/http.js'
import { startDeadline } from '../../src/runtime/shared/deadline.js'
import {
  errorOf,
  fakeFetch,
  refusal,
  service,
  type TestClient,
  validators,
  type WireCall,
} from './rpc-fixture.js'

const validate = { response: 'off' } as const
const open = (options: RpcOptions): TestClient =>
  createRpc<TestClient>(service, validators, { validate, retry: { delay: 0 }, ...options })

const ok = (id: unknown, result: unknown = `of ${id}`) => ({ jsonrpc: '2.0', id, result })
const callsIn = (text: string): readonly WireCall[] => [JSON.parse(text)].flat()

afterEach(() => {
  vi.useRealTimers()
})

describe('an exchange link', () => {
  const over = (exchange: ExchangeLink['exchange'], options: RpcOptions = {}) =>
    open({ link: { kind: 'exchange', exchange }, ...options })

  it('carries calls, batches and notifications as JSON', async () => {
    const sent: string[] = []
    const client = over(async (text) => {
      sent.push(text)
      const calls = callsIn(text).filter(({ id }) => id !== undefined)
      if (calls.length === 0) return { texts: [] }
      const responses = calls.map(({ id }) => ok(id))
      return { texts: [JSON.stringify(responses.length === 1 ? responses[0] : responses)] }
    })
    expect(await client.nodeHeight()).toBe('of 1')
    expect(await client.batch((b) => Promise.all([b.nodeHeight(), b.nodeHeight()]))).toEqual([
      'of 2',
      'of 3',
    ])
    expect(await client.notify('node_send', ['a'])).toBe(undefined)
    expect(sent.map((text) => callsIn(text).map(({ id }) => id))).toEqual([
      [1],
      [2, 3],
      [undefined],
    ])
  })

  it('may return several texts, among them calls of the server', async () => {
    let isLeft = false
    async function* texts(ids: readonly unknown[]) {
      try {
        yield JSON.stringify({ jsonrpc: '2.0', method: 'progress', params: [1] })
        yield ': no JSON'
        yield JSON.stringify(ok(ids[1]))
        yield JSON.stringify({ jsonrpc: '2.0', id: ids[0], method: 'ask' })
        yield `{"jsonrpc":"2.0","id":${ids[0]},"method":"node_height","result":12345678901234567890}`
        yield JSON.stringify(ok(ids[0], 'too late'))
      } finally {
        isLeft = true
      }
    }
    const client = over(async (text) => ({ texts: texts(callsIn(text).map(({ id }) => id)) }), {
      integers: 'bigint',
    })
    const both = client.batch((b) => Promise.all([b.nodeHeight(), b.nodeHeight()]))
    expect(await both).toEqual([12345678901234567890n, 'of 2'])
    expect(isLeft).toBe(true)
    const one = async function* () {
      yield JSON.stringify(ok(1))
      yield JSON.stringify({ jsonrpc: '2.0', method: 'progress' })
    }
    expect(await over(async () => ({ texts: one() })).nodeHeight()).toBe('of 1')
  })

  it.each<[string, Awaited<ReturnType<ExchangeLink['exchange']>>, object]>([
    [
      'no text',
      { texts: [] },
      { reason: 'malformed-answer', message: 'node_send: the response is empty' },
    ],
    [
      'a text that is not JSON',
      { texts: ['<p>'] },
      { reason: 'malformed-answer', message: 'node_send: the response is not JSON' },
    ],
    [
      'a lost connection',
      { rejection: { reason: 'network', cause: new Error('reset') } },
      {
        reason: 'network',
        message: 'node_send got no response: reset',
        cause: { message: 'reset' },
      },
    ],
    [
      'a lost connection without a cause',
      { rejection: { reason: 'network' } },
      { reason: 'network', message: 'node_send got no response' },
    ],
    [
      'a large response',
      { rejection: { reason: 'too-large', cause: new RangeError('more than 5 bytes') } },
      { reason: 'response-too-large', message: 'node_send: more than 5 bytes' },
    ],
    [
      'a missing secret',
      { rejection: { reason: 'not-sent', cause: new Error('no token') } },
      { reason: 'invalid-input', message: 'node_send was not sent: no token' },
    ],
    [
      'an error status',
      { rejection: { reason: 'status', status: 502, text: '{"why":"down"}' } },
      { name: 'HttpError', status: 502, body: { why: 'down' } },
    ],
    [
      'a JSON-RPC error under an error status',
      { rejection: { reason: 'status', status: 400, text: JSON.stringify(refusal(7, 'no')) } },
      { name: 'RpcError', code: 7, cause: { name: 'HttpError', status: 400 } },
    ],
  ])('that returns %s rejects the call', async (_, response, want) => {
    expect(await errorOf(over(async () => response).nodeSend('a'))).toMatchObject(want)
  })

  it('that throws has lost its connection', async () => {
    const client = over(async () => {
      throw new Error('no such host')
    })
    expect(await errorOf(client.nodeSend('a'))).toMatchObject({
      name: 'CallError',
      reason: 'network',
      message: 'node_send got no response: no such host',
    })
  })

  it.each<[string, Awaited<ReturnType<ExchangeLink['exchange']>>, number]>([
    ['network', { rejection: { reason: 'network' } }, 2],
    [
      'status, later',
      { rejection: { reason: 'status', status: 503, text: '', retryAfter: '0' } },
      2,
    ],
    ['status', { rejection: { reason: 'status', status: 503, text: '' } }, 1],
    ['too-large', { rejection: { reason: 'too-large' } }, 1],
    ['not-sent', { rejection: { reason: 'not-sent' } }, 1],
    ['-32005 without an id', { texts: [JSON.stringify(refusal(-32005, 'limit'))] }, 2],
  ])('is tried again by the client, if the call may be repeated: %s', async (_, first, times) => {
    const attempts: number[] = []
    const client = over(async (text, { attempt }) => {
      attempts.push(attempt)
      return attempt === 1 ? first : { texts: [JSON.stringify(ok(callsIn(text)[0]?.id))] }
    })
    await client.nodeHeight().catch(() => undefined)
    expect(attempts).toEqual(times === 2 ? [1, 2] : [1])
    await client.nodeSend('a').catch(() => undefined)
    expect(attempts).toHaveLength(times + 1)
  })

  it('gets a signal that ends with the call, and the calls in the text', async () => {
    const seen: unknown[] = []
    const client = over((_, { signal, calls }) => {
      seen.push(calls.map(({ id, method }) => [id, method.operation.method]))
      return new Promise((__, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        signal.addEventListener('abort', () => seen.push('aborted'))
      })
    })
    expect(await errorOf(client.with({ timeout: 5 }).nodeHeight())).toMatchObject({
      reason: 'timeout',
    })
    expect(seen).toEqual([[[1, 'node_height']], 'aborted'])
  })

  it('replaces HTTP for one protocol of a client, and the options of HTTP are for the other', async () => {
    const fetch = async () => Response.json({})
    const link: RpcLink = {
      kind: 'exchange',
      exchange: async () => ({ texts: [JSON.stringify(ok(1, '0x10'))] }),
    }
    const client = createClient({
      server: 'http://h.example',
      auth: { apiKey: 'k' },
      fetch,
      rpc: { link },
    })
    expect(await client.rpc.ethChainId()).toBe('0x10')
  })

  it('has no response of HTTP for `raw`', async () => {
    const client = over(async () => ({ texts: [] }))
    expect(await errorOf(client.raw({ method: 'node_height' }))).toMatchObject({
      reason: 'invalid-input',
      message: 'node_height was not sent: `raw` is for HTTP, which options.link replaces',
    })
  })

  it('leaves the hook onError to the client', async () => {
    const received: unknown[] = []
    const onError = (error: unknown) => void received.push((error as Error).message)
    const client = over(async () => ({ rejection: { reason: 'network' } }), { onError })
    await errorOf(client.nodeSend('a'))
    expect(received).toEqual(['node_send got no response'])
  })
})

describe('the link of HTTP', () => {
  const post = async (response: Response, fetch = fakeFetch(() => response).fetch) => {
    const settings = readOptions(service, { fetch })
    const posting = { calls: [], attempt: 1, deadline: startDeadline([]) }
    const { redact: _, ...sent } = await createHttpLink(service, settings).exchange('[]', posting)
    return sent
  }

  it('turns a status outside 2xx into a rejection, and only a busy one may be repeated', async () => {
    const headers = { 'retry-after': '7' }
    expect(await post(new Response('{}', { headers }))).toMatchObject({ texts: ['{}'] })
    const rejected = async (status: number) => post(new Response('no', { status, headers }))
    const rejection = { reason: 'status', text: 'no', headers: expect.any(Headers) }
    expect(await rejected(500)).toEqual({ rejection: { ...rejection, status: 500 } })
    expect(await rejected(503)).toEqual({
      rejection: { ...rejection, status: 503, retryAfter: '7' },
    })
    expect(await post(new Response('', { status: 429 }))).toMatchObject({
      rejection: { status: 429, retryAfter: null },
    })
  })

  it('reads the events of a stream as texts', async () => {
    const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
    const { fetch } = fakeFetch(
      ({ body }) =>
        new Response(
          `data: {"jsonrpc":"2.0","method":"progress"}\n\ndata: ${JSON.stringify(ok((body as WireCall).id))}\n\n`,
          { headers },
        ),
    )
    expect(await open({ fetch }).nodeHeight()).toBe('of 1')
  })

  /** A server whose responses are event streams that it never ends. */
  const streaming = async (
    write: (calls: readonly WireCall[], response: ServerResponse) => unknown,
    headers: object = {},
  ) => {
    let left = 0
    const server = createServer(async (request, response) => {
      response.on('close', () => {
        left += 1
      })
      let text = ''
      for await (const chunk of request) text += chunk
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...headers })
      response.flushHeaders()
      await write(callsIn(text), response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    const { port } = server.address() as AddressInfo
    return {
      server: `http://127.0.0.1:${port}`,
      isLeft: () => vi.waitFor(() => expect(left).toBe(1)),
    }
  }
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`

  describe.each<[string, RpcOptions]>([
    ['the dispatcher of Node', {}],
    ['fetch', { fetch: (url, init) => globalThis.fetch(url, init) }],
    ['a hook', { onResponse: () => undefined }],
  ])('with %s', (_, by) => {
    it('returns a response before its stream ends, and closes the stream', async () => {
      const { server, isLeft } = await streaming(([call], stream) =>
        stream.write(
          `: hello\n\n${event({ jsonrpc: '2.0', method: 'progress' })}${event(ok(call?.id))}`,
        ),
      )
      expect(await open({ ...by, server }).nodeHeight()).toBe('of 1')
      await isLeft()
    })

    it('reads events that arrive in pieces, until each call has its response', async () => {
      const { server, isLeft } = await streaming(async (calls, stream) => {
        for (const { id } of [...calls].reverse())
          for (const byte of Buffer.from(event(ok(id, `no. ${id} – é`)))) {
            stream.write(Buffer.from([byte]))
            await new Promise(setImmediate)
          }
      })
      const both = open({ ...by, server }).batch((b) =>
        Promise.all([b.nodeHeight(), b.nodeSend('a')]),
      )
      expect(await both).toEqual(['no. 1 – é', 'no. 2 – é'])
      await isLeft()
    })

    it('does not wait for a response to notifications', async () => {
      const { server, isLeft } = await streaming(() => undefined)
      expect(await open({ ...by, server }).notify('node_send', ['a'])).toBe(undefined)
      await isLeft()
    })

    it('returns an error without an id as the response to the only call', async () => {
      const { server, isLeft } = await streaming((__, stream) =>
        stream.write(event({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no' } })),
      )
      expect(await errorOf(open({ ...by, server }).nodeSend('a'))).toMatchObject({ code: -32700 })
      await isLeft()
    })

    it.each([
      ['many events', event({ jsonrpc: '2.0', method: 'progress' })],
      ['one event without an end', 'data: 1234567890123456'],
    ])('reads no more than maxResponseBytes of %s', async (___, text) => {
      const { server, isLeft } = await streaming(async (__, stream) => {
        for (let count = 0; count < 100; count += 1) stream.write(text)
      })
      const client = open({ ...by, server, maxResponseBytes: 1000 })
      expect(await errorOf(client.nodeSend('a'))).toMatchObject({
        reason: 'response-too-large',
        message: 'node_send: the response has more than 1000 bytes (options.maxResponseBytes)',
      })
      await isLeft()
    })

    it('closes the stream at the end of the call', async () => {
      const { server, isLeft } = await streaming(() => undefined)
      const client = open({ ...by, server, timeout: 200 })
      expect(await errorOf(client.nodeHeight())).toMatchObject({ reason: 'timeout' })
      await isLeft()
    })
  })

  it('decompresses events as they arrive', async () => {
    const write = ([call]: readonly WireCall[], stream: ServerResponse) => {
      const zip = createGzip()
      zip.pipe(stream)
      zip.write(event(ok(call?.id)))
      zip.flush()
    }
    const { server, isLeft } = await streaming(write, { 'content-encoding': 'gzip' })
    expect(await open({ server }).nodeHeight()).toBe('of 1')
    await isLeft()
  })
})

/** A duplex link in memory: what the client sent, and the events of its last opening. */
const memoryLink = () => {
  const sent: string[] = []
  const openings: LinkEvents[] = []
  let closes = 0
  const link: DuplexLink = {
    kind: 'duplex',
    open: async (events) => {
      openings.push(events)
      return {
        send: async (text) => void sent.push(text),
        close: async () => {
          closes += 1
        },
      }
    },
  }
  const events = (): LinkEvents => {
    const last = openings.at(-1)
    if (!last) throw new Error('the link is not open')
    return last
  }
  return {
    link,
    sent,
    openings,
    closes: () => closes,
    text: (value: unknown) =>
      events().text(typeof value === 'string' ? value : JSON.stringify(value)),
    closed: (reason?: unknown) => events().closed(reason),
    /** Resolves when so many texts were sent. */
    sentTexts: (count: number) => vi.waitFor(() => expect(sent).toHaveLength(count)),
  }
}

type MemoryLink = ReturnType<typeof memoryLink>

describe('a duplex link', () => {
  it('is opened once, by the first call; responses are matched by id alone', async () => {
    const memory = memoryLink()
    const client = open({ link: memory.link })
    expect(memory.openings).toHaveLength(0)
    const calls = [client.nodeHeight(), client.nodeSend('a'), client.nodeHeight()]
    await memory.sentTexts(3)
    for (const id of [3, 1, 2]) memory.text(ok(id))
    expect(await Promise.all(calls)).toEqual(['of 1', 'of 2', 'of 3'])
    expect(memory.openings).toHaveLength(1)
  })

  it('carries batches and notifications', async () => {
    const memory = memoryLink()
    const client = open({ link: memory.link })
    await client.notify('node_send', ['a'])
    const both = client.batch((b) => Promise.allSettled([b.nodeHeight(), b.nodeSend('a')]))
    await memory.sentTexts(2)
    memory.text([refusal(7, 'no', 2), ok(1)])
    expect(await both).toMatchObject([{ value: 'of 1' }, { reason: { code: 7 } }])
    const apart = client.batch((b) => Promise.all([b.nodeHeight(), b.nodeSend('a')]))
    await memory.sentTexts(3)
    memory.text(ok(4))
    memory.text(ok(3))
    expect(await apart).toEqual(['of 3', 'of 4'])
  })

  it('takes a response that repeats its method for a response, and a call with the id of a pending one for a call', async () => {
    const memory = memoryLink()
    const client = open({ link: memory.link })
    const calls = [client.nodeHeight(), errorOf(client.nodeSend('a'))]
    await memory.sentTexts(2)
    memory.text({ jsonrpc: '2.0', id: 1, method: 'node_height', params: [] })
    memory.text({ ...ok(1), method: 'node_height' })
    memory.text({ ...refusal(7, 'no'), id: 2, method: 'node_send' })
    expect(await Promise.all(calls)).toEqual(['of 1', expect.objectContaining({ code: 7 })])
  })

  it('reports what is no response to a pending call to onWarning, and ignores it', async () => {
    const memory = memoryLink()
    const warnings: Warning[] = []
    const client = open({ link: memory.link, onWarning: (warning) => warnings.push(warning) })
    const calls = [client.nodeHeight(), client.nodeSend('a')]
    await memory.sentTexts(2)
    memory.text({ jsonrpc: '2.0', method: 'log', params: ['hello'] })
    memory.text('hello')
    memory.text(ok('1'))
    memory.text(ok(9))
    memory.text(refusal(-32700, 'Parse error'))
    memory.text(ok(1))
    memory.text(ok(1, 'again'))
    memory.text(ok(2))
    expect(await Promise.all(calls)).toEqual(['of 1', 'of 2'])
    expect(warnings.map(({ kind, operation, message }) => [kind, operation, message])).toEqual([
      ['unmatched', 'log', 'a call of the server was ignored'],
      ['unmatched', '', 'a text that is not JSON was ignored'],
      ...Array.from({ length: 4 }, () => [
        'unmatched',
        '',
        'a response without the id of a pending call was ignored',
      ]),
    ])
  })

  it.each<[string, string, number]>([
    ['many characters', 'a'.repeat(100), 100],
    ['characters of several bytes', '€'.repeat(40), 100],
    ['one byte too many', 'a'.repeat(100), JSON.stringify(ok(1, 'a'.repeat(100))).length - 1],
  ])('does not read a text above maxResponseBytes: %s', async (_, result, maxResponseBytes) => {
    const memory = memoryLink()
    const client = open({ link: memory.link, maxResponseBytes })
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parse.mockRestore())
    const calls = [client.nodeHeight(), client.nodeSend('a')].map(errorOf)
    await memory.sentTexts(2)
    memory.text(ok(1, result))
    for (const error of await Promise.all(calls))
      expect(error).toMatchObject({
        name: 'CallError',
        reason: 'response-too-large',
        message: expect.stringContaining(`more than ${maxResponseBytes} bytes (options.maxRes`),
      })
    expect(parse).not.toHaveBeenCalledWith(JSON.stringify(ok(1, result)))
    const call = client.nodeSend('b')
    await memory.sentTexts(3)
    memory.text(ok(3, 'b'))
    expect(await call).toBe('b')
  })

  it('reports a text above maxResponseBytes that nothing waits for', async () => {
    const memory = memoryLink()
    const warnings: string[] = []
    const onWarning = ({ message }: Warning) => warnings.push(message)
    const client = open({ link: memory.link, maxResponseBytes: 100, onWarning })
    await client.notify('node_send', ['a'])
    memory.text('a'.repeat(101))
    expect(warnings).toEqual(['a text that is too large was ignored'])
  })

  it.each([
    ['one text', (memory: MemoryLink) => memory.text([ok(1), ok(2)]), 1],
    ['several texts', (memory: MemoryLink) => [memory.text(ok(2)), memory.text(ok(1))], 2],
    ['a text of exactly maxResponseBytes', (memory: MemoryLink) => memory.text([ok(2), ok(1)]), 1],
  ])('parses each text once: %s', async (_, respond, times) => {
    const memory = memoryLink()
    const maxResponseBytes = JSON.stringify([ok(1), ok(2)]).length
    const client = open({ link: memory.link, maxResponseBytes })
    const both = client.batch((b) => Promise.all([b.nodeHeight(), b.nodeSend('a')]))
    await memory.sentTexts(1)
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parse.mockRestore())
    respond(memory)
    expect(await both).toEqual(['of 1', 'of 2'])
    expect(parse).toHaveBeenCalledTimes(times)
  })

  it('keeps the digits of large numbers, whose texts are read again', async () => {
    const memory = memoryLink()
    const client = open({ link: memory.link, integers: 'bigint' })
    const both = client.batch((b) => Promise.all([b.nodeHeight(), b.nodeSend('a')]))
    await memory.sentTexts(1)
    memory.text('{"jsonrpc":"2.0","id":2,"result":12345678901234567890}')
    memory.text('{"jsonrpc":"2.0","id":1,"result":"a"}')
    expect(await both).toEqual(['a', 12345678901234567890n])
  })

  it('gives an error without an id to the only pending call', async () => {
    const memory = memoryLink()
    const call = open({ link: memory.link }).nodeSend('a')
    await memory.sentTexts(1)
    memory.text(refusal(-32700, 'Parse error'))
    expect(await errorOf(call)).toMatchObject({ name: 'RpcError', code: -32700 })
  })

  it('that closes rejects what is pending, and is opened again by the next call', async () => {
    const memory = memoryLink()
    const client = open({ link: memory.link })
    const lost = [errorOf(client.nodeSend('a')), errorOf(client.nodeSend('b'))]
    await memory.sentTexts(2)
    const first = memory.openings[0]
    memory.closed(new Error('going away'))
    for (const error of await Promise.all(lost))
      expect(error).toMatchObject({
        name: 'CallError',
        reason: 'network',
        message: 'node_send got no response: the link closed: going away',
        cause: { message: 'the link closed', cause: { message: 'going away' } },
      })
    const call = client.nodeSend('c')
    await memory.sentTexts(3)
    first?.text(JSON.stringify(ok(3, 'of the first opening')))
    first?.closed('twice')
    memory.text(ok(3))
    expect(await call).toBe('of 3')
    expect(memory.openings).toHaveLength(2)
  })

  it('that closes is opened again for calls that may be repeated', async () => {
    const memory = memoryLink()
    const call = open({ link: memory.link }).nodeHeight()
    await memory.sentTexts(1)
    memory.closed('restart')
    await memory.sentTexts(2)
    memory.text(ok(1))
    expect(await call).toBe('of 1')
    expect(memory.sent[1]).toBe(memory.sent[0])
  })

  it.each<[string, DuplexLink['open'], string]>([
    [
      'cannot be opened',
      async () => {
        throw new Error('no such file')
      },
      'no such file',
    ],
    [
      'closes while it opens',
      ({ closed }) => {
        closed('not now')
        return new Promise(() => undefined)
      },
      'the link closed: not now',
    ],
    [
      'cannot send',
      async () => ({
        send: async () => {
          throw new Error('broken pipe')
        },
        close: async () => undefined,
      }),
      'broken pipe',
    ],
  ])('that %s rejects each call', async (_, open_, why) => {
    const client = open({ link: { kind: 'duplex', open: open_ } })
    for (let time = 0; time < 2; time += 1)
      expect(await errorOf(client.nodeSend('a'))).toMatchObject({
        reason: 'network',
        message: `node_send got no response: ${why}`,
      })
  })

  it('keeps nothing of a call that its caller gave up', async () => {
    const memory = memoryLink()
    const client = open({ link: memory.link })
    const late = errorOf(client.with({ timeout: 5 }).nodeHeight())
    const call = client.nodeSend('a')
    expect(await late).toMatchObject({ reason: 'timeout' })
    memory.text(ok(1))
    memory.text(ok(2))
    expect(await call).toBe('of 2')
    const given = errorOf(client.with({ signal: AbortSignal.abort() }).nodeHeight())
    expect(await given).toMatchObject({ reason: 'aborted' })
    expect(memory.sent).toHaveLength(2)
  })

  it('is closed with the signal of the client', async () => {
    const memory = memoryLink()
    const controller = new AbortController()
    const client = open({ link: memory.link, signal: controller.signal })
    const call = errorOf(client.nodeHeight())
    await memory.sentTexts(1)
    controller.abort()
    expect(await call).toMatchObject({ reason: 'aborted' })
    await vi.waitFor(() => expect(memory.closes()).toBe(1))
    expect(await errorOf(client.nodeHeight())).toMatchObject({ reason: 'aborted' })
    expect(memory.openings).toHaveLength(1)
  })

  it('ends each of 200 calls once, in any order, among foreign ids, with a close in the middle', async () => {
    const COUNT = 200
    const ids = Array.from({ length: COUNT }, (_, index) => index + 1)
    const foreign = fc.constantFrom<unknown>(0, -1, 999, '7', 1.5, null, undefined, {}, true)
    const events = fc.record({
      order: fc.shuffledSubarray(ids, { minLength: COUNT, maxLength: COUNT }),
      again: fc.array(fc.integer({ min: 1, max: COUNT }), { maxLength: 40 }),
      strange: fc.array(foreign, { maxLength: 20 }),
      closeAt: fc.integer({ min: 0, max: COUNT + 20 }),
    })
    await fc.assert(
      fc.asyncProperty(events, async ({ order, again, strange, closeAt }) => {
        const memory = memoryLink()
        const client = open({ link: memory.link, retry: { attempts: 1 } })
        const ends: unknown[][] = ids.map(() => [])
        const calls = ids.map((id) =>
          client.nodeSend(`${id}`).then(
            (value) => ends[id - 1]?.push(value),
            (error) => ends[id - 1]?.push(error.reason),
          ),
        )
        await memory.sentTexts(COUNT)
        const responses = [...order, ...again, ...strange].map((id, index) =>
          index % 5 === 4 && typeof id === 'number' ? refusal(index, `of ${id}`, id) : ok(id),
        )
        // Foreign and repeated ids come anywhere.
        for (const [index, one] of responses.splice(COUNT).entries())
          responses.splice((index * 37) % COUNT, 0, one)
        const before = new Set(responses.slice(0, closeAt).map(({ id }) => id))
        for (const one of responses.slice(0, closeAt)) memory.text(one)
        memory.closed('in the middle')
        for (const one of responses.slice(closeAt)) memory.openings[0]?.text(JSON.stringify(one))
        await Promise.all(calls)
        for (const id of ids) {
          const [end, ...more] = ends[id - 1] ?? []
          expect(more).toEqual([])
          // A response is a result, or an error without a reason.
          const isAnswered = end === `of ${id}` || end === undefined
          expect([id, isAnswered ? 'response' : end]).toEqual([
            id,
            before.has(id) ? 'response' : 'network',
          ])
        }
      }),
      { numRuns: 25 },
    )
  })
})

describe('a MessagePort', () => {
  /** The other side: a server that answers each call with its method and params. */
  const channel = () => {
    const { port1, port2 } = new MessageChannel()
    onTestFinished(() => {
      port1.close()
      port2.close()
    })
    const texts: string[] = []
    port2.onmessage = ({ data }) => {
      texts.push(data)
      const responses = callsIn(data).map(({ id, method, params }) =>
        method === 'eth_chainId' ? ok(id, '0x10') : ok(id, `${method} ${JSON.stringify(params)}`),
      )
      // In another order than the calls.
      setTimeout(
        () => {
          port2.postMessage({ not: 'for this client' })
          port2.postMessage(
            JSON.stringify(responses.length === 1 ? responses[0] : responses.reverse()),
          )
        },
        texts.length % 2 ? 5 : 0,
      )
    }
    return { port1, port2, texts }
  }

  it('carries the calls of a client', async () => {
    const { port1, texts } = channel()
    const client = open({ link: portLink(port1) })
    expect(await Promise.all([client.nodeHeight(), client.nodeSend('a')])).toEqual([
      'node_height []',
      'node_send ["a"]',
    ])
    expect(await client.batch((b) => Promise.all([b.nodeHeight(), b.nodeSend('b')]))).toEqual([
      'node_height []',
      'node_send ["b"]',
    ])
    expect(texts.map((text) => callsIn(text).length)).toEqual([1, 1, 2])
  })

  it('carries a generated client', async () => {
    const rpc = createRpcClient({ link: portLink(channel().port1) })
    expect(await rpc.ethChainId()).toBe('0x10')
  })

  it('that the other side closes rejects what is pending, and every call after it', async () => {
    const { port1, port2 } = channel()
    port2.onmessage = () => port2.close()
    const client = open({ link: portLink(port1), retry: { attempts: 1 } })
    expect(await errorOf(client.nodeHeight())).toMatchObject({
      reason: 'network',
      message: 'node_height got no response: the link closed',
    })
    expect(await errorOf(client.nodeHeight())).toMatchObject({
      reason: 'network',
      message: 'node_height got no response: the port was closed, or has another client',
    })
  })

  it('is closed with the signal of the client', async () => {
    const { port1, port2 } = channel()
    const closed = new Promise((resolve) => port2.addEventListener('close', resolve))
    const controller = new AbortController()
    const client = open({ link: portLink(port1), signal: controller.signal })
    expect(await client.nodeHeight()).toBe('node_height []')
    controller.abort()
    await closed
  })
})
