import { cached } from '../../runtime/shared/cached.js'
import type { Spent } from '../contain/contain.js'
import type { Limit, Segment } from '../contain/gap.js'
import { createMembers } from '../hierarchy.js'
import { nodeOf, type Side } from '../node.js'
import type { Sameness } from '../same.js'
import { dereference, type Schema, type SchemaObject } from '../schema.js'
import {
  type Conjunction,
  choosing,
  conjunctionOf,
  everyPart,
  type Leaf,
  type Union,
} from './conjunction.js'
import { type Containing, createContaining } from './loosened.js'
import { type PairedAlternatives, pairAlternatives } from './pair.js'
import {
  type Collected,
  createPairComparison,
  declaredProperties,
  meaningId,
  type PairTools,
  propertySegment,
  type Reported,
  type SchemaUse,
  type Sides,
  type Visit,
} from './pair-changes.js'

/**
 * Compares the unions of two versions alternative by alternative. A comparison of values does not see a change of an alternative whose
 * values another one accepts too, because it ignores the properties that it does not declare. But who sends a value means one
 * alternative. The schemas that extend a schema with a discriminator are alternatives too.
 */
export function createAlternativeComparison(sides: Sides, tools: Tools): CompareAlternatives {
  const { was, is } = sides
  const { spent } = tools
  const containing = { was: createContaining(was, spent), is: createContaining(is, spent) }
  const members = { was: createMembers(was.schemas), is: createMembers(is.schemas) }
  const pairings = new WeakMap<readonly Leaf[], WeakMap<readonly Leaf[], PairedAlternatives>>()
  const startPairs = createPairComparison(sides, tools)

  /** Pairs of which nothing is reported, nor of what they contain: by the use of the values. */
  const settled = new Map<string, Set<string>>()
  const keyOf = ({ before, after }: Visit) => `${meaningId(was, before)} ${meaningId(is, after)}`

  return (before, after, use, reported) => {
    const most = spent.steps + MOST_STEPS
    const isRequest = use.direction === 'request'
    const root: Visit = { before, after, whole: { before, after }, path: [], from: undefined }
    const visits = [root]
    const holders = new Map<string, string[]>([[keyOf(root), []]])
    const dirty = new Set<string>()
    const clean = cached(settled, `${use.direction} ${use.strict}`, () => new Set<string>())
    const pairs = startPairs(use, reported, (at) => dirty.add(keyOf(at)))
    let limit: Limit | undefined

    const visit = (next: Visit): void => {
      if (tools.isUnchanged(next.before, next.after)) return
      const key = keyOf(next)
      if (clean.has(key)) return
      const from = next.from ? [keyOf(next.from.visit)] : []
      const earlier = holders.get(key)
      if (earlier) {
        earlier.push(...from)
        return
      }
      holders.set(key, from)
      visits.push(next)
    }

    for (const one of visits) {
      if (visits.length > MOST_VISITS) {
        limit = { counts: 'alternatives', most: MOST_VISITS }
        break
      }
      const places = {
        before: conjunctionOf(one.before, was.schemas),
        after: conjunctionOf(one.after, is.schemas),
      }
      for (const [union, other] of unionsOf(one, places)) ofUnion(one, union, other)
      ofHierarchy(one)
      for (const [segment, inner, outer] of childrenOf(places)) {
        visit({
          ...{ before: inner, after: outer, whole: { before: inner, after: outer } },
          path: [...one.path, segment],
          from: { visit: one, segment },
        })
      }
    }
    // The loop also visits elements that are added meanwhile.
    for (const key of dirty) for (const holder of holders.get(key) ?? []) dirty.add(holder)
    if (!limit) for (const key of holders.keys()) if (!dirty.has(key)) clean.add(key)
    return { ...pairs.found, limit }

    function ofUnion(at: Visit, before: VersionedUnion, after: VersionedUnion): void {
      const pairing = pairingOf(before.union.leaves, after.union.leaves)
      const wholes = {
        before: (leaves: readonly Leaf[]) => before.wholeOf(at.whole.before, leaves),
        after: (leaves: readonly Leaf[]) => after.wholeOf(at.whole.after, leaves),
      }
      for (const [a, b] of pairing.pairs) {
        // What changed beside the union is a change of the whole.
        if (tools.isUnchanged(a.schema, b.schema)) continue
        if (spent.steps > most) limit ??= { counts: 'steps of alternatives', most: MOST_STEPS }
        if (limit) return
        const whole = { before: wholes.before([a]), after: wholes.after([b]) }
        const inner = { ...at, before: a.schema, after: b.schema, whole, from: { visit: at } }
        const isEntangled = (): boolean =>
          before.isEntangled(at.whole.before, a, most) || after.isEntangled(at.whole.after, b, most)
        const [unpaired, wider] = isRequest
          ? [pairing.added, () => wholes.after([b, ...pairing.added])]
          : [pairing.removed, () => wholes.before([a, ...pairing.removed])]
        pairs.ofPair(inner, {
          ...{ isEntangled, isExtending: before.isHierarchy },
          wider: unpaired.length > 0 ? wider : undefined,
        })
        visit(inner)
      }
      // An object may be one of several alternatives now, or was: one that declares no more than the object is no other one.
      const removed = after.isUnion
        ? pairing.removed
        : beyond(pairing.removed, was, at.whole.after, is)
      const added = before.isUnion ? pairing.added : beyond(pairing.added, is, at.whole.before, was)
      pairs.ofUnpaired(at, { ...pairing, removed, added }, wholes, {
        isDivided: !before.isUnion,
        isJoined: !after.isUnion,
      })
    }

    /** Members of a hierarchy are alternatives of the schema that they extend, which accepts all their values. */
    function ofHierarchy(at: Visit): void {
      const [a, b] = [dereference(at.before, was.schemas), dereference(at.after, is.schemas)]
      const [before, after] = [members.was(a), members.is(b)]
      if (before.length === 0 && after.length === 0) return
      const leaves = (schemas: readonly SchemaObject[], union: Schema) =>
        schemas.map((schema): Leaf => ({ schema, union: typeof union === 'object' ? union : {} }))
      const virtual = (own: readonly SchemaObject[], union: Schema): VersionedUnion => ({
        union: { leaves: leaves(own, union) },
        wholeOf: (_, [leaf, ...others]) =>
          others.length === 0 && leaf
            ? leaf.schema
            : { anyOf: [leaf, ...others].flatMap((one) => one?.schema ?? []) },
        isEntangled: () => true,
        isUnion: true,
        isHierarchy: true,
      })
      ofUnion(at, virtual(before, a), virtual(after, b))
      pairs.ofSelection(at, nodeOf(was, a), nodeOf(is, b))
    }
  }

  function pairingOf(before: readonly Leaf[], after: readonly Leaf[]): PairedAlternatives {
    const known = cached(pairings, before, () => new WeakMap<readonly Leaf[], PairedAlternatives>())
    const isSame = (a: Schema, b: Schema) => tools.isSame(nodeOf(was, a), nodeOf(is, b))
    return cached(known, after, () => pairAlternatives(before, after, { was, is, isSame }))
  }

  /** The unions at a place, in pairs; a version without one has one alternative. */
  function unionsOf(
    at: Visit,
    places: Places,
  ): readonly (readonly [VersionedUnion, VersionedUnion])[] {
    const before = places.before.unions.map((one) => versioned(was, containing.was, one))
    const after = places.after.unions.map((one) => versioned(is, containing.is, one))
    const [first] = before
    const [other] = after
    if (!first) return other && isObject(at.before) ? [[single(at.before), other]] : []
    if (!other) return isObject(at.after) ? [[first, single(at.after)]] : []
    return before.flatMap((one, index) => {
      const other = after[index]
      return other ? [[one, other] as const] : []
    })
  }
}

