import { createSubscriptions, type SubscribeOptions, serveHandlers } from 'twinspec/runtime/duplex'
import { portLink } from 'twinspec/runtime/links/port'
import {
  createRpc,
  type DuplexLink,
  type LinkEvents,
  type RpcOptions,
  type Warning,
} from 'twinspec/runtime/rpc'
import {
  createServerCore,
  type LinkOptions,
  serveLink,
  toFetchHandler,
} from 'twinspec/runtime/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createService } from '../../src/mock/service.js'
import { apiOf, openrpcOf } from '../read/api-of.js'
import { errorOf } from './rpc-fixture.js'

const text = { type: 'string' }
const integer = { type: 'integer' }
const param = (name: string, schema: object = text, required = true) => ({ name, required, schema })
const returns = (schema: object) => ({ result: { name: 'result', schema } })
const block = {
  type: 'object',
  properties: { number: integer, kind: { enum: ['full', 'light'] } },
  required: ['number'],
}

const METHODS = [
  {
    name: 'subscribe',
    params: [param('what'), param('from', integer, false)],
    ...returns(text),
    'x-subscription': {
      unsubscribe: 'unsubscribe',
      id: '/subscription',
      notifications: [{ method: 'item', item: '/result' }],
    },
  },
  { name: 'unsubscribe', params: [param('id')], ...returns({ type: 'boolean' }) },
  {
    name: 'item',
    params: [param('subscription'), param('result', block)],
    paramStructure: 'by-name',
    'x-direction': 'server',
  },
  {
    name: 'slotSubscribe',
    params: [],
    ...returns(integer),
    'x-subscription': {
      unsubscribe: 'slotUnsubscribe',
      id: '/1/id',
      notifications: [
        { method: 'slot', item: '/0/slot' },
        { method: 'root', item: '/value' },
      ],
    },
  },
  {
    name: 'slotUnsubscribe',
    params: [param('id', integer)],
    paramStructure: 'by-name',
    ...returns({ type: 'null' }),
  },
  {
    name: 'slot',
    params: [
      param('value', { type: 'object', properties: { slot: integer }, required: ['slot'] }),
      param('context', { type: 'object', properties: { id: integer }, required: ['id'] }),
    ],
    'x-direction': 'server',
  },
  {
    name: 'root',
    params: [
      param('value'),
      param('context', { type: 'object', properties: { id: integer }, required: ['id'] }),
    ],
    'x-direction': 'server',
  },
]

const { service } = createService(
  await apiOf({ openrpc: openrpcOf({ openrpc: '1.4.1', methods: METHODS }) }),
)

type Loop<Params extends readonly unknown[], Item> = (
  ...args: [...params: Params, options?: SubscribeOptions]
) => AsyncIterableIterator<Item>

type Client = {
  readonly subscribe: {
    readonly subscribe_: Loop<
      [what: string, from?: number | undefined],
      { readonly number: number }
    >
    readonly slotSubscribe: Loop<[], unknown>
  }
  readonly with: (options: object) => Client
}

const clientOf = (link: DuplexLink | undefined, options: RpcOptions = {}): Client => {
  const { rpc, validators } = service
  if (!rpc) throw new TypeError('the document has methods')
  return createRpc<Client>(rpc, validators, { link, retry: { delay: 0 }, ...options }, undefined, {
    serveHandlers,
    createSubscriptions,
  })
}

/** A server that the test plays: it sees each call, and sends what the test says. */
const played = (respond: (call: { id: number; method: string; params: unknown }) => unknown) => {
  const openings: LinkEvents[] = []
  const calls: unknown[] = []
  const link: DuplexLink = {
    kind: 'duplex',
    open: async (events) => {
      openings.push(events)
      return {
        send: async (sent) => {
          const { id, method, params } = JSON.parse(sent)
          calls.push([method, params])
          const result = respond({ id, method, params })
          if (result !== undefined) events.text(JSON.stringify({ jsonrpc: '2.0', id, result }))
        },
        close: async () => events.closed(),
      }
    },
  }
  const send = (id: unknown, number: unknown) =>
    openings.at(-1)?.text(
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'item',
        params: { subscription: id, result: { number } },
      }),
    )
  return { link, calls, openings, send, close: () => openings.at(-1)?.closed('cut') }
}

const take = async <Item>(items: AsyncIterable<Item>, count: number): Promise<readonly Item[]> => {
  const taken: Item[] = []
  for await (const item of items) if (taken.push(item) === count) break
  return taken
}
const numbers = (items: readonly { readonly number: number }[]) => items.map(({ number }) => number)

