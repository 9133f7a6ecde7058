import { describe, expect, test } from 'vitest'
import type { Schema } from '../../../src/schema/schema.js'
import { gapsOf, list, object, of, TEXT, text } from './shorthand.js'

const number = (more: object): Schema => ({ type: 'number', ...more })
const integer = (more: object): Schema => ({ type: 'integer', ...more })
const cents = (more: object) => number({ multipleOf: 0.01, ...more })
const HALVES: Schema = { enum: [0, 0.5, 1] }
const TWO_AND_THREE: Schema = { allOf: [integer({ multipleOf: 2 }), { multipleOf: 3 }] }
const PAIR = { prefixItems: [{ const: 1 }, { const: 2 }], items: false }

describe('what has few values is what lists them', () => {
  test.each<[what: string, one: Schema, other: Schema]>([
    ['integers between bounds', integer({ minimum: 1, maximum: 3 }), { enum: [1, 2, 3] }],
    ['a number between equal bounds', number({ minimum: 5, maximum: 5 }), { const: 5 }],
    ['decimals between bounds', number({ minimum: 0, maximum: 1, multipleOf: 0.5 }), HALVES],
    ['an alternation', text({ pattern: '^(a|b)$' }), { enum: ['a', 'b'] }],
    ['words that a pattern would read', text({ pattern: '^(a\\.b|\\^)$' }), { enum: ['a.b', '^'] }],
    ['the empty text', text({ maxLength: 0 }), { const: '' }],
  ])('%s', (_, one, other) => {
    expect([gapsOf(of(one), of(other)), gapsOf(of(other), of(one))]).toEqual([[], []])
  })

  test('and what is left out of the list is shown', () => {
    expect(gapsOf(of(text({ pattern: '^(a|b|cc)$' })), of({ enum: ['a', 'b'] }))).toEqual([
      'value "cc"',
    ])
    expect(gapsOf(of(integer({ minimum: 1, maximum: 900 })), of({ enum: [1, 2, 3] }))).toHaveLength(
      1,
    )
  })
})

describe('multiples', () => {
  test.each<[what: string, one: Schema, other: Schema]>([
    [
      'of two numbers and of their least common multiple',
      TWO_AND_THREE,
      integer({ multipleOf: 6 }),
    ],
    ['of 2.5 that are integers', integer({ multipleOf: 2.5 }), integer({ multipleOf: 5 })],
    ['above 0 and from the first on', cents({ exclusiveMinimum: 0 }), cents({ minimum: 0.01 })],
  ])('%s', (_, one, other) => {
    expect([gapsOf(of(one), of(other)), gapsOf(of(other), of(one))]).toEqual([[], []])
  })
})

test('a bound beyond what numbers count one by one has its witness', () => {
  expect(gapsOf(of(integer({})), of(integer({ maximum: Number.MAX_SAFE_INTEGER })))).toEqual([
    'maximum 9007199254740992',
  ])
  expect(gapsOf(of(integer({})), of(integer({ maximum: 2 ** 63 })))).toEqual([
    'maximum 9223372036854778000',
  ])
})

describe('lists without an item twice', () => {
  test('a tuple whose places differ has none twice', () => {
    const tuple = { type: 'array', ...PAIR } as const
    expect(gapsOf(of(tuple), of({ ...tuple, uniqueItems: true }))).toEqual([])
  })

  test('a tuple whose places may hold the same is shown with it', () => {
    const tuple: Schema = { type: 'array', prefixItems: [{ enum: [1, 2] }, { enum: [2, 3] }] }
    const closed = { ...tuple, items: false }
    expect(gapsOf(of(closed), of({ ...closed, uniqueItems: true }))).toEqual(['unique-items [2,2]'])
  })

  test('are no longer than there are items', () => {
    const flags = list({ type: 'boolean' }, { uniqueItems: true })
    expect(gapsOf(of(flags), of(list({ type: 'boolean' }, { maxItems: 2 })))).toEqual([])
    expect(gapsOf(of(flags), of(list({ type: 'boolean' }, { maxItems: 1 })))).toEqual([
      'most-items [true,false]',
    ])
  })
})

describe('what is asked for wherever something is', () => {
  const three = (dependentRequired: object) =>
    object({ a: {}, b: {}, c: {} }, { dependentRequired })

  test('leads on', () => {
    const [one, other] = [three({ a: ['b'], b: ['c'] }), three({ a: ['b', 'c'], b: ['c'] })]
    expect([gapsOf(of(one), of(other)), gapsOf(of(other), of(one))]).toEqual([[], []])
  })

  test('is the same as a schema or as a list', () => {
    const [listed, schema] = [
      object({ a: TEXT, b: TEXT }, { dependentRequired: { a: ['b'] } }),
      object({ a: TEXT, b: TEXT }, { dependentSchemas: { a: { required: ['b'] } } }),
    ]
    expect([gapsOf(of(listed), of(schema)), gapsOf(of(schema), of(listed))]).toEqual([[], []])
  })
})

test('lists of many values are compared before anybody gives up', () => {
  const words = (first: number): Schema => ({
    enum: Array.from({ length: 100_000 }, (_, index) => `word-${first + index}`),
  })
  expect(gapsOf(of(words(0)), of(words(0)))).toEqual([])
  expect(gapsOf(of(words(0)), of(words(1)))).toEqual(['value "word-0"'])
})
