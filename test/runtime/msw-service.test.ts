import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { createMockHandlers, type MockOptions } from '../../src/runtime/msw.js'
import type { HttpOperation, Server } from '../../src/runtime/operation.js'
import { validator } from '../../src/runtime/validate.js'
import { declaredResponses } from './declared.js'

const servers: readonly Server[] = [
  {
    name: 'regions',
    url: 'https://{region}.things.example:8443/{version}',
    variables: {
      region: { default: 'eu', enum: ['eu', 'us'] },
      version: { default: 'v1', enum: ['v1', 'v2'] },
    },
  },
  { name: 'page', url: '/things', variables: {} },
]

const operation = (id: string, method: string, responses: HttpOperation['responses']) =>
  ({
    kind: 'http',
    id,
    method,
    path: `/${id}/{name}.json`,
    servers,
    parameters: [],
    responses,
    security: [],
    schemes: {},
  }) as const satisfies HttpOperation

const operations = {
  drop: operation('drop', 'DELETE', declaredResponses({ 204: [] })),
  list: operation('list', 'GET', declaredResponses({ '2XX': ['text/csv'] })),
  bare: operation('bare', 'GET', declaredResponses({ 200: ['application/json'] })),
}
const text = validator(() => ({ type: 'string' }))
const validators = {
  drop: { responses: {} },
  list: { responses: {} },
  bare: { responses: { 200: text } },
}
const documented = {
  list: { answers: [{ status: '2XX', name: 'two', type: 'text/csv', value: 'a,b' }] },
}

const ask = async (url: string, options: MockOptions<object, string> = {}, method = 'GET') => {
  const errors: unknown[] = []
  const given = { onError: (error: unknown) => errors.push(error), ...options }
  const handlers = createMockHandlers(
    { http: { servers, operations }, validators },
    documented,
    given,
  )
  const response = await getResponse(handlers, new Request(url, { method }))
  const body = await response?.text()
  return { status: response?.status, type: response?.headers.get('content-type'), body, errors }
}

const EU = 'https://eu.things.example:8443/v2'

describe('answers that are no JSON', () => {
  it.each([
    ['an example of another type', 'GET', '/list/a.json', 200, 'text/csv', 'a,b'],
    ['no body', 'DELETE', '/drop/a.json', 204, null, ''],
  ])('%s', async (_, method, path, status, type, body) => {
    expect(await ask(EU + path, {}, method)).toEqual({ status, type, body, errors: [] })
  })

  it('an operation without an example says what it takes', async () => {
    const { status, body, errors } = await ask(`${EU}/bare/a.json`)
    expect(status).toBe(500)
    expect(JSON.parse(body ?? '').error).toBe(
      'the document has no example of a response of bare: pass an override with a body',
    )
    expect(errors).toHaveLength(1)
    const given = { overrides: { bare: { status: 200, body: 'well' } } }
    expect(await ask(`${EU}/bare/a.json`, given)).toMatchObject({ status: 200, body: '"well"' })
  })
})

describe('addresses', () => {
  it.each([
    ['another value of an enum', 'https://us.things.example:8443/v1/list/a.json', {}, 200],
    ['a value that is none', 'https://asia.things.example:8443/v1/list/a.json', {}, undefined],
    ['another port', 'https://eu.things.example/v1/list/a.json', {}, undefined],
    ['a path that only begins so', `${EU}/list/a.json/more`, {}, undefined],
    ['a broken escape', `${EU}/list/%zz.json`, {}, 200],
    ['a URL with a path', 'http://a.example/b/list/c.json', { server: 'http://a.example/b' }, 200],
    [
      'and not above it',
      'http://a.example/list/c.json',
      { server: 'http://a.example/b' },
      undefined,
    ],
  ])('%s', async (_, url, options, status) => {
    expect((await ask(url, options)).status).toBe(status)
  })

  it.each([
    ['/größe/{name}', '/gr%c3%b6%C3%9Fe/a'],
    ['/größe/{name}', '/größe/a'],
    ['/gr%C3%B6%C3%9Fe/{name}', '/größe/a'],
    ['/{name}-größe', '/a-gr%C3%B6%C3%9Fe'],
    ['/things/{name}', '/%74hings/a'],
    ['/things:all/{name}', '/things%3Aall/a'],
  ])('the path %s is mocked at %s, as a server has it', async (path, url) => {
    const bare = { ...operations.bare, path }
    const overrides = { bare: { status: 200, body: 'well' } }
    const options = { overrides, onError: (error: unknown) => expect.fail(String(error)) }
    const service = { http: { servers, operations: { bare } }, validators }
    const handlers = createMockHandlers(service, {}, options)
    const response = await getResponse(handlers, new Request(`${EU}${url}`))
    expect(await response?.json()).toBe('well')
  })

  it('a relative server stands nowhere without a page', () =>
    expect(ask(`${EU}/list/a.json`, { server: 'page' })).rejects.toThrow(
      /^there is no server URL to mock: give `server` a URL, or one of regions$/,
    ))

  it.each([
    ['none', []],
    ['relative ones', [{ name: 'page', url: '/things', variables: {} }]],
  ])('nor do servers where there are %s', (_, servers) => {
    const list = { ...operations.list, servers }
    const nowhere = { http: { servers, operations: { list } }, validators }
    expect(() => createMockHandlers(nowhere, documented)).toThrow(
      /^there is no server URL to mock: give `server` a URL, because the documents have no absolute URL$/,
    )
  })
})

describe('a browser that asks first', () => {
  it('is let in', async () => {
    const handlers = createMockHandlers({ http: { servers, operations }, validators }, documented)
    const headers = { 'access-control-request-method': 'GET', origin: 'http://page.example' }
    const request = new Request(`${EU}/list/a.json`, { method: 'OPTIONS', headers })
    const response = await getResponse(handlers, request)
    expect([response?.status, response?.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET',
    ])
  })
})
