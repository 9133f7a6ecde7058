import { expect, it } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import type { EnumScope } from '../../src/emit/enums.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const status = {
  type: 'string',
  description: 'Where an order stands.',
  enum: ['open', 'paid', 'in-transit'],
  'x-enum-varnames': ['Open', 'Paid', 'In transit'],
  'x-enum-descriptions': ['Nobody has paid.', 'It is paid.'],
}
const kind = {
  type: 'integer',
  enum: [0, 1, null],
  nullable: true,
  'x-enumNames': ['Book', 'Cake'],
}
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const openapi = openapiOf({
  schemas: {
    Status: status,
    Order: {
      type: 'object',
      properties: {
        id: { type: 'string', readOnly: true },
        kind,
        tags: { type: 'array', items: { enum: ['a'], 'x-enum-varnames': ['A'] } },
        status: { $ref: '#/components/schemas/Status' },
        other: { enum: ['b', 'c'], 'x-enum-varnames': ['B'] },
      },
    },
  },
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        parameters: [
          { name: 'sort', in: 'query', schema: { enum: ['a-z'], 'x-enumNames': ['AZ'] } },
        ],
        responses: { 200: { description: '', ...json({ $ref: '#/components/schemas/Order' }) } },
      },
      post: {
        operationId: 'addOrder',
        requestBody: json({ $ref: '#/components/schemas/Order' }),
        responses: { 204: { description: '' } },
      },
    },
  },
})

const enumsOf = async (document: object, scope: EnumScope = 'named'): Promise<string | undefined> =>
  emitAll(await apiOf({ openapi: document }), [], ['types'], [], scope).find(
    ({ name }) => name === 'enums.ts',
  )?.text

it('enums have a constant with the names of the document', async () => {
  const text = await enumsOf(openapi)
  expect(text?.slice(text.indexOf('export'))).toMatchInlineSnapshot(`
    "export const OrderKind = {
      Book: 0,
      Cake: 1,
    } as const

    export const OrderTags = {
      A: 'a',
    } as const

    /** Where an order stands. */
    export const Status = {
      /** Nobody has paid. */
      Open: 'open',
      /** It is paid. */
      Paid: 'paid',
      'In transit': 'in-transit',
    } as const

    export const ListOrdersSort = {
      AZ: 'a-z',
    } as const
    "
  `)
})

it('a document without names has no such file', async () => {
  expect(await enumsOf(openapiOf({ schemas: { Status: { enum: ['a'] } } }))).toBeUndefined()
})

it('all enums of texts and numbers have a constant where it is asked for', async () => {
  const schemas = {
    Status: { type: 'string', enum: ['open', 'in-transit', 'in_transit', '2fa'] },
    Level: { type: 'integer', enum: [-1, 0, 1.5, null], nullable: true },
    Named: { enum: ['a'], 'x-enum-varnames': ['A'] },
    Shapes: { enum: [{ a: 1 }] },
  }
  const text = await enumsOf(openapiOf({ schemas }), 'all')
  expect(text?.slice(text.indexOf('export'))).toMatchInlineSnapshot(`
    "export const Level = {
      ValueMinus1: -1,
      Value0: 0,
    } as const

    export const Named = {
      A: 'a',
    } as const

    export const Status = {
      open: 'open',
      in_transit: 'in-transit',
      in_transit2: 'in_transit',
      Value2fa: '2fa',
    } as const
    "
  `)
})
