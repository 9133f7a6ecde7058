import { serveHandlers } from 'twinspec/runtime/duplex'
import { RpcError } from 'twinspec/runtime/errors'
import { portLink } from 'twinspec/runtime/links/port'
import { createRpc, type DuplexLink, type RpcOptions, type Warning } from 'twinspec/runtime/rpc'
import { createServerCore, type ServerOptions, serveLink } from 'twinspec/runtime/server'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createService } from '../../src/mock/service.js'
import { apiOf, openrpcOf } from '../read/api-of.js'
import { errorOf } from './rpc-fixture.js'

const text = { type: 'string' }
const param = (name: string, schema: object = text, required = true) => ({ name, required, schema })
const returns = (schema: object = text) => ({ result: { name: 'result', schema } })

const LEVEL = { type: 'string', enum: ['low', 'high'] }
const DETAILS = { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] }

const METHODS = [
  { name: 'work', params: [param('steps', { type: 'integer' })], ...returns() },
  { name: 'echo', params: [param('value', {})], ...returns({}) },
  {
    name: 'progress',
    params: [param('step', { type: 'integer' }), param('details', DETAILS, false)],
    'x-direction': 'server',
  },
  { name: 'alarm', params: [param('level', LEVEL)], 'x-direction': 'server' },
  {
    name: 'ask',
    params: [param('question')],
    paramStructure: 'by-name',
    'x-direction': 'server',
    ...returns(),
  },
  {
    name: 'count',
    params: [param('big', { type: 'integer', 'x-bigint': true })],
    'x-direction': 'server',
  },
]

const service = createService(
  await apiOf({ openrpc: openrpcOf({ openrpc: '1.4.1', methods: METHODS }) }),
).service

type Peer = {
  readonly notify: Readonly<Record<string, (...params: unknown[]) => Promise<unknown>>>
  readonly call: Readonly<Record<string, (...params: unknown[]) => Promise<unknown>>>
}
type Handler = (
  params: never,
  context: { readonly peer: Peer; readonly signal: AbortSignal },
) => unknown

const core = (handlers: Readonly<Record<string, Handler>>, options: ServerOptions = {}) =>
  createServerCore<Peer>(
    service,
    { work: async () => 'done', echo: ([value]: unknown[]) => value, ...handlers } as never,
    options as never,
  )

type Client = {
  readonly work: (steps: number) => Promise<string>
  readonly echo: (value: unknown) => Promise<unknown>
}

const clientOf = (link: DuplexLink, handlers: object = {}, options: RpcOptions = {}): Client => {
  const { rpc, validators } = service
  if (!rpc) throw new TypeError('the document has methods')
  const parts = { serveHandlers }
  const all = { link, handlers, validate: { response: 'tolerant' as const }, ...options }
  return createRpc<Client>(rpc, validators, all, undefined, parts)
}

const ports = () => {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => {
    port1.close()
    port2.close()
  })
  return [portLink(port1), portLink(port2), port1, port2] as const
}

