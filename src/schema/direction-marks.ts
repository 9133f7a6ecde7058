import { referredName, type Schema, type SchemaObject, type Schemas } from './schema.js'

/** A property with `readOnly` is in responses only, one with `writeOnly` in requests only (JSON Schema Validation, 9.4). */
export type DirectionMark = 'readOnly' | 'writeOnly'

/**
 * Whether every value of a property has the mark: by its own schema, by one that it refers to or has in `allOf`, or by each of
 * its alternatives. A value has the marks of the subschemas that it is valid for (JSON Schema Core, 7.7.1), so `null` beside a
 * marked alternative has none.
 *
 * ```ts
 * hasDirectionMark({ allOf: [{ $ref: '#/components/schemas/Secret' }] }, schemas, 'writeOnly') // true if Secret has it
 * ```
 */
export const hasDirectionMark = (
  property: Schema,
  schemas: Schemas,
  mark: DirectionMark,
  passed: ReadonlySet<Schema> = new Set(),
): boolean => {
  if (typeof property === 'boolean' || passed.has(property)) return false
  if (property[mark] === true) return true
  const above = new Set([...passed, property])
  const isMarked = (one: Schema) => hasDirectionMark(one, schemas, mark, above)
  const target = schemas.get(referredName(property) ?? '')?.schema
  if (target !== undefined && isMarked(target)) return true
  return (
    (property.allOf ?? []).some(isMarked) ||
    [property.anyOf, property.oneOf].some((list = []) => list.length > 0 && list.every(isMarked))
  )
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
