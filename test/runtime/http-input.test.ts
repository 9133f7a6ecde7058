import { expect, it } from 'vitest'
import { type CallError, createHttp, type HttpOptions } from '../../src/runtime/http.js'
import type { FormEncoding, HttpOperation, Parameter } from '../../src/runtime/operation.js'
import { codecOf } from '../../src/runtime/shared/codecs.js'
import { type ValidatorSchema, validator } from '../../src/runtime/validate.js'
import { operation } from './http-fixture.js'

type Find = (input?: object, options?: object) => Promise<unknown>

const finding = (more: Partial<HttpOperation>, checks: object = {}, options: HttpOptions = {}) => {
  const requests: Request[] = []
  const fetch = async (url: string, init: RequestInit) => {
    requests.push(new Request(url, init))
    return Response.json({})
  }
  const { find } = createHttp<{ find: Find }>(
    {
      servers: [{ name: 'one', url: 'https://a.example', variables: {} }],
      limits: {},
      operations: { find: operation('find', more) },
    },
    { find: { responses: {}, ...checks } },
    { ...options, fetch },
  )
  return { find, requests }
}

const parameter = (place: Parameter['in'], more: Partial<Parameter> = {}): Parameter => ({
  ...{ name: 'p', in: place, required: true },
  style: place === 'query' || place === 'cookie' ? 'form' : 'simple',
  explode: place === 'query' || place === 'cookie',
  ...more,
})

const URL_ENCODED = 'application/x-www-form-urlencoded'
const form = { codec: 'form', isWholeQuery: true } as const

it.each<readonly [string, Parameter, unknown, isSent: boolean]>([
  ['an empty list', parameter('query'), [], false],
  ['a list of nothing', parameter('query'), [null], false],
  ['an empty list, not exploded', parameter('query', { explode: false }), [], false],
  ['an empty list in a header', parameter('header'), [], false],
  ['an empty list in a cookie', parameter('cookie'), [], false],
  ['an empty list in a path', parameter('path'), [], false],
  ['an empty object', parameter('query', { style: 'deepObject' }), {}, false],
  ['an object of empty members', parameter('query', { style: 'deepObject' }), { a: [] }, false],
  ['an empty whole query', parameter('query', form), {}, false],
  ['an empty text in a path', parameter('path'), '', false],
  ['an empty text', parameter('query'), '', true],
  ['an empty text in a header', parameter('header'), '', true],
  ['a list of an empty text', parameter('query'), [''], true],
  ['an empty list as JSON', parameter('query', { codec: 'json' }), [], true],
  ['an empty list where none is needed', parameter('query', { required: false }), [], true],
  ['an empty object where none is needed', parameter('header', { required: false }), {}, true],
])('%s of a parameter is sent or rejected', async (_, one, value, isSent) => {
  const path = one.in === 'path' ? '/find/{p}' : '/find'
  const { find, requests } = finding({ path, parameters: [one] })
  const call = find({ [one.in]: { p: value } })
  if (isSent) await call
  else
    await expect(call).rejects.toMatchObject({
      reason: 'invalid-input',
      issues: [{ pointer: `/${one.in}/p`, keyword: 'minLength', message: 'must not be empty' }],
    })
  expect(requests).toHaveLength(isSent ? 1 : 0)
})

const list = { type: 'array', items: { type: 'string' } } as const
const withList = (required: readonly string[], property: ValidatorSchema = list) =>
  validator(() => ({ type: 'object', required, properties: { ids: property } }))

