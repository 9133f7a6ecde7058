import { describe, expect, it } from 'vitest'
import { HttpError, RpcError } from '../../src/runtime/errors.js'
import type { HttpOperation, RpcOperation } from '../../src/runtime/operation.js'
import {
  createServerCore,
  type ServerOptions,
  type ServerReply,
  type ShapedError,
} from '../../src/runtime/server.js'
import { validator } from '../../src/runtime/validate.js'
import { contentOf, declaredResponses } from './declared.js'

const KEY = 'sesame-4711'
const JSON_TYPE = { 'content-type': 'application/json' }

describe('admit', () => {
  it.each([
    ['rpc', `/rpc/${KEY}`, undefined],
    ['http', `/orders/${KEY}`, 'addOrder'],
  ])('is asked once over %s, with the key and before the body is read', async (_, url, id) => {
    const heard: unknown[] = []
    const state = { mine: true }
    await handle(
      {
        admit: (request) => {
          heard.push([request.operation?.id, request.auth, request.remoteAddress])
          expect(request.state).toBe(state)
        },
      },
      { url, state, body: watched(heard, '[{"jsonrpc":"2.0","method":"ping","id":1}]') },
    )
    expect(heard).toEqual([[id, { key: KEY }, '192.0.2.1'], 'read'])
  })

  const refuse =
    (error: Error): NonNullable<ServerOptions['admit']> =>
    () => {
      throw error
    }
  const http = (status: number, body?: unknown): Error =>
    new HttpError({
      operation: '',
      status,
      body,
      message: `No ${KEY}`,
      headers: new Headers({ 'retry-after': '7' }),
    })
  const rpc = (code: number, message: string): string =>
    `{"jsonrpc":"2.0","id":null,"error":{"code":${code},"message":"${message}"}}`

  it.each<readonly [string, Error, string, number, string]>([
    ['HTTP over rpc', http(401), `/rpc/${KEY}`, 401, rpc(-32000, 'No [redacted]')],
    [
      'words of its own over rpc',
      http(401, { code: -32600, message: `Not ${KEY}` }),
      `/rpc/${KEY}`,
      401,
      rpc(-32600, 'Not [redacted]'),
    ],
    [
      'JSON-RPC over rpc',
      new RpcError({ code: -32603, message: 'Later' }),
      `/rpc/${KEY}`,
      200,
      rpc(-32603, 'Later'),
    ],
    ['HTTP over http', http(429), `/orders/${KEY}`, 429, '{"error":"No [redacted]"}'],
    ['a crash over rpc', new Error('x'), `/rpc/${KEY}`, 200, rpc(-32603, 'Internal error')],
    ['a crash over http', new Error('x'), `/orders/${KEY}`, 500, '{"error":"Internal error"}'],
  ])('refuses by %s, and the body stays unread', async (_, error, url, status, body) => {
    const heard: unknown[] = []
    const reply = await handle({ admit: refuse(error) }, { url, body: watched(heard, '{}') })
    expect({ status: reply.status, body: reply.body, heard }).toEqual({ status, body, heard: [] })
    if (error instanceof HttpError) expect(reply.headers['retry-after']).toBe('7')
  })
})

describe('the state that the host gives', () => {
  it.each([
    ['rpc', `/rpc/${KEY}`, '{"jsonrpc":"2.0","method":"state","id":1}'],
    ['http', `/orders/${KEY}`, '{}'],
  ])('reaches authorize and the handler over %s', async (_, url, body) => {
    const state = { wallet: 7 }
    const seen: unknown[] = []
    const reply = await handle(
      { authorize: (call) => void seen.push(call.state) },
      {
        url,
        body,
        state,
      },
    )
    expect(seen[0]).toBe(state)
    expect(reply.body).toContain('{"wallet":7}')
  })

  it('reaches onError', async () => {
    const seen: unknown[] = []
    const state = { id: 'r1' }
    const body = '{"jsonrpc":"2.0","method":"crash","id":1}'
    await handle(
      { onError: (_, context) => void seen.push(context) },
      {
        url: `/rpc/${KEY}`,
        body,
        state,
      },
    )
    expect(seen).toEqual([{ operation: expect.objectContaining({ id: 'crash' }), state }])
  })
})

