import { expect, it } from 'vitest'
import { lint } from '../../src/lint/lint.js'
import { apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'
import { findingsOf, http, rpc } from './lint-documents.js'

it('deprecation-has-no-date', async () => {
  const ending = { deprecated: true, 'x-sunset': '2027-01-31' }
  expect(
    await findingsOf('deprecation-has-no-date', http({ deprecated: true })),
  ).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/get/deprecated GET /a is deprecated and has no end: add x-sunset with a date",
    ]
  `)
  expect(await findingsOf('deprecation-has-no-date', http(ending))).toEqual([])
})

it('sunset-has-no-deprecation', async () => {
  const sunset = { 'x-sunset': '2027-01-31' }
  expect(await findingsOf('sunset-has-no-deprecation', rpc(sunset))).toMatchInlineSnapshot(`
    [
      "warning /methods/0/x-sunset one ends on 2027-01-31 and is not marked as deprecated: add deprecated: true",
    ]
  `)
  expect(
    await findingsOf('sunset-has-no-deprecation', rpc({ ...sunset, deprecated: true })),
  ).toEqual([])
})

const RULES = [
  'deprecation-has-no-successor',
  'successor-is-unknown',
  'sunset-has-passed',
  'sunset-precedes-deprecation',
  'life-date-is-invalid',
]

/** What the rules say of the operation `one`, beside `two` and the method `shop_three`, on the last day of January 2027. */
const saidOf = async (fields: object, today = '2027-01-31') => {
  const responses = { 200: { description: 'Done.' } }
  const one = { operationId: 'one', responses, ...fields }
  const two = { operationId: 'two', responses }
  const api = await apiOf({
    openapi: openapiOf({ paths: { '/one': { get: one }, '/v2/{two}': { get: two } } }),
    openrpc: openrpcOf({ methods: [method('shop_three')] }),
  })
  return lint(api, { only: RULES, today }).map(
    ({ level, rule, location, message }) =>
      `${level} ${rule} ${location.pointer.split('/').at(-1)} ${message}`,
  )
}

it.each([
  ['an operation', {}],
  ['its id', { deprecated: true, 'x-replaced-by': 'two' }],
  ['its request line', { deprecated: true, 'x-replaced-by': 'GET /v2/{two}' }],
  ['its path', { deprecated: true, 'x-replaced-by': '/v2/{two}' }],
  ['a method', { deprecated: true, 'x-replaced-by': 'shop_three' }],
  ['a page', { deprecated: true, 'x-replaced-by': 'https://shop.example/moving' }],
  ['an id in the summary', { deprecated: true, summary: 'Use `two`.' }],
  ['a path in the description', { 'x-sunset': '2027-01-31', description: 'See GET /v2/{two}.' }],
  ['a method in it', { deprecated: true, description: 'Old: shop_three does more.' }],
  ['a link in it', { deprecated: true, description: 'See [the guide](moving.md).' }],
  ['a day that is today', { ...marks(), 'x-sunset': '2027-01-31T10:00:00Z' }],
  ['the same day twice', { ...marks(), 'x-deprecated-at': '2027-02-28' }],
  ['dates of another shape, which extension-invalid reports', { ...marks(), 'x-sunset': 'soon' }],
])('nothing is said of %s', async (_, fields) => {
  expect(await saidOf(fields)).toEqual([])
})

function marks() {
  return { deprecated: true, 'x-replaced-by': 'two', 'x-sunset': '2027-02-28' }
}

it.each([
  [
    { deprecated: true, description: 'Replaced by twofold, phone two-one.' },
    'note deprecation-has-no-successor deprecated GET /one is deprecated and names no successor: add x-replaced-by, or name the successor in the description',
  ],
  [
    { 'x-sunset': '2027-02-28', description: 'The one.' },
    'note deprecation-has-no-successor x-sunset GET /one ends on 2027-02-28 and names no successor: add x-replaced-by, or name the successor in the description',
  ],
  [
    { 'x-replaced-by': 'GET /v2/{three}' },
    'warning successor-is-unknown x-replaced-by x-replaced-by names "GET /v2/{three}", which is no other operation of the documents: write an operationId, `GET /path`, the name of a method, or a URL',
  ],
  [
    { 'x-replaced-by': 'one' },
    'warning successor-is-unknown x-replaced-by GET /one is said to replace itself: name another operation, or a URL',
  ],
  [
    { ...marks(), 'x-sunset': '2027-01-30' },
    'warning sunset-has-passed x-sunset GET /one ended on 2027-01-30 and is still documented: remove it, or move x-sunset to a later day',
  ],
  [
    { ...marks(), 'x-deprecated-at': '2027-03-01' },
    'error sunset-precedes-deprecation x-sunset GET /one ends on 2027-02-28, before it is deprecated on 2027-03-01: correct x-sunset or x-deprecated-at',
  ],
  [
    { ...marks(), 'x-sunset': '2027-02-30' },
    'error life-date-is-invalid x-sunset the x-sunset of GET /one is 2027-02-30, which is not a date: write a day such as 2027-01-31',
  ],
  [
    { ...marks(), 'x-deprecated-at': '2026-12-01T25:00:00Z' },
    'error life-date-is-invalid x-deprecated-at the x-deprecated-at of GET /one is 2026-12-01T25:00:00Z, which is not a date: write a day such as 2027-01-31',
  ],
])('of %j', async (fields, said) => {
  expect(await saidOf(fields)).toEqual([said])
})

it.each([
  ['deprecation-has-no-date', { deprecated: true }],
  ['sunset-has-no-deprecation', { 'x-sunset': '2030-01-31' }],
  ['sunset-has-passed', { 'x-sunset': '2020-01-01' }],
  ['sunset-precedes-deprecation', { 'x-deprecated-at': '2031-01-31', 'x-sunset': '2030-01-31' }],
  ['life-date-is-invalid', { 'x-sunset': '2030-02-31' }],
])('%s of a method that the server calls', async (rule, fields) => {
  expect(await findingsOf(rule, rpc({ 'x-direction': 'server', ...fields }))).toHaveLength(1)
})

it('of methods, the same', async () => {
  const ended = rpc({ deprecated: true, 'x-sunset': '2020-01-01' })
  expect(await findingsOf('sunset-has-passed', ended)).toHaveLength(1)
  expect(await findingsOf('deprecation-has-no-successor', ended)).toHaveLength(1)
})
