import { referredName, type Schema, type SchemaObject, type Schemas } from './schema.js'

/** A property with `readOnly` is in responses only, one with `writeOnly` in requests only (JSON Schema Validation, 9.4). */
export type DirectionMark = 'readOnly' | 'writeOnly'

/** Whether a property has the mark, itself or by the schema that it refers to. */
export const hasDirectionMark = (
  property: Schema,
  schemas: Schemas,
  mark: DirectionMark,
): boolean => {
  if (typeof property === 'boolean') return false
  const target = schemas.get(referredName(property) ?? '')?.schema
  return property[mark] === true || (typeof target === 'object' && target[mark] === true)
}

/** The names of the properties that have the mark. */
export const markedProperties = (
  { properties = {} }: SchemaObject,
  schemas: Schemas,
  mark: DirectionMark,
): ReadonlySet<string> =>
  new Set(
    Object.keys(properties).filter((name) =>
      hasDirectionMark(properties[name] ?? true, schemas, mark),
    ),
  )
