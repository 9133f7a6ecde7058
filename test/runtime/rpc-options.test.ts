import { createRpc, type RpcOptions, type Warning } from 'twinspec/runtime/rpc'
import { validator } from 'twinspec/runtime/validate'
import { describe, expect, it } from 'vitest'
import {
  callsOf,
  createTestClient,
  errorOf,
  fakeFetch,
  service,
  type TestClient,
  type WireCall,
} from './rpc-fixture.js'

const ok = ({ body }: { body: unknown }) =>
  [body].flat().length === 1 && !Array.isArray(body)
    ? answer(body as WireCall)
    : (body as WireCall[]).map(answer)
const answer = ({ id }: WireCall) => ({ jsonrpc: '2.0', id, result: '0x1' })

describe('server', () => {
  it.each<[title: string, options: RpcOptions, url: string]>([
    ['a name', { server: 'local' }, 'http://127.0.0.1:1/node/open'],
    ['an origin', { server: 'http://h.example' }, 'http://h.example/node/open'],
    ['an origin with a slash', { server: 'http://h.example/' }, 'http://h.example/node/open'],
    ['a URL', { server: new URL('http://h.example') }, 'http://h.example/node/open'],
    ['a prefix', { server: 'http://h.example/v1/' }, 'http://h.example/v1/node/open'],
    ['the path with a key', { server: 'http://h.example/node/k' }, 'http://h.example/node/k'],
    ['the path behind a prefix', { server: 'http://h/a/node/k/' }, 'http://h/a/node/k'],
    ['a query', { server: 'http://h.example/?a=b' }, 'http://h.example/node/open?a=b'],
    [
      'the path with a place for the key',
      { server: 'http://h.example/node/{apiKey}', auth: { apiKey: 'a b' } },
      'http://h.example/node/a%20b',
    ],
    [
      'an origin and a key',
      { server: 'http://h.example', auth: { apiKey: 'k' } },
      'http://h.example/node/k',
    ],
  ])('%s', async (_, options, url) => {
    const { fetch, sent } = fakeFetch(ok)
    await createTestClient({ ...options, fetch }).nodeHeight()
    expect(sent.map((one) => one.url)).toEqual([url])
  })

  it('an address of a service without a path is taken as it is', async () => {
    const { fetch, sent } = fakeFetch(ok)
    const options = { fetch, server: 'http://h.example/v3/abc/' }
    await createRpc<TestClient>({ ...service, path: '' }, everything, options).nodeHeight()
    expect(sent.map((one) => one.url)).toEqual(['http://h.example/v3/abc'])
  })
})

const anything = { check: (_: unknown): _ is never => true }
const everything = Object.fromEntries(
  Object.keys(service.operations).map((id) => [id, { params: anything, result: anything }]),
)

