import fc from 'fast-check'
import type { Plain } from '../../schema/contain/declared-only.js'
import { described, leaf, NAMES } from '../../schema/contain/random-schemas.js'

/** Unions of objects as documents have them: open and closed, with and without a tag, one that requires nothing among them. */
export const alternatives = (): fc.Arbitrary<Plain> =>
  fc
    .record({
      keyword: fc.constantFrom('oneOf', 'anyOf'),
      objects: fc.array(object(), { minLength: 2, maxLength: 4 }),
      isTagged: fc.boolean(),
      isNullable: fc.boolean(),
      base: fc.option(object()),
    })
    .map(({ keyword, objects, isTagged, isNullable, base }) => {
      const list = isTagged ? objects.map(tagged) : objects
      const union = {
        [keyword]: isNullable ? [...list, { type: 'null' }] : list,
        ...(isTagged && { discriminator: { propertyName: 'kind' } }),
      }
      return base ? { allOf: [{ ...(base as object), additionalProperties: true }, union] } : union
    })

type Described = {
  readonly properties: Readonly<Record<string, Plain>>
  readonly required: readonly string[]
}

const tagged = (one: Described, index: number): Plain => ({
  ...one,
  properties: { ...one.properties, kind: { const: `k${index}` } },
  required: [...one.required, 'kind'],
})

const object = (): fc.Arbitrary<Described> =>
  fc
    .record({
      properties: fc.dictionary(
        fc.constantFrom(...NAMES),
        fc.oneof({ arbitrary: scalar(), weight: 5 }, { arbitrary: described(), weight: 1 }),
        { maxKeys: 3, noNullPrototype: true },
      ),
      closing: fc.constantFrom('closed', 'open', 'any', 'map'),
      isRequired: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      access: fc.constantFrom(undefined, undefined, 'readOnly', 'writeOnly'),
      dependent: fc.option(scalar(), { freq: 5 }),
    })
    .map(({ properties, closing, isRequired, access, dependent }) => {
      const names = Object.keys(properties)
      const [first] = names
      const marked =
        access && first
          ? { ...properties, [first]: { allOf: [properties[first]], [access]: true } }
          : properties
      return {
        type: 'object',
        properties: marked as Record<string, Plain>,
        // OpenAPI requires a readOnly or writeOnly property in one direction only, which ajv does not know.
        required: names.filter((name, index) => isRequired[index] && !(access && name === first)),
        ...CLOSINGS[closing],
        ...(dependent &&
          first && { dependentSchemas: { [first]: { properties: { c: dependent } } } }),
      }
    })

const CLOSINGS: Readonly<Record<string, object>> = {
  closed: { additionalProperties: false },
  open: {},
  any: { additionalProperties: true },
  map: { additionalProperties: { type: ['integer', 'string'] } },
}

/** What parameters, headers and forms have: scalars, lists of them, and objects of them. */
export const texts = (): fc.Arbitrary<Plain> =>
  fc.oneof(
    { arbitrary: fc.oneof(leaf(), scalar()), weight: 4 },
    { arbitrary: fc.record({ anyOf: fc.tuple(scalar(), scalar()) }), weight: 1 },
    { arbitrary: fc.record({ type: fc.constant('array'), items: scalar() }), weight: 1 },
    {
      arbitrary: fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom(...NAMES), scalar(), { noNullPrototype: true }),
      }),
      weight: 2,
    },
    { arbitrary: together(), weight: 2 },
  )

/** Several schemas of one value, which may give it or its members different types. */
const together = (): fc.Arbitrary<Plain> => narrowing().map(({ whole }) => whole)

/** A schema, and the same one together with others of the same value; in either order. */
export const narrowedPairs = (): fc.Arbitrary<readonly [Plain, Plain]> =>
  fc
    .tuple(narrowing(), fc.boolean())
    .map(([{ first, whole }, isBack]) => (isBack ? [whole, first] : [first, whole]))

const narrowing = (): fc.Arbitrary<{ readonly first: Plain; readonly whole: Plain }> =>
  fc
    .record({
      made: fc.oneof(
        fc.array(plainScalar(), { minLength: 2, maxLength: 3 }),
        fc.array(fields(), { minLength: 2, maxLength: 3 }),
        fc.array(fc.record({ type: fc.constant('array'), items: plainScalar() }), {
          ...{ minLength: 2, maxLength: 2 },
        }),
      ),
      isWithin: fc.boolean(),
      keyword: fc.constantFrom('allOf', 'allOf', 'allOf', 'anyOf'),
      pattern: fc.oneof({ arbitrary: fc.constant(null), weight: 7 }, plainScalar()),
    })
    .map(({ made: [first = true, ...others], isWithin, keyword, pattern }) => {
      const beside = { ...(first as object), [keyword]: others }
      const whole = keyword === 'allOf' && !isWithin ? { allOf: [first, ...others] } : beside
      const patterns = pattern !== null && { patternProperties: { '^a': pattern } }
      return { first, whole: { ...whole, ...patterns } }
    })

const fields = (): fc.Arbitrary<Plain> =>
  fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(
      fc.constantFrom('a', 'b'),
      fc.oneof(
        { arbitrary: plainScalar(), weight: 5 },
        {
          arbitrary: fc.record({
            type: fc.constant('object'),
            properties: fc.dictionary(fc.constantFrom('a', 'b'), plainScalar(), {
              noNullPrototype: true,
            }),
          }),
          weight: 1,
        },
      ),
      { minKeys: 1, noNullPrototype: true },
    ),
  })

/** Mostly a type alone, so that terms differ in their types and in nothing else. */
const plainScalar = (): fc.Arbitrary<Plain> =>
  fc.oneof(
    {
      arbitrary: fc.constantFrom<Plain>(
        ...[{ type: 'integer' }, { type: 'number' }, { type: 'string' }, { type: 'string' }],
        ...[{ type: ['integer', 'string'] }, { minLength: 2 }],
      ),
      weight: 5,
    },
    { arbitrary: scalar(), weight: 1 },
  )

const scalar = (): fc.Arbitrary<Plain> =>
  fc.oneof(
    fc.constantFrom<Plain>(
      { type: 'boolean' },
      { type: 'integer' },
      { type: 'string' },
      { type: ['string', 'null'] },
      { type: ['integer', 'null'], minimum: 0 },
      { type: 'string', minLength: 1 },
      { type: 'string', enum: ['a', 'b'] },
      { type: 'number', maximum: 2 },
    ),
  )