it.each<readonly [string, string, object, FormEncoding, readonly string[], isSent: boolean]>([
  ['an empty list', URL_ENCODED, { ids: [] }, {}, ['ids'], false],
  ['an empty list', 'multipart/form-data', { ids: [] }, {}, ['ids'], false],
  [
    'an empty list with a style',
    URL_ENCODED,
    { ids: [] },
    { ids: { style: 'pipeDelimited' } },
    ['ids'],
    false,
  ],
  [
    'an empty list as JSON',
    URL_ENCODED,
    { ids: [] },
    { ids: { contentType: 'application/json' } },
    ['ids'],
    true,
  ],
  ['an empty list that is not needed', URL_ENCODED, { ids: [] }, {}, [], true],
  ['a list', URL_ENCODED, { ids: ['a'] }, {}, ['ids'], true],
])('a form with %s (%s): %j', async (_, type, body, encoding, required, isSent) => {
  const { find, requests } = finding(
    {
      method: 'POST',
      body: { required: true, content: [{ type, codec: codecOf(type), encoding }] },
    },
    { fields: withList(required) },
  )
  const call = find({ body })
  if (isSent) await call
  else
    await expect(call).rejects.toMatchObject({
      reason: 'invalid-input',
      issues: [{ pointer: expect.stringMatching(/^\/body/), keyword: 'required' }],
    })
  expect(requests).toHaveLength(isSent ? 1 : 0)
})

const trace = parameter('header', { name: 'X-Trace', required: false })

it.each<readonly [string, object, string | null]>([
  ['as documented', { 'X-Trace': 'a' }, 'a'],
  ['in lower case', { 'x-trace': 'a' }, 'a'],
  ['in upper case', { 'X-TRACE': 'a' }, 'a'],
  ['of no value', { 'x-trace': undefined }, null],
])('RFC 9110, 5.1: the name of a header parameter %s', async (_, header, want) => {
  const { find, requests } = finding({ parameters: [trace] })
  await find({ header })
  expect(requests[0]?.headers.get('x-trace')).toBe(want)
})

it('one header under two names is an error, and so are other names in another case', async () => {
  const query = parameter('query', { name: 'Page', required: false })
  const { find, requests } = finding({ parameters: [trace, query] })
  const issues = async (input: object) =>
    find(input).then(
      () => [],
      (error: CallError) => error.issues.map(({ pointer }) => pointer),
    )
  expect(await issues({ header: { 'x-trace': 'a', 'X-Trace': 'b' } })).toEqual(['/header/X-Trace'])
  expect(await issues({ query: { page: '1' } })).toEqual(['/query/page'])
  expect(requests).toEqual([])
})

it('a secret header in another case is redacted', async () => {
  const secret = { ...trace, required: true, secret: true }
  const fetch = async () => new Response('no s3cret-value here', { status: 500 })
  const { find } = createHttp<{ find: Find }>(
    {
      servers: [{ name: 'one', url: 'https://a.example', variables: {} }],
      limits: {},
      operations: { find: operation('find', { parameters: [secret] }) },
    },
    { find: { responses: {} } },
    { fetch },
  )
  const error = await find({ header: { 'x-TRACE': 's3cret-value' } }).catch((cause: Error) => cause)
  expect(JSON.stringify([error, Object(error).message])).not.toContain('s3cret-value')
})

const schemes = {
  digest: { kind: 'outside', type: 'digest' },
  dpop: { kind: 'outside', type: 'dpop' },
  token: { kind: 'bearer' },
} as const

it.each<readonly [readonly (readonly string[])[], boolean, string | null]>([
  [[['digest'], ['token']], true, 'Bearer t'],
  [[['token'], ['digest']], true, 'Bearer t'],
  [[['digest', 'token'], ['dpop']], true, 'Bearer t'],
  [[['digest'], ['token']], false, null],
  [[[], ['dpop'], ['token']], true, 'Bearer t'],
])('the requirements %j with a token: %s', async (security, isGiven, want) => {
  const { find, requests } = finding(
    { security, schemes },
    {},
    { auth: isGiven ? { token: 't' } : {} },
  )
  await find()
  expect(requests[0]?.headers.get('authorization')).toBe(want)
})

it.each(['digest', 'dpop'])('auth takes no %s, for which nothing would be sent', (name) => {
  const create = () =>
    finding({ security: [[name], ['token']], schemes }, {}, { auth: { [name]: 'secret' } })
  expect(create).toThrow(new TypeError(`options.auth takes no '${name}'; it takes 'token'`))
})
