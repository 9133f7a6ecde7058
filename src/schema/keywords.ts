/** The types and keywords of the supported dialects, grouped by their processing. */
export const JSON_TYPES = new Set([
  'null',
  'boolean',
  'object',
  'array',
  'number',
  'integer',
  'string',
])

/** JSON Schema Validation, 8: the content of a text is an annotation and is not validated. */
export const CONTENT = ['contentEncoding', 'contentMediaType', 'contentSchema'] as const

export const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...'title description default examples deprecated readOnly writeOnly format'.split(' '),
  ...CONTENT,
])

export const ASSERTIONS = new Set(
  `type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength
  pattern prefixItems items additionalItems contains maxContains minContains maxItems minItems
  uniqueItems unevaluatedItems maxProperties minProperties required properties patternProperties
  additionalProperties propertyNames dependentRequired dependentSchemas dependencies
  unevaluatedProperties allOf anyOf oneOf not if then else x-checked-format`.split(/\s+/),
)

/** Keywords that are processed elsewhere, concern presentation, or are only targets of references. */
export const SILENT = new Set(
  `nullable discriminator xml externalDocs example $schema $id $comment $defs definitions
  collectionFormat id $anchor $dynamicAnchor $vocabulary`.split(/\s+/),
)

/** Keywords of 2019-09 only. 2020-12 does not define them, so they are annotations (JSON Schema Core, 6.5). */
export const OUTDATED = new Set(['$recursiveRef', '$recursiveAnchor'])