describe('validate.response', () => {
  const status = validator(() => ({
    type: 'object',
    properties: {
      state: { enum: ['open', 'closed'] },
      hash: { type: ['string', 'null'] },
      fee: { type: 'integer' },
    },
    required: ['state', 'hash'],
    additionalProperties: false,
  }))
  const validators = { ...everything, nodeHeight: { params: anything, result: status } }
  const call = async (result: unknown, options: RpcOptions = {}) => {
    const warnings: Warning[] = []
    const { fetch } = fakeFetch(() => ({ jsonrpc: '2.0', id: 1, result }))
    const onWarning = (warning: Warning) => warnings.push(warning)
    const client = createRpc<TestClient>(service, validators, { fetch, onWarning, ...options })
    const value: unknown = await client.nodeHeight()
    return { value, warnings }
  }

  it.each([
    ['an unknown value of an enum', { state: 'frozen', hash: null }, undefined, '/state', 'enum'],
    [
      'a missing property that may be null',
      { state: 'open' },
      { state: 'open', hash: null },
      '',
      'required',
    ],
    [
      'null for an optional property',
      { state: 'open', hash: null, fee: null },
      { state: 'open', hash: null },
      '/fee',
      'type',
    ],
  ])('tolerant: %s is reported and returned', async (_, result, typed, pointer, keyword) => {
    const { value, warnings } = await call(result)
    expect(value).toStrictEqual(typed ?? result)
    expect(warnings).toMatchObject([
      { operation: 'node_height', issues: [{ pointer, keyword }], message: /./ },
    ])
    expect((await call(result, { onWarning: undefined })).value).toStrictEqual(typed ?? result)
  })

  it('tolerant: each result of a batch, and a result with exact integers, gets its type', async () => {
    const fetch = async (_: unknown, init?: RequestInit) => {
      const calls = [JSON.parse(String(init?.body))].flat() as WireCall[]
      const answers = calls.map(
        ({ id }) =>
          `{"jsonrpc":"2.0","id":${id},"result":{"state":"open","fee":null,"more":9007199254740993}}`,
      )
      return new Response(calls.length === 1 ? answers[0] : `[${answers}]`)
    }
    const warnings: Warning[] = []
    const onWarning = (warning: Warning) => warnings.push(warning)
    const options: RpcOptions = {
      fetch: fetch as typeof globalThis.fetch,
      onWarning,
      integers: 'bigint',
    }
    const client = createRpc<TestClient>(service, validators, options)
    const typed = { state: 'open', hash: null, more: 9007199254740993n }
    expect(await client.batch((b) => Promise.all([b.nodeHeight(), b.nodeHeight()]))).toStrictEqual([
      typed,
      typed,
    ])
    expect(await client.nodeHeight()).toStrictEqual(typed)
    expect(warnings).toHaveLength(3)
  })

  it('tolerant: an unknown property is ignored without a warning', async () => {
    const result = { state: 'open', hash: null, added: 1 }
    expect(await call(result)).toEqual({ value: result, warnings: [] })
  })

  it('tolerant: everything else rejects the call', async () => {
    const error = await errorOf(call({ state: 'frozen', hash: 1 }))
    expect(error).toMatchObject({ name: 'CallError', reason: 'invalid-answer' })
  })

  it('strict: an unknown property rejects the call, off: nothing does', async () => {
    const validate = { response: 'strict' } as const
    const error = await errorOf(call({ state: 'open', hash: null, added: 1 }, { validate }))
    expect(error).toMatchObject({ reason: 'invalid-answer', issues: [{ path: [] }] })
    const off = { validate: { response: 'off' } } as const
    expect((await call({ state: 7 }, off)).value).toEqual({ state: 7 })
  })

  it('what onWarning throws rejects the call, without secrets', async () => {
    const onWarning = ({ message }: Warning) => {
      throw new Error(`k3y: ${message}`)
    }
    const options = { onWarning, auth: { apiKey: 'k3y' } }
    const error = await errorOf(call({ state: 'frozen', hash: null }, options))
    expect(error.message).toMatch(/^\[redacted\]: the result does not match its schema/)
  })
})

