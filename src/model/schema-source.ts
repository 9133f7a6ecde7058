import { entriesOf, isObject, isReference } from './json.js'
import { locate, type Origin } from './origin.js'
import type { Schema } from './schema.js'
import type { Source } from './source.js'

/** Where a schema of an Api was written; undefined for one that is not a document's own, such as `true`. */
export function sourceOf(schema: Schema): Source | undefined {
  const place = typeof schema === 'object' ? places.get(schema) : undefined
  return place && { locate: (...members) => locate(place, ...members) }
}

/** Remembers where a schema was written; the first place stays. */
export function recordSource(schema: object, place: Origin): void {
  if (!places.has(schema)) places.set(schema, place)
}

/** A schema that was made of another was written where that one was. */
export function inheritSource(made: object, original: object): void {
  const place = places.get(original)
  if (place) recordSource(made, place)
  const found = discriminators.get(original)
  if (found) discriminators.set(made, found)
}

const places = new WeakMap<object, Origin>()

/** OpenAPI 3.1, Discriminator Object: which value of a property means which alternative. No value is checked against it. */
export type Discriminator = {
  readonly propertyName: string
  /** Value -> a reference to the schema that it means, declared or implied by the name of an alternative. */
  readonly mapping: Readonly<Record<string, string>>
}

/** What a schema declared in `discriminator`; undefined where it declared none. */
export const discriminatorOf = (schema: Schema): Discriminator | undefined =>
  typeof schema === 'object' ? discriminators.get(schema) : undefined

/** Remembers the discriminator of a schema as it was written. */
export function recordDiscriminator(schema: object, raw: Readonly<Record<string, unknown>>): void {
  const { discriminator, oneOf, anyOf } = raw
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return
  const mapping = Object.fromEntries(
    entriesOf(discriminator.mapping).map(([value, target]) => [value, String(target)]),
  )
  const named = new Set(Object.values(mapping))
  const branches: readonly unknown[] = [oneOf, anyOf].flatMap((list) => list ?? [])
  for (const branch of branches) {
    if (!isReference(branch) || named.has(branch.$ref)) continue
    mapping[branch.$ref.split('/').at(-1) ?? ''] = branch.$ref
  }
  discriminators.set(schema, { propertyName: discriminator.propertyName, mapping })
}

const discriminators = new WeakMap<object, Discriminator>()
