import { describe, expect, it } from 'vitest'
import { type ConformOptions, conform } from '../../src/conform/conform.js'
import type { Wire } from '../../src/conform/wire/exchange.js'
import type { Exchange, Sent } from '../../src/traffic/exchange.js'
import { apiOf, openapiOf, openrpcOf } from '../read/api-of.js'

const KEY = 'key-1234567'

const HOURS = {
  servers: [{ url: 'https://clocks.example/v1' }],
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  security: [{ bearer: [] }],
  paths: Object.fromEntries(
    ['/hours', '/days'].map((path) => [
      path,
      {
        get: {
          operationId: `list${path.slice(1)}`,
          responses: {
            200: { description: 'All.', content: { 'application/json': { schema: {} } } },
            400: { description: 'Wrong.' },
          },
        },
        post: {
          operationId: `add${path.slice(1)}`,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { type: 'string' }, example: 'noon' } },
          },
          responses: { 201: { description: 'Added.' }, 400: { description: 'Wrong.' } },
        },
      },
    ]),
  ),
}

const method = (name: string, parts: object = {}) => ({
  name,
  params: [],
  result: { name: 'r', schema: { type: 'string' } },
  examples: [{ name: 'noon', params: [], result: { name: 'r', value: 'noon' } }],
  ...parts,
})

const CLOCKS = { methods: [method('clock_now', { 'x-idempotent': true }), method('clock_set')] }

type Given = {
  readonly status: number
  readonly type?: string
  readonly body?: string
  readonly headers?: readonly (readonly [string, string])[]
}

const came = (sent: Sent, { status, type, body = '', headers = [] }: Given): Exchange => ({
  sent,
  answer: {
    status,
    headers: [...(type === undefined ? [] : [['content-type', type] as const]), ...headers],
    body: new TextEncoder().encode(body),
    milliseconds: 1,
  },
  failure: undefined,
})

const judged = async (
  documents: { readonly openapi?: object; readonly openrpc?: object },
  answer: (sent: Sent) => Given,
  options: ConformOptions = {},
) => {
  const api = await apiOf({
    ...(documents.openapi && { openapi: openapiOf(documents.openapi as never) }),
    ...(documents.openrpc && { openrpc: openrpcOf(documents.openrpc as never) }),
  })
  const wire: Wire = async (sent) => came(sent, answer(sent))
  const named = { url: 'http://127.0.0.1:9', key: KEY, rate: null, maxExamples: 2 }
  return conform(api, { ...named, wire, sleep: async () => undefined, ...options })
}

const JSON_TYPE = 'application/json'
const rpc = (value: object): Given => ({
  status: 200,
  type: JSON_TYPE,
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...value }),
})
/** What keeps JSON-RPC and answers each call by `outcome`. */
const clocks =
  (outcome: object) =>
  ({ body }: Sent): Given => {
    const failed = (code: number) => ({ jsonrpc: '2.0', id: null, error: { code, message: 'no' } })
    const answer = (call: unknown): object | undefined => {
      const {
        jsonrpc,
        method: name,
        params = [],
        ...rest
      } = (call ?? {}) as Record<string, unknown>
      const { id } = rest
      const isId = id === undefined || id === null || /^(string|number)$/.test(typeof id)
      const isCall = typeof name === 'string' && typeof params === 'object' && params !== null
      if (jsonrpc !== '2.0' || !isCall || !isId) return failed(-32600)
      return 'id' in rest ? { jsonrpc: '2.0', id, ...outcome } : undefined
    }
    const replied = (value: unknown): Given =>
      value === undefined
        ? { status: 204 }
        : { status: 200, type: JSON_TYPE, body: JSON.stringify(value) }
    let sent: unknown
    try {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body
      sent = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    } catch {
      return replied(failed(-32700))
    }
    if (!Array.isArray(sent) || sent.length === 0) return replied(answer(sent))
    const all = sent.map(answer).filter((one) => one !== undefined)
    return replied(all.length === 0 ? undefined : all)
  }
const NO_METHOD = clocks({ error: { code: -32601, message: 'Method not found' } })
const NOON = clocks({ result: 'noon' })
const isRpc = ({ body }: Sent) => String(body).includes('jsonrpc')

