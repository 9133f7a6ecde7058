import { expect, it } from 'vitest'
import { diff } from '../../src/diff/diff.js'
import type { Api } from '../../src/model/api.js'
import { createHarReader } from '../../src/traffic/har.js'
import { createNdjsonReader } from '../../src/traffic/ndjson.js'
import type { Usage } from '../../src/usage/usage.js'
import { createUsageCounter } from '../../src/usage/usage-counter.js'
import { apiOf, openapiOf, openrpcOf } from '../read/api-of.js'

const COLOURS = ['red', 'blue']

const methods = (colours: readonly string[], results: readonly string[] = COLOURS) =>
  apiOf({
    openrpc: {
      ...openrpcOf({
        methods: [
          {
            name: 'paint',
            params: [{ name: 'c', schema: { type: 'string', enum: colours } }],
            result: { name: 'r', schema: { type: 'string', enum: results } },
          },
        ],
      }),
      servers: [{ name: 'main', url: 'https://a.example/rpc' }],
    },
  })

const operations = (replied: readonly string[], isHeaderRequired = false) =>
  apiOf({
    openapi: openapiOf({
      paths: {
        '/paint': {
          get: {
            operationId: 'paint',
            parameters: [
              { name: 'V', in: 'header', required: isHeaderRequired, schema: { type: 'string' } },
            ],
            responses: {
              200: {
                description: 'Painted.',
                content: { 'application/json': { schema: { type: 'string', enum: replied } } },
              },
            },
          },
        },
      },
    }),
  })

const usageOf = (api: Api, text: string, isHar = false): Usage => {
  const create = isHar ? createHarReader : createNdjsonReader
  const faults: unknown[] = []
  const reader = create('recorded', (error) => faults.push(error))
  const counter = createUsageCounter(api, {
    by: { kind: 'user-agent' },
    maxConsumers: 9,
    secret: () => new Uint8Array(32),
  })
  for (const one of [...reader.push(text), ...reader.end()]) counter.add(one)
  return counter.usage(faults.length)
}

const findingOf = (before: Api, after: Api, usage: Usage, rule: string) => {
  const found = diff(before, after, { today: new Date('2026-11-01'), usage })
  const finding = found.find((one) => one.rule === rule)
  return [finding?.usage?.verdict, finding?.usage?.unread ?? {}]
}

const call = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'paint', params })
const line = (request: unknown, response?: unknown) =>
  JSON.stringify({ request, ...(response !== undefined && { response }) })
const result = { jsonrpc: '2.0', id: 1, result: 'red' }
const post = (body: unknown) => ({
  method: 'POST',
  url: 'https://a.example/rpc',
  headers: { 'content-type': 'application/json' },
  ...(body !== undefined && { body }),
})
const span = (attributes: Readonly<Record<string, string>>) => {
  const list = Object.entries(attributes).map(([key, stringValue]) => ({
    key,
    value: { stringValue },
  }))
  return JSON.stringify({
    resourceSpans: [{ scopeSpans: [{ spans: [{ kind: 2, attributes: list }] }] }],
  })
}
const har = (request: object) =>
  JSON.stringify({
    log: { entries: [{ request: { method: 'POST', headers: [], ...request }, response: {} }] },
  })

