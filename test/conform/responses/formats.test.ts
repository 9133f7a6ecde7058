import { expect, it } from 'vitest'
import { misformed } from '../../../src/conform/responses/value.js'
import type { Schema } from '../../../src/schema/schema.js'
import { rpc } from './fixture-shop.js'

const none = { schemas: new Map() }
const of = (schema: Schema, value: unknown) =>
  misformed(none, schema, value).map(({ pointer }) => pointer)

it.each([
  ['date', '2024-02-29', ['2023-02-29', '2024-02-29T00:00:00Z', '29.2.2024', '']],
  [
    'date-time',
    '2024-02-29T23:59:60.5+01:00',
    ['2024-02-29', '2024-02-30T00:00:00Z', '2024-02-29T00:00:00'],
  ],
  ['uuid', '0B8E4D57-3f1a-4c62-9e80-d2a7c5164f3b', ['0b8e4d573f1a4c629e80d2a7c5164f3b', 'x']],
  ['email', 'ann@example', ['ann', '@', 'ann@']],
  ['ipv4', '127.0.0.1', ['127.0.0.256', '::1']],
  ['ipv6', '::1', ['127.0.0.1', ':1']],
  ['uri', 'urn:x:1', ['/path', 'a b:c', '']],
])('a text is a %s or certainly none', (format, right, wrong) => {
  expect(of({ type: 'string', format }, right)).toEqual([])
  for (const one of wrong) expect([one, of({ type: 'string', format }, one)]).toEqual([one, ['']])
})

it('is looked for in what always holds, and in no alternative', () => {
  const date: Schema = { type: 'string', format: 'date' }
  const list: Schema = { type: 'array', items: { properties: { due: { allOf: [date] } } } }
  expect(of(list, [{ due: '2024-02-29' }, { due: 'soon' }])).toEqual(['/1/due'])
  expect(of({ anyOf: [date, { type: 'string' }] }, 'soon')).toEqual([])
  expect(of({ type: ['string', 'null'], format: 'date' }, null)).toEqual([])
  expect(of({ type: 'string', format: 'of-ours' }, 'soon')).toEqual([])
})

it('is reported of an answer, and the answer counts as met', () => {
  const call = '{"jsonrpc":"2.0","method":"stock","id":1}'
  const judged = rpc(call, {
    body: '{"jsonrpc":"2.0","id":1,"result":{"left":[],"since":"soon"}}',
  })
  expect(judged.rules).toEqual(['format-invalid'])
  expect(judged.complaints[0]?.message).toBe('/result/since is soon, which is not a valid date')
  expect(judged.covered).toContain('operation stock')
  const empty = rpc(call, {
    body: '{"jsonrpc":"2.0","id":1,"result":{"left":[],"since":""}}',
  })
  expect(empty.complaints[0]?.message).toBe(
    '/result/since is an empty text, which is not a valid date',
  )
})
