import { cached } from '../runtime/shared/cached.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { referredName, refTo, type Schema, type SchemaObject, type Schemas } from './schema.js'
import { type Discriminator, discriminatorOf } from './source.js'

/**
 * The schemas that a value of a schema may be by its discriminator, if the schema itself lists no alternatives: those that extend it by
 * `allOf`, directly or through others, and those that its mapping names (OpenAPI 3.0.3, 4.7.25.1). Empty for any other schema.
 */
export function createMembers(schemas: Schemas): (schema: Schema) => readonly SchemaObject[] {
  const descendants = descendantsIn(schemas)
  const names = new Map([...schemas].map(([name, { schema }]) => [schema, name]))
  return (schema) => {
    const found = discriminatorOf(schema)
    const name = names.get(schema)
    if (!found || name === undefined || typeof schema === 'boolean') return []
    if (schema.oneOf ?? schema.anyOf) return []
    return memberNames(name, found, descendants)
      .filter((one) => schemas.has(one))
      .map((one) => ({ $ref: refTo(one) }))
  }
}

/** The names of these schemas, for a schema of a document with a discriminator. */
export function memberNames(
  name: string,
  { mapping }: Pick<Discriminator, 'mapping'>,
  descendants: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  const mapped = Object.values(mapping).map((reference) => segmentsOf(reference).at(-1) ?? '')
  const members = new Set(
    [name, ...mapped].flatMap((one) => [one, ...(descendants.get(one) ?? [])]),
  )
  members.delete(name)
  return [...members]
}

/** Name -> the names of all schemas that extend this schema by `allOf`. */
export function descendantsIn(schemas: Schemas): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const [name, { schema }] of schemas) {
    const seen = new Set<string>()
    const waiting = [...parentsOf(schema)]
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      if (seen.has(one)) continue
      seen.add(one)
      cached(found, one, () => new Set<string>()).add(name)
      waiting.push(...parentsOf(schemas.get(one)?.schema ?? true))
    }
  }
  return found
}

function parentsOf(schema: Schema): readonly string[] {
  const parts = typeof schema === 'object' ? (schema.allOf ?? []) : []
  return parts.flatMap((part) => {
    const name = referredName(part)
    return name === undefined ? parentsOf(part) : [name]
  })
}
