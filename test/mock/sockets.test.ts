import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { type Mock, type MockServerOptions, startMock } from '../../src/mock/mock.js'
import type { Api } from '../../src/model/api.js'
import { apiOf, openrpcOf } from '../read/api-of.js'

const text = { type: 'string' }
const variant = (kind: string, result: object, item: object) => ({
  params: { prefixItems: [{ const: kind }] },
  result,
  item,
})
const param = (name: string, schema: object, required = true) => ({ name, schema, required })
const Head = { type: 'object', required: ['number'], properties: { number: { type: 'integer' } } }
const Log = { type: 'object', required: ['address'], properties: { address: text } }
const example = (params: object, result?: unknown) => ({
  name: JSON.stringify(params),
  params: Object.entries(params).map(([name, value]) => ({ name, value })),
  ...(result !== undefined && { result: { name: 'result', value: result } }),
})

const methods = [
  {
    name: 'start',
    paramStructure: 'by-position',
    params: [param('kind', { enum: ['heads', 'logs', 'other'] }), param('filter', {}, false)],
    result: { name: 'id', schema: text },
    'x-subscription': {
      unsubscribe: 'stop',
      id: '/subscription',
      notifications: [{ method: 'sent', item: '/result' }],
    },
    'x-variants': { heads: variant('heads', text, Head), logs: variant('logs', text, Log) },
  },
  {
    name: 'stop',
    params: [param('id', text)],
    result: { name: 'ended', schema: { type: 'boolean' } },
  },
  {
    name: 'sent',
    'x-direction': 'server',
    paramStructure: 'by-name',
    params: [param('subscription', text), param('result', { anyOf: [Head, Log] })],
    examples: [
      example({ subscription: 'a', result: { number: 7 } }),
      example({ subscription: 'a', result: { number: 8 } }),
    ],
  },
  {
    name: 'block',
    paramStructure: 'either',
    params: [param('number', { type: 'integer' }), param('full', { type: 'boolean' }, false)],
    result: { name: 'block', schema: {} },
    'x-variants': {
      whole: { params: { prefixItems: [true, { const: true }], minItems: 2 }, result: Log },
      hash: { params: { prefixItems: [true, { const: false }] }, result: text },
    },
    examples: [
      example({ number: 1, full: true }, { address: 'of block 1' }),
      example({ number: 1, full: false }, 'hash of block 1'),
    ],
  },
]

const documentOf = (rest: object = {}, which: readonly object[] = methods) => ({
  ...openrpcOf({ methods: which }),
  servers: [{ url: 'ws://chain.example/rpc' }],
  ...rest,
})

const mocked = async (api: Api, options: MockServerOptions = {}): Promise<Mock> => {
  const mock = await startMock(api, { pushInterval: 10, ...options })
  onTestFinished(() => mock.stop())
  return mock
}

/** A connection to a mock: what arrived, and a function that calls a method. */
const connected = async ({ socketUrl = '' }: Mock) => {
  const socket = new WebSocket(socketUrl)
  const messages: {
    id?: number
    method?: string
    params: { subscription: string; result: unknown }
  }[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await once(socket, 'open')
  let last = 0
  const until = async <T>(find: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      await once(socket, 'message')
    }
  }
  return {
    socket,
    messages,
    call: async (method: string, params: unknown) => {
      last += 1
      const id = last
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      return await until(() => messages.find((one) => one.id === id))
    },
    /** The items of a subscription, when there are as many. */
    items: (id: unknown, count: number) =>
      until(() => {
        const own = messages.flatMap(({ method, params }) =>
          method === 'sent' && params.subscription === id ? [params.result] : [],
        )
        return own.length >= count ? own.slice(0, count) : undefined
      }),
  }
}

