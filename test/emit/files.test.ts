import { expect, test } from 'vitest'
import { inOneFile } from '../../src/emit/declaration.js'
import { emitAll } from '../../src/emit/emit.js'
import { emitHttpClient } from '../../src/emit/http-client.js'
import { kindNames } from '../../src/emit/kinds.js'
import { emitOperations } from '../../src/emit/operations.js'
import { emitReference } from '../../src/emit/reference.js'
import { emitRpcClient, emitRpcSingleMethods } from '../../src/emit/rpc-client.js'
import { emitRpcTypes } from '../../src/emit/rpc-types.js'
import { emitSchemas } from '../../src/emit/schemas.js'
import { emitServer } from '../../src/emit/server.js'
import { emitStandardSchema } from '../../src/emit/standard-schema.js'
import { emitTanstackQuery } from '../../src/emit/tanstack-query.js'
import { emitValidators } from '../../src/emit/validators.js'
import { emitViem } from '../../src/emit/viem.js'
import type { Api } from '../../src/model/api.js'
import { apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/** A small service unlike ours: two request forms, a record that is polled, one method. */
const api = await apiOf({
  openapi: openapiOf({
    paths: {
      '/orders/{shop}': {
        post: {
          operationId: 'order',
          summary: 'Order something',
          'x-stability-level': 'beta',
          parameters: [
            {
              name: 'shop',
              in: 'path',
              required: true,
              'x-secret': true,
              schema: { type: 'string' },
            },
          ],
          requestBody: { required: true, ...json({ oneOf: [ref('Book'), ref('Cake')] }) },
          responses: {
            200: { description: 'Ordered.', ...json({ oneOf: [ref('Receipt'), ref('Sorry')] }) },
          },
          'x-variants': {
            book: {
              request: ref('Book'),
              responses: [ref('Receipt')],
              errors: [ref('Sorry')],
              example: 'book',
            },
            cake: {
              request: ref('Cake'),
              responses: [ref('Receipt')],
              errors: [ref('Sorry')],
              example: 'cake',
            },
          },
        },
      },
      '/orders': {
        get: {
          operationId: 'status',
          'x-poll': { field: 'state', terminal: ['done'], order: ['new', 'done'] },
          responses: { 200: { description: 'So far.', ...json(ref('Receipt')) } },
        },
      },
    },
    schemas: {
      Book: {
        type: 'object',
        required: ['title'],
        properties: { title: { type: 'string' }, taste: { not: {} } },
        additionalProperties: false,
      },
      Cake: {
        type: 'object',
        required: ['taste'],
        properties: { taste: { type: 'string', enum: ['sweet', 'sour'] }, title: { not: {} } },
        additionalProperties: false,
      },
      Receipt: {
        type: 'object',
        required: ['ok'],
        properties: {
          ok: { type: 'boolean', enum: [true] },
          id: { type: 'string', 'x-same-as': 'number' },
          number: { type: 'string' },
          parts: { type: 'array', items: ref('Receipt') },
        },
      },
      Sorry: {
        type: 'object',
        required: ['ok'],
        properties: { ok: { type: 'boolean', enum: [false] } },
      },
    },
  }),
  openrpc: openrpcOf({
    servers: [{ name: 'main', url: 'https://host.example/rpc' }],
    'x-limits': { batchSize: 3 },
    methods: [
      {
        ...method(
          'shop_open',
          [
            { name: 'shop', required: true, schema: { type: 'string' } },
            { name: 'at', schema: { type: 'integer' } },
          ],
          { type: 'boolean' },
        ),
        summary: 'Whether a shop is open',
        errors: [{ code: 4, message: 'no such shop' }],
        'x-idempotent': true,
      },
    ],
  }),
})

test.each([
  ['http.client.ts', emitHttpClient],
  ['rpc.client.ts', emitRpcClient],
  ['operations.ts', (api: Api) => inOneFile(emitOperations(api))],
  ['validators.ts', (api: Api) => inOneFile(emitValidators(api))],
  ['schemas.ts', emitSchemas],
  ['server.ts', emitServer],
])('%s reads as a person would write it', (name, emit) => {
  const file = emit(api)
  expect(file.name).toBe(name)
  expect(file.text).toMatchSnapshot()
})

test('a param called like a keyword gets a label that is none', async () => {
  const params = ['class', 'default', 'from'].map((name) => ({ name, schema: { type: 'string' } }))
  const { text } = emitRpcTypes(
    await apiOf({ openrpc: openrpcOf({ methods: [method('do_it', params)] }) }),
  )
  for (const label of ['class_?: string', 'default_?: string', 'from?: string'])
    expect(text).toContain(`${label} | undefined,`)
})

test.each([
  ['get', true],
  ['post', false],
])('tanstack-query.ts of one %s declares the type of keys: %s', async (verb, isDeclared) => {
  const one = { operationId: 'one', responses: { 200: { description: 'Done.' } } }
  const mutations = await apiOf({ openapi: openapiOf({ paths: { '/a': { [verb]: one } } }) })
  expect(emitTanstackQuery(mutations).text.includes('type Tag')).toBe(isDeclared)
})

test('the actions of a tag called create have another name than the function that creates them', async () => {
  const one = { tags: ['create'], operationId: 'one', responses: { 200: { description: 'Done.' } } }
  const api = await apiOf({
    openapi: openapiOf({ paths: { '/a': { get: one } } }),
    openrpc: openrpcOf({}),
  })
  const { text } = emitViem(api)
  expect(text).toMatch(/import \{[^}]*\bcreateActions\b/)
  expect(text).not.toContain('const createActions ')
  expect(text).toContain('const createActions_ = ')
})

test('schemas.ts declares only the helpers that it calls, whatever a description contains', async () => {
  const described = { type: 'object', description: 'OneOf( and MapOf( in words' }
  const { text } = emitSchemas(await apiOf({ openapi: openapiOf({ schemas: { A: described } }) }))
  expect(text).not.toContain('const OneOf')
  expect(text).not.toContain('const MapOf')
})

test('a variant called __proto__ is a member of the validators of its operation', async () => {
  const forms = { type: 'object', properties: { a: { type: 'string' } } }
  const variant = { request: ref('A'), responses: [ref('A')] }
  const order = {
    operationId: 'order',
    requestBody: { required: true, ...json(ref('A')) },
    responses: { 200: { description: 'Done.', ...json(ref('A')) } },
    'x-variants': Object.fromEntries([['__proto__', variant]]),
  }
  const api = await apiOf({
    openapi: openapiOf({ paths: { '/a': { post: order } }, schemas: { A: forms } }),
  })
  expect(inOneFile(emitValidators(api)).text).toContain("    ['__proto__']: {")
})

test.each(['standardSchema', 'standardSchemas'])(
  'standard-schema.ts of a schema %s imports the function under another name',
  async (name) => {
    const schemas = { [name]: { type: 'string' } }
    const paths = { '/a': { get: { operationId: 'a', responses: { 200: { description: 'A.' } } } } }
    const { text } = emitStandardSchema(await apiOf({ openapi: openapiOf({ schemas, paths }) }))
    expect(text).toContain(`${name} as ${name}2`)
    expect(text).toContain(`export const ${name}: `)
  },
)

test('rpc.client.ts imports the link of WebSockets if the document has such a server, and only then', async () => {
  const clientOf = async (...urls: readonly string[]) => {
    const servers = urls.map((url) => ({ url }))
    const api = await apiOf({ openrpc: { ...openrpcOf({ methods: [method('a')] }), servers } })
    return [emitRpcClient(api), emitRpcSingleMethods(api)].map(({ text }) => text)
  }
  for (const text of await clientOf('https://h.example', 'WSS://h.example/ws')) {
    expect(text).toContain("import { serverSocket } from 'twinspec/runtime/links/socket'")
    expect(text).toMatch(/createRpc<\w+>\([^;]*\{ serverSocket \}\)/)
  }
  for (const text of await clientOf('https://h.example/wss:')) expect(text).not.toContain('ocket')
})

test('the reference of a document with webhooks alone has no empty table', async () => {
  const webhooks = { made: { post: { responses: { 200: { description: 'Seen.' } } } } }
  const { text } = emitReference(
    await apiOf({ openapi: openapiOf({ version: '3.1.0', webhooks }) }),
  )
  expect(text).not.toContain('## Operations')
})

test('the reference says that a response is a stream, and of what', async () => {
  const content = { 'application/jsonl': { itemSchema: { type: 'string' } } }
  const get = { operationId: 'log', responses: { 200: { description: 'Lines.', content } } }
  const { text } = emitReference(
    await apiOf({ openapi: openapiOf({ version: '3.2.0', paths: { '/log': { get } } }) }),
  )
  expect(text).toContain('| 200 | stream of `string` | Lines. |')
})

test('the reference lists webhooks and callbacks, with what they send', async () => {
  const { text } = emitReference(
    await apiOf({
      openapi: openapiOf({
        version: '3.1.0',
        webhooks: {
          orderPaid: {
            post: {
              summary: 'Paid.',
              requestBody: json(ref('Order')),
              responses: { 204: { description: 'Seen.' } },
            },
          },
        },
        paths: {
          '/orders': {
            post: {
              responses: { 201: { description: 'Made.' } },
              callbacks: {
                done: {
                  '{$request.body#/url}': {
                    put: {
                      requestBody: json(ref('Order')),
                      responses: { 200: { description: 'Seen.' }, 410: { description: 'Gone.' } },
                    },
                  },
                },
              },
            },
          },
        },
        schemas: { Order: { type: 'string' } },
      }),
    }),
  )
  expect(text).toContain(`## Sent by the server

| request | on the wire | body | expected status | purpose |
| --- | --- | --- | --- | --- |
| webhook \`orderPaid\` | \`POST\` | [Order](#schema.Order) | 204 | Paid. |
| callback \`done\` of \`POST /orders\` | \`PUT {$request.body#/url}\` | [Order](#schema.Order) | 200 or 410 |  |
`)
})

test('each link of the reference leads to one heading, whatever other headings are called', async () => {
  const order = {
    operationId: 'order',
    description: '# Order\n\n# Servers',
    responses: { 200: { description: 'Made.', ...json(ref('Order')) } },
  }
  const { text } = emitReference(
    await apiOf({
      openapi: openapiOf({
        paths: { '/': { get: order }, '/s': { get: { ...order, operationId: 'schemas' } } },
        schemas: { Order: { type: 'object', description: '## Order' } },
      }),
    }),
  )
  const anchors = [...text.matchAll(/^### <a id="(.*?)"><\/a>(.*)$/gm)].map(([, id, name]) => [
    id,
    name,
  ])
  expect(anchors).toEqual([
    ['operation.order', 'order'],
    ['operation.schemas', 'schemas'],
    ['schema.Order', 'Order'],
  ])
  const links = new Set([...text.matchAll(/\]\(#(.*?)\)/g)].map(([, target]) => target))
  expect(links).toEqual(new Set(anchors.map(([id]) => id)))
})

test('a helper of the validators has a name that no schema and no check has', async () => {
  const closed = { type: 'object', properties: { a: { type: 'string' } } }
  const schemas = { isObject: closed, isObject2: closed, isObject_: closed, Object3: closed }
  const { text } = inOneFile(emitValidators(await apiOf({ openapi: openapiOf({ schemas }) })))
  const declared = [...text.matchAll(/^(?:export )?(?:const|function) (\w+)/gm)].map(
    ([, one]) => one,
  )
  expect(declared.filter((one, at) => declared.indexOf(one) < at)).toEqual([])
  expect(declared).toContain('isObject3')
})

test('a client has the validators of what its operations send and receive; asked for, there are those of all schemas', async () => {
  const properties = { part: ref('Part') }
  const schemas = {
    Part: { type: 'string', minLength: 1 },
    Whole: { type: 'object', properties },
    Unused: { type: 'object', properties },
  }
  const read = {
    operationId: 'read',
    responses: { 200: { description: 'A.', ...json(ref('Whole')) } },
  }
  const api = await apiOf({ openapi: openapiOf({ paths: { '/a': { get: read } }, schemas }) })
  const exportsOf = (files: ReturnType<typeof emitAll>, name: string) => {
    const text = files.find((one) => one.name === name)?.text ?? ''
    return [...text.matchAll(/^export const (\w+)/gm)].map(([, one]) => one).sort()
  }
  const client = emitAll(api, [], ['client'])
  for (const name of ['validators.ts', 'explanations.ts'])
    expect(exportsOf(client, name)).toEqual(['Part', 'Whole', 'httpValidators', 'read'])
  expect(client.find(({ name }) => name === 'http.types.ts')?.text).toContain('Unused')
  for (const files of [emitAll(api, [], ['client', 'validators']), emitAll(api, [], kindNames)])
    expect(exportsOf(files, 'validators.ts')).toContain('Unused')
  expect(exportsOf(emitAll(api, ['standard-schema'], ['client']), 'validators.ts')).toContain(
    'Unused',
  )
})
