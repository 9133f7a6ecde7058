import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  CallError,
  createRpc,
  HttpError,
  isCallError,
  isRpcError,
  RpcError,
} from 'twinspec/runtime/rpc'
import { afterEach, expect, vi } from 'vitest'
import {
  callsOf,
  createTestClient,
  echo,
  errorOf,
  fakeFetch,
  refusal,
  service,
  type TestClient,
  test,
  type WireCall,
} from './rpc-fixture.js'

afterEach(() => {
  vi.useRealTimers()
})

const off = { request: 'off', response: 'off' } as const
const result = (value: unknown) => ({ jsonrpc: '2.0', id: 1, result: value })

test('a call goes out as one object and comes back as its result', async () => {
  const { fetch, sent } = fakeFetch(() => result('0x10'))
  const client = createTestClient({ fetch })
  expect(await client.nodeHeight()).toBe('0x10')
  expect(sent.map(({ url, body, headers }) => ({ url, body, headers: [...headers] }))).toEqual([
    {
      url: 'https://test.example/node/open',
      body: { jsonrpc: '2.0', method: 'node_height', params: [], id: 1 },
      headers: [
        ['accept', 'application/json'],
        ['content-type', 'application/json'],
      ],
    },
  ])
})

test.each<{ title: string; call: (client: TestClient) => Promise<unknown>; want: unknown }>([
  { title: 'no params', call: (c) => c.nodeHeight(), want: [] },
  {
    title: 'params in order',
    call: (c) => c.nodeBalance('0xa', 'latest'),
    want: ['0xa', 'latest'],
  },
  {
    title: 'trailing undefined trimmed',
    call: (c) => c.nodeBalance('0xa', undefined),
    want: ['0xa'],
  },
  {
    title: 'a request by wire name',
    call: (c) => c.request({ method: 'node_balance', params: ['0xa', undefined] }),
    want: ['0xa'],
  },
  {
    title: 'a request without params',
    call: (c) => c.request({ method: 'node_height' }),
    want: [],
  },
  {
    title: 'named params, undefined left out',
    call: (c) => c.request({ method: 'node_find', params: { topic: 'a' } }),
    want: { topic: 'a' },
  },
  {
    title: 'a named method with named params',
    call: (c) => c.nodeFind({ topic: 'a', limit: 3 }),
    want: { topic: 'a', limit: 3 },
  },
  { title: 'named params that may all be absent', call: (c) => c.nodeRecent(), want: {} },
])('on the wire: $title', async ({ call, want }) => {
  const { fetch, sent } = fakeFetch(echo)
  await call(createTestClient({ fetch, validate: { response: 'off' } }))
  expect(sent.flatMap(callsOf).map(({ params }) => params)).toEqual([want])
})

test('params are sent as they were when the call was made', async () => {
  const { fetch, sent } = fakeFetch(echo)
  const params = { topic: 'before' }
  const answer = createTestClient({ fetch, validate: off, batch: 'auto' }).nodeFind(params)
  params.topic = 'after'
  await answer
  expect(sent.flatMap(callsOf)[0]?.params).toEqual({ topic: 'before' })
})

const circular: unknown[] = []
circular.push(circular)

test.each<{ title: string; method: string; params: unknown; want: string }>([
  {
    title: 'an undefined before a given param',
    method: 'node_balance',
    params: [undefined, 'latest'],
    want: 'account (/0) is undefined, which JSON cannot represent',
  },
  {
    title: 'a hole',
    method: 'node_balance',
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
    params: [, 'latest'],
    want: 'account (/0) is undefined, which JSON cannot represent',
  },
  {
    title: 'a bigint',
    method: 'node_balance',
    params: ['0xa', 5n],
    want: 'block (/1) is a bigint, which JSON cannot represent: write it as a string',
  },
  {
    title: 'a bigint deep within',
    method: 'node_find',
    params: { topic: 'a', 'x/y': [1, { z: 5n }] },
    want: '/x~1y/1/z is a bigint, which JSON cannot represent: write it as a string',
  },
  {
    title: 'NaN',
    method: 'node_find',
    params: { limit: Number.NaN },
    want: '/limit is NaN, which JSON cannot represent',
  },
  {
    title: 'a circle',
    method: 'node_balance',
    params: [circular],
    want: 'account (/0/0) refers back to itself',
  },
  {
    title: 'a wrong value',
    method: 'node_balance',
    params: ['a'],
    want: 'account (/0) must match ^0x[0-9a-f]+$, is "a"',
  },
  {
    title: 'too few params',
    method: 'node_send',
    params: [],
    want: 'the params must have at least 1 item, has 0',
  },
  {
    title: 'an object where params go by position',
    method: 'node_balance',
    params: { account: '0xa' },
    want: 'the params must be an array: [account, block]',
  },
  {
    title: 'an array where params go by name',
    method: 'node_find',
    params: ['a'],
    want: 'the params must be an object: { topic, limit }',
  },
  {
    title: 'a method that the document does not have',
    method: 'node_blob',
    params: [],
    want: 'the document has no such method',
  },
  {
    title: 'a call larger than the document allows',
    method: 'node_send',
    params: ['é'.repeat(5_000)],
    want: 'its 10059 bytes exceed the limit of 10000',
  },
])('never sent: $title', async ({ method, params, want }) => {
  const { fetch, sent } = fakeFetch(echo)
  const client = createTestClient({ fetch })
  const request = client.request as (call: unknown) => Promise<unknown>
  const error = await errorOf(request({ method, params }))
  expect(error).toBeInstanceOf(CallError)
  expect(error).toMatchObject({ reason: 'invalid-input', operation: method })
  expect(error.message).toBe(`${method} was not sent: ${want}`)
  expect(sent).toEqual([])
})

