import { cached } from '../runtime/shared/cached.js'
import { matchesPattern } from '../runtime/validate/pattern.js'
import {
  accepts,
  type ComparisonReading,
  childOf,
  isAnything,
  isNothing,
  isOpen,
  keywordsOf,
  type Node,
  type Terms,
} from './node.js'
import type { StringTerms } from './patterns/search.js'
import type { Schema, SchemaObject } from './schema.js'

/** The combined constraints of a shape's parts on an object. */
export type ObjectView = {
  /** Names with their own schemas, in the order of the document. */
  readonly names: readonly string[]
  readonly required: ReadonlySet<string>
  /** The schemas of a property. */
  readonly at: (name: string) => Terms
  /** The schemas of a property without its own schema, by the patterns that its name matches. */
  readonly matching: (matched: ReadonlySet<string>) => Terms
  /** Whether an object may have the property: it is declared, matches a declared pattern, or belongs to a map. */
  readonly allows: (name: string) => boolean
  readonly patterns: readonly string[]
  /** The schemas of every property that is neither named nor matches a pattern; undefined if none is declared. */
  readonly rest: Terms | undefined
  /** Whether any property is allowed: `explicit` by `additionalProperties`, `implicit` if nothing at all is declared. */
  readonly freedom: 'explicit' | 'implicit' | undefined
  readonly nameTerms: Terms
  readonly least: number
  /** Whether `minProperties` requires undeclared properties. */
  readonly needsOthers: boolean
  /** The declared maximum, or the number of declared properties if there are no others. */
  readonly most: number
}

/**
 * An undeclared property is assumed to be absent. An object that explicitly allows any property may have each that the
 * other version does not declare by name. So a property that is declared later is an addition.
 */
export const objectView = (parts: Terms): ObjectView => cached(views, parts, () => viewOf(parts))

const views = new WeakMap<Terms, ObjectView>()

function viewOf(parts: Terms): ObjectView {
  const schemas = parts.map((part) => ({ part, schema: keywordsOf(part) }))
  const declared = new Set(schemas.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))
  const required = withNeeds(
    parts,
    schemas.flatMap(({ schema }) => schema.required ?? []),
  )
  const patterns = new Set(
    schemas.flatMap(({ schema }) => Object.keys(schema.patternProperties ?? {})),
  )
  const unlooked = schemas.flatMap(({ part, schema: { unevaluatedProperties } }) =>
    unevaluatedProperties === undefined ? [] : [childOf(part, unevaluatedProperties)],
  )
  const rests = schemas.flatMap(({ part, schema: { additionalProperties } }) =>
    additionalProperties === undefined ? [] : [childOf(part, additionalProperties)],
  )
  const others = rests.length > 0 ? rests : unlooked
  const isMap = others.some((one) => !isAnything(one)) && !others.some(isNothing)
  // A property that one part evaluates is not unevaluated for another, so the schema is known only for a single part.
  const rest = rests.length > 0 || unlooked.length === 1 ? others : []
  const at = remembered((name): Terms => {
    const own = schemas.flatMap(({ part }) => termsAt(part, name))
    return own.length === 0 ? rest : own
  })
  const matching = (matched: ReadonlySet<string>): Terms => {
    const own = parts.flatMap((part) => termsMatching(part, matched))
    return own.length === 0 ? rest : own
  }
  const isNamed = (name: string) =>
    declared.has(name) ||
    required.has(name) ||
    [...patterns].some((pattern) => matchesPattern(pattern, name))
  const nameTerms = schemas.flatMap(({ part, schema: { propertyNames } }) =>
    propertyNames === undefined ? [] : [childOf(part, propertyNames)],
  )
  const stated = Math.min(
    ...schemas.map(({ schema }) => schema.maxProperties ?? Number.POSITIVE_INFINITY),
  )
  // A declared property cannot occur if its name is not accepted, or if the required ones use up `maxProperties`.
  const canOccur = (name: string) => {
    const others = [...withNeeds(parts, [name])].filter((one) => !required.has(one))
    const isTooMany = !required.has(name) && required.size + others.length > stated
    return !isTooMany && nameTerms.every((node) => accepts(node, name))
  }
  const allows = remembered(
    (name) => (isNamed(name) || isMap) && canOccur(name) && !at(name).some(isNothing),
  )
  const names = [...new Set([...declared, ...required])]
  const isExplicit = rests.length > 0 && rests.every(isAnything)
  const isBare = names.length === 0 && patterns.size === 0 && others.length === 0
  const least = Math.max(required.size, ...schemas.map(({ schema }) => schema.minProperties ?? 0))
  const fitting = names.filter(allows).length
  // Undeclared properties are ignored, unless the declared ones are too few for `minProperties`.
  const needsOthers = others.length === 0 && least > fitting
  const isBounded = !isMap && !isExplicit && patterns.size === 0 && !needsOthers
  return {
    names,
    required,
    at,
    matching,
    allows,
    patterns: [...patterns],
    rest: isMap ? rest : undefined,
    freedom: isExplicit ? 'explicit' : isBare ? 'implicit' : undefined,
    nameTerms,
    least,
    needsOthers,
    most: isBounded ? Math.min(stated, fitting) : stated,
  }
}

