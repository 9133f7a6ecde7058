import { referredName, type Schema, type Schemas, subschemas } from './schema.js'
import { type Discriminator, discriminatorOf } from './source.js'

/**
 * The schemas, where each that a discriminator means has the value that means it as an example (OpenAPI 3.1, Discriminator
 * Object): as a branch of a union, or with the schema that has the discriminator in its `allOf`. No value is checked against it.
 */
export function withDiscriminators(schemas: Schemas): Schemas {
  const all = [...schemas].flatMap(([name, { schema }]) =>
    within(schema).map((part) => ({ name, part })),
  )
  const tags = new Map<string, Record<string, Schema>>()
  const tag = (name: string | undefined, { propertyName, mapping }: Discriminator): void => {
    if (name === undefined || !schemas.has(name)) return
    const names = [name, name.replace(/(Request|Response)$/, '')]
    const [value = names.at(-1)] =
      Object.entries(mapping).find(([, target]) =>
        names.includes(target.split(/[/#]/).at(-1) ?? ''),
      ) ?? []
    tags.set(name, { ...tags.get(name), [propertyName]: { examples: [value] } })
  }
  for (const { name, part } of all) {
    const own = discriminatorOf(part)
    const { oneOf = [], anyOf = [], allOf = [] } = typeof part === 'object' ? part : {}
    if (own) for (const branch of [...oneOf, ...anyOf]) tag(referredName(branch), own)
    if (schemas.get(name)?.schema !== part) continue
    for (const parent of allOf) {
      const of = schemas.get(referredName(parent) ?? '')?.schema
      const found = of === undefined ? undefined : discriminatorOf(of)
      if (found) tag(name, found)
    }
  }
  if (tags.size === 0) return schemas
  return new Map(
    [...schemas].map(([name, one]) => {
      const properties = tags.get(name)
      return [name, properties ? { schema: { allOf: [{ properties }, one.schema] } } : one]
    }),
  )
}

const within = (schema: Schema): readonly Schema[] => [
  schema,
  ...subschemas(schema).flatMap(within),
]
