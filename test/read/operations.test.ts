import { describe, expect, test } from 'vitest'
import type { HttpOperation, Operation, RpcOperation } from '../../src/model/api.js'
import { answering, apiOf, method, openapiOf, openrpcOf } from './api-of.js'

const firstHttp = (operations: readonly Operation[]): HttpOperation => {
  const found = operations.find((operation) => operation.kind === 'http')
  if (!found) throw new TypeError('no HTTP operation')
  return found
}

const firstRpc = (operations: readonly Operation[]): RpcOperation => {
  const found = operations.find((operation) => operation.kind === 'rpc')
  if (!found) throw new TypeError('no method')
  return found
}

describe('HTTP operations', () => {
  test('an operation’s own parameter stands in for the path item’s of the same place and name', async () => {
    const limit = (description: string) => ({
      name: 'limit',
      in: 'query',
      description,
      schema: { type: 'integer' },
    })
    const item = {
      parameters: [limit('of the path'), { name: 'id', in: 'path', required: true, schema: {} }],
      ...answering({}),
    }
    const { get, ...rest } = item
    const paths = {
      '/a/{id}': { ...rest, get: { ...get, parameters: [limit('of the operation')] } },
    }
    const { operations } = await apiOf({ openapi: openapiOf({ paths }) })
    expect(
      firstHttp(operations).parameters.map(({ name, description }) => [name, description]),
    ).toEqual([
      ['limit', 'of the operation'],
      ['id', undefined],
    ])
  })

  test('a parameter that the path names and nobody declares is a required string, and is reported', async () => {
    const { operations, findings } = await apiOf({
      openapi: openapiOf({ paths: { '/a/{id}': answering({}) } }),
    })
    expect(firstHttp(operations).parameters).toMatchObject([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    ])
    expect(findings.map(({ rule }) => rule)).toEqual(['path-parameter-is-undeclared'])
  })

  test.each([
    ['query', {}, ['form', true]],
    ['header', {}, ['simple', false]],
    ['cookie', {}, ['form', true]],
    ['query', { style: 'pipeDelimited' }, ['pipeDelimited', false]],
    ['query', { explode: false }, ['form', false]],
  ])('a %s parameter with %j is written as %j', async (place, given, written) => {
    const get = {
      ...answering({}).get,
      parameters: [{ name: 'p', in: place, schema: {}, ...given }],
    }
    const { operations } = await apiOf({ openapi: openapiOf({ paths: { '/a': { get } } }) })
    expect(firstHttp(operations).parameters.map(({ style, explode }) => [style, explode])).toEqual([
      written,
    ])
  })

  test('security schemes of every kind become what a request can carry', async () => {
    const securitySchemes = {
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      basic: { type: 'http', scheme: 'Basic' },
      bearer: { type: 'http', scheme: 'bearer' },
      oauth: { type: 'oauth2', flows: {} },
      openid: { type: 'openIdConnect', openIdConnectUrl: 'https://host.example' },
      tls: { type: 'mutualTLS' },
    }
    const security = [
      { header: [], basic: [] },
      { bearer: [] },
      { oauth: [] },
      { openid: [] },
      { tls: [] },
    ]
    const { operations } = await apiOf({
      openapi: openapiOf({
        paths: { '/a': answering({}) },
        components: { securitySchemes },
        security,
      }),
    })
    expect(firstHttp(operations).security).toEqual([
      ['header', 'basic'],
      ['bearer'],
      ['oauth'],
      ['openid'],
      ['tls'],
    ])
    expect(firstHttp(operations).schemes).toEqual({
      header: { kind: 'key', in: 'header', parameter: 'X-Key' },
      basic: { kind: 'basic' },
      bearer: { kind: 'bearer' },
      oauth: { kind: 'bearer' },
      openid: { kind: 'bearer' },
      tls: { kind: 'outside', type: 'mutualTLS' },
    })
  })

  test('an operation may ask for no security at all', async () => {
    const get = { ...answering({}).get, security: [] }
    const { operations } = await apiOf({
      openapi: openapiOf({
        paths: { '/a': { get } },
        components: { securitySchemes: { key: { type: 'http', scheme: 'basic' } } },
        security: [{ key: [] }],
      }),
    })
    expect(firstHttp(operations).security).toEqual([])
  })

  test('a link names the operation of the other document that it leads to', async () => {
    const { get } = answering({})
    const links = {
      receipt: { 'x-rpc-method': 'read_it', parameters: { id: '$response.body#/id' } },
    }
    const paths = {
      '/a': { get: { ...get, responses: { 200: { ...get.responses[200], links } } } },
    }
    const { operations } = await apiOf({
      openapi: openapiOf({ paths }),
      openrpc: openrpcOf({ methods: [method('read_it')] }),
    })
    expect(firstHttp(operations).links).toEqual([
      {
        name: 'receipt',
        status: '200',
        operation: 'readIt',
        parameters: { id: '$response.body#/id' },
      },
    ])
  })

  test('a GET may be repeated, a POST may not, and the document has the last word', async () => {
    const paths = {
      '/a': { ...answering({}, 'a'), post: { ...answering({}).get, operationId: 'b' } },
      '/c': { post: { ...answering({}).get, operationId: 'c', 'x-idempotent': true } },
    }
    const { operations } = await apiOf({ openapi: openapiOf({ paths }) })
    expect(operations.map(({ id, idempotent }) => [id, idempotent])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
    ])
  })
})

