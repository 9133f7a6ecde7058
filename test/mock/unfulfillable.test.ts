import { expect, it } from 'vitest'
import { startMock } from '../../src/mock/mock.js'
import { apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'

const none = { type: 'integer', minimum: 5, maximum: 1 }
const content = (schema: object, rest: object = {}) => ({
  200: { description: 'It.', content: { 'application/json': { schema, ...rest } } },
})

it.each<[string, object, object]>([
  ['no value', none, {}],
  ['no value of a required property', { required: ['a'], properties: { a: none } }, {}],
  ['no value and a wrong example', none, { example: 7 }],
  ['no value of any branch', { oneOf: [none, false] }, {}],
  ['only itself', { $ref: '#/components/schemas/Endless' }, {}],
])(
  'a response whose schema has %s is not said to lack an example alone',
  async (_, schema, rest) => {
    const Endless = {
      type: 'object',
      required: ['a'],
      properties: { a: { $ref: '#/components/schemas/Endless' } },
    }
    const mock = await startMock(
      await apiOf({
        openapi: openapiOf({
          paths: { '/a': { get: { operationId: 'a', responses: content(schema, rest) } } },
          schemas: { Endless },
        }),
        openrpc: openrpcOf({
          methods: [method('b', [], { name: 'r', schema })],
          schemas: { Endless },
        }),
      }),
    )
    try {
      const said =
        'that its schema accepts, and no value was found that it does: correct the schema, or add an example'
      const response = await fetch(`${mock.httpUrl}/a`)
      expect(await response.text()).toContain(
        `the document has no example of a response of a ${said}`,
      )
      const call = await fetch(mock.rpcUrl ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'b', params: [] }),
      })
      expect(await call.text()).toContain(`the document has no example of a result of b ${said}`)
    } finally {
      await mock.stop()
    }
  },
)
