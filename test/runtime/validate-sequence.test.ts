import { expect, test } from 'vitest'
import { type ValidatorSchema, validator } from '../../src/runtime/validate.js'

const text = { type: 'string' } as const
const Closed: ValidatorSchema = {
  type: 'object',
  required: ['a', 'toString'],
  properties: { a: text, b: text, toString: text, list: { type: 'array', items: text } },
  additionalProperties: false,
}
const Inner: ValidatorSchema = {
  type: 'object',
  required: ['x'],
  properties: { x: { type: 'object', required: ['y'] }, a: { type: 'object', required: ['z'] } },
}

const schemas: Readonly<Record<string, ValidatorSchema>> = {
  'a closed object': Closed,
  'an open one': { ...Closed, additionalProperties: true },
  'one of which the rest is asked, too': { ...Closed, additionalProperties: { type: 'number' } },
  'one with bounds of its size': { ...Closed, minProperties: 3, maxProperties: 3 },
  'objects in an object': Inner,
  'a union of both': { oneOf: [Closed, Inner] },
  'a union of any': { anyOf: [Closed, Inner, { type: 'null' }] },
  'a list of unions': { type: 'array', items: { oneOf: [Closed, Inner] } },
}

const members: readonly (readonly [string, unknown])[] = [
  ['a', 1],
  ['a', 'a'],
  ['b', 2],
  ['toString', 'a'],
  ['list', ['a', 1]],
  ['list', ['a']],
  ['x', {}],
  ['x', { y: 1 }],
  ['other', 'a'],
  ['a~/b', null],
  ['absent', undefined],
]

/** Objects of up to three members in all sorts of orders, as each kind of them may have been the one before. */
const objects = members.flatMap((one, at) => [
  Object.fromEntries([one]),
  ...members.flatMap((two, next) => [
    Object.fromEntries([one, two]),
    Object.fromEntries([one, two, ...members.slice((at + 3 * next) % members.length).slice(0, 1)]),
  ]),
])
const values: readonly unknown[] = [
  ...objects,
  ...objects.filter((_, at) => at % 5 === 0).map((object) => [{ a: 'a' }, object, object]),
  Object.create({ a: 'a', toString: 'a' }),
  Object.create({ a: 1 }),
  null,
]

test.each(Object.entries(schemas))(
  'what is reported of %s goes by the value alone',
  (_, schema) => {
    const used = validator(() => schema)
    for (const value of [...values, ...values.toReversed()]) {
      const fresh = validator(() => structuredClone(schema))
      expect(used.explain(value)).toEqual(fresh.explain(value))
      expect(used.explain(value).length > 0).toBe(!fresh.check(value))
    }
  },
)

test('of what is wrong with many properties the first 100 are reported, in the order of the document', () => {
  const names = Array.from({ length: 150 }, (_, at) => `n${(at * 7) % 150}`)
  const many = validator(() => ({
    type: 'object',
    required: ['missing'],
    additionalProperties: text,
  }))
  const faults = many.explain(Object.fromEntries(names.map((name) => [name, 1])))
  const want = ['', ...names.slice(0, 99).map((name) => `/${name}`)]
  expect(faults.map(({ pointer }) => pointer)).toEqual(want)
})

test('what is inherited is not there', () => {
  const closed = validator(() => ({ ...Closed, required: ['a'] }))
  const faults = closed.explain(Object.create({ a: 'a' }))
  expect(faults.map(({ message }) => message)).toEqual(['must have the property `a`'])
})
