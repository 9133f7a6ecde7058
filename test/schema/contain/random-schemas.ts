import fc from 'fast-check'
import { arbitrarySchema } from '../../runtime/arbitrary-schema.js'
import type { Plain } from './declared-only.js'

/** Schemas as people write them, most of one type with its own keywords, and some of any keywords at all. */
export const schemas = (): fc.Arbitrary<Plain> =>
  fc.oneof({ arbitrary: described(), weight: 4 }, { arbitrary: arbitrarySchema(), weight: 1 })

/** Values of the same small world. */
export const values = (): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      fc.constantFrom(0, 1, 2, -1, 3, 4, 5, 0.5, 1.5, 2.5),
      fc.constantFrom('', 'a', 'b', 'ab', 'aab', 'ba', 'bb', 'x', 'abab', 'c'),
      fc.constantFrom(true, false, null),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'x', 'ab'), tie('any'), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
      fc.array(tie('any'), { maxLength: 3 }),
    ),
  })).any

export const described = (): fc.Arbitrary<Plain> =>
  fc.letrec<{ any: Plain }>((tie) => {
    const any = tie('any')
    const branches = fc.array(any, { minLength: 1, maxLength: 3 })
    return {
      any: fc.oneof(
        { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
        { arbitrary: leaf(), weight: 4 },
        { arbitrary: object(any), weight: 4 },
        { arbitrary: array(any), weight: 2 },
        { arbitrary: fc.record({ oneOf: branches }), weight: 2 },
        { arbitrary: fc.record({ anyOf: branches }), weight: 2 },
        { arbitrary: fc.record({ allOf: branches }), weight: 1 },
        { arbitrary: fc.record({ not: leaf() }), weight: 1 },
        {
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          arbitrary: fc.record({ if: any, then: any, else: any }, { requiredKeys: ['if'] }),
          weight: 1,
        },
        { arbitrary: depending(any), weight: 1 },
      ),
    }
  }).any

export const leaf = (): fc.Arbitrary<Plain> =>
  fc.oneof(
    partly(
      { type: fc.constant('integer') },
      { minimum: small(), maximum: small(), multipleOf: fc.constantFrom(1, 2, 3) },
    ),
    partly(
      { type: fc.constant('number') },
      {
        exclusiveMinimum: small(),
        maximum: fc.constantFrom(0.5, 1, 2.5, 4),
        multipleOf: fc.constantFrom(0.5, 1, 2),
      },
    ),
    partly(
      { type: fc.constant('string') },
      {
        minLength: size(),
        maxLength: size(),
        pattern: fc.constantFrom('^a', 'b$', '^[ab]*$', '^a{1,2}b?$', 'a|b', '^(a|b)+$'),
      },
    ),
    fc.constantFrom<Plain>({ type: 'boolean' }, { type: 'null' }, {}, true, false),
    fc.record({ enum: fc.subarray([0, 1, 'a', 'ab', true, null, 1.5, { a: 1 }], AT_LEAST_ONE) }),
    fc.record({ const: fc.constantFrom(0, 1, 'a', null) }),
  )

const object = (any: fc.Arbitrary<Plain>): fc.Arbitrary<Plain> =>
  partly(
    {
      type: fc.constantFrom('object', ['object', 'null'], ['object', 'string']),
      properties: members(any, 3),
    },
    {
      required: fc.subarray([...NAMES]),
      additionalProperties: any,
      minProperties: size(),
      maxProperties: size(),
      patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$', '^x'), any, {
        maxKeys: 1,
        noNullPrototype: true,
      }),
      dependentRequired: fc.dictionary(fc.constantFrom('a', 'b'), fc.subarray(['b', 'c']), {
        noNullPrototype: true,
      }),
      propertyNames: fc.constantFrom({ pattern: '^[abc]' }, { maxLength: 1 }),
    },
  )

const array = (any: fc.Arbitrary<Plain>): fc.Arbitrary<Plain> =>
  partly(
    { type: fc.constant('array') },
    {
      items: any,
      prefixItems: fc.array(any, { minLength: 1, maxLength: 2 }),
      minItems: size(),
      maxItems: size(),
      uniqueItems: fc.boolean(),
      contains: any,
      minContains: size(),
      maxContains: size(),
    },
  )

const depending = (any: fc.Arbitrary<Plain>): fc.Arbitrary<Plain> =>
  fc.record({
    type: fc.constant('object'),
    properties: members(any, 2),
    dependentSchemas: members(any, 1),
  })

const members = (any: fc.Arbitrary<Plain>, maxKeys: number) =>
  fc.dictionary(fc.constantFrom(...NAMES), any, { maxKeys, noNullPrototype: true })

/** Each of the optional keywords is there in half of them. */
const partly = (
  always: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<Plain> => {
  const maybe = Object.fromEntries(
    Object.entries(optional).map(([key, one]) => [
      key,
      fc.option(one, { freq: 1, nil: undefined }),
    ]),
  )
  return fc
    .record({ ...always, ...maybe })
    .map(
      (made) =>
        Object.fromEntries(Object.entries(made).filter(([, said]) => said !== undefined)) as Plain,
    )
}

export const NAMES = ['a', 'b', 'c'] as const

const AT_LEAST_ONE = { minLength: 1 }
const small = () => fc.integer({ min: -3, max: 4 })
const size = () => fc.integer({ min: 0, max: 3 })