describe('a subscription of a client', () => {
  it('yields its items, and ends on the server when its loop is left', async () => {
    const server = played(({ method }) => (method === 'subscribe' ? 'a' : true))
    const items = take(clientOf(server.link).subscribe.subscribe_('blocks', 5), 2)
    await vi.waitFor(() => expect(server.calls).toHaveLength(1))
    await Promise.resolve()
    for (const number of [1, 2]) server.send('a', number)
    expect(numbers(await items)).toEqual([1, 2])
    expect(server.calls).toEqual([
      ['subscribe', ['blocks', 5]],
      ['unsubscribe', ['a']],
    ])
  })

  it('gets the items that arrive before the id, and those of no other subscription', async () => {
    const server = played(({ method, params }) => {
      if (method === 'subscribe') {
        const [what] = params as [string]
        server.send(what, 1)
        server.send('other', 99)
        setTimeout(() => server.send(what, 2), 5)
        return what
      }
      return true
    })
    const client = clientOf(server.link)
    const both = ['x', 'y'].map((what) => take(client.subscribe.subscribe_(what), 2))
    expect((await Promise.all(both)).map(numbers)).toEqual([
      [1, 2],
      [1, 2],
    ])
  })

  it('that has the id of another one ends with its last loop', async () => {
    const server = played(({ method }) => (method === 'subscribe' ? 'same' : true))
    const client = clientOf(server.link)
    const [one, two] = [1, 3].map((count) => take(client.subscribe.subscribe_('x'), count))
    await vi.waitFor(() => expect(server.calls).toHaveLength(2))
    await new Promise((resolve) => setTimeout(resolve, 5))
    server.send('same', 1)
    expect(numbers((await one) ?? [])).toEqual([1])
    expect(server.calls).toHaveLength(2)
    for (const number of [2, 3]) server.send('same', number)
    expect(numbers((await two) ?? [])).toEqual([1, 2, 3])
    expect(server.calls).toHaveLength(3)
  })

  it('is renewed after a reconnection, with a report of the gap between the items', async () => {
    let count = 0
    const server = played(({ method }) => (method === 'subscribe' ? `id ${++count}` : true))
    const log: unknown[] = []
    const onGap = (gap: unknown) => log.push(gap)
    const items = clientOf(server.link).subscribe.subscribe_('x', undefined, { onGap })
    const loop = (async () => {
      for await (const { number } of items) {
        log.push(number)
        if (number === 4) break
      }
    })()
    const ready = (n: number) => vi.waitFor(() => expect(server.openings).toHaveLength(n))
    await ready(1)
    await new Promise((resolve) => setTimeout(resolve, 5))
    server.send('id 1', 1)
    server.send('id 1', 2)
    const [first] = server.openings
    server.close()
    await ready(2)
    await new Promise((resolve) => setTimeout(resolve, 5))
    first?.text(
      '{"jsonrpc":"2.0","method":"item","params":{"subscription":"id 2","result":{"number":9}}}',
    )
    server.send('id 1', 8)
    server.send('id 2', 3)
    server.send('id 2', 4)
    await loop
    expect(log).toEqual([1, 2, { reason: 'reconnect' }, 3, 4])
    expect(server.calls.at(-1)).toEqual(['unsubscribe', ['id 2']])
  })

  it('is renewed again and again, until it fails too often in succession', async () => {
    let isUp = true
    const server = played(({ method }) => {
      if (!isUp) {
        server.close()
        return undefined
      }
      return method === 'subscribe' ? 'a' : true
    })
    const options = { attempts: 3 }
    const loop = errorOf(
      take(
        clientOf(server.link, { retry: { delay: 1, attempts: 1 } }).subscribe.subscribe_(
          'x',
          undefined,
          options,
        ),
        100,
      ),
    )
    for (let count = 1; count <= 20; count += 1) {
      await vi.waitFor(() => expect(server.calls).toHaveLength(count))
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (count === 20) isUp = false
      server.close()
    }
    expect(await loop).toMatchObject({ name: 'CallError', reason: 'network' })
    expect(server.calls).toHaveLength(23)
  })

  it('throws what the server responds to the first call, and tries no more', async () => {
    const refuse = ({ id }: { id: number }) => {
      server.openings[0]?.text(
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }),
      )
    }
    const server = played(refuse)
    expect(await errorOf(take(clientOf(server.link).subscribe.subscribe_('x'), 1))).toMatchObject({
      code: -32601,
    })
    expect(server.calls).toHaveLength(1)
  })

  it.each([
    ['error', 0, ['1', '2', 'more than 3 items wait']],
    ['drop-oldest', 3, ['{"reason":"overflow","dropped":3}', '4', '5', '6']],
  ] as const)('whose loop is too slow follows `overflow`: %s', async (overflow, begin, want) => {
    const server = played(({ method }) => (method === 'subscribe' ? 'a' : true))
    const log: string[] = []
    const onGap = (gap: unknown) => log.push(JSON.stringify(gap))
    const items = clientOf(server.link).subscribe.subscribe_('x', undefined, {
      buffer: 3,
      overflow,
      onGap,
    })
    const first = items.next()
    await vi.waitFor(() => expect(server.calls).toHaveLength(1))
    await new Promise((resolve) => setTimeout(resolve, 5))
    for (const number of [0, 1, 2, 3, 4, 5]) server.send('a', number)
    expect((await first).value).toEqual({ number: begin })
    if (overflow === 'drop-oldest') server.send('a', 6)
    try {
      for await (const { number } of items) {
        log.push(`${number}`)
        if (number === 6) break
      }
    } catch (error) {
      log.push((error as Error).message.match(/more than 3 items wait/)?.[0] ?? String(error))
      expect(error).toMatchObject({ name: 'CallError', reason: 'overflow' })
    }
    expect(log).toEqual(want)
    await vi.waitFor(() => expect(server.calls.at(-1)).toEqual(['unsubscribe', ['a']]))
  })

  it('validates items: what is tolerated is reported, what is not ends the loop', async () => {
    const server = played(({ method }) => (method === 'subscribe' ? 'a' : true))
    const warnings: Warning[] = []
    const client = clientOf(server.link, { onWarning: (one) => warnings.push(one) })
    const items = client.subscribe.subscribe_('x')
    const first = items.next()
    await vi.waitFor(() => expect(server.calls).toHaveLength(1))
    await new Promise((resolve) => setTimeout(resolve, 5))
    server.openings[0]?.text(
      '{"jsonrpc":"2.0","method":"item","params":{"subscription":"a","result":{"number":1,"kind":"new","more":2}}}',
    )
    server.send('a', 'one')
    expect((await first).value).toEqual({ number: 1, kind: 'new', more: 2 })
    expect(await errorOf(items.next())).toMatchObject({
      name: 'CallError',
      reason: 'invalid-answer',
      message: expect.stringContaining('/result/number must be an integer'),
    })
    expect(warnings.map(({ operation }) => operation)).toEqual(['item'])
    await vi.waitFor(() => expect(server.calls.at(-1)).toEqual(['unsubscribe', ['a']]))
  })

  it('that is left while it begins ends on the server as soon as its id is known', async () => {
    const held: (() => void)[] = []
    const server = played(({ id, method }) => {
      if (method !== 'subscribe') return true
      held.push(() =>
        server.openings[0]?.text(JSON.stringify({ jsonrpc: '2.0', id, result: 'late' })),
      )
      return undefined
    })
    const items = clientOf(server.link).subscribe.subscribe_('x')
    const next = items.next()
    await vi.waitFor(() => expect(held).toHaveLength(1))
    await items.return?.()
    expect(await next).toEqual({ done: true, value: undefined })
    held[0]?.()
    await vi.waitFor(() => expect(server.calls.at(-1)).toEqual(['unsubscribe', ['late']]))
  })

  it('ends with its signal', async () => {
    const server = played(({ method }) => (method === 'subscribe' ? 'a' : true))
    const controller = new AbortController()
    const { signal } = controller
    const loop = errorOf(
      take(clientOf(server.link).subscribe.subscribe_('x', undefined, { signal }), 1),
    )
    await vi.waitFor(() => expect(server.calls).toHaveLength(1))
    controller.abort(new Error('enough'))
    expect(await loop).toMatchObject({ reason: 'aborted', cause: { message: 'enough' } })
    await vi.waitFor(() => expect(server.calls.at(-1)).toEqual(['unsubscribe', ['a']]))
  })

  it('needs a duplex link', async () => {
    const client = clientOf(undefined, { server: 'http://h.example' })
    expect(await errorOf(take(client.subscribe.subscribe_('x'), 1))).toMatchObject({
      reason: 'invalid-input',
      message: 'subscribe: subscriptions need a duplex link, such as a WebSocket',
    })
  })

  it('leaves notifications without a loop to handlers and to onWarning', async () => {
    const server = played(() => 'a')
    const warnings: Warning[] = []
    const seen: unknown[] = []
    const client = clientOf(server.link, {
      onWarning: (one) => warnings.push(one),
      handlers: { item: (params: unknown) => seen.push(params) },
    })
    const items = client.subscribe.subscribe_('x')
    void items.next()
    await vi.waitFor(() => expect(server.calls).toHaveLength(1))
    await new Promise((resolve) => setTimeout(resolve, 5))
    server.send('unknown', 1)
    server.openings[0]?.text('{"jsonrpc":"2.0","method":"root","params":["v",{"id":5}]}')
    await vi.waitFor(() =>
      expect(seen).toEqual([{ subscription: 'unknown', result: { number: 1 } }]),
    )
    expect(warnings).toMatchObject([{ kind: 'unmatched', operation: 'root' }])
    await items.return?.()
  })
})

