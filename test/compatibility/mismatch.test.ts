import { expect, it } from 'vitest'
import { mismatchOf } from '../../src/compatibility/mismatch.js'
import { createChecker } from '../../src/schema/check.js'
import { apiOf, openapiOf } from '../read/api-of.js'

it.each([
  ['header', 'x-tenant', 'header.X-Tenant', undefined],
  ['header', 'X-Tenant', 'header.x-tenant', undefined],
  ['header', 'x-tenant', 'header.x-other', 'is required'],
  ['query', 'tenant', 'query.Tenant', 'is required'],
  ['cookie', 'tenant', 'cookie.Tenant', 'is required'],
])('a required %s parameter %s and the value of %s', async (place, name, sent, message) => {
  const parameters = [{ name, in: place, required: true, schema: { type: 'string' } }]
  const get = { operationId: 'read', parameters, responses: { 200: { description: 'A.' } } }
  const api = await apiOf({ openapi: openapiOf({ paths: { '/a': { get } } }) })
  const values = { kind: 'http', parameters: { [sent]: 'a' } } as const
  const found = mismatchOf(values, api.operations[0], createChecker(api.schemas))
  expect(found?.message).toBe(message)
})

const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
const JSON_TYPE = 'application/json'

// The body is validated if the type in which it is sent holds a value, as a server reads it.
it.each<[declared: string, type: string, value: unknown, pointer: string | undefined]>([
  [JSON_TYPE, JSON_TYPE, { n: 1 }, undefined],
  [JSON_TYPE, JSON_TYPE, { n: 'a' }, '/body/n'],
  [JSON_TYPE, JSON_TYPE, { n: 10n ** 20n }, undefined],
  ['*/*', JSON_TYPE, { n: 'a' }, '/body/n'],
  ['application/*', 'application/x+json', { n: 'a' }, '/body/n'],
  ['*/*', 'text/plain', 'a', undefined],
  [JSON_TYPE, 'text/plain', 'a', '/body'],
])('of %s, a body of %s is compared with its schema', async (declared, type, value, pointer) => {
  const requestBody = { content: { [declared]: { schema } } }
  const post = { operationId: 'add', requestBody, responses: { 204: { description: 'Added.' } } }
  const api = await apiOf({ openapi: openapiOf({ paths: { '/a': { post } } }) })
  const values = { kind: 'http', parameters: {}, body: { type, value, files: [] } } as const
  const found = mismatchOf(values, api.operations[0], createChecker(api.schemas))
  expect(found?.pointer).toBe(pointer)
})
