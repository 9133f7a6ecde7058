import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { STRICT } from '../compile.js'
import { apiOf, openapiOf, openrpcOf } from '../read/api-of.js'

const GENERATED = join(import.meta.dirname, '../../generated')

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })

const schemas = {
  Order: {
    type: 'object',
    title: 'order',
    description: 'What a customer wants.',
    required: ['amount', 'state'],
    properties: {
      amount: {
        type: 'integer',
        title: 'Amount',
        description: 'How many of it.',
        minimum: 1,
        maximum: 99,
        default: 1,
      },
      code: {
        type: ['string', 'null'],
        title: 'The voucher */ of the shop',
        pattern: '^[A-Z]{4}$',
        minLength: 4,
        format: 'voucher',
      },
      state: { type: 'string', description: 'How far it is.', enum: ['open', 'sent'] },
      photo: { type: 'string', format: 'binary', description: 'As it arrived.' },
      old: { type: 'string', deprecated: true },
    },
  },
  Size: { type: 'integer', description: 'How many on a page.', maximum: 100, default: 20 },
  Gift: { type: 'object', required: ['to'], properties: { to: { type: 'string' } } },
}

const read = async () => {
  const api = await apiOf({
    openapi: openapiOf({
      version: '3.1.0',
      schemas,
      paths: {
        '/orders': {
          get: {
            operationId: 'listOrders',
            tags: ['Orders'],
            summary: 'Lists the orders',
            description: 'The newest first.',
            parameters: [
              { name: 'size', in: 'query', schema: ref('Size') },
              {
                name: 'sort',
                in: 'query',
                schema: { type: 'string', description: 'By what.', default: 'date' },
              },
              { name: 'after', in: 'query', description: 'A cursor.', schema: { type: 'string' } },
            ],
            responses: {
              200: { description: 'They.', ...json({ type: 'array', items: ref('Order') }) },
            },
          },
          post: {
            operationId: 'createOrder',
            tags: ['Orders'],
            description: 'Orders something.',
            requestBody: { required: true, ...json({ oneOf: [ref('Order'), ref('Gift')] }) },
            responses: {
              201: { description: 'Made.', ...json({ oneOf: [ref('Order'), ref('Gift')] }) },
            },
            'x-variants': {
              order: { request: ref('Order'), responses: [ref('Order')] },
              gift: { request: ref('Gift'), responses: [ref('Gift')] },
            },
          },
        },
        '/orders/count': {
          get: {
            operationId: 'countOrders',
            tags: ['Orders'],
            responses: {
              200: {
                description: 'The numbers.',
                ...json({
                  type: 'object',
                  description: 'How many there are.',
                  required: ['open'],
                  properties: {
                    open: { type: 'integer', description: 'Not sent yet.', minimum: 0 },
                  },
                }),
              },
            },
          },
        },
        '/orders/chat': {
          post: {
            operationId: 'chatOrders',
            description: 'Talks about them.',
            requestBody: {
              required: true,
              ...json({
                type: 'object',
                properties: { stream: { type: 'boolean', default: false } },
              }),
            },
            responses: {
              200: {
                description: 'Words.',
                content: {
                  ...json(ref('Gift')).content,
                  'text/event-stream': { schema: ref('Order') },
                },
              },
            },
          },
        },
        '/orders/report': {
          get: {
            operationId: 'reportOrders',
            description: 'Prints them.',
            responses: {
              200: {
                description: 'A report.',
                content: {
                  ...json(ref('Order')).content,
                  'text/csv': { schema: { type: 'string' } },
                },
              },
            },
          },
        },
        '/orders/all': {
          delete: {
            operationId: 'deleteAllOrders',
            tags: ['Orders'],
            description: 'Forgets them.',
            deprecated: true,
            responses: { 204: { description: 'Done.' } },
          },
        },
      },
    }),
    openrpc: openrpcOf({
      methods: [
        {
          name: 'shop_find',
          summary: 'Finds orders',
          params: [
            { name: 'size', schema: ref('Size') },
            {
              name: 'text',
              required: true,
              schema: { type: 'string', description: 'A word.', maxLength: 9 },
            },
          ],
          result: { name: 'found', schema: { type: 'array', items: ref('Order') } },
        },
      ],
      schemas,
    }),
  })
  return emitAll(api).filter(({ name }) => name.endsWith('.ts'))
}

