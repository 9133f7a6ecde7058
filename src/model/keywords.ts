/** The keywords of the schemas that we read, by what becomes of them. */
export const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'])

export const ANNOTATIONS = new Set(
  'title description default examples deprecated readOnly writeOnly format'.split(' '),
)

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
  contentEncoding contentMediaType contentSchema collectionFormat id`.split(/\s+/),
)

export const UNSUPPORTED = new Set([
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$anchor',
  '$vocabulary',
])
