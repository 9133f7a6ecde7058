import { describe, expect, it } from 'vitest'
import { conform } from '../../src/conform/conform.js'
import type { Wire } from '../../src/conform/wire/exchange.js'
import { tryParseJson } from '../../src/text/json-text.js'
import type { Sent } from '../../src/traffic/exchange.js'
import { cpuClock } from '../cpu-time.js'
import { apiOf, openapiOf, openrpcOf } from '../read/api-of.js'

const ID = '123e4567-e89b-42d3-a456-426614174000'
const KEY = 'key-1234567'
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } }
const schemas = {
  Thing: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      token: { type: 'string', 'x-same-as': 'constructor' },
      constructor: { type: 'string' },
      items: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
    },
  },
}
const responses = {
  200: {
    description: 'It.',
    content,
    links: { look: { operationId: 'readThing', parameters: { id: '$response.body#/id' } } },
  },
  400: { description: 'No.', content },
}
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: ID }
const body = { content: { 'application/json': { schema: {}, example: 1 } } }
/** Lists, links, polling and methods: whatever reads a response. */
const api = await apiOf({
  openapi: openapiOf({
    schemas,
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          responses,
          'x-pagination': { page: 'page', items: '/items' },
        },
        post: { operationId: 'createThing', requestBody: body, responses },
      },
      '/things/{id}': {
        get: {
          operationId: 'readThing',
          parameters: [id],
          'x-poll': { field: 'state', terminal: ['done'], order: ['new', 'done'] },
          responses,
        },
      },
    },
  }),
  openrpc: openrpcOf({
    methods: ['now', 'day'].map((name) => ({
      name,
      params: [{ name: 'zone', schema: { type: 'string' } }],
      result: { name: 'r', schema: {} },
      'x-idempotent': true,
      examples: [
        { name: 'noon', params: [{ name: 'zone', value: 'utc' }], result: { name: 'r', value: 1 } },
      ],
    })),
  }),
})

type Hostile = (id: string) => string

const result =
  (text: string): Hostile =>
  (id) =>
    `{"jsonrpc":"2.0","id":${id},"result":${text}}`
const error =
  (text: string): Hostile =>
  (id) =>
    `{"jsonrpc":"2.0","id":${id},"error":${text}}`
/** More items than a function call can have arguments. */
const many = (text: string) => `[${`${text},`.repeat(130_000)}${text}]`
const deep = '['.repeat(15_000) + ']'.repeat(15_000)
const names = Array.from({ length: 500 }, (_, at) => `"name${at}":1`).join()
const NAMES =
  '"__proto__":{"a":1},"constructor":{"b":1},"toString":1,"valueOf":1,"hasOwnProperty":1'
const DOCUMENT = `{"openrpc":"1.3.2","methods":[{"name":"now"},{"name":"day"}],${NAMES}}`

/** Runs cases on a server that returns one text for each JSON-RPC call, and another for HTTP. */
const judged = async (rpc: Hostile, http: string, only: readonly string[]) => {
  const wire: Wire = async (sent: Sent) => {
    const isRpc = sent.method === 'POST' && sent.url.endsWith(':9')
    const [, given = '1'] = /"id":("[^"]*"|[\d.]+)/.exec(String(sent.body)) ?? []
    return {
      sent,
      answer: {
        status: isRpc || !http.startsWith('400 ') ? 200 : 400,
        headers: [['content-type', 'application/json'] as const],
        body: new TextEncoder().encode(isRpc ? rpc(given) : http.replace('400 ', '')),
        milliseconds: 1,
      },
      failure: undefined,
    }
  }
  let at = 0
  const { findings, notTested } = await conform(api, {
    ...{ url: 'http://127.0.0.1:9', key: KEY, rate: null, maxExamples: 1, wire, only },
    now: () => at,
    sleep: async (milliseconds) => {
      at += milliseconds
    },
  })
  return { findings, odd: notTested.filter(({ why }) => /unexpected|undefined|object/.test(why)) }
}

const ALL = ['listThings', 'createThing', 'readThing', 'now', 'JSON-RPC, rpc.discover']
const FEW = ['listThings, the request', 'now, example noon']

describe('a hostile server', () => {
  it.each<readonly [title: string, rpc: Hostile, http: string, only: readonly string[]]>([
    [
      'names of all objects',
      result(`{${NAMES}}`),
      `{${NAMES},"state":{${NAMES}},"token":"a"}`,
      ALL,
    ],
    ['a state that has no text', result('1'), `{"id":"${ID}","state":{"toString":1}}`, ALL],
    [
      'an id that has no text',
      result('1'),
      '{"id":{"toString":1},"items":[{"id":{"toString":1}}]}',
      ALL,
    ],
    ['a document with names of all objects', result(DOCUMENT), '[]', ALL],
    ['an error whose code has no text', error('{"code":{"toString":1}}'), '400 {"id":1}', ALL],
    [
      'an error whose message has no text',
      error('{"code":5,"message":{"toString":1}}'),
      '400 []',
      ALL,
    ],
    ['a long list in an error', error(many('"a"')), `400 ${many('"a"')}`, FEW],
    ['a long list', result(many('1')), `{"items":${many('{}')},"id":1}`, FEW],
    ['a long valid list', error('[]'), `{"items":${many('{}')}}`, FEW],
    ['deep lists', result(deep), deep, FEW],
    ['deep lists in an error', error(deep), `400 ${deep}`, FEW],
    ['a deep id', () => `{"jsonrpc":"2.0","id":${deep},"result":1}`, `{"id":${deep}}`, FEW],
    ['many members', (id) => `{"jsonrpc":"2.0","id":${id},"result":1,${names}}`, '[]', FEW],
    ['many responses', () => many('{}'), '[]', FEW],
  ])('that returns %s has findings, and no case fails', async (_, rpc, http, only) => {
    const { findings, odd } = await judged(rpc, http, only)
    expect(odd).toEqual([])
    expect(findings.length).toBeGreaterThan(0)
    for (const { message, identity } of findings)
      expect(message.length + identity.length).toBeLessThan(1_000)
  })

  it('that rejects every request for its rate is not waited for each time', async () => {
    let slept = 0
    const wire: Wire = async (sent) => ({
      sent,
      answer: {
        status: 429,
        headers: [['retry-after', '60']],
        body: new Uint8Array(),
        milliseconds: 1,
      },
      failure: undefined,
    })
    const { requests, unjudged } = await conform(api, {
      ...{ url: 'http://127.0.0.1:9', rate: null, maxExamples: 1, wire },
      now: () => slept,
      sleep: async (milliseconds) => {
        slept += milliseconds
      },
    })
    expect(unjudged).toContain('got 429')
    expect(requests).toBeGreaterThan(30)
    expect(slept).toBeLessThan(600_000)
  })
})

it('a response of a million brackets without an end takes its time once, and not for every check', () => {
  const bytes = new TextEncoder().encode('['.repeat(1_000_000))
  const timeOf = (times: number): number => {
    const used = cpuClock()
    for (let at = 0; at < times; at += 1)
      expect(tryParseJson(new TextDecoder().decode(bytes))).toBeUndefined()
    return used()
  }
  const first = timeOf(1)
  expect(timeOf(8)).toBeLessThan(2 * first)
})
