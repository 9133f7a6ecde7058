import { describe, expect, test } from 'vitest'
import type { Case, Complaint } from '../../../src/conform/case.js'
import { boundaryCases } from '../../../src/conform/cases/boundaries.js'
import { exampleCases } from '../../../src/conform/cases/examples.js'
import { generatedCases } from '../../../src/conform/cases/generated.js'
import { requestKeywords } from '../../../src/conform/cases/keywords.js'
import { VALUE_RULES } from '../../../src/conform/cases/rules.js'
import type { Exchange, Wire } from '../../../src/conform/exchange.js'
import { NOT_OFFERED } from '../../../src/conform/own-name.js'
import { createPace } from '../../../src/conform/pace.js'
import type { Plan } from '../../../src/conform/plan.js'
import { createSession } from '../../../src/conform/session.js'
import { createTarget } from '../../../src/conform/target.js'
import { createChecker } from '../../../src/model/check.js'
import { parametersSchema } from '../../../src/model/params.js'
import '../../fixed-seed.js'
import { apiOf, openapiOf, openrpcOf } from '../../model/api-of.js'

const HEX = { type: 'string', pattern: '^0x([0-9a-f]{2})*$' }
const api = await apiOf({
  openrpc: openrpcOf({
    methods: [
      {
        name: 'store_put',
        paramStructure: 'either',
        'x-idempotent': true,
        params: [
          { name: 'data', required: true, schema: HEX },
          { name: 'count', schema: { type: 'integer', minimum: 1, maximum: 9 } },
        ],
        result: { name: 'size', schema: { type: 'integer' } },
        examples: [
          {
            name: 'two',
            params: [
              { name: 'data', value: '0xabcd' },
              { name: 'count', value: 2 },
            ],
            result: { name: 'size', value: 4 },
          },
        ],
      },
      {
        name: 'store_ping',
        paramStructure: 'by-position',
        params: [],
        result: { name: 'r', schema: true },
      },
    ],
  }),
  openapi: openapiOf({
    paths: {
      '/notes/{id}': {
        put: {
          operationId: 'putNote',
          parameters: [
            {
              name: 'id',
              in: 'path',
              required: true,
              schema: { type: 'integer', minimum: 1 },
              example: 3,
            },
            { name: 'tag', in: 'query', schema: { type: 'string', maxLength: 4 }, example: 'red' },
          ],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['text'],
                  additionalProperties: false,
                  properties: { text: { type: 'string', maxLength: 8 } },
                },
                example: { text: 'hello' },
              },
            },
          },
          responses: { 204: { description: 'Kept.' }, 400: { description: 'Refused.' } },
        },
      },
    },
  }),
})
const checker = createChecker(api.schemas)
const target = createTarget(api, { url: 'http://127.0.0.1:9' })
const put = api.operations.find((one) => one.kind === 'rpc' && one.method === 'store_put')
const note = api.operations.find((one) => one.kind === 'http')
if (put?.kind !== 'rpc' || note?.kind !== 'http') throw new Error('the documents changed')

/** Answers a request as the documents have it, unless `fault` gives another answer. */
type Fault = (request: {
  readonly params?: unknown
  readonly method?: string
  readonly body?: unknown
  readonly url: string
  readonly isRight: boolean
}) => { readonly status: number; readonly value?: unknown } | undefined

const serverOf = (fault: Fault = () => undefined) => {
  const texts: string[] = []
  const wire: Wire = async (sent): Promise<Exchange> => {
    texts.push(`${sent.method} ${sent.url} ${sent.body}`)
    const { status, value } = answerTo(sent.url, String(sent.body), fault)
    const body = new TextEncoder().encode(value === undefined ? '' : JSON.stringify(value))
    const headers = [['content-type', 'application/json']] as const
    return { sent, answer: { status, headers, body, milliseconds: 1 }, failure: undefined }
  }
  return { wire, texts }
}