/** A client and a server at the ends of a channel. */
const connected = async (
  handlers: Readonly<Record<string, Handler>>,
  clientHandlers: object = {},
  options: RpcOptions = {},
  serverOptions: ServerOptions = {},
) => {
  const [mine, theirs] = ports()
  const served = await serveLink(core(handlers, serverOptions), theirs)
  return { client: clientOf(mine, clientHandlers, options), ...served }
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('serveLink', () => {
  it('responds to calls, batches and notifications', async () => {
    const [mine, theirs] = ports()
    await serveLink(core({}), theirs)
    const texts: unknown[] = []
    const { send } = await mine.open({
      text: (one) => texts.push(JSON.parse(one)),
      closed: () => undefined,
    })
    for (const one of [
      '{"jsonrpc":"2.0","id":1,"method":"echo","params":[1]}',
      '[{"jsonrpc":"2.0","id":"a","method":"echo","params":["result"]},{"jsonrpc":"2.0","method":"work","params":[1]},{"jsonrpc":"2.0","id":2,"method":"nothing"}]',
      '{"jsonrpc":"2.0","method":"echo","params":[1]}',
      '{ no JSON',
      '[]',
      '{"id":5}',
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"work","params":["x"]}',
    ])
      await send(one)
    await vi.waitFor(() => expect(texts).toHaveLength(6))
    expect(texts).toMatchObject([
      { id: 1, result: 1 },
      [
        { id: 'a', result: 'result' },
        { id: 2, error: { code: -32601 } },
      ],
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32600 } },
      { id: 5, error: { code: -32600 } },
      { error: { code: -32602 } },
    ])
  })

  it('responds to no response, so that two servers never answer each other', async () => {
    const [mine, theirs] = ports()
    await serveLink(core({}), theirs)
    const texts: string[] = []
    const { send } = await mine.open({ text: (one) => texts.push(one), closed: () => undefined })
    await send('{"jsonrpc":"2.0","id":1,"result":true}')
    await send('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}')
    await send('[{"jsonrpc":"2.0","id":1,"result":"method"}]')
    await send('{"jsonrpc":"2.0","id":3,"method":"echo","params":["the end"]}')
    await vi.waitFor(() => expect(texts).toHaveLength(1))
    expect(texts[0]).toContain('the end')
  })

  it('aborts the signal of handlers when the connection ends', async () => {
    const [mine, theirs, port] = ports()
    const aborted = new Promise((resolve) => {
      void serveLink(
        core({
          work: (_, { signal }) => new Promise(() => signal.addEventListener('abort', resolve)),
        }),
        theirs,
      )
    })
    const call = clientOf(mine)
      .work(1)
      .catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 20))
    port.close()
    await aborted
    await call
  })

  it('does not run a text that is larger than the limit', async () => {
    const { client } = await connected({}, {}, {}, { payloadBytes: 100 })
    const call = client.echo('€'.repeat(40))
    expect(await errorOf(call)).toMatchObject({
      code: -32600,
      message: expect.stringContaining('The message exceeds 100 bytes'),
    })
  })

  it('runs a limited number of calls at once, pauses the link, and closes it when too many wait', async () => {
    const log: string[] = []
    const release: (() => void)[] = []
    let text: (one: string) => void = () => undefined
    const link: DuplexLink = {
      kind: 'duplex',
      open: async (events) => {
        text = events.text
        return {
          send: async (one) => void log.push(`sent ${JSON.parse(one).id}`),
          close: async () => void log.push('closed'),
          pause: () => log.push('paused'),
          resume: () => log.push('resumed'),
        }
      },
    }
    const work = () => new Promise((resolve) => release.push(() => resolve('done')))
    const { closed } = await serveLink(core({ work }), link, { calls: 2, waiting: 4 })
    const arrive = (id: number) => text(`{"jsonrpc":"2.0","id":${id},"method":"work","params":[1]}`)
    for (const id of [1, 2, 3, 4, 5]) arrive(id)
    await vi.waitFor(() => expect(log).toEqual(['paused']))
    expect(release).toHaveLength(2)
    for (let count = 0; count < 5; count += 1) {
      await vi.waitFor(() => expect(release.length).toBeGreaterThan(0))
      release.shift()?.()
    }
    await vi.waitFor(() => expect(log).toContain('sent 5'))
    expect(log).toContain('resumed')
    log.length = 0
    for (const id of [1, 2, 3, 4, 5, 6, 7]) arrive(id)
    await closed
    await vi.waitFor(() => expect(log).toContain('closed'))
  })

  it('rejects a connection that `admit` rejects', async () => {
    const [, theirs] = ports()
    const admit = () => {
      throw new RpcError({ code: -32000, message: 'not you' })
    }
    await expect(serveLink(core({}, { admit }), theirs)).rejects.toThrow('not you')
  })
})