describe('a mock over WebSocket', () => {
  it('pushes the items of examples until it is unsubscribed', async () => {
    const mock = await mocked(await apiOf({ openrpc: documentOf() }))
    expect(mock.socketUrl).toBe(`${mock.url.replace('http', 'ws')}/rpc`)
    const { call, items, messages } = await connected(mock)
    const { result: id } = (await call('start', ['heads'])) as { result?: unknown }
    expect(await items(id, 3)).toEqual([{ number: 7 }, { number: 8 }, { number: 7 }])
    expect(await call('stop', [id])).toMatchObject({ result: true })
    const before = messages.length
    await pause(50)
    expect(messages.length).toBe(before)
    expect(await call('stop', [id])).toMatchObject({ result: false })
  })

  it('samples the items of a variant that no example has, beside another subscription', async () => {
    const { call, items } = await connected(await mocked(await apiOf({ openrpc: documentOf() })))
    const [logs, heads] = (await Promise.all([
      call('start', ['logs']),
      call('start', ['heads']),
    ])) as {
      result?: unknown
    }[]
    const [log] = await items(logs?.result, 1)
    expect(log).toEqual({ address: expect.any(String) })
    expect(await items(heads?.result, 1)).toEqual([{ number: 7 }])
  })

  it.each([
    ['an example with the same params', [1, true], { address: 'of block 1' }],
    ['an example of the variant of other params', [2, false], 'hash of block 1'],
    ['params by name', { number: 2, full: true }, { address: 'of block 1' }],
    ['a sample, where no example has the variant', [2], null],
    ['a variant with a skipped param', [2, null], null],
  ])('answers by %s', async (_, params, result) => {
    const { call } = await connected(await mocked(await apiOf({ openrpc: documentOf() })))
    const answer = await call('block', params)
    if (result === null) expect(answer).toHaveProperty('result')
    else expect(answer).toMatchObject({ result })
  })

  it('rejects params, unknown methods and frames that are no JSON, and the connection lives', async () => {
    const { call, socket, messages } = await connected(
      await mocked(await apiOf({ openrpc: documentOf() })),
    )
    expect(await call('start', ['blocks'])).toMatchObject({ error: { code: -32602 } })
    expect(await call('begin', [])).toMatchObject({ error: { code: -32601 } })
    socket.send('{')
    await once(socket, 'message')
    expect(messages.at(-1)).toMatchObject({ id: null, error: { code: -32700 } })
    expect(await call('stop', ['none'])).toMatchObject({ result: false })
  })

  it('is logged, and ends with the mock', async () => {
    const lines: string[] = []
    const mock = await startMock(await apiOf({ openrpc: documentOf() }), {
      onLog: (line) => lines.push(line),
    })
    const { socket } = await connected(mock)
    const closed = once(socket, 'close')
    await mock.stop()
    expect((await closed)[0]).toBe(1001)
    expect(lines).toEqual(['WebSocket opened', 'WebSocket closed'])
  })

  it('is served at the path of each server', async () => {
    const servers = [
      { url: 'wss://chain.example/rpc' },
      { url: 'https://other.example/v2/{key}', variables: { key: { default: 'k' } } },
    ]
    const mock = await mocked(await apiOf({ openrpc: documentOf({ servers }) }))
    const { call } = await connected({
      ...mock,
      socketUrl: `${mock.url.replace('http', 'ws')}/v2/mine`,
    })
    expect(await call('block', [1, true])).toHaveProperty('result')
  })

  it.each([
    [
      'a document without ws: servers and server methods',
      { servers: [{ url: 'https://h.example' }] },
      methods.slice(3),
      undefined,
    ],
    ['methods that the server sends', { servers: [{ url: 'https://h.example' }] }, methods, 'ws:'],
    ['a ws: server', {}, methods.slice(3), 'ws:'],
  ])('%s', async (_, rest, which, protocol) => {
    const { socketUrl, lacksSockets } = await mocked(
      await apiOf({ openrpc: documentOf(rest, which) }),
    )
    expect(socketUrl && new URL(socketUrl).protocol).toBe(protocol)
    expect(lacksSockets).toBe(undefined)
  })

  it('says that it needs the package ws, and serves HTTP without it', async () => {
    const loadSockets = async () => {
      throw Object.assign(new Error("Cannot find package 'ws'"), { code: 'ERR_MODULE_NOT_FOUND' })
    }
    const mock = await mocked(await apiOf({ openrpc: documentOf() }), { loadSockets })
    expect(mock).toMatchObject({ lacksSockets: 'package' })
    expect(mock).not.toHaveProperty('socketUrl')
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'block', params: [1, true] })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(mock.rpcUrl ?? '', { method: 'POST', headers, body })
    expect(await response.json()).toMatchObject({ result: { address: 'of block 1' } })
  })

  it('names a subscription for which there are no items', async () => {
    const never = [
      ...methods.slice(0, 2),
      {
        name: 'sent',
        'x-direction': 'server',
        paramStructure: 'by-name',
        params: [param('subscription', text), param('result', { not: {} })],
      },
    ]
    const withoutVariants = never.map(({ 'x-variants': _, ...one }: Record<string, unknown>) => one)
    const mock = await mocked(await apiOf({ openrpc: documentOf({}, withoutVariants) }))
    expect(mock.notMocked.map(({ message }) => message)).toEqual([
      'no item is sent to subscribers of start: no value can be generated from its schema; correct the schema, or add an example to the notification',
    ])
  })
})
