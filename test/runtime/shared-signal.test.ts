import { getEventListeners } from 'node:events'
import { createSubscriptions, serveHandlers } from 'twinspec/runtime/duplex'
import { createRpc, type DuplexLink, type RpcOptions } from 'twinspec/runtime/rpc'
import { expect, it, onTestFinished } from 'vitest'
import { createService } from '../../src/mock/service.js'
import { apiOf, openrpcOf } from '../read/api-of.js'
import { errorOf, service, type TestClient, validators } from './rpc-fixture.js'

/** More than Node allows for one signal without a warning. */
const MANY = 20

/** The warnings of this process, until the test ends. */
const warned = () => {
  const warnings: string[] = []
  const note = ({ name }: Error) => warnings.push(name)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  return warnings
}

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

/** A link on which nothing is answered until `respond` is called. */
const silent = () => {
  const responses: (() => void)[] = []
  const link: DuplexLink = {
    kind: 'duplex',
    open: async ({ text }) => ({
      send: async (sent) => {
        for (const { id } of [JSON.parse(sent)].flat())
          responses.push(() => text(JSON.stringify({ jsonrpc: '2.0', id, result: 'a' })))
      },
      close: async () => undefined,
    }),
  }
  return { link, respond: () => responses.splice(0).forEach((one) => void one()) }
}

it.each<[what: string, options: () => RpcOptions & { readonly respond?: () => void }]>([
  ['a socket', silent],
  [
    'HTTP',
    () => ({
      fetch: (_, init) =>
        new Promise((_, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        }),
    }),
  ],
])(
  'many pending calls over %s have one listener on the signal that they share',
  async (_, options) => {
    const warnings = warned()
    const own = new AbortController()
    const ofClient = new AbortController()
    const { respond, ...rest } = options()
    const client = createRpc<TestClient>(service, validators, { ...rest, signal: ofClient.signal })
    const calls = Array.from({ length: MANY }, () =>
      errorOf(client.with({ signal: own.signal }).nodeSend('a')),
    )
    await new Promise(setImmediate)
    expect(listeners(own.signal)).toBe(1)
    expect(listeners(ofClient.signal)).toBeLessThanOrEqual(2)
    own.abort(new Error('enough'))
    for (const call of calls) expect(await call).toMatchObject({ reason: 'aborted' })
    expect(listeners(own.signal)).toBe(0)
    if (respond) {
      // The next ones listen again, and those that have their responses leave nothing behind.
      const more = new AbortController()
      const last = client.with({ signal: more.signal }).nodeSend('a')
      await new Promise(setImmediate)
      expect(listeners(more.signal)).toBe(1)
      const answering = setInterval(respond, 1)
      expect(await last).toBe('a')
      clearInterval(answering)
      expect(listeners(more.signal)).toBe(0)
    }
    await new Promise(setImmediate)
    expect(warnings).toEqual([])
  },
)

it('many subscriptions have one listener on the signal that they share', async () => {
  const warnings = warned()
  const text = { type: 'string' }
  const param = (name: string) => ({ name, required: true, schema: text })
  const watched = createService(
    await apiOf({
      openrpc: openrpcOf({
        methods: [
          {
            name: 'watch',
            params: [],
            result: { name: 'id', schema: text },
            'x-subscription': {
              unsubscribe: 'unwatch',
              id: '/id',
              notifications: [{ method: 'seen', item: '/item' }],
            },
          },
          { name: 'unwatch', params: [param('id')], result: { name: 'ended', schema: text } },
          {
            name: 'seen',
            'x-direction': 'server',
            paramStructure: 'by-name',
            params: [param('id'), param('item')],
          },
        ],
      }),
    }),
  ).service
  type Client = {
    readonly subscribe: {
      readonly watch: (options: { signal: AbortSignal }) => AsyncIterableIterator<string>
    }
  }
  const { link, respond } = silent()
  const client = createRpc<Client>(watched.rpc as never, watched.validators, { link }, undefined, {
    serveHandlers,
    createSubscriptions,
  })
  const { signal, abort } = withAbort()
  const loops = Array.from({ length: MANY }, () =>
    errorOf(client.subscribe.watch({ signal }).next()),
  )
  await new Promise(setImmediate)
  respond()
  expect(listeners(signal)).toBe(1)
  abort()
  const answering = setInterval(respond, 1)
  for (const loop of loops) expect(await loop).toMatchObject({ reason: 'aborted' })
  clearInterval(answering)
  expect(listeners(signal)).toBe(0)
  expect(warnings).toEqual([])
})

const withAbort = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
