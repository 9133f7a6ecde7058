import { beforeAll, expect, it } from 'vitest'
import { httpService, rpcService } from '../../generated/operations.js'
import { emitAll } from '../../src/emit/emit.js'
import type { Api } from '../../src/model/api.js'
import { loadApi } from '../../src/read/load.js'
import { apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'
import { faultsOf, operationsFileOf, recordsIn, recordsOf } from './operations-json.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/** One operation of each kind, with what extensions mark in schemas. */
let api: Api
beforeAll(async () => {
  api = await apiOf({
    openapi: openapiOf({
      version: '3.1.0',
      servers: [{ url: 'https://{host}/v1', variables: { host: { default: 'a.example' } } }],
      paths: {
        '/orders/{id}': {
          post: {
            operationId: 'order',
            'x-replaced-by': 'POST /orders',
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            requestBody: json(ref('Order')),
            responses: {
              200: { description: 'Yes.', ...json(ref('Receipt')) },
              404: {
                description: 'No.',
                content: { 'text/plain': { schema: { type: 'string' } } },
              },
            },
          },
        },
        '/orders': {
          post: { operationId: 'orderNew', responses: { 204: { description: 'Done.' } } },
        },
        '/log': {
          get: {
            operationId: 'readLog',
            responses: {
              200: {
                description: 'Lines.',
                content: {
                  'application/jsonl': { schema: { type: 'array', items: ref('Order') } },
                },
              },
            },
          },
        },
      },
      schemas: {
        Order: {
          type: 'object',
          properties: {
            amount: { type: 'integer', 'x-bigint': true },
            parent: ref('Order'),
            $ref: { type: 'string' },
          },
          'x-anyOf': [ref('Receipt')],
        },
        Receipt: {
          type: 'object',
          properties: { hash: { type: 'string', 'x-same-as': 'tx' }, tx: { type: 'string' } },
        },
      },
    }),
    openrpc: openrpcOf({
      methods: [
        method('pay', [{ name: 'order', schema: ref('Payment') }], { type: ['boolean', 'null'] }),
        { name: 'log', params: [{ name: 'lines', schema: true }] },
      ],
      schemas: {
        Payment: { type: 'object', properties: { amount: { 'x-bigint': true, type: 'integer' } } },
      },
    }),
  })
})

it('the operations of the model have the places that their schemas mark', () => {
  const places = Object.fromEntries(
    api.operations.map((one) => [
      one.id,
      { bigints: one.bigints, sameAs: one.kind === 'http' ? one.sameAs : undefined },
    ]),
  )
  expect(places).toMatchObject({
    order: {
      bigints: {
        request: { refs: ['Order'] },
        named: { Order: { properties: expect.anything() } },
      },
      sameAs: [['hash', 'tx']],
    },
    orderNew: { bigints: undefined, sameAs: undefined },
    readLog: { bigints: { items: { 200: expect.anything() } } },
    pay: { bigints: { params: { properties: { order: expect.anything() } } } },
    log: { bigints: undefined },
  })
})

it('operations.json has the records of operations.ts with their schemas', () => {
  const file = operationsFileOf(api)
  expect(faultsOf(file)).toEqual([])
  expect(recordsIn(file)).toEqual(recordsOf(api))
  expect(file).toMatchObject({
    version: 1,
    servers: { http: [{ url: 'https://{host}/v1' }], rpc: [] },
    http: {
      order: {
        parameters: [{ name: 'id', schema: { type: 'string' } }],
        body: { content: [{ type: 'application/json', schema: { $ref: '#/schemas/Order' } }] },
        replacedBy: 'orderNew',
      },
      readLog: { responses: [{ content: [{ codec: 'lines' }] }] },
    },
    rpc: { pay: { result: { schema: { type: ['boolean', 'null'] } } } },
    schemas: {
      Order: { properties: { parent: { $ref: '#/schemas/Order' }, $ref: { type: 'string' } } },
    },
  })
})

it('operations.json has what the server sends, and what cancels calls', async () => {
  const file = operationsFileOf(
    await apiOf({
      openrpc: openrpcOf({
        'x-cancel': { notification: 'stop', id: '/id' },
        'x-progress': { notification: 'step', token: '/0', value: '/1', request: '/0' },
        methods: [
          method('run', [{ name: 'token', schema: { type: 'string' } }], {}),
          { name: 'stop', params: [{ name: 'id', schema: {} }], 'x-direction': 'client' },
          {
            name: 'step',
            params: [
              { name: 'token', required: true, schema: { type: 'string' } },
              { name: 'value', required: true, schema: ref('Step') },
            ],
            'x-direction': 'server',
          },
        ],
        schemas: { Step: { type: 'number' } },
      }),
    }),
  )
  expect(faultsOf(file)).toEqual([])
  expect(Object.keys(file.rpc)).toEqual(['run', 'stop'])
  expect(file).toMatchObject({
    sent: {
      step: { isNotification: true, params: [{}, { schema: { $ref: '#/schemas/Step' } }] },
    },
    cancel: { notification: 'stop', id: '/id' },
    progress: { notification: 'step', token: '/0', value: '/1', request: '/0' },
  })
})

it('operations.json of this repository has the records of generated/operations.ts', async () => {
  const own = await loadApi({ openapi: 'spec/openapi.yaml', openrpc: 'spec/openrpc.yaml' })
  const file = operationsFileOf(own)
  expect(faultsOf(file)).toEqual([])
  const generated = { ...httpService.operations, ...rpcService.operations }
  expect(recordsIn(file)).toEqual(JSON.parse(JSON.stringify(generated)))
})

it('is written where it is asked for', () => {
  const names = (extras: Parameters<typeof emitAll>[1]) =>
    emitAll(api, extras).map(({ name }) => name)
  expect(names([])).not.toContain('operations.json')
  expect(names(['operations-json'])).toContain('operations.json')
})