describe('a call', () => {
  const call = (method: string, id = 1): string =>
    `{"jsonrpc":"2.0","method":"${method}","id":${id}}`

  it('tells authorize how many came with it', async () => {
    const seen: unknown[] = []
    const authorize: ServerOptions['authorize'] = ({ members }) => void seen.push(members)
    const url = `/rpc/${KEY}`
    await handle({ authorize }, { url, body: call('ping') })
    await handle({ authorize }, { url, body: `[${call('ping')},5,${call('nope')}]` })
    await handle({ authorize }, { url: `/orders/${KEY}`, body: '{}' })
    expect(seen).toEqual([1, 3, 3, 1])
  })

  it('tells onCall its method and its code', async () => {
    const seen: unknown[] = []
    const body = `[${[
      call('ping'),
      '{"jsonrpc":"2.0","method":"ping"}',
      call('refuse'),
      call('crash'),
      call('nope'),
      '{"jsonrpc":"2.0","method":"ping","params":[1],"id":1}',
      '{}',
    ].join(',')}]`
    const onCall: ServerOptions['onCall'] = ({ operation, method, code, milliseconds }) => {
      expect(milliseconds).toBeGreaterThanOrEqual(0)
      seen.push([operation?.id, method, code])
      throw new Error('must not be felt')
    }
    const reply = await handle({ onCall, onError: () => undefined }, { url: `/rpc/${KEY}`, body })
    expect(seen.sort()).toEqual(
      [
        ['ping', 'ping', undefined],
        ['ping', 'ping', undefined],
        ['refuse', 'refuse', 4],
        ['crash', 'crash', -32603],
        [undefined, 'nope', -32601],
        ['ping', 'ping', -32602],
      ].sort(),
    )
    expect(reply.body).toContain('"result":"pong"')
  })
})

describe('refuse', () => {
  it.each<readonly [string, string, unknown]>([
    ['a body that does not fit', '{"id":5,"wrong":1}', { id: 5, wrong: 1 }],
    ['a body that loses digits', '{"id":9223372036854775809}', { id: 2 ** 63 }],
    ['what is no JSON', '{', undefined],
  ])('is given the body: %s', async (_, body, want) => {
    const seen: ShapedError[] = []
    const refuse = (refusal: ShapedError): ServerReply => {
      seen.push(refusal)
      return { status: refusal.status, headers: {}, body: '' }
    }
    const reply = await handle({ formatError: refuse }, { url: `/orders/${KEY}`, body })
    expect(reply.status).toBe(400)
    expect(seen.map((refusal) => refusal.body)).toEqual([want])
  })

  it.each<readonly [string, Partial<Asked>, ServerOptions, Partial<ShapedError>]>([
    ['what is no JSON', { body: '{' }, {}, { cause: 'invalid-json' }],
    ['many members', { body: '{"a":1,"b":2}' }, { mostMembers: 1 }, { cause: 'too-many-members' }],
    [
      'a large body',
      { body: '"1234567"' },
      { payloadBytes: 8 },
      { cause: 'body-too-large', limit: 8 },
    ],
    ['a body that breaks off', { body: broken() }, {}, { cause: 'incomplete-body' }],
    ['no UTF-8', { body: bytes(0xff) }, {}, { cause: 'invalid-utf8' }],
    ['gzip', { headers: { 'content-encoding': 'gzip' } }, {}, { cause: 'content-encoding' }],
    ['a type', { headers: { 'content-type': 'text/plain' } }, {}, { cause: 'content-type' }],
    ['what does not fit', { body: '{"wrong":1}' }, {}, {}],
  ])('is given the cause: %s', async (_, asked, options, want) => {
    const seen: ShapedError[] = []
    const refuse = (refusal: ShapedError): ServerReply => {
      seen.push(refusal)
      return { status: refusal.status, headers: {}, body: '' }
    }
    await handle(
      { ...options, formatError: refuse },
      { url: `/orders/${KEY}`, body: '{}', ...asked },
    )
    expect(seen.map(({ cause, limit }) => ({ cause, limit }))).toEqual([
      { limit: undefined, ...want },
    ])
  })

  it('is given the property that a fault names, without secrets; other servers do not send it', async () => {
    const seen: ShapedError[] = []
    const refuse = (refusal: ShapedError): ServerReply => {
      seen.push(refusal)
      return { status: refusal.status, headers: {}, body: '' }
    }
    const wrong = { url: `/orders/${KEY}`, body: '{"wrong":1}' }
    await handle({ formatError: refuse }, wrong)
    expect(seen[0]?.faults.map(({ params }) => params)).toEqual([{ property: 'wrong' }])
    await handle({ formatError: refuse }, { url: '/orders/wrong', body: '{"wrong":1}' })
    expect(JSON.stringify(seen[1]?.faults)).not.toContain('wrong')
    expect(seen[1]?.faults).toHaveLength(1)
    const { body } = await handle({}, wrong)
    expect(JSON.parse(String(body))).toEqual({
      error: 'body must not have the property `wrong`',
      faults: [{ pointer: '/body', keyword: 'not', message: 'must not have the property `wrong`' }],
    })
  })
})

