import { expect, it } from 'vitest'
import { createMismatches } from '../../src/compatibility/mismatch.js'
import { createChecker } from '../../src/schema/check.js'
import type { Sent } from '../../src/traffic/exchange.js'
import { apiOf, openapiOf, openrpcOf } from '../read/api-of.js'

type Operation = { readonly path?: string; readonly [member: string]: unknown }

const DONE = { responses: { 204: { description: 'Done.' } } }

/** Where the new documents reject a request, and why. */
const found = async ({ path = '/a', ...operation }: Operation, sent: Partial<Sent>) => {
  const post = { operationId: 'call', ...DONE, ...operation }
  const api = await apiOf({ openapi: openapiOf({ version: '3.1.0', paths: { [path]: { post } } }) })
  const mismatchOf = createMismatches(api, createChecker(api.schemas))
  const request = { method: 'POST', url: 'http://127.0.0.1:9/a', headers: {}, ...sent }
  return mismatchOf(request, api.operations[0])
}

const parameter = (place: string, name: string, more: object = {}) => ({
  parameters: [{ name, in: place, required: true, schema: { type: 'string' }, ...more }],
})

it.each<[parameter: Operation, sent: Partial<Sent>, message: string | undefined]>([
  [parameter('header', 'x-tenant'), { headers: { 'X-Tenant': 'a' } }, undefined],
  [parameter('header', 'X-Tenant'), { headers: { 'x-tenant': 'a' } }, undefined],
  [parameter('header', 'x-tenant'), { headers: { 'x-other': 'a' } }, 'is required'],
  [parameter('query', 'tenant'), { url: 'http://a.example/a?Tenant=a' }, 'is required'],
  [parameter('cookie', 'tenant'), { headers: { cookie: 'Tenant=a' } }, 'is required'],
  [parameter('cookie', 'tenant'), { headers: { cookie: 'tenant=a' } }, undefined],
])('names of parameters: %j gets %j: %s', async (operation, sent, message) => {
  expect((await found(operation, sent))?.message).toBe(message)
})

const INTEGER = { type: 'integer' }
const NUMBERS = { type: 'array', items: INTEGER }
const RANGE = {
  ...{ type: 'object', additionalProperties: false },
  properties: { from: INTEGER, to: INTEGER },
}
const query = (text: string) => ({ url: `http://127.0.0.1:9/a?${text}` })

// A parameter is read in the style that the new document declares.
it.each<[more: object, sent: Partial<Sent>, pointer: string | undefined]>([
  [{ schema: INTEGER }, query('q=1'), undefined],
  [{ schema: INTEGER }, query('q=a'), '/query/q'],
  [{ schema: NUMBERS }, query('q=1&q=2'), undefined],
  [{ schema: NUMBERS }, query('q=1,2'), '/query/q/0'],
  [{ schema: NUMBERS, explode: false }, query('q=1,2'), undefined],
  [{ schema: NUMBERS, style: 'pipeDelimited', explode: false }, query('q=1%7C2'), undefined],
  [{ schema: NUMBERS, style: 'pipeDelimited', explode: false }, query('q=1,2'), '/query/q/0'],
  [{ schema: RANGE, style: 'deepObject' }, query('q%5Bfrom%5D=1'), undefined],
  [{ schema: RANGE, style: 'deepObject' }, query('q%5Bfrom%5D=a'), '/query/q/from'],
  [{ schema: RANGE, style: 'deepObject' }, query('q%5Bat%5D=1'), '/query/q'],
  [{ schema: RANGE, explode: false }, query('q=from,1'), undefined],
  [
    { content: { 'application/json': { schema: RANGE } }, schema: undefined },
    query('q=%7B%22from%22:1%7D'),
    undefined,
  ],
  [
    { content: { 'application/json': { schema: RANGE } }, schema: undefined },
    query('q=%7B%22from%22:%22a%22%7D'),
    '/query/q/from',
  ],
  [{ required: false }, query('limit=1'), '/query/limit'],
])('a query parameter with %j gets %j: %s', async (more, sent, pointer) => {
  expect((await found(parameter('query', 'q', more), sent))?.pointer).toBe(pointer)
})