describe('a server of which not one operation was met', () => {
  const http = { openapi: HOURS }
  it.each<readonly [string, Given, ConformOptions, RegExp]>([
    [
      'a wrong key',
      { status: 401 },
      {},
      /^(nearly )?every request to 4 operations got 401: check the key that --api-key gives$/,
    ],
    [
      'no key',
      { status: 401 },
      { key: undefined },
      /^no request could be sent: |got 401: give a key with --api-key$/,
    ],
    ['400 to everything', { status: 400 }, {}, /to 4 operations got 400$/],
    [
      'a redirect',
      { status: 302, headers: [['location', 'https://login.example/']] },
      {},
      /got 302, which leads to https:\/\/login\.example\/: give the URL of the server itself$/,
    ],
    [
      'one page',
      { status: 200, type: 'text/html', body: '<h1>Hello</h1>' },
      {},
      /got 200 with a page of text\/html, not JSON: is this the URL of the API\?$/,
    ],
  ])('is not judged: %s', async (_, answer, options, want) => {
    const { unjudged } = await judged(http, () => answer, options)
    expect(unjudged).toMatch(want)
  })

  it('is not judged where it says of each method that there is none', async () => {
    const { unjudged } = await judged({ openrpc: CLOCKS }, NO_METHOD)
    expect(unjudged).toMatch(/request to 2 operations got.*the error -32601/)
  })

  it('is not judged where nobody knows the address of JSON-RPC', async () => {
    const { unjudged } = await judged({ openrpc: CLOCKS }, () => ({ status: 404 }))
    expect(unjudged).toMatch(/to 2 operations got 404: is this the URL of the API\?$/)
  })

  it('is not judged where all that it sends is cut off, with the place', async () => {
    const cut = { status: 200, type: JSON_TYPE, body: '{"jsonrpc":' }
    const { unjudged } = await judged({ openrpc: CLOCKS }, () => cut)
    expect(unjudged).toMatch(
      /got 200 with application\/json that is not valid JSON, which ends after 11 characters in the middle of a value$/,
    )
  })

  it('is judged where it is at fault', async () => {
    const { unjudged, findings } = await judged(http, () => ({ status: 500 }))
    expect(unjudged).toBeUndefined()
    expect(findings.map(({ rule }) => rule)).toContain('server-fails')
  })

  it('is judged where its refusal gives the key away', async () => {
    const leaking = { status: 401, type: 'text/plain', body: `not ${KEY}` }
    const { unjudged, findings } = await judged(http, () => leaking)
    expect(findings.filter(({ level }) => level === 'error').length).toBeGreaterThan(0)
    expect(unjudged).toBeUndefined()
  })
})

describe('what is valid and looks like it', () => {
  it('is an operation that declares nothing but refusals', async () => {
    const { unjudged } = await judged(
      {
        openapi: {
          paths: {
            '/gone': { get: { operationId: 'gone', responses: { 410: { description: 'Gone.' } } } },
          },
        },
      },
      () => ({ status: 410 }),
    )
    expect(unjudged).toBeUndefined()
  })

  it('is a method of which nothing but refusals is shown', async () => {
    const refusing = method('clock_set', {
      errors: [{ code: 7, message: 'no' }],
      examples: [{ name: 'late', params: [], 'x-error': { code: 7, message: 'no' } }],
    })
    const refusal = rpc({ error: { code: 7, message: 'no' } })
    const { unjudged } = await judged({ openrpc: { methods: [refusing] } }, () => refusal, {
      only: ['clock_set, example late'],
    })
    expect(unjudged).toBeUndefined()
  })

  it('is a case that is about no operation', async () => {
    const only = ['JSON-RPC, truncated JSON']
    const refusal = rpc({ id: null, error: { code: -32700, message: 'Parse error' } })
    const openrpc = { methods: [method('clock_set')] }
    const { unjudged, requests, notTested } = await judged({ openrpc }, () => refusal, { only })
    expect(requests).toBeGreaterThan(0)
    expect(unjudged).toBeUndefined()
    expect(notTested.flatMap(({ what }) => what)).not.toContain('JSON-RPC')
  })
})

