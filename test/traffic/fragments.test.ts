import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { recordedTarget } from '../../src/conform/recorded-target.js'
import { createChecker } from '../../src/schema/check.js'
import { routeOfRecorded } from '../../src/traffic/address.js'
import { createRequestReader } from '../../src/traffic/read-request.js'
import type { Facts } from '../../src/traffic/recording.js'
import { createConsumers } from '../../src/usage/consumers.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const key = { type: 'apiKey', in: 'query', name: 'key' }
const api = await apiOf({
  openapi: openapiOf({
    security: [{ key: [] }],
    components: { securitySchemes: { key } },
    paths: {
      '/orders': {
        get: {
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
          responses: { 200: { description: 'All' } },
        },
      },
    },
  }),
})

const KEY = 'key-of-a-shop-4711'

// The query ends where the fragment begins (RFC 3986, 3.4 and 3.5), and a fragment may contain a question mark.
it.each([
  [`/orders?limit=5&key=${KEY}`, 5, KEY],
  [`/orders?limit=5&key=${KEY}#limit=7`, 5, KEY],
  [`/orders?limit=5&key=${KEY}#a?limit=7&key=of-nobody-4711`, 5, KEY],
  [`/orders#a?limit=7&key=${KEY}`, undefined, undefined],
  [`/orders?#limit=7&key=${KEY}`, undefined, undefined],
  [`/orders?limit=5&key=a%zz#`, 5, 'a%zz'],
  [`/orders?limit=5&key=a+b%2Bc`, 5, 'a b+c'],
])('usage and conform read the query of %s', (path, limit, secret) => {
  const url = `https://shop.example${path}`
  const facts = { method: 'GET', url, headers: [], hasBody: false, lacksHeaders: false } as const
  const route = routeOfRecorded(api, 'GET', url)
  if (route === undefined || route.operation === 'rpc') throw new Error(`no operation of ${url}`)
  const read = createRequestReader(api.schemas, createChecker(api.schemas), {})
  const none = { body: () => undefined, content: () => undefined, response: undefined }
  const { parameters } = read(route.operation, { ...facts, ...none } satisfies Facts, {})
  expect(parameters.map((one) => 'value' in one && one.value)).toEqual(
    limit === undefined ? [] : [limit],
  )
  const hmac = Buffer.from('secret')
  const id = createConsumers(api, { kind: 'key' }, () => hmac)({ ...facts, ...none }, route)
  const text = secret && createHmac('sha256', hmac).update(secret).digest('hex').slice(0, 16)
  expect(id).toBe(text === undefined ? 'unknown' : `key:${text}`)
  const target = recordedTarget(api, { method: 'GET', url, headers: {}, body: undefined })
  expect(target?.target.secrets).toEqual(secret === undefined ? [] : [secret])
})
