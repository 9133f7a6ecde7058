import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type ts from 'typescript'
import { afterAll, expect, it, test } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import type { File } from '../../src/emit/file.js'
import { DEFAULT_KINDS, kindNames } from '../../src/emit/kinds.js'
import { PLUGINS } from '../../src/emit/plugins.js'
import type { Webhooks } from '../../src/runtime/webhooks.js'
import { compileErrors, STRICT } from '../compile.js'
import { apiOf, openapiOf } from '../read/api-of.js'
import { importFile } from './generated-code.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const done = { 204: { description: 'Seen.' } }
const sent = (schema: object, responses: object = done) => ({
  post: { requestBody: { required: true, ...json(schema) }, responses },
})

const SCHEMAS = {
  NewOrder: { type: 'object', properties: { url: { type: 'string' } } },
  Order: {
    type: 'object',
    required: ['id', 'secret', 'cents'],
    properties: {
      id: { type: 'string', readOnly: true },
      secret: { type: 'string', writeOnly: true },
      cents: { type: 'integer', 'x-bigint': true },
    },
  },
}

/** A webhook with a name that is no identifier, and a callback with a payload of its own. */
const SHOP = openapiOf({
  version: '3.1.0',
  schemas: SCHEMAS,
  paths: {
    '/orders': {
      post: {
        operationId: 'createOrder',
        requestBody: json(ref('NewOrder')),
        responses: { 201: { description: 'Created.', ...json(ref('Order')) } },
        callbacks: {
          onShipped: {
            '{$request.body#/url}': sent(
              { type: 'object', required: ['parcel'], properties: { parcel: { type: 'string' } } },
              { 200: { description: 'Seen.', ...json({ type: 'object', required: ['seen'] }) } },
            ),
          },
        },
      },
    },
  },
  webhooks: {
    'order.paid': {
      post: {
        ...sent(ref('Order')).post,
        summary: 'An order was paid',
        parameters: [{ name: 'X-Try', in: 'header', required: true, schema: { type: 'integer' } }],
      },
    },
  },
})

const api = await apiOf({ openapi: SHOP })
const files = emitAll(api)

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const write = (all: readonly File[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'twinspec-webhooks-'))
  folders.push(folder)
  for (const { name, text } of all) writeFileSync(join(folder, name), text)
  return folder
}

const ROOT = join(import.meta.dirname, '../..')

/** What the compiler reports for generated files and a program beside them. */
const errorsOf = (all: readonly File[], program: string, options?: ts.CompilerOptions) => {
  const texts = new Map([
    ...all.map(({ name, text }) => [join(ROOT, 'made', name), text] as const),
    [join(ROOT, 'made/program.ts'), program] as const,
  ])
  const code = [...texts.keys()].filter((name) => name.endsWith('.ts'))
  return compileErrors({ files: code, texts, ...(options && { options }) }).map((line) =>
    line.slice(line.indexOf('made/')),
  )
}

test('webhooks and callbacks have ids of their own', () => {
  expect(api.outgoing.map(({ id, name }) => [id, name])).toEqual([
    ['orderPaid', 'order.paid'],
    ['createOrderOnShipped', 'onShipped'],
  ])
})

test('ids are unique: by method, then by number', async () => {
  const twice = { ...sent({}), put: sent({}).post }
  const webhooks = { 'a.b': twice, 'a-b': sent({}), class: sent({}), '1st': sent({}) }
  const odd = await apiOf({ openapi: openapiOf({ version: '3.1.0', webhooks }) })
  const { outgoing } = odd
  expect(
    errorsOf(emitAll(odd), "export type { ClassWebhook, _1stWebhook } from './webhooks.js'\n"),
  ).toEqual([])
  // Operations are in the order of OpenAPI: PUT before POST.
  expect(outgoing.map(({ id, name, method }) => `${id}: ${method} ${name}`)).toEqual([
    'aB: PUT a.b',
    'aBPost: POST a.b',
    'aBPost2: POST a-b',
    'class_: POST class',
    '_1st: POST 1st',
  ])
})

test('x-webhooks of OpenAPI 3.0 is read like webhooks, with its references and faults', async () => {
  const made = await apiOf({
    openapi: openapiOf({
      schemas: SCHEMAS,
      'x-webhooks': { paid: sent(ref('Order')), lost: sent(ref('Missing')) },
    }),
  })
  expect(made.outgoing.map(({ id }) => id)).toEqual(['paid', 'lost'])
  expect(made.findings.map(({ rule }) => rule)).toEqual(['reference-is-dangling'])
})

test('the payload is what a response is: readOnly is required, writeOnly is not', () => {
  const [webhook] = api.outgoing
  expect(webhook?.body?.content[0]?.schema).toEqual(ref('OrderResponse'))
  expect(api.schemas.get('OrderResponse')?.schema).toMatchObject({ required: ['id', 'cents'] })
})

