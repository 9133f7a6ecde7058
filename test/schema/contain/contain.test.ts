import { describe, expect, test } from 'vitest'
import { createContainment } from '../../../src/schema/contain/contain.js'
import { pathText } from '../../../src/schema/contain/gap.js'
import { childOf } from '../../../src/schema/node.js'
import type { Schema } from '../../../src/schema/schema.js'
import { compared, ref, type Version } from './containing.js'
import { gapsOf, list, object, of, TEXT, text } from './shorthand.js'

const tagged = (kind: string): Schema => object({ k: { const: kind } }, { required: ['k'] })

const tree = (n: Schema) => ({ T: object({ kids: list(ref('T')), n }) })

const mutual = (n: Schema) => ({ A: object({ b: ref('B') }), B: object({ a: ref('A'), n }) })

const CONDITION = {
  if: object({ a: { const: 'x' } }, { required: ['a'] }),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['b'] },
}
/** A look ahead and a reference back, which no automaton has. */
const HARD = '^(?=(a|b)*$)(?:(?!aa|bb).)+\\1$'

describe('what one lets through and the other refuses', () => {
  test.each<[what: string, inner: Version, outer: Version, want: readonly string[]]>([
    ['a type left out', of({ type: ['string', 'null'] }), of(TEXT), ['null null']],
    ['numbers that are no integers', of({ type: 'number' }), of({ type: 'integer' }), ['type 0.5']],
    [
      'a bound raised',
      of({ type: 'integer', minimum: 1 }),
      of({ type: 'integer', minimum: 2 }),
      ['minimum 1'],
    ],
    [
      'a bound that became exclusive',
      of({ type: 'number', maximum: 3 }),
      of({ type: 'number', exclusiveMaximum: 3 }),
      ['maximum 3'],
    ],
    [
      'a step',
      of({ type: 'integer', multipleOf: 2 }),
      of({ type: 'integer', multipleOf: 4 }),
      ['step 2'],
    ],
    ['a longer text', of(text({ maxLength: 3 })), of(text({ maxLength: 2 })), ['longest "aaa"']],
    [
      'a pattern',
      of(text({ pattern: '^[a-c]+$' })),
      of(text({ pattern: '^[a-b]+$' })),
      ['pattern "c"'],
    ],
    [
      'a pattern whose length is too much',
      of(text({ pattern: '^0x[0-9a-f]{3}$' })),
      of(text({ maxLength: 4 })),
      ['longest "0xaaa"'],
    ],
    [
      'a pattern that only an engine can tell',
      of(text({ pattern: HARD })),
      of(text({ pattern: `${HARD}|x` })),
      ['pattern cannot tell'],
    ],
    ['a value of a list', of({ enum: ['a', 'b'] }), of({ const: 'a' }), ['value "b"']],
    ['texts that are not listed', of(TEXT), of({ enum: ['', 'a'] }), ['value "b"']],
    [
      'a required property',
      of(object({ a: TEXT })),
      of(object({ a: TEXT }, { required: ['a'] })),
      ['required at a: {}'],
    ],
    [
      'a property within a property',
      of(object({ a: object({ b: TEXT }) })),
      of(object({ a: object({ b: { type: 'integer' } }) })),
      ['type at a.b: {"a":{"b":""}}'],
    ],
    [
      'a property that is forbidden',
      of(object({ a: TEXT })),
      of(object({ a: { not: {} } })),
      ['nothing at a: {"a":""}'],
    ],
    [
      'values of a map',
      of({ type: 'object', additionalProperties: TEXT }),
      of({ type: 'object', additionalProperties: { type: 'integer' } }),
      ['type at {}: {"key":""}'],
    ],
    [
      'patterns of names that meet',
      of({ type: 'object', patternProperties: { '^x-': TEXT } }),
      of({ type: 'object', patternProperties: { '-id$': { type: 'integer' } } }),
      ['type at {}: {"x-id":""}'],
    ],
    [
      'names of a map',
      of({ type: 'object', additionalProperties: TEXT }),
      of({ type: 'object', additionalProperties: TEXT, propertyNames: { maxLength: 2 } }),
      ['property-name {"aaa":""}'],
    ],
    [
      'more properties',
      of(object({ a: TEXT, b: TEXT })),
      of(object({ a: TEXT, b: TEXT }, { maxProperties: 1 })),
      ['most-properties {"a":"","b":""}'],
    ],
    [
      'a property that asks for another',
      of(object({ a: TEXT, b: TEXT })),
      of(object({ a: TEXT, b: TEXT }, { dependentRequired: { a: ['b'] } })),
      ['dependent {"a":""}'],
    ],
    [
      'a property that brings a schema',
      of(object({ a: TEXT, b: TEXT })),
      of(object({ a: TEXT, b: TEXT }, { dependentSchemas: { a: { required: ['b'] } } })),
      ['required at b: {"a":""}'],
    ],
    [
      'a condition',
      of(object({ a: TEXT, b: TEXT })),
      of(object({ a: TEXT, b: TEXT }, CONDITION)),
      ['required at b: {"a":"x"}'],
    ],
    [
      'what is not evaluated',
      of(object({ a: TEXT, b: TEXT })),
      of({ allOf: [object({ a: TEXT })], unevaluatedProperties: false }),
      ['unevaluated {"b":""}'],
    ],
    [
      'a map of what is not evaluated',
      of({ type: 'object', unevaluatedProperties: TEXT }),
      of({ type: 'object', additionalProperties: { type: 'integer' } }),
      ['type at {}: {"key":""}'],
    ],
    ['items', of(list(TEXT)), of(list({ type: 'integer' })), ['type at []: [""]']],
    [
      'an item of its own place',
      of({ type: 'array', prefixItems: [TEXT, TEXT] }),
      of({ type: 'array', prefixItems: [TEXT, { type: 'integer' }] }),
      ['type at [1]: ["",""]'],
    ],
    ['fewer items', of(list(TEXT)), of(list(TEXT, { minItems: 1 })), ['fewest-items []']],
    [
      'items twice',
      of(list(TEXT)),
      of(list(TEXT, { uniqueItems: true })),
      ['unique-items ["",""]'],
    ],
    [
      'items that must be contained',
      of(list({ type: 'number' })),
      of(list({ type: 'number' }, { contains: { const: 7 } })),
      ['contained-item []'],
    ],
    [
      'fewer that are contained',
      of(list(TEXT, { contains: { const: 'a' } })),
      of(list(TEXT, { contains: { const: 'a' }, minContains: 2 })),
      ['contained-item ["a"]'],
    ],
    [
      'a branch that went',
      of({ oneOf: [TEXT, { type: 'integer' }] }),
      of({ oneOf: [TEXT] }),
      ['type 0'],
    ],
    [
      'a tag that went',
      of({ oneOf: [tagged('a'), tagged('b')] }),
      of({ oneOf: [tagged('a'), tagged('c')] }),
      ['value at k: {"k":"b"}'],
    ],
    [
      'alternatives that overlap',
      of({ type: 'integer', minimum: 0, maximum: 9 }),
      of({
        oneOf: [
          { type: 'integer', maximum: 5 },
          { type: 'integer', minimum: 5 },
        ],
      }),
      ['overlap 5'],
    ],
    ['what is excluded', of(TEXT), of({ type: 'string', not: { const: 'x' } }), ['exclusion "x"']],
    ['anything where nothing may be', of(TEXT), of(false), ['nothing ""']],
    [
      'recursion through arrays',
      of(ref('T'), tree({ type: 'number' })),
      of(ref('T'), tree({ type: 'integer' })),
      ['type at n: {"n":0.5}'],
    ],
    [
      'mutual recursion',
      of(ref('A'), mutual({ type: 'number' })),
      of(ref('A'), mutual({ type: 'integer' })),
      ['type at b.n: {"b":{"n":0.5}}'],
    ],
  ])('%s', (_, inner, outer, want) => {
    expect(gapsOf(inner, outer)).toEqual(want)
  })
})