export type CompareAlternatives = (
  before: Schema,
  after: Schema,
  use: SchemaUse,
  reported: Reported,
) => AlternativeChanges

export type AlternativeChanges = Readonly<Collected> & {
  readonly limit: Limit | undefined
}

type Tools = PairTools & {
  readonly isUnchanged: (before: Schema, after: Schema) => boolean
  readonly isSame: Sameness
  /** The steps of the comparisons. */
  readonly spent: Spent
}

type Places = { readonly before: Conjunction; readonly after: Conjunction }

/** A union of one version. */
type VersionedUnion = {
  readonly union: Pick<Union, 'leaves'>
  /** The schema of the value, in which the union has only these alternatives. */
  readonly wholeOf: (whole: Schema, leaves: readonly Leaf[]) => Schema
  /** Whether the alternative contains another one, or is contained in one. */
  readonly isEntangled: (whole: Schema, leaf: Leaf, most: number) => boolean
  /** Whether the version has a union there; otherwise the schema is its only alternative. */
  readonly isUnion: boolean
  /** Whether the alternatives extend the schema, which accepts their values itself. */
  readonly isHierarchy: boolean
}

/** The pairs of schemas that are visited for one comparison. */
const MOST_VISITS = 5_000

/** The steps to compare all pairs of one comparison. Stripe takes about a hundred. */
const MOST_STEPS = 10_000

