import { cached } from '../../runtime/shared/cached.js'
import {
  asserted,
  dereference,
  type Schema,
  type SchemaObject,
  type Schemas,
  typesIn,
} from '../schema.js'
import { inheritSource } from '../source.js'

/** What applies to one value: the schemas that always apply, and the unions of which one alternative does. */
export type Conjunction = {
  readonly parts: readonly SchemaObject[]
  readonly unions: readonly Union[]
}

export type Union = {
  /** The schema with the keyword. */
  readonly holder: SchemaObject
  readonly keyword: 'anyOf' | 'oneOf'
  /** The alternatives; those of a union that is an alternative itself are listed in its place. */
  readonly leaves: readonly Leaf[]
}

/** An alternative, and the schema that lists it, whose discriminator may select it. */
export type Leaf = { readonly schema: SchemaObject; readonly union: SchemaObject }

/** The parts of a schema, through references, `allOf` and lists of one alternative. */
export function conjunctionOf(schema: Schema, schemas: Schemas): Conjunction {
  if (typeof schema === 'boolean') return NOTHING
  const known = cached(places, schemas, () => new WeakMap<SchemaObject, Conjunction>())
  return cached(known, schema, () => madeOf(schema, schemas))
}

const places = new WeakMap<Schemas, WeakMap<SchemaObject, Conjunction>>()

const NOTHING: Conjunction = { parts: [], unions: [] }

function madeOf(schema: Schema, schemas: Schemas): Conjunction {
  const parts = new Set<SchemaObject>()
  const unions: Union[] = []
  const waiting = [schema]
  // The loop also visits elements that are added meanwhile.
  for (const next of waiting) {
    const one = dereference(next, schemas)
    if (typeof one === 'boolean' || parts.has(one)) continue
    parts.add(one)
    waiting.push(...(one.allOf ?? []))
    for (const keyword of UNIONS) {
      const leaves = one[keyword] && leavesOf(one, keyword, schemas)
      if (leaves?.length === 1) waiting.push(...leaves.map((leaf) => leaf.schema))
      else if (leaves) unions.push({ holder: one, keyword, leaves })
    }
  }
  return { parts: [...parts], unions }
}

const UNIONS = ['anyOf', 'oneOf'] as const

function leavesOf(
  holder: SchemaObject,
  keyword: 'anyOf' | 'oneOf',
  schemas: Schemas,
): readonly Leaf[] {
  const leaves: Leaf[] = []
  const seen = new Set([holder])
  const waiting = (holder[keyword] ?? []).map((schema) => ({ schema, union: holder }))
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { schema } = next
    const target = dereference(schema, schemas)
    if (typeof schema === 'boolean' || typeof target === 'boolean') continue
    const inner = isOnlyUnion(target)
    if (inner === undefined) leaves.push({ schema, union: next.union })
    else if (!seen.has(target)) {
      seen.add(target)
      waiting.unshift(...(target[inner] ?? []).map((one) => ({ schema: one, union: target })))
    }
  }
  return leaves
}

function isOnlyUnion(schema: SchemaObject): 'anyOf' | 'oneOf' | undefined {
  const [only, ...others] = asserted(schema)
  return others.length === 0 && (only === 'anyOf' || only === 'oneOf') ? only : undefined
}

/**
 * The same schema, in which a union has only the given alternatives, of which any may apply. Undefined if the schema does
 * not have the union.
 */
export function choosing(
  from: Schema,
  { holder, keyword }: Union,
  leaves: readonly Schema[],
  schemas: Schemas,
): SchemaObject | undefined {
  const seen = new Set<Schema>()
  const within = (schema: Schema): SchemaObject | undefined => {
    const target = dereference(schema, schemas)
    if (typeof target === 'boolean' || seen.has(target)) return undefined
    seen.add(target)
    if (target === holder) return chosen(target, keyword, leaves)
    for (const key of ['allOf', ...UNIONS] as const) {
      const list = target[key] ?? []
      for (const [index, one] of list.entries()) {
        const made = key === 'allOf' || list.length === 1 ? within(one) : undefined
        if (!made) continue
        return derived({ ...target, [key]: list.with(index, made) }, target)
      }
    }
    return undefined
  }
  return within(from)
}

function chosen(
  target: SchemaObject,
  keyword: 'anyOf' | 'oneOf',
  leaves: readonly Schema[],
): SchemaObject {
  const { [keyword]: _, ...rest } = target
  const [only, ...others] = leaves
  const list = others.length === 0 && only !== undefined ? [only] : [{ anyOf: leaves }]
  if (asserted(rest).length === 0 && others.length === 0 && typeof only === 'object') return only
  return derived({ ...rest, allOf: [...(rest.allOf ?? []), ...list] }, target)
}

function derived(made: SchemaObject, original: SchemaObject): SchemaObject {
  inheritSource(made, original)
  return made
}

/** Whether a schema may describe objects, or lists of objects: values of which a reader may overlook a part. */
export function isStructured(schema: Schema, schemas: Schemas, depth = 0): boolean {
  const all = everyPart(schema, schemas)
  const types = all.flatMap((one) => typesIn(one) ?? [])
  const isObject =
    types.includes('object') || all.some((one) => OF_OBJECTS.some((key) => one[key] !== undefined))
  if (isObject || depth > DEEPEST) return true
  return all
    .flatMap(({ items, prefixItems = [] }) => [
      ...(items === undefined ? [] : [items]),
      ...prefixItems,
    ])
    .some((one) => isStructured(one, schemas, depth + 1))
}

const OF_OBJECTS = ['properties', 'additionalProperties', 'patternProperties', 'required'] as const

const DEEPEST = 4

/** The parts of a schema, and those of its alternatives. */
export function everyPart(schema: Schema, schemas: Schemas): readonly SchemaObject[] {
  const found = new Set<SchemaObject>()
  const waiting = [schema]
  for (const next of waiting) {
    const { parts, unions } = conjunctionOf(next, schemas)
    for (const part of parts) {
      if (found.has(part)) continue
      found.add(part)
      for (const { holder, leaves } of unions) {
        if (holder === part) waiting.push(...leaves.map((leaf) => leaf.schema))
      }
    }
  }
  return [...found]
}
