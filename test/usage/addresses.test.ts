import { expect, it } from 'vitest'
import { createNdjsonReader } from '../../src/traffic/ndjson.js'
import { schemasOf } from '../../src/usage/addresses.js'
import { createUsageCounter } from '../../src/usage/usage-counter.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const responseOf = (type: string) => ({
  description: 'A response.',
  content: { 'application/json': { schema: { type } } },
})

const apiWith = (responses: object) =>
  apiOf({ openapi: openapiOf({ paths: { '/a': { get: { operationId: 'a', responses } } } }) })

/** The types of the responses that describe the body of a status. */
const typesAt = async (responses: object, status: number): Promise<readonly unknown[]> => {
  const { operations } = await apiWith(responses)
  const [operation] = operations
  return operation === undefined
    ? []
    : schemasOf(operation, 'response').flatMap(({ address, schema }) =>
        address.join() === `${status},body` && typeof schema === 'object' ? [schema.type] : [],
      )
}

const all = {
  200: responseOf('string'),
  '2XX': responseOf('integer'),
  404: responseOf('boolean'),
  default: responseOf('object'),
}

it.each([
  [200, ['string']],
  [201, ['integer']],
  [404, ['boolean']],
  [400, ['object']],
  [503, ['object']],
])('the status %d is described by one response, as for clients', async (status, types) => {
  expect(await typesAt(all, status)).toEqual(types)
})

it('a default alone describes all statuses', async () => {
  const only = { default: responseOf('object') }
  for (const status of [100, 200, 302, 404, 599])
    expect(await typesAt(only, status)).toEqual(['object'])
})

it('of two Content-Types the first counts, as in conform', async () => {
  const api = await apiWith({ 200: responseOf('string') })
  const counter = createUsageCounter(api, {
    by: { kind: 'auto' },
    maxConsumers: 1,
    secret: () => new Uint8Array(),
  })
  const reader = createNdjsonReader('a.ndjson', () => undefined)
  const headers = { 'content-type': ['application/json', 'text/html'] }
  const response = { status: 200, headers, body: '"text"' }
  const request = { method: 'GET', url: 'https://api.example/a' }
  for (const one of reader.push(`${JSON.stringify({ request, response })}\n`)) counter.add(one)
  expect(JSON.stringify(counter.usage(0))).toContain('received application/json')
})
