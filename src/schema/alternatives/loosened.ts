import { cached } from '../../runtime/shared/cached.js'
import type { Spent } from '../contain/contain.js'
import { createCoverage } from '../coverage.js'
import type { Side } from '../node.js'
import {
  dereference,
  mapSubschemas,
  type Schema,
  type SchemaObject,
  type Schemas,
  valuesIn,
} from '../schema.js'
import { inheritSource } from '../source.js'
import { choosing, conjunctionOf, isStructured, type Leaf, type Union } from './conjunction.js'

/**
 * A `oneOf` of which one alternative contains another accepts no value of the contained one, and may accept none at all. Nobody means
 * that: it is read as an `anyOf`.
 */
export type Loosened = {
  readonly schemas: Schemas
  /** The same schema if it has no such union, except in schemas that it refers to. */
  readonly loosened: (schema: Schema) => Schema
}

export function createLoosened(side: Side): Loosened {
  const spent: Spent = { steps: 0 }
  const containing = createContaining(side, spent)
  const known = new WeakMap<SchemaObject, Schema>()

  const loosened = (schema: Schema): Schema =>
    typeof schema === 'boolean' ? schema : cached(known, schema, () => madeOf(schema))

  function madeOf(schema: SchemaObject): Schema {
    let isChanged = false
    const change = (one: Schema): Schema => {
      const made = loosened(one)
      isChanged ||= made !== one
      return made
    }
    const inner = mapSubschemas(schema, change) as SchemaObject
    const { oneOf, ...rest } = inner
    const isLoose = schema.oneOf !== undefined && isEntangled(schema)
    if (!isLoose && !isChanged) return schema
    const made = isLoose && oneOf ? { ...rest, ...withAny(rest, oneOf) } : inner
    inheritSource(made, schema)
    return made
  }

  const isEntangled = (holder: SchemaObject): boolean => {
    const most = spent.steps + MOST_STEPS
    return conjunctionOf(holder, side.schemas).unions.some(
      (union) =>
        union.holder === holder &&
        union.keyword === 'oneOf' &&
        union.leaves.length <= MOST_LEAVES &&
        union.leaves.some((_, index) => containing(holder, union, index, most)),
    )
  }

  let isChanged = false
  const all = [...side.schemas].map(([name, one]) => {
    const schema = loosened(one.schema)
    isChanged ||= schema !== one.schema
    return [name, schema === one.schema ? one : { ...one, schema }] as const
  })
  return { schemas: isChanged ? new Map(all) : side.schemas, loosened }
}

const withAny = (rest: SchemaObject, oneOf: readonly Schema[]): SchemaObject =>
  rest.anyOf ? { allOf: [...(rest.allOf ?? []), { anyOf: oneOf }] } : { anyOf: oneOf }

/** A union with more alternatives usually has a discriminator. */
const MOST_LEAVES = 40

/** The steps to compare the alternatives of one union with each other. */
const MOST_STEPS = 10_000

/**
 * Whether an alternative of a union contains another one, or is contained in one; no if that would take more steps in all than `most`.
 * `whole` is the schema of the value, which has the union.
 */
export type Containing = (whole: Schema, union: Union, index: number, most: number) => boolean

export function createContaining(side: Side, spent: Spent = { steps: 0 }): Containing {
  const { schemas } = side
  const coverage = createCoverage(side, spent)
  const tags = new WeakMap<object, ReadonlyMap<string, ReadonlySet<unknown>>>()
  const neighbours = new WeakMap<readonly Leaf[], (leaf: Leaf) => Iterable<Leaf>>()
  const structured = new WeakMap<object, { readonly is: boolean }>()
  const known = new WeakMap<SchemaObject, Map<string, boolean>>()

  const isOneInOther = (whole: Schema, union: Union, own: Leaf, other: Leaf): boolean => {
    if (areTagged(own.schema, other.schema)) return false
    const chosen = (leaf: Leaf) => choosing(whole, union, [leaf.schema], schemas) ?? leaf.schema
    const [one, two] = [chosen(own), chosen(other)]
    return coverage(one)(two) !== undefined || coverage(two)(one) !== undefined
  }

  const tagsOf = (schema: SchemaObject) => cached(tags, schema, () => valuesOf(schema, schemas))

  /** Whether a required property has other values in each of the two. */
  const areTagged = (one: SchemaObject, other: SchemaObject): boolean => {
    const others = tagsOf(other)
    for (const [name, values] of tagsOf(one)) {
      const known = others.get(name)
      if (known && !hasCommon(values, known)) return true
    }
    return false
  }

  /** The alternatives that may have values of another one; most large unions have a property with one value in each. */
  const neighboursOf = (leaves: readonly Leaf[]): ((leaf: Leaf) => Iterable<Leaf>) =>
    cached(neighbours, leaves, () => {
      const [first] = leaves
      const [name] = first ? tagsOf(first.schema).keys() : []
      if (name === undefined) return () => leaves
      const byValue = new Map<unknown, Set<Leaf>>()
      for (const leaf of leaves) {
        const values = tagsOf(leaf.schema).get(name)
        if (!values) return () => leaves
        for (const value of values) cached(byValue, value, () => new Set()).add(leaf)
      }
      return (leaf) =>
        new Set(
          [...(tagsOf(leaf.schema).get(name) ?? [])].flatMap((value) => [
            ...(byValue.get(value) ?? []),
          ]),
        )
    })

  const hasParts = (schema: SchemaObject): boolean =>
    cached(structured, schema, () => ({ is: isStructured(schema, schemas) })).is

  return (whole, union, index, most) => {
    const { holder, keyword, leaves } = union
    const own = leaves[index]
    if (!own || !hasParts(own.schema)) return false
    const results = cached(known, holder, () => new Map<string, boolean>())
    const key = `${keyword} ${index}`
    const earlier = results.get(key)
    if (earlier !== undefined) return earlier
    let isFound = false
    for (const other of neighboursOf(leaves)(own)) {
      // Not recorded, because another comparison has steps of its own.
      if (spent.steps > most) return false
      isFound = other !== own && hasParts(other.schema) && isOneInOther(whole, union, own, other)
      if (isFound) break
    }
    results.set(key, isFound)
    return isFound
  }
}

/** The listed values of required properties. */
function valuesOf(schema: Schema, schemas: Schemas): ReadonlyMap<string, ReadonlySet<unknown>> {
  const { parts } = conjunctionOf(schema, schemas)
  const required = new Set(parts.flatMap((part) => part.required ?? []))
  const found = new Map<string, ReadonlySet<unknown>>()
  for (const part of parts) {
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      const target = dereference(property, schemas)
      const values = typeof target === 'object' ? valuesIn(target) : undefined
      if (values && required.has(name)) found.set(name, new Set(values.filter(isScalar)))
    }
  }
  return found
}

const hasCommon = (a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): boolean => {
  for (const value of a) if (b.has(value)) return true
  return false
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null
