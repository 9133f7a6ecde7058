import { segmentsOf } from '../runtime/shared/pointer.js'
import { isObject } from '../runtime/validate/json-value.js'
import type { JsonType } from './json-values.js'
import { typeOfKeyword } from './keywords.js'
import { everyReached, referredName, type Schema, type Schemas } from './schema.js'

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

/** The name that a schema of an Api has in its document: `pet-cat` for `PetCat`. Both directions of a schema have one name. */
export function writtenName(name: string, schemas: Schemas): string {
  const pointer = sourceOf(schemas.get(name)?.schema ?? true)?.locate().pointer ?? ''
  return segmentsOf(pointer).at(-1) ?? name
}

/** The name in its document of the schema that a schema refers to; undefined for a schema that is no reference. */
export function writtenReference(schema: Schema, schemas: Schemas): string | undefined {
  const name = referredName(schema)
  return name === undefined ? undefined : writtenName(name, schemas)
}

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
  recordUnread(made, unreadOf(original))
}

const sources = new WeakMap<object, Source>()

/** OpenAPI 3.0.3, 3.1 and 3.2, Discriminator Object: maps values of a property to alternatives. */
export type Discriminator = {
  readonly propertyName: string
  /** Value -> a reference to the schema that it selects, declared or implied by the name of an alternative. */
  readonly mapping: Readonly<Record<string, string>>
  /** The values of `mapping` that only the name of an alternative implies. */
  readonly implied: readonly string[]
  /** A reference to the schema that all other values select, and no value (OpenAPI 3.2). */
  readonly otherwise?: string
}

/** The `discriminator` of a schema; undefined if it declares none. */
export const discriminatorOf = (schema: Schema): Discriminator | undefined =>
  typeof schema === 'object' ? discriminators.get(schema) : undefined

/** Records the discriminator of a schema, as it is in the document; `refer` gives the reference that a schema of the Api has. */
export function recordDiscriminator(
  schema: object,
  raw: Readonly<Record<string, unknown>>,
  refer: (reference: string) => string | undefined = (reference) => reference,
): void {
  const found = readDiscriminator(raw, refer)
  if (found) discriminators.set(schema, found)
}

/** The discriminator of a schema in a document, in which all references are local. */
export function readDiscriminator(
  { discriminator, oneOf, anyOf }: Readonly<Record<string, unknown>>,
  refer: (reference: string) => string | undefined,
): Discriminator | undefined {
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return undefined
  const written = isObject(discriminator.mapping) ? Object.entries(discriminator.mapping) : []
  const mapping = Object.fromEntries(
    written.map(([value, target]) => [value, refer(String(target)) ?? String(target)]),
  )
  const named = new Set(written.map(([, target]) => String(target)))
  const branches: readonly unknown[] = [oneOf, anyOf].flatMap((list) => list ?? [])
  const implied: string[] = []
  for (const branch of branches) {
    const ref = referenceIn(branch)
    if (ref === undefined || named.has(ref)) continue
    const name = segmentsOf(ref).at(-1) ?? ''
    if (Object.hasOwn(mapping, name)) continue
    mapping[name] = refer(ref) ?? ref
    implied.push(name)
  }
  const { propertyName, defaultMapping } = discriminator
  return {
    ...{ propertyName, mapping, implied },
    ...(typeof defaultMapping === 'string' && {
      otherwise: refer(defaultMapping) ?? defaultMapping,
    }),
  }
}

/** The reference of an alternative, also if it is alone in an `allOf`. */
function referenceIn(branch: unknown): string | undefined {
  if (!isObject(branch)) return undefined
  const { $ref, allOf } = branch
  if (typeof $ref === 'string') return $ref
  const [only, ...others]: readonly unknown[] = Array.isArray(allOf) ? allOf : []
  return others.length === 0 && branch.properties === undefined ? referenceIn(only) : undefined
}

const discriminators = new WeakMap<object, Discriminator>()

/** Keywords of a schema that could not be read, with their values in the document: what they demand is not known. A `$ref` is one too. */
export type UnreadKeywords = Readonly<Record<string, unknown>>

/** The keywords that could not be read; empty for most schemas. */
export const unreadOf = (schema: Schema | object): UnreadKeywords =>
  (typeof schema === 'object' && unread.get(schema)) || NONE

/** Whether a schema has keywords that could not be read. */
export const isUnread = (schema: Schema): boolean => Object.keys(unreadOf(schema)).length > 0

/** Whether a schema has keywords that could not be read and that are about values of a type. */
export const isUnreadFor = (schema: Schema, type: JsonType): boolean =>
  Object.keys(unreadOf(schema)).some((keyword) => (typeOfKeyword(keyword) ?? type) === type)

/**
 * Whether schemas, or those that they refer to, have parts that could not be read. Such a part accepts every value, so it proves
 * nothing about values that fulfil two schemas.
 */
export const holdsUnread = (roots: readonly Schema[], schemas: Schemas): boolean =>
  [...everyReached(roots, schemas)].some(isUnread)

/** Records the keywords of a schema that are ignored because their values are invalid, or their targets cannot be read. */
export function recordUnread(schema: object, keywords: UnreadKeywords): void {
  if (Object.keys(keywords).length > 0) unread.set(schema, keywords)
}

const unread = new WeakMap<object, UnreadKeywords>()

const NONE: UnreadKeywords = {}