test('params that cannot even be read reject the call, they do not throw', async () => {
  const topic = {
    toJSON: () => {
      throw new Error('unreadable')
    },
  }
  const call = createTestClient().nodeFind({ topic: topic as unknown as string })
  expect((await errorOf(call)).message).toBe('unreadable')
})

test('issues say where the params are wrong', async () => {
  const error = await errorOf(createTestClient().nodeBalance('a'))
  expect((error as CallError).issues).toMatchObject([
    { pointer: '/0', path: ['0'], keyword: 'pattern', message: 'must match ^0x[0-9a-f]+$, is "a"' },
  ])
})

test('results are read openly, and held against the document', async () => {
  const open = { amount: '1', parts: [{ name: 'a', added: 1 }], added: 2 }
  const given: unknown[] = [open, { amount: 1, parts: [{}] }]
  const { fetch } = fakeFetch(({ body }) => ({ ...body, method: undefined, result: given.shift() }))
  const client = createTestClient({ fetch })
  expect(await client.nodeBalance('0xa')).toEqual(open)
  const error = await errorOf(client.nodeBalance('0xa'))
  expect(error).toMatchObject({ reason: 'invalid-answer', operation: 'node_balance' })
  expect((error as CallError).issues.map(({ pointer }) => pointer)).toEqual(['/amount', '/parts/0'])
})

test('each validation can be switched off by itself', async () => {
  const { fetch, sent } = fakeFetch(({ body }) => ({ ...body, result: 5 }))
  const noParams = createTestClient({ fetch, validate: { request: 'off' } })
  expect(await errorOf(noParams.nodeBalance('a'))).toMatchObject({ reason: 'invalid-answer' })
  const noResults = createTestClient({ fetch, validate: { response: 'off' } })
  expect(await noResults.nodeBalance('0xa')).toBe(5)
  expect(await errorOf(noResults.nodeBalance('a'))).toMatchObject({ reason: 'invalid-input' })
  expect(sent).toHaveLength(2)
})

test.each<{ title: string; open: () => TestClient; want: string }>([
  {
    title: 'missing validators',
    open: () => createRpc<TestClient>(service, {}),
    want: 'No validators for nodeHeight: pass what validators.ts or explanations.ts exports',
  },
  {
    title: 'one of two missing',
    open: () => createRpc<TestClient>(service, {}, { validate: { response: 'off' } }),
    want: 'No validators for nodeHeight: pass what validators.ts or explanations.ts exports',
  },
  {
    title: 'a server that nobody named',
    open: () => createTestClient({ server: 'moon' }),
    want: "no server is named 'moon': give a URL or one of 'testnet', 'local'",
  },
  {
    title: 'no server at all',
    open: () => createRpc<TestClient>({ ...service, servers: [] }, {}, { validate: off }),
    want: 'the document declares no server: give a URL',
  },
  {
    title: 'half a URL',
    open: () => createTestClient({ server: 'http://[' }),
    want: "server 'as given' is no http:// or https:// URL: choose another, or give a URL",
  },
  {
    title: 'a server variable without a value',
    open: () => createTestClient({ server: 'https://h.example/{tenant}' }),
    want: "the server URL needs a value for 'tenant'",
  },
])('options that cannot work fail when the client is created: $title', ({ open, want }) => {
  expect(open).toThrow(new TypeError(want))
})

