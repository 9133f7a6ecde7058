import { describe, expect, it } from 'vitest'
import { conform } from '../../src/conform/conform.js'
import type { Wire } from '../../src/conform/wire/exchange.js'
import type { Exchange, Sent } from '../../src/traffic/exchange.js'
import { apiOf, openapiOf, openrpcOf } from '../read/api-of.js'
import '../fixed-seed.js'

type Answered = { readonly status?: number; readonly value?: unknown; readonly failure?: 'late' }

const exchangeOf = (sent: Sent, { status = 200, value, failure }: Answered): Exchange =>
  failure === 'late'
    ? {
        sent,
        answer: undefined,
        failure: 'no complete response arrived in 10 seconds',
        cause: 'late',
      }
    : {
        sent,
        answer: {
          status,
          headers: value === undefined ? [] : [['content-type', 'application/json']],
          body: new TextEncoder().encode(value === undefined ? '' : JSON.stringify(value)),
          milliseconds: 1,
        },
        failure: undefined,
      }

const run = async (
  document: Parameters<typeof apiOf>[0],
  answer: (sent: Sent) => Answered,
  only?: readonly string[],
) => {
  const wire: Wire = async (sent) => exchangeOf(sent, answer(sent))
  const named = { url: 'http://127.0.0.1:9', rate: null, maxExamples: 1, wire }
  const options = { ...named, sleep: async () => undefined, ...(only && { only }) }
  return conform(await apiOf(document), options)
}

const openrpc = openrpcOf({
  methods: ['clock_now', 'clock_day'].map((name) => ({
    name,
    params: [],
    'x-idempotent': true,
    result: { name: 'r', schema: { type: 'string' } },
    examples: [{ name: 'noon', params: [], result: { name: 'r', value: 'noon' } }],
  })),
})
const noon = ({ body }: Sent): Answered => {
  const { id = null } = (JSON.parse(String(body ?? '{}')) ?? {}) as { readonly id?: unknown }
  return { value: { jsonrpc: '2.0', id, result: 'noon' } }
}

it('a call that never gets a response is an error', async () => {
  const answer = (sent: Sent) =>
    String(sent.body).includes('clock_day') ? { failure: 'late' as const } : noon(sent)
  const { findings } = await run({ openrpc }, answer, ['clock_now', 'clock_day'])
  const levels = findings.filter(({ operations }) => operations?.includes('clock_day'))
  expect(levels.map(({ level, rule }) => `${level} ${rule}`)).toEqual(['error response-late'])
})

const login = (status: number, example = true) => ({
  '/login': {
    post: {
      operationId: 'login',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['name'],
              properties: { name: { type: 'string', minLength: 3 } },
            },
            ...(example && { example: { name: 'alice' } }),
          },
        },
      },
      responses: { [status]: { description: 'A token.' } },
    },
  },
  '/hours': { get: { operationId: 'hours', responses: { 200: { description: 'All.' } } } },
})

// JSON-RPC 2.0, 5: the id is null if it could not be detected. A server that returns it may have detected it, and then only its
// code is wrong (5.1), so the clause does not decide it.
it('a parse error with an id is a warning', async () => {
  const { findings } = await run({ openrpc }, (sent) => {
    const error = { code: -32700, message: 'Parse error' }
    const answered = tolerant(sent)
    const isBroken = JSON.stringify(answered).includes('-32700')
    return isBroken ? { value: { jsonrpc: '2.0', id: 1, error } } : answered
  })
  const found = findings.filter(({ rule }) => rule === 'parse-error-has-an-id')
  expect(new Set(found.map(({ level }) => level))).toEqual(new Set(['warning']))
})

