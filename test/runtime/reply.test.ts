import { expect, it } from 'vitest'
import type { HttpOperation } from '../../src/runtime/operation.js'
import { checkReply, rejectionStatuses, unmadeErrors } from '../../src/runtime/server/reply.js'
import { createServerCore } from '../../src/runtime/server.js'
import { validator } from '../../src/runtime/validate.js'
import { contentOf, declaredResponses } from './declared.js'

const JSON_BODY = ['application/json']

const operation = (own: Partial<HttpOperation>): HttpOperation => ({
  kind: 'http',
  id: 'one',
  method: 'POST',
  path: '/one/{key}',
  servers: [],
  parameters: [],
  responses: declaredResponses({ 200: JSON_BODY }),
  security: [],
  schemes: {},
  ...own,
})

const key = { name: 'key', in: 'path', required: true, style: 'simple', explode: false } as const
const schemes = { token: { kind: 'bearer' } } as const
const body = { required: true, content: contentOf(JSON_BODY) }

// One server and one battery of wrong requests: exactly the statuses of the list are sent.
it.each<[name: string, operation: HttpOperation, statuses: readonly number[]]>([
  ['nothing', operation({}), [400]],
  ['a body', operation({ body }), [400, 413, 415]],
  ['credentials', operation({ schemes, security: [['token']] }), [400, 401]],
  ['credentials that may be absent', operation({ schemes, security: [['token'], []] }), [400]],
  ['a secret parameter', operation({ parameters: [{ ...key, secret: true }] }), [400, 401]],
  ['a parameter', operation({ parameters: [key] }), [400]],
  ['422', operation({ responses: declaredResponses({ 200: [], 422: [] }), body }), [413, 415, 422]],
  ['422 and 400', operation({ responses: declaredResponses({ 400: [], 422: [] }) }), [400]],
])('an operation with %s rejects with these statuses', async (_, one, statuses) => {
  const parameters = { 'path.key': validator(() => ({ type: 'string', minLength: 2 })) }
  const request = validator(() => ({ type: 'object' }))
  const service = {
    http: { servers: [], operations: { one } },
    validators: { one: { parameters, request, responses: {} } },
  }
  const server = createServerCore(
    service,
    { one: () => ({ status: 200, body: {} }) },
    { payloadBytes: 20, validateOutput: false, onError: () => undefined },
  )
  const well = { authorization: 'Bearer secret', 'content-type': 'application/json' }
  const post = (url: string, headers: Readonly<Record<string, string>>, text: string) =>
    server.handle({ method: 'POST', url, headers, body: text })
  const replies = await Promise.all([
    post('/one/well', well, '{}'),
    post('/one/well?unknown=1', well, '{}'),
    post('/one/x', well, '{}'),
    post('/one/well', { 'content-type': 'application/json' }, '{}'),
    post('/one/well', well, '{"a":"more than twenty bytes"}'),
    post('/one/well', { ...well, 'content-type': 'text/plain' }, '{}'),
  ])
  const sent = new Set(replies.map(({ status }) => status).filter((status) => status !== 200))
  expect([...sent].sort()).toEqual(statuses)
  expect([...rejectionStatuses(one)].sort()).toEqual(statuses)
})

it('reports a body that cannot be made for each status that is sent', () => {
  const none = validator(() => false)
  const responses = declaredResponses({ 400: JSON_BODY, 401: JSON_BODY, 415: JSON_BODY })
  const unmade = (own: Partial<HttpOperation>) =>
    unmadeErrors(operation({ responses, ...own }), {
      responses: { 400: none, 401: none, 415: none },
    }).map(({ status }) => status)
  expect(unmade({})).toEqual([400])
  expect(unmade({ parameters: [{ ...key, secret: true }] })).toEqual([400, 401])
  expect(unmade({ schemes, security: [['token'], []] })).toEqual([400])
  expect(unmade({ body })).toEqual([400, 415])
})

it.each([
  [200, { done: true }, 'valid'],
  [200, { error: 'no' }, 'valid'],
  [200, { title: 'no' }, 'invalid'],
  // The default beside a success describes errors only, as clients read it.
  [202, { title: 'no' }, 'valid'],
  [202, { done: true }, 'invalid'],
  [500, { title: 'no' }, 'valid'],
])('a reply %d of a variant with %j is %s', (status, value, want) => {
  const object = (name: string) =>
    validator(() => ({ type: 'object', required: [name], properties: { [name]: true } }))
  const validators = {
    responses: { 200: validator(() => true), default: object('title') },
    variants: { own: { request: object('a'), response: object('done'), error: object('error') } },
  }
  const one = operation({ responses: declaredResponses({ 200: JSON_BODY, default: JSON_BODY }) })
  const headers = { 'content-type': 'application/json' }
  const reply = { status, headers, body: JSON.stringify(value) }
  const error = checkReply(reply, one, validators, 'own', {})
  expect(error === undefined ? 'valid' : 'invalid').toBe(want)
})
