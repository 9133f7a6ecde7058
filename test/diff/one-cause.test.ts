import { describe, expect, it } from 'vitest'
import { diffOf, type Finding } from './diff-of.js'
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

const A = '{ type: object, required: [kind, a], properties: { kind: { const: a }, a: {}, c: {} } }'
const B = '{ type: object, required: [kind, b], properties: { kind: { const: b }, b: {} } }'
const messagesOf = async (before: string, after: string) =>
  (await changesOf(answering(before), answering(after)))
    .filter(({ level }) => level !== 'note')
    .map(({ message }) => message)

it('a new alternative that lacks properties is one finding, and removes none of them', async () => {
  const full = '{ type: object, required: [a, b], properties: { a: {}, b: {} } }'
  const part = '{ type: object, required: [c], properties: { c: {} } }'
  const found = await messagesOf(
    `{ oneOf: [{ type: string }, ${full}] }`,
    `{ oneOf: [{ type: string }, ${full}, ${part}] }`,
  )
  expect(found).toEqual([
    'the result of order_get may be a new alternative, which has no `a` or `b`: clients do not expect it',
  ])
})

it('a property that an alternative loses is removed: no alternative is new', async () => {
  const without = '{ type: object, required: [kind], properties: { kind: { const: a } } }'
  expect(await messagesOf(`{ oneOf: [${A}, ${B}] }`, `{ oneOf: [${without}, ${B}] }`)).toEqual([
    '`a` in the result of order_get is removed; it was always present: clients do not expect it',
    '`c` in the result of order_get is removed: clients no longer receive it',
  ])
})

it('alternatives that lack the same property name it once', async () => {
  const row = '{ type: object, required: [list], properties: { list: { type: array } } }'
  const button = '{ type: object, required: [label], properties: { label: {} } }'
  const link = '{ type: object, required: [url], properties: { url: {} } }'
  const found = await changesOf(
    taking(`{ type: array, items: { oneOf: [${row}, ${button}, ${link}] } }`),
    taking(`{ type: array, items: { oneOf: [${row}] } }`),
  )
  expect(found.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
    'an item of the param `order` of order_get can no longer be an alternative without `list`: callers may be rejected',
  ])
})

describe('an alternative that a response no longer has is one note', () => {
  const one = '{ type: object, required: [a], properties: { a: { type: string } } }'
  const two = '{ type: object, required: [b], properties: { b: { type: string } } }'
  const three = '{ type: object, required: [c, d], properties: { c: {}, d: { type: integer } } }'
  const MESSAGE = 'the result of order_get no longer has an alternative that it had'

  it.each([
    ['oneOf', `{ oneOf: [${one}, ${two}] }`, `{ oneOf: [${one}] }`],
    ['anyOf', `{ anyOf: [${one}, ${two}] }`, `{ anyOf: [${one}] }`],
    ['the first of two', `{ oneOf: [${one}, ${two}] }`, `{ oneOf: [${two}] }`],
    ['one of three', `{ oneOf: [${one}, ${two}, ${three}] }`, `{ oneOf: [${one}, ${two}] }`],
    ['several properties', `{ oneOf: [${one}, ${three}] }`, `{ oneOf: [${one}] }`],
    ['no union is left', `{ anyOf: [${one}, ${two}] }`, one],
  ])('%s', async (_, before, after) => {
    const found = await changesOf(answering(before), answering(after))
    expect(found.map(({ level, rule, message }) => [level, rule, message])).toEqual([
      ['note', 'response-alternative-removed', MESSAGE],
    ])
  })

  it.each([
    ['a property', (schema: string) => `{ type: object, properties: { p: ${schema} } }`, '`p` in '],
    ['a list', (schema: string) => `{ type: array, items: ${schema} }`, 'an item of '],
  ])('in %s', async (_, around, words) => {
    const found = await changesOf(
      answering(around(`{ oneOf: [${one}, ${two}] }`)),
      answering(around(`{ oneOf: [${one}] }`)),
    )
    expect(found.map(({ level, message }) => [level, message])).toEqual([
      ['note', `${words}${MESSAGE}`],
    ])
  })
})

describe('a change of a component is one finding at the component, whatever operations use it', () => {
  const TAX = (property: object) => ({
    Tax: { type: 'object', required: ['customer'], properties: { customer: property } },
    Customer: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    Buyer: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  })
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Tax' } } }
  const responses = { 200: { description: 'Read.', content } }
  const apiOf = (property: object, openapi: string) => ({
    openapi,
    info: { title: 'Taxes', version: '1' },
    paths: Object.fromEntries(
      ['a', 'b', 'c'].map((id) => [`/${id}`, { get: { operationId: id, responses } }]),
    ),
    components: { schemas: TAX(property) },
  })
  const customer = { $ref: '#/components/schemas/Customer' }
  const buyer = { $ref: '#/components/schemas/Buyer' }

  it.each<[string, object, object, string?]>([
    ['anyOf', { anyOf: [{ type: 'string' }, customer] }, { nullable: true }],
    ['oneOf', { oneOf: [customer, buyer] }, { nullable: true }],
    ['one reference in allOf', { allOf: [customer] }, { nullable: true }],
    ['two references in allOf', { allOf: [customer, buyer] }, { nullable: true }],
    ['enum', { type: 'string', enum: ['a', 'b'] }, { nullable: true }],
    ['enum without type', { enum: ['a', 'b'] }, { nullable: true }],
    ['a reference of OpenAPI 3.1', customer, { nullable: true }, '3.1.0'],
    ['x-nullable', { anyOf: [{ type: 'string' }, customer] }, { 'x-nullable': true }],
  ])('%s that becomes nullable', async (_, property, nullable, openapi = '3.0.3') => {
    const found: readonly (Finding & Placed)[] = (await diffOf(
      apiOf(property, openapi),
      apiOf({ ...property, ...nullable }, openapi),
    )) as readonly (Finding & Placed)[]
    expect(found.map(({ rule, operations }) => [rule, operations.length])).toEqual([
      ['response-became-nullable', 3],
    ])
    expect(found[0]?.location.pointer).toMatch('/components/schemas/Tax/properties/customer')
  })
})

type Placed = {
  readonly location: { readonly pointer: string }
  readonly operations: readonly string[]
}
