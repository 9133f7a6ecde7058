import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Mock, startMock } from '../../src/mock/mock.js'
import { apiOf, openapiOf } from '../read/api-of.js'
import { loadShop } from './shop.js'

const log: string[] = []
let mock: Mock

beforeAll(async () => {
  const api = await loadShop()
  mock = await startMock(api, { onLog: (line) => log.push(line) })
})
afterAll(() => mock?.stop())

const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(`${mock.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

const get = async (path: string) => {
  const response = await fetch(`${mock.url}${path}`)
  return { status: response.status, body: await response.json() }
}

describe('HTTP operations', () => {
  it.each([
    [
      'a documented request gets the answer of its name',
      { item: 'apple', count: 1 },
      200,
      { order: 1 },
    ],
    ['also where that is a refusal', { item: 'pear', count: 1 }, 409, { error: 'sold out' }],
    ['a form gets the answer its example has', { item: 'fig', count: 3 }, 200, { order: 1 }],
    ['or the first that fits the form', { to: 'Ann' }, 200, { paper: 'red' }],
    [
      'a mixture of variants is rejected',
      { to: 'Ann', item: 'fig', count: 1 },
      400,
      { error: 'body must not have the property `to`' },
    ],
    [
      'what breaks a pattern is rejected',
      { item: 'FIG', count: 1 },
      400,
      { error: 'body.item must match ^[a-z]+$' },
    ],
  ])('%s', async (_, body, status, want) => {
    for (const path of ['/orders/public', '/orders/key-1']) {
      expect(await post(path, body)).toMatchObject({ status, body: want })
    }
  })

  it('answers what Prefer names', async () => {
    const body = { to: 'Ann' }
    const prefer = (value: string) => post('/orders/public', body, { prefer: value })
    expect(await prefer('code=413')).toMatchObject({ status: 413, body: { error: 'too large' } })
    expect(await prefer('example=many')).toMatchObject({ status: 200, body: { order: 2 } })
    expect(await prefer('example=none')).toMatchObject({ status: 404 })
  })

  it('finds examples by the parameters of a request', async () => {
    expect(await get('/orders/k/7')).toEqual({ status: 200, body: { state: 'paid' } })
    expect(await get('/orders/k/8')).toEqual({ status: 404, body: { error: 'lost' } })
    expect(await get('/orders/k/9')).toEqual({ status: 200, body: { state: 'new' } })
    const error = 'path.order must be an integer'
    expect(await get('/orders/k/nine')).toEqual({ status: 400, body: { error } })
  })

  it('finds an example that stands without a name', async () => {
    expect(await get('/slogans/1')).toEqual({ status: 200, body: 'Pears!' })
    expect(await get('/slogans/2')).toEqual({ status: 200, body: 'Pears!' })
    expect(await get('/slogans/one')).toEqual({ status: 400, body: 'path.day must be an integer' })
  })

  it('rejects a body over the documented limit', async () => {
    const body = { item: 'a'.repeat(2000), count: 1 }
    expect(await post('/orders/public', body)).toMatchObject({
      status: 413,
      body: { error: 'The body exceeds 2000 bytes' },
    })
  })
})

describe('requests that are no documented call', () => {
  const ask = async (method: string, path: string, body?: string | Buffer<ArrayBuffer>) => {
    const headers = { 'content-type': 'application/json' }
    const given = body === undefined ? {} : { headers, body }
    const response = await fetch(`${mock.url}${path}`, { method, ...given })
    return {
      status: response.status,
      allow: response.headers.get('allow'),
      text: await response.text(),
    }
  }

  it.each([
    ['no JSON', '{', 'The body is not valid JSON'],
    ['what nests too deep', `${'['.repeat(900)}${']'.repeat(900)}`, 'The body is not valid JSON'],
    ['bytes that are no UTF-8', Buffer.from('{"to":"\u00e9"}', 'latin1'), 'The body is not UTF-8'],
  ])('%s is rejected in the documented shape', async (_, body, error) => {
    const { status, text } = await ask('POST', '/orders/key-1', body)
    expect([status, JSON.parse(text)]).toEqual([400, { error }])
  })

  it.each([
    ['PUT', '/orders/secret-key', 'POST'],
    ['HEAD', '/orders/secret-key', 'POST'],
    ['OPTIONS', '/orders/secret-key', 'POST'],
    ['DELETE', '/orders/secret-key/7', 'GET, HEAD'],
  ])('%s %s gets what there is, and no key', async (method, path, allow) => {
    const answer = await ask(method, path)
    expect(answer).toMatchObject({ status: 405, allow })
    expect(answer.text).not.toContain('secret-key')
  })

  it('HEAD is answered like GET, and no unknown path is repeated', async () => {
    expect(await ask('HEAD', '/orders/k/7')).toMatchObject({ status: 200, text: '' })
    const unknown = await ask('GET', '/orders/secret-key/7/more')
    expect(unknown.status).toBe(404)
    expect(unknown.text).not.toContain('secret-key')
  })

  it('a range is of GET alone, and the name of its unit has any case', async () => {
    const content = { 'application/octet-stream': { example: 'abcdef' } }
    const responses = { 200: { description: 'x', content }, 206: { description: 'x', content } }
    const paths = { '/file': { get: { operationId: 'file', responses } } }
    const files = await startMock(await apiOf({ openapi: openapiOf({ version: '3.1.0', paths }) }))
    onTestFinished(() => files.stop())
    const ask = async (method: string, Range: string) => {
      const { status, headers } = await fetch(`${files.url}/file`, { method, headers: { Range } })
      return [status, headers.get('content-range')]
    }
    expect(await ask('GET', 'bytes=0-1')).toEqual([206, 'bytes 0-1/6'])
    expect(await ask('GET', 'Bytes=0-1')).toEqual([206, 'bytes 0-1/6'])
    expect(await ask('HEAD', 'bytes=0-1')).toEqual([200, null])
  })

  it('text is text whatever the parameters of its media type', async () => {
    const schema = { type: 'string' }
    const sent = { 'text/plain; charset=utf-8': { schema } }
    const content = { 'Text/Plain; Charset="UTF-8"': { schema, example: 'ü' } }
    const responses = { 200: { description: 'x', content } }
    const post = { operationId: 'note', requestBody: { content: sent }, responses }
    const openapi = openapiOf({ version: '3.1.0', paths: { '/note': { post } } })
    const notes = await startMock(await apiOf({ openapi }))
    onTestFinished(() => notes.stop())
    for (const type of ['text/plain', 'TEXT/PLAIN;charset="utf-8"; format=flowed']) {
      const headers = { 'content-type': type, accept: type }
      const response = await fetch(`${notes.url}/note`, { method: 'POST', headers, body: 'ä' })
      expect([response.status, await response.text()]).toEqual([200, 'ü'])
    }
  })

  it('who asks before calling from a web page is let through', async () => {
    const headers = { origin: 'https://page.example', 'access-control-request-method': 'POST' }
    const response = await fetch(`${mock.url}/orders/public`, { method: 'OPTIONS', headers })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-methods')).toContain('POST')
  })
})

describe('JSON-RPC', () => {
  const call = (id: unknown, method: string, params?: unknown) => ({
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    method,
    ...(params !== undefined && { params }),
  })
  const rpc = async (body: unknown, headers?: Record<string, string>) => {
    const answer = await post('/rpc/key-1', body, headers)
    return answer.body
  }
  const result = (id: unknown, value: unknown) => ({ jsonrpc: '2.0', id, result: value })
  const error = (id: unknown, code: number) => ({
    jsonrpc: '2.0',
    id,
    error: expect.objectContaining({ code, message: expect.any(String) }),
  })

  it.each([
    ['the example with these params', call(1, 'shop_price', ['pear', 2]), result(1, 8)],
    ['a refusal, by its params', call(1, 'shop_price', ['unicorn']), error(1, 7)],
    ['else the first that is a result', call(1, 'shop_price', ['fig', 9]), result(1, 5)],
    ['no params', call(1, 'shop_open'), result(1, true)],
    ['an id of text', call('a', 'shop_open', []), result('a', true)],
    ['an id of 0', call(0, 'shop_open', []), result(0, true)],
    ['an id of null', call(null, 'shop_open', []), result(null, true)],
    ['a param missing', call(2, 'shop_price', []), error(2, -32602)],
    ['a param of the wrong type', call(2, 'shop_price', [1]), error(2, -32602)],
    ['a param too many', call(2, 'shop_open', [1]), error(2, -32602)],
    ['params by name', call(2, 'shop_price', { item: 'apple' }), error(2, -32602)],
    ['an unknown method', call(3, 'shop_close', []), error(3, -32601)],
    ['a method like a property of all objects', call(3, 'constructor', []), error(3, -32601)],
    ['no version', { id: 4, method: 'shop_open' }, error(4, -32600)],
    ['a method that is no text', call(4, 1 as never, []), error(4, -32600)],
    ['params that are no structure', call(4, 'shop_open', 'x'), error(4, -32600)],
    ['an id that is no id', call({}, 'shop_open', []), error(null, -32600)],
    [
      'bytes that nest too deep to be read',
      `${'['.repeat(900)}${']'.repeat(900)}`,
      error(null, -32700),
    ],
    ['no object', '1', error(null, -32600)],
    ['no JSON', '{', error(null, -32700)],
    ['an empty batch', [], error(null, -32600)],
    [
      'a batch over the limit',
      [1, 2, 3, 4].map((id) => call(id, 'shop_open')),
      [1, 2, 3, 4].map((id) => error(id, -32010)),
    ],
    [
      'a batch',
      [call(1, 'shop_open'), 1, call('b', 'shop_price', ['pear', 2])],
      [result(1, true), error(null, -32600), result('b', 8)],
    ],
    [
      'a batch with a notification',
      [call(undefined, 'shop_open'), call(2, 'shop_open')],
      [result(2, true)],
    ],
    ['a notification', call(undefined, 'shop_open'), undefined],
    ['a notification that names no method', call(undefined, 'nothing'), undefined],
    [
      'a batch of notifications',
      [call(undefined, 'shop_open'), call(undefined, 'shop_open')],
      undefined,
    ],
  ])('%s', async (_, body, want) => {
    expect(await rpc(body)).toEqual(want)
  })

  it.each([
    ['alone', '{"jsonrpc":"2.0","id":9007199254740993,"method":"shop_open"}'],
    ['in a batch', '[1,{"jsonrpc":"2.0","id":9007199254740993,"method":"shop_open"}]'],
    ['given twice', '{"jsonrpc":"2.0","id":1.0,"id":9007199254740993,"method":"shop_open"}'],
    ['of a refusal', '{"jsonrpc":"2.0","id":9007199254740993,"method":"nothing"}'],
  ])('gives an id back digit by digit: %s', async (_, body) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${mock.url}/rpc/key-1`, { method: 'POST', headers, body })
    expect(await response.text()).toContain('"id":9007199254740993,')
  })

  it('takes no bytes that are no UTF-8, and no encoding that it cannot undo', async () => {
    const text = '{"jsonrpc":"2.0","id":"\u00e9","method":"shop_open"}'
    const body = Buffer.from(text, 'latin1')
    const send = async (headers: Record<string, string>) => {
      const response = await fetch(`${mock.url}/rpc/key-1`, { method: 'POST', headers, body })
      return { status: response.status, body: await response.json() }
    }
    const json = { 'content-type': 'application/json' }
    expect(await send(json)).toEqual({ status: 200, body: error(null, -32700) })
    expect(await send({ ...json, 'content-encoding': 'gzip' })).toMatchObject({ status: 415 })
  })

  it('serves the example that is asked for, and its own document', async () => {
    const prefer = { prefer: 'example=two-pears' }
    expect(await rpc(call(1, 'shop_price', ['apple']), prefer)).toEqual(result(1, 8))
    expect(
      await rpc(call(1, 'shop_price', ['apple']), { prefer: 'example="no such item"' }),
    ).toEqual(error(1, 7))
    expect(await rpc(call(1, 'rpc.discover'))).toMatchObject({ result: { openrpc: '1.3.2' } })
  })

  it('reports an example that the document does not have, with the known names', async () => {
    const prefer = { prefer: 'example=nope' }
    const known = "it has 'no such item', 'an apple', 'two pears'"
    expect(await rpc(call(1, 'shop_price', ['apple']), prefer)).toEqual({
      ...{ jsonrpc: '2.0', id: 1 },
      error: {
        code: -32603,
        message: `the document has no example 'nope' of shop_price: ${known}`,
      },
    })
    const dynamic = { prefer: 'example=nope, dynamic=true' }
    expect(await rpc(call(1, 'shop_price', ['apple']), dynamic)).toHaveProperty('result')
  })

  it('refuses what is no JSON-RPC over HTTP by its status', async () => {
    expect(await get('/rpc/key-1')).toMatchObject({ status: 405, body: error(null, -32600) })
    expect(await post('/rpc/key-1', 'x', { 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
    })
    expect(await post('/rpc/key-1', `"${'x'.repeat(2000)}"`)).toMatchObject({ status: 413 })
  })
})

