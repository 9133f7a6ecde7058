import { describe, expect, it } from 'vitest'
import { curlLines } from '../../src/mock/curl.js'
import { httpCurl } from '../../src/model/curl.js'
import { apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'
import { loadShop } from './shop.js'

it('prints a line of curl for each operation, with no secret in it', async () => {
  const api = await loadShop((texts) => ({
    ...texts,
    openapi: texts.openapi
      .replace('{ item: apple, count: 1 }', '{ item: "Ann\'s", count: 1 }')
      .replace(", pattern: '^[a-z]+$'", ''),
  }))
  const mock = {
    url: 'http://m',
    httpUrl: 'http://m',
    rpcUrl: 'http://m/rpc/{key}',
    stop: async () => {},
  }
  expect(curlLines(api, mock).join('\n')).toMatchInlineSnapshot(`
    "curl -s "http://m/orders/public" -H 'content-type: application/json' --data-raw '{"item":"Ann'\\''s","count":1}'
    curl -s "http://m/orders/made-up" -H 'content-type: application/json' --data-raw '{"item":"Ann'\\''s","count":1}'
    curl -s "http://m/orders/made-up/7"
    curl -s "http://m/slogans/1"
    curl -s "http://m/rpc/made-up" -H 'content-type: application/json' --data-raw '{"jsonrpc":"2.0","id":1,"method":"shop_price","params":["apple"]}'
    curl -s "http://m/rpc/made-up" -H 'content-type: application/json' --data-raw '{"jsonrpc":"2.0","id":1,"method":"shop_open","params":[]}'"
  `)
  expect(curlLines(api, { ...mock, httpUrl: undefined })).toHaveLength(2)
})

it('writes a property of an object in a path, although none is required', async () => {
  const schema = { type: 'object', properties: { shelf: { type: 'string' } } }
  const parameters = [{ name: 'where', in: 'path', required: true, schema }]
  const read = { operationId: 'read', parameters, responses: { 200: { description: 'x' } } }
  const api = await apiOf({ openapi: openapiOf({ paths: { '/books/{where}': { get: read } } }) })
  const urls = { url: 'http://m', httpUrl: 'http://m', rpcUrl: undefined }
  expect(curlLines(api, urls)).toEqual(['curl -s "http://m/books/shelf,text"'])
})

it('writes an item of a required list of a form: an empty list would leave out the field', async () => {
  const schema = {
    type: 'object',
    required: ['topic'],
    properties: { topic: { type: 'array', items: { type: 'string' } } },
  }
  const requestBody = { content: { 'application/x-www-form-urlencoded': { schema } } }
  const post = { operationId: 'publish', requestBody, responses: { 200: { description: 'Good' } } }
  const api = await apiOf({ openapi: openapiOf({ paths: { '/a': { post } } }) })
  expect(curlLines(api, { httpUrl: 'http://m', rpcUrl: undefined })).toEqual([
    `curl -s "http://m/a" --data-urlencode 'topic=text'`,
  ])
})

it.each([
  ['multipart/mixed', [{ a: 1 }, 'hello']],
  ['application/cbor', { a: 1 }],
])('has a file for an example of %s, which is not text', async (type, example) => {
  const parts = { [type]: { schema: true, example } }
  const requestBody = { required: true, content: parts }
  const post = { operationId: 'send', requestBody, responses: { 200: { description: 'Good' } } }
  const api = await apiOf({ openapi: openapiOf({ paths: { '/a': { post } } }) })
  expect(curlLines(api, { httpUrl: 'http://m', rpcUrl: undefined })).toEqual([
    `curl -s "http://m/a" -H 'content-type: ${type}' --data-binary '@/dev/null'`,
  ])
})

it('makes up what no example shows', async () => {
  const schema = {
    type: 'object',
    required: ['name', 'size'],
    properties: { name: { type: 'string' }, size: { type: 'integer', minimum: 3 } },
  }
  const tags = { type: 'array', items: { type: 'string', enum: ['big', 'small'] } }
  const api = await apiOf({
    openapi: openapiOf({
      paths: {
        '/hats/{id}': {
          post: {
            operationId: 'addHat',
            parameters: [
              { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
              { name: 'tags', in: 'query', required: true, schema: tags },
            ],
            requestBody: { required: true, content: { 'application/json': { schema } } },
            responses: { 200: { description: 'Good' } },
          },
        },
        '/hats': {
          put: {
            operationId: 'nameHat',
            requestBody: {
              required: true,
              content: { 'application/x-www-form-urlencoded': { schema } },
            },
            responses: { 200: { description: 'Good' } },
          },
        },
      },
    }),
    openrpc: openrpcOf({
      methods: [method('wear', [{ name: 'hat', required: true, schema }])],
    }),
  })
  const mock = { url: 'http://m', httpUrl: 'http://m', rpcUrl: 'http://m/r', stop: async () => {} }
  expect(curlLines(api, mock)).toEqual([
    `curl -s "http://m/hats/1?tags=big" -H 'content-type: application/json' --data-raw '{"name":"text","size":3}'`,
    `curl -s -X PUT "http://m/hats" --data-urlencode 'name=text' --data-urlencode 'size=3'`,
    `curl -s "http://m/r" -H 'content-type: application/json' --data-raw '{"jsonrpc":"2.0","id":1,"method":"wear","params":[{"name":"text","size":3}]}'`,
  ])
})

describe('credentials', () => {
  const lines = async (security: readonly object[]) => {
    const api = await apiOf({ openapi: openapi(security) })
    const mock = { url: 'http://m', httpUrl: 'http://m', rpcUrl: undefined, stop: async () => {} }
    return curlLines(api, mock)
  }

  it.each([
    ['a header', [{ cardNumber: [] }], `curl -s "http://m/a?page=2" -H "X-Card: made-up"`],
    ['a query', [{ queryKey: [] }], 'curl -s "http://m/a?page=2&api%5Bkey%5D=made-up"'],
    ['a cookie', [{ session: [] }], 'curl -s "http://m/a?page=2" -b "sid=made-up"'],
    ['a user', [{ login: [] }], 'curl -s "http://m/a?page=2" -u "made-up:made-up"'],
    ['a token', [{ jwt: [] }], 'curl -s "http://m/a?page=2" -H "Authorization: Bearer made-up"'],
    ['OAuth 2', [{ oauth: [] }], 'curl -s "http://m/a?page=2" -H "Authorization: Bearer made-up"'],
    [
      'all of an alternative',
      [{ session: [], cardNumber: [] }],
      'curl -s "http://m/a?page=2" -H "X-Card: made-up" -b "sid=made-up"',
    ],
    [
      'the first alternative that a request can carry',
      [{ tls: [], session: [] }, { jwt: [] }, { login: [] }],
      'curl -s "http://m/a?page=2" -H "Authorization: Bearer made-up"',
    ],
    ['nothing where nothing can be shown', [{ tls: [] }], 'curl -s "http://m/a?page=2"'],
    ['nothing where it is optional', [{ jwt: [] }, {}], 'curl -s "http://m/a?page=2"'],
    ['a key once that is a parameter too', [{ page: [] }], 'curl -s "http://m/a?page=2"'],
  ])('%s', async (_, security, line) => {
    expect(await lines(security)).toEqual([line])
  })
})

const openapi = (security: readonly object[]) =>
  openapiOf({
    paths: {
      '/a': {
        get: {
          operationId: 'a',
          security,
          parameters: [
            { name: 'page', in: 'query', required: true, schema: { type: 'integer' }, example: 2 },
          ],
          responses: { 200: { description: 'Good' } },
        },
      },
    },
    components: {
      securitySchemes: {
        cardNumber: { type: 'apiKey', in: 'header', name: 'X-Card' },
        queryKey: { type: 'apiKey', in: 'query', name: 'api[key]' },
        session: { type: 'apiKey', in: 'cookie', name: 'sid' },
        page: { type: 'apiKey', in: 'query', name: 'page' },
        login: { type: 'http', scheme: 'basic' },
        jwt: { type: 'http', scheme: 'bearer' },
        oauth: { type: 'openIdConnect', openIdConnectUrl: 'https://cards.example/oauth' },
        tls: { type: 'mutualTLS' },
      },
    },
  })

it('writes a list of items as JSON Lines: that of an example, else one with an item', async () => {
  const itemSchema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
  const lineOf = async (media: object) => {
    const requestBody = {
      required: true,
      content: { 'application/jsonl': { itemSchema, ...media } },
    }
    const post = { operationId: 'add', requestBody, responses: { 200: { description: 'Good' } } }
    const openapi = openapiOf({ version: '3.2.0', paths: { '/a': { post } } })
    const [line] = curlLines(await apiOf({ openapi }), { httpUrl: 'http://m', rpcUrl: undefined })
    return line?.replace(
      `curl -s "http://m/a" -H 'content-type: application/jsonl' --data-raw `,
      '',
    )
  }
  const both = `'{"id":2}\n{"id":3}\n'`
  expect(await lineOf({ example: [{ id: 2 }, { id: 3 }] })).toBe(both)
  expect(await lineOf({ example: '{"id":2}\n{"id":3}' })).toBe(both)
  expect(await lineOf({ example: { id: 2 } })).toBe(`'{"id":2}\n'`)
  expect(await lineOf({})).toBe(`'{"id":1}\n'`)
})

it.each([
  ['text/*', 'a', 'text/plain', 'a'],
  ['*/*', 'a', 'text/plain', 'a'],
  ['application/*', 'a', 'application/json', '"a"'],
  ['application/*+json', { a: 1 }, 'application/x+json', '{"a":1}'],
])('a body in %s has a media type that can be sent', async (type, example, sent, body) => {
  const post = {
    requestBody: { required: true, content: { [type]: { example } } },
    responses: { 200: { description: 'Good.' } },
  }
  const api = await apiOf({ openapi: openapiOf({ paths: { '/a': { post } } }) })
  expect(curlLines(api, { httpUrl: 'http://m', rpcUrl: undefined })).toEqual([
    `curl -s "http://m/a" -H 'content-type: ${sent}' --data-raw '${body}'`,
  ])
})

// A value that is not known is written in the style of its parameter, as a client writes it.
it.each<[name: string, parameter: object, line: string]>([
  ['a label', { name: 'id', in: 'path', style: 'label' }, '"http://m/a/.$ID"'],
  ['a matrix', { name: 'id', in: 'path', style: 'matrix' }, '"http://m/a/;id=$ID"'],
  ['a path', { name: 'id', in: 'path' }, '"http://m/a/$ID"'],
  ['a name with reserved characters', { name: "x'(y)!", in: 'query' }, '?x%27%28y%29%21=$X_Y'],
  ['a name with a blank', { name: 'x y', in: 'query' }, '?x%20y=$X_Y'],
  ['a cookie', { name: "x'y", in: 'cookie' }, '-b "x%27y=$X_Y"'],
])('writes an unknown value: %s', async (_, parameter, line) => {
  const inPath = 'in' in parameter && parameter.in === 'path'
  const known = { required: true, schema: {}, 'x-secret': true, ...parameter }
  const get = { operationId: 'read', parameters: [known], responses: { 200: { description: 'x' } } }
  const api = await apiOf({
    openapi: openapiOf({ paths: { [inPath ? '/a/{id}' : '/a']: { get } } }),
  })
  const [operation] = api.operations
  if (operation?.kind !== 'http') throw new Error('no operation')
  expect(httpCurl('http://m', operation, undefined).join(' ').replaceAll(/[{}]/g, '')).toContain(
    line,
  )
})
