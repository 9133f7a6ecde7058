import { expect, it } from 'vitest'
import { httpSnippets } from '../../src/docs/http-languages.js'
import { apiOf, openapiOf } from '../read/api-of.js'

// A range is no media type of a body (RFC 9110, 8.3): the one that a client would send is written.
it.each<[declared: string, value: unknown, type: string, body: string]>([
  ['application/*+json', { a: 1 }, 'application/x+json', '"a": 1'],
  ['application/*', { a: 1 }, 'application/json', '"a": 1'],
  ['text/*', 'hello', 'text/plain', 'hello'],
  ['*/*', { a: 1 }, 'application/json', '"a": 1'],
  ['application/merge-patch+json', { a: 1 }, 'application/merge-patch+json', '"a": 1'],
  ['text/csv', 'a,b', 'text/csv', 'a,b'],
])('the samples send %s of %j as %s', async (declared, value, type, body) => {
  const requestBody = { content: { [declared]: { schema: {}, examples: { one: { value } } } } }
  const post = { operationId: 'add', requestBody, responses: { 204: { description: 'Added.' } } }
  const api = await apiOf({ openapi: openapiOf({ paths: { '/a': { post } } }) })
  const [operation] = api.operations
  if (operation?.kind !== 'http') throw new Error('no operation')
  const [media] = operation.body?.content ?? []
  const [example] = media?.examples ?? []
  if (media === undefined || example === undefined) throw new Error('no example')
  const sent = { media, example }
  const request = { operation: operation as never, input: {}, credentials: {}, sent, files: [] }
  const [python, go] = httpSnippets('http://m', request)
  for (const text of [python?.text, go?.text]) expect(text).toContain(`"${type}"`)
  expect(go?.text).toContain(body)
})
