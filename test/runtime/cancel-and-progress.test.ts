import { cancelWriter, serveHandlers, trackProgress } from 'twinspec/runtime/duplex'
import { RpcError } from 'twinspec/runtime/errors'
import { portLink } from 'twinspec/runtime/links/port'
import {
  createRpc,
  type DuplexLink,
  type ExchangeLink,
  type LinkEvents,
  type RpcOptions,
  type Warning,
} from 'twinspec/runtime/rpc'
import {
  createServerCore,
  type ServerOptions,
  serveLink,
  toFetchHandler,
} from 'twinspec/runtime/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createService } from '../../src/mock/service.js'
import { apiOf, openrpcOf } from '../read/api-of.js'
import { errorOf } from './rpc-fixture.js'

const text = { type: 'string' }
const token = { type: ['integer', 'string'] }
const param = (name: string, schema: object = text, required = true) => ({ name, required, schema })
const result = { name: 'result', schema: {} }
const share = {
  type: 'object',
  properties: { percent: { type: 'integer' } },
  required: ['percent'],
}
const meta = { type: 'object', properties: { token } }
const named = { paramStructure: 'by-name' }
const both = { ...named, 'x-direction': 'both' }

const { service } = createService(
  await apiOf({
    openrpc: openrpcOf({
      openrpc: '1.4.1',
      'x-cancel': { notification: '$/cancel', id: '/id' },
      'x-progress': {
        notification: '$/progress',
        token: '/token',
        value: '/value',
        request: '/meta/token',
      },
      methods: [
        { name: 'build', params: [param('target'), param('meta', meta, false)], ...named, result },
        {
          name: 'count',
          params: [param('to', { type: 'integer' }), param('meta', meta, false)],
          result,
        },
        { name: 'ping', params: [], ...named, result },
        { name: 'save', params: [param('meta', meta, false)], ...both },
        {
          name: 'ask',
          params: [param('question'), param('meta', meta, false)],
          ...named,
          'x-direction': 'server',
          result,
        },
        { name: '$/cancel', params: [param('id', token)], ...both },
        { name: '$/progress', params: [param('token', token), param('value', share)], ...both },
      ],
    }),
  }),
)
const cancelNotification = '$/cancel'

type Percent = { readonly percent: number }
type CallOptions = {
  readonly signal?: AbortSignal
  readonly timeout?: number
  readonly onProgress?: (value: Percent) => unknown
}
type Client = {
  readonly build: (params: object) => Promise<unknown>
  readonly count: (to: number) => Promise<unknown>
  readonly ping: () => Promise<unknown>
  readonly request: (call: object, options?: CallOptions) => Promise<unknown>
  readonly notify: (method: string, params: object, options?: CallOptions) => Promise<void>
  readonly with: (options: CallOptions) => Client
  readonly batch: <T>(collect: (batch: Client) => T) => Promise<T>
}
type Peer = {
  readonly notify: Readonly<Record<string, (params: object) => Promise<unknown>>>
  readonly call: Readonly<Record<string, (params: object) => Promise<unknown>>>
  readonly with: (options: CallOptions) => Peer
}
type Handler = (
  params: never,
  context: {
    readonly signal: AbortSignal
    readonly peer?: Peer
    readonly progress: (value: unknown) => Promise<void>
  },
) => unknown

const clientOf = (link: DuplexLink | ExchangeLink, options: RpcOptions = {}): Client => {
  const { rpc, validators } = service
  if (!rpc) throw new TypeError('the document has methods')
  const parts = { serveHandlers, cancelWriter, trackProgress }
  return createRpc<Client>(rpc, validators, { link, ...options }, undefined, parts)
}

const core = (handlers: Readonly<Record<string, Handler>>, options: ServerOptions = {}) =>
  createServerCore<Peer>(
    service,
    {
      build: () => 'built',
      count: () => 0,
      ping: () => 'pong',
      save: () => null,
      ...handlers,
    } as never,
    options as never,
  )

/** A client and a server at the ends of a channel. */
const connected = async (
  handlers: Readonly<Record<string, Handler>>,
  options: RpcOptions = {},
  serverOptions: ServerOptions & { readonly calls?: number } = {},
) => {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => {
    port1.close()
    port2.close()
  })
  const { calls, ...own } = serverOptions
  const served = await serveLink(core(handlers, own), portLink(port2), { calls })
  return { client: clientOf(portLink(port1), options), served, port: port1 }
}