it('reads a body in chunks of one byte, each in its place', async () => {
  const id = Array.from({ length: 1_000 }, (_, index) => String(index)).join(' ')
  const text = JSON.stringify([{ jsonrpc: '2.0', method: 'ping', id }])
  const chunks = (async function* () {
    for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte)
  })()
  const { body } = await handle({}, { url: `/rpc/${KEY}`, body: chunks })
  expect(JSON.parse(String(body))[0].id).toBe(id)
})

const watched = (heard: unknown[], text: string): AsyncIterable<Uint8Array> =>
  (async function* () {
    heard.push('read')
    yield new TextEncoder().encode(text)
  })()

async function* broken(): AsyncGenerator<Uint8Array> {
  yield* bytes(0x7b)
  throw new Error('the connection was closed')
}

async function* bytes(...all: readonly number[]): AsyncGenerator<Uint8Array> {
  yield Uint8Array.from(all)
}

type Asked = {
  readonly url: string
  readonly body: string | AsyncIterable<Uint8Array>
  readonly headers?: Readonly<Record<string, string>>
  readonly state?: unknown
}

const handle = (options: ServerOptions, { url, ...asked }: Asked): Promise<ServerReply> =>
  createServerCore(
    {
      http: { servers: [], operations: { addOrder } },
      rpc: {
        servers: [],
        path: '/rpc/{key}',
        operations: Object.fromEntries(METHODS.map((name) => [name, method(name)])),
      },
      validators: {
        addOrder: {
          request: validator(() => ({ type: 'object', not: { required: ['wrong'] } })),
          responses: {},
        },
        ...Object.fromEntries(
          METHODS.map((name) => [
            name,
            { params: validator(() => ({ maxItems: 0 })), result: validator(() => true) },
          ]),
        ),
      },
    },
    {
      addOrder: (_: unknown, { state }: { state?: unknown }) => ({
        status: 200,
        body: state ?? {},
      }),
      ping: () => 'pong',
      state: (_: unknown, { state }: { state?: unknown }) => state,
      crash: () => {
        throw new Error('broken')
      },
      refuse: () => {
        throw new RpcError({ code: 4, message: 'no' })
      },
    },
    { onError: () => undefined, ...options },
  ).handle({ method: 'POST', url, headers: JSON_TYPE, remoteAddress: '192.0.2.1', ...asked })

const METHODS = ['ping', 'state', 'crash', 'refuse']

const method = (name: string): RpcOperation => ({
  kind: 'rpc',
  id: name,
  method: name,
  params: [],
  paramStructure: 'by-position',
  errors: [],
})

const addOrder: HttpOperation = {
  kind: 'http',
  id: 'addOrder',
  method: 'POST',
  path: '/orders/{key}',
  servers: [],
  parameters: [
    { name: 'key', in: 'path', required: true, style: 'simple', explode: false, secret: true },
  ],
  body: { required: true, content: contentOf(['application/json']) },
  responses: declaredResponses({ 200: ['application/json'], 400: ['application/json'] }),
  security: [],
  schemes: {},
}
