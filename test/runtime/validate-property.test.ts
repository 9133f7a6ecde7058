import '../fixed-seed.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  open,
  type Validator,
  type ValidatorSchema,
  validator,
} from '../../src/runtime/validate.js'
import { arbitrarySchema, arbitraryValue, type PlainSchema } from './arbitrary-schema.js'

const runs = { numRuns: Number(process.env.RUNS ?? 500) }
const values = () => fc.array(arbitraryValue(), { minLength: 10, maxLength: 20 })

test('a validator says what ajv says', () => {
  fc.assert(
    fc.property(arbitrarySchema().filter(ajvIsRightOn), values(), (schema, given) => {
      const ours = toValidator(schema)
      const theirs = ajvCheck(schema)
      for (const value of given) {
        const want = theirs(value)
        if (want !== 'crashed') expect([value, ours.check(value)]).toEqual([value, want])
      }
    }),
    runs,
  )
})

test('explain finds a fault, in a place that exists, exactly where check refuses', () => {
  fc.assert(
    fc.property(arbitrarySchema(), values(), (schema, given) => {
      const strict = toValidator(schema)
      for (const reader of [strict, open(strict)]) {
        for (const value of given) {
          const faults = reader.explain(value)
          expect([value, faults.length === 0]).toEqual([value, reader.check(value)])
          for (const { pointer, keyword, message } of faults) {
            expect(lookUp(value, pointer)).not.toBeUndefined()
            expect(keyword).not.toBe('')
            expect(message).toMatch(/^must /)
          }
        }
      }
    }),
    runs,
  )
})

test('the open reading accepts whatever the strict one accepts', () => {
  fc.assert(
    fc.property(arbitrarySchema(), values(), (schema, given) => {
      const strict = toValidator(schema)
      for (const value of given.filter(strict.check)) {
        expect([value, open(strict).check(value)]).toEqual([value, true])
      }
    }),
    runs,
  )
})

test('an undeclared property anywhere changes nothing for the open reading of a closed schema', () => {
  const shape = fc.letrec<{ schema: PlainSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<PlainSchema>({ type: 'string' }, { type: 'number' }, { type: 'null' }),
      fc.record({ type: fc.constant('array'), items: tie('schema') }),
      fc
        .dictionary(fc.constantFrom('a', 'b'), tie('schema'), { noNullPrototype: true })
        .map((properties) => ({ type: 'object', properties, additionalProperties: false })),
    ),
  })).schema
  fc.assert(
    fc.property(shape, values(), (schema, given) => {
      const reader = open(toValidator(schema))
      for (const value of given) {
        expect([value, reader.check(grow(value))]).toEqual([value, reader.check(value)])
      }
    }),
    runs,
  )
})

const toValidator = (schema: PlainSchema): Validator => validator(() => schema as ValidatorSchema)

const ajvCheck = (schema: PlainSchema): ((value: unknown) => boolean | 'crashed') => {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, validateSchema: false })
  const check = ajv.compile(schema)
  return (value) => {
    try {
      return check(value) === true
    } catch {
      return 'crashed'
    }
  }
}

/**
 * Where ajv 8.20 leaves 2020-12: `contains` evaluates no items (core 10.3.1.3), an `if` without `then`
 * and `else` evaluates nothing (core 10.2.2.1), and `contains: true` beside `prefixItems` accepts []. What an
 * `unevaluatedItems` of a branch has looked at counts as evaluated (core 11.2), and ajv forgets it where it is `{}`.
 * Its generated code throws on some unions under `unevaluatedProperties`; those answers are left out.
 */
const ajvIsRightOn = (schema: PlainSchema): boolean => {
  const uses = (keyword: string) => JSON.stringify(schema).includes(`"${keyword}":`)
  const nests = (keyword: string) => JSON.stringify(schema).split(`"${keyword}":`).length > 2
  if (nests('unevaluatedItems') || nests('unevaluatedProperties')) return false
  if (uses('contains') && (uses('unevaluatedItems') || uses('prefixItems'))) return false
  return !(uses('if') && (uses('unevaluatedItems') || uses('unevaluatedProperties')))
}

const lookUp = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], value)

const grow = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(grow)
  if (typeof value !== 'object' || value === null) return value
  const grown = Object.entries(value).map(([key, part]) => [key, grow(part)])
  return { ...Object.fromEntries(grown), undeclared: 1 }
}
