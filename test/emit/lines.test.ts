import { expect, it, test } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const STATES = Array.from({ length: 20 }, (_, at) => `state_${at}`)
const anything = { type: 'object', properties: Object.fromEntries(STATES.map((key) => [key, {}])) }

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

const operation = (at: number) => ({
  post: {
    operationId: `changeTransaction${at}`,
    summary: `Changes it, as [this page](https://example.com/${'a'.repeat(60)}) says, ${'and more '.repeat(20)}`,
    tags: [`group ${at % 3}`],
    parameters: [
      { name: 'transactionIdentifier', in: 'query', schema: { type: 'string' } },
      { name: 'state', in: 'query', schema: { type: 'string', enum: STATES } },
    ],
    requestBody: json({ $ref: '#/components/schemas/TransactionStatusChange' }),
    responses: { 200: { description: 'Changed.', ...json(anything) } },
  },
})

const schemas = {
  TransactionStatusChange: {
    type: 'object',
    properties: { anything, state: { type: 'string', enum: STATES, description: 'The new one.' } },
  },
  TransactionState: { type: 'string', enum: STATES },
}

it.each([
  ['a small', 3],
  ['a large', 120],
])('%s document becomes lines of at most 100 characters', async (_, count) => {
  const paths = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`/things/${at}`, operation(at)]),
  )
  const webhooks = { changed: operation(count) }
  const openapi = { ...openapiOf({ paths, schemas }), openapi: '3.1.0', webhooks }
  const lines = emitAll(await apiOf({ openapi })).flatMap(({ name, text }) =>
    text.split('\n').map((line) => `${name}: ${line}`),
  )
  expect(lines.filter((line) => line.length > 100 + line.indexOf(': ') + 2)).toEqual([])
})

test('a union that is too long for a line has a line for each member', async () => {
  const [types] = emitAll(await apiOf({ openapi: openapiOf({ schemas }) }), [], ['types'])
  expect(types?.text).toContain("export type TransactionState =\n  | 'state_0'\n  | 'state_1'\n")
  expect(types?.text).toContain("  state?:\n    | 'state_0'\n    | 'state_1'\n")
})
