import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadApi } from '../../../src/read/load.js'
import { endpointOf } from '../../../src/service/gateway/endpoints.js'
import { listWords } from '../../../src/service/usage/listed-words.js'
import {
  maskExchange,
  maskNumber,
  maskText,
  type SeenExchange,
} from '../../../src/service/usage/mask.js'
import { temporaryFolder, usageOf } from './spec-usage.js'

const documents = ['http.openapi.json', 'rpc.openrpc.json'].map((name) =>
  JSON.parse(readFileSync(`generated/${name}`, 'utf8')),
)
const words = listWords(documents)
const secret = randomBytes(32)
const options = { words, secret, day: '2026-11-26' }

const seen = (url: string, given: Partial<SeenExchange> & { readonly json?: unknown } = {}) => {
  const { json, ...rest } = given
  const endpoint = endpointOf(url)
  return {
    ...{ method: 'POST', url, route: endpoint?.route ?? '', isRpc: endpoint?.name === 'rpc' },
    ...{ contentType: 'application/json', userAgent: undefined, clientPackage: undefined },
    body: json === undefined ? undefined : new TextEncoder().encode(JSON.stringify(json)),
    ...{ status: 200, replyType: 'application/json', reply: undefined },
    ...rest,
  } satisfies SeenExchange
}

const line = (exchange: SeenExchange) => JSON.stringify(maskExchange(exchange, options))

/** The exchange as it would be recorded with its values, and with the same headers. */
const plain = ({ method, url, body, status, reply }: SeenExchange) => {
  const headers = { 'content-type': 'application/json' }
  const sent = body === undefined ? '' : `,"body":${new TextDecoder().decode(body)}`
  const got = reply === undefined ? '' : `,"body":${reply}`
  const request = `{"method":"${method}","url":"http://a.example${url}","headers":${JSON.stringify(headers)}${sent}}`
  return `{"time":"2026-11-26T11:22:33Z","request":${request},"response":{"status":${status},"headers":${JSON.stringify(headers)},"omitted":["headers"]${got}}}`
}

/** Every example of the documents, as a request with its response. */
const examples = async (): Promise<readonly SeenExchange[]> => {
  const api = await loadApi({ openapi: 'spec/openapi.yaml', openrpc: 'spec/openrpc.yaml' })
  return api.operations.flatMap((operation) => {
    if (operation.kind === 'rpc')
      return operation.examples.map(({ params, outcome }, index) => {
        const call = { jsonrpc: '2.0', id: `caller-${index}`, method: operation.method, params }
        const end =
          outcome.kind === 'result' ? { result: outcome.value } : { error: { code: -32000 } }
        const reply = JSON.stringify({ jsonrpc: '2.0', id: `caller-${index}`, ...end })
        return seen('/zgt/my-key-4711', { json: call, reply })
      })
    const url = operation.path.replace('{apiKey}', 'my-key-4711').replace('{queueId}', QUEUE_ID)
    const bodies = operation.body?.content.flatMap((media) => media.examples) ?? []
    const sent = bodies.length > 0 ? bodies.map(({ value }) => value) : [undefined]
    const replies = operation.responses.flatMap(({ status, content }) =>
      content.flatMap((media) => media.examples.map(({ value }) => ({ status, value }))),
    )
    return sent.flatMap((json) =>
      replies.map(({ status, value }) =>
        seen(url, {
          method: operation.method,
          json,
          status: /^\d+$/.test(status) ? Number(status) : 500,
          reply: JSON.stringify(value),
        }),
      ),
    )
  })
}

const QUEUE_ID = '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942'

