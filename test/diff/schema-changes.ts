const TEXT = '{ type: string }'
const NUMBER = '{ type: number }'
const FROM = '{ type: number, exclusiveMinimum:'
const CONTAINS = '{ type: array, contains: { const: 1 }'
const PLACES = '{ type: array, prefixItems: ['
const A = '{ type: object, properties: { a: { type: string } }'
const AB = '{ type: object, properties: { a: { type: string }, b: { type: string } }'
const OPEN_MAP = '{ type: object, additionalProperties: { type: string }'
const MAP = `${OPEN_MAP} }`

/**
 * Changes that narrow a schema, as oasdiff's breaking checks have them, without their direction and place: the schemas before
 * and after. One way round they break requests, the other way responses.
 */
export const NARROWED: readonly SchemaChange[] = [
  ['type-changed', '{ type: string }', '{ type: integer }'],
  ['list-of-types-narrowed', '{ type: [string, integer] }', '{ type: string }'],
  ['became-not-nullable', '{ type: [string, "null"] }', '{ type: string }'],
  ['became-enum', '{ type: string }', '{ type: string, enum: [a] }'],
  ['enum-value-removed', '{ enum: [a, b] }', '{ enum: [a] }'],
  ['const-added', '{ type: string }', '{ const: a }'],
  ['const-changed', '{ const: a }', '{ const: b }'],
  ['max-set', '{ type: number }', '{ type: number, maximum: 1 }'],
  ['max-decreased', '{ type: number, maximum: 2 }', '{ type: number, maximum: 1 }'],
  ['min-set', '{ type: number }', '{ type: number, minimum: 1 }'],
  ['exclusive-max-set', '{ type: number }', '{ type: number, exclusiveMaximum: 1 }'],
  ['exclusive-min-increased', `${FROM} 1 }`, `${FROM} 2 }`],
  ['max-length-set', '{ type: string }', '{ type: string, maxLength: 1 }'],
  ['min-length-increased', '{ type: string, minLength: 1 }', '{ type: string, minLength: 2 }'],
  ['pattern-added', '{ type: string }', '{ type: string, pattern: ^a }'],
  ['min-items-set', '{ type: array }', '{ type: array, minItems: 1 }'],
  ['max-items-decreased', '{ type: array, maxItems: 2 }', '{ type: array, maxItems: 1 }'],
  ['contains-added', '{ type: array }', '{ type: array, contains: { const: 1 } }'],
  ['max-contains-decreased', `${CONTAINS}, maxContains: 2 }`, `${CONTAINS}, maxContains: 1 }`],
  ['prefix-items-removed', `${PLACES} { type: string }] }`, `${PLACES} false] }`],
  ['unevaluated-items-added', '{ type: array }', '{ type: array, unevaluatedItems: false }'],
  ['became-required', `${A} }`, `${A}, required: [a] }`],
  ['new-required-property', '{ type: object }', `${A}, required: [a] }`],
  ['property-type-changed', `${A} }`, '{ type: object, properties: { a: { type: integer } } }'],
  ['dependent-required-added', `${AB} }`, `${AB}, dependentRequired: { a: [b] } }`],
  ['dependent-schema-added', `${AB} }`, `${AB}, dependentSchemas: { a: { required: [b] } } }`],
  ['if-added', `${AB} }`, `${AB}, if: { required: [a] }, then: { required: [b] } }`],
  ['else-added', `${AB} }`, `${AB}, if: { required: [a] }, else: { required: [b] } }`],
  ['property-names-added', MAP, `${OPEN_MAP}, propertyNames: { maxLength: 1 } }`],
  ['pattern-property-added', MAP, `${OPEN_MAP}, patternProperties: { ^a: { type: integer } } }`],
  ['all-of-added', `${A} }`, `{ allOf: [${A} }, { required: [a] }] }`],
  ['any-of-removed', `{ anyOf: [${TEXT}, ${NUMBER}] }`, `{ anyOf: [${TEXT}] }`],
  ['one-of-removed', `{ oneOf: [${TEXT}, ${NUMBER}] }`, `{ oneOf: [${TEXT}] }`],
  ['not-added', TEXT, '{ type: string, not: { const: a } }'],
  ['wrapped-in-one-of', NUMBER, `{ oneOf: [{ type: integer }, ${TEXT}] }`],
]

export type SchemaChange = readonly [check: string, before: string, after: string]
