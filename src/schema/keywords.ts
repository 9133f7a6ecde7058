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

/** The type that a keyword is about (JSON Schema Validation, 6.2 to 6.5; Core, 10.3); undefined for keywords about every type. */
export const typeOfKeyword = (
  keyword: string,
): 'number' | 'string' | 'array' | 'object' | undefined =>
  OF_TYPE.find(([, keywords]) => keywords.has(keyword))?.[0]

const OF_TYPE = [
  ['number', of('multipleOf maximum exclusiveMaximum minimum exclusiveMinimum')],
  ['string', of('maxLength minLength pattern')],
  [
    'array',
    of(`prefixItems items additionalItems contains maxContains minContains maxItems minItems uniqueItems
      unevaluatedItems`),
  ],
  [
    'object',
    of(`maxProperties minProperties required properties patternProperties additionalProperties
      propertyNames dependentRequired dependentSchemas dependencies unevaluatedProperties`),
  ],
] as const

function of(keywords: string): ReadonlySet<string> {
  return new Set(keywords.split(/\s+/))
}

/** Keywords that are processed elsewhere, concern presentation, or are only targets of references. */
export const SILENT = new Set(
  `nullable discriminator xml externalDocs example $schema $id $comment $defs definitions
  collectionFormat id $anchor $dynamicAnchor $vocabulary`.split(/\s+/),
)

/** Keywords of 2019-09 only. 2020-12 does not define them, so they are annotations (JSON Schema Core, 6.5). */
export const OUTDATED = new Set(['$recursiveRef', '$recursiveAnchor'])
