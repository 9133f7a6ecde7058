import { ANNOTATIONS } from '../schema/keywords.js'
import type { SchemaObject, TypeName } from '../schema/schema.js'

/**
 * Whether builders of TypeBox, each for a part of a schema, say together what the schema says: not
 * beside `const` and `enum`, which take no other keyword, nor under `unevaluatedProperties`, which
 * no part sees whole.
 */
export function isDivisible(schema: SchemaObject): boolean {
  const said = assertions(schema).filter((key) => key !== 'type')
  if (said.includes('unevaluatedProperties') || said.includes('unevaluatedItems')) return false
  if (!said.includes('const') && !said.includes('enum')) return true
  const values = said.includes('const') ? [schema.const] : (schema.enum ?? [])
  return said.length === 1 && values.every((value) => isOfType(value, schema.type))
}

export const assertions = (schema: SchemaObject): readonly string[] =>
  Object.keys(schema).filter((key) => !key.startsWith('x-') && !ANNOTATIONS.has(key))

function isOfType(value: unknown, types: SchemaObject['type']): boolean {
  if (types === undefined) return true
  return [types].flat().some((type: TypeName) => {
    if (type === 'null') return value === null
    if (type === 'integer') return Number.isInteger(value)
    if (type === 'array') return Array.isArray(value)
    if (type === 'object') {
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    }
    return typeof value === type
  })
}
