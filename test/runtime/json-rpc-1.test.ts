import type { RpcOptions } from 'twinspec/runtime/rpc'
import { createServerCore, toFetchHandler } from 'twinspec/runtime/server'
import { expect, onTestFinished } from 'vitest'
import { createService } from '../../src/mock/service.js'
import { apiOf, openrpcOf } from '../read/api-of.js'
import { createTestClient, errorOf, test } from './rpc-fixture.js'

/** A client of a node of 1.0 that responds to a text; it sees each text. */
const speaking = (
  respond: (text: string) => string,
  { status = 200, ...options }: RpcOptions & { readonly status?: number } = {},
) => {
  const sent: string[] = []
  const client = createTestClient({
    jsonRpc: '1.0',
    fetch: async (_, init) => {
      const text = String(init?.body)
      sent.push(text)
      const headers = { 'content-type': 'application/json' }
      return new Response(respond(text), { status, headers })
    },
    ...options,
  })
  return { client, sent }
}

const idOf = (text: string): unknown => JSON.parse(text).id

test('a request has no version, and a response has both members', async () => {
  const { client, sent } = speaking((text) => `{"result":"0x1","error":null,"id":${idOf(text)}}`)
  expect(await client.nodeHeight()).toBe('0x1')
  expect(await client.nodeSend('a "jsonrpc":"2.0", b')).toBe('0x1')
  expect(sent.map((text) => JSON.parse(text))).toEqual([
    { id: 1, method: 'node_height', params: [] },
    { id: 2, method: 'node_send', params: ['a "jsonrpc":"2.0", b'] },
  ])
})

test.each([200, 404, 500])('an error is an RpcError, whatever its status (%s)', async (status) => {
  const error = { code: -5, message: 'Block not found' }
  const { client } = speaking((text) => JSON.stringify({ result: null, error, id: idOf(text) }), {
    status,
  })
  expect(await errorOf(client.nodeSend('a'))).toMatchObject({ name: 'RpcError', ...error })
})

test('a batch is a list', async () => {
  const { client, sent } = speaking((text) => {
    const [first, second] = JSON.parse(text)
    return JSON.stringify([
      { result: null, error: { code: -1, message: 'no' }, id: second.id },
      { result: 'one', error: null, id: first.id },
    ])
  })
  const both = await client.batch((b) => Promise.all([b.nodeSend('a'), errorOf(b.nodeSend('b'))]))
  expect(both).toMatchObject(['one', { code: -1 }])
  expect(sent[0]).toBe(
    '[{"id":1,"method":"node_send","params":["a"]},{"id":2,"method":"node_send","params":["b"]}]',
  )
})

test('a notification has the id null, and its response is not read', async () => {
  const { client, sent } = speaking(() => '{"result":"done","error":null,"id":null}')
  expect(await client.notify('node_send', ['a'])).toBe(undefined)
  expect(JSON.parse(sent[0] ?? '')).toEqual({ id: null, method: 'node_send', params: ['a'] })
})

test('long numbers have all their digits', async () => {
  const { client } = speaking(
    (text) => `{"result":[12345678901234567890, "~1:5", 1.5],"error":null,"id":${idOf(text)}}`,
    { integers: 'bigint', validate: { request: 'off', response: 'off' } },
  )
  expect(await client.nodeHeight()).toEqual([12345678901234567890n, '~1:5', 1.5])
})

test('params by name are not sent; none are an empty list', async () => {
  const { client, sent } = speaking((text) => `{"result":[],"error":null,"id":${idOf(text)}}`)
  expect(await errorOf(client.nodeFind({ topic: 'a' }))).toMatchObject({
    name: 'CallError',
    reason: 'invalid-input',
    message:
      'node_find was not sent: node_find has params by name, and JSON-RPC 1.0 has only those by position: pass a list',
  })
  expect(await client.nodeRecent()).toEqual([])
  expect(sent).toEqual(['{"id":2,"method":"node_recent","params":[]}'])
})

test.each([
  '{"id":1}',
  '{"result":1,"error":{"code":1,"message":"both"},"id":1}',
  '{"result":null,"error":"a text","id":1}',
  'no JSON',
])('what is no response of 1.0 is malformed: %s', async (text) => {
  const { client } = speaking(() => text)
  expect(await errorOf(client.nodeSend('a'))).toMatchObject({
    name: 'CallError',
    reason: 'malformed-answer',
  })
})

test('servers that respond in 2.0 are understood', async () => {
  const { client } = speaking((text) => `{"jsonrpc":"2.0","result":"0x2","id":${idOf(text)}}`)
  expect(await client.nodeHeight()).toBe('0x2')
})

test('a server with the option jsonRpc1 is called', async () => {
  const { service } = createService(
    await apiOf({
      openrpc: openrpcOf({
        methods: [{ name: 'node_height', params: [], result: { name: 'height', schema: {} } }],
      }),
    }),
  )
  const handle = toFetchHandler(
    createServerCore(service, { nodeHeight: () => '0x3' } as never, { jsonRpc1: true }),
  )
  const client = createTestClient({
    jsonRpc: '1.0',
    fetch: (_, init) => handle(new Request(`http://node.example${service.rpc?.path}`, init)),
  })
  expect(await client.nodeHeight()).toBe('0x3')
})

test('a duplex link speaks 2.0 only', async () => {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => [port1, port2].forEach((port) => void port.close()))
  const { portLink } = await import('twinspec/runtime/links/port')
  const client = createTestClient({ jsonRpc: '1.0', link: portLink(port1) })
  expect(await errorOf(client.nodeHeight())).toMatchObject({
    reason: 'invalid-input',
    message: expect.stringContaining("options.jsonRpc '1.0' is for HTTP"),
  })
})
