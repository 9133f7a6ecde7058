import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mock, startMock } from '../../src/mock/mock.js'
import { apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'

const json = (schema: object, rest: object = {}) => ({
  content: { 'application/json': { schema, ...rest } },
})
const text = { type: 'string' }
const needing = (name: string, schema: object = text) => ({
  type: 'object',
  required: [name],
  properties: { [name]: schema },
})
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
const operation = (responses: object, rest: object = {}) => ({ ...rest, responses })

const states = Object.fromEntries(
  ['new', 'done', 'open'].map((state) => [state, { value: { state } }]),
)

const openapi = openapiOf({
  version: '3.1.0',
  servers: [{ url: 'https://api.example/v2' }],
  security: [],
  paths: {
    '/items/{id}': {
      get: operation(
        {
          200: {
            description: 'It.',
            headers: {
              ETag: { schema: text, example: '"7"' },
              'X-Need': { required: true, schema: { type: 'integer', minimum: 3 } },
              'X-May': { schema: text },
            },
            ...json(needing('name'), { example: { name: 'apple' } }),
          },
          404: { description: 'None.', ...json(needing('reason', { enum: ['gone', 'never'] })) },
          422: { description: 'Wrong.', ...json(needing('detail')) },
        },
        { operationId: 'getItem', parameters: [id] },
      ),
    },
    '/jobs/{id}': {
      get: operation(
        {
          200: { description: 'It.', ...json(needing('state'), { examples: states }) },
          400: {
            description: 'Wrong.',
            ...json(needing('code', { const: 9 }), { example: { code: 9 } }),
          },
        },
        {
          operationId: 'getJob',
          parameters: [id],
          'x-poll': { field: 'state', terminal: ['done'], order: ['new', 'open', 'done'] },
        },
      ),
    },
    '/report': {
      get: operation(
        {
          200: {
            description: 'It.',
            content: {
              'application/json': { schema: needing('sum', { type: 'integer' }) },
              'text/csv': { schema: text, example: 'a,b' },
              'text/event-stream': { schema: needing('sum'), example: { sum: 'one' } },
            },
          },
        },
        { operationId: 'getReport', security: [{ key: [] }] },
      ),
    },
    '/wrong': {
      get: operation(
        {
          200: {
            description: 'It.',
            ...json(needing('n', { type: 'integer' }), {
              examples: { bad: { value: { n: 'x' } }, good: { value: { n: 2 } } },
            }),
          },
        },
        { operationId: 'getWrong' },
      ),
    },
    '/default': {
      get: operation(
        { default: { description: 'Any.', ...json(text, { example: 'fine' }) } },
        { operationId: 'getDefault' },
      ),
    },
    '/file': {
      get: operation(
        { 200: { description: 'It.', content: { 'image/png': {} } } },
        { operationId: 'getFile' },
      ),
    },
    '/empty': {
      get: operation(
        { 204: { description: 'It.' }, 400: { description: 'Wrong.' } },
        {
          operationId: 'getEmpty',
          parameters: [{ name: 'a', in: 'query', required: true, schema: text }],
        },
      ),
    },
    '/game': {
      get: operation(
        {
          200: {
            description: 'It.',
            content: { 'application/x-chess-pgn': { schema: { ...text, examples: ['1. e4'] } } },
          },
        },
        { operationId: 'getGame' },
      ),
    },
    '/search?kind=new': {
      get: operation({ 200: { description: 'It.' } }, { operationId: 'searchNew' }),
    },
    '/twice/{a}': { get: operation({ 204: { description: 'It.' } }, { operationId: 'twice' }) },
    '/twice/{b}': { get: operation({ 204: { description: 'It.' } }, { operationId: 'again' }) },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
})

const openrpc = openrpcOf({
  servers: [
    { name: 'one', url: 'https://one.example/rpc' },
    {
      ...{ name: 'two', url: 'https://two.example/{key}/rpc' },
      variables: { key: { default: 'none', 'x-secret': true } },
    },
  ],
  methods: [method('height', [], { type: 'integer', minimum: 7 })],
})

let mock: Mock
const log: string[] = []
beforeAll(async () => {
  const api = await apiOf({ openapi, openrpc })
  mock = await startMock(api, { onLog: (line) => log.push(line) })
})
afterAll(() => mock?.stop())

const get = async (path: string, headers: Record<string, string> = {}, base = '/v2') => {
  const response = await fetch(mock.url + base + path, { headers })
  const body = await response.text()
  const type = response.headers.get('content-type')
  return {
    status: response.status,
    body: type === 'application/json' ? JSON.parse(body) : body,
    headers: response.headers,
  }
}

describe('what the mock answers', () => {
  it.each<[string, string, Record<string, string>, number, unknown]>([
    ['its example', '/items/7', {}, 200, { name: 'apple' }],
    [
      'the status of Prefer, by a value that fits',
      '/items/7',
      { prefer: 'code=404' },
      404,
      { reason: 'gone' },
    ],
    [
      'a value of the schema for dynamic=true',
      '/items/7',
      { prefer: 'dynamic=true' },
      200,
      { name: 'text' },
    ],
    [
      'the documented 404 for what Prefer does not find',
      '/items/7',
      { prefer: 'code=418' },
      404,
      { reason: 'gone' },
    ],
    [
      '422 where that is declared for requests, and 400 is not',
      '/items/x',
      {},
      422,
      { detail: 'path.id must be an integer' },
    ],
    [
      'an error by its example where no usual shape fits the schema',
      '/jobs/x',
      {},
      400,
      { code: 9 },
    ],
    ['the final state of what is polled', '/jobs/1', {}, 200, { state: 'done' }],
    ['any state by Prefer', '/jobs/1', { prefer: 'example=new' }, 200, { state: 'new' }],
    ['401 without a credential', '/report', {}, 401, { error: 'Unauthorized' }],
    ['an example before a made value', '/report', { 'x-key': 'k' }, 200, 'a,b'],
    [
      'the media type of Accept',
      '/report',
      { 'x-key': 'k', accept: 'text/csv;q=0.5, text/event-stream' },
      200,
      'data: {"sum":"one"}\n\n',
    ],
    ['an example that fits, not one that does not', '/wrong', {}, 200, { n: 2 }],
    ['200 where default is all that is declared', '/default', {}, 200, 'fine'],
    ['bytes where nothing is known of them', '/file', {}, 200, 'bytes'],
    ['no body where the document declares none', '/empty', {}, 400, ''],
    ['the text of a media type that is no text of its own', '/game', {}, 200, '1. e4'],
  ])('%s', async (_, path, headers, status, body) => {
    expect(await get(path, headers)).toMatchObject({ status, body })
  })

  it('the headers that a response shows or requires', async () => {
    const { headers } = await get('/items/7')
    expect([headers.get('etag'), headers.get('x-need'), headers.get('x-may')]).toEqual([
      '"7"',
      '3',
      null,
    ])
  })

  it.each(['/rpc', '/secret-key/rpc'])('JSON-RPC at %s', async (path) => {
    const response = await fetch(`${mock.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://page.example' },
      body: '{"jsonrpc":"2.0","id":1,"method":"height"}',
    })
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: 7 })
    expect(response.headers.get('access-control-allow-origin')).toBe('https://page.example')
    expect(log.join()).not.toContain('secret-key')
  })
})

it('K7: the mock lists its operations at /', async () => {
  const { status, body } = await get('/', {}, '')
  expect([status, body.split('\n')]).toEqual([
    200,
    expect.arrayContaining(['GET /v2/items/{id}', 'GET /v2/file', 'height']),
  ])
  const list = await (await fetch(mock.url, { headers: { accept: 'application/json' } })).json()
  expect(list.operations).toEqual(
    expect.arrayContaining([
      {
        ...{ kind: 'http', id: 'getJob', method: 'GET', path: '/v2/jobs/{id}' },
        curl: `curl -s "${mock.url}/v2/jobs/1"`,
      },
      {
        kind: 'http',
        id: 'searchNew',
        method: 'GET',
        path: '/v2/search?kind=new',
        problem: expect.stringContaining('a query'),
      },
      {
        kind: 'rpc',
        id: 'height',
        method: 'height',
        path: '/rpc',
        curl: expect.stringContaining(`curl -s "${mock.url}/rpc" `),
      },
    ]),
  )
})

it('V2: the mock answers below the path of its server only, as a generated server does', async () => {
  expect((await get('/items/7', {}, '')).status).toBe(404)
  expect((await get('/items/7')).status).toBe(200)
})

it('the mock names at its start what it cannot answer, and which examples it does not send', () => {
  expect(mock.notMocked.map(({ message }) => message)).toEqual([
    'GET /search?kind=new is not mocked: its path contains a query or a fragment',
    'GET /twice/{b} is not mocked: another operation has the same method and path',
  ])
  expect(mock.wrongExamples.map(({ rule, message }) => [rule, message])).toEqual([
    ['example-invalid', expect.stringContaining('the example bad of GET /wrong, 200,')],
  ])
})

it('a response without content has the headers that it requires or shows', async () => {
  const header = (rest: object) => ({ required: true, schema: text, ...rest })
  const found = { description: 'Elsewhere.', headers: { Location: header({}) } }
  const made = {
    description: 'Made.',
    headers: {
      Location: header({ example: '/orders/1' }),
      'X-Count': header({ schema: { type: 'integer' } }),
      'X-May': { schema: text },
    },
  }
  const orders = { post: operation({ 201: made, 303: found }), get: operation({ 302: found }) }
  const api = await apiOf({
    openapi: openapiOf({ version: '3.1.0', paths: { '/orders': orders } }),
  })
  const { url, stop } = await startMock(api)
  const headersOf = async (method: string, prefer = '') => {
    const init = { method, headers: { prefer }, redirect: 'manual' } as const
    const { status, headers } = await fetch(`${url}/orders`, init)
    return [status, ...['location', 'x-count', 'x-may'].map((name) => headers.get(name))]
  }
  expect(await headersOf('POST')).toEqual([201, '/orders/1', '1', null])
  expect(await headersOf('POST', 'code=303')).toEqual([303, 'text', null, null])
  expect(await headersOf('GET')).toEqual([302, 'text', null, null])
  await stop()
})