/** A server that the test plays. It sees each message. */
const played = (options: RpcOptions = {}) => {
  const sent: Record<string, unknown>[] = []
  let events: LinkEvents | undefined
  const link: DuplexLink = {
    kind: 'duplex',
    open: async (opened) => {
      events = opened
      return {
        send: async (one) => void sent.push(...[JSON.parse(one)].flat()),
        close: async () => opened.closed(),
      }
    },
  }
  const warnings: Warning[] = []
  const client = clientOf(link, { onWarning: (one) => void warnings.push(one), ...options })
  const receive = (message: object) =>
    events?.text(JSON.stringify(Array.isArray(message) ? message : { jsonrpc: '2.0', ...message }))
  const sees = (count: number) => vi.waitFor(() => expect(sent).toHaveLength(count))
  return { client, sent, receive, sees, warnings, close: () => events?.closed('gone') }
}

/** Resolves with the context of the handler when it runs. */
const waiting = () => {
  let run!: (context: Parameters<Handler>[1]) => void
  const running = new Promise<Parameters<Handler>[1]>((resolve) => {
    run = resolve
  })
  const handler: Handler = (_, context) => {
    run(context)
    return new Promise((_, reject) =>
      context.signal.addEventListener('abort', () => reject(context.signal.reason)),
    )
  }
  return { running, handler }
}

describe('a call that is aborted', () => {
  it('is cancelled once, with its id, and rejects as aborted calls do', async () => {
    const { client, sent, sees, receive, warnings } = played()
    const ending = new AbortController()
    const call = errorOf(client.with({ signal: ending.signal }).build({ target: 'web' }))
    await sees(1)
    ending.abort(new Error('enough'))
    ending.abort()
    expect(await call).toMatchObject({ reason: 'aborted', cause: { message: 'enough' } })
    expect(sent[1]).toEqual({ jsonrpc: '2.0', method: '$/cancel', params: { id: sent[0]?.id } })
    // The response that LSP demands is expected; one more is not.
    receive({ id: sent[0]?.id, error: { code: -32800, message: 'cancelled' } })
    expect(warnings).toEqual([])
    receive({ id: sent[0]?.id, result: 1 })
    expect(warnings).toHaveLength(1)
    const ping = client.ping()
    await sees(3)
    receive({ id: sent[2]?.id, result: 'pong' })
    expect(await ping).toBe('pong')
    expect(sent).toHaveLength(3)
  })

  it('is cancelled at its timeout too', async () => {
    const { client, sent, sees } = played()
    const call = client.request({ method: 'ping' }, { timeout: 20 })
    expect(await errorOf(call)).toMatchObject({ reason: 'timeout' })
    await sees(2)
    expect(sent[1]).toMatchObject({ method: '$/cancel' })
  })

  it('is not cancelled if it was not sent, is a notification, or has its response', async () => {
    const { client, sent, sees, receive } = played()
    const ending = new AbortController()
    const own = client.with({ signal: ending.signal })
    const first = own.ping()
    await sees(1)
    receive({ id: sent[0]?.id, result: 'pong' })
    await first
    await own.notify('save', {})
    ending.abort()
    expect(await errorOf(own.ping())).toMatchObject({ reason: 'aborted' })
    await client.notify('save', {})
    expect(sent.map(({ method }) => method)).toEqual(['ping', 'save', 'save'])
  })

  it('is cancelled alone in a batch, whose other calls go on', async () => {
    const { client, sent, sees, receive } = played()
    const ending = new AbortController()
    const all = client.batch((b) =>
      Promise.all([errorOf(b.with({ signal: ending.signal }).build({ target: 'web' })), b.ping()]),
    )
    await sees(2)
    ending.abort()
    await sees(3)
    expect(sent[2]).toMatchObject({ method: '$/cancel', params: { id: sent[0]?.id } })
    // As in MCP, the cancelled call gets no response.
    receive([{ jsonrpc: '2.0', id: sent[1]?.id, result: 'pong' }])
    expect(await all).toMatchObject([{ reason: 'aborted' }, 'pong'])
  })

  it('is not cancelled when the client closes its link, or the link has closed', async () => {
    const ending = new AbortController()
    const closing = played({ signal: ending.signal })
    const call = errorOf(closing.client.ping())
    await closing.sees(1)
    ending.abort()
    expect(await call).toMatchObject({ reason: 'aborted' })
    const lost = played()
    const late = new AbortController()
    const other = errorOf(lost.client.with({ signal: late.signal }).ping())
    await lost.sees(1)
    lost.close()
    expect(await other).toMatchObject({ reason: 'network' })
    late.abort()
    expect([closing.sent.length, lost.sent.length]).toEqual([1, 1])
  })
})

