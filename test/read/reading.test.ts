import { describe, expect, it } from 'vitest'
import { DocumentError } from '../../src/model/finding.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { createSampler } from '../../src/schema/readable.js'
import { answering, apiOf, method, openapiOf, openrpcOf } from './api-of.js'

describe('both documents share a schema', () => {
  it.each([
    ['with a slash in its name', { $ref: '#/components/schemas/a~1b' }],
    [
      'whose discriminator maps a value to a missing schema',
      {
        oneOf: [{ $ref: '#/components/schemas/a~1b' }],
        discriminator: { propertyName: 'kind', mapping: { old: 'Removed' } },
      },
    ],
  ])('%s', async (_, schema) => {
    const schemas = { Whole: schema, 'a/b': { type: 'object', properties: { kind: {} } } }
    const result = { $ref: '#/components/schemas/Whole' }
    const api = await apiOf({
      openapi: openapiOf({ version: '3.1.0', paths: { '/a': answering(result) }, schemas }),
      openrpc: openrpcOf({ methods: [method('read_it', [], result)], schemas }),
    })
    expect([...api.schemas.values()].map(({ name, usedBy }) => [name, usedBy])).toEqual([
      ['AB', 'both'],
      ['Whole', 'both'],
    ])
  })
})

describe('an object that contains a reference to itself', () => {
  const responses = { 200: { description: 'Done.' } }
  const url = '{$request.body#/url}'
  const callbacks = { done: { $ref: '#/components/callbacks/done' } }
  it.each([
    [
      'the path of a callback that calls the same path',
      {
        paths: {
          '/a': { post: { responses, callbacks: { done: { [url]: { $ref: '#/paths/~1a' } } } } },
        },
      },
    ],
    [
      'a callback with itself as its callback',
      {
        paths: { '/a': { post: { responses, callbacks } } },
        components: { callbacks: { done: { [url]: { post: { responses, callbacks } } } } },
      },
    ],
    [
      'a part of the document with the document in it',
      {
        info: { title: 'T', version: '1', contact: { $ref: '#' } },
        paths: { '/a': { post: { responses } } },
      },
    ],
  ])('is read once, with a warning: %s', async (_, parts) => {
    const { findings, operations } = await apiOf({ openapi: openapiOf(parts) })
    expect(findings.filter(({ rule }) => rule === 'reference-is-circular')).toMatchObject([
      { level: 'warning' },
    ])
    expect(operations.map(({ id }) => id)).toEqual(['postA'])
  })
})

it('a path item has the fields beside its $ref and those of the target', async () => {
  const { operations } = await apiOf({
    openapi: openapiOf({
      version: '3.1.0',
      paths: {
        '/a': {
          $ref: '#/components/pathItems/Common',
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
          ...{ post: { operationId: 'write', responses: { 200: { description: 'Written.' } } } },
        },
      },
      components: { pathItems: { Common: answering({ type: 'string' }) } },
    }),
  })
  const rows = operations.map((one) =>
    one.kind === 'http' ? [one.id, one.parameters.map(({ name }) => name)] : [],
  )
  expect(rows).toEqual([
    ['read', ['limit']],
    ['write', ['limit']],
  ])
})

it('a link leads to the operation that it names, though a method has the same name', async () => {
  const links = { one: { operationId: 'getOrder' }, two: { 'x-rpc-method': 'getOrder' } }
  const { operations } = await apiOf({
    openapi: openapiOf({
      paths: {
        '/orders': {
          post: { operationId: 'order', responses: { 201: { description: 'Ordered.', links } } },
        },
        '/orders/last': answering({}, 'getOrder'),
      },
    }),
    openrpc: openrpcOf({ methods: [method('getOrder')] }),
  })
  const ids = operations.map(({ kind, id }) => `${kind} ${id}`)
  expect(ids).toEqual(['http order', 'http getOrder2', 'rpc getOrder'])
  expect(operations[0]).toMatchObject({
    links: [
      { name: 'one', status: '201', operation: 'getOrder2', parameters: {} },
      { name: 'two', status: '201', operation: 'getOrder', parameters: {} },
    ],
  })
})

