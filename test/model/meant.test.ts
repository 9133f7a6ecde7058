import { expect, it } from 'vitest'
import { apiOf, openapiOf } from './api-of.js'

it.each([
  ['Example Objects', { one: { value: { n: 1 } }, two: { value: 2 } }, ['one', 'two']],
  ['values', { one: { n: 1 }, two: 2 }, ['one', 'two']],
  ['a list of values', [{ n: 1 }, 2], ['example1', 'example2']],
  ['a list of Example Objects', [{ value: { n: 1 } }, { value: 2 }], ['example1', 'example2']],
])('examples of a body are read if they are %s', async (_what, examples, names) => {
  const content = { 'application/json': { schema: {}, examples } }
  const responses = { 200: { description: 'Read.', content } }
  const { operations } = await apiOf({
    openapi: openapiOf({ paths: { '/a': { get: { operationId: 'read', responses } } } }),
  })
  const [read] = operations
  if (read?.kind !== 'http') throw new Error('the operation was not read')
  const found = read.responses[0]?.content[0]?.examples ?? []
  expect(found.map(({ name }) => name)).toEqual(names)
  expect(found.map(({ value }) => value)).toEqual([{ n: 1 }, 2])
})

it('a parameter has the schema that its own keywords describe, as in Swagger 2.0', async () => {
  const responses = { 200: { description: 'Read.' } }
  const parameters = [
    { name: 'sort', in: 'query', type: 'string', enum: ['asc', 'desc'] },
    { name: 'ids', in: 'query', type: 'array', items: { type: 'integer' } },
    { name: 'open', in: 'query' },
  ]
  const { operations } = await apiOf({
    openapi: openapiOf({
      paths: { '/a': { get: { operationId: 'read', parameters, responses } } },
    }),
  })
  const [read] = operations
  if (read?.kind !== 'http') throw new Error('the operation was not read')
  expect(read.parameters.map(({ schema }) => schema)).toEqual([
    { type: 'string', enum: ['asc', 'desc'] },
    { type: 'array', items: { type: 'integer' } },
    true,
  ])
})

it.each([
  ['a media type', { content: { 'application/json': { schema: { type: 'string' } } } }],
  ['the place of a media type', { content: { 'application/json': { type: 'string' } } }],
  ['a response, as in Swagger 2.0', { schema: { type: 'string' } }],
])('the schema of a body may be in %s', async (_what, body) => {
  const responses = { 200: { description: 'Read.', ...body } }
  const { operations } = await apiOf({
    openapi: openapiOf({ paths: { '/a': { get: { operationId: 'read', responses } } } }),
  })
  const [read] = operations
  if (read?.kind !== 'http') throw new Error('the operation was not read')
  expect(read.responses[0]?.content).toMatchObject([
    { type: 'application/json', schema: { type: 'string' } },
  ])
})

it.each([
  [
    { type: 'apikey', in: 'header', name: 'k' },
    { kind: 'key', in: 'header', parameter: 'k' },
  ],
  [{ type: 'basic' }, { kind: 'basic' }],
  [{ type: 'Bearer' }, { kind: 'bearer' }],
  [{ type: 'HTTP', scheme: 'Basic' }, { kind: 'basic' }],
  [{ type: 'token' }, { kind: 'outside', type: 'token' }],
])('the security scheme %j is read as meant', async (scheme, expected) => {
  const responses = { 200: { description: 'Read.' } }
  const { operations } = await apiOf({
    openapi: openapiOf({
      paths: { '/a': { get: { operationId: 'read', responses, security: [{ k: [] }] } } },
      components: { securitySchemes: { k: scheme } },
    }),
  })
  const [read] = operations
  expect(read?.kind === 'http' && read.schemes.k).toEqual(expected)
})

it('paths, methods and places of parameters are read as they are meant', async () => {
  const responses = { 200: { description: 'Done.' } }
  const order = { type: 'object', properties: { n: { type: 'integer' } } }
  const { operations } = await apiOf({
    openapi: openapiOf({
      paths: {
        'orders/{id}': {
          parameters: [{ name: 'id', in: 'Path', required: true, schema: { type: 'integer' } }],
          GET: {
            operationId: 'read',
            parameters: [{ name: 'X-Trace', in: 'Header', schema: { type: 'string' } }],
            security: [{ key: [] }],
            responses,
          },
          Post: {
            operationId: 'write',
            parameters: [{ name: 'order', in: 'body', required: true, schema: order }],
            responses,
          },
        },
      },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'Header', name: 'X-Key' } } },
    }),
  })
  const [read, write] = operations.map((one) => {
    if (one.kind !== 'http') throw new Error('the operation was not read')
    return one
  })
  expect([read?.method, read?.path]).toEqual(['GET', '/orders/{id}'])
  expect(read?.parameters.map((one) => [one.name, one.in])).toEqual([
    ['id', 'path'],
    ['X-Trace', 'header'],
  ])
  expect(read?.schemes).toEqual({ key: { kind: 'key', in: 'header', parameter: 'X-Key' } })
  expect([write?.method, write?.path]).toEqual(['POST', '/orders/{id}'])
  expect(write?.body?.required).toBe(true)
  expect(write?.body?.content.map(({ type, schema }) => [type, schema])).toEqual([
    ['application/json', order],
  ])
})