test('the types are those of the document, in the strictest settings', () => {
  const program = `import { createWebhooks, type OrderPaidWebhook, type WebhookHandlers } from './webhooks.js'
import type { OrderResponse } from './http.types.js'
const same: OrderPaidWebhook extends OrderResponse ? OrderResponse extends OrderPaidWebhook ? true : false : false = true
export const handlers: WebhookHandlers = {
  orderPaid: async (order, { name, parameters }) => {
    const cents: bigint = order.cents
    const tried: number = parameters.header['X-Try']
    console.log(same, name, cents, tried)
  },
  createOrderOnShipped: ({ parcel }) => ({ status: 200, body: { seen: parcel.length } }),
}
export const webhooks = createWebhooks(handlers, { secret: ['a', 'b'] })
export const none = createWebhooks({ orderPaid: () => undefined }, { scheme: 'none' })
export const own = createWebhooks({}, { scheme: ({ headers }) => headers.has('x') })
`
  expect(errorsOf(files, program)).toEqual([])
  expect(
    errorsOf(files, program, { ...STRICT, isolatedDeclarations: true, declaration: true }),
  ).toEqual([])
})

test.each([
  ['orderPayed: () => undefined', /orderPayed/],
  ['orderPaid: (order) => order.nothing', /nothing/],
  ['createOrderOnShipped: () => ({ status: 201 })', /201/],
])('a handler %s is an error', (handler, message) => {
  const program = `import { createWebhooks } from './webhooks.js'
export const webhooks = createWebhooks({ ${handler} }, { secret: 'a' })
`
  expect(errorsOf(files, program).join()).toMatch(message)
})

test('the receiver reads what it declares', async () => {
  const module = await importFile<{
    createWebhooks: (handlers: object, options: object) => Webhooks
  }>(write(files), 'webhooks.ts')
  const got: unknown[] = []
  const { handle } = module.createWebhooks(
    {
      orderPaid: (order: unknown) => void got.push(order),
      createOrderOnShipped: ({ parcel }: { parcel: string }) => ({
        status: 200,
        body: { seen: parcel },
      }),
    },
    { scheme: 'none' },
  )
  const post = (body: string, headers = {}) =>
    handle(
      new Request('http://localhost/', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      }),
    )
  const paid = await post('{"id":"1","cents":12345678901234567890}', { 'x-try': '1' })
  expect(paid.status).toBe(204)
  expect(got).toEqual([{ id: '1', cents: 12345678901234567890n }])
  expect(await (await post('{"parcel":"7"}')).json()).toEqual({ seen: '7' })
  expect((await post('{"id":"1"}', { 'x-try': '1' })).status).toBe(400)
})

it.each([
  [
    'by default',
    DEFAULT_KINDS,
    ['explanations.ts', 'http.types.ts', 'validators.ts', 'webhooks.ts'],
  ],
  [
    'of every kind',
    kindNames,
    [
      ...['explanations.ts', 'http.openapi.json', 'http.types.ts', 'reference.md', 'schemas.ts'],
      ...['validators.ts', 'webhooks.ts'],
    ],
  ],
] as const)('a document of webhooks alone gets no client, %s', async (_, kinds, names) => {
  const openapi = openapiOf({
    version: '3.1.0',
    schemas: SCHEMAS,
    webhooks: { paid: sent(ref('Order')) },
  })
  const only = await apiOf({ openapi })
  const made = emitAll(only, [], kinds)
  expect(PLUGINS.msw.whyNot(only)).toMatch(/webhooks/)
  expect(PLUGINS.msw.whyNot(api)).toBeUndefined()
  expect(made.map(({ name }) => name)).toEqual(names)
  expect(errorsOf(made, "export { createWebhooks } from './webhooks.js'\n")).toEqual([])
})

test('`--only types` has webhooks as openapi-typescript has them', () => {
  const types = emitAll(api, [], ['types'])
  const program = `import type { OrderResponse, webhooks } from './http.types.js'
type Post = webhooks['order.paid']['post']
export const order: Post['requestBody']['content']['application/json'] extends OrderResponse ? true : false = true
export const tried: Post['parameters']['header'] = { 'X-Try': 1 }
export const get: webhooks['order.paid']['get'] = undefined
export type Status = keyof Post['responses']
export const status: Status = 204
`
  expect(errorsOf(types, program)).toEqual([])
  expect(types[0]?.text).not.toContain('onShipped')
})

test('an optional body may be undefined', async () => {
  const webhooks = { any: { post: { requestBody: json(ref('NewOrder')), responses: done } } }
  const optional = openapiOf({ version: '3.1.0', schemas: SCHEMAS, webhooks })
  const program = `import type { AnyWebhook } from './webhooks.js'
export const none: AnyWebhook = undefined
`
  expect(errorsOf(emitAll(await apiOf({ openapi: optional })), program)).toEqual([])
})

test('a document without webhooks gets no receiver', async () => {
  const { webhooks: _, ...rest } = SHOP as Record<string, unknown>
  const paths = { '/orders': { get: { operationId: 'list', responses: done } } }
  const made = emitAll(await apiOf({ openapi: { ...rest, paths } }), [], kindNames)
  expect(made.map(({ name }) => name)).not.toContain('webhooks.ts')
})

test('the files of clients are the same with webhooks and without', async () => {
  const { webhooks: _, ...rest } = SHOP as Record<string, unknown>
  const without = emitAll(await apiOf({ openapi: rest }), [], ['client'])
  const own = emitAll(api, [], ['client'])
  expect(own.find(({ name }) => name === 'http.client.ts')).toEqual(
    without.find(({ name }) => name === 'http.client.ts'),
  )
  expect(own.map(({ name }) => name)).toEqual(without.map(({ name }) => name))
})
