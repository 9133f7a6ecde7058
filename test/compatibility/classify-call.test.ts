import { expect, it } from 'vitest'
import { classifyCall } from '../../src/compatibility/classify-call.js'
import { apiOf, openapiOf, openrpcOf } from '../read/api-of.js'

const classified = async (keys: readonly string[], status: number) => {
  const responses = Object.fromEntries(keys.map((key) => [key, { description: 'A response.' }]))
  const paths = { '/thing': { get: { operationId: 'read', responses } } }
  const api = await apiOf({ openapi: openapiOf({ paths }) })
  const [operation] = api.operations
  if (!operation) throw new Error('no operation')
  const error = { name: 'HttpError', status, message: 'no', issues: [] }
  const sending = { kind: 'thrown', error, exchanges: [] } as const
  const expectation = { isOfError: false, isMock: false, mismatch: undefined, hasKey: true }
  return classifyCall(sending, { label: 'the example', operation, ...expectation }).kind
}

it.each([
  [['200', '404'], 404, 'works'],
  [['200', '4XX'], 404, 'works'],
  [['200', '404', '4XX'], 410, 'works'],
  [['200', '4XX'], 423, 'works'],
  [['200', '4XX'], 428, 'works'],
  [['200', '4XX'], 407, 'works'],
  [['200', '4XX'], 408, 'undecided'],
  [['200'], 503, 'undecided'],
  [['200', '5XX'], 502, 'undecided'],
  [['200', '5XX'], 500, 'breaks'],
  [['200', '404'], 410, 'breaks'],
  [['200', '5XX'], 404, 'breaks'],
  [['200', 'default'], 404, 'breaks'],
  [['200', '4XX'], 400, 'breaks'],
])('of an operation that declares %j, the status %d %s', async (keys, status, kind) => {
  expect(await classified(keys, status)).toBe(kind)
})

const api = await apiOf({
  openapi: openapiOf({
    paths: {
      '/thing': { get: { operationId: 'read', responses: { 200: { description: 'A.' } } } },
    },
  }),
  openrpc: openrpcOf({
    methods: [{ name: 'count', params: [], result: { name: 'r', schema: { type: 'string' } } }],
  }),
})

// The pointer of an issue is relative to the body of HTTP, and to the result of JSON-RPC.
it.each<[id: string, body: unknown, pointer: string, received: string]>([
  ['read', { n: 'a' }, '/n', '"a"'],
  ['read', { jsonrpc: '2.0', id: 1, result: { n: 'a' } }, '/result/n', '"a"'],
  ['read', { jsonrpc: '2.0', result: { n: 'b' }, n: 'a' }, '/n', '"a"'],
  ['count', { jsonrpc: '2.0', id: 1, result: { n: 'a' } }, '/n', '"a"'],
  ['count', { jsonrpc: '2.0', id: 1, result: 'a' }, '', '"a"'],
  ['count', { jsonrpc: '1.0', id: 1, result: { n: 'a' } }, '/n', 'nothing'],
  ['count', { n: 'a' }, '/n', 'nothing'],
  ['count', [{ jsonrpc: '2.0', id: 1, result: { n: 'a' } }], '/n', 'nothing'],
])('%s shows what a client received in %j at %j: %s', (id, body, pointer, received) => {
  const operation = api.operations.find((one) => one.id === id)
  if (!operation) throw new Error('no operation')
  const answer = {
    ...{ status: 200, headers: [], milliseconds: 1 },
    body: Buffer.from(JSON.stringify(body)),
  }
  const sent = { method: 'POST', url: 'http://a.example/', headers: {} }
  const issues = [{ pointer, message: 'must be a number', keyword: 'type' }]
  const found = classifyCall(
    {
      kind: 'thrown',
      error: { name: 'CallError', message: 'invalid', issues },
      exchanges: [{ sent, answer, failure: undefined }],
    },
    {
      ...{ label: 'the example', operation, isOfError: false, isMock: false },
      ...{ mismatch: undefined, hasKey: true },
    },
  )
  expect(found).toMatchObject({ kind: 'breaks', difference: { pointer, received } })
})
