import { referredName, type Schema, subschemas } from '../schema/schema.js'

/**
 * The most subschemas of a type that the compiler infers from a value, which expands each named schema. If schemas refer to the
 * next one twice, that type doubles at each level. Larger types are written out.
 */
export const LARGEST_INFERRED = 1000

/** The number of subschemas of an inferred type; `sizes` has those of the named schemas. */
export const sizeOf = (schema: Schema, sizes: ReadonlyMap<string, number>): number => {
  if (typeof schema === 'boolean') return 1
  const name = referredName(schema)
  if (name !== undefined) return sizes.get(name) ?? 1
  return subschemas(schema).reduce((sum, one) => sum + sizeOf(one, sizes), 1)
}
