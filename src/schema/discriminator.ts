import { cached } from '../runtime/shared/cached.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import type { Checker } from './check.js'
import { createMembers } from './hierarchy.js'
import { dereference, referredName, refTo, type Schema, type Schemas, valuesIn } from './schema.js'
import { type Discriminator, discriminatorOf, sourceOf, writtenName } from './source.js'

/**
 * The values of a discriminator's property by which an object is one of the named schemas (OpenAPI 3.0.3, 3.1 and 3.2,
 * Discriminator Object): those that the mapping states for it, else its name in the document. If a schema rejects one of them, or
 * lists values of its own beside its name, then the values of the schema count. If one schema has other values than its name,
 * names are no values in this discriminator.
 */
export function selectingValues(
  discriminator: Discriminator,
  names: readonly string[],
  schemas: Schemas,
  checker: Checker,
): ReadonlyMap<string, Selecting> {
  const found = names.map(
    (name) => [name, selecting(discriminator, name, schemas, checker)] as const,
  )
  if (!found.some(([, { isContrary, isMapped }]) => isContrary && !isMapped)) return new Map(found)
  return new Map(
    found.map(([name, one]) => [name, one.isMapped ? one : { ...one, values: one.listed }]),
  )
}

function selecting(
  discriminator: Discriminator,
  name: string,
  schemas: Schemas,
  checker: Checker,
): Selecting {
  const { propertyName, mapping, implied, otherwise } = discriminator
  const declared = propertySchemas(schemas.get(name)?.schema ?? true, propertyName, schemas)
  const isAccepted = (value: unknown) =>
    declared.every(({ schema }) => checker.schema(schema).check(value))
  const listed = listOf(declared, schemas)?.filter((value) => value !== null && isAccepted(value))
  const selected = Object.keys(mapping).filter((value) =>
    isSameSchema(mapping[value] ?? '', name, schemas),
  )
  const isMapped = selected.some((value) => !implied.includes(value))
  if (!isMapped && otherwise !== undefined && isSameSchema(otherwise, name, schemas))
    return { values: undefined, listed, isMapped, isContrary: false }
  const stated = selected.length > 0 ? selected : [writtenName(name, schemas)]
  const values = stated.flatMap((text) => readings(text).filter(isAccepted).slice(0, 1))
  const others = Object.entries(mapping).filter(([value]) => !selected.includes(value))
  const isOwn = (value: unknown): boolean =>
    !values.includes(value) &&
    !others.some(([text, target]) => {
      if (text === value) return true
      const other = schemas.get(nameIn(target))?.schema ?? true
      return listOf(propertySchemas(other, propertyName, schemas), schemas)?.includes(value)
    })
  const own = isMapped ? [] : (listOf(declared.filter(({ isInherited }) => !isInherited)) ?? [])
  const isContrary = values.length < stated.length || own.some(isOwn)
  return { values: isContrary ? listed : values, listed, isMapped, isContrary }
}

export type Selecting = {
  /** Undefined if any value may select the schema. */
  readonly values: readonly unknown[] | undefined
  /** The values that the schema itself lists; undefined if it lists none. */
  readonly listed: readonly unknown[] | undefined
  /** Whether the mapping states values for the schema. */
  readonly isMapped: boolean
  /** Whether the schema has other values than the discriminator states. */
  readonly isContrary: boolean
}

/**
 * What selects each alternative of a union: the values of one property, by the discriminator of the union or of a schema that all
 * alternatives extend. An alternative that is no reference has the values that it lists itself.
 */
export function alternativeValues(
  union: Schema,
  schemas: Schemas,
  checker: Checker,
): AlternativeValues | undefined {
  if (typeof union === 'boolean') return undefined
  const alternatives = union.oneOf ?? union.anyOf ?? []
  const own = discriminatorOf(union)
  const inherited = own ? [] : alternatives.map((one) => parentDiscriminators(one, schemas))
  const isShared = ({ propertyName }: Discriminator) =>
    inherited.every((list) => list.some((one) => one.propertyName === propertyName))
  const found = own ?? inherited[0]?.find(isShared)
  if (!found) return undefined
  const { propertyName } = found
  const names = alternatives.flatMap((one) => aliasedName(one) ?? [])
  const known = new Map<Discriminator, ReadonlyMap<string, Selecting>>()
  const selectedBy = (by: Discriminator) =>
    cached(known, by, () => selectingValues(by, names, schemas, checker))
  const values = alternatives.map((one, at) => {
    const name = aliasedName(one)
    const by = inherited[at]?.find((parent) => parent.propertyName === propertyName) ?? found
    if (name !== undefined) return selectedBy(by).get(name)?.values
    return listOf(propertySchemas(one, propertyName, schemas), schemas)
  })
  return { propertyName, values }
}

export type AlternativeValues = {
  readonly propertyName: string
  /** For each alternative of `oneOf`, else of `anyOf`; undefined if any value may select it. */
  readonly values: readonly (readonly unknown[] | undefined)[]
}

/**
 * The named schemas that the values of one property select, for a union, or for a schema that others extend by `allOf`. Undefined if
 * nothing has a discriminator there.
 */
