import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { redactor } from '../../src/runtime/shared/redact.js'
import { redactCause, redactValue } from '../../src/runtime/shared/redact-value.js'
import { chooseServer, fillServer } from '../../src/runtime/shared/server-url.js'

describe('redactor', () => {
  const cases: readonly (readonly [secret: string, text: string, want: string])[] = [
    ['key', 'a key and a key', 'a [redacted] and a [redacted]'],
    ['k/e y', '/zkt/k%2Fe%20y k%2fe%20y k%2Fe+y', '/zkt/[redacted] [redacted] [redacted]'],
    ['user:pass', 'Basic dXNlcjpwYXNz', 'Basic [redacted]'],
    ['a"b', '{"key":"a\\"b"}', '{"key":"[redacted]"}'],
    ['$&.*', 'costs $&.*', 'costs [redacted]'],
    ["it's!", 'it%27s%21', '[redacted]'],
    ['schlüssel', 'schl%C3%BCssel c2NobMO8c3NlbA', '[redacted] [redacted]'],
    ['', 'nothing to hide', 'nothing to hide'],
    ['\ud800', 'half a pair', 'half a pair'],
  ]
  it.each(cases)('blots out %j', (secret, text, want) => {
    expect(redactor([secret])(text)).toBe(want)
  })

  it('takes the longest of two that overlap', () => {
    expect(redactor(['abc', 'abcdef'])('abcdef abc')).toBe('[redacted] [redacted]')
  })
})

describe('redactValue', () => {
  const redact = redactor(['key'])
  it('reaches every depth, and names too', () => {
    expect(redactValue({ a: ['the key', { key: 1 }], b: 2 }, redact)).toEqual({
      a: ['the [redacted]', { '[redacted]': 1 }],
      b: 2,
    })
  })
  it('returns what holds none as it came', () => {
    const value = { a: [1, { b: 'c' }] }
    expect(redactValue(value, redact)).toBe(value)
  })
})

describe('redactCause', () => {
  it('keeps an error without secrets', () => {
    const error = new Error('out', { cause: new Error('in') })
    expect(redactCause(error, redactor(['key']))).toBe(error)
  })
  it('copies one that holds them, down its causes', () => {
    const inner = Object.assign(new TypeError('Invalid URL'), { input: 'http://h/key' })
    const clean = redactCause(new Error('outer', { cause: inner }), redactor(['key']))
    expect(inspect(clean)).not.toContain('key')
    expect(clean).toMatchObject({
      message: 'outer',
      cause: { name: 'TypeError', input: 'http://h/[redacted]' },
    })
  })
})

describe('chooseServer and fillServer', () => {
  const servers = [
    {
      name: 'testnet',
      url: 'https://{host}/zgt/{apiKey}',
      variables: {
        host: { default: 'rpc.test' },
        apiKey: { default: 'try-it-out', secret: true },
      },
    },
    {
      name: 'mainnet',
      url: 'https://{region}.main',
      variables: { region: { default: 'eu', enum: ['eu', 'us'] } },
    },
  ]
  const cases: readonly (readonly [
    choice: string | undefined,
    variables: Record<string, string>,
    secrets: Record<string, string>,
    want: string,
  ])[] = [
    [undefined, {}, {}, 'https://rpc.test/zgt/try-it-out'],
    ['testnet', { host: 'h:80' }, { apiKey: 'a/b' }, 'https://h:80/zgt/a%2Fb'],
    ['mainnet', { region: 'us' }, {}, 'https://us.main'],
    ['http://127.0.0.1:1/', {}, {}, 'http://127.0.0.1:1'],
    ['http://h/zgt/{apiKey}', {}, { apiKey: 'k' }, 'http://h/zgt/k'],
    ['http://h/zgt/{apiKey}', {}, {}, 'http://h/zgt/try-it-out'],
    ['http://h/{token}', {}, { token: 't' }, 'http://h/t'],
  ]
  it.each(cases)('%s with %j', (choice, variables, secrets, want) => {
    expect(fillServer(chooseServer(servers, choice), variables, secrets)).toBe(want)
  })

  const wrong: readonly (readonly [
    choice: string,
    variables: Record<string, string>,
    want: string,
  ])[] = [
    ['tesnet', {}, "no server is named 'tesnet': give a URL or one of 'testnet', 'mainnet'"],
    ['h/zgt/key', {}, "no server is named as given: give a URL or one of 'testnet', 'mainnet'"],
    ['mainnet', { region: 'mars' }, "server variable 'region' must be one of 'eu', 'us'"],
    ['http://h/{token}', {}, "the server URL needs a value for 'token'"],
    ['/api', {}, "server 'as given' is relative to its document: give a URL"],
    [
      'http://',
      {},
      "server 'as given' is no http:// or https:// URL: choose another, or give a URL",
    ],
  ]
  it('names each server once, and none where there is none', () => {
    const many = ['server1', 'server1', 'local'].map((name) => ({ name, url: '/', variables: {} }))
    const without = "no server is named 'moon': give a URL"
    expect(() => chooseServer([], 'moon')).toThrow(new TypeError(without))
    expect(() => chooseServer(many, 'moon')).toThrow(
      new TypeError(`${without} or one of 'server1', 'local'`),
    )
  })

  it.each(wrong)('refuses %s with %j', (choice, variables, want) => {
    expect(() => fillServer(chooseServer(servers, choice), variables)).toThrow(new TypeError(want))
  })
})
