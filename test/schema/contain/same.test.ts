import { describe, expect, test } from 'vitest'
import type { Schema, SchemaObject } from '../../../src/schema/schema.js'
import { ref, type Version } from './containing.js'
import { gapsOf, object, of, TEXT, text } from './shorthand.js'

const TWO = { minLength: 2, maxLength: 2, pattern: '^.*$' }
const NULLABLE: Schema = { anyOf: [TEXT, { type: 'null' }] }
const NOT_INTEGER: Schema = { type: 'number', multipleOf: 1 }
const INT: Schema = { type: 'integer' }
const BY_ONE: Schema = { type: 'number', multipleOf: 1 }
const once = (integer: Schema): Schema => ({
  oneOf: [
    { type: 'boolean' },
    { not: { type: 'boolean' } },
    { oneOf: [integer, { type: 'integer' }, {}] },
  ],
})
const OPEN = { additionalProperties: true }
const UNEVALUATED: SchemaObject = {
  allOf: [{ properties: { a: TEXT } }],
  unevaluatedProperties: TEXT,
}
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
const IF_ELSE: SchemaObject = { if: { type: 'integer' }, then: { minimum: 1 }, else: TEXT }

describe('the same in other words', () => {
  const pet = object({ name: { type: 'string' } }, { required: ['name'] })
  const cat = object({ kind: { const: 'cat' } }, { required: ['kind'] })
  const dog = object({ kind: { const: 'dog' } }, { required: ['kind'] })
  const node = (next: string) => object({ next: ref(next), value: { type: 'integer' } })

  test.each<[what: string, one: Version, other: Version]>([
    ['a reference and what it refers to', of(ref('Pet'), { Pet: pet }), of(pet)],
    ['a schema renamed', of(ref('Pet'), { Pet: pet }), of(ref('Animal'), { Animal: pet })],
    ['a oneOf reordered', of({ oneOf: [cat, dog] }), of({ oneOf: [dog, cat] })],
    ['an enum of one and a const', of({ enum: ['a'] }), of({ const: 'a' })],
    ['an enum reordered', of({ enum: ['a', 1] }), of({ enum: [1, 'a'] })],
    [
      'an allOf flattened',
      of({ allOf: [object({ name: { type: 'string' } }), { required: ['name'] }] }),
      of(pet),
    ],
    [
      'an allOf with a part that says nothing',
      of({ not: { allOf: [{}, TEXT] } }),
      of({ not: TEXT }),
    ],
    ['an allOf of one', of({ allOf: [pet] }), of(pet)],
    ['null as a type and as an alternative', of({ type: ['string', 'null'] }), of(NULLABLE)],
    ['null as a constant', of({ type: 'null' }), of({ const: null })],
    ['integers and multiples of 1', of({ type: 'integer' }), of({ type: 'number', multipleOf: 1 })],
    ['integers and multiples of 1 where alternatives overlap', of(once(INT)), of(once(BY_ONE))],
    ['both booleans listed', of({ type: 'boolean' }), of({ enum: [true, false] })],
    ['a pattern that bounds a length', of(text({ pattern: '^.{2}$' })), of(text(TWO))],
    ['two alternations', of(text({ pattern: '^(a|b)$' })), of(text({ pattern: '^[ab]$' }))],
    [
      'a union that covers together',
      of({ type: 'integer', minimum: 0, maximum: 9 }),
      of({
        type: 'integer',
        anyOf: [
          { minimum: 0, maximum: 4 },
          { minimum: 5, maximum: 9 },
        ],
      }),
    ],
    [
      'a tagged union and a tag of two values',
      of({ oneOf: [cat, dog] }),
      of(object({ kind: { enum: ['dog', 'cat'] } }, { required: ['kind'] })),
    ],
    [
      'recursion, and recursion in two steps',
      of(ref('A'), { A: node('A') }),
      of(ref('A'), { A: node('B'), B: node('A') }),
    ],
    [
      'a forbidden property in three spellings',
      of(object({ a: { not: {} } })),
      of(object({ a: false })),
    ],
    ['if and else in other words', of(IF_ELSE), of({ ...IF_ELSE, else: { allOf: [TEXT] } })],
    ['a double negation of a type', of({ not: { not: TEXT } }), of(TEXT)],
    ['a not of integers', of({ not: { type: 'integer' } }), of({ not: NOT_INTEGER })],
    ['unevaluated beside other annotations', of(UNEVALUATED), of({ title: 'x', ...UNEVALUATED })],
    ['an undeclared property left open or said to be', of(object({})), of(object({}, OPEN))],
    ['an alternative that nothing fulfils', of({ anyOf: [TEXT, false] }), of(TEXT)],
  ])('%s', (_, one, other) => {
    for (const reading of ['strict', 'open'] as const) {
      expect([gapsOf(one, other, reading), gapsOf(other, one, reading)]).toEqual([[], []])
    }
  })
})