// JSON Schema 2020-12, 10.2.1.3: exactly one branch, also for an empty list. Clients reject it too, so that it is no mere note.
it.each([
  [[], 'error response-matches-several-branches'],
  [['a'], undefined],
  [[1], undefined],
])('a response of one of two lists may not be both: %j', async (value, expected) => {
  const list = (type: string) => ({ type: 'array', items: { type } })
  const schema = { oneOf: [list('string'), list('integer')] }
  const content = { 'application/json': { schema } }
  const openapi = openapiOf({
    version: '3.1.0',
    paths: {
      '/a': { get: { operationId: 'a', responses: { 200: { description: 'A.', content } } } },
    },
  })
  const { findings } = await run({ openapi }, ({ method }) =>
    method === 'GET' ? { value } : { status: 501 },
  )
  const found = findings.filter(({ rule }) => rule.startsWith('response-matches'))
  expect(found.map(({ level, rule }) => `${level} ${rule}`)).toEqual(
    expected === undefined ? [] : [expected],
  )
})

describe('an example that needs an account', () => {
  it.each([401, 403])('of the server says nothing about the operation: %i', async (status) => {
    const openapi = openapiOf({ paths: login(200) })
    const { findings } = await run({ openapi }, ({ url, body }) => {
      if (!url.endsWith('/login')) return {}
      return String(body).includes('alice') ? { status } : { status: 400 }
    })
    expect(findings.map(({ rule }) => rule)).not.toContain('operation-never-answered')
  })

  it('is no excuse for other statuses', async () => {
    const openapi = openapiOf({ paths: login(200) })
    const { findings } = await run({ openapi }, ({ url }) =>
      url.endsWith('/login') ? { status: 418 } : {},
    )
    const rules = findings.filter(({ operations }) => operations?.includes('POST /login'))
    expect(rules.map(({ rule }) => rule)).toContain('status-is-undeclared')
  })
})

describe('--only', () => {
  const openapi = openapiOf({
    paths: {
      ...login(200),
      '/keys/{key}': {
        get: {
          operationId: 'readKey',
          parameters: [
            {
              name: 'key',
              in: 'path',
              required: true,
              'x-secret': true,
              schema: { type: 'string' },
            },
          ],
          responses: { 200: { description: 'The key.' } },
        },
      },
    },
  })

  it.each([['hours'], ['GET /hours'], ['/hours'], ['hours, the request']])(
    '%s does not list other operations as not tested',
    async (only) => {
      const { notTested } = await run({ openapi }, () => ({}), [only])
      const what = notTested.flatMap((one) => one.what)
      expect(what.filter((one) => /login|readKey/.test(one))).toEqual([])
    },
  )

  it('lists a selected operation that cannot be tested', async () => {
    const { notTested } = await run({ openapi }, () => ({}), ['readKey,hours'])
    expect(notTested.flatMap((one) => one.what)).toContain('readKey')
  })
})

describe('a rejection is not called accepted', () => {
  it.each<readonly [string, string, Answered, string]>([
    ['GET', '', { status: 422 }, 'rejection-wrong-code'],
    ['GET', '', { status: 405 }, 'allow-header-missing'],
    ['OPTIONS', '', { status: 404 }, 'rejection-wrong-code'],
    [
      'POST',
      '[1]',
      { value: [{ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'no' } }] },
      'rejection-wrong-code',
    ],
    ['POST', '[null]', { status: 422 }, 'rejection-wrong-code'],
    [
      'POST',
      '[null]',
      { value: [{ jsonrpc: '2.0', id: null, result: 1 }] },
      'invalid-batch-member-accepted',
    ],
  ])('%s %s with %j', async (method, text, answered, rule) => {
    const { findings } = await run({ openrpc }, (sent) => {
      const isIt = sent.method === method && (text === '' || String(sent.body) === text)
      return isIt ? answered : sent.method === 'POST' ? tolerant(sent) : { status: 501 }
    })
    const rules = findings.map((one) => one.rule)
    expect(rules).toContain(rule)
    if (!rule.endsWith('accepted'))
      expect(
        rules.filter((one) => /^(get|http-method|invalid-batch-member)-accepted$/.test(one)),
      ).toEqual([])
  })
})

/** Answers a call and a batch of invalid members, and nothing else. */
const tolerant = (sent: Sent): Answered => {
  const invalid = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid' } }
  try {
    const value: unknown = JSON.parse(String(sent.body))
    if (!Array.isArray(value)) return noon(sent)
    return { value: value.length === 0 ? invalid : value.map(() => invalid) }
  } catch {
    return { value: { ...invalid, error: { code: -32700, message: 'Parse error' } } }
  }
}