describe('a call over exchanges that is aborted', () => {
  it('is cancelled by another exchange', async () => {
    const sent: Record<string, unknown>[] = []
    const link: ExchangeLink = {
      kind: 'exchange',
      exchange: async (one, { signal }) => {
        sent.push(JSON.parse(one))
        if (sent.length > 1) return { texts: [] }
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return { rejection: { reason: 'network' } }
      },
    }
    const client = clientOf(link)
    const ending = new AbortController()
    const call = errorOf(client.with({ signal: ending.signal }).build({ target: 'web' }))
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    ending.abort()
    expect(await call).toMatchObject({ reason: 'aborted' })
    expect(sent[1]).toEqual({ jsonrpc: '2.0', method: '$/cancel', params: { id: sent[0]?.id } })
    expect(await client.notify('save', {})).toBe(undefined)
    expect(sent).toHaveLength(3)
  })
})

describe('a server', () => {
  it('aborts the signal of a cancelled call only, and responds with the code of a cancelled request', async () => {
    const { running, handler } = waiting()
    const errors: unknown[] = []
    const { client } = await connected(
      { build: handler },
      {},
      { onError: (one) => errors.push(one) },
    )
    const ending = new AbortController()
    const call = errorOf(client.with({ signal: ending.signal }).build({ target: 'web' }))
    const { signal } = await running
    expect(await client.ping()).toBe('pong')
    expect(signal.aborted).toBe(false)
    ending.abort()
    await vi.waitFor(() => expect(signal.aborted).toBe(true))
    expect(signal.reason).toMatchObject({ name: 'RpcError', code: -32800 })
    expect(await call).toMatchObject({ reason: 'aborted' })
    expect(errors).toEqual([])
  })

  it.each([
    ['its reason', (signal: AbortSignal) => signal.reason, -32800],
    ['an error of the platform', () => new DOMException('aborted', 'AbortError'), -32800],
    ['an error of its own', () => new RpcError({ code: 7, message: 'own' }), 7],
  ])('responds to a cancelled call whose handler throws %s', async (_, errorFor, code) => {
    const { port1, port2 } = new MessageChannel()
    onTestFinished(() => port1.close())
    const texts: unknown[] = []
    const build: Handler = (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(errorFor(signal))))
    await serveLink(core({ build }), portLink(port2))
    const { send } = await portLink(port1).open({
      text: (one) => texts.push(JSON.parse(one)),
      closed: () => undefined,
    })
    await send('{"jsonrpc":"2.0","id":"a","method":"build","params":{"target":"x"}}')
    await send(`{"jsonrpc":"2.0","method":"${cancelNotification}","params":{"id":"b"}}`)
    await send(`{"jsonrpc":"2.0","method":"${cancelNotification}","params":{"id":"a"}}`)
    await vi.waitFor(() => expect(texts).toMatchObject([{ id: 'a', error: { code } }]))
  })

  it('cancels calls although as many run as it allows, and calls that still wait', async () => {
    const log: string[] = []
    const build: Handler = ({ target }: { target: string }, { signal }) => {
      log.push(`${target} ${signal.aborted ? 'cancelled' : 'begins'}`)
      if (signal.aborted) throw signal.reason
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      )
    }
    const { client } = await connected({ build }, {}, { calls: 1 })
    const [first, second] = [new AbortController(), new AbortController()]
    const calls = [first, second].map(({ signal }, at) =>
      errorOf(client.with({ signal }).build({ target: `${at}` })),
    )
    await vi.waitFor(() => expect(log).toEqual(['0 begins']))
    second.abort()
    first.abort()
    await Promise.all(calls)
    await vi.waitFor(() => expect(log).toEqual(['0 begins', '1 cancelled']))
    expect(await client.ping()).toBe('pong')
  })

  it('aborts all signals when the connection ends', async () => {
    const { running, handler } = waiting()
    const { client, port } = await connected({ build: handler })
    const call = errorOf(client.build({ target: 'web' }))
    const { signal } = await running
    port.close()
    await vi.waitFor(() => expect(signal.aborted).toBe(true))
    await call
  })

  it('calls a handler of the notification as well', async () => {
    const seen: unknown[] = []
    const { running, handler } = waiting()
    const { client } = await connected({ build: handler, cancel: (params) => seen.push(params) })
    const ending = new AbortController()
    const call = errorOf(client.with({ signal: ending.signal }).build({ target: 'web' }))
    await running
    ending.abort()
    await call
    await vi.waitFor(() => expect(seen).toEqual([{ id: 1 }]))
  })
})

