import type { Schema } from '../schema/schema.js'

/** `dependencies` of draft-07 as the two keywords of 2020-12. */
export function dependencies(
  value: Readonly<Record<string, unknown>>,
  schema: (node: unknown, name: string) => Schema,
): Record<string, unknown> {
  const rows = Object.entries(value)
  const required = rows.filter(([, need]) => Array.isArray(need))
  const schemas = rows.filter(([, need]) => !Array.isArray(need))
  return {
    ...(required.length > 0 && { dependentRequired: Object.fromEntries(required) }),
    ...(schemas.length > 0 && {
      dependentSchemas: Object.fromEntries(
        schemas.map(([name, node]) => [name, schema(node, name)]),
      ),
    }),
  }
}