describe('methods', () => {
  const params = [
    { name: 'first', schema: { type: 'string' } },
    { name: 'second', required: true, schema: { type: 'string' } },
  ]

  test('an optional param before a required one is skipped by null, and a warning says so', async () => {
    const { operations, findings } = await apiOf({
      openrpc: openrpcOf({ methods: [method('do_it', params)] }),
    })
    expect(firstRpc(operations).params.map(({ required }) => required)).toEqual([false, true])
    expect(findings.map(({ rule }) => rule)).toEqual(['required-param-after-optional'])
  })

  test('by name it can', async () => {
    const named = { ...method('do_it', params), paramStructure: 'by-name' }
    const { operations, findings } = await apiOf({ openrpc: openrpcOf({ methods: [named] }) })
    expect(firstRpc(operations).params.map(({ required }) => required)).toEqual([false, true])
    expect(findings).toEqual([])
  })

  test.each([
    ['eth_getBalance', 'ethGetBalance'],
    ['wallet.create/key', 'walletCreateKey'],
    ['request', 'request_'],
    ['then', 'then_'],
    ['delete', 'delete_'],
    ['2fa', '_2fa'],
    ['🚀', '_'],
  ])('%s is called %s', async (name, id) => {
    const { operations } = await apiOf({ openrpc: openrpcOf({ methods: [method(name)] }) })
    expect(operations.map((operation) => operation.id)).toEqual([id])
  })

  test('the path at which a server answers is that of the first address', async () => {
    const servers = [
      {
        name: 'main',
        url: 'https://{host}/rpc/{key}?a=1',
        variables: { host: { default: 'h' }, key: { default: 'k' } },
      },
    ]
    expect((await apiOf({ openrpc: openrpcOf({ servers }) })).rpc?.path).toBe('/rpc/{key}')
    expect((await apiOf({ openrpc: openrpcOf({}) })).rpc?.path).toBe('/')
  })
})

test('ids are unique over both documents, the method keeping its own', async () => {
  const { operations, findings } = await apiOf({
    openapi: openapiOf({ paths: { '/a': answering({}, 'readIt') } }),
    openrpc: openrpcOf({ methods: [method('read_it'), method('read.it')] }),
  })
  expect(operations.map(({ kind, id }) => [kind, id])).toEqual([
    ['http', 'readIt3'],
    ['rpc', 'readIt'],
    ['rpc', 'readIt2'],
  ])
  expect(findings.map(({ rule }) => rule)).toEqual([
    'operation-name-was-changed',
    'operation-name-was-changed',
  ])
})
