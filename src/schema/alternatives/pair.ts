import { cached } from '../../runtime/shared/cached.js'
import { alternativeValues } from '../discriminator.js'
import type { Side } from '../node.js'
import { dereference, type Schema, valuesIn } from '../schema.js'
import { writtenReference } from '../source.js'
import { conjunctionOf, everyPart, type Leaf } from './conjunction.js'

/** The alternatives of a union in two versions: those that mean the same, and those that only one version has. */
export type PairedAlternatives = {
  readonly pairs: readonly (readonly [Leaf, Leaf])[]
  readonly removed: readonly Leaf[]
  readonly added: readonly Leaf[]
}

/**
 * Pairs alternatives that are unchanged, then by the schema that they refer to, by the values that select them, by required names, and
 * by the names of their properties.
 */
export function pairAlternatives(
  before: readonly Leaf[],
  after: readonly Leaf[],
  { was, is, isSame }: SchemaVersions,
): PairedAlternatives {
  const pairs: (readonly [Leaf, Leaf])[] = []
  const [removed, added] = [new Set(before), new Set(after)]
  const pair = (one: Leaf, other: Leaf) => {
    pairs.push([one, other])
    removed.delete(one)
    added.delete(other)
  }
  const byKey = (
    keyOf: (leaf: Leaf, side: SchemaVersions['was']) => string | undefined,
    arePaired: (one: Leaf, other: Leaf) => boolean = () => true,
  ) => {
    const known = new Map([...added].map((leaf) => [keyOf(leaf, is), leaf]))
    for (const one of [...removed]) {
      const key = keyOf(one, was)
      const other = key === undefined ? undefined : known.get(key)
      if (other && added.has(other) && arePaired(one, other)) pair(one, other)
    }
  }
  const readings = new Map<Leaf, Reading>()
  const readingOf = (leaf: Leaf, side: SchemaVersions['was']) =>
    cached(readings, leaf, () => read(leaf, side))
  const byScore = (scoreOf: (one: Reading, other: Reading) => number) => {
    // Hundreds of alternatives without a counterpart are not compared each with each.
    if (removed.size * added.size > MOST_PAIRS) return
    const scored = [...removed].flatMap((one) =>
      [...added].map((other) => ({
        ...{ one, other },
        score: scoreOf(readingOf(one, was), readingOf(other, is)),
      })),
    )
    for (const { one, other, score } of scored.toSorted((a, b) => b.score - a.score)) {
      if (score > 0 && removed.has(one) && added.has(other)) pair(one, other)
    }
  }
  const isUnchanged = (one: Leaf, other: Leaf) => isSame(one.schema, other.schema)
  const nameOf = ({ schema }: Leaf, { schemas }: SchemaVersions['was']) =>
    writtenReference(schema, schemas)
  byKey(nameOf, isUnchanged)
  for (const [index, one] of before.entries()) {
    const other = after[index]
    if (other && removed.has(one) && added.has(other) && isUnchanged(one, other)) pair(one, other)
  }
  if (removed.size * added.size <= MOST_PAIRS) {
    for (const one of [...removed]) {
      const other = [...added].find((candidate) => isUnchanged(one, candidate))
      if (other) pair(one, other)
    }
  }
  byKey(nameOf)
  byKey((leaf, side) => {
    const { tags, required } = readingOf(leaf, side)
    const own = [...tags].filter(([name, values]) => required.has(name) && values.size === 1)
    return own.length === 0
      ? undefined
      : JSON.stringify(own.map(([name, values]) => [name, ...values]).sort())
  })
  byScore((a, b) => (areOfOneTag(a, b) ? 1 + likeness(a.names, b.names) : 0))
  byScore((a, b) => {
    if (areApart(a, b) || a.required.size === 0) return 0
    const isEqual =
      a.required.size === b.required.size && shared(a.required, b.required) === a.required.size
    return isEqual ? 1 + likeness(a.names, b.names) : 0
  })
  byScore((a, b) => (areApart(a, b) ? 0 : likeness(a.names, b.names)))
  const [one, ...more] = removed
  const [other, ...others] = added
  // The only one that is left of each version may have changed all that it has.
  if (one && other && more.length + others.length === 0) {
    const isAtSamePlace =
      before.indexOf(one) === after.indexOf(other) && before.length === after.length
    const [a, b] = [readingOf(one, was), readingOf(other, is)]
    const isBare = a.names.size === 0 || b.names.size === 0
    if (isAtSamePlace && isBare && a.type === b.type) pair(one, other)
  }
  return { pairs, removed: [...removed], added: [...added] }
}

const MOST_PAIRS = 10_000

export type SchemaVersions = {
  readonly was: Pick<Side, 'schemas' | 'checker'>
  readonly is: Pick<Side, 'schemas' | 'checker'>
  readonly isSame: (before: Schema, after: Schema) => boolean
}

/** What an alternative declares: its names, and the values of properties that list them. */
type Reading = {
  readonly type: string
  readonly names: ReadonlySet<string>
  readonly required: ReadonlySet<string>
  readonly tags: ReadonlyMap<string, ReadonlySet<unknown>>
}

function read({ schema, union }: Leaf, side: SchemaVersions['was'], depth = 0): Reading {
  const { schemas, checker } = side
  const names = new Set<string>()
  const tags = new Map<string, Set<unknown>>()
  const selecting = alternativeValues(union, schemas, checker)
  const selected = selecting?.values[(union.oneOf ?? union.anyOf ?? []).indexOf(schema)]
  if (selecting && selected) tags.set(selecting.propertyName, new Set(selected))
  for (const part of everyPart(schema, schemas)) {
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      names.add(name)
      const target = dereference(property, schemas)
      const values = typeof target === 'object' ? valuesIn(target) : undefined
      // The values of the schemas count, where a discriminator states other ones.
      if (values) tags.set(name, new Set(values))
    }
    if (typeof part.items !== 'object' || depth > DEEPEST) continue
    const item = read({ schema: part.items, union: part }, side, depth + 1)
    for (const name of item.names) names.add(`[] ${name}`)
  }
  const { parts } = conjunctionOf(schema, schemas)
  const types = new Set(parts.flatMap((part) => part.type ?? []))
  return {
    type: [...types].sort().join(),
    ...{ names, tags },
    required: new Set(parts.flatMap((part) => part.required ?? [])),
  }
}

/** A list of lists of objects may contain itself. */
const DEEPEST = 3

const areOfOneTag = (a: Reading, b: Reading): boolean =>
  !areApart(a, b) && [...a.tags].some(([name, own]) => isOneOf(own, b.tags.get(name)))

/** Whether a property has other values in each of them, so that they are different alternatives. */
const areApart = (a: Reading, b: Reading): boolean =>
  (a.type !== '' && b.type !== '' && a.type !== b.type) ||
  [...a.tags].some(([name, own]) => {
    const others = b.tags.get(name)
    return (
      others !== undefined && a.required.has(name) && b.required.has(name) && !isOneOf(own, others)
    )
  })

const isOneOf = (own: ReadonlySet<unknown>, others: ReadonlySet<unknown> | undefined): boolean =>
  others !== undefined && [...own].some((value) => others.has(value))

const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  [...a].filter((one) => b.has(one)).length

/** From 0 to 1: the part of all names that both have. */
const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const common = shared(a, b)
  return common === 0 ? 0 : common / (a.size + b.size - common)
}
