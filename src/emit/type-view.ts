import { mapSubschemas, type Schema, type SchemaObject } from '../schema/schema.js'
import { flowed } from './paragraphs.js'
import { isBinary, isNever, withPatterns } from './type-expression.js'

/**
 * A schema as openapi-typescript has to be shown it, so that it prints what the schema means: it
 * would read `anyOf` beside `properties` as an alternative to them, and knows neither `not: {}` nor
 * `patternProperties`.
 */
export function typeView(schema: Schema): unknown {
  if (typeof schema === 'boolean') return schema
  if (schema.$ref !== undefined) return { $ref: schema.$ref, ...said(schema) }
  if (isNever(schema)) return false
  if (schema.type === 'string' && isBinary(schema)) return { const: BINARY, ...said(schema) }
  if (schema.const === null) return { type: 'null', ...said(schema) }
  const { anyOf, oneOf, allOf, ...own } = mapSubschemas(kept(schema), typeView) as SchemaObject
  const unions = [anyOf && { anyOf }, oneOf && { oneOf }].filter((part) => part !== undefined)
  const own_ = withPatterns(own)
  // Beside allOf, openapi-typescript would apply `required` to each branch by a helper type that a union has no keys for.
  const isApart = allOf !== undefined && own_.required !== undefined
  if (unions.length === 0 && !isApart) return allOf ? { ...own_, allOf } : own_
  const described = Object.keys(own_).some((key) => SHAPING.has(key))
  if (!described && !allOf && unions.length === 1) return { ...own_, ...unions[0] }
  const parts = [...(described ? [strip(own_)] : []), ...(allOf ?? []), ...unions]
  return { ...said(schema), allOf: parts }
}

/** Stands for `Blob` until openapi-typescript has printed it; nobody writes such a constant. */
export const BINARY = 'twinspec:binary'

const said = ({ title, description, deprecated }: SchemaObject) => ({
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description: flowed(description).join('\n') }),
  ...(deprecated === true && { deprecated }),
})

const strip = ({ title, description, deprecated, ...rest }: SchemaObject) => rest

const SHAPING = new Set(['type', 'properties', 'additionalProperties', 'enum', 'const', 'required'])

/** What shapes a type or is worth a comment on it. */
function kept(schema: SchemaObject): SchemaObject {
  const entries = Object.entries(schema).filter(
    ([key]) => !key.startsWith('x-') && !SILENT.has(key),
  )
  return { ...Object.fromEntries(entries), ...said(schema) }
}

const SILENT = new Set(
  `not if then else dependentSchemas dependentRequired propertyNames contains unevaluatedProperties
  unevaluatedItems readOnly writeOnly examples pattern contentEncoding contentMediaType
  contentSchema`.split(/\s+/),
)