describe('progress', () => {
  const counting: Handler = async (_, { progress }) => {
    for (const percent of [0, 50, 100]) void progress({ percent })
    return 'done'
  }

  it('goes to the call that asked for it, in its order, before the result', async () => {
    const warnings: Warning[] = []
    const { client } = await connected(
      { build: counting, count: counting },
      { onWarning: (one) => void warnings.push(one) },
    )
    const log: unknown[] = []
    const record = (name: string) => ({
      onProgress: ({ percent }: Percent) => log.push(`${name} ${percent}`),
    })
    log.push(await client.with(record('a')).build({ target: 'web' }))
    log.push(await client.request({ method: 'count', params: [3] }, record('b')))
    log.push(await client.build({ target: 'web' }))
    expect(log).toEqual(['a 0', 'a 50', 'a 100', 'done', 'b 0', 'b 50', 'b 100', 'done', 'done'])
    expect(warnings).toEqual([])
  })

  it('has a token for each call, which the server sees among the other params; a token of the caller is used', async () => {
    const { client, sent, sees, receive } = played()
    const seen: unknown[] = []
    const own = client.with({ onProgress: (value) => seen.push(value) })
    const meta = { other: 1 }
    const calls = [
      own.build({ target: 'a', meta }),
      own.count(5),
      own.build({ target: 'b', meta: { token: 'mine' } }),
    ]
    await sees(3)
    const [first, second, third] = sent.map(({ params }) => Object.values(Object(params)))
    expect(first).toEqual(['a', { other: 1, token: expect.any(String) }])
    expect(second).toEqual([5, { token: expect.any(String) }])
    expect(third).toEqual(['b', { token: 'mine' }])
    expect(meta).toEqual({ other: 1 })
    expect(Object(first?.[1]).token).not.toBe(Object(second?.[1]).token)
    receive({ method: '$/progress', params: { token: 'mine', value: { percent: 7 } } })
    expect(seen).toEqual([{ percent: 7 }])
    for (const { id } of sent) receive({ id, result: null })
    await Promise.all(calls)
  })

  it('that is invalid, unknown or late is reported, and goes to the handler of the notification if there is one', async () => {
    const { client, sent, sees, receive, warnings } = played()
    const seen: unknown[] = []
    const call = client.with({ onProgress: (value) => seen.push(value) }).build({ target: 'a' })
    await sees(1)
    const { token } = Object(Object(sent[0]?.params).meta)
    const send = (token: unknown, value: unknown) =>
      receive({ method: '$/progress', params: { token, value } })
    send(token, { percent: 'half' })
    send('unknown', { percent: 1 })
    receive({ id: sent[0]?.id, result: null })
    await call
    send(token, { percent: 2 })
    await vi.waitFor(() => expect(warnings).toHaveLength(3))
    expect(warnings.every(({ operation }) => operation === '$/progress')).toBe(true)
    expect(seen).toEqual([])
    const handled: unknown[] = []
    const other = played({ handlers: { progress: (params: object) => handled.push(params) } })
    void other.client.ping().catch(() => undefined)
    await other.sees(1)
    other.receive({ method: '$/progress', params: { token: 5, value: { percent: 1 } } })
    await vi.waitFor(() => expect(handled).toEqual([{ token: 5, value: { percent: 1 } }]))
    other.close()
  })

  it('whose function throws is reported, and does not end the call', async () => {
    const errors: string[] = []
    const { client } = await connected({ build: counting }, {})
    const failing = { onProgress: () => Promise.reject(new Error('a bug')) }
    vi.spyOn(console, 'error').mockImplementation((one) => errors.push(String(one)))
    expect(await client.with(failing).build({ target: 'web' })).toBe('done')
    await vi.waitFor(() => expect(errors).toEqual(Array(3).fill('Error: a bug')))
    vi.restoreAllMocks()
  })

  it('cannot be asked for where the params have no place for it', async () => {
    const { client } = played()
    const own = { onProgress: () => undefined }
    expect(await errorOf(client.with(own).ping())).toMatchObject({
      reason: 'invalid-input',
      message: expect.stringContaining('it has no param for the token of onProgress (/meta/token)'),
    })
  })

  it('that is invalid, or sent after the end, is not sent; a handler never fails because of it', async () => {
    const errors: unknown[] = []
    let late: (() => Promise<void>) | undefined
    const build: Handler = async (_, { progress }) => {
      await progress({ percent: 'half' })
      late = () => progress({ percent: 1 })
      return 'done'
    }
    const warnings: Warning[] = []
    const { client } = await connected(
      { build },
      { onWarning: (one) => void warnings.push(one) },
      { onError: (one) => errors.push(String(one)) },
    )
    const seen: unknown[] = []
    const own = client.with({ onProgress: (value) => seen.push(value) })
    expect(await own.build({ target: 'web' })).toBe('done')
    await late?.()
    expect(await client.ping()).toBe('pong')
    expect(seen).toEqual([])
    // One that arrives for no call is reported.
    expect(warnings).toEqual([])
    expect(errors).toEqual([
      'CallError: $/progress was not sent: the progress of build does not match its schema',
    ])
  })

  it('arrives over HTTP in an event stream, before the result', async () => {
    const server = core({ build: counting }, { eventStreams: {} })
    const { rpc, validators } = service
    const seen: unknown[] = []
    const client = createRpc<Client>(
      { ...rpc, servers: [{ name: 'main', url: 'http://127.0.0.1:1', variables: {} }] } as never,
      validators,
      {
        fetch: (url, init) => toFetchHandler(server)(new Request(url, init)),
        headers: { accept: 'application/json, text/event-stream' },
      },
      undefined,
      { serveHandlers, cancelWriter, trackProgress },
    )
    const own = client.with({ onProgress: ({ percent }) => seen.push(percent) })
    expect(await own.build({ target: 'web' })).toBe('done')
    expect(seen).toEqual([0, 50, 100])
  })

  it('is not sent over HTTP without event streams', async () => {
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"build","params":{"target":"x","meta":{"token":1}}}'
    const headers = { 'content-type': 'application/json' }
    const { rpc } = service
    const server = core({ build: counting })
    const reply = await server.handle({ method: 'POST', url: rpc?.path ?? '', headers, body })
    expect(reply).toMatchObject({ status: 200, body: expect.stringContaining('"done"') })
  })
})

