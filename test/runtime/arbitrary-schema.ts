import fc from 'fast-check'

/** Plain 2020-12 schemas over a small world, so that values often meet them. */
export const arbitrarySchema = (): fc.Arbitrary<PlainSchema> =>
  fc.letrec<{ schema: PlainSchema }>((tie) => {
    const schema = tie('schema')
    const schemas = fc.array(schema, { minLength: 1, maxLength: 3 })
    const map = fc.dictionary(name, schema, { maxKeys: 3, noNullPrototype: true })
    const keywords: Record<string, fc.Arbitrary<unknown>> = {
      type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 })),
      enum: fc.array(arbitraryValue(), { minLength: 1, maxLength: 3 }),
      const: arbitraryValue(),
      multipleOf: fc.constantFrom(1, 2, 0.5),
      maximum: small,
      exclusiveMaximum: small,
      minimum: small,
      exclusiveMinimum: small,
      maxLength: size,
      minLength: size,
      pattern: fc.constantFrom('^a', 'b$', '^\\w+$', '^$', '^[^a]*$'),
      prefixItems: schemas,
      items: schema,
      contains: schema,
      minContains: size,
      maxContains: size,
      maxItems: size,
      minItems: size,
      uniqueItems: fc.boolean(),
      unevaluatedItems: schema,
      maxProperties: size,
      minProperties: size,
      required: names,
      properties: map,
      patternProperties: fc.dictionary(fc.constantFrom('^a', 'b', '^.$'), schema, {
        maxKeys: 2,
        noNullPrototype: true,
      }),
      additionalProperties: schema,
      propertyNames: schema,
      dependentRequired: fc.dictionary(name, names, { maxKeys: 2, noNullPrototype: true }),
      dependentSchemas: map,
      unevaluatedProperties: schema,
      allOf: schemas,
      anyOf: schemas,
      oneOf: schemas,
      not: schema,
      if: schema,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: schema,
      else: schema,
    }
    const chosen = fc
      .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { maxLength: 4 })
      .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, arbitrary(key)]))))
    const arbitrary = (key: string) => keywords[key] ?? fc.constant(true)
    const flat = fc.oneof(fc.boolean(), fc.record({ type: typeName }), union)
    return { schema: fc.oneof({ maxDepth: 3, depthIdentifier: 'schema' }, flat, chosen) }
  }).schema

export type PlainSchema = boolean | { readonly [keyword: string]: unknown }

export const arbitraryValue = (): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'value' },
      fc.constantFrom('', 'a', 'b', 'ab', 'ba', '💩', '0', null, true, false),
      fc.constantFrom(-1, 0, 0.5, 1, 2, 3),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value

const name = fc.constantFrom('a', 'b', 'ab', 'c')
const names = fc.uniqueArray(name, { maxLength: 2 })
const small = fc.integer({ min: -1, max: 3 })
const size = fc.integer({ min: 0, max: 3 })
const typeName = fc.constantFrom(
  'null',
  'boolean',
  'object',
  'array',
  'number',
  'integer',
  'string',
)

/** What the fast path for discriminated unions looks for. */
const union = fc
  .record({
    keyword: fc.constantFrom('oneOf', 'anyOf'),
    literals: fc.array(fc.constantFrom('a', 'b', 1, null), { minLength: 2, maxLength: 3 }),
    key: name,
    required: fc.boolean(),
    closed: fc.boolean(),
  })
  .map(({ keyword, literals, key, required, closed }) => ({
    [keyword]: literals.map((literal) => ({
      ...(required && { required: [key] }),
      properties: { [key]: { const: literal } },
      ...(closed && { additionalProperties: false }),
    })),
  }))