test('without validation no validators are asked for', async () => {
  const { fetch } = fakeFetch(() => result(5))
  const options = { fetch, server: 'local', validate: off }
  expect(await createRpc<TestClient>(service, {}, options).nodeHeight()).toBe(5)
})

test.each<{ title: string; answer: () => unknown; want: object }>([
  {
    title: 'its own error',
    answer: () => ({
      jsonrpc: '2.0',
      id: 1,
      error: { code: 3, message: 'reverted', data: '0x08' },
    }),
    want: { name: 'RpcError', code: 3, message: 'reverted', data: '0x08', method: 'node_height' },
  },
  {
    title: 'an error without an id',
    answer: () => refusal(-32700, 'Parse error'),
    want: { name: 'RpcError', code: -32700, method: 'node_height' },
  },
  {
    title: 'an error under HTTP 404',
    answer: () => Response.json(refusal(-32601, 'Method not found', 1), { status: 404 }),
    want: {
      name: 'RpcError',
      code: -32601,
      cause: { name: 'HttpError', status: 404, operation: 'node_height' },
    },
  },
  {
    title: 'a text under HTTP 401',
    answer: () => new Response('who are you?', { status: 401, headers: { 'x-why': 'key' } }),
    want: {
      name: 'HttpError',
      status: 401,
      operation: 'node_height',
      body: 'who are you?',
      message: 'node_height: the server returned HTTP 401',
    },
  },
  {
    title: 'JSON that is no JSON-RPC under HTTP 500',
    answer: () => Response.json({ error: 'broken' }, { status: 500 }),
    want: { name: 'HttpError', status: 500, body: { error: 'broken' } },
  },
  {
    title: 'a result under HTTP 500',
    answer: () => Response.json(result('0x1'), { status: 500 }),
    want: { name: 'HttpError', status: 500 },
  },
  {
    title: 'HTTP 204',
    answer: () => new Response(null, { status: 204 }),
    want: {
      name: 'CallError',
      reason: 'malformed-answer',
      message: 'node_height: the response is empty',
    },
  },
  {
    title: 'HTML',
    answer: () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    want: {
      name: 'CallError',
      reason: 'malformed-answer',
      message: 'node_height: the response is not JSON',
      cause: expect.any(SyntaxError),
    },
  },
  {
    title: 'the id as a string',
    answer: () => ({ ...result('0x1'), id: '1' }),
    want: { name: 'CallError', reason: 'unmatched-answer', operation: 'node_height' },
  },
  {
    title: 'no connection',
    answer: () => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
    },
    want: {
      name: 'CallError',
      reason: 'network',
      message: 'node_height got no response: fetch failed: connect ECONNREFUSED',
      cause: expect.any(TypeError),
    },
  },
])('an answer of $title', async ({ answer, want }) => {
  const { fetch } = fakeFetch(answer)
  const client = createTestClient({ fetch, retry: { attempts: 1 } })
  expect(await errorOf(client.nodeHeight())).toMatchObject(want)
})

test('isCallError narrows by reason', async () => {
  const error = await errorOf(createTestClient().nodeBalance('a'))
  expect([isCallError(error), isCallError(error, 'invalid-input')]).toEqual([true, true])
  expect([isCallError(error, 'network'), isCallError(new Error('no'))]).toEqual([false, false])
})

test('isRpcError narrows by code', async () => {
  const error: unknown = new RpcError({ code: -32601, message: 'no' })
  expect([isRpcError(error), isRpcError(error, -32601), isRpcError(error, 3)]).toEqual([
    true,
    true,
    false,
  ])
  expect(isRpcError(new HttpError({ operation: 'x', status: 404, body: '', message: '' }))).toBe(
    false,
  )
})

