/** The keywords of the schemas that we read, by what becomes of them. */
export const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'])

/** JSON Schema Validation, 8: the content of a text is an annotation and is not checked. */
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
  unevaluatedProperties allOf anyOf oneOf not if then else`.split(/\s+/),
)

/** Said elsewhere, or about presentation, or only a place that references point into. */
export const SILENT = new Set(
  `nullable discriminator xml externalDocs example $schema $id $comment $defs definitions
  collectionFormat id $anchor $dynamicAnchor $vocabulary`.split(/\s+/),
)

/** Keywords of 2019-09 alone. 2020-12 does not define them, so they are annotations (JSON Schema Core, 6.5). */
export const OUTDATED = new Set(['$recursiveRef', '$recursiveAnchor'])
