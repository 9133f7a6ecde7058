import { expect, it } from 'vitest'
import { writeHttp } from '../../../src/conform/wire/write-request.js'
import { httpOperations } from '../../../src/model/operations.js'
import { apiOf, openapiOf } from '../../read/api-of.js'

it.each([
  ['text/*', 'a', 'text/plain', 'a'],
  ['*/*', 'a', 'text/plain', 'a'],
  ['*/*', { a: 1 }, 'application/json', '{"a":1}'],
  ['application/*', 'a', 'application/json', '"a"'],
  ['application/*+json', { a: 1 }, 'application/x+json', '{"a":1}'],
  ['text/csv', 'a', 'text/csv', 'a'],
])('a body in %s has a media type that can be sent: %j', async (type, value, sent, body) => {
  const requestBody = { content: { [type]: {} } }
  const post = { requestBody, responses: { 200: { description: 'Good.' } } }
  const api = await apiOf({ openapi: openapiOf({ paths: { '/things': { post } } }) })
  const [operation] = httpOperations(api)
  if (operation === undefined) throw new Error('the document has one operation')
  const http = 'http://127.0.0.1'
  const target = { http, rpc: undefined, rpcWithKey: undefined, key: undefined, secrets: [] }
  expect(writeHttp(operation, { body: { type, value } }, target)).toMatchObject({
    headers: { 'content-type': sent },
    body,
  })
})