it.each<readonly [what: string, text: string, verdict: string, unread: object]>([
  ['a call that met the change', line(call(['red']), result), 'used', {}],
  ['a call that did not', line(call(['blue']), result), 'unused', {}],
  [
    'a call with an address',
    line(post(call({ c: 'red' })), { status: 200, body: result }),
    'used',
    {},
  ],
  [
    'a span, which has no params',
    span({ 'rpc.system': 'jsonrpc', 'rpc.method': 'paint' }),
    'possible',
    { 'not-recorded': 1 },
  ],
  ['a body that was left out', line(post(undefined)), 'possible', { 'not-recorded': 1 }],
  ['a body that is cut off', line(post('{"method":"pai')), 'possible', { json: 1 }],
  [
    'a body that the server could not parse either',
    line(post('{'), {
      status: 200,
      body: { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no' } },
    }),
    'unused',
    {},
  ],
  ['a call of another method', line({ ...call(['red']), method: 'other' }), 'unused', {}],
  ['a line that is cut off', '{"request":', 'possible', { incomplete: 1 }],
])('of calls of JSON-RPC: %s', async (_, text, verdict, unread) => {
  const before = await methods(COLOURS)
  const usage = usageOf(before, text)
  expect(findingOf(before, await methods(['blue']), usage, 'request-value-removed')).toEqual([
    verdict,
    unread,
  ])
})

it('a HAR that leaves the body of a call out', async () => {
  const before = await methods(COLOURS)
  const usage = usageOf(before, har({ url: 'https://a.example/rpc', bodySize: 7 }), true)
  expect(findingOf(before, await methods(['blue']), usage, 'request-value-removed')).toEqual([
    'possible',
    { 'not-recorded': 1 },
  ])
})

it.each<readonly [what: string, response: object | undefined, unread: object]>([
  ['a body', { status: 200, headers: { 'content-type': 'application/json' }, body: '"red"' }, {}],
  [
    'a body that was left out',
    { status: 200, headers: { 'content-type': 'application/json' } },
    { 'not-recorded': 1 },
  ],
  [
    'a body that is not JSON',
    { status: 200, headers: { 'content-type': 'application/json' }, body: '"re' },
    { 'media-type': 1 },
  ],
])('of a response: %s', async (_, response, unread) => {
  const before = await operations(COLOURS)
  const usage = usageOf(
    before,
    line({ method: 'GET', url: 'https://a.example/paint', headers: {} }, response),
  )
  const after = await operations([...COLOURS, 'green'])
  expect(findingOf(before, after, usage, 'response-value-added')).toEqual(['sent', unread])
})

it.each<readonly [what: string, request: object, verdict: string]>([
  ['a request with headers, but without this one', { headers: { accept: '*/*' } }, 'used'],
  ['a request whose headers were left out', {}, 'possible'],
  [
    'a request of which some headers were left out',
    { headers: { accept: '*/*' }, omitted: ['headers'] },
    'possible',
  ],
])('a header that becomes required: %s', async (_, request, verdict) => {
  const before = await operations(COLOURS)
  const text = line({ method: 'GET', url: 'https://a.example/paint', ...request }, { status: 200 })
  const found = findingOf(
    before,
    await operations(COLOURS, true),
    usageOf(before, text),
    'parameter-became-required',
  )
  expect(found[0]).toBe(verdict)
})

const traced = (colours: readonly string[]) =>
  apiOf({
    openapi: openapiOf({
      paths: {
        '/paint': {
          get: {
            operationId: 'paint',
            responses: {
              200: {
                description: 'Painted.',
                headers: { Colour: { schema: { type: 'string', enum: colours } } },
              },
            },
          },
        },
      },
    }),
  })

const asked = { method: 'GET', url: 'https://a.example/paint', headers: {} }
const GOT = { 'content-type': 'text/plain' }

it.each<readonly [what: string, text: string, unread: object]>([
  ['a header', line(asked, { status: 200, headers: { ...GOT, colour: 'red' } }), {}],
  ['another header', line(asked, { status: 200, headers: GOT }), {}],
  ['no header, and all were recorded', line(asked, { status: 200, headers: {} }), {}],
  ['headers that were left out', line(asked, { status: 200 }), { 'not-recorded': 1 }],
  [
    'some headers that were left out',
    line(asked, { status: 200, headers: GOT, omitted: ['headers'] }),
    { 'not-recorded': 1 },
  ],
  [
    'a span, which has no headers of the response',
    span({
      'http.request.method': 'GET',
      'url.path': '/paint',
      'http.response.status_code': '200',
    }),
    { 'not-recorded': 1 },
  ],
])('of a response: %s', async (_, text, unread) => {
  const before = await traced(COLOURS)
  const after = await traced([...COLOURS, 'green'])
  const usage = usageOf(before, text)
  expect(findingOf(before, after, usage, 'response-value-added')).toEqual(['sent', unread])
})

it.each([
  ['no headers', [], { 'not-recorded': 1 }],
  ['some headers', [{ name: 'Date', value: 'Thu, 01 Oct 2026 10:00:00 GMT' }], {}],
])('of a response in a HAR with %s', async (_, headers, unread) => {
  const before = await traced(COLOURS)
  const after = await traced([...COLOURS, 'green'])
  const response = { status: 200, headers, content: { size: 0 } }
  const entry = { request: asked, response }
  const usage = usageOf(before, JSON.stringify({ log: { entries: [entry] } }), true)
  expect(findingOf(before, after, usage, 'response-value-added')).toEqual(['sent', unread])
})

it.each<readonly [text: string, unread: unknown, read: unknown]>([
  ['{"n":9007199254740993,"c":"red"}', { precision: 1 }, { '"red"': expect.anything() }],
  ['{"n":[1,1e400],"c":"red"}', undefined, { '"red"': expect.anything() }],
  ['{"big":12345678901234567890,"n":1,"c":"red"}', undefined, { '"red"': expect.anything() }],
  ['{"n":1,"c":"red"}', undefined, { '"red"': expect.anything() }],
])(
  'of %s, a number that loses digits is not known, and the rest is',
  async (body, unread, read) => {
    const schema = {
      type: 'object',
      properties: {
        n: { type: ['integer', 'array'] },
        ...(body.includes('big') && { big: { type: 'integer', 'x-bigint': true } }),
        c: { type: 'string', enum: COLOURS },
      },
    }
    const requestBody = { required: true, content: { 'application/json': { schema } } }
    const post = { operationId: 'paint', requestBody, responses: { 204: { description: 'Done.' } } }
    const api = await apiOf({ openapi: openapiOf({ paths: { '/paint': { post } } }) })
    const request = {
      ...asked,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }
    const { consumers } = usageOf(api, line(request, { status: 204 }))
    const [operations] = Object.values(consumers)
    const [counted] = Object.values(operations ?? {})
    const place = counted?.request.properties?.body?.properties?.['application/json']
    expect(place?.properties?.n?.unread).toEqual(unread)
    expect(place?.properties?.c?.values).toEqual(read)
  },
)
