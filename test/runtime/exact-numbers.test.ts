import type { ClientOptions, Warning } from 'twinspec/runtime/http'
import { createHttp } from 'twinspec/runtime/http'
import { createRpc } from 'twinspec/runtime/rpc'
import { createServerCore } from 'twinspec/runtime/server'
import { validator } from 'twinspec/runtime/validate'
import { describe, expect, it } from 'vitest'
import type { BigintPlaces } from '../../src/runtime/operation.js'
import { cpuClock } from '../cpu-time.js'
import { contentOf, declaredResponses } from './declared.js'

const open = { check: () => true, open: () => true }

const TEXT = '{"balance":12345678901234567890,"text":"12345678901234567890","n":9007199254740991}'
const EXACT = { balance: 12345678901234567890n, text: '12345678901234567890', n: 2 ** 53 - 1 }
const ROUNDED = { ...EXACT, balance: 12345678901234567000 }
const ISSUES = [{ pointer: '/balance', keyword: 'precision' }]

type Options = ClientOptions

type RpcClient = {
  readonly batch: <T>(collect: (batch: RpcClient) => T) => Promise<Awaited<T>>
  readonly get: () => Promise<unknown>
}

/** A client that gets the response; the integers at `result` are bigints. */
const rpcClient = (response: string, options: Options, result?: BigintPlaces) => {
  const operation = {
    kind: 'rpc',
    id: 'get',
    method: 'get',
    params: [],
    errors: [],
    paramStructure: 'by-position',
    ...(result && { bigints: { result } }),
  } as const
  return createRpc<RpcClient>(
    { servers: [], path: '', operations: { get: operation } },
    { get: { params: open, result: open } },
    { server: 'http://127.0.0.1:1', fetch: async () => new Response(response), ...options },
  )
}

const both = (client: RpcClient) =>
  client.batch((batch) => Promise.allSettled([batch.get(), batch.get()]))

/** Reads a JSON text as the result of the first of two calls, or as the body of a response. */
const rpc = async (result: string, options: Options, places?: BigintPlaces) => {
  const response = `[{"jsonrpc":"2.0","id":1,"result":${result}},{"jsonrpc":"2.0","id":2,"result":7}]`
  const [first, second] = await both(rpcClient(response, options, places))
  expect(second).toMatchObject({ value: places?.isBigint ? 7n : 7 })
  if (first.status === 'rejected') throw first.reason
  return first.value
}

const http = (body: string, options: Options, places?: BigintPlaces, status = 200) => {
  type Client = { readonly get: () => Promise<unknown> }
  const operation = {
    kind: 'http',
    id: 'get',
    method: 'GET',
    path: '/',
    servers: [],
    parameters: [],
    responses: declaredResponses({ 200: ['application/json'], 400: ['application/json'] }),
    security: [],
    schemes: {},
    ...(places && { bigints: { responses: { 200: places, 400: places } } }),
  } as const
  const service = { servers: [], limits: {}, operations: { get: operation } }
  return createHttp<Client>(
    service,
    { get: { responses: { 200: open } } },
    {
      server: 'http://127.0.0.1:1',
      fetch: async () =>
        new Response(body, { status, headers: { 'content-type': 'application/json' } }),
      ...options,
    },
  ).get()
}

/** A text, the value that JSON.parse makes of it, and the place of the number that is rounded. */
const NOT_EXACT: readonly (readonly [text: string, value: unknown, pointer: string])[] = [
  ['9007199254740993', 9007199254740992, ''],
  ['[1,-9007199254740993]', [1, -9007199254740992], '/1'],
  ['100000000000000000000000', 1e23, ''],
  ['{"a":{"b/c":18446744073709551615}}', { a: { 'b/c': 18446744073709552000 } }, '/a/b~1c'],
  ['{"n":18446744073709551615.0}', { n: 18446744073709552000 }, '/n'],
  ['{"n":1.8446744073709551615E19}', { n: 18446744073709552000 }, '/n'],
  ['{"n":0.1000000000000000055}', { n: 0.1 }, '/n'],
  ['1e400', Infinity, ''],
  ['[-1E+400]', [-Infinity], '/0'],
  ['{"n": 123456789e308}', { n: Infinity }, '/n'],
  ['{"n":1e-400}', { n: 0 }, '/n'],
  [`[${'9'.repeat(400)}]`, [Infinity], '/0'],
  [`0.${'3'.repeat(400)}`, 1 / 3, ''],
  ['{"\\"n\\\\":9007199254740993}', { '"n\\': 9007199254740992 }, '/"n\\'],
  ['{"a":[9007199254740993],"a":9007199254740995}', { a: 9007199254740996 }, '/a'],
  ['{"__proto__":9007199254740993}', JSON.parse('{"__proto__":9007199254740993}'), '/__proto__'],
]