describe('a part of a server', () => {
  it('that lets nobody in is reported before all else that was not tested', async () => {
    const { unjudged, notTested } = await judged({ openapi: HOURS, openrpc: CLOCKS }, (sent) =>
      isRpc(sent) ? rpc({ result: 'noon' }) : { status: 403 },
    )
    expect(unjudged).toBeUndefined()
    expect(notTested[0]).toEqual({
      what: expect.arrayContaining(['GET /hours', 'POST /days']),
      why: 'every request got 403: check the key that --api-key gives',
      isPart: true,
    })
  })
})

describe('a run that is cut by its time', () => {
  const lasting = (maxSeconds: number, answer: (sent: Sent) => Given) => {
    let time = 0
    return judged(
      { openrpc: CLOCKS },
      (sent) => {
        time += 100
        return answer(sent)
      },
      { maxSeconds, now: () => time },
    )
  }

  it('is no verdict before anything was met, and is one after', async () => {
    expect((await lasting(0.4, NO_METHOD)).unjudged).toMatch(
      /^the time limit was reached before an operation/,
    )
    const { unjudged, notTested } = await lasting(1, NOON)
    expect(unjudged).toBeUndefined()
    expect(notTested.map(({ why }) => why)).toContain('the time limit was reached')
  })

  it('waits for no pace beyond it', async () => {
    let time = 0
    const sleep = async (milliseconds: number) => {
      time += milliseconds
    }
    const { notTested, seconds } = await judged(
      { openrpc: CLOCKS },
      () => rpc({ result: 'noon' }),
      { maxSeconds: 5, rate: 20, now: () => time, sleep },
    )
    expect(seconds).toBeLessThanOrEqual(5)
    expect(notTested.map(({ why }) => why)).toContain('the time limit was reached')
  })
})

it('counts the cases that asked anything, and no others', async () => {
  const only = ['JSON-RPC, an unknown key', 'JSON-RPC, reading without a key']
  const parts = { 'x-access': 'public', 'x-idempotent': true }
  const openrpc = { methods: [method('clock_now', parts)] }
  const { cases, notTested } = await judged({ openrpc }, NOON, { only })
  expect(notTested.flatMap(({ what }) => what)).toEqual(expect.arrayContaining(only))
  expect(cases).toBe(1)
})

describe('--read-only', () => {
  it('sends nothing that could write, and tells what was left out for it', async () => {
    const sent: Sent[] = []
    const { notTested } = await judged(
      { openapi: HOURS, openrpc: CLOCKS },
      (one) => {
        sent.push(one)
        return isRpc(one) ? rpc({ result: 'noon' }) : { status: 200, type: JSON_TYPE, body: '1' }
      },
      { readOnly: true },
    )
    const ofHttp = sent.filter((one) => one.method !== 'POST')
    expect(new Set(ofHttp.map((one) => one.method))).toEqual(
      new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']),
    )
    expect(sent.some(({ body }) => String(body).includes('clock_now'))).toBe(true)
    expect(sent.some(({ body }) => String(body).includes('clock_set'))).toBe(false)
    expect(sent.some((one) => one.method === 'POST' && /hours|days/.test(one.url))).toBe(false)
    const left = notTested.find(({ why }) => why.includes('--read-only'))
    expect(left?.what).toContain('clock_set, example noon')
    expect(left?.what).toContain('DELETE /hours')
  })
})

describe('what is given', () => {
  it.each([
    [{ key: 'abc' }, 'a key of fewer than 4 characters is part of too many words'],
    [{ url: 'http://127.0.0.1:9/v1?a=b' }, 'the URL of the server must end before any ? or #'],
    [{ servers: { 'clocks.example': 'http://127.0.0.1:9/#a' } }, 'must end before any ? or #'],
  ])('is refused before anybody is asked: %j', async (options, want) => {
    let asked = 0
    const refused = judged(
      { openapi: HOURS },
      () => {
        asked += 1
        return { status: 200 }
      },
      options,
    )
    await expect(refused).rejects.toThrow(want)
    expect(asked).toBe(0)
  })
})