/** `/*1*\/` marks the place of hover 1, before a name. */
const USE = `import { createHttpClient } from './http.client.js'
import type { CreateOrderVariants, Order } from './http.types.js'
import { createRpcClient } from './rpc.client.js'

const http = createHttpClient()
const rpc = createRpcClient()
const orders = await http./*operation*/listOrders({ query: { /*reference*/size: 5, /*schema*/sort: 'date', /*parameter*/after: '' } })
await http.orders./*renamed*/list()
const /*result*/count = await http./*inline*/countOrders()
export const open = count./*within*/open
await http.orders./*grouped*/deleteAllOrders()
await http./*deprecated*/deleteAllOrders()
const streamed = await http./*streaming*/chatOrders({ body: { stream: true } })
const whole = await http./*whole*/chatOrders({ body: {} })
const flag: boolean | undefined = orders.length > 1
export const either = await http.chatOrders({ body: { stream: flag } })
export const to: string = whole.to
for await (const item of streamed) item.amount.toFixed()
const csv: string = await http./*accepting*/reportOrders({ accept: 'text/csv' })
export const report: Order | string = await http./*accepted*/reportOrders()
export { csv }
const made = await http./*variants*/createOrder({ body: { amount: 1, state: 'open' } })
export const one: Order = { /*property*/amount: 1, /*enum*/state: 'open', /*nullable*/code: null }
export const order: /*type*/Order | undefined = orders[0]
export const photo = order?./*binary*/photo
export const old = order?./*old*/old
export type Gift = CreateOrderVariants['gift']
export const found = await rpc./*method*/shopFind(undefined, 'a')
export const same = await rpc.shop./*member*/find(undefined, 'a')
export { made }
`

/** What an editor shows at each mark: the declaration and its comment. */
const hovers = async (): Promise<ReadonlyMap<string, string>> => {
  const files = new Map((await read()).map(({ name, text }) => [join(GENERATED, name), text]))
  const path = join(GENERATED, 'use.ts')
  files.set(path, USE)
  const host: ts.LanguageServiceHost = {
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = files.get(name) ?? ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => GENERATED,
    getCompilationSettings: () => STRICT,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => files.has(name) || ts.sys.fileExists(name),
    readFile: (name) => files.get(name) ?? ts.sys.readFile(name),
    directoryExists: ts.sys.directoryExists,
  }
  const service = ts.createLanguageService(host)
  const program = service.getProgram()
  const errors = program?.getSemanticDiagnostics(program.getSourceFile(path)) ?? []
  expect(
    errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  ).toEqual([])
  return new Map(
    [...USE.matchAll(/\/\*(\w+)\*\//g)].map(([mark, name = '']) => {
      const at = USE.indexOf(mark) + mark.length
      const info = service.getQuickInfoAtPosition(path, at)
      const tags = (info?.tags ?? []).map(
        (tag) => `@${tag.name}${tag.text ? ` ${ts.displayPartsToString(tag.text)}` : ''}`,
      )
      const parts = [
        ts.displayPartsToString(info?.displayParts),
        ts.displayPartsToString(info?.documentation),
        ...tags,
      ]
      return [name, parts.filter((part) => part !== '').join('\n')]
    }),
  )
}

const shown = await hovers()

describe('an editor shows', () => {
  it.each([
    ['operation', ['ListOrdersInput', 'Lists the orders', 'The newest first.', '`GET /orders`']],
    ['variants', ['Orders something.', 'WithBody<CreateOrderInput', 'Promise<Order>']],
    ['streaming', ['Talks about them.', 'ChatOrdersInput']],
    ['whole', ['Talks about them.', 'Promise<Gift>']],
    ['accepting', ['Prints them.', 'Promise<string>']],
    ['accepted', ['Prints them.', 'Promise<Order>']],
    ['inline', ['Promise<CountOrdersResult>', '`GET /orders/count`']],
    ['result', ['CountOrdersResult']],
    ['within', ['Not sent yet.', '@minimum 0']],
    ['deprecated', ['Forgets them.', '@deprecated']],
    ['renamed', ['ListOrdersInput', 'Lists the orders', '`GET /orders`']],
    ['grouped', ['Forgets them.', '`DELETE /orders/all`', '@deprecated']],
    ['parameter', ['A cursor.']],
    ['schema', ['By what.', '@default "date"']],
    ['reference', ['How many on a page.', '@default 20', '@maximum 100']],
    ['property', ['How many of it.', '@default 1', '@minimum 1', '@maximum 99']],
    ['enum', ['"open" | "sent"', 'How far it is.']],
    ['nullable', ['The voucher', '@format voucher', '@minLength 4', '@pattern ^[A-Z]{4}$']],
    ['binary', ['Blob', 'As it arrived.']],
    ['old', ['@deprecated']],
    ['type', ['What a customer wants.']],
    ['method', ['Finds orders', 'A word. (maxLength: 9)', '(optional) How many on a page.']],
    ['member', ['Finds orders', '`shop_find`']],
  ])('of %s: its types, descriptions, defaults and bounds', (mark, parts) => {
    for (const part of parts) expect(shown.get(mark)).toContain(part)
  })

  it('no title that only repeats a name, and no tags of other tools', () => {
    expect(shown.get('property')).not.toContain('Amount')
    expect(shown.get('type')).not.toMatch(/^order$/m)
    for (const text of shown.values()) expect(text).not.toMatch(/@enum|@description/)
  })
})