/**
 * Whether a value may have undeclared properties. Callers may have sent some to an object that does not mention
 * additional properties: this is a guess, and a warning. A service may send them if its map is untyped.
 */
export const allowsAny = ({ freedom }: ObjectView, reading: ComparisonReading): boolean =>
  freedom === 'explicit' || (freedom === 'implicit' && isOpen(reading))

/**
 * Whether an object may have a property that a version only names as a condition (`dependentRequired`, `dependentSchemas`): an
 * object that explicitly allows any property may have it, unless that version declares it.
 */
export const mayHave = (
  view: ObjectView,
  name: string,
  { properties = {} }: SchemaObject,
): boolean => view.allows(name) || (view.freedom === 'explicit' && !Object.hasOwn(properties, name))

/** The names, and all names that they require (`dependentRequired`). */
export function withNeeds(parts: Terms, names: Iterable<string>): ReadonlySet<string> {
  const found = new Set(names)
  // The loop also visits elements that are added meanwhile.
  for (const name of found) {
    for (const { dependentRequired = {} } of parts.map(keywordsOf)) {
      const needs = Object.hasOwn(dependentRequired, name) ? dependentRequired[name] : undefined
      for (const need of needs ?? []) found.add(need)
    }
  }
  return found
}

/** Caches results by name: a large union requests the same names repeatedly. */
function remembered<T>(ask: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>()
  return (name) => cached(known, name, () => ask(name))
}

/** The schemas that one schema declares for a property. */
export function termsAt(part: Node, name: string): Terms {
  const { properties = {}, patternProperties = {} } = keywordsOf(part)
  const matched = Object.keys(patternProperties).filter((one) => matchesPattern(one, name))
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (own === undefined) return termsMatching(part, new Set(matched))
  return [own, ...matched.map((one) => patternProperties[one] ?? true)].map((schema) =>
    childOf(part, schema),
  )
}

/** The schemas that one schema has for a property without its own schema, by the patterns that its name matches. */
export function termsMatching(part: Node, matched: ReadonlySet<string>): Terms {
  const { patternProperties = {}, additionalProperties } = keywordsOf(part)
  const found = Object.entries(patternProperties).flatMap(([pattern, schema]) =>
    matched.has(pattern) ? [schema] : [],
  )
  if (found.length === 0 && additionalProperties !== undefined) found.push(additionalProperties)
  return found.map((schema) => childOf(part, schema))
}

/** Names that a caller might use for a property of a map. */
export const KEYS: readonly string[] = [
  ...['key', 'other', 'one', 'a', 'A', '0', '0x', '_', '-'],
  ...Array.from({ length: 100 }, (_, index) => `key${index + 1}`),
]

/** The combined constraints of a shape's parts on an array. */
type ArrayView = {
  readonly least: number
  /** Infinity if it is unbounded. */
  readonly most: number
  /** The number of items with their own schemas. */
  readonly places: number
  /** The schemas of the item at an index; from `places` on, they are the same for all. */
  readonly at: (index: number) => Terms
  readonly isUnique: boolean
}

export function arrayView(parts: Terms): ArrayView {
  const schemas = parts.map((part) => ({ part, schema: keywordsOf(part) }))
  const places = Math.max(0, ...schemas.map(({ schema }) => schema.prefixItems?.length ?? 0))
  const at = (index: number): Terms =>
    schemas.flatMap(({ part, schema: { prefixItems = [], items } }) => {
      const own: Schema | undefined = index < prefixItems.length ? prefixItems[index] : items
      return own === undefined ? [] : [childOf(part, own)]
    })
  const stated = Math.min(
    ...schemas.map(({ schema }) => schema.maxItems ?? Number.POSITIVE_INFINITY),
  )
  const end = [...Array(places + 1).keys()].find((index) => at(index).some(isNothing))
  return {
    least: Math.max(0, ...schemas.map(({ schema }) => schema.minItems ?? 0)),
    most: Math.min(stated, end ?? Number.POSITIVE_INFINITY),
    places,
    at,
    isUnique: schemas.some(({ schema }) => schema.uniqueItems === true),
  }
}

/** `contains` requires an item without fully describing it, so the item may have other properties too. */
export const WITH_OTHERS: Schema = {
  additionalProperties: { type: ['null', 'boolean', 'number', 'string', 'array', 'object'] },
}

/** The combined constraints of a shape's parts on a string. */
export function stringTerms(parts: Terms): StringTerms {
  const schemas = parts.map(keywordsOf)
  const bounds = schemas.flatMap(({ maxLength }) => (maxLength === undefined ? [] : [maxLength]))
  return {
    patterns: [
      ...new Set(schemas.flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]))),
    ],
    minLength: Math.max(0, ...schemas.map(({ minLength }) => minLength ?? 0)),
    maxLength: bounds.length === 0 ? undefined : Math.min(...bounds),
  }
}