describe('the mock', () => {
  it('says where it is, and logs no secret', async () => {
    expect(mock.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect([mock.httpUrl, mock.rpcUrl]).toEqual([mock.url, `${mock.url}/rpc/{key}`])
    await post('/orders/secret-key', { to: 'Ann' })
    await post('/rpc/secret-key', [])
    expect(log).toContain('POST /orders/{key} 200')
    expect(log).toContain('POST /rpc/{key} 200')
    expect(log.join('\n')).not.toContain('secret-key')
  })

  it('says so where its port is taken', async () => {
    const api = await loadShop()
    const port = Number(new URL(mock.url).port)
    await expect(startMock(api, { port })).rejects.toThrow(
      /^the mock cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/,
    )
  })

  it('serves one half alone', async () => {
    const api = await loadShop()
    const half = await startMock({ ...api, http: undefined })
    try {
      expect(half.httpUrl).toBeUndefined()
      expect((await fetch(`${half.url}/orders/public`)).status).toBe(404)
    } finally {
      await half.stop()
    }
    await expect(fetch(half.url)).rejects.toThrow()
  })
})

it('a call without the path of the JSON-RPC server gets a 404 that names the path', async () => {
  const openrpc = {
    ...{ openrpc: '1.3.2', info: { title: 'Clock', version: '1' } },
    servers: [{ name: 'main', url: 'https://clock.example/api/v2' }],
    methods: [
      { name: 'clock_now', params: [], result: { name: 'now', schema: { type: 'string' } } },
    ],
  }
  const clock = await startMock(await apiOf({ openrpc }))
  onTestFinished(() => clock.stop())
  const body = '{"jsonrpc":"2.0","id":1,"method":"clock_now"}'
  const headers = { 'content-type': 'application/json' }
  const at = (path: string) => fetch(new URL(path, clock.url), { method: 'POST', headers, body })
  const lost = await at('/')
  expect({ status: lost.status, body: await lost.json() }).toEqual({
    status: 404,
    body: { error: 'Not found: the path of the documented server is missing: /api/v2' },
  })
  expect((await at('/api/v2')).status).toBe(200)
})

it('an object for a parameter selects the example of its own value', async () => {
  const schema = { type: 'object', additionalProperties: { type: 'string' } }
  const answer = (value: string) => ({ value: { value } })
  const parameter = {
    ...{ name: 'filter', in: 'query', style: 'deepObject', explode: true, schema },
    examples: { red: { value: { color: 'red' } }, blue: { value: { color: 'blue' } } },
  }
  const content = {
    'application/json': { schema: {}, examples: { red: answer('red'), blue: answer('blue') } },
  }
  const responses = { 200: { description: 'Found.', content } }
  const paths = { '/find': { get: { operationId: 'find', parameters: [parameter], responses } } }
  const { url, stop } = await startMock(await apiOf({ openapi: openapiOf({ paths }) }))
  onTestFinished(stop)
  const find = async (query: string) => (await fetch(`${url}/find?${query}`)).json()
  expect(await find('filter[color]=blue')).toEqual({ value: 'blue' })
  expect(await find('filter[toString]=x')).toEqual({ value: 'red' })
})