const answerTo = (url: string, text: string, fault: Fault) => {
  const given = JSON.parse(text === 'undefined' ? 'null' : text)
  if (!url.includes('/notes/')) {
    const { method, params = [], id } = given
    const named = parametersSchema({ ...put, paramStructure: 'by-name' })
    const isRight =
      method === 'store_ping'
        ? Array.isArray(params) && params.length === 0
        : checker.schema(Array.isArray(params) ? parametersSchema(put) : named).check(params)
    const other = fault({ params, method, url, isRight })
    if (other !== undefined) return other
    const outcome = isRight ? { result: 4 } : { error: { code: -32602, message: 'no' } }
    return { status: 200, value: { jsonrpc: '2.0', id, ...outcome } }
  }
  const [, id = '', query = ''] = /notes\/([^?]*)(?:\?(.*))?$/.exec(url) ?? []
  const tag = query === '' ? undefined : decodeURIComponent(query.slice('tag='.length))
  const isRight =
    /^\d+$/.test(id) &&
    Number(id) >= 1 &&
    (tag === undefined || [...tag].length <= 4) &&
    checker.schema(note.body?.content[0]?.schema ?? false).check(given)
  const other = fault({ body: given, url, isRight })
  return other ?? (isRight ? { status: 204 } : { status: 400 })
}

const run = async (
  make: (plan: Plan) => readonly Case[],
  fault?: Fault,
  options: { seed?: number; runs?: number } = {},
) => {
  const { wire, texts } = serverOf(fault)
  const now = () => 0
  const sleep = async () => undefined
  const { seed = 1, runs = 30 } = options
  const session = createSession({
    ...{ api, target, wire, seed, now, sleep, profile: undefined, milliseconds: 1_000 },
    pace: createPace(undefined, { now, sleep }),
    signal: new AbortController().signal,
  })
  const plan: Plan = { api, target, checker, profile: undefined, seed, runs, skip: session.skip }
  const cases = make(plan)
  const complaints: Complaint[] = []
  for (const one of cases) complaints.push(...(await one.run(session)))
  const told = complaints.filter(({ rule }) => VALUE_RULES.some(({ id }) => id === rule))
  return { cases, told, texts, seen: session.seen }
}

const paramsOf = ({ exchange }: Complaint) => JSON.parse(String(exchange.sent.body)).params
const answered = (result: unknown) => ({ status: 200, value: { jsonrpc: '2.0', id: 1, result } })

const MAKERS = [
  ['examples', exampleCases],
  ['bounds', boundaryCases],
  ['generated values', generatedCases],
] as const

describe.each(MAKERS)('%s', (_, make) => {
  test('find nothing to say of a server that keeps the documents', async () => {
    const { told, texts, cases } = await run(make)
    expect(told).toEqual([])
    expect(texts.length).toBeGreaterThan(2)
    expect(texts.length).toBeLessThanOrEqual(cases.reduce((sum, { cost }) => sum + cost, 0))
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  })

  test('are the same requests each time, by the seed', async () => {
    const { texts } = await run(make)
    expect((await run(make)).texts).toEqual(texts)
  })

  test('stop at a method that is not offered, and say so', async () => {
    const { told, texts, seen } = await run(make, ({ url }) =>
      url.includes('/notes/')
        ? undefined
        : { status: 200, value: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } } },
    )
    expect(told).toEqual([])
    expect(texts.filter((text) => text.includes('store_put'))).toHaveLength(1)
    expect([...seen.skipped]).toContainEqual([NOT_OFFERED, new Set(['store_put', 'store_ping'])])
  })
})

test('another seed makes other values', async () => {
  const { texts } = await run(generatedCases)
  expect((await run(generatedCases, undefined, { seed: 2 })).texts).not.toEqual(texts)
})

const oddDigits: Fault = ({ params, isRight }) =>
  !isRight && Array.isArray(params) && /^0x([0-9a-f]{2})*[0-9a-f]$/.test(String(params[0]))
    ? answered(1)
    : undefined

test.each([
  ['bounds', boundaryCases],
  ['generated values', generatedCases],
] as const)('%s catch a server that takes an odd number of digits', async (_, make) => {
  const { told } = await run(make, oddDigits, { runs: 120 })
  const caught = told.filter(({ rule }) => rule === 'broken-params-are-taken')
  expect(caught.length).toBeGreaterThan(0)
  for (const one of caught) {
    expect(one.aspect).toBe('params/0 pattern')
    expect(String(paramsOf(one)[0]).length % 2).toBe(1)
  }
})

