import { isObject } from '../runtime/validate/json-value.js'
import type { Schema } from './schema.js'

/** A place in a document: 1-based line and column, and the JSON pointer within the file. */
export type Location = {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly pointer: string
}

/** The location of a node, or of a member of it; line and column are computed only when `locate` is called. */
export type Source = { readonly locate: (...members: readonly (string | number)[]) => Location }

/** The location of a schema of an Api; undefined for one that is in no document, such as `true`. */
export const sourceOf = (schema: Schema): Source | undefined =>
  typeof schema === 'object' ? sources.get(schema) : undefined

/** Records the location of a schema; the first one is kept. */
export function recordSource(schema: object, source: Source): void {
  if (!sources.has(schema)) sources.set(schema, source)
}

/** Gives a derived schema the source of its original. */
export function inheritSource(made: object, original: object): void {
  const source = sources.get(original)
  if (source) recordSource(made, source)
  const found = discriminators.get(original)
  if (found) discriminators.set(made, found)
}

const sources = new WeakMap<object, Source>()

/** OpenAPI 3.1, Discriminator Object: maps values of a property to alternatives. */
export type Discriminator = {
  readonly propertyName: string
  /** Value -> a reference to the schema that it selects, declared or implied by the name of an alternative. */
  readonly mapping: Readonly<Record<string, string>>
}

/** The `discriminator` of a schema; undefined if it declares none. */
export const discriminatorOf = (schema: Schema): Discriminator | undefined =>
  typeof schema === 'object' ? discriminators.get(schema) : undefined

/** Records the discriminator of a schema as it is in the document. */
export function recordDiscriminator(schema: object, raw: Readonly<Record<string, unknown>>): void {
  const { discriminator, oneOf, anyOf } = raw
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return
  const written = isObject(discriminator.mapping) ? Object.entries(discriminator.mapping) : []
  const mapping = Object.fromEntries(written.map(([value, target]) => [value, String(target)]))
  const named = new Set(Object.values(mapping))
  const branches: readonly unknown[] = [oneOf, anyOf].flatMap((list) => list ?? [])
  for (const branch of branches) {
    const ref = isObject(branch) ? branch.$ref : undefined
    if (typeof ref === 'string' && !named.has(ref)) mapping[ref.split('/').at(-1) ?? ''] = ref
  }
  discriminators.set(schema, { propertyName: discriminator.propertyName, mapping })
}

const discriminators = new WeakMap<object, Discriminator>()
