import { expect, it } from 'vitest'
import { classify } from '../../src/conform/outcome.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { createChecker } from '../../src/schema/check.js'
import type { Exchange } from '../../src/traffic/exchange.js'

const api = await loadApi({
  openapi: parseDocument(
    `
openapi: 3.1.0
info: { title: Small, version: '1' }
paths:
  /things:
    post:
      operationId: put
      x-variants:
        one:
          request: { $ref: '#/components/schemas/Wish' }
          responses: [{ $ref: '#/components/schemas/Done' }]
          errors: [{ $ref: '#/components/schemas/Failure' }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Wish' } } } }
      responses: { '200': { description: Answered. } }
  /login:
    post:
      operationId: login
      responses: { '302': { description: Logged in. }, '401': { description: Wrong password. } }
  /jobs:
    post:
      operationId: start
      responses: { '200': { description: Done. }, default: { description: An error. } }
  /pings:
    post:
      operationId: ping
      responses: { default: { description: Any. } }
components:
  schemas:
    Wish: { type: object }
    Done: { type: object, required: [done], properties: { done: { type: boolean } } }
    Failure: { type: object, additionalProperties: false, required: [error], properties: { error: { type: string } } }
`,
    'small.yaml',
  ),
  openrpc: parseDocument(
    '{ openrpc: 1.3.2, info: { title: T, version: "1" }, methods: [{ name: call, params: [], result: { name: r, schema: true }, errors: [{ code: 7, message: No }] }] }',
    'rpc.yaml',
  ),
})
const checker = createChecker(api.schemas)

const exchangeOf = (status: number | undefined, value?: unknown): Exchange => ({
  sent: { method: 'POST', url: 'http://small.test/things', headers: {} },
  answer:
    status === undefined
      ? undefined
      : {
          ...{ status, headers: [], milliseconds: 1 },
          body: new TextEncoder().encode(value === undefined ? '' : JSON.stringify(value)),
        },
  failure: status === undefined ? 'the connection was refused' : undefined,
})

const outcome = (id: string, status: number | undefined, value?: unknown) => {
  const operation = api.operations.find((one) => one.id === id)
  if (!operation) throw new Error('no operation')
  return classify(exchangeOf(status, value), operation, { checker })
}

it.each([
  ['an error of a variant', { error: 'no' }, 'rejected'],
  ['an error of a variant with another property', { error: 'no', hint: 'none' }, 'rejected'],
  ['a response', { done: true }, 'accepted'],
  ['a response with a warning', { done: true, error: 'late' }, 'accepted'],
])('%s under 200', (_, value, kind) => {
  expect(outcome('put', 200, value).kind).toBe(kind)
})

it.each([
  ['put', undefined, { kind: 'none', how: 'the connection was refused', isUnsent: false }],
  ['put', 204, { kind: 'accepted' }],
  ['start', 200, { kind: 'accepted' }],
  ['start', 202, { kind: 'rejected', cause: 'value' }],
  ['ping', 202, { kind: 'accepted' }],
  ['put', 302, { kind: 'redirected', isDeclared: false }],
  ['login', 302, { kind: 'redirected', isDeclared: true }],
  ['put', 400, { kind: 'rejected', cause: 'value' }],
  ['put', 401, { kind: 'rejected', cause: 'caller' }],
  ['login', 401, { kind: 'rejected', cause: 'value' }],
  ['put', 404, { kind: 'rejected', cause: 'not offered' }],
  ['put', 402, { kind: 'rejected', cause: 'caller' }],
  ['put', 407, { kind: 'rejected', cause: 'caller' }],
  ['put', 408, { kind: 'later' }],
  ['put', 423, { kind: 'rejected', cause: 'state' }],
  ['put', 424, { kind: 'rejected', cause: 'state' }],
  ['put', 425, { kind: 'later' }],
  ['put', 428, { kind: 'rejected', cause: 'state' }],
  ['put', 422, { kind: 'rejected', cause: 'value' }],
  ['put', 409, { kind: 'rejected', cause: 'state' }],
  ['put', 429, { kind: 'later' }],
  ['put', 500, { kind: 'failed', isUpstream: false }],
  ['put', 501, { kind: 'rejected', cause: 'not offered' }],
  ['put', 502, { kind: 'failed', isUpstream: true }],
  ['put', 503, { kind: 'later' }],
  ['call', 200, { kind: 'unreadable' }],
  ['call', 500, { kind: 'failed', isUpstream: false }],
  ['call', 404, { kind: 'rejected', cause: 'not offered' }],
])('%s with the status %s', (id, status, expected) => {
  expect(outcome(id, status)).toMatchObject(expected)
})

it.each([
  [{ result: 1 }, { kind: 'accepted' }],
  [{ error: { code: -32602 } }, { kind: 'rejected', cause: 'value', code: -32602 }],
  [{ error: { code: -32601 } }, { kind: 'rejected', cause: 'not offered' }],
  [{ error: { code: -32005 } }, { kind: 'later' }],
  [{ error: { code: 7 } }, { kind: 'rejected', cause: 'other', code: 7 }],
  [{ result: 1, error: null }, { kind: 'accepted' }],
  [
    { result: 1, error: { code: 7 } },
    { kind: 'rejected', cause: 'other', code: 7 },
  ],
  [{ result: 1, error: 'no' }, { kind: 'unreadable' }],
  [{ result: 1, error: { message: 'no' } }, { kind: 'unreadable' }],
  [{ error: { code: 7.5, message: 'no' } }, { kind: 'unreadable' }],
  [{ error: { code: '7', message: 'no' } }, { kind: 'unreadable' }],
  [[{ result: 1 }], { kind: 'unreadable' }],
])('a call with %j', (value, expected) => {
  expect(outcome('call', 200, value)).toMatchObject(expected)
})
