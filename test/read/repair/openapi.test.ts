import { expect, it } from 'vitest'
import type { MediaType } from '../../../src/model/http-content.js'
import { repairedPath } from '../../../src/read/repair/openapi-rows.js'
import { referredName } from '../../../src/schema/schema.js'
import { apiOf, openapiOf, openrpcOf } from '../api-of.js'

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
])('the security scheme %j is repaired', async (scheme, expected) => {
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

it('paths, methods and places of parameters are repaired', async () => {
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

it.each([
  ['orders', '/orders'],
  ['', '/'],
  ['/a/:id/b', '/a/{id}/b'],
  ['/a/<id>', '/a/{id}'],
  ['/a/<int:id>', '/a/{id}'],
  ['/a/{{ id }}', '/a/{id}'],
  ['/a/{ id }', '/a/{id}'],
  ['/a/{id:[0-9]{3}}', '/a/{id}'],
  ['/a/{path+}', '/a/{path}'],
  ['/a/{+path}', '/a/{path}'],
  ['/a/{*path}', '/a/{path}'],
])('the path %s is read as %s', (written, repaired) => {
  expect(repairedPath(written)).toBe(repaired)
})

it.each([
  '/a/{id}:cancel',
  '/a:batch',
  '/a/{from}..{to}',
  "/Users('{id}')",
  '/a/{id}.json',
  'x-hidden',
  'POST /a',
  'https://a.example/a',
])('the path %s is not changed', (path) => {
  expect(repairedPath(path)).toBe(path)
})

it('a reference to a schema in the place of another object is an object with this schema', async () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const { operations, findings } = await apiOf({
    openapi: openapiOf({
      paths: {
        '/a': {
          post: {
            operationId: 'write',
            parameters: [{ name: 'color', in: 'query', ...ref('Color') }],
            requestBody: ref('Order'),
            responses: {
              200: ref('Order'),
              201: {
                description: 'Made.',
                headers: { 'X-Color': ref('Color') },
                content: { 'application/json': ref('Order') },
              },
            },
          },
        },
      },
      components: { schemas: { Order: { type: 'object' }, Color: { type: 'string' } } },
    }),
  })
  const [write] = operations
  if (write?.kind !== 'http') throw new Error('the operation was not read')
  const schemasOf = (content: readonly MediaType[] | undefined) =>
    content?.map(({ type, schema }) => [type, referredName(schema)])
  const whole = [['application/json', 'Order']]
  expect(schemasOf(write.body?.content)).toEqual(whole)
  expect(write.responses.map(({ content }) => schemasOf(content))).toEqual([whole, whole])
  expect(write.parameters.map(({ schema }) => referredName(schema))).toEqual(['Color'])
  expect(write.responses[1]?.headers.map(({ schema }) => referredName(schema))).toEqual(['Color'])
  const places = findings.filter(({ rule }) => rule === 'reference-is-inexact')
  expect(places.map(({ location }) => location.pointer).sort()).toEqual([
    '/paths/~1a/post/parameters/0/$ref',
    '/paths/~1a/post/requestBody/$ref',
    '/paths/~1a/post/responses/200/$ref',
    '/paths/~1a/post/responses/201/content/application~1json/$ref',
    '/paths/~1a/post/responses/201/headers/X-Color/$ref',
  ])
})

it.each([['https://a.example'], [['https://a.example']], [{ url: 'https://a.example' }]])(
  'servers are read if they are %j',
  async (servers) => {
    const { http } = await apiOf({ openapi: openapiOf({ servers, paths: {} }) })
    expect(http?.servers.map(({ name, url }) => [name, url])).toEqual([
      ['a.example', 'https://a.example'],
    ])
  },
)

it('the value of a variable in the place of a step has no slash of its own', async () => {
  const url = 'https://a.example/{basePath}'
  const servers = [{ url, variables: { basePath: { default: '/prod' } } }]
  const { http } = await apiOf({ openapi: openapiOf({ servers, paths: {} }) })
  expect(http?.servers[0]?.variables).toEqual({ basePath: { default: 'prod' } })
})

it('responses, media types, headers and security are repaired', async () => {
  const responses = {
    200: 'Done.',
    201: { description: 'Made.', content: { schema: { type: 'string' } } },
    202: { description: 'Kept.', content: { json: null, 'text/plain, text/html': {} } },
    204: null,
    400: { description: 'Bad.', headers: { 'X-N': { type: 'integer' } } },
  }
  const at = (id: string, security: unknown) => ({ get: { operationId: id, security, responses } })
  const { operations } = await apiOf({
    openapi: openapiOf({
      paths: { '/a': at('one', ['key']), '/b': at('two', { key: [] }), '/c': at('three', 'key') },
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    }),
  })
  const read = operations.map((one) => {
    if (one.kind !== 'http') throw new Error('the operation was not read')
    return one
  })
  expect(read.map(({ security }) => security)).toEqual([[['key']], [['key']], [['key']]])
  const found = read[0]?.responses.map((one) => [
    one.status,
    one.description,
    one.content.map(({ type, schema }) => [type, schema]),
    one.headers.map(({ name, schema }) => [name, schema]),
  ])
  expect(found).toEqual([
    ['200', 'Done.', [], []],
    ['201', 'Made.', [['application/json', { type: 'string' }]], []],
    [
      '202',
      'Kept.',
      [
        ['application/json', true],
        ['text/plain', true],
        ['text/html', true],
      ],
      [],
    ],
    ['204', '', [], []],
    ['400', 'Bad.', [], [['X-N', { type: 'integer' }]]],
  ])
})

const Err = { type: 'object', properties: { code: { type: 'integer' } }, required: ['code'] }
const toErr = { $ref: '#/components/schemas/Err' }
const orNull = { anyOf: [toErr, { type: 'null' }] }

// biome-ignore format: a row each
it.each([
  ['3.1.0', { type: ['string', null] }, { type: ['string', 'null'] }],
  ['3.1.0', { type: null }, { type: 'null' }],
  ['3.1.0', { type: null, maxLength: 3 }, { maxLength: 3 }],
  ['3.0.3', { type: null }, {}],
  ['rpc', { type: ['string', null] }, { type: ['string', 'null'] }],
  ['rpc', { type: null }, { type: 'null' }],
  ['3.1.0', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  ['rpc', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  ['3.1.0', { const: 'a', nullable: true }, { anyOf: [{ const: 'a' }, { type: 'null' }] }],
  ['3.0.3', { ...toErr, nullable: true }, orNull],
  ['3.1.0', { ...toErr, nullable: true, description: 'An error.' }, { ...orNull, description: 'An error.' }],
  ['rpc', { ...toErr, nullable: true }, orNull],
  ['3.0.3', { ...toErr, 'x-nullable': true }, { ...orNull, 'x-nullable': true }],
  ['3.0.3', { ...toErr, nullable: false }, toErr],
  ['3.0.3', { allOf: toErr }, { allOf: [toErr] }],
  ['3.1.0', { oneOf: toErr }, { oneOf: [toErr] }],
  ['3.1.0', { anyOf: { type: 'string' } }, { anyOf: [{ type: 'string' }] }],
  ['3.1.0', { anyOf: { A: { type: 'string' } } }, {}],
  ['3.0.3', { type: 'object', additionalProperties: 'false' }, { type: 'object', additionalProperties: false }],
  ['3.0.3', { type: 'string', nullable: 'true' }, { type: ['string', 'null'] }],
  ['3.0.3', { type: 'array', uniqueItems: 'true' }, { type: 'array', uniqueItems: true }],
  ['3.0.3', { type: 'number', minimum: '1.5' }, { type: 'number', minimum: 1.5 }],
  ['3.0.3', { type: 'number', minimum: '1', exclusiveMinimum: 'true' }, { type: 'number', exclusiveMinimum: 1 }],
  ['3.0.3', { type: 'string', maxLength: '20' }, { type: 'string', maxLength: 20 }],
  ['3.0.3', { type: 'string', maxLength: 'twenty' }, { type: 'string' }],
  ['3.0.3', { type: 'string[]' }, { type: 'array', items: { type: 'string' } }],
  ['3.0.3', { type: 'Err[]', nullable: true }, { type: ['array', 'null'], items: toErr }],
  ['3.0.3', { type: 'array[int]' }, { type: 'array', items: { type: 'integer' } }],
  ['3.0.3', { type: 'array<string>', items: { maxLength: 2 } }, { type: 'array', items: { maxLength: 2 } }],
  ['3.0.3', { type: 'decimal' }, { type: 'number' }],
  ['3.0.3', { type: 'Err' }, toErr],
  ['3.0.3', { type: 'Err', nullable: true }, orNull],
  ['3.0.3', { type: 'Err', properties: {} }, { properties: {} }],
  ['3.0.3', { type: 'S' }, {}],
  ['3.0.3', { type: 'array', items: 'Err' }, { type: 'array', items: toErr }],
  ['3.0.3', { type: 'string', maxlength: 3 }, { type: 'string', maxLength: 3 }],
  ['3.0.3', { type: 'string', maxlength: 3, maxLength: 4 }, { type: 'string', maxLength: 4 }],
  ['3.0.3', { oneof: [toErr] }, { oneOf: [toErr] }],
  ['3.0.3', { type: 'string', Enum: ['a'] }, { type: 'string', enum: ['a'] }],
  ['3.0.3', { type: 'string', read_only: true }, { type: 'string', readOnly: true }],
  ['3.0.3', { type: 'object', Properties: { a: toErr } }, { type: 'object', properties: { a: toErr } }],
])('a schema of %s, %j, is read as %j', async (version, schema, expected) => {
  const schemas = { Err, S: schema }
  const { schemas: read } = await apiOf(
    version === 'rpc'
      ? { openrpc: openrpcOf({ schemas }) }
      : { openapi: openapiOf({ version, schemas }) },
  )
  expect(read.get('S')?.schema).toEqual(expected)
})

it('a content descriptor in the place of a schema is read as one (Avalanche)', async () => {
  const Encoding = { name: 'encoding', required: true, schema: { type: 'string' } }
  const params = [{ $ref: '#/components/schemas/Encoding' }]
  const method = { name: 'a', params, result: { name: 'r', schema: {} } }
  const { operations } = await apiOf({
    openrpc: openrpcOf({ methods: [method], schemas: { Encoding } }),
  })
  const [read] = operations
  if (read?.kind !== 'rpc') throw new Error('the method was not read')
  expect(read.params.map(({ name, required }) => [name, required])).toEqual([['encoding', true]])
})

it.each([
  [['userID'], ['userId:integer']],
  [['user_id'], ['userId:integer']],
  [['userId', 'user_id'], ['userId:integer']],
  [['other'], ['userId:string']],
])('the path parameters %j of /a/{userId} are read as %j', async (names, expected) => {
  const parameters = names.map((name, index) => ({
    ...{ name, in: 'path', required: true },
    schema: { type: index === 0 ? 'integer' : 'boolean' },
  }))
  const responses = { 200: { description: 'Read.' } }
  const { operations } = await apiOf({
    openapi: openapiOf({ paths: { '/a/{userId}': { get: { parameters, responses } } } }),
  })
  const [read] = operations
  if (read?.kind !== 'http') throw new Error('the operation was not read')
  const found = read.parameters.map(({ name, schema }) => {
    const { type } = typeof schema === 'object' ? schema : {}
    return `${name}:${type}`
  })
  expect(found).toEqual(expected)
})
