import { isBigint, isDateObject } from '../schema/bigints.js'
import {
  isNever,
  mapSubschemas,
  referredName,
  type Schema,
  type SchemaObject,
  type Schemas,
} from '../schema/schema.js'
import { commentTitle } from './print-node.js'
import { schemaComment } from './schema-comment.js'
import {
  isBinary,
  isEmptyObject,
  isHexPattern,
  withItemsInBranches,
  withKnownKeys,
  withPatterns,
} from './type-expression.js'

export type ViewTerms = {
  /** How a named schema is referred to. */
  readonly refer: (name: string) => string
  /** Whether the type of an object does not have a property: it belongs to the other direction. */
  readonly isOmitted: (property: Schema) => boolean
  /** Whether an optional property is always there. */
  readonly isPresent?: (property: Schema) => boolean
  readonly schemas: Schemas
}

/** A part of an operation with every schema replaced by its view. `requestBody` and `responses` may have terms of their own. */
export function withViews(
  value: unknown,
  terms: ViewTerms,
  own: Readonly<Record<string, ViewTerms>> = {},
): unknown {
  if (Array.isArray(value)) return value.map((one) => withViews(one, terms))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === 'schema' ? typeView(member, terms) : withViews(member, own[key] ?? terms),
    ]),
  )
}

/**
 * A form of a schema from which openapi-typescript prints the correct type. It reads `anyOf` next to `properties`
 * as an alternative to them, and does not support `not: {}`, `patternProperties` or a boolean in `allOf`. `name` is that of the
 * property or type.
 */
export function typeView(written: Schema, terms: ViewTerms, name?: string): unknown {
  if (typeof written === 'boolean') return written
  const own = withoutOmitted(written, terms)
  const schema = withKnownKeys(withPresent(own, terms), terms.schemas)
  const comment = commentTitle(...schemaComment(schema, name))
  const referred = referredName(schema)
  if (referred !== undefined) return { $ref: terms.refer(referred), ...comment }
  if (isNever(schema)) return false
  const mark = markOf(schema) ?? (own === written ? undefined : markOfEmptied(schema))
  if (mark !== undefined) {
    const marked = { type: 'string', [mark]: true }
    const isNullable = [schema.type].flat().includes('null')
    return { ...(isNullable ? { anyOf: [marked, { type: 'null' }] } : marked), ...comment }
  }
  if (schema.const === null) return { type: 'null', ...comment }
  // openapi-typescript would read the values of an enum of objects as schemas.
  if (schema.enum?.some((value) => typeof value === 'object' && value !== null)) {
    const values = schema.enum.map((value) => typeView({ const: value }, terms))
    return { anyOf: values, ...comment }
  }
  const view = (one: Schema) => typeView(one, terms)
  const read = withItemsInBranches(kept(schema))
  const { properties, ...others } = read
  const { anyOf, oneOf, allOf: every, ...rest } = mapSubschemas(others, view) as SchemaObject
  const plainView = {
    ...comment,
    ...rest,
    ...(properties && { properties: propertyViews(properties, terms) }),
  } as SchemaObject
  if (every?.includes(false)) return false
  const allOf = every?.some((one) => one !== true) ? every.filter((one) => one !== true) : undefined
  const unions = [anyOf && { anyOf }, oneOf && { oneOf }].filter((part) => part !== undefined)
  const shape = withPatterns(plainView)
  // Next to allOf, openapi-typescript applies `required` to each branch with a helper type, but a union has no such keys.
  // The type of a list, which `contextOf` prints, would replace that of a property together with its branches.
  const isApart = allOf !== undefined && (shape.required !== undefined || shape.type === 'array')
  if (unions.length === 0 && !isApart) return allOf ? { ...shape, allOf } : shape
  const described = Object.keys(shape).some((key) => SHAPING.has(key))
  if (!described && !allOf && unions.length === 1) return { ...shape, ...unions[0] }
  const { title, ...plain } = shape
  return {
    ...comment,
    allOf: [...(described ? [plain] : []), ...(allOf ?? []), ...unions],
  }
}

/** The mark of a schema whose type openapi-typescript does not print. */
export type Mark =
  | 'x-binary'
  | 'x-bigint'
  | 'x-empty'
  | 'x-hex'
  | 'x-without-members'
  | 'x-date-object'

const markOf = (schema: SchemaObject): Mark | undefined => {
  if (isBinary(schema)) return 'x-binary'
  if (isBigint(schema)) return 'x-bigint'
  if (isDateObject(schema)) return 'x-date-object'
  if (isEmptyObject(schema)) return 'x-empty'
  return isHexPattern(schema) && !schema.enum ? 'x-hex' : undefined
}

/** A schema without the properties that its type does not have. */
const withoutOmitted = (schema: SchemaObject, { isOmitted }: ViewTerms): SchemaObject => {
  const all = Object.entries(schema.properties ?? {})
  const kept = all.filter(([, property]) => !isOmitted(property))
  return kept.length === all.length ? schema : { ...schema, properties: Object.fromEntries(kept) }
}

/** A schema that requires what is always there. */
const withPresent = (schema: SchemaObject, { isPresent }: ViewTerms): SchemaObject => {
  if (isPresent === undefined || schema.properties === undefined) return schema
  const present = Object.entries(schema.properties).flatMap(([key, one]) =>
    isPresent(one) ? [key] : [],
  )
  return present.length === 0
    ? schema
    : { ...schema, required: [...new Set([...(schema.required ?? []), ...present])] }
}

/** An object whose properties are all omitted is no map: it would take them back. */
const markOfEmptied = (schema: SchemaObject): Mark | undefined =>
  isEmptyObject({ ...schema, additionalProperties: schema.additionalProperties ?? false })
    ? 'x-without-members'
    : undefined

const propertyViews = (properties: Readonly<Record<string, Schema>>, terms: ViewTerms) =>
  Object.fromEntries(
    Object.entries(properties).map(([key, property]) => [key, typeView(property, terms, key)]),
  )

const SHAPING = new Set(['type', 'properties', 'additionalProperties', 'enum', 'const', 'required'])

/** The keywords that affect a type. */
function kept(schema: SchemaObject): SchemaObject {
  const entries = Object.entries(schema).filter(
    ([key]) => !key.startsWith('x-') && !SILENT.has(key),
  )
  return Object.fromEntries(entries)
}

const SILENT = new Set(
  `not if then else dependentSchemas dependentRequired propertyNames contains unevaluatedProperties
  unevaluatedItems readOnly writeOnly examples pattern contentEncoding contentMediaType
  contentSchema title description deprecated default format`.split(/\s+/),
)
