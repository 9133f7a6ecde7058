import type { KeywordsOf } from '../runtime/validate.js'

export type { TypeName } from '../runtime/validate.js'

/**
 * One normalised JSON Schema, 2020-12, whatever dialect it was written in. A `$ref` is always
 * `#/components/schemas/NAME` with NAME a key of `Api.schemas`, and stands alone but for annotations.
 */
export type Schema = boolean | SchemaObject

export type SchemaObject = KeywordsOf<Schema> & { readonly $ref?: string }

/** The same schema with each direct subschema replaced by what `change` makes of it. */
export function mapSubschemas(
  schema: SchemaObject,
  change: (subschema: Schema) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(schema).map(([key, value]) => {
    if (value === undefined) return [key, value]
    if (SINGLE.has(key)) return [key, change(value as Schema)]
    if (LISTS.has(key)) return [key, (value as readonly Schema[]).map(change)]
    if (!MAPS.has(key)) return [key, value]
    const members = Object.entries(value as Record<string, Schema>)
    return [key, Object.fromEntries(members.map(([name, member]) => [name, change(member)]))]
  })
  return Object.fromEntries(entries)
}

/** Every direct subschema; with `inPlace` only those that read the same value as the schema itself. */
export function subschemas(schema: Schema, which: 'all' | 'in-place' = 'all'): readonly Schema[] {
  if (typeof schema === 'boolean') return []
  const found: Schema[] = []
  for (const [key, value] of Object.entries(schema)) {
    if (which === 'in-place' && !IN_PLACE.has(key)) continue
    if (SINGLE.has(key)) found.push(value as Schema)
    if (LISTS.has(key)) found.push(...(value as readonly Schema[]))
    if (MAPS.has(key)) found.push(...Object.values(value as Record<string, Schema>))
  }
  return found
}

/** The name that a reference refers to: a key of `Api.schemas`. */
export const referredName = (schema: Schema): string | undefined =>
  typeof schema === 'object' ? schema.$ref?.slice(REF.length) : undefined

export const refTo = (name: string): string => `${REF}${name}`

const REF = '#/components/schemas/'

const SINGLE = new Set(
  `items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if
  then else`.split(/\s+/),
)
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const IN_PLACE = new Set('allOf anyOf oneOf not if then else dependentSchemas'.split(' '))