const EXACT_TEXTS = [
  '["18446744073709551615", ", 18446744073709551615", "\\", 1e400, \\"", 1.5]',
  '[9007199254740991,9007199254740992,10000000000000000000,1e21,1.0,-0,0.1,2.5e-7]',
  '[0.30000000000000004,1.7976931348623157e308,5e-324,-122.41941550000001]',
  '{"1e400":0,"9007199254740993":1}',
]

describe.each(Object.entries({ http, rpc }))('numbers that a double rounds, over %s', (_, read) => {
  it.each(NOT_EXACT)('%s is reported', async (text, value, pointer) => {
    const warnings: unknown[] = []
    const onWarning = (warning: unknown) => warnings.push(warning)
    for (const response of ['tolerant', 'off'] as const)
      expect(await read(text, { onWarning, validate: { response } })).toEqual(value)
    const issues = [{ pointer, keyword: 'precision' }]
    expect(warnings).toMatchObject([{ issues }, { issues }])
    expect(await read(text, {})).toEqual(value)
    await expect(read(text, { validate: { response: 'strict' } })).rejects.toMatchObject({
      reason: 'invalid-answer',
      issues,
    })
  })

  it.each(EXACT_TEXTS)('%s is exact', async (text) => {
    const onWarning = () => expect.unreachable()
    const validate = { response: 'strict' } as const
    expect(await read(text, { onWarning, validate })).toEqual(JSON.parse(text))
  })

  it('are listed up to twenty', async () => {
    const warnings: Warning[] = []
    const onWarning = (warning: Warning) => warnings.push(warning)
    await read(`[${'1e400,'.repeat(1_000)}1]`, { onWarning })
    expect(warnings.map(({ issues }) => issues.length)).toEqual([20])
  })

  it('are bigints on request', async () => {
    expect(await read(TEXT, { integers: 'bigint' })).toEqual(EXACT)
    expect(await read('-9007199254740993', { integers: 'bigint' })).toBe(-9007199254740993n)
    expect(await read('[1, 1.5, 1e400]', { integers: 'bigint' })).toEqual([1, 1.5, Infinity])
    const many = Array.from({ length: 50 }, (_, index) => 2n ** 64n + BigInt(index))
    expect(await read(`[${many}]`, { integers: 'bigint' })).toEqual(many)
    const proto = await read('{"__proto__":9007199254740993,"a":1}', { integers: 'bigint' })
    expect(Object.entries(Object(proto))).toEqual([
      ['__proto__', 9007199254740993n],
      ['a', 1],
    ])
  })

  it('are bigints of at most 4,300 digits', async () => {
    const digits = '9'.repeat(4_300)
    expect(await read(`[-${digits}]`, { integers: 'bigint' })).toEqual([-BigInt(digits)])
    for (const response of ['tolerant', 'strict', 'off'] as const)
      await expect(
        read(`[${digits}9]`, { integers: 'bigint', validate: { response } }),
      ).rejects.toMatchObject({
        reason: 'invalid-answer',
        issues: [{ pointer: '/0', keyword: 'precision' }],
      })
  })

  it('in deeply nested values are reported', async () => {
    const text = `${'['.repeat(50_000)}9007199254740993${']'.repeat(50_000)}`
    const warnings: unknown[] = []
    await read(text, { onWarning: (warning: unknown) => warnings.push(warning) })
    expect(warnings).toHaveLength(1)
    await expect(read(text, { integers: 'bigint' })).rejects.toMatchObject({
      reason: 'invalid-answer',
    })
  })

  const M = 300_000
  it.each([
    ['an integer', '9'.repeat(10 * M)],
    ['zeros', `1${'0'.repeat(10 * M)}`],
    ['a fraction', `0.${'1'.repeat(10 * M)}`],
    ['an exponent', `1e-${'9'.repeat(10 * M)}`],
    ['many exponents', `[${'1e400,'.repeat(M)}1]`],
    ['many integers', `[${'18446744073709551615,'.repeat(M / 5)}1]`],
    ['many of 4,300 digits', `[${`${'9'.repeat(4_300)},`.repeat(1_000)}1]`],
    ['a string of numbers', `["${', 18446744073709551615'.repeat(M / 5)}",1e400]`],
    ['quotes', `["${'\\"'.repeat(M)}",1e400]`],
  ])('%s of megabytes: the time is linear', async (_, text) => {
    // Seconds on a busy machine; BigInt alone takes 8 for the first.
    const most = 5_000
    for (const integers of ['number', 'bigint'] as const) {
      const used = cpuClock()
      await read(text, { integers, onWarning: () => undefined }).catch(() => undefined)
      expect(used()).toBeLessThan(most)
    }
  })

  it('are reported where they are rounded', async () => {
    const warnings: unknown[] = []
    const onWarning = (warning: unknown) => warnings.push(warning)
    expect(await read(TEXT, { onWarning })).toEqual(ROUNDED)
    expect(warnings).toMatchObject([{ operation: 'get', issues: ISSUES }])
    expect(await read('10000000000000000000', { onWarning })).toBe(1e19)
    expect(warnings).toHaveLength(1)
  })

  it('are reported where they exceed every number', async () => {
    const warnings: unknown[] = []
    const onWarning = (warning: unknown) => warnings.push(warning)
    const digits = '9'.repeat(400)
    expect(await read(`{"balance":${digits}}`, { onWarning })).toEqual({ balance: Infinity })
    expect(warnings).toMatchObject([{ operation: 'get', issues: ISSUES }])
    expect(await read(digits, { integers: 'bigint' })).toBe(BigInt(digits))
  })

  it('reject the call by the strict reading', async () => {
    await expect(read(TEXT, { validate: { response: 'strict' } })).rejects.toMatchObject({
      reason: 'invalid-answer',
      issues: ISSUES,
    })
  })
})

