import { expect, test } from 'vitest'
import { boundaryCasesOf } from '../../../src/conform/cases/boundaries.js'
import { REJECTED } from '../../../src/conform/cases/evaluate.js'
import { requestKeywords } from '../../../src/conform/cases/input.js'
import { answered, api, each, type Fault, paramsOf, run } from './store.js'

import '../../fixed-seed.js'

test.each<readonly [string, string, Fault, (text: string) => boolean]>([
  [
    'the longest text fails the server',
    'valid-value-server-error',
    ({ body, isRight }) =>
      isRight && [...((body as { text?: string } | null)?.text ?? '')].length === 8
        ? { status: 500 }
        : undefined,
    (text) => [...JSON.parse(text).text].length === 8,
  ],
  [
    'a text outside ASCII fails the server',
    'valid-value-server-error',
    ({ body, isRight }) =>
      isRight && /[^\0-\x7f]/.test((body as { text?: string } | null)?.text ?? '')
        ? { status: 500 }
        : undefined,
    (text) => [...JSON.parse(text).text].length <= 8 && /[^\0-\x7f]/.test(text),
  ],
  [
    'a text one too long is taken',
    'invalid-request-accepted',
    ({ body, isRight }) =>
      !isRight && (body as { text?: string } | null)?.text?.length === 9
        ? { status: 204 }
        : undefined,
    (text) => JSON.parse(text).text.length === 9,
  ],
  [
    'a body that is not an object fails the server',
    'invalid-request-server-error',
    ({ body, isRight }) => (!isRight && Array.isArray(body) ? { status: 500 } : undefined),
    (text) => text === '[]',
  ],
  [
    'an unknown property is taken',
    'undeclared-property-accepted',
    ({ body, isRight }) =>
      !isRight && Object.keys(body ?? {}).length === 2 ? { status: 204 } : undefined,
    (text) => Object.keys(JSON.parse(text)).length === 2,
  ],
])('bounds of a body: %s', async (_, rule, fault, isIt) => {
  const { reported } = await run(each(boundaryCasesOf), fault)
  const caught = reported.filter((one) => one.rule === rule)
  expect(reported.map((one) => one.rule)).toEqual(caught.map(() => rule))
  expect(caught.length).toBeGreaterThan(0)
  for (const { exchange } of caught) expect(isIt(String(exchange.sent.body))).toBe(true)
})

test.each<readonly [string, string, Fault, unknown]>([
  [
    'more params than there are',
    'extra-params-accepted',
    ({ method, params }) =>
      method === 'store_ping' && Array.isArray(params) && params.length > 0
        ? answered(1)
        : undefined,
    undefined,
  ],
  [
    'a name in another case',
    'invalid-params-accepted',
    ({ params }) => (Object.hasOwn(params ?? {}, 'Data') ? answered(4) : undefined),
    { count: 2, Data: '0xabcd' },
  ],
  [
    'a refusal with another code',
    'invalid-params-wrong-error',
    ({ params }) =>
      Array.isArray(params) && params[1] === 10
        ? { status: 200, value: { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'no' } } }
        : undefined,
    ['0xabcd', 10],
  ],
])('bounds of params: %s', async (_, rule, fault, params) => {
  const { reported } = await run(each(boundaryCasesOf), fault)
  expect(reported.map((one) => one.rule)).toEqual([rule])
  if (params !== undefined) expect(reported.map(paramsOf)).toEqual([params])
})

test('a path that takes what is no number is reported by its parameter', async () => {
  const { reported } = await run(each(boundaryCasesOf), ({ url, isRight }) =>
    !isRight && /notes\/[a-z]+/.test(url) ? { status: 204 } : undefined,
  )
  expect(new Set(reported.map(({ rule, aspect }) => `${rule} ${aspect}`))).toEqual(
    new Set(['invalid-request-accepted path.id type']),
  )
})

test('every keyword that is declared is met', async () => {
  const { seen } = await run(each(boundaryCasesOf))
  const met = seen.keywords.tested()
  expect(requestKeywords(api).filter((name) => !met.has(name))).toEqual([])
})

test('a right value that is refused is not said to be taken, and no fault either', async () => {
  const { reported, seen } = await run(each(boundaryCasesOf), ({ params, isRight }) =>
    isRight && Array.isArray(params) && params[1] === 9
      ? { status: 200, value: { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no' } } }
      : undefined,
  )
  expect(reported).toEqual([])
  expect([...(seen.skipped.get(REJECTED) ?? [])]).toEqual([
    'store_put, params/1: at the bound (maximum)',
  ])
})
