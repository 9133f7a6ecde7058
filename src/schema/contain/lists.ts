import type { SchemaObject } from '../schema.js'
import { isEqual } from './json-values.js'

/** The types that a schema lists; undefined where it lists none. */
export const typesIn = ({ type }: SchemaObject): readonly string[] | undefined =>
  typeof type === 'string' ? [type] : type

/** The values that a schema lists, of which a `const` is one; undefined where it lists none. */
export const valuesIn = (schema: SchemaObject): readonly unknown[] | undefined =>
  Object.hasOwn(schema, 'const')
    ? (schema.enum?.filter((one) => isEqual(one, schema.const)) ?? [schema.const])
    : schema.enum
