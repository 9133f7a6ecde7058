import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mock, startMock } from '../../src/mock/mock.js'
import { createServerCore, type Service } from '../../src/runtime/server.js'
import { validator } from '../../src/runtime/validate.js'
import { answering, apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const text = { type: 'string' }
const object = (properties: object, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
})

/** All but the last lead to themselves. */
const schemas = {
  Node: object({ name: text, children: { type: 'array', items: ref('Node') } }, ['children']),
  Link: object({ name: text, next: ref('Link') }, ['name']),
  List: { type: 'array', items: ref('List') },
  Step: object({ next: ref('Next') }, ['next']),
  Next: object({ step: { oneOf: [ref('Step'), text] } }, ['step']),
  Tree: { type: 'object', additionalProperties: ref('Tree') },
  Account: object(
    { name: text, code: { type: 'string', writeOnly: true }, of: ref('Account') },
    [],
  ),
  Shelf: object(
    { books: { type: 'array', items: object({ of: ref('Shelf'), page: text }, []) } },
    [],
  ),
  Endless: object({ next: ref('Endless') }, ['next']),
  Day: object({ day: { type: 'string', format: 'date' } }, ['day']),
}

const WANTED: readonly [string, unknown][] = [
  ['Node', { name: 'text', children: [] }],
  ['Link', { name: 'text' }],
  ['List', []],
  ['Step', { next: { step: 'text' } }],
  ['Next', { step: 'text' }],
  ['Tree', {}],
  ['Account', { name: 'text' }],
  ['Shelf', { books: [{ page: 'text' }] }],
  ['Day', { day: '2026-01-31' }],
]

/** A path and a method for each schema, an answer that is referred to, a notification, and a method that shows only its refusal. */
const load = (version: string) => {
  const names = Object.keys(schemas)
  const paths = Object.fromEntries(
    names.map((name) => [`/${name}`, answering(ref(name), `read${name}`)]),
  )
  const described = {
    description: 'Read.',
    content: { 'application/json': { schema: ref('Node') } },
  }
  return apiOf({
    openapi: openapiOf({
      version,
      schemas,
      components: { responses: { Described: described } },
      paths: {
        ...paths,
        '/described': { get: { responses: { 200: { $ref: '#/components/responses/Described' } } } },
      },
    }),
    openrpc: openrpcOf({
      schemas,
      methods: [
        ...names.map((name) => method(`read_${name}`, [], ref(name))),
        { name: 'report', params: [], 'x-direction': 'client' },
        {
          ...method('refuse', [{ name: 'to', schema: text }], ref('Node')),
          examples: [
            {
              name: 'no',
              params: [{ name: 'to', value: 'sell' }],
              'x-error': { code: 1, message: 'No' },
            },
          ],
        },
      ],
    }),
  })
}

describe.each(['3.0.3', '3.1.0'])('without an example in OpenAPI %s and OpenRPC', (version) => {
  let mock: Mock
  beforeAll(async () => {
    const api = await load(version)
    mock = await startMock(api)
  })
  afterAll(() => mock?.stop())

  const get = async (path: string) => {
    const answer = await fetch(`${mock.url}${path}`)
    return { status: answer.status, body: await answer.json() }
  }
  const call = async (name: string, params?: readonly unknown[]) => {
    const sent = { method: 'POST', headers: JSON_ONLY, body: asked(name, params) }
    return (await fetch(mock.rpcUrl ?? '', sent)).json()
  }

  it.each(WANTED)('a %s is answered that holds by its schema', async (name, value) => {
    expect(await get(`/${name}`)).toEqual({ status: 200, body: value })
    expect(await call(`read_${name}`)).toEqual({ jsonrpc: '2.0', id: 1, result: value })
  })

  it('an answer that is referred to has one too', async () => {
    expect(await get('/described')).toMatchObject({ status: 200, body: { children: [] } })
  })

  it('what has no end is a fault of the document, as before', async () => {
    expect((await get('/Endless')).status).toBe(500)
    expect(await call('read_Endless')).toMatchObject({ error: { code: -32603 } })
  })

  it('a refusal that is shown is given where it is asked for', async () => {
    expect(await call('refuse', ['sell'])).toMatchObject({ error: { code: 1, message: 'No' } })
    expect(await call('refuse', ['buy'])).toMatchObject({ result: { children: [] } })
  })

  it('a notification that is called is answered as by a server that was generated', async () => {
    const answer = await call('report')
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: null })
    const { handle } = createServerCore(TELLING, { report: () => undefined })
    const { body } = await handle({
      method: 'POST',
      url: '/',
      headers: JSON_ONLY,
      body: asked('report'),
    })
    expect(JSON.parse(String(body))).toEqual(answer)
  })
})

const JSON_ONLY = { 'content-type': 'application/json' }

const asked = (name: string, params: readonly unknown[] = []) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params })

/** What is generated for the notification. */
const TELLING: Service = {
  rpc: {
    servers: [],
    path: '/',
    operations: {
      report: {
        kind: 'rpc',
        id: 'report',
        method: 'report',
        params: [],
        paramStructure: 'either',
        errors: [],
        idempotent: false,
      },
    },
  },
  validators: {
    report: { params: validator(() => ({ type: 'array' })), result: validator(() => true) },
  },
}

it('answers with bytes where an object is to be a ZIP file, and asks for no credential of an undeclared scheme', async () => {
  const schema = object({ name: text }, ['name'])
  const responses = {
    200: { description: 'The package.', content: { 'application/zip': { schema } } },
  }
  const get = { operationId: 'read', responses, security: [{ constructor: [] }] }
  const mock = await startMock(await apiOf({ openapi: openapiOf({ paths: { '/a': { get } } }) }))
  const response = await fetch(`${mock.url}/a`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(mock.notMocked).toEqual([])
  await mock.stop()
})

it('answers 200 without a body where the document declares no responses', async () => {
  const paths = { '/a': { post: { operationId: 'send' } } }
  const mock = await startMock(await apiOf({ openapi: openapiOf({ version: '3.1.0', paths }) }))
  const response = await fetch(`${mock.url}/a`, { method: 'POST' })
  expect([response.status, await response.text()]).toEqual([200, ''])
  expect(mock.notMocked).toEqual([])
  await mock.stop()
})

it('answers an error that no status declares with the media type and the shape of a declared problem', async () => {
  const problem = object({ title: text, status: { type: 'integer' }, type: text }, ['type'])
  const wrong = { description: 'It is wrong.', content: { 'application/problem+json': {} } }
  const schema = { ...wrong, content: { 'application/problem+json': { schema: problem } } }
  const parameters = [{ name: 'id', in: 'query', required: true, schema: { type: 'integer' } }]
  const read = (responses: object) => ({ get: { operationId: undefined, parameters, responses } })
  const paths = { '/a': read({ 200: wrong, 404: schema }), '/b': read({ 200: wrong, 400: wrong }) }
  const mock = await startMock(await apiOf({ openapi: openapiOf({ paths }) }))
  for (const path of ['/a', '/b']) {
    const response = await fetch(mock.url + path)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      400,
      'application/problem+json',
    ])
    expect(await response.json()).toMatchObject({ type: 'about:blank', status: 400 })
  }
  await mock.stop()
})
