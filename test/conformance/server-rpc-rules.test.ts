import { describe, expect, it } from 'vitest'
import openrpc from '../../generated/rpc.openrpc.json' with { type: 'json' }
import { adapters, askInRawText, json, KEY, LIMIT, post, UNKNOWN_KEY } from './raw-text.js'

const ADDRESS = '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1'

const call = (rest: string) => `{"jsonrpc":"2.0",${rest}}`
const chainId = (id: string) => call(`"id":${id},"method":"eth_chainId"`)
const silent = call('"method":"eth_chainId"')
const ok = (id: string) => `{"jsonrpc":"2.0","id":${id},"result":"0x133edcb"}`
const fail = (id: string, code: number, message: string) =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`
const batch = (...members: readonly string[]) => `[${members.join()}]`

describe.each(adapters)('JSON-RPC by the letter, the generated server on %s', (_, start) => {
  const { ask } = askInRawText(start)
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
      batch(...Array(41).fill(fail('1', -32010, 'Batch too large: at most 40'))),
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
  ])('over HTTP: %s', async (_, init, status, [name, value]) => {
    const answer = await ask(`/zgt/${KEY}`, init)
    expect(answer.status).toBe(status)
    expect(answer.headers.get(name)).toBe(value)
    expect(JSON.parse(answer.text)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: expect.any(String) },
    })
  })

  it('an unknown key is refused, with the status of HTTP too', async () => {
    const { status, text } = await send(chainId('1'), UNKNOWN_KEY)
    expect({ status, body: JSON.parse(text) }).toMatchObject({
      status: 401,
      body: { id: 1, error: {} },
    })
  })
})
