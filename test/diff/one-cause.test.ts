import { expect, it } from 'vitest'
import { changesOf, findingsOf, method } from './versions.js'

const taking = (schema: string) =>
  method(`params: [{ name: order, required: true, schema: ${schema} }]`)
const answering = (schema: string) => method(`result: { name: order, schema: ${schema} }`)

const rulesOf = async (before: string, after: string, of = taking) =>
  (await changesOf(of(before), of(after))).map(({ rule }) => rule)

const TEXT = '{ type: string }'
const CLOSED = '{ type: object, properties: { id: { type: string } }, additionalProperties: false }'
const LIST = '{ type: array, items: { type: string }, additionalProperties: false }'

it('a text that became a closed object had no undeclared properties', async () => {
  expect(await rulesOf(TEXT, CLOSED)).toEqual(['request-type-narrowed', 'request-type-widened'])
  expect(await rulesOf(CLOSED, TEXT)).toEqual(['request-type-narrowed', 'request-type-widened'])
  expect(await rulesOf(TEXT, LIST)).not.toContain('request-object-closed')
})

it('an object that is closed or opened is still reported', async () => {
  const open = '{ type: object, properties: { id: { type: string } } }'
  expect(await rulesOf(open, CLOSED)).toEqual(['request-object-closed'])
  expect(await rulesOf(CLOSED, open)).toEqual(['request-object-opened'])
  expect(await rulesOf('{ properties: { id: {} } }', CLOSED)).toContain('request-object-closed')
})

it('properties of a type that are no longer accepted are one finding', async () => {
  const typed = '{ type: object, additionalProperties: { type: boolean } }'
  const closed = '{ type: object, additionalProperties: false }'
  expect(await findingsOf(taking(typed), taking(closed))).toMatchInlineSnapshot(`
    "error request-became-forbidden
      a property of the param \`order\` of order_get can no longer be one that is not declared: callers may be rejected
      at new.openrpc.yaml:6 (old.openrpc.yaml:6)
      shown by: {"key":true}
      instead: keep accepting the old values, or offer the new shape in an operation of its own"
  `)
  expect(await findingsOf(taking(closed), taking(typed))).toMatchInlineSnapshot(`
    "note request-became-allowed
      a property of the param \`order\` of order_get can be one now that is not declared
      at new.openrpc.yaml:6 (old.openrpc.yaml:6)"
  `)
})

it('items beyond a tuple that may no longer be anything are one finding', async () => {
  const tuple = '{ type: array, items: [{ type: string }], minItems: 2 }'
  const list =
    '{ type: array, items: { type: object, required: [a, b], properties: { a: {}, b: {} } }, minItems: 2 }'
  const found = await changesOf(taking(tuple), taking(list))
  const [any] = found.filter(({ consequences }) => consequences)
  expect(any?.message).toBe(
    '`[1]` in the param `order` of order_get must be an object now; it could be any value: callers may be rejected',
  )
  expect(any?.consequences?.map(({ rule }) => rule).sort()).toEqual([
    ...['request-property-became-required', 'request-property-became-required'],
    'request-type-narrowed',
  ])
  expect(found.filter(({ message }) => message.startsWith('`[1]'))).toEqual([any])
})

it('alternatives where no value was accepted are one finding', async () => {
  const value = (type: string) =>
    `{ type: object, required: [a], properties: { a: { type: integer, oneOf: ${type} } } }`
  const found = await changesOf(
    answering(value('[]')),
    answering(value('[{ const: 1 }, { const: 2 }]')),
  )
  expect(found.map(({ rule, level }) => `${level} ${rule}`)).toEqual([
    'error response-became-allowed',
  ])
})