export function selectionOf(
  schema: Schema,
  schemas: Schemas,
  checker: Checker,
): Selection | undefined {
  const selected: Record<string, string> = {}
  const add = (name: string | undefined, values: readonly unknown[] | undefined) => {
    if (name === undefined) return
    for (const value of values ?? []) selected[String(value)] = writtenName(name, schemas)
  }
  const found = alternativeValues(schema, schemas, checker)
  if (found && typeof schema === 'object') {
    const alternatives = schema.oneOf ?? schema.anyOf ?? []
    for (const [at, one] of alternatives.entries()) add(aliasedName(one), found.values[at])
    if (alternatives.length > 0) return { propertyName: found.propertyName, selected }
  }
  const own = discriminatorOf(schema)
  if (!own) return undefined
  const members = cached(membersBy, schemas, () => createMembers(schemas))(schema)
  const names = members.flatMap((one) => referredName(one) ?? [])
  for (const [name, { values }] of selectingValues(own, names, schemas, checker)) add(name, values)
  return { propertyName: own.propertyName, selected }
}

const membersBy = new WeakMap<Schemas, ReturnType<typeof createMembers>>()

export type Selection = {
  readonly propertyName: string
  /** Value, as text -> the name in the document of the schema that it selects. */
  readonly selected: Readonly<Record<string, string>>
}

/** The name of the schema to which a schema refers, also by an `allOf` that says no more. */
export function aliasedName(schema: Schema): string | undefined {
  if (typeof schema === 'boolean') return undefined
  const [only, ...others] = schema.allOf ?? []
  if (only === undefined || others.length > 0 || isObjectSchema(schema)) return referredName(schema)
  return aliasedName(only)
}

/** Whether a schema declares or restricts properties itself. */
const isObjectSchema = (schema: Schema): boolean =>
  typeof schema === 'object' && OBJECT_KEYWORDS.some((key) => schema[key] !== undefined)

const OBJECT_KEYWORDS = [
  '$ref',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'oneOf',
  'anyOf',
] as const

/** The discriminators of the schemas that a schema extends by `allOf`, the nearest first. */
function parentDiscriminators(schema: Schema, schemas: Schemas): readonly Discriminator[] {
  const found: Discriminator[] = []
  const seen = new Set<Schema>()
  const waiting = [dereference(schema, schemas)]
  for (const one of waiting) {
    if (typeof one === 'boolean' || seen.has(one)) continue
    seen.add(one)
    for (const part of one.allOf ?? []) {
      const parent = dereference(part, schemas)
      const own = discriminatorOf(parent)
      if (own) found.push(own)
      waiting.push(parent)
    }
  }
  return found
}

/** The schemas that an object of a schema has for a property, through `allOf`. */
export function propertySchemas(
  schema: Schema,
  name: string,
  schemas: Schemas,
): readonly PropertySchema[] {
  const seen = new Set<Schema>()
  const found: PropertySchema[] = []
  const waiting = [{ schema, isInherited: false }]
  for (const next of waiting) {
    const isInherited =
      next.isInherited || (next.schema !== schema && referredName(next.schema) !== undefined)
    const one = dereference(next.schema, schemas)
    if (typeof one === 'boolean' || seen.has(one)) continue
    seen.add(one)
    if (one.properties && Object.hasOwn(one.properties, name))
      found.push({ schema: one.properties[name] ?? true, isInherited })
    for (const part of one.allOf ?? []) waiting.push({ schema: part, isInherited })
  }
  return found
}

type PropertySchema = {
  readonly schema: Schema
  /** Whether it is in a schema that the schema refers to. */
  readonly isInherited: boolean
}

/** The values that the first schema with a list of values lists, through references, `allOf` and alternatives. */
function listOf(
  declared: readonly PropertySchema[],
  schemas: Schemas = NONE,
): readonly unknown[] | undefined {
  for (const { schema } of declared) {
    const found = listedIn(schema, schemas)
    if (found) return found
  }
  return undefined
}

const NONE: Schemas = new Map()

function listedIn(from: Schema, schemas: Schemas, depth = 0): readonly unknown[] | undefined {
  const schema = dereference(from, schemas)
  if (typeof schema === 'boolean' || depth > DEEPEST) return undefined
  const own = valuesIn(schema)
  if (own) return own
  for (const part of schema.allOf ?? []) {
    const found = listedIn(part, schemas, depth + 1)
    if (found) return found
  }
  const lists = (schema.oneOf ?? schema.anyOf)?.map((one) => listedIn(one, schemas, depth + 1))
  const known = lists?.flatMap((list) => list ?? [])
  return lists?.every((list) => list !== undefined) ? known : undefined
}

const DEEPEST = 20

/** A key of a mapping is a text; a property of another type has its value (OpenAPI 3.0.3: it may be compared as text). */
function readings(text: string): readonly unknown[] {
  if (text === 'true' || text === 'false') return [text, text === 'true']
  return NUMBER.test(text) ? [text, Number(text)] : [text]
}

const NUMBER = /^-?(0|[1-9][0-9]{0,14})$/

/** Whether a reference means a named schema, or the schema of which it is the copy for one direction. */
function isSameSchema(reference: string, name: string, schemas: Schemas): boolean {
  if (reference === refTo(name)) return true
  const target = schemas.get(nameIn(reference))?.schema
  if (target === undefined) return false
  const source = sourceOf(target)
  return source !== undefined && source === sourceOf(schemas.get(name)?.schema ?? true)
}

const nameIn = (reference: string): string => segmentsOf(reference).at(-1) ?? reference
