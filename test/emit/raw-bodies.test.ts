import { expect, it } from 'vitest'
import { emitHttpTypes } from '../../src/emit/types.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const object = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } }

/** The type of a response body, and that of a request body. */
const printed = async (type: string, schema?: object) => {
  const content = { [type]: schema === undefined ? {} : { schema } }
  const responses = { 200: { description: 'Done.', content } }
  const paths = { '/a': { post: { operationId: 'a', requestBody: { content }, responses } } }
  const schemas = { Name: { type: 'string' }, Item: object }
  const { text } = emitHttpTypes(await apiOf({ openapi: openapiOf({ paths, schemas }) }))
  const [request, response] = [...text.matchAll(/content: \{\s+'[^']*': ([^}]*?)\s+\}/g)].map(
    ([, found = '']) => found.replace(/\s+/g, ' '),
  )
  return { request, response }
}

it.each<[string, object | undefined, string]>([
  ['image/png', undefined, 'Blob'],
  ['image/png', { type: 'string' }, 'Blob'],
  ['application/octet-stream', object, 'Blob'],
  ['application/zip', { type: 'string', format: 'binary' }, 'Blob'],
  ['text/xml', object, 'string'],
  ['application/xml; charset=utf-8', { $ref: '#/components/schemas/Item' }, 'string'],
  ['text/plain', undefined, 'string'],
  ['text/plain', { type: 'integer' }, 'string'],
  ['text/plain', { $ref: '#/components/schemas/Name' }, 'Name'],
  ['text/plain', { enum: ['on', 'off'] }, "'on' | 'off'"],
  ['text/csv', { oneOf: [{ type: 'string' }, object] }, 'string'],
])('the type of %s of %j is what arrives', async (type, schema, expected) => {
  expect(await printed(type, schema)).toEqual({ request: expected, response: expected })
})

it('a form is parsed in requests, and a text or bytes in responses', async () => {
  const form = await printed('application/x-www-form-urlencoded', object)
  expect(form).toEqual({ request: '{ a: string', response: 'string' })
  const parts = await printed('multipart/form-data', object)
  expect(parts).toEqual({ request: '{ a: string', response: 'Blob' })
})

it.each(['application/json', 'application/problem+json', '*/*'])('%s is parsed', async (type) => {
  expect(await printed(type, object)).toEqual({ request: '{ a: string', response: '{ a: string' })
})