describe.each(Object.entries({ http, rpc }))('bigints of the document, over %s', (_, read) => {
  const BIG = { isBigint: true } as const

  it.each<readonly [string, bigint]>([
    ['1', 1n],
    ['-0', 0n],
    ['9007199254740993', 9007199254740993n],
    ['100000000000000000000000', 10n ** 23n],
    ['1e23', 10n ** 23n],
    ['1E+400', 10n ** 400n],
    ['18446744073709551615.0', 2n ** 64n - 1n],
    ['1.8446744073709551615e19', 2n ** 64n - 1n],
    ['-184467440737095516150e-1', 1n - 2n ** 64n],
  ])('%s has all digits', async (text, value) => {
    const onWarning = () => expect.unreachable()
    expect(await read(text, { onWarning }, BIG)).toBe(value)
    const places = { properties: { a: { others: BIG } } }
    const many = Array.from({ length: 30 }, () => value)
    const body = `{"a":[${many.map(() => text)}],"b":1.5}`
    expect(await read(body, { onWarning }, places)).toEqual({ a: many, b: 1.5 })
  })

  it.each(['9'.repeat(4_301), '1e4300', '1e99999999999999999999999', `1${'0'.repeat(3_000_000)}`])(
    'too many digits reject the call',
    async (text) => {
      const call = read(`[${text}]`, { validate: { response: 'off' } }, { others: BIG })
      const issues = [{ pointer: '/0', keyword: 'precision' }]
      await expect(call).rejects.toMatchObject({ reason: 'invalid-answer', issues })
    },
  )

  it('do not hide other numbers that are rounded', async () => {
    const warnings: unknown[] = []
    const onWarning = (warning: unknown) => warnings.push(warning)
    const text = '{"a":9007199254740993,"b":9007199254740993,"c":1e400}'
    const value = { a: 9007199254740993n, b: 9007199254740992, c: Infinity }
    expect(await read(text, { onWarning }, { properties: { a: BIG } })).toEqual(value)
    expect(warnings).toMatchObject([{ issues: [{ pointer: '/b' }, { pointer: '/c' }] }])
  })
})

describe('responses with errors', () => {
  const DATA = '{"a":18446744073709551615}'
  const FAILED = `{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"no","data":${DATA}}}`

  it('report rounded numbers as issues of an HttpError', async () => {
    const issues = [{ pointer: '/a', keyword: 'precision' }]
    for (const response of ['tolerant', 'strict'] as const)
      await expect(http(DATA, { validate: { response } }, undefined, 400)).rejects.toMatchObject({
        status: 400,
        body: { a: 18446744073709552000 },
        issues,
      })
    const exact = http(DATA, { integers: 'bigint' }, undefined, 400)
    await expect(exact).rejects.toMatchObject({ body: { a: 2n ** 64n - 1n }, issues: [] })
  })

  it('report rounded numbers of an RpcError to onWarning', async () => {
    const warnings: unknown[] = []
    const onWarning = (warning: unknown) => warnings.push(warning)
    const rounded = { code: 3, data: { a: 18446744073709552000 } }
    await expect(rpcClient(FAILED, { onWarning }).get()).rejects.toMatchObject(rounded)
    expect(warnings).toMatchObject([{ operation: 'get', issues: [{ pointer: '/a' }] }])
    const exact = rpcClient(FAILED, { integers: 'bigint' }).get()
    await expect(exact).rejects.toMatchObject({ code: 3, data: { a: 2n ** 64n - 1n } })
    const failing = rpcClient(FAILED, {
      onWarning: () => {
        throw new Error('from onWarning')
      },
    })
    await expect(failing.get()).rejects.toThrow('from onWarning')
  })
})

