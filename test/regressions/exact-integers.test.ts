import { createHttp } from 'twinspec/runtime/http'
import { createRpc } from 'twinspec/runtime/rpc'
import { describe, expect, it } from 'vitest'

const open = { check: () => true, open: () => true }

const TEXT = '{"balance":12345678901234567890,"text":"12345678901234567890","n":9007199254740991}'
const EXACT = { balance: 12345678901234567890n, text: '12345678901234567890', n: 2 ** 53 - 1 }
const ROUNDED = { ...EXACT, balance: 12345678901234567000 }
const ISSUES = [{ pointer: '/balance', keyword: 'precision' }]

/** Reads a JSON text as the result of the first of two calls, or as the body of a response. */
const rpc = async (result: string, options: object) => {
  type Client = {
    readonly batch: <T>(collect: (batch: Client) => T) => Promise<Awaited<T>>
    readonly get: () => Promise<unknown>
  }
  const operation = {
    kind: 'rpc',
    id: 'get',
    method: 'get',
    params: [],
    errors: [],
    paramStructure: 'by-position',
  } as const
  const service = { servers: [], path: '', operations: { get: operation } }
  const responses = `[{"jsonrpc":"2.0","id":1,"result":${result}},{"jsonrpc":"2.0","id":2,"result":7}]`
  const client = createRpc<Client>(
    service,
    { get: { params: open, result: open } },
    {
      server: 'http://127.0.0.1:1',
      fetch: async () => new Response(responses),
      ...options,
    },
  )
  const [first, second] = await client.batch((b) => Promise.all([b.get(), b.get()]))
  expect(second).toBe(7)
  return first
}

const http = (body: string, options: object) => {
  type Client = { readonly get: () => Promise<unknown> }
  const operation = {
    kind: 'http',
    id: 'get',
    method: 'GET',
    path: '/',
    servers: [],
    parameters: [],
    responses: { 200: ['application/json'] },
    security: [],
    schemes: {},
  } as const
  const service = { servers: [], limits: {}, operations: { get: operation } }
  return createHttp<Client>(
    service,
    { get: { responses: { 200: open } } },
    {
      server: 'http://127.0.0.1:1',
      fetch: async () => new Response(body, { headers: { 'content-type': 'application/json' } }),
      ...options,
    },
  ).get()
}

describe.each(Object.entries({ http, rpc }))('P10: integers past 2^53 over %s', (_, read) => {
  it('are bigints on request', async () => {
    expect(await read(TEXT, { integers: 'bigint' })).toEqual(EXACT)
    expect(await read('-9007199254740993', { integers: 'bigint' })).toBe(-9007199254740993n)
    expect(await read('[1, 1.5, 1e400]', { integers: 'bigint' })).toEqual([1, 1.5, Infinity])
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
