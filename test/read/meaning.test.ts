import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadApi } from '../../src/read/load.js'
import { createChecker } from '../../src/schema/check.js'
import { answering, apiOf, method, openapiOf, openrpcOf } from './api-of.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Whether a named schema of a document accepts a value. */
const accepts = async (documents: Parameters<typeof apiOf>[0], name: string, value: unknown) =>
  createChecker((await apiOf(documents)).schemas)
    .named(name)
    .check(value)

/** Files side by side in a folder of their own; the first is the OpenAPI document. */
const loaded = async (files: Record<string, object>) => {
  const folder = mkdtempSync(join(tmpdir(), 'meaning-'))
  try {
    for (const [name, value] of Object.entries(files)) {
      writeFileSync(join(folder, name), JSON.stringify(value))
    }
    return await loadApi({ openapi: join(folder, Object.keys(files)[0] ?? '') })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('a reference that says more than where it points', () => {
  const schemas = {
    B: { type: 'string' },
    A: { ...ref('B'), maxLength: 3 },
    U: { properties: { p: ref('A') } },
  }

  test('keeps it in 3.1, through an alias', async () => {
    const openapi = openapiOf({ version: '3.1.0', schemas })
    expect(await accepts({ openapi }, 'U', { p: 'too long' })).toBe(false)
    expect(await accepts({ openapi }, 'U', { p: 'ok' })).toBe(true)
  })

  test('and says nothing in 3.0', async () => {
    expect(await accepts({ openapi: openapiOf({ schemas }) }, 'U', { p: 'too long' })).toBe(true)
  })

  test('also where the alias leads into another file', async () => {
    const entry = openapiOf({
      version: '3.1.0',
      schemas: { A: { $ref: './ext.json', maxLength: 3 } },
    })
    const api = await loaded({ 'openapi.json': entry, 'ext.json': { type: 'string' } })
    expect(createChecker(api.schemas).named('A').check('too long')).toBe(false)
  })
})

test('a schema that the dialects read differently is one schema for each document', async () => {
  const schemas = { Shared: { ...ref('B'), maxLength: 1 }, B: { type: 'string' } }
  const openapi = openapiOf({ version: '3.1.0', schemas })
  const api = await apiOf({ openapi, openrpc: openrpcOf({ schemas }) })
  const verdicts = [...api.schemas.values()].map(({ name, usedBy }) => [
    usedBy,
    createChecker(api.schemas).named(name).check('too long'),
  ])
  expect(verdicts).toEqual([
    ['both', true],
    ['rpc', true],
    ['http', false],
  ])
})

test('nullable is read alike in each document, so a schema of both is one schema', async () => {
  const schemas = { Shared: { type: 'string', nullable: true } }
  const api = await apiOf({ openapi: openapiOf({ schemas }), openrpc: openrpcOf({ schemas }) })
  expect([...api.schemas.keys()]).toEqual(['Shared'])
})

test('a security scheme that nobody declared shuts the door instead of opening it', async () => {
  const openapi = openapiOf({ paths: { '/a': answering({}) }, security: [{ Typo: [] }] })
  const api = await apiOf({ openapi })
  expect(api.operations).toMatchObject([{ security: [['Typo']], schemes: {} }])
  expect(api.findings.map(({ rule }) => rule)).toEqual(['security-scheme-is-undeclared'])
})

test('a scheme that all operations share is reported once, where it is named', async () => {
  const paths = {
    '/a': answering({}),
    '/b': { get: { operationId: 'b', responses: { 200: { description: 'ok' } } } },
  }
  const api = await apiOf({ openapi: openapiOf({ paths, security: [{ Typo: [] }] }) })
  expect(api.findings.map(({ rule, location }) => [rule, location.pointer])).toEqual([
    ['security-scheme-is-undeclared', '/security/0/Typo'],
  ])
})

test('a parameter that stands twice in one list is reported, and one that overrides that of its path is not', async () => {
  const q = (type: string) => ({ in: 'query', name: 'q', schema: { type } })
  const operation = (parameters: readonly object[]) => ({
    '/a': {
      parameters: [q('string')],
      get: { parameters, responses: { 200: { description: 'ok' } } },
    },
  })
  const findingsOf = async (parameters: readonly object[]) =>
    (await apiOf({ openapi: openapiOf({ paths: operation(parameters) }) })).findings.map(
      ({ rule, location }) => [rule, location.pointer],
    )
  expect(await findingsOf([q('integer')])).toEqual([])
  expect(await findingsOf([q('integer'), q('string')])).toEqual([
    ['parameter-is-duplicate', '/paths/~1a/get/parameters/1'],
  ])
})

test('a name that is read only in one branch and required in another is not required of a caller', async () => {
  const Base = { type: 'object', properties: { id: { type: 'string', readOnly: true } } }
  const Pet = {
    allOf: [
      ref('Base'),
      { type: 'object', required: ['id', 'n'], properties: { n: { type: 'string' } } },
    ],
  }
  const body = { content: { 'application/json': { schema: ref('Pet') } } }
  const paths = {
    '/a': {
      post: {
        operationId: 'add',
        requestBody: body,
        responses: { 200: { description: '', ...body } },
      },
    },
  }
  const documents = { openapi: openapiOf({ paths, schemas: { Base, Pet } }) }
  expect(await accepts(documents, 'PetRequest', { n: 'x' })).toBe(true)
  expect(await accepts(documents, 'PetRequest', { id: '1' })).toBe(false)
  expect(await accepts(documents, 'Pet', { n: 'x' })).toBe(false)
})

test.each([
  [{ type: 'object', required: ['a'], unevaluatedProperties: false }],
  [{ allOf: [{ type: 'object', required: ['a'] }], unevaluatedProperties: false }],
])('a required name is not thereby evaluated: %j', async (schema) => {
  const openapi = openapiOf({ version: '3.1.0', schemas: { S: schema } })
  expect(await accepts({ openapi }, 'S', { a: 1 })).toBe(false)
})

describe('what is data is no reference', () => {
  test.each([
    [
      'an extension',
      { info: { title: '', version: '', 'x-logo': { $ref: 'https://host.example/logo' } } },
    ],
    [
      'a property called discriminator',
      { components: { schemas: { S: { properties: { discriminator: ref('T') } }, T: {} } } },
    ],
    [
      'an extension among the components',
      { components: { 'x-policies': { all: { $ref: '../policies.yaml' } } } },
    ],
    [
      'an extension of the components that is itself one',
      { components: { 'x-policies': { $ref: '../policies.yaml' } } },
    ],
    [
      'a list in an extension among the components',
      { components: { 'x-policies': [{ deep: { $ref: 'https://host.example/a' } }] } },
    ],
    ['an extension of the document', { 'x-all': { a: { $ref: '#/nowhere' } } }],
    [
      'an extension of an operation',
      { paths: { '/a': { get: { 'x-a': { schema: { $ref: 'no.yaml' } }, responses: {} } } } },
    ],
    [
      'an extension of a parameter',
      {
        paths: {
          '/a': {
            get: {
              parameters: [
                { name: 'a', in: 'query', schema: {}, 'x-a': { schema: { $ref: 'no.yaml' } } },
              ],
              responses: { 200: { description: '', 'x-a': [{ $ref: '#/no' }] } },
            },
          },
        },
      },
    ],
    [
      'an extension of a schema',
      { components: { schemas: { S: { 'x-doc': { $ref: 'nowhere' } } } } },
    ],
    [
      'the body of a link',
      {
        paths: {
          '/a': {
            get: {
              responses: {
                200: {
                  description: '',
                  links: { l: { operationId: 'x', requestBody: { $ref: 'nowhere' } } },
                },
              },
            },
          },
        },
      },
    ],
  ])('%s', async (_, part) => {
    await expect(apiOf({ openapi: { ...openapiOf({}), ...part } })).resolves.toBeDefined()
  })

  test('the data of an error', async () => {
    const failing = {
      ...method('do_it'),
      errors: [{ code: 1, message: 'no', data: { $ref: 'nowhere' } }],
    }
    const api = await apiOf({ openrpc: openrpcOf({ methods: [failing] }) })
    expect(api.operations).toMatchObject([{ errors: [{ data: { $ref: 'nowhere' } }] }])
  })

  test('and a form may be called default', async () => {
    const post = {
      requestBody: { content: { 'application/json': { schema: ref('S') } } },
      responses: { 200: { description: '' } },
      'x-variants': { default: { request: { $ref: 'ext.json#/S' }, responses: [], errors: [] } },
    }
    const entry = openapiOf({ paths: { '/a': { post } }, schemas: { S: {} } })
    const api = await loaded({ 'openapi.json': entry, 'ext.json': { S: { type: 'string' } } })
    expect(api.operations).toMatchObject([{ variants: [{ name: 'default', request: 'S2' }] }])
  })
})

test('operations without an id are no duplicates of each other', async () => {
  const { operationId: _, ...get } = answering({}).get
  const api = await apiOf({
    openapi: openapiOf({ paths: { '/a-b': { get }, '/a/b': { get }, 'x-c': { get } } }),
  })
  expect(api.operations.map(({ id }) => id)).toEqual(['getAB', 'getAB2'])
})

test.each([
  [{ multipleOf: 0 }, 'multipleOf must be a number above 0'],
  [{ minItems: -1.5 }, 'minItems must be a whole number from 0'],
  [{ dependentRequired: { a: 'b' } }, 'dependentRequired must be lists of names'],
])('%j is ignored with a warning', async (schema, message) => {
  const openapi = openapiOf({ version: '3.1.0', schemas: { S: { type: 'object', ...schema } } })
  const api = await apiOf({ openapi })
  expect(api.schemas.get('S')?.schema).toEqual({ type: 'object' })
  expect(api.findings).toMatchObject([
    { level: 'warning', message: expect.stringContaining(message) },
  ])
})

test('a title that YAML reads as a number is a title', async () => {
  const api = await apiOf({ openapi: openapiOf({ schemas: { S: { title: 2020 } } }) })
  expect(api.schemas.get('S')?.schema).toEqual({ title: '2020' })
})

test('what nobody can use is reported', async () => {
  const params = [
    { name: 'a', schema: {} },
    { name: 'a', schema: {} },
  ]
  const servers = [
    { name: 'main', url: 'https://one.example' },
    { name: 'main', url: 'https://two.example' },
  ]
  const { findings } = await apiOf({
    openrpc: openrpcOf({
      servers,
      methods: [
        { ...method('do_it', params), servers: [{ name: 'own', url: 'https://own.example' }] },
      ],
    }),
  })
  expect(findings.map(({ rule }) => rule)).toEqual([
    'param-name-is-duplicate',
    'method-servers-ignored',
    'server-name-is-duplicate',
  ])
})

test('an example by name means the params that it names', async () => {
  const params = ['a', 'b'].map((name) => ({
    name,
    schema: { type: name === 'a' ? 'string' : 'integer' },
  }))
  const example = {
    name: 'e',
    params: [
      { name: 'b', value: 1 },
      { name: 'a', value: 'x' },
    ],
    result: { name: 'r', value: 1 },
  }
  const api = await apiOf({
    openrpc: openrpcOf({
      methods: [{ ...method('do_it', params), paramStructure: 'by-name', examples: [example] }],
    }),
  })
  expect(api.findings).toEqual([])
  expect(api.operations).toMatchObject([{ examples: [{ namedParams: { a: 'x', b: 1 } }] }])
})

describe('responses', () => {
  const read = async (responses: object) => {
    const one = { operationId: 'one', responses: { 200: { description: 'ok' } } }
    const paths = { '/a': { get: { operationId: 'two', responses } }, '/b/{id}': { get: one } }
    const { operations, findings } = await apiOf({ openapi: openapiOf({ paths }) })
    const two = operations.find(({ id }) => id === 'two')
    return { operation: two?.kind === 'http' ? two : undefined, findings }
  }

  test('a header with content has the schema of its media type', async () => {
    const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
    const headers = { 'X-Meta': { content: { 'application/json': { schema } } } }
    const { operation } = await read({ 200: { description: 'ok', headers } })
    expect(operation?.responses[0]?.headers[0]?.schema).toMatchObject(schema)
  })

  test('a status in lower case is the same as one in upper case, and a second one is reported', async () => {
    const responses = { '4xx': { description: 'a' }, DEFAULT: { description: 'b' } }
    const { operation, findings } = await read({ ...responses, '4XX': { description: 'c' } })
    expect(operation?.responses.map((one) => [one.status, one.description])).toEqual([
      ['4XX', 'a'],
      ['default', 'b'],
    ])
    expect(findings.map(({ rule, location }) => [rule, location.pointer])).toContainEqual([
      'response-status-is-duplicate',
      '/paths/~1a/get/responses/4XX',
    ])
  })

  test.each([
    ['#/paths/~1b~1{id}/get', 'one'],
    ['#/paths/~1b~1%7Bid%7D/get', 'one'],
    ['#/paths/~1nothing/get', '#/paths/~1nothing/get'],
    [undefined, ''],
  ])('a link by operationRef %s leads to %s', async (operationRef, want) => {
    const links = { next: { operationRef, parameters: { id: '$response.body#/id' } } }
    const { operation } = await read({ 200: { description: 'ok', links } })
    expect(operation?.links).toEqual([
      { name: 'next', status: '200', operation: want, parameters: links.next.parameters },
    ])
  })
})

test('properties in the place of keywords are those of an object', async () => {
  const schemas = { A: { id: { type: 'integer' }, size: { type: 'integer' } } }
  const openapi = openapiOf({ version: '3.1.0', schemas })
  expect(await accepts({ openapi }, 'A', { id: 1, size: 2 })).toBe(true)
  expect(await accepts({ openapi }, 'A', { id: 'one' })).toBe(false)
})

test('a keyword that is unknown or holds data is no property', async () => {
  const schemas = { A: { foo: 5, bar: { type: 'string' } }, B: { example: { type: 'string' } } }
  const openapi = openapiOf({ version: '3.1.0', schemas })
  expect(await accepts({ openapi }, 'A', { bar: 1 })).toBe(true)
  expect(await accepts({ openapi }, 'B', { example: 1 })).toBe(true)
})