test('a closed object refuses what it does not declare, and who reads it as open does not mind', () => {
  const [two, one] = [
    of(object({ a: TEXT, b: TEXT })),
    of(object({ a: TEXT }, { additionalProperties: false })),
  ]
  expect(gapsOf(two, one)).toEqual(['undeclared at b: {"b":""}'])
  expect(gapsOf(two, one, 'open')).toEqual([])
  // What is declared still holds.
  expect(gapsOf(of(object({ a: false, b: { type: 'null' } })), one, 'open')).toEqual([])
  expect(gapsOf(of(object({ a: { type: 'null' } })), one, 'open')).toEqual([
    'null at a: {"a":null}',
  ])
})

test('alternatives that only an undeclared property could make overlap do not', () => {
  const [color, alias] = [
    object({ r: TEXT }, { required: ['r'] }),
    object({ id: TEXT }, { required: ['id'] }),
  ]
  expect(gapsOf(of(color), of({ oneOf: [color, alias] }))).toEqual([])
  expect(gapsOf(of(color), of({ allOf: [color], not: { required: ['id'] } }))).toEqual([])
})

test('a schema within itself hides nothing from others that lead into it', () => {
  // A and C hold each other; D is C with the changed property forbidden, so that only the C within its A shows it.
  const version = (z: 'number' | 'integer') => ({
    A: object({ x: ref('C') }),
    C: object({ a: ref('A'), z: { type: z } }),
    D: { allOf: [ref('C'), object({ z: false })] },
  })
  const asked = compared(of(ref('A'), version('number')), of(ref('A'), version('integer')))
  const again = createContainment('strict')
  const [inner, outer] = [asked.inner, asked.outer].map((node) => childOf(node, ref('D')))
  expect(again.gapsOf([asked.inner], asked.outer)).toHaveLength(1)
  expect(inner && outer && again.gapsOf([inner], outer).map(({ path }) => pathText(path))).toEqual([
    'a.x.z',
  ])
})
