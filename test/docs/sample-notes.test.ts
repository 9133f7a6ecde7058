import { expect, it } from 'vitest'
import { tryData } from '../../src/docs/try-data.js'
import { apiOfData, siteOf } from './site-of.js'

const documents = (schema: object, body?: object) => ({
  openapi: {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/a': {
        post: {
          operationId: 'one',
          parameters: [{ name: 'q', in: 'query', required: true, schema }],
          ...(body && {
            requestBody: { required: true, content: { 'application/json': { schema: body } } },
          }),
          responses: { 204: { description: 'Done.' } },
        },
      },
    },
    components: { schemas: { Name: { type: 'string', examples: ['cats'] } } },
  },
  openrpc: {
    openrpc: '1.3.2',
    info: { title: 'T', version: '1' },
    methods: [
      {
        name: 'two',
        params: [{ name: 'q', required: true, schema }],
        result: { name: 'r', schema: {} },
      },
    ],
    components: { schemas: { Name: { type: 'string', examples: ['cats'] } } },
  },
})

const NOTE = /Generated, because the document has no example: [^.]*\./

it.each<[string, object, boolean]>([
  ['an example', { type: 'string', examples: ['cats'] }, false],
  ['the example of OpenAPI 3.0', { type: 'string', example: 'cats' }, false],
  ['an example of a schema that it refers to', { $ref: '#/components/schemas/Name' }, false],
  ['a default', { type: 'integer', default: 7 }, false],
  ['an example that it rejects', { type: 'integer', examples: ['cats'] }, true],
  ['no example', { type: 'string' }, true],
])('a value that the schema shows is not called generated: %s', async (_, schema, isGenerated) => {
  const { read } = await siteOf(documents(schema))
  expect(NOTE.test(read('operations/one.html'))).toBe(isGenerated)
  expect(NOTE.test(read('operations/two.html'))).toBe(isGenerated)
})

it.each<[string, object, boolean]>([
  [
    'an example of the whole',
    { type: 'object', required: ['a'], properties: { a: {} }, examples: [{ a: 1 }] },
    false,
  ],
  [
    'examples of all parts',
    {
      type: 'object',
      required: ['a', 'b'],
      properties: {
        a: { type: 'string', examples: ['x'] },
        b: { type: 'array', minItems: 1, items: { type: 'integer', examples: [3] } },
      },
    },
    false,
  ],
  [
    'an example of one of two parts',
    {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string', examples: ['x'] }, b: { type: 'integer' } },
    },
    true,
  ],
])('nor is a body: %s', async (_, schema, isGenerated) => {
  const { read } = await siteOf(documents({ type: 'string', examples: ['cats'] }, schema))
  const [note] = NOTE.exec(read('operations/one.html')) ?? []
  expect(note).toBe(
    isGenerated ? 'Generated, because the document has no example: the body.' : undefined,
  )
})

it.each([
  [{ type: 'string', example: 'cats' }, 'for example cats'],
  [{ type: 'integer', default: 7 }, 'for example 7'],
  [{ type: 'string', format: 'date' }, 'string, date'],
  [{ type: ['integer', 'null'] }, 'integer or null'],
  [{ $ref: '#/components/schemas/Name' }, 'for example cats'],
  [{}, undefined],
])('an empty field of the try-it shows what %j allows', async (schema, hint) => {
  const api = await apiOfData(documents(schema))
  const [operation] = api.operations
  const data = operation && tryData(api, operation)
  expect(data?.kind === 'http' && data.parameters[0]?.hint).toBe(hint)
})
