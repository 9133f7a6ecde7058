import { expect, it } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { operationNames } from '../../src/emit/operation-names.js'
import { answering, apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'
import { diagnose } from './strictest.js'

const text = { type: 'string' }

const namesIn = async (ids: readonly string[], schemas: Readonly<Record<string, object>> = {}) => {
  const paths = ids.map((id, at) => [`/${at}`, answering(text, id)])
  const api = await apiOf({ openapi: openapiOf({ schemas, paths: Object.fromEntries(paths) }) })
  const names = operationNames(api)
  return api.operations.map((operation) => {
    const { input, result, error } = names(operation)
    return [input, result, error].join(' ')
  })
}

it('the types of an operation have its name with a capital', async () => {
  expect(await namesIn(['createOrder', 'GetCharges', 'größe', '2fa', 'list_pets'])).toEqual([
    'CreateOrderInput CreateOrderResult CreateOrderError',
    'GetChargesInput GetChargesResult GetChargesError',
    'GrößeInput GrößeResult GrößeError',
    '_2faInput _2faResult _2faError',
    'ListPetsInput ListPetsResult ListPetsError',
  ])
})

it('operations whose names differ in case or spelling keep theirs', async () => {
  expect(await namesIn(['getPet', 'GetPet', 'get_pet'])).toEqual([
    'GetPetInput GetPetResult GetPetError',
    'GetPet_Input GetPet_Result GetPet_Error',
    'get_pet_Input get_pet_Result get_pet_Error',
  ])
})

it('the type of an operation gives way to a schema', async () => {
  const schemas = { CreateOrderResult: text, CreateOrderOperationResult: text }
  expect(await namesIn(['createOrder', 'createOrderOperation'], schemas)).toEqual([
    'CreateOrderInput CreateOrderOperationResult2 CreateOrderError',
    'CreateOrderOperationInput CreateOrderOperationOperationResult CreateOrderOperationError',
  ])
  expect(await namesIn(['createOrder'], { CreateOrderError: text })).toEqual([
    'CreateOrderInput CreateOrderResult CreateOrderOperationError',
  ])
})

const order = {
  operationId: 'createOrder',
  parameters: [{ name: 'key', in: 'header', required: true, schema: text, 'x-secret': true }],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
  },
  responses: {
    201: {
      description: 'Made.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
    },
    409: {
      description: 'There is one.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  },
}

it('they are what calls take, resolve with and throw, next to schemas called as globals are', async () => {
  const schemas = {
    Order: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    Error: { type: 'object', required: ['reason'], properties: { reason: text } },
    Object: { type: 'object', properties: { when: { $ref: '#/components/schemas/Date' } } },
    Date: text,
    InputOf: text,
    CreateOrderResult: text,
  }
  const api = await apiOf({
    openapi: openapiOf({ schemas, paths: { '/orders': { post: order } } }),
    openrpc: openrpcOf({
      methods: [
        {
          ...method(
            'get_order',
            [{ name: 'id', required: true, schema: { type: 'integer' } }],
            text,
          ),
          errors: [{ code: 1, message: 'None.' }],
        },
      ],
    }),
  })
  expect(api.findings.map(({ rule }) => rule)).not.toContain('schema-name-was-changed')
  const files = emitAll(api).filter(({ name }) => name.endsWith('.ts'))
  const use = `import { createHttpClient, isHttpError } from './http.client.js'
import type * as http from './http.types.js'
import { createRpcClient } from './rpc.client.js'
import type * as rpc from './rpc.types.js'

export const input: http.CreateOrderInput = { body: { id: 1 } }
export const made = async (): Promise<http.CreateOrderOperationResult> => createHttpClient().createOrder(input)
export const id = async (): Promise<http.Order['id']> => (await made()).id
export const reason = (error: http.CreateOrderError): string => (error.status === 409 ? error.body.reason : '')
export const thrown = (error: unknown): string => (isHttpError(error, 'createOrder') ? reason(error) : '')
export const read = async (...params: rpc.GetOrderInput): Promise<rpc.GetOrderResult> => createRpcClient().getOrder(...params)
export const code = ({ code }: rpc.GetOrderError): 1 => code
export const dates: http.Date[] = [new globalThis.Date().toISOString(), '' as http.CreateOrderResult]
// @ts-expect-error the body has an id
export const wrong: http.CreateOrderInput = { body: {} }
`
  expect(
    diagnose(new Map([...files.map(({ name, text }) => [name, text] as const), ['use.ts', use]])),
  ).toEqual([])
})
