import { expect, it } from 'vitest'
import { maybeOf, routeOfRecorded } from '../../src/traffic/address.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const responses = { 200: { description: 'All' } }
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const get = (operationId: string) => ({ get: { operationId, responses } })
const api = await apiOf({
  openapi: openapiOf({
    servers: [{ url: 'https://shop.example/größe' }],
    paths: {
      '/orders': get('list'),
      '/orders/{id}': { parameters: [id], ...get('one') },
      '/bücher/{id}-Übersicht': { parameters: [id], ...get('book') },
      '/slash/': get('slash'),
    },
  }),
})

const BASE = 'https://shop.example/gr%C3%B6%C3%9Fe'

it.each([
  ['the base in its encoded form', `${BASE}/orders`, 'list', {}],
  ['digits in lower case', 'https://shop.example/gr%c3%b6%c3%9fe/orders', 'list', {}],
  ['a base that is not encoded', 'https://shop.example/größe/orders', 'list', {}],
  ['another host', 'http://127.0.0.1:80/gr%C3%B6%C3%9Fe/orders/7', 'one', { id: '7' }],
  ['text beside a value', `${BASE}/b%C3%BCcher/7-%C3%9Cbersicht`, 'book', { id: '7' }],
  ['a query and a fragment', `${BASE}/orders/7?a=/b#c/d`, 'one', { id: '7' }],
  ['a fragment', `${BASE}/orders/7#c?d`, 'one', { id: '7' }],
  ['a declared slash at the end', `${BASE}/slash/`, 'slash', {}],
])('finds the operation of a recorded address: %s', (_, url, operation, path) => {
  expect(routeOfRecorded(api, 'GET', url)).toMatchObject({ operation: { id: operation }, path })
})

// Servers by the document have no such path: what it was is not known, so it is neither of the operation nor of none.
it.each([
  ['a slash that is not declared', `${BASE}/orders/`, ['list']],
  ['such a slash after a value', `${BASE}/orders/7/`, ['one']],
  ['a declared slash that is missing', `${BASE}/slash`, ['slash']],
  ['another base', 'https://shop.example/gross/orders', ['list']],
  ['another base before encoded letters', 'http://a/b%c3%bccher/7-%C3%9Cbersicht', ['book']],
])('says which operation a recorded address may be of: %s', (_, url, operations) => {
  expect(routeOfRecorded(api, 'GET', url)).toBeUndefined()
  expect(maybeOf(api, 'GET', url).map((one) => one.id)).toEqual(operations)
})
