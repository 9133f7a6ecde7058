import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import openrpc from '../../generated/rpc.openrpc.json' with { type: 'json' }
import * as validators from '../../generated/validators.js'
import { HttpError } from '../../src/runtime/errors.js'
import type { ServerOptions } from '../../src/runtime/server.js'
import type { Host } from './contract.js'
import { hostOnFetch, hostOnNode } from './hosts.js'

const KEY = 'sesame-4711'
const UNKNOWN_KEY = 'sesame-4712'
const LIMIT = 1_048_576
const ADDRESS = '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1'
const QUEUE_ID = '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942'
const json = { 'content-type': 'application/json' }

const call = (rest: string) => `{"jsonrpc":"2.0",${rest}}`
const chainId = (id: string) => call(`"id":${id},"method":"eth_chainId"`)
const silent = call('"method":"eth_chainId"')
const ok = (id: string) => `{"jsonrpc":"2.0","id":${id},"result":"0x133edcb"}`
const fail = (id: string, code: number, message: string) =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`
const batch = (...members: readonly string[]) => `[${members.join()}]`
const post = (body: string, headers: Record<string, string> = json): RequestInit => ({
  method: 'POST',
  headers,
  body,
})

describe.each([
  ['node:http', hostOnNode],
  ['a fetch handler', hostOnFetch],
])('the generated server on %s, asked in raw text', (_, start) => {
  const logged: string[] = []
  const answered: string[] = []
  const options: ServerOptions = {
    authorize: ({ auth }) => {
      if (auth.apiKey !== UNKNOWN_KEY) return
      const body = { success: false, error: `there is no key ${UNKNOWN_KEY}` }
      throw new HttpError({ operation: '', status: 401, body, message: body.error })
    },
    onError: (error) => logged.push(String(error instanceof Error ? error.stack : error)),
  }
  let host: Host
  beforeAll(async () => {
    host = await start(options)
  })
  afterAll(() => host?.stop())
  afterEach(() => {
    // Whatever a caller or a handler does wrong, a key is told to nobody.
    for (const text of [...answered.splice(0), ...logged]) expect(text).not.toContain('sesame-')
  })

  const ask = async (path: string, init: RequestInit) => {
    const response = await fetch(`${host.httpUrl}${path}`, init)
    const text = await response.text()
    answered.push(text, JSON.stringify([...response.headers]))
    return { status: response.status, text, headers: response.headers }
  }
  const send = async (body: string | Uint8Array<ArrayBuffer>, key = KEY) => {
    const { status, text } = await ask(`/zgt/${key}`, { method: 'POST', headers: json, body })
    return { status, text }
  }

  const ids = [
    '1',
    '0',
    '-7',
    '1.0',
    '1e2',
    '1.5',
    '9007199254740993',
    '1e400',
    'null',
    '""',
    '"1"',
    '"é☃"',
  ]

  it.each<readonly [title: string, sent: string | Uint8Array<ArrayBuffer>, want: string]>([
    ['truncated JSON', '{"jsonrpc":"2.0","id":1', fail('null', -32700, 'Parse error')],
    ['no body', '', fail('null', -32700, 'Parse error')],
    [
      'bytes that are no text',
      new Uint8Array([0x22, 0xff, 0x22]),
      fail('null', -32700, 'Parse error'),
    ],
    ['a truncated batch', `[${chainId('1')},`, fail('null', -32700, 'Parse error')],
    ['no object', '1', fail('null', -32600, 'Invalid request: not an object')],
    [
      'no version',
      '{"id":1,"method":"eth_chainId"}',
      fail('1', -32600, 'Invalid request: jsonrpc must be \\"2.0\\"'),
    ],
    ['no method', call('"id":1'), fail('1', -32600, 'Invalid request: method must be a string')],
    [
      'params that are text',
      call('"id":1,"method":"eth_chainId","params":"x"'),
      fail('1', -32600, 'Invalid request: params must be an array or an object'),
    ],
    [
      'an id that is no id',
      call('"id":{},"method":"eth_chainId"'),
      fail('null', -32600, 'Invalid request: id must be a string, a number or null'),
    ],
    ['an empty batch', '[]', fail('null', -32600, 'Invalid request: empty batch')],
    [
      'a batch of no requests',
      '[1,2]',
      batch(...Array(2).fill(fail('null', -32600, 'Invalid request: not an object'))),
    ],
    ...ids.map((id) => [`the id ${id}`, chainId(id), ok(id)] as const),
    ['equal ids', batch(chainId('5'), chainId('5')), batch(ok('5'), ok('5'))],
    ['all kinds of ids in one batch', batch(...ids.map(chainId)), batch(...ids.map(ok))],
    [
      'a notification between two calls',
      batch(chainId('1'), silent, chainId('2')),
      batch(ok('1'), ok('2')),
    ],
    ['a batch of 40', batch(...Array(40).fill(chainId('1'))), batch(...Array(40).fill(ok('1')))],
    [
      'a batch of 41',
      batch(...Array(41).fill(chainId('1'))),
      fail('null', -32010, 'Batch too large: at most 40'),
    ],
    [
      'a batch of 41 notifications',
      batch(...Array(41).fill(silent)),
      fail('null', -32010, 'Batch too large: at most 40'),
    ],
    [
      'an unknown method',
      call('"id":1,"method":"eth_nope"'),
      fail('1', -32601, 'Method not found'),
    ],
    [
      'eth_blobBaseFee, which the network does not have',
      call('"id":1,"method":"eth_blobBaseFee"'),
      fail('1', -32601, 'Method not found'),
    ],
    ['a reserved name', call('"id":1,"method":"rpc.nope"'), fail('1', -32601, 'Method not found')],
    ['as many bytes as the limit allows', chainId('1').padEnd(LIMIT), ok('1')],
  ])('%s', async (_, sent, want) => {
    expect(await send(sent)).toEqual({ status: 200, text: want })
  })

  it.each([
    ['a notification', silent],
    ['of an unknown method', call('"method":"eth_nope"')],
    ['with the wrong params', call('"method":"eth_getBalance","params":[1]')],
    ['a batch of notifications', batch(silent, silent)],
  ])('nobody is answered: %s', async (_, sent) => {
    expect(await send(sent)).toEqual({ status: 204, text: '' })
  })

  it('rpc.discover is the generated document', async () => {
    const { text } = await send(call('"id":"d","method":"rpc.discover"'))
    expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 'd', result: openrpc })
  })

  it.each<readonly [title: string, params: unknown, pointer: string]>([
    ['a param is missing', [], '/0'],
    ['a param does not fit', ['0x12'], '/0'],
    ['the second param does not fit', [ADDRESS, 'soon'], '/1'],
    ['a field of a param is unknown', [ADDRESS, { blockNumber: '0x1', until: 1 }], '/1'],
    ['there is one too many', [ADDRESS, 'latest', 1], ''],
    ['they go by name', { address: ADDRESS }, ''],
  ])('wrong params are pointed at: %s', async (_, params, pointer) => {
    const { status, text } = await send(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params }),
    )
    const { error } = JSON.parse(text)
    expect({ status, code: error.code }).toEqual({ status: 200, code: -32602 })
    expect(error.message).toMatch(/^Invalid params: /)
    expect(error.data[0]).toEqual({
      pointer,
      keyword: expect.any(String),
      message: expect.any(String),
    })
  })

  it('a number that would be rounded is refused, never rounded', async () => {
    const { text } = await send(
      call(
        '"id":1,"method":"debug_traceBlockByNumber","params":["0x1",{"reexec":9007199254740993}]',
      ),
    )
    expect(JSON.parse(text).error).toMatchObject({
      code: -32602,
      data: [{ pointer: '/1/reexec', keyword: 'precision' }],
    })
  })

  it.each<
    readonly [title: string, init: RequestInit, status: number, header: readonly [string, string]]
  >([
    ['a wrong method', { method: 'GET' }, 405, ['allow', 'POST']],
    [
      'a wrong content type',
      { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' },
      415,
      ['accept', 'application/json'],
    ],
    [
      'no content type',
      { method: 'POST', body: new Uint8Array(2) },
      415,
      ['accept', 'application/json'],
    ],
    [
      'one byte over the limit',
      post(chainId('1').padEnd(LIMIT + 1)),
      413,
      ['content-type', 'application/json'],
    ],
  ])('JSON-RPC over HTTP: %s', async (_, init, status, [name, value]) => {
    const answer = await ask(`/zgt/${KEY}`, init)
    expect(answer.status).toBe(status)
    expect(answer.headers.get(name)).toBe(value)
    expect(JSON.parse(answer.text)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: expect.any(String) },
    })
  })

  const zkt = `/zkt/${KEY}`
  const status = '/gtn/v1/zkt/transaction'
  type Want = {
    readonly status: number
    readonly allow?: string
    readonly shape?: typeof zktError | typeof lookupError
  }
  const zktError = { check: validators.ZktError.check, error: { success: false } }
  const lookupError = { check: validators.StatusLookupError.check, error: {} }

  it.each<readonly [title: string, path: string, init: RequestInit, want: Want]>([
    ['an unknown path', '/zkt', post('{}'), { status: 404 }],
    ['a path with one segment more', `${zkt}/more`, post('{}'), { status: 404 }],
    ['an empty key', '/zkt/', post('{}'), { status: 404 }],
    [
      'a wrong method',
      zkt,
      { method: 'PUT', body: '{}' },
      { status: 405, allow: 'POST', shape: zktError },
    ],
    [
      'a wrong method of a lookup',
      `${status}/${QUEUE_ID}`,
      { method: 'DELETE' },
      { status: 405, allow: 'GET, HEAD', shape: lookupError },
    ],
    ['a malformed queueId', `${status}/7`, {}, { status: 400, shape: lookupError }],
    [
      'a wrong content type',
      zkt,
      post('{"arguments":"hi"}', { 'content-type': 'text/plain' }),
      { status: 415, shape: zktError },
    ],
    [
      'another charset',
      zkt,
      post('{}', { 'content-type': 'application/json; charset=utf-16' }),
      { status: 415, shape: zktError },
    ],
    [
      'one byte over the limit',
      zkt,
      post('{"arguments":"hi"}'.padEnd(LIMIT + 1)),
      { status: 413, shape: zktError },
    ],
    ['malformed JSON', zkt, post('{"arguments":'), { status: 400, shape: zktError }],
    ['no body', zkt, post(''), { status: 400, shape: zktError }],
    ['no object', zkt, post('"hi"'), { status: 400, shape: zktError }],
    ['no form', zkt, post('{}'), { status: 400, shape: zktError }],
    [
      'a message and a deployment in one',
      zkt,
      post('{"arguments":"hi","code":"contract A {}"}'),
      { status: 400, shape: zktError },
    ],
    [
      'a call and a deployment in one',
      zkt,
      post(
        `{"code":"contract A {}","abi":[],"to":"${ADDRESS}","method":"a","arguments":[],"id":1}`,
      ),
      { status: 400, shape: zktError },
    ],
    [
      'an unknown field',
      zkt,
      post(`{"arguments":"hi","${KEY}":"${KEY}"}`),
      { status: 400, shape: zktError },
    ],
    [
      'an id that would be rounded',
      zkt,
      post('{"arguments":"hi","id":9007199254740993}'),
      { status: 400, shape: zktError },
    ],
    [
      'an unknown key',
      `/zkt/${UNKNOWN_KEY}`,
      post('{"arguments":"hi"}'),
      { status: 401, shape: zktError },
    ],
    [
      'an unknown key before an unfit body',
      `/zkt/${UNKNOWN_KEY}`,
      post('{}'),
      { status: 401, shape: zktError },
    ],
  ])('HTTP: %s', async (_, path, init, { status, allow, shape }) => {
    const answer = await ask(path, init)
    const body = JSON.parse(answer.text)
    expect({ status: answer.status, body }).toEqual({
      status,
      body: expect.objectContaining({ ...shape?.error, error: expect.any(String) }),
    })
    expect(answer.headers.get('allow')).toBe(allow ?? null)
    if (shape) expect(shape.check(body)).toBe(true)
  })

  it('HTTP: the limit itself is taken', async () => {
    const { status, text } = await ask(zkt, post('{"arguments":"hi"}'.padEnd(LIMIT)))
    expect({ status, body: JSON.parse(text) }).toMatchObject({
      status: 200,
      body: { success: true },
    })
  })

  it('HTTP: HEAD is GET without a body', async () => {
    const { status: code, text } = await ask(`${status}/${QUEUE_ID}`, { method: 'HEAD' })
    expect({ code, text }).toEqual({ code: 200, text: '' })
  })

  it('an unknown key is refused by JSON-RPC too, with the status of HTTP', async () => {
    const { status, text } = await send(chainId('1'), UNKNOWN_KEY)
    expect({ status, body: JSON.parse(text) }).toMatchObject({
      status: 401,
      body: { id: 1, error: {} },
    })
  })

  it('a handler that fails is nobody’s business, but for the log', async () => {
    // The handlers of this test fail with the name of an example that they do not have.
    const { status, text } = await ask(
      zkt,
      post('{"arguments":"hi"}', { ...json, prefer: `example=${KEY}` }),
    )
    expect({ status, body: JSON.parse(text) }).toMatchObject({
      status: 500,
      body: { error: 'Internal error' },
    })
    expect(logged.join()).toMatch(/submitZkt has no example undefined \[redacted\]/)
  })
})
