/**
 * One normalised JSON Schema, 2020-12, whatever dialect it was written in. A `$ref` is always
 * `#/components/schemas/NAME` with NAME a key of `Api.schemas`, and stands alone but for annotations.
 */
export type Schema = boolean | SchemaObject

export type SchemaObject = {
  readonly $ref?: string
  readonly type?: TypeName | readonly TypeName[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly multipleOf?: number
  readonly maximum?: number
  readonly exclusiveMaximum?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maxLength?: number
  readonly minLength?: number
  readonly pattern?: string
  readonly prefixItems?: readonly Schema[]
  readonly items?: Schema
  readonly contains?: Schema
  readonly maxContains?: number
  readonly minContains?: number
  readonly maxItems?: number
  readonly minItems?: number
  readonly uniqueItems?: boolean
  readonly unevaluatedItems?: Schema
  readonly maxProperties?: number
  readonly minProperties?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema
  readonly propertyNames?: Schema
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  readonly dependentSchemas?: Readonly<Record<string, Schema>>
  readonly unevaluatedProperties?: Schema
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly not?: Schema
  readonly if?: Schema
  readonly then?: Schema
  readonly else?: Schema
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly deprecated?: boolean
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  readonly format?: string
  readonly [extension: `x-${string}`]: unknown
}

export type TypeName = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'integer' | 'string'

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
