import { expect, it } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { apiOf, openrpcOf } from '../read/api-of.js'
import { diagnose } from './strictest.js'

const text = { type: 'string' }
const returns = { result: { name: 'result', schema: text } }
const param = (name: string, required = true) => ({ name, required, schema: text })

const METHODS = [
  { name: 'work', params: [param('what')], ...returns },
  { name: 'log', params: [param('line'), param('level', false)], 'x-direction': 'server' },
  { name: 'saved', params: [param('file')], paramStructure: 'by-name', 'x-direction': 'server' },
  { name: 'ask', params: [param('question')], 'x-direction': 'server', ...returns },
  { name: 'ping', params: [], 'x-direction': 'both', ...returns },
  { name: 'hint', params: [param('word')], 'x-direction': 'both' },
  {
    name: 'watch',
    params: [param('path'), param('filter', false)],
    ...returns,
    'x-subscription': {
      unsubscribe: 'unwatch',
      id: '/id',
      notifications: [
        { method: 'changed', item: '/change/file' },
        { method: 'counted', item: '/1' },
      ],
    },
  },
  {
    name: 'get_block',
    params: [param('hash'), param('detail', false)],
    result: { name: 'block', schema: {} },
    'x-variants': {
      full: {
        params: { prefixItems: [{}, { const: 'full' }], minItems: 2 },
        result: { type: 'object', properties: { lines: { type: 'array', items: text } } },
      },
      'hash only': { params: { prefixItems: [{}, { const: 'hash' }], minItems: 2 }, result: text },
    },
  },
  { name: 'unwatch', params: [param('id')], ...returns },
  {
    name: 'changed',
    params: [
      param('id'),
      { name: 'change', required: true, schema: { type: 'object', properties: { file: text } } },
    ],
    paramStructure: 'by-name',
    'x-direction': 'server',
  },
  {
    name: 'counted',
    params: [param('id'), { name: 'count', required: true, schema: { type: 'integer' } }],
    'x-direction': 'server',
  },
]

const USE = `import { socketLink } from 'twinspec/runtime/links/socket'
import { serveLink } from 'twinspec/runtime/server'
import { createClient } from './client.js'
import { createRpcClient, type RpcServerHandlers } from './rpc.client.js'
import { createServer, type Handlers, type Peer } from './server.js'

const handlers: RpcServerHandlers = {
  log: ([line, level]) => console.log(line.length, level?.length),
  saved: ({ file }) => console.log(file.length),
  ask: async ([question]) => question,
  ping: () => 'pong',
}
export const rpc = createRpcClient({ link: socketLink('wss://h.example'), handlers })
export const both = createClient({ rpc: { handlers: { ping: () => 'pong' } } })
// @ts-expect-error the result is a text
export const wrong: RpcServerHandlers = { ask: () => 5 }
// @ts-expect-error clients send work
export const foreign: RpcServerHandlers = { work: () => 'done' }

for await (const item of rpc.subscribe.watch('src', undefined, { buffer: 5 })) {
  const shown: string | number = item
  console.log(shown)
  // @ts-expect-error it may be a text
  console.log(item.toFixed())
}
// @ts-expect-error options come after all params
export const early = rpc.subscribe.watch('src', { buffer: 5 })

const full = await rpc.getBlock('0x1', 'full')
console.log(full.lines?.length)
const hash: string = await rpc.getBlock('0x1', 'hash')
const any: unknown = await rpc.getBlock('0x1')
// @ts-expect-error it is not known what a variable detail gives
const lines: string = await rpc.getBlock('0x1', hash)
console.log(any, lines)

const serverHandlers: Handlers = {
  work: async ([what], { peer }) => {
    await peer?.notify.log(what)
    await peer?.notify.saved({ file: what })
    // @ts-expect-error a line is a text
    await peer?.notify.log(5)
    return (await peer?.call.ask(what)) ?? 'nobody'
  },
  ping: (_, { peer }) => peer?.call.ping() ?? 'over HTTP',
  hint: () => undefined,
  getBlock: ([, detail]) => (detail === 'full' ? { lines: [] } : 'hash'),
  watch: async function* ([path]) {
    yield path
    yield 5
  },
}
const server = createServer(serverHandlers)
const { peer } = await serveLink(server, socketLink('wss://h.example'))
export const typed: Peer = peer
await peer.notify.hint('word')
`

it('handlers, subscriptions and the peer of a server have the types of the document', async () => {
  const openrpc = {
    ...openrpcOf({ openrpc: '1.4.1', methods: METHODS }),
    servers: [{ url: 'wss://h.example' }],
  }
  const files = emitAll(await apiOf({ openrpc }), [], ['client', 'server'])
  const texts = new Map(files.map(({ name, text }) => [name, text]))
  expect(diagnose(new Map([...texts, ['use.ts', USE]]))).toEqual([])
  expect(texts.get('operations.ts')).toMatch(
    /sent: \{\s+log,\s+saved,\s+ask,\s+ping,\s+hint,\s+changed,/,
  )
})