describe('a request of the server', () => {
  it('is cancelled by an AbortSignal on `peer.with`, and its progress is received', async () => {
    const aborted: unknown[] = []
    const { client, served } = await connected(
      {},
      {
        handlers: {
          ask: async (
            { question }: { question: string },
            {
              signal,
              progress,
            }: { signal: AbortSignal; progress: (value: Percent) => Promise<void> },
          ) => {
            void progress({ percent: 50 })
            if (question === 'short') return 'yes'
            return await new Promise((_, reject) =>
              signal.addEventListener('abort', () => {
                aborted.push(signal.reason)
                reject(signal.reason)
              }),
            )
          },
        },
      },
    )
    await client.ping()
    const seen: unknown[] = []
    const ending = new AbortController()
    const onProgress = (value: Percent) => seen.push(value)
    expect(await served.peer.with({ onProgress }).call.ask?.({ question: 'short' })).toBe('yes')
    expect(seen).toEqual([{ percent: 50 }])
    const long = served.peer.with({ signal: ending.signal }).call.ask?.({ question: 'long' })
    const failed = errorOf(long ?? Promise.resolve())
    await client.ping()
    ending.abort()
    expect(await failed).toMatchObject({ reason: 'aborted' })
    await vi.waitFor(() => expect(aborted).toMatchObject([{ code: -32800 }]))
  })

  it('has a signal that aborts when the connection ends', async () => {
    const aborted: string[] = []
    const ask = (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          aborted.push(signal.reason.name)
          resolve('no')
        }),
      )
    const { client, served, port } = await connected({}, { handlers: { ask } })
    await client.ping()
    const call = errorOf(served.peer.call.ask?.({ question: 'who' }) ?? Promise.resolve())
    await client.ping()
    port.close()
    await call
    await vi.waitFor(() => expect(aborted).toEqual(['AbortError']))
  })
})
