import { describe, expect, test } from 'vitest'
import {
  open,
  type Validator,
  type ValidatorSchema,
  validator,
} from '../../src/runtime/validate.js'

/** How often a leaf is asked, which stands in every level of a value. */
function counting(schemaOf: (self: Validator, leaf: Validator) => ValidatorSchema) {
  let steps = 0
  const leaf = {
    check: (value: unknown): value is unknown => {
      steps++
      return value === 'leaf'
    },
    explain: () => [],
  } as Validator
  const made: Validator = validator(() => schemaOf(made, leaf))
  return {
    stepsFor: (check: Validator, value: unknown) => {
      const before = steps
      const holds = check.check(value)
      return { holds, steps: steps - before }
    },
    made,
  }
}

const branch = (self: Validator, leaf: Validator, kind: string): ValidatorSchema => ({
  type: 'object',
  properties: { leaf, next: self, [kind]: true },
  required: [kind],
})

const UNIONS: readonly (readonly [
  string,
  (self: Validator, leaf: Validator) => ValidatorSchema,
])[] = [
  [
    'anyOf whose last branch is meant',
    (self, leaf) => ({
      anyOf: [{ type: 'null' }, ...['a', 'b', 'c'].map((kind) => branch(self, leaf, kind))],
    }),
  ],
  [
    'oneOf, which asks every branch',
    (self, leaf) => ({
      oneOf: [{ type: 'null' }, ...['a', 'b', 'c'].map((kind) => branch(self, leaf, kind))],
    }),
  ],
  [
    'allOf that follows the circle twice',
    (self, leaf) => ({
      type: ['null', 'object'],
      allOf: [{ properties: { next: self } }, { properties: { next: { allOf: [self] }, leaf } }],
    }),
  ],
]

const nested = (depth: number, end: unknown): unknown => {
  let value = end
  for (let level = 0; level < depth; level++) value = { leaf: 'leaf', next: value, c: 1 }
  return value
}

describe.each(UNIONS)('a circle that %s', (_, schemaOf) => {
  test('is followed in steps that grow as the value does, whatever its depth', () => {
    for (const depth of [20, 40, 60, 100, 200, 400]) {
      const { made, stepsFor } = counting(schemaOf)
      for (const [end, holds] of [
        [null, true],
        [5, false],
      ] as const) {
        for (const reading of [made, open(made)]) {
          const result = stepsFor(reading, nested(depth, end))
          expect([depth, result.holds]).toEqual([depth, holds])
          // Four readings of one level at most, for some levels stand in two runs; the first few are not remembered.
          expect(result.steps).toBeLessThan(MOST_ABOVE + 40 * depth)
        }
      }
    }
  })
})

/** Above the depth from which answers are kept, three branches ask 3, 9, 27 … times. */
const MOST_ABOVE = 3 ** 8

test('a guess that was wrong is no answer: what stands far below decides', () => {
  const list: Validator = validator(() => ({
    oneOf: [
      { type: 'null' },
      {
        type: 'object',
        properties: { next: list },
        required: ['next'],
        additionalProperties: false,
      },
      { type: 'object', properties: { next: { not: list } }, required: ['next'] },
    ],
  }))
  // Whatever ends it, one of the two branches holds of each level: neither both, nor none.
  for (const depth of [10, 49, 50, 51, 52, 99, 100, 101, 150, 201]) {
    let value: unknown = null
    for (let level = 0; level < depth; level++) value = { next: value }
    expect([depth, list.check(value)]).toEqual([depth, true])
  }
})
