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