describe('hooks', () => {
  it('run in onion order around each request, retries included', async () => {
    const { fetch, sent } = fakeFetch((one, count) =>
      count === 1 ? new Response('', { status: 503 }) : ok(one),
    )
    const log: unknown[] = []
    const client = createTestClient({
      fetch,
      server: 'http://h.example',
      auth: { apiKey: 's3cret' },
      retry: { delay: 1 },
      onRequest: [
        async ({ attempt, headers, url, operations }) => {
          headers.set('x-attempt', String(attempt))
          log.push(['outer', attempt, url, operations])
        },
        ({ attempt }) => log.push(['inner', attempt]),
      ],
      onResponse: [
        ({ status }) => log.push(['outer', status]),
        async ({ status }, { attempt }) => log.push(['inner', status, attempt]),
      ],
      onError: () => log.push('error'),
    })
    expect(await client.nodeHeight()).toBe('0x1')
    expect(log).toEqual([
      ['outer', 1, 'http://h.example/node/[redacted]', ['node_height']],
      ['inner', 1],
      ['inner', 503, 1],
      ['outer', 503],
      ['outer', 2, 'http://h.example/node/[redacted]', ['node_height']],
      ['inner', 2],
      ['inner', 200, 2],
      ['outer', 200],
    ])
    expect(sent.map(({ headers }) => headers.get('x-attempt'))).toEqual(['1', '2'])
  })

  it('onError receives what each call of a batch rejects with', async () => {
    const { fetch } = fakeFetch(({ body }) =>
      (body as WireCall[]).map(({ id }) => ({
        jsonrpc: '2.0',
        id,
        error: { code: 7, message: 'no' },
      })),
    )
    const log: unknown[] = []
    const onError = [
      (error: unknown, operation: string) => log.push(['outer', (error as Error).name, operation]),
      (_: unknown, operation: string) => log.push(['inner', operation]),
    ]
    const client = createTestClient({ fetch, onError })
    await client.batch((b) => Promise.allSettled([b.nodeSend('a'), b.nodeBalance('0xa')]))
    await errorOf(client.nodeBalance('a'))
    expect(log.filter((entry) => (entry as string[])[0] === 'outer')).toEqual([
      ['outer', 'RpcError', 'node_send'],
      ['outer', 'RpcError', 'node_balance'],
      ['outer', 'CallError', 'node_balance'],
    ])
    expect(log).toHaveLength(6)
  })

  it.each(['onRequest', 'onResponse', 'onError'] as const)(
    'what %s throws rejects the call once, without secrets',
    async (name) => {
      const { fetch, sent } = fakeFetch(() => new Response('', { status: 401 }))
      const hook = () => {
        throw new Error('the key s3cret is bad')
      }
      const client = createTestClient({ fetch, auth: { apiKey: 's3cret' }, [name]: hook })
      const error = await errorOf(client.nodeHeight())
      expect(error.message).toBe('the key [redacted] is bad')
      expect(sent).toHaveLength(name === 'onRequest' ? 0 : 1)
    },
  )
})

describe('raw', () => {
  it('resolves with the response as it is, whatever it says', async () => {
    const { fetch, sent } = fakeFetch(
      () => new Response('busy', { status: 503, headers: { 'x-why': 'load' } }),
    )
    const client = createTestClient({ fetch, auth: { apiKey: 'k' }, batch: 'auto' })
    const response = await client.raw({ method: 'node_balance', params: ['0xa'] })
    expect([response.status, response.headers.get('x-why'), await response.text()]).toEqual([
      503,
      'load',
      'busy',
    ])
    expect(sent.flatMap(callsOf)).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'node_balance', params: ['0xa'] },
    ])
  })

  it('frees the connection of a redirect before it follows it', async () => {
    let isFree = false
    const cancel = () => {
      isFree = true
    }
    const { fetch, sent } = fakeFetch(() =>
      sent.length > 1
        ? new Response('moved')
        : new Response(new ReadableStream({ cancel }), {
            status: 307,
            headers: { location: '/moved' },
          }),
    )
    const response = await createTestClient({ fetch }).raw({ method: 'node_height' })
    expect([await response.text(), isFree]).toEqual(['moved', true])
  })

  it('rejects with a CallError where nothing is sent or nothing comes back', async () => {
    const { fetch } = fakeFetch(() => {
      throw new TypeError('fetch failed')
    })
    const client = createTestClient({ fetch })
    const invalid = errorOf(client.raw({ method: 'node_balance', params: ['a'] }))
    expect(await invalid).toMatchObject({ reason: 'invalid-input' })
    const lost = errorOf(client.raw({ method: 'node_height' }))
    expect(await lost).toMatchObject({ reason: 'network' })
    const signal = AbortSignal.abort()
    const aborted = errorOf(client.raw({ method: 'node_height' }, { signal }))
    expect(await aborted).toMatchObject({ reason: 'aborted' })
  })
})
