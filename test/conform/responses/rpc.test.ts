import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { rpc } from './fixture-shop.js'

const call = (id = '1', method = 'count') => `{"jsonrpc":"2.0","method":"${method}","id":${id}}`
const silent = '{"jsonrpc":"2.0","method":"count"}'
const ok = (id = '1', result = '5') => `{"jsonrpc":"2.0","id":${id},"result":${result}}`
const no = (id: string, code: number | string, rest = '"message":"no"') =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},${rest}}}`
const list = (...parts: readonly string[]) => `[${parts.join()}]`
const big = '9007199254740993'

type Row = readonly [name: string, sent: string, broken: string, valid: string]

describe('an answer to JSON-RPC', () => {
  it.each<readonly [rule: string, ...Row]>([
    ['response-not-object', 'a number', call(), '5', ok()],
    ['response-without-version', 'another version', call(), ok().replace('"2.0"', '2.0'), ok()],
    ['response-without-version', 'no version', call(), '{"id":1,"result":5}', ok()],
    ['response-not-result-or-error', 'both', call(), ok('1', '5,"error":null'), ok()],
    ['response-not-result-or-error', 'neither', call(), '{"jsonrpc":"2.0","id":1}', ok()],
    ['error-not-object', 'a text', call(), '{"jsonrpc":"2.0","id":1,"error":"no"}', no('1', 7)],
    ['error-code-not-integer', 'a text as code', call(), no('1', '"7"'), no('1', 7)],
    ['error-code-not-integer', 'half a code', call(), no('1', 7.5), no('1', 7)],
    ['error-message-not-string', 'no message', call(), no('1', 7, '"data":1'), no('1', 7)],
    ['error-code-is-undeclared', 'code 8', call(), no('1', 8), no('1', -32050)],
    ['response-member-undeclared', 'a member', call(), ok('1', '5,"took":1'), ok()],
    ['result-invalid', 'a text as result', call(), ok('1', '"5"'), ok('1', '-5')],
    ['response-without-id', 'no id', call(), '{"jsonrpc":"2.0","result":5}', ok()],
    ['response-without-id', 'an id that is none', call('{}'), no('{}', -32600), no('null', -32600)],
    ['id-is-not-echoed', 'a text for a number', call(), ok('"1"'), ok('1.0')],
    ['id-is-not-echoed', 'a number for a text', call('"1"'), ok('1'), ok('"\\u0031"')],
    ['id-is-not-echoed', 'null for 0', call('0'), ok('null'), ok('0')],
    ['id-is-not-echoed', 'null with a result', call(), ok('null'), no('null', -32600)],
    ['id-is-not-echoed', 'null with an error of the call', call(), no('null', 7), no('1', 7)],
    ['long-id-is-not-echoed', 'digits lost', call(big), ok('9007199254740992'), ok(big)],
    ['parse-error-has-an-id', 'an id', '{"id":1', no('1', -32700), no('null', -32700)],
    ['call-not-answered', 'nothing at all', call(), '', ok()],
    ['notification-answered', 'null', silent, 'null', ''],
    ['notification-answered', 'an error', silent, no('null', -32600), ' \n'],
    ['call-answered-by-array', 'an array', call(), list(ok()), ok()],
    ['response-not-json', 'half a text', call(), ok().slice(0, -1), ok()],
  ])('%s: %s', (rule, _, sent, broken, valid) => {
    expect(rpc(sent, { body: broken }).rules).toEqual([rule])
    expect(rpc(sent, { body: valid }).rules).toEqual([])
  })

  const two = list(call('1'), call('2'))
  it.each<readonly [rule: string, ...Row]>([
    ['call-not-answered', 'one left out', two, list(ok('1')), list(ok('2'), ok('1'))],
    ['call-not-answered', 'an empty body', two, '', list(ok('1'), ok('2'))],
    [
      'response-id-unknown',
      'a third',
      two,
      list(ok('1'), ok('2'), ok('3')),
      list(ok('1'), ok('2')),
    ],
    [
      'response-id-unknown',
      'one twice',
      two,
      list(ok('1'), ok('2'), ok('2')),
      list(ok('1'), ok('2')),
    ],
    [
      'id-is-not-echoed',
      'types mixed up',
      list(call('1'), call('"1"')),
      list(ok('1'), ok('1')),
      list(ok('"1"'), ok('1')),
    ],
    [
      'notification-answered',
      'within a batch',
      list(call(), silent),
      list(ok(), no('null', -32602)),
      list(ok()),
    ],
    ['notification-answered', 'an empty array', list(silent, silent), '[]', ''],
    ['batch-not-answered', 'an empty array', two, '[]', list(ok('1'), ok('2'))],
    [
      'batch-answered-by-object',
      'for one that is invalid',
      list(call(), '1'),
      no('null', -32600),
      list(ok(), no('null', -32600)),
    ],
    [
      'batch-answered-by-object',
      'for one that refuses',
      two,
      no('null', -32602),
      no('null', -32005),
    ],
    [
      'call-not-answered',
      'what is no request',
      list('1', '2'),
      list(no('null', -32600)),
      list(no('null', -32600), no('null', -32600)),
    ],
  ])('%s: %s', (rule, _, sent, broken, valid) => {
    expect(rpc(sent, { body: broken }).rules).toEqual([rule])
    expect(rpc(sent, { body: valid }).rules).toEqual([])
  })

  it('may refuse a batch as a whole that is empty or too large, in an object or an array of one', () => {
    const four = list(...['1', '2', '3', '4'].map((id) => call(id)))
    for (const sent of ['[]', four, list(silent, silent, silent, silent)]) {
      expect(rpc(sent, { body: no('null', -32600) }).rules).toEqual([])
    }
    expect(rpc(four, { body: list(no('1', -32600)) }).rules).toEqual([])
  })

  it('may answer calls that share an id once or twice, and either id of two', () => {
    const twins = list(call(), call())
    expect(rpc(twins, { body: list(ok(), ok()) }).rules).toEqual([])
    expect(rpc(twins, { body: list(ok()) }).rules).toEqual([])
    const twice = '{"jsonrpc":"2.0","method":"count","id":1,"id":2}'
    expect(rpc(twice, { body: ok('1') }).rules).toEqual([])
    expect(rpc(twice, { body: ok('3') }).rules).toEqual(['id-is-not-echoed'])
  })

  it.each([
    ['{"a":[1', ', which ends after 7 characters in the middle of a value'],
    [' {"a":"]}', ', which ends after 9 characters in the middle of a value'],
    ['{"a":1,}', ''],
    ['<p>', ''],
  ])('says of %s that it is not valid JSON, and where it is cut off', (body, end) => {
    const [first] = rpc(call(), { body }).complaints
    expect(first?.message).toBe(`the body is not valid JSON: ${body}${end}`)
  })

  it('is typed as JSON, in UTF-8, and may be compressed', () => {
    const type = (value: string) => rpc(call(), { body: ok(), headers: { 'content-type': value } })
    expect(type('text/plain').rules).toEqual(['response-media-type-not-json'])
    expect(type('').rules).toEqual(['response-media-type-not-json'])
    expect(type('Application/JSON; charset=utf-8').rules).toEqual([])
    const broken = Uint8Array.of(
      ...Buffer.from('{"jsonrpc":"2.0","id":1,"result":"'),
      0xff,
      0x22,
      0x7d,
    )
    expect(rpc(call(), { body: broken }).rules).toEqual(['response-not-json'])
    const headers = { 'content-encoding': 'gzip' }
    expect(rpc(call(), { body: gzipSync(ok()), headers }).rules).toEqual([])
    expect(rpc(call(), { body: ok(), headers }).rules).toEqual(['response-not-json'])
  })

  it('fails with a status only where it is no JSON-RPC, and a gateway refuses as it likes', () => {
    const text = { headers: { 'content-type': 'text/plain' }, body: 'oops' }
    expect(rpc(call(), { status: 502, ...text }).rules).toEqual(['server-fails'])
    expect(rpc(call(), { status: 500, body: no('1', -32603) }).rules).toEqual(['method-fails'])
    expect(rpc(call(), { status: 415, ...text }).rules).toEqual([])
    expect(rpc(call(), { status: 401, body: '{"error":"who?"}' }).rules).toEqual([])
    expect(rpc(call(), { status: 429, body: no('null', -32005) }).rules).toEqual([])
    expect(rpc(call(), { status: 302, body: '' }).rules).toEqual(['response-not-json'])
    const page = { headers: { 'content-type': 'text/html' }, body: '<html>' }
    expect(rpc(call(), { status: 413, ...page }).rules).toEqual(['html-instead-of-json'])
  })

  it('may nest as deep as it likes without ending a run', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    expect(rpc(call(), { body: ok('1', deep) }).rules).toEqual(['result-invalid'])
    expect(rpc(call(), { body: ok().replace('"2.0"', deep) }).rules).toEqual([
      'response-without-version',
    ])
    expect(rpc(call(), { body: `{"jsonrpc":"2.0","id":1,"error":${deep}}` }).rules).toEqual([
      'error-not-object',
    ])
  })

  it('comes whole and in time, but for a body that is too large to be read', () => {
    expect(rpc(call(), 'late: 10 seconds').rules).toEqual(['response-late'])
    expect(rpc(call(), 'ended by the run').rules).toEqual([])
    const closed = 'the connection was closed before an answer'
    expect(rpc(call(), closed).rules).toEqual(['response-truncated'])
    expect(rpc(' '.repeat(1_001), closed).rules).toEqual([])
  })

  it('may have more than is declared, which is reported as a note of its place', () => {
    const body = ok('1', '{"left":[{"item":"x","shelf":{"a":1}},{"item":"y"}],"took":1}')
    const { complaints, covered } = rpc(call('1', 'stock'), { body })
    expect(complaints.map(({ rule, aspect }) => [rule, aspect])).toEqual([
      ['response-property-undeclared', '/result/took'],
      ['response-property-undeclared', '/result/left/*/shelf'],
    ])
    expect(covered).toEqual(['operation stock'])
  })

  it('covers the method of a valid response, and a method that says so is not offered', () => {
    expect(rpc(call(), { body: ok() }).covered).toEqual(['operation count'])
    expect(rpc(call(), { body: ok('1', '"5"') }).covered).toEqual([])
    expect(rpc(call(), { body: no('1', 7) }).covered).toEqual(['error code count 7'])
    const missing = rpc(call(), { body: no('1', -32601) })
    expect([missing.rules, missing.absent]).toEqual([[], ['count']])
  })
})