type Handler = (params: never, context: { readonly signal: AbortSignal }) => unknown

const connected = async (handlers: Readonly<Record<string, Handler>>, limits: LinkOptions = {}) => {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => {
    port1.close()
    port2.close()
  })
  const errors: unknown[] = []
  const core = createServerCore(
    service,
    { subscribe_: () => 'none', slotSubscribe: () => 0, ...handlers } as never,
    { onError: (error) => errors.push(error) },
  )
  const served = await serveLink(core, portLink(port2), limits)
  return { client: clientOf(portLink(port1)), core, errors, served, port1 }
}

/** Counts up from a number, and records when its reader left. */
const counter = (left: unknown[], most = Number.POSITIVE_INFINITY) =>
  async function* ([what, from = 1]: [string, number?]) {
    try {
      for (let number = from; number < from + most; number += 1) {
        yield { number }
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    } finally {
      left.push(what)
    }
  }

describe('a subscription of a server', () => {
  it('sends what the iterable of its handler yields, until the client leaves', async () => {
    const left: unknown[] = []
    const { client } = await connected({ subscribe_: counter(left) })
    const [one, two] = await Promise.all([
      take(client.subscribe.subscribe_('a'), 3),
      take(client.subscribe.subscribe_('b', 7), 3),
    ])
    expect([one, two].map(numbers)).toEqual([
      [1, 2, 3],
      [7, 8, 9],
    ])
    await vi.waitFor(() => expect(left.sort()).toEqual(['a', 'b']))
  })

  it('sends each item by the notification that takes it, with the id at its place', async () => {
    async function* slots() {
      yield 5
      yield 'root of 5'
      await new Promise(() => undefined)
    }
    const { client } = await connected({ slotSubscribe: slots })
    const items = client.subscribe.slotSubscribe()
    expect([(await items.next()).value, (await items.next()).value]).toEqual([5, 'root of 5'])
  })

  it('ends with its connection', async () => {
    const left: unknown[] = []
    const { client, port1, served } = await connected({ subscribe_: counter(left) })
    await client.subscribe.subscribe_('a').next()
    port1.close()
    await served.closed
    await vi.waitFor(() => expect(left).toEqual(['a']))
  })

  it('whose iterable throws is reported, and ends', async () => {
    async function* broken() {
      yield { number: 1 }
      throw new Error('the source broke')
    }
    const { client, errors } = await connected({ subscribe_: broken })
    expect(numbers(await take(client.subscribe.subscribe_('a'), 1))).toEqual([1])
    await vi.waitFor(() => expect(errors.map(String)).toEqual(['Error: the source broke']))
  })

  it('is limited in number for each connection', async () => {
    const left: unknown[] = []
    const { client } = await connected({ subscribe_: counter(left) }, { subscriptions: 2 })
    const open = [client.subscribe.subscribe_('a'), client.subscribe.subscribe_('b')]
    for (const one of open) await one.next()
    expect(await errorOf(client.subscribe.subscribe_('c').next())).toMatchObject({
      code: -32005,
      message: expect.stringContaining('at most 2'),
    })
    await open[0]?.return?.()
    await client.subscribe.subscribe_('d').next()
  })

  it('needs a connection: over HTTP the call is rejected, and the iterable is ended', async () => {
    const left: unknown[] = []
    async function* never() {
      try {
        yield { number: 1 }
      } finally {
        left.push('left')
      }
    }
    const { core } = await connected({ subscribe_: never })
    const response = await toFetchHandler(core)(
      new Request(`http://h.example${service.rpc?.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"subscribe","params":["a"]}',
      }),
    )
    expect(await response.json()).toMatchObject({ error: { code: -32601 } })
  })
})
