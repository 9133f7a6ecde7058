import { expect, it } from 'vitest'
import { openapiOf } from '../read/api-of.js'
import { findingsOf, http, json } from './lint-documents.js'

const ok = { 200: { description: 'Done.' } }
const parameter = (name: string) => ({
  parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
  responses: ok,
})

it('paths-are-identical', async () => {
  const paths = (other: string, name: string) => ({
    openapi: openapiOf({
      paths: { '/a/{id}': { get: parameter('id') }, [other]: { delete: parameter(name) } },
    }),
  })
  expect(await findingsOf('paths-are-identical', paths('/a/{key}', 'key'))).toMatchInlineSnapshot(`
    [
      "error /paths/~1a~1{key} /a/{key} is the same path as /a/{id}: put the operations of both under one of them",
    ]
  `)
  expect(await findingsOf('paths-are-identical', paths('/b/{key}', 'key'))).toEqual([])
})

it('path-parameter-is-repeated', async () => {
  const at = (path: string) => ({
    openapi: openapiOf({ paths: { [path]: { get: parameter('id') } } }),
  })
  expect(await findingsOf('path-parameter-is-repeated', at('/a/{id}/{id}'))).toEqual([
    'warning /paths/~1a~1{id}~1{id} the path /a/{id}/{id} contains {id} twice, and both get the same value: give each a name of its own',
  ])
  expect(await findingsOf('path-parameter-is-repeated', at('/a/{id}'))).toEqual([])
})

it('operation-id-is-duplicate', async () => {
  const both = (id: string) => ({
    openapi: openapiOf({
      paths: {
        '/a': { get: { operationId: 'read', responses: ok } },
        '/b': { get: { operationId: id, responses: ok } },
      },
    }),
  })
  expect(await findingsOf('operation-id-is-duplicate', both('read'))).toMatchInlineSnapshot(`
    [
      "error /paths/~1b/get/operationId the operationId read is already used by GET /a (openapi.json:10): give each operation an operationId of its own",
    ]
  `)
  expect(await findingsOf('operation-id-is-duplicate', both('other'))).toEqual([])
})

it('path-holds-a-query', async () => {
  const at = (path: string) => ({
    openapi: openapiOf({ paths: { [path]: { get: { responses: ok } } } }),
  })
  expect(await findingsOf('path-holds-a-query', at('/a?b=1'))).toMatchInlineSnapshot(`
    [
      "error /paths/~1a?b=1/get the path /a?b=1 ends where its question mark begins: declare the rest as query parameters",
    ]
  `)
  expect(await findingsOf('path-holds-a-query', at('/a#b'))).toMatchInlineSnapshot(`
    [
      "error /paths/~1a#b/get the path /a#b ends where its fragment begins, which clients do not send: remove the fragment, and describe operations with the same path and method as one",
    ]
  `)
  const queries = ['/a?b=1#c', '/{a}?b', '/a?b={c#d}'].map(at)
  for (const one of queries)
    expect(await findingsOf('path-holds-a-query', one)).toEqual([
      expect.stringContaining('declare the rest as query parameters'),
    ])
  expect(await findingsOf('path-holds-a-query', at('/a'))).toEqual([])
})

it('request-body-cannot-be-sent', async () => {
  const body = { requestBody: json({ type: 'string' }), responses: ok }
  expect(await findingsOf('request-body-cannot-be-sent', http(body))).toMatchInlineSnapshot(`
    [
      "error /paths/~1a/get/requestBody GET /a declares a body, which GET does not have: use POST or parameters",
    ]
  `)
  expect(await findingsOf('request-body-cannot-be-sent', http(body, {}, 'post'))).toEqual([])
})

it('request-body-is-empty', async () => {
  const withBody = (schema: object) => ({ requestBody: json(schema), responses: ok })
  const empty = withBody({ type: 'object', additionalProperties: false })
  expect(await findingsOf('request-body-is-empty', http(empty))).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/get/requestBody GET /a declares an optional body without properties, which GET does not have: remove the body from the document",
    ]
  `)
  expect(await findingsOf('request-body-cannot-be-sent', http(empty))).toEqual([])
  expect(await findingsOf('request-body-is-empty', http(empty, {}, 'post'))).toEqual([])
  const open = withBody({ type: 'object', additionalProperties: true })
  expect(await findingsOf('request-body-is-empty', http(open))).toEqual([])
})

it('response-cannot-have-a-body', async () => {
  const answer = json({ type: 'string' })
  expect(
    await findingsOf('response-cannot-have-a-body', http({ responses: { 204: answer } })),
  ).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/get/responses/204/content a response with status 204 has no body: remove its content, or declare another status",
    ]
  `)
  expect(
    await findingsOf('response-cannot-have-a-body', http({ responses: { 200: answer } })),
  ).toEqual([])
})

it('link-names-no-operation', async () => {
  const linking = (operationId: string) =>
    http({ responses: { 200: { description: 'Done.', links: { next: { operationId } } } } })
  expect(await findingsOf('link-names-no-operation', linking('two'))).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/get/responses/200/links/next the link next leads to two, which neither document has: name an operationId, or a method by x-rpc-method",
    ]
  `)
  expect(await findingsOf('link-names-no-operation', linking('one'))).toEqual([])
  const nameless = http({ responses: { 200: { description: 'Done.', links: { next: {} } } } })
  expect(await findingsOf('link-names-no-operation', nameless)).toEqual([
    'warning /paths/~1a/get/responses/200/links/next the link next has no target: name an operationId, or a method by x-rpc-method',
  ])
})

it('tag-parent-is-invalid', async () => {
  const tagged = (...tags: object[]) => ({
    openapi: openapiOf({ openapi: '3.2.0', paths: { '/a': { get: { responses: ok } } }, tags }),
  })
  const lost = tagged({ name: 'books', parent: 'goods' }, { name: 'things' })
  expect(await findingsOf('tag-parent-is-invalid', lost)).toEqual([
    'warning /tags/0/parent the tag books has the parent goods, which is not declared: declare that tag, or remove the parent',
  ])
  const circle = tagged(
    { name: 'a', parent: 'b' },
    { name: 'b', parent: 'a' },
    { name: 'c', parent: 'a' },
  )
  expect(await findingsOf('tag-parent-is-invalid', circle)).toEqual([
    'warning /tags/0/parent the tag a is within itself, by its parent b: name another parent, or remove it',
    'warning /tags/1/parent the tag b is within itself, by its parent a: name another parent, or remove it',
  ])
  const right = tagged({ name: 'books', parent: 'goods' }, { name: 'goods' })
  expect(await findingsOf('tag-parent-is-invalid', right)).toEqual([])
})