describe('a record of usage', () => {
  it('counts as the request and the response themselves, for every example of the documents', async () => {
    const all = await examples()
    expect(all.length).toBeGreaterThan(100)
    const folder = temporaryFolder()
    const files = { own: join(folder, 'own.ndjson'), masked: join(folder, 'masked.ndjson') }
    writeFileSync(files.own, all.map(plain).join('\n'))
    writeFileSync(files.masked, all.map(line).join('\n'))
    const [own, masked] = [await usageOf(files.own), await usageOf(files.masked)]
    expect(masked.requests).toBe(all.length)
    // Each consumer has another id, as the key of one is the HMAC of that of the other.
    expect(Object.values(masked.consumers)).toEqual(Object.values(own.consumers))
    expect(masked.shapes).toEqual(own.shapes)
  })

  it('has no value, no name that the documents lack, and no key', () => {
    const call = {
      ...{ jsonrpc: '2.0', id: 'id-of-mine', method: 'eth_call' },
      params: [
        { to: `0x${'ab'.repeat(20)}`, data: '0xdeadbeef', 'name-of-mine': 'value-of-mine' },
        'latest',
        { [`0x${'cd'.repeat(20)}`]: { balance: '0x77777' } },
      ],
    }
    const reply = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 'id-of-mine' },
      error: { code: 3, message: 'reverted: words of mine', data: '0xbeef' },
    })
    const text = line(
      seen('/zgt/key-of-mine?token=query-of-mine', {
        json: [call, { method: 'method-of-mine', params: { a: 'param-of-mine' } }],
        ...{ reply, userAgent: 'curl/8 (ann@example.org; 1)', clientPackage: '@acme/orders/1.4.2' },
      }),
    )
    // The identifier of the consumer is random, so it may contain any hexadecimal digits.
    const said = text.replace(/\/zgt\/[\da-f]{32}/, '')
    for (const hidden of [/of-mine/, /of mine/, /abab/, /cdcd/, /dead|beef/, /777/, /ann|example/])
      expect(said).not.toMatch(hidden)
    const record = JSON.parse(text)
    expect(record.time).toBe('2026-11-26')
    expect(record.request.headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'curl/8',
      'x-client-package': '@acme/orders/1.4.2',
    })
    expect(record.request.url).toMatch(/^http:\/\/service\.invalid\/zgt\/[\da-f]{32}\?~0=x+$/)
    const [sent, unknown] = record.request.body
    expect(sent).toMatchObject({ id: 1, method: 'eth_call' })
    expect(sent.params[0]).toEqual({
      to: `0x1${'0'.repeat(39)}`,
      data: '0x10000000',
      '~2': 'x'.repeat(13),
    })
    expect(sent.params[1]).toBe('latest')
    expect(sent.params[2]).toEqual({ '~0': { balance: '0x10000' } })
    expect(unknown).toEqual({ jsonrpc: '2.0', method: '~', params: { '~0': 'x'.repeat(13) } })
    expect(record.response.body).toMatchObject({ id: 1, error: { code: 3, data: '0x1000' } })
  })

  it('has the same HMAC for the same key by the same secret alone, and none for callers without a key', () => {
    const path = (text: string) => JSON.parse(text).request.url.split('/').at(-1)
    const one = path(line(seen('/zgt/key-of-mine')))
    expect(path(line(seen('/zkt/key-of-mine')))).toBe(one)
    const other = { ...options, secret: randomBytes(32) }
    const again = JSON.stringify(maskExchange(seen('/zgt/key-of-mine'), other))
    expect(path(again)).not.toBe(one)
    expect(path(line(seen('/zgt/try-it-out')))).toBe('try-it-out')
  })

  it.each([
    ['no JSON', '{"arguments":'],
    ['a text', '"hello"'],
    ['hostile names', '{"__proto__":{"a":1},"constructor":"c","toString":"t"}'],
    ['a batch of nothing', '[]'],
    ['members that are no calls', '[1,null,"a",[],{"method":5,"params":7,"id":{"a":1}}]'],
  ])('is made of %s', (_, text) => {
    for (const url of ['/zgt/k-4711', '/zkt/k-4711']) {
      const made = line(seen(url, { body: new TextEncoder().encode(text), reply: text }))
      expect(JSON.parse(made).request.url).toContain('service.invalid')
      expect(made).not.toMatch(/hello|__proto__|constructor|toString|4711/)
    }
  })
})

describe('a value', () => {
  it.each([
    ['', ''],
    ['hello 😀', 'xxxxxxx'],
    ['0x', '0x'],
    ['0x0', '0x0'],
    ['0xFF', '0x10'],
    ['-42', '-10'],
    ['007', '001'],
    ['0.25', '0.10'],
    ['1.00', '1.00'],
    ['12.50e7', '10.10e7'],
    [QUEUE_ID, '10000000-1000-4000-8000-100000000000'],
  ])('of text: %j', (text, masked) => {
    expect(maskText(text)).toBe(masked)
  })

  it.each([
    ['function add(uint256 amount)', `function ${'x'.repeat(19)}`],
    ['functional', 'x'.repeat(10)],
    ['constructor(uint256)', `constructor(${'x'.repeat(8)}`],
    ['A-1234', 'xxxxxx'],
  ])('of text keeps the words that its pattern asks for: %j', (text, masked) => {
    const patterns = ['^(function\\s+[a-z]|constructor\\()', '^[A-Z]-\\d{4}$']
    expect(maskText(text, patterns)).toBe(masked)
  })

  it.each([
    [0, 0],
    [7, 1],
    [-42, -10],
    [0.7, 0.5],
    [-1234.5, -1000.5],
    [20180427, 10000000],
  ])('that is a number: %j', (value, masked) => {
    expect(maskNumber(value)).toBe(masked)
  })
})