test('ids grow and belong to one client, whichever way it is called', async () => {
  const { fetch, sent } = fakeFetch(echo)
  const client = createTestClient({ fetch, validate: off })
  await client.nodeHeight()
  await client.with({ timeout: 50 }).nodeHeight()
  await client.batch((b) => Promise.all([b.nodeHeight(), b.request({ method: 'node_height' })]))
  await client.nodeHeight()
  expect(sent.flatMap(callsOf).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
})

test('a notification has no id and resolves when it is accepted', async () => {
  const answers = [
    () => new Response(null, { status: 204 }),
    () => new Response('null'),
    () => refusal(-32600, 'no'),
    () => new Response('', { status: 503 }),
  ]
  const { fetch, sent } = fakeFetch((_, count) => answers[count - 1]?.())
  const client = createTestClient({ fetch })
  expect(await client.notify('node_send', ['a'])).toBe(undefined)
  expect(await client.notify('node_height')).toBe(undefined)
  expect(await errorOf(client.notify('node_height'))).toMatchObject({ code: -32600 })
  expect(await errorOf(client.notify('node_send', ['a']))).toMatchObject({ status: 503 })
  expect(sent.map(({ body }) => body)[0]).toEqual({
    jsonrpc: '2.0',
    method: 'node_send',
    params: ['a'],
  })
})

const silent = () =>
  fakeFetch(
    ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )

test('a timeout ends the call and its request', async () => {
  const { fetch, sent } = silent()
  const error = await errorOf(createTestClient({ fetch }).with({ timeout: 5 }).nodeHeight())
  expect(error).toMatchObject({
    name: 'CallError',
    reason: 'timeout',
    operation: 'node_height',
    message: 'node_height: no response within 5 ms',
    cause: { name: 'TimeoutError' },
  })
  expect(sent[0]?.signal.aborted).toBe(true)
})

test.each<{ title: string; call: (client: TestClient, signal: AbortSignal) => Promise<unknown> }>([
  { title: 'with', call: (client, signal) => client.with({ signal }).nodeHeight() },
  {
    title: 'request',
    call: (client, signal) => client.request({ method: 'node_height' }, { signal }),
  },
  {
    title: 'two signals',
    call: (client, signal) =>
      client
        .with({ signal })
        .request({ method: 'node_height' }, { signal: new AbortController().signal }),
  },
  {
    title: 'two signals, the other one',
    call: (client, signal) =>
      client
        .with({ signal: new AbortController().signal })
        .request({ method: 'node_height' }, { signal }),
  },
])('an abort through $title ends the call and its request', async ({ call }) => {
  const { fetch, sent } = silent()
  const controller = new AbortController()
  const error = errorOf(call(createTestClient({ fetch }), controller.signal))
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  const why = new Error('changed my mind')
  controller.abort(why)
  expect(await error).toMatchObject({ reason: 'aborted', operation: 'node_height', cause: why })
  expect(sent[0]?.signal.aborted).toBe(true)
})

test('a signal that is aborted already sends nothing', async () => {
  const { fetch, sent } = silent()
  const client = createTestClient({ fetch, signal: AbortSignal.abort(new Error('over')) })
  expect(await errorOf(client.nodeHeight())).toMatchObject({ reason: 'aborted' })
  expect(sent).toEqual([])
})

test('the platform fetch is called as a function of the global object', async () => {
  const own = globalThis.fetch
  const asked: unknown[] = []
  globalThis.fetch = function (this: unknown, url) {
    asked.push([this === globalThis || this === undefined, url])
    return Promise.resolve(Response.json(result('0x1')))
  }
  try {
    expect(await createTestClient({ server: 'local' }).nodeHeight()).toBe('0x1')
  } finally {
    globalThis.fetch = own
  }
  expect(asked).toEqual([[true, 'http://127.0.0.1:1/node/open']])
})

test('over a socket: calls, a batch in another order, a refusal, an abort, a dead server', async () => {
  const server = createServer((request, response) => {
    request.setEncoding('utf8')
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const body = JSON.parse(text)
      if (JSON.stringify(body).includes('hang')) return
      const answers = (Array.isArray(body) ? body : [body]).map(
        ({ id, method, params }: WireCall) =>
          method === 'node_send'
            ? refusal(-32000, `refused ${params}`, id)
            : { jsonrpc: '2.0', id, result: method === 'node_height' ? `${id}` : [`${id}`] },
      )
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(body) ? answers.reverse() : answers[0]))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = createTestClient({ server: `http://127.0.0.1:${port}/` })
  try {
    expect(await client.nodeHeight()).toBe('1')
    const settled = await client.batch((b) =>
      Promise.allSettled([b.nodeHeight(), b.nodeSend('x'), b.nodeFind({ topic: 'a' })]),
    )
    expect(settled).toMatchObject([
      { value: '2' },
      { reason: { code: -32000, message: 'refused x', method: 'node_send' } },
      { value: ['4'] },
    ])
    expect(await errorOf(client.with({ timeout: 20 }).nodeSend('hang'))).toMatchObject({
      reason: 'timeout',
    })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  expect(await errorOf(client.nodeSend('x'))).toMatchObject({
    reason: 'network',
    message: expect.stringMatching(/^node_send got no response: fetch failed: ./),
  })
})