it.each<[path: string, schema: object, url: string, pointer: string | undefined]>([
  ['/a/{id}', INTEGER, '/a/7', undefined],
  ['/a/{id}', INTEGER, '/a/b', '/path/id'],
  ['/a/{id}', { type: 'string', maxLength: 2 }, '/a/%C3%A4%C3%A4', undefined],
  ['/a/{id}', { type: 'string', maxLength: 2 }, '/a/abc', '/path/id'],
  // Of another path, the texts are not known.
  ['/b/{id}', INTEGER, '/a/b', undefined],
])('the path %s of %j gets %s: %s', async (path, schema, url, pointer) => {
  const operation = { path, ...parameter('path', 'id', { schema }) }
  expect((await found(operation, { url: `http://127.0.0.1:9${url}` }))?.pointer).toBe(pointer)
})

const SCHEMA = { type: 'object', required: ['n'], properties: { n: INTEGER } }
const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

// The body is read by the declared content that its type means.
it.each<[declared: string, type: string, body: string | undefined, pointer: string | undefined]>([
  [JSON_TYPE, JSON_TYPE, '{"n":1}', undefined],
  [JSON_TYPE, JSON_TYPE, '{"n":"a"}', '/body/n'],
  [JSON_TYPE, JSON_TYPE, '{"n":100000000000000000000}', undefined],
  ['*/*', JSON_TYPE, '{"n":"a"}', '/body/n'],
  ['application/*', 'application/x+json', '{"n":"a"}', '/body/n'],
  [JSON_TYPE, 'text/plain', 'a', '/body'],
  [FORM, FORM, 'n=1', undefined],
  [FORM, FORM, 'n=a', '/body/n'],
  [FORM, FORM, 'm=1', '/body'],
  // Its bytes were not kept.
  ['multipart/form-data', 'multipart/form-data; boundary=a', undefined, undefined],
])('of %s, a body of %s with %s is invalid at %s', async (declared, type, body, pointer) => {
  const requestBody = { required: true, content: { [declared]: { schema: SCHEMA } } }
  const sent = { headers: { 'content-type': type }, body }
  expect((await found({ requestBody }, sent))?.pointer).toBe(pointer)
})

it('a request without a required body', async () => {
  const requestBody = { required: true, content: { [JSON_TYPE]: { schema: SCHEMA } } }
  expect(await found({ requestBody }, {})).toEqual({ pointer: '/body', message: 'is required' })
})

it.each<[structure: string, params: unknown, pointer: string | undefined]>([
  ['either', ['a', 1], undefined],
  ['either', { a: 'a', n: 1 }, undefined],
  ['either', { a: 'a', n: 'b' }, '/params/n'],
  ['either', { a: 'a', other: 1 }, '/params/other'],
  ['either', ['a', null], undefined],
  ['either', ['a', 1, 2], '/params'],
  ['either', [], '/params/0'],
  ['by-name', ['a'], '/params'],
  ['by-position', { a: 'a' }, '/params'],
  ['by-name', { a: 1 }, '/params/a'],
])('params %s: %j are invalid at %s', async (paramStructure, params, pointer) => {
  const api = await apiOf({
    openrpc: openrpcOf({
      methods: [
        {
          ...{ name: 'call', paramStructure, result: { name: 'r', schema: {} } },
          params: [
            { name: 'a', required: true, schema: { type: 'string' } },
            { name: 'n', schema: INTEGER },
          ],
        },
      ],
    }),
  })
  const mismatchOf = createMismatches(api, createChecker(api.schemas))
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'call', params })
  const sent = { method: 'POST', url: 'http://127.0.0.1:9/', headers: {}, body }
  expect(mismatchOf(sent, api.operations[0])?.pointer).toBe(pointer)
})