describe('handlers of a client', () => {
  it('receive notifications in their order, validated and typed as the document says', async () => {
    const seen: unknown[] = []
    const { client } = await connected(
      {
        work: async (_, { peer }) => {
          await peer.notify.progress?.(1)
          await peer.notify.progress?.(2, { at: 5, more: true })
          await peer.notify.alarm?.('high')
          return 'done'
        },
      },
      {
        progress: (...all: unknown[]) => seen.push(all[0]),
        alarm: ([level]: string[], { operation }: { operation: { method: string } }) =>
          seen.push([operation.method, level]),
      },
    )
    expect(await client.work(2)).toBe('done')
    expect(seen).toEqual([[1], [2, { at: 5, more: true }], ['alarm', 'high']])
  })

  it('respond to requests of the server, also while it runs their call', async () => {
    const { client, peer } = await connected(
      { work: async (_, { peer: own }) => `it is ${await own.call.ask?.({ question: 'who' })}` },
      { ask: async ({ question }: { question: string }) => `${question}?` },
    )
    expect(await client.work(1)).toBe('it is who?')
    expect(await peer.call.ask?.({ question: 'again' })).toBe('again?')
  })

  it('throw an RpcError to send it; any other error is reported, and is -32603 for the server', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown, method: unknown) => void errors.push([String(error), method])
    const reasons: Readonly<Record<string, () => unknown>> = {
      no: () => {
        throw new RpcError({ code: 7, message: 'no', data: [1] })
      },
      broken: () => {
        throw new Error('a bug')
      },
      wrong: () => 5,
    }
    const { client, peer } = await connected(
      {},
      { ask: ({ question }: { question: string }) => reasons[question]?.() },
      { onError },
    )
    await client.echo(1)
    const ask = (question: string) => errorOf(peer.call.ask?.({ question }) ?? Promise.resolve())
    expect(await ask('no')).toMatchObject({ code: 7, message: 'no', data: [1] })
    expect(await ask('broken')).toMatchObject({ code: -32603 })
    expect(await ask('wrong')).toMatchObject({ code: -32603 })
    expect(errors).toEqual([
      ['Error: a bug', 'ask'],
      ["CallError: ask: the handler's result does not match its schema", 'ask'],
    ])
  })

  it('are not called with what is invalid: it is reported, and a request gets -32602', async () => {
    const [mine, theirs] = ports()
    const warnings: Warning[] = []
    const seen: unknown[] = []
    const record = (params: unknown) => void seen.push(params)
    const client = clientOf(
      mine,
      { progress: record, alarm: record, ask: record },
      { onWarning: (one) => warnings.push(one) },
    )
    const texts: string[] = []
    const { send } = await theirs.open({ text: (one) => texts.push(one), closed: () => undefined })
    const call = client.echo(1)
    await vi.waitFor(() => expect(texts).toHaveLength(1))
    for (const one of [
      { method: 'progress', params: ['one'] },
      { method: 'progress', params: { step: 1, unknown: true } },
      { method: 'alarm', params: ['middle'] },
      { method: 'progress', params: [2] },
      { id: 'x', method: 'ask', params: { question: 1 } },
      { id: 'y', method: 'ask', params: ['by position'] },
    ])
      await send(JSON.stringify({ jsonrpc: '2.0', ...one }))
    await send('{"jsonrpc":"2.0","id":1,"result":1}')
    expect(await call).toBe(1)
    await vi.waitFor(() => expect(texts).toHaveLength(3))
    expect(texts.slice(1).map((one) => JSON.parse(one))).toMatchObject([
      { id: 'x', error: { code: -32602 } },
      { id: 'y', error: { code: -32602 } },
    ])
    // An unknown value of an enum is tolerated, as in responses.
    expect(seen).toEqual([[1], ['middle'], [2]])
    const reported = warnings.map(({ operation, message }) => [operation, message])
    expect(reported.sort()).toEqual([
      ['alarm', expect.stringContaining('the message does not match its schema')],
      ['progress', expect.stringContaining('progress: the message does not match its schema')],
    ])
  })

  it('that are missing: a notification is reported, a request gets -32601', async () => {
    for (const parts of [{}, { serveHandlers }]) {
      const [mine, theirs] = ports()
      const warnings: Warning[] = []
      const { rpc, validators } = service
      const { peer } = await serveLink(core({}), theirs)
      const client = createRpc<Client>(
        rpc as never,
        validators,
        { link: mine, onWarning: (one) => warnings.push(one) },
        undefined,
        parts,
      )
      await client.echo(1)
      await peer.notify.alarm?.('low')
      expect(
        await errorOf(peer.call.ask?.({ question: 'who' }) ?? Promise.resolve()),
      ).toMatchObject({ code: -32601 })
      expect(warnings).toMatchObject([
        { kind: 'unmatched', operation: 'alarm', message: 'a call of the server was ignored' },
      ])
    }
  })

  it('get bigints with all digits', async () => {
    const seen: unknown[] = []
    const { client, peer } = await connected({}, { count: ([big]: bigint[]) => seen.push(big) })
    await client.echo(1)
    await peer.notify.count?.(123456789012345678901234567890n)
    await peer.notify.count?.(5n)
    await vi.waitFor(() => expect(seen).toEqual([123456789012345678901234567890n, 5n]))
  })

  it.each([
    [{ nothing: () => undefined }, "options.handlers takes no 'nothing'; it takes progress, alarm"],
    [{ alarm: 'loud' }, 'options.handlers.alarm must be a function'],
  ])('are checked when the client is created: %#', (handlers, message) => {
    expect(() => clientOf(ports()[0], handlers)).toThrow(message)
  })
})

describe('the peer of a server', () => {
  it('validates what it sends', async () => {
    const { client, peer } = await connected({})
    await client.echo(1)
    expect(await errorOf(peer.notify.progress?.('one') ?? Promise.resolve())).toMatchObject({
      reason: 'invalid-input',
      message: expect.stringContaining('progress was not sent: step (/0) must be an integer'),
    })
  })

  it('rejects its calls when the connection ends', async () => {
    const [mine, theirs, port] = ports()
    const { peer, closed } = await serveLink(core({}), theirs)
    await clientOf(mine, { ask: () => new Promise(() => undefined) }).echo(1)
    const call = errorOf(peer.call.ask?.({ question: 'who' }) ?? Promise.resolve())
    port.close()
    await closed
    expect(await call).toMatchObject({ name: 'CallError', reason: 'network' })
    expect(await errorOf(peer.notify.alarm?.('low') ?? Promise.resolve())).toMatchObject({
      reason: 'network',
    })
  })

  it('does not exist over HTTP', async () => {
    const seen: unknown[] = []
    const server = core({ work: async (_, { peer }) => `${seen.push(peer)}` })
    const body = '{"jsonrpc":"2.0","id":1,"method":"work","params":[1]}'
    const headers = { 'content-type': 'application/json' }
    await server.handle({ method: 'POST', url: service.rpc?.path ?? '', headers, body })
    expect(seen).toEqual([undefined])
  })
})