it('each call of a batch reports its own numbers', async () => {
  const warnings: Warning[] = []
  const many = `[${'9007199254740993,'.repeat(30)}1]`
  const response = [1, 2].map((id) => `{"jsonrpc":"2.0","id":${id},"result":${many}}`)
  await both(rpcClient(`[${response}]`, { onWarning: (one) => warnings.push(one) }))
  expect(warnings.map(({ issues }) => issues.length)).toEqual([20, 20])
  const strict = await both(rpcClient(`[${response}]`, { validate: { response: 'strict' } }))
  expect(strict.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

describe('bigints of the document in a server', () => {
  const BIG = { isBigint: true } as const
  const JSON_TYPE = 'application/json'
  const LINES = 'application/jsonl'
  const FORM = 'application/x-www-form-urlencoded'
  const INTEGERS = { type: 'array', items: { type: 'integer', 'x-bigint': true } } as const
  const put = {
    kind: 'http',
    id: 'put',
    method: 'POST',
    path: '/put',
    servers: [],
    parameters: [],
    body: {
      required: true,
      content: contentOf([JSON_TYPE, LINES, FORM]),
    },
    responses: declaredResponses({ 204: [] }),
    security: [],
    schemes: {},
    bigints: { request: { properties: { n: { others: BIG } }, others: { others: BIG } } },
  } as const
  const add = {
    kind: 'rpc',
    id: 'add',
    method: 'add',
    params: [{ name: 'n', required: true }],
    errors: [],
    paramStructure: 'either',
    bigints: { params: { others: { others: BIG } } },
  } as const

  /** The values that handlers get; otherwise the status and the body of the error. */
  const send = async (url: string, body: string, type = JSON_TYPE): Promise<readonly unknown[]> => {
    const seen: unknown[] = []
    const fields = validator(() => ({ type: 'object', properties: { n: INTEGERS } }))
    const any = validator(() => true)
    const core = createServerCore(
      {
        http: { servers: [], operations: { put } },
        rpc: { servers: [], path: '/rpc', operations: { add } },
        validators: {
          put: { responses: {}, request: any, fields },
          add: { params: any, result: any },
        },
      },
      {
        put: (input: { readonly body: unknown }) => {
          seen.push(input.body)
          return { status: 204 }
        },
        add: ([n]: readonly unknown[]) => {
          seen.push(n)
          return null
        },
      },
    )
    const headers = { 'content-type': type }
    const response = await core.handle({ method: 'POST', url, headers, body })
    return seen.length > 0 ? seen : [response.status, String(response.body)]
  }
  const rpcOf = (n: string, id = 1): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"add","params":[${n}]}`

  const TEXTS = ['1', '9007199254740993', '1e23', '18446744073709551615.0', `1${'0'.repeat(23)}`]
  const VALUES = [1n, 9007199254740993n, 10n ** 23n, 2n ** 64n - 1n, 10n ** 23n]

  it('have all digits, in any number and notation', async () => {
    const texts = Array.from({ length: 10 }, () => TEXTS).flat()
    const n = Array.from({ length: 10 }, () => VALUES).flat()
    expect(await send('/put', `{"n":[${texts}],"m":"1e400"}`)).toEqual([{ n, m: '1e400' }])
    const lines = texts.map((text) => `{"x":${text}}\n`).join('')
    expect(await send('/put', lines, LINES)).toEqual([n.map((x) => ({ x }))])
    expect(await send('/put', texts.map((text) => `n=${text}`).join('&'), FORM)).toEqual([{ n }])
    expect(await send('/rpc', rpcOf(`[${texts}]`))).toEqual([n])
    const batch = `[${rpcOf('[]', 2)},${rpcOf(`[${texts}]`, 3)},${rpcOf('[7]', 4)}]`
    expect(await send('/rpc', batch)).toEqual([[], n, [7n]])
  })

  it.each(['9'.repeat(4_301), '9'.repeat(900_000), '1e4300', '1.5e999999999'])(
    'are rejected with too many digits',
    async (text) => {
      const lost = 'would lose digits: send it as a string'
      expect(String(await send('/put', `{"n":[${text}]}`))).toMatch(/^400,/)
      expect(String(await send('/put', `{"n":[${text}]}`))).toContain(lost)
      expect(String(await send('/rpc', rpcOf(`[${text}]`)))).toContain(lost)
      expect(String(await send('/put', `n=1&n=${text}`, FORM))).toMatch(/^400,/)
    },
  )
})