it('a read-only property that is required beside a $ref is not required in requests', async () => {
  const order = { $ref: '#/components/schemas/Order' }
  const content = { 'application/json': { schema: order } }
  const { operations, schemas } = await apiOf({
    openapi: openapiOf({
      version: '3.1.0',
      paths: {
        '/orders': {
          post: { requestBody: { content }, responses: { 200: { description: 'Done.' } } },
        },
      },
      schemas: {
        Base: { type: 'object', properties: { id: { type: 'string', readOnly: true }, count: {} } },
        Order: { $ref: '#/components/schemas/Base', required: ['id', 'count'] },
      },
    }),
  })
  const [operation] = operations
  const schema = operation?.kind === 'http' && operation.body?.content[0]?.schema
  expect(schema).toEqual({ $ref: '#/components/schemas/OrderRequest' })
  expect(schemas.get('OrderRequest')?.schema).toMatchObject({ required: ['count'] })
  expect(schemas.get('Order')?.schema).toMatchObject({ required: ['id', 'count'] })
})

describe('the value of a discriminator in a sample is that of the document', () => {
  const branch = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } }
  const refs = ['pet-cat', 'Error'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  it.each([
    ['without a mapping', {}, ['pet-cat', 'Error']],
    [
      'with a mapping',
      { mapping: { cat: 'pet-cat', failed: '#/components/schemas/Error' } },
      ['cat', 'failed'],
    ],
  ])('%s, though generated code has another name', async (_, more, kinds) => {
    const discriminator = { propertyName: 'kind', ...more }
    const schemas = { 'pet-cat': branch, Error: branch, Either: { oneOf: refs, discriminator } }
    const api = await apiOf({ openapi: openapiOf({ schemas }) })
    const sample = createSampler(api.schemas, 'response')
    expect(
      ['PetCat', 'Error'].map((name) => sample({ $ref: `#/components/schemas/${name}` })),
    ).toEqual(kinds.map((kind) => ({ kind })))
  })
})

it('a document that declares YAML 1.1 is read like any other', async () => {
  const text = `%YAML 1.1
---
openapi: 3.0.3
info: { title: Test, version: 1.0.0 }
paths: {}
components:
  schemas:
    Day: { type: string, default: 2020-01-31, enum: [on, off, 2020-01-31] }
`
  const { schemas } = await loadApi({ openapi: parseDocument(text, 'openapi.yaml') })
  expect(schemas.get('Day')?.schema).toEqual({
    type: 'string',
    default: '2020-01-31',
    enum: ['on', 'off', '2020-01-31'],
  })
})

it('a serialized example of a parameter is not compared with the schema of its value', async () => {
  const schema = { type: 'array', items: { type: 'integer' } }
  const parameters = [
    {
      ...{ name: 'ids', in: 'query', explode: false, schema },
      examples: { two: { serializedValue: 'ids=1,2' }, one: { dataValue: [1] } },
    },
    {
      ...{ name: 'filter', in: 'query' },
      content: { 'application/json': { schema, examples: { two: { serializedValue: '[1,2]' } } } },
    },
  ]
  const responses = { 200: { description: 'Read.' } }
  const { operations, findings } = await apiOf({
    openapi: openapiOf({ version: '3.2.0', paths: { '/a': { get: { parameters, responses } } } }),
  })
  expect(findings).toEqual([])
  const [operation] = operations
  const found = operation?.kind === 'http' ? operation.parameters : []
  expect(found.map(({ examples }) => examples.map(({ value }) => value))).toEqual([[[1]], [[1, 2]]])
})

it('an exclusive minimum that is no number is ignored with a warning', async () => {
  const Price = { type: 'number', minimum: 'five', exclusiveMinimum: true }
  const { schemas, findings } = await apiOf({ openapi: openapiOf({ schemas: { Price } }) })
  expect(schemas.get('Price')?.schema).toEqual({ type: 'number' })
  expect(findings).toMatchObject([
    { rule: 'schema-keyword-invalid', location: { pointer: '/components/schemas/Price/minimum' } },
  ])
})

it('invalid JSON with a long string has an error with its place', () => {
  const text = `{"image": "${'A'.repeat(20_000_000)}", }`
  const read = () => parseDocument(text, 'openapi.json')
  expect(read).toThrow(DocumentError)
  expect(read).toThrow('there is a comma before the closing }')
})

it('a Content-Type among the headers of a response is ignored, as OpenAPI requires', async () => {
  const schema = { type: 'string', enum: ['application/json'] }
  const headers = {
    'content-type': { required: true, schema },
    ETag: { schema: { type: 'string' } },
  }
  const responses = { 200: { description: 'Read.', headers } }
  const { operations } = await apiOf({
    openapi: openapiOf({ paths: { '/a': { get: { responses } } } }),
  })
  expect(operations).toMatchObject([{ responses: [{ headers: [{ name: 'ETag' }] }] }])
})