test('a generated failure is made small', async () => {
  const failing: Fault = ({ body, isRight }) => {
    const { text = '' } = (body ?? {}) as { readonly text?: string }
    return isRight && text.length >= 3 ? { status: 500 } : undefined
  }
  const { told } = await run(generatedCases, failing, { runs: 120 })
  const [caught] = told.filter(({ rule }) => rule === 'allowed-value-fails-the-server')
  const { text } = JSON.parse(String(caught?.exchange.sent.body))
  expect(text).toHaveLength(3)
})

test.each<readonly [string, string, Fault, (text: string) => boolean]>([
  [
    'the longest text fails the server',
    'allowed-value-fails-the-server',
    ({ body, isRight }) =>
      isRight && (body as { text?: string } | null)?.text?.length === 8
        ? { status: 500 }
        : undefined,
    (text) => JSON.parse(text).text.length === 8,
  ],
  [
    'a text one too long is taken',
    'broken-request-is-taken',
    ({ body, isRight }) =>
      !isRight && (body as { text?: string } | null)?.text?.length === 9
        ? { status: 204 }
        : undefined,
    (text) => JSON.parse(text).text.length === 9,
  ],
  [
    'a body that is no object fails the server',
    'broken-request-fails-the-server',
    ({ body, isRight }) => (!isRight && Array.isArray(body) ? { status: 500 } : undefined),
    (text) => text === '[]',
  ],
  [
    'an unknown property is taken',
    'undeclared-property-is-taken',
    ({ body, isRight }) =>
      !isRight && Object.keys(body ?? {}).length === 2 ? { status: 204 } : undefined,
    (text) => Object.keys(JSON.parse(text)).length === 2,
  ],
])('bounds of a body: %s', async (_, rule, fault, isIt) => {
  const { told } = await run(boundaryCases, fault)
  const caught = told.filter((one) => one.rule === rule)
  expect(told.map((one) => one.rule)).toEqual(caught.map(() => rule))
  expect(caught.length).toBeGreaterThan(0)
  for (const { exchange } of caught) expect(isIt(String(exchange.sent.body))).toBe(true)
})

test.each<readonly [string, string, Fault, unknown]>([
  [
    'more params than there are',
    'surplus-params-are-taken',
    ({ method, params }) =>
      method === 'store_ping' && Array.isArray(params) && params.length > 0
        ? answered(1)
        : undefined,
    undefined,
  ],
  [
    'a name in another case',
    'broken-params-are-taken',
    ({ params }) => (Object.hasOwn(params ?? {}, 'Data') ? answered(4) : undefined),
    { count: 2, Data: '0xabcd' },
  ],
  [
    'a refusal with another code',
    'broken-params-are-refused-otherwise',
    ({ params }) =>
      Array.isArray(params) && params[1] === 10
        ? { status: 200, value: { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'no' } } }
        : undefined,
    ['0xabcd', 10],
  ],
])('bounds of params: %s', async (_, rule, fault, params) => {
  const { told } = await run(boundaryCases, fault)
  expect(told.map((one) => one.rule)).toEqual([rule])
  if (params !== undefined) expect(told.map(paramsOf)).toEqual([params])
})

test('a path that takes what is no number is told by its parameter', async () => {
  const { told } = await run(boundaryCases, ({ url, isRight }) =>
    !isRight && /notes\/[a-z]+/.test(url) ? { status: 204 } : undefined,
  )
  expect(new Set(told.map(({ rule, aspect }) => `${rule} ${aspect}`))).toEqual(
    new Set(['broken-request-is-taken path.id type']),
  )
})

test('by name another answer than by position is told, unless the world changes', async () => {
  const byName: Fault = ({ params }) => (Array.isArray(params) ? undefined : answered(5))
  expect((await run(exampleCases, byName)).told.map(({ rule }) => rule)).toEqual([
    'params-by-name-are-answered-otherwise',
  ])
  let count = 0
  const growing: Fault = ({ isRight }) => (isRight ? answered(++count) : undefined)
  expect((await run(exampleCases, growing)).told).toEqual([])
})

test('every keyword that is declared is met', async () => {
  const { seen } = await run(boundaryCases)
  const met = seen.covered.get('keyword') ?? new Set()
  expect(requestKeywords(api).filter((name) => !met.has(name))).toEqual([])
})