const versioned = ({ schemas }: Side, containing: Containing, union: Union): VersionedUnion => ({
  union,
  wholeOf: (whole, leaves) => {
    const own = leaves.map(({ schema }) => schema)
    return choosing(whole, union, own, schemas) ?? { anyOf: own }
  },
  isEntangled: (whole, leaf, most) => containing(whole, union, union.leaves.indexOf(leaf), most),
  isUnion: true,
  isHierarchy: false,
})

/** A schema without a union is its only alternative. */
const single = (schema: SchemaObject): VersionedUnion => ({
  union: { leaves: [{ schema, union: schema }] },
  wholeOf: (whole) => whole,
  isEntangled: () => false,
  isUnion: false,
  isHierarchy: false,
})

const isObject = (schema: Schema): schema is SchemaObject => typeof schema === 'object'

/** The members that both versions describe, each with its schemas. */
function* childrenOf({ before, after }: Places): Generator<readonly [Segment, Schema, Schema]> {
  const others = membersOf(after)
  for (const [key, { segment, schemas }] of membersOf(before)) {
    const other = others.get(key)
    if (other) yield [segment, together(schemas), together(other.schemas)]
  }
}

function membersOf({ parts }: Conjunction): ReadonlyMap<string, Member> {
  const found = new Map<string, Member>()
  const add = (key: string, segment: Segment, schema: Schema) =>
    cached(found, key, () => ({ segment, schemas: [] as Schema[] })).schemas.push(schema)
  for (const part of parts) {
    for (const [name, schema] of Object.entries(part.properties ?? {}))
      add(`.${name}`, propertySegment(name), schema)
    for (const [index, schema] of (part.prefixItems ?? []).entries())
      add(`${index}`, { kind: 'item', index }, schema)
    if (part.items !== undefined) add('items', { kind: 'any-item' }, part.items)
    if (part.additionalProperties !== undefined)
      add('others', { kind: 'any-property' }, part.additionalProperties)
  }
  return found
}

type Member = { readonly segment: Segment; readonly schemas: Schema[] }

/** One schema for all, the same object each time. */
function together(schemas: readonly Schema[]): Schema {
  const [first = true, ...others] = schemas
  if (others.length === 0 || typeof first === 'boolean') return first
  const known = cached(joined, first, () => [] as (readonly [readonly Schema[], Schema])[])
  const same = known.find(
    ([all]) => all.length === schemas.length && all.every((one, at) => one === schemas[at]),
  )
  if (same) return same[1]
  const made = { allOf: schemas }
  known.push([schemas, made])
  return made
}

const joined = new WeakMap<object, (readonly [readonly Schema[], Schema])[]>()

/** The alternatives that declare properties which a schema of the other version does not. */
function beyond(
  leaves: readonly Leaf[],
  side: Side,
  other: Schema,
  { schemas }: Side,
): readonly Leaf[] {
  const parts = everyPart(other, schemas)
  const known = new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)))
  return leaves.filter((leaf) =>
    declaredProperties(leaf, side.schemas).some((name) => !known.has(name)),
  )
}
