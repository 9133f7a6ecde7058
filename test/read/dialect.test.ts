import { describe, expect, test } from 'vitest'
import { answering, apiOf, method, openapiOf, openrpcOf } from './api-of.js'

/** The one schema of a document, as the Api has it. */
const read30 = async (schema: object) =>
  schemaOf({ openapi: openapiOf({ schemas: { S: schema } }) })
const read31 = async (schema: object) =>
  schemaOf({ openapi: openapiOf({ version: '3.1.0', schemas: { S: schema } }) })
const readRpc = async (schema: object) =>
  schemaOf({ openrpc: openrpcOf({ schemas: { S: schema } }) })

const schemaOf = async (documents: object) => (await apiOf(documents)).schemas.get('S')?.schema

describe('OpenAPI 3.0 is read as 2020-12', () => {
  test.each([
    ['nullable beside a type', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['nullable without a type says nothing', { nullable: true, minLength: 1 }, { minLength: 1 }],
    [
      'a nullable enum without null',
      { type: 'string', nullable: true, enum: ['a'] },
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
    [
      'nullable beside branches, as in the document of Stripe',
      { nullable: true, description: 'A name.', anyOf: [{ type: 'string' }] },
      {
        description: 'A name.',
        anyOf: [{ type: 'string' }, { type: 'null' }],
      },
    ],
    [
      'a boolean exclusiveMinimum',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [
      'exclusiveMaximum: false',
      { type: 'number', maximum: 9, exclusiveMaximum: false },
      { type: 'number', maximum: 9 },
    ],
    [
      'a required name that is no property gets one',
      { type: 'object', properties: {}, required: ['a'] },
      { type: 'object', properties: { a: true }, required: ['a'] },
    ],
    [
      'and is impossible where the object is closed',
      { type: 'object', required: ['a'], additionalProperties: false },
      { type: 'object', properties: { a: false }, required: ['a'], additionalProperties: false },
    ],
    ['an example is kept', { type: 'string', example: 'x' }, { type: 'string', examples: ['x'] }],
    [
      'values that the type forbids leave the enum',
      { type: 'integer', enum: [1, 'two', 3] },
      { type: 'integer', enum: [1, 3] },
    ],
  ])('%s', async (_, written, read) => {
    expect(await read30(written)).toEqual(read)
  })

  test('beside a $ref only annotations are read', async () => {
    const schemas = {
      S: {
        properties: { a: { $ref: '#/components/schemas/T', minLength: 9, description: 'An a.' } },
      },
      T: { type: 'string' },
    }
    const api = await apiOf({ openapi: openapiOf({ schemas }) })
    expect(api.schemas.get('S')?.schema).toEqual({
      properties: { a: { $ref: '#/components/schemas/T', description: 'An a.' } },
    })
  })
})

test('a name that one branch of an allOf requires has the type that another gives it', async () => {
  const Base = {
    type: 'object',
    properties: { price: { type: 'string' }, at: { $ref: '#/components/schemas/At' } },
  }
  const ref = { $ref: '#/components/schemas/Base' }
  const schemas = {
    At: { type: 'integer' },
    Base,
    Inside: { allOf: [ref, { type: 'object', required: ['price', 'at', 'else'] }] },
    Beside: { allOf: [ref], required: ['price', 'else'] },
  }
  const api = await apiOf({ openapi: openapiOf({ schemas }) })
  expect(api.schemas.get('Inside')?.schema).toEqual({
    allOf: [
      ref,
      {
        type: 'object',
        required: ['price', 'at', 'else'],
        properties: {
          price: { type: 'string' },
          at: { $ref: '#/components/schemas/At' },
          else: true,
        },
      },
    ],
  })
  expect(api.schemas.get('Beside')?.schema).toEqual({
    allOf: [ref],
    required: ['price', 'else'],
    properties: { price: { type: 'string' } },
  })
})

describe('draft-07 is read as 2020-12', () => {
  test.each([
    [
      'a list of items',
      { type: 'array', items: [{ type: 'string' }], additionalItems: false },
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    ],
    [
      'dependencies of both kinds',
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
    ],
    ['nullable as in 3.0', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  ])('%s', async (_, written, read) => {
    expect(await readRpc(written)).toEqual(read)
  })
})

test('in OpenAPI 3.1 a $ref and its siblings both hold', async () => {
  const schemas = { S: { $ref: '#/components/schemas/T', minLength: 9 }, T: { type: 'string' } }
  const api = await apiOf({ openapi: openapiOf({ version: '3.1.0', schemas }) })
  expect(api.schemas.get('S')?.schema).toEqual({
    minLength: 9,
    allOf: [{ $ref: '#/components/schemas/T' }],
  })
  expect(await read31({ type: ['string', 'null'] })).toEqual({ type: ['string', 'null'] })
})

describe('what only one direction requires', () => {
  const pet = {
    type: 'object',
    required: ['id', 'name', 'secret'],
    properties: {
      id: { type: 'string', readOnly: true },
      name: { type: 'string' },
      secret: { type: 'string', writeOnly: true },
    },
  }
  const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } }
  const paths = {
    '/pets': {
      post: {
        operationId: 'addPet',
        requestBody: body,
        responses: { 200: { description: 'Added.', ...body } },
      },
    },
  }

  test('a caller need not send what is read only, a reader not expect what is write only', async () => {
    const api = await apiOf({ openapi: openapiOf({ paths, schemas: { Pet: pet } }) })
    const [operation] = api.operations
    if (operation?.kind !== 'http') throw new TypeError('no operation')
    const required = (schema: unknown) => {
      const name = (schema as { $ref: string }).$ref.replace('#/components/schemas/', '')
      const named = api.schemas.get(name)?.schema
      return typeof named === 'object' ? named.required : undefined
    }
    expect(required(operation.body?.content[0]?.schema)).toEqual(['name', 'secret'])
    expect(required(operation.responses[0]?.content[0]?.schema)).toEqual(['id', 'name'])
    expect([...api.schemas.keys()]).toEqual(['Pet', 'PetRequest', 'PetResponse'])
  })

  test('a schema that does not differ by direction has no twin', async () => {
    const { id: _, secret: __, ...free } = pet.properties
    const same = { ...pet, required: ['name'], properties: free }
    const api = await apiOf({ openapi: openapiOf({ paths, schemas: { Pet: same } }) })
    expect([...api.schemas.keys()]).toEqual(['Pet'])
  })
})

test('a keyword that is none is reported, an extension is kept', async () => {
  const api = await apiOf({
    openapi: openapiOf({ schemas: { S: { type: 'string', 'x-a': 1, lenght: 3 } } }),
  })
  expect(api.schemas.get('S')?.schema).toEqual({ type: 'string', 'x-a': 1 })
  expect(api.findings.map(({ rule, level, message }) => ({ rule, level, message }))).toEqual([
    {
      rule: 'schema-keyword-is-unknown',
      level: 'note',
      message: 'lenght is not a keyword of JSON Schema and is ignored; an extension begins with x-',
    },
  ])
})

test('a schema within a member schema is read as it is meant, with a warning', async () => {
  const items = { schema: { $ref: '#/components/schemas/Hash' } }
  const api = await apiOf({
    openrpc: openrpcOf({
      schemas: { Hash: { type: 'string' }, List: { type: 'array', items } },
      methods: [method('read_it')],
    }),
  })
  expect(api.schemas.get('List')?.schema).toMatchObject({
    type: 'array',
    items: { $ref: '#/components/schemas/Hash' },
  })
  expect(api.findings.map(({ rule, level }) => [rule, level])).toContainEqual([
    'schema-is-wrapped',
    'warning',
  ])
})

test('one schema that both documents spell alike is one schema', async () => {
  const schemas = { Hash: { type: 'string', pattern: '^0x' } }
  const api = await apiOf({
    openapi: openapiOf({
      schemas,
      paths: { '/': answering({ $ref: '#/components/schemas/Hash' }) },
    }),
    openrpc: openrpcOf({ schemas, methods: [method('read_it')] }),
  })
  expect([...api.schemas.values()].map(({ name, usedBy }) => [name, usedBy])).toEqual([
    ['Hash', 'both'],
  ])
})

test('two schemas of one name keep apart, and the change is reported', async () => {
  const api = await apiOf({
    openapi: openapiOf({ schemas: { Hash: { type: 'integer' } } }),
    openrpc: openrpcOf({ schemas: { Hash: { type: 'string' } } }),
  })
  expect([...api.schemas.values()].map(({ name, usedBy }) => [name, usedBy])).toEqual([
    ['Hash', 'rpc'],
    ['Hash2', 'http'],
  ])
  expect(api.findings.map(({ rule }) => rule)).toEqual(['schema-name-was-changed'])
})
