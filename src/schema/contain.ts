import { cached, once } from '../runtime/shared/cached.js'
import { type AlternativeChanges, createAlternativeComparison } from './alternatives/compare.js'
import { createLoosened } from './alternatives/loosened.js'
import { gapKey, placeKey } from './alternatives/pair-changes.js'
import {
  annotations,
  type Declared,
  holderOf,
  limitsOfOthers,
  mentions,
} from './contain/annotations.js'
import { createContainment, type Spent } from './contain/contain.js'
import { type Gap, type Path, type Segment, saying, segmentKey } from './contain/gap.js'
import {
  type ComparisonReading,
  childOf,
  createSide,
  isNothing,
  keywordsOf,
  type Node,
  nodeOf,
  type Side,
  type Terms,
  termsKey,
} from './node.js'
import { createSameness, createUnchanged } from './same.js'
import { type Schema, type Schemas, typesIn } from './schema.js'
import { isUnreadFor } from './source.js'
import { appliedTerms } from './together.js'

/** Compares the schemas of two versions by the values that they accept. Each pair is compared once for all operations. */
export function createSchemaComparison(
  before: { readonly schemas: Schemas },
  after: { readonly schemas: Schemas },
): CompareSchemas {
  const sides = { was: createSide(before.schemas), is: createSide(after.schemas) }
  const spent: Spent = { steps: 0 }
  const values = createValueComparison(sides, spent)
  const isUnchanged = createUnchanged(before.schemas, after.schemas)
  const loose = once(() => createLooseComparison(sides, values, isUnchanged, spent))
  return (before, after, use) => {
    if (isUnchanged(before, after)) return NO_CHANGES
    const found = values.compare(before, after, use)
    return withAlternatives(found, loose()(before, after, use, found))
  }
}

/** The changes that only a comparison alternative by alternative finds, besides those of the values. */
function withAlternatives(found: ValueChanges, more: AlternativeChanges): SchemaChanges {
  const { limit } = more
  // What changed of an alternative says more than that the union has another one.
  const known = new Set(
    more.hidden.map(({ path, alternative = 0 }) =>
      placeKey(path.slice(0, path.length - alternative)),
    ),
  )
  const isOfKnown = ({ kind, path }: Gap) => kind === 'alternative' && known.has(placeKey(path))
  const undecided: readonly Gap[] = limit
    ? [
        {
          kind: 'undecided',
          path: [],
          inner: NOTHING,
          outer: NOTHING,
          isCertain: false,
          witness: undefined,
          limit,
        },
      ]
    : []
  return {
    breaking: [...found.breaking, ...more.visible, ...undecided],
    hidden: more.hidden,
    overlooked: [...more.unclear, ...found.overlooked.filter((gap) => !isOfKnown(gap))],
    harmless: [...found.harmless, ...more.harmless],
    declared: [...found.declared, ...more.declared],
    lost: more.lost,
  }
}

const NOTHING = saying(undefined)

/**
 * Compares alternatives in versions in which a `oneOf` that no value can fulfil is an `anyOf`: such a union would hide all changes of
 * the values that contain it.
 */
function createLooseComparison(
  { was, is }: Sides,
  values: ValueComparison,
  isUnchanged: (before: Schema, after: Schema) => boolean,
  spent: Spent,
) {
  const loosened = { was: createLoosened(was), is: createLoosened(is) }
  const isSameSide = loosened.was.schemas === was.schemas && loosened.is.schemas === is.schemas
  const sides = isSameSide
    ? { was, is }
    : { was: createSide(loosened.was.schemas), is: createSide(loosened.is.schemas) }
  const loose = isSameSide ? values : createValueComparison(sides, spent)
  const { gapsOf, declarations, isSame } = loose
  const compare = createAlternativeComparison(sides, {
    ...{ gapsOf, declarations, isSame, isUnchanged, spent },
  })
  return (
    before: Schema,
    after: Schema,
    use: SchemaUse,
    found: ValueChanges,
  ): AlternativeChanges => {
    const [one, other] = [loosened.was.loosened(before), loosened.is.loosened(after)]
    const isSameSchema = isSameSide && one === before && other === after
    const reported = new Set(found.breaking.map((gap) => gapKey(gap)))
    const values = isSameSchema ? undefined : loose.compare(one, other, use)
    const more = values?.breaking.filter((gap) => !reported.has(gapKey(gap))) ?? []
    const { isText = false, direction } = use
    const readings = {
      strict: isText ? 'text' : 'strict',
      open: isText ? 'open-text' : 'open',
    } as const
    const places = new Set(found.harmless.map((gap) => gapKey(gap)))
    const notes = values?.harmless.filter((gap) => !places.has(gapKey(gap))) ?? []
    const changes = compare(...([one, other, { direction, ...readings }] as const), {
      breaking: [...found.breaking, ...more],
      harmless: [...found.harmless, ...notes],
      declared: found.declared,
    })
    return {
      ...changes,
      hidden: [...more, ...changes.hidden],
      harmless: [...notes, ...changes.harmless],
    }
  }
}

type Sides = { readonly was: Side; readonly is: Side }

/** Compares the schemas of two versions by their values alone. */
function createValueComparison({ was, is }: Sides, spent: Spent) {
  const isSame = createSameness()
  const containments = Object.fromEntries(
    READINGS.map((reading) => [reading, createContainment(reading, isSame, spent)]),
  ) as Readonly<Record<ComparisonReading, ReturnType<typeof createContainment>>>
  const declarations = createDeclarations()
  const gapsOf = (reading: ComparisonReading, terms: Terms, outer: Node) =>
    containments[reading].gapsOf(terms, outer)
  const compare = (
    before: Schema,
    after: Schema,
    { direction, isText = false, sendable }: SchemaUse,
  ): ValueChanges => {
    const sent = (schema: Schema): Schema =>
      sendable === undefined || schema === false ? schema : { allOf: [schema, sendable] }
    const narrowed = (reading: ComparisonReading) =>
      gapsOf(reading, [nodeOf(was, sent(before))], nodeOf(is, after))
    const widened = (reading: ComparisonReading) =>
      gapsOf(reading, [nodeOf(is, sent(after))], nodeOf(was, before))
    const strict = isText ? 'text' : 'strict'
    const declared = declarations(nodeOf(was, before), nodeOf(is, after))
    if (direction === 'request') {
      return { breaking: narrowed(strict), overlooked: [], harmless: widened(strict), declared }
    }
    return {
      breaking: widened(isText ? 'open-text' : 'open'),
      overlooked: isText ? [] : widened('open-intended'),
      harmless: narrowed(strict),
      declared,
    }
  }
  return { compare, gapsOf, declarations, isSame }
}

type ValueComparison = ReturnType<typeof createValueComparison>

const READINGS: readonly ComparisonReading[] = [
  'strict',
  'open',
  'text',
  'open-text',
  'open-intended',
]

export type CompareSchemas = (before: Schema, after: Schema, use: SchemaUse) => SchemaChanges

type SchemaUse = {
  readonly direction: 'request' | 'response'
  /** Scalars are texts on the wire. */
  readonly isText?: boolean | undefined
  /** The values that can be sent. */
  readonly sendable?: Schema | undefined
}

/** Both directions of a change; each gap is reported once, at its first place. */
type ValueChanges = {
  /**
   * For a request, values that only the old schema accepts. For a response, values that only the new schema accepts; undeclared
   * properties are ignored, as readers do. The `inner` side of a gap is the one that accepts.
   */
  readonly breaking: readonly Gap[]
  /** Values that the intended alternative does not accept, although another one may; and alternatives of one version alone. */
  readonly overlooked: readonly Gap[]
  /** The other direction, validated strictly. */
  readonly harmless: readonly Gap[]
  /** Differences between declarations, even if the accepted values are the same. */
  readonly declared: readonly Declared[]
}

type SchemaChanges = ValueChanges & {
  /** More breaking gaps, for those who send an alternative whose values another alternative accepts too. */
  readonly hidden: readonly Gap[]
  /** The places of properties of alternatives that a response no longer has, by `placeKey`. */
  readonly lost: ReadonlySet<string>
}

const NO_CHANGES: SchemaChanges = {
  ...{ breaking: [], hidden: [], overlooked: [], harmless: [], declared: [], lost: new Set() },
}

/**
 * Compares the declarations of both versions: properties, items, and annotations. Each pair is visited once, by its shortest
 * path, so the work grows with the schemas and not with the paths through them.
 */
function createDeclarations(): (before: Node, after: Node) => readonly Declared[] {
  const isAlike = createSameness('annotated')
  const known = new Map<string, Pair>()

  const pairOf = (was: Terms, is: Terms): Pair => {
    const key = `${termsKey(was)} : ${termsKey(is)}`
    return cached(known, key, () => ({ was, is, items: undefined }))
  }

  const itemsOf = (pair: Pair): readonly (Declared | Member)[] => {
    pair.items ??= areAlike(pair) ? [] : [...members(pair.was, pair.is)].filter(isDifferent)
    return pair.items
  }

  const isDifferent = (item: Declared | Member): boolean =>
    item.kind !== 'member' || !areAlike(item.pair)

  const areAlike = ({ was, is }: Pair): boolean =>
    was.length === is.length && was.every((one, index) => isAlike(one, is[index] as Node))

  function* members(was: Terms, is: Terms): Generator<Declared | Member> {
    const [before, after] = [appliedTerms(was), appliedTerms(is)]
    yield* annotations(before, after)
    // Which properties a version has is not known if it could not be read.
    const isKnown = ![...before, ...after].some(({ schema }) => isUnreadFor(schema, 'object'))
    const [earlier, later] = [propertiesOf(before), propertiesOf(after)]
    for (const [name, terms] of earlier) {
      const path: Path = [{ kind: 'property', name }]
      const other = later.get(name)
      if (other)
        yield { kind: 'member', segment: { kind: 'property', name }, pair: pairOf(terms, other) }
      else if (isKnown && describesObjects(after) && !forbids(after, name)) {
        yield { kind: 'property-removed', path, ...mentions(terms[0], holderOf(after)) }
      }
    }
    for (const [name, terms] of isKnown ? later : []) {
      if (earlier.has(name) || !describesObjects(before) || forbids(before, name)) continue
      const path: Path = [{ kind: 'property', name }]
      yield { kind: 'property-added', path, ...mentions(holderOf(before), terms[0]) }
    }
    if (isKnown) yield* limitsOfOthers(before, after)
    for (const [segment, keyword] of REPEATED) {
      const pair = [before, after].map((nodes) => childrenOf(nodes, keyword))
      const [one = [], other = []] = pair
      if (one.length === 0 || other.length === 0) continue
      yield { kind: 'member', segment, pair: pairOf(one, other) }
    }
    const [first, second] = [placesOf(before), placesOf(after)]
    for (const [index, terms] of first.entries()) {
      const other = second[index]
      if (other) {
        yield { kind: 'member', segment: { kind: 'item', index }, pair: pairOf(terms, other) }
      }
    }
  }

  return (before, after) => {
    const found = new Map<string, Declared>()
    const visits: Visit[] = [{ pair: pairOf([before], [after]), from: undefined, isFirst: true }]
    const seen = new Map<Pair, Set<string>>(visits.map(({ pair }) => [pair, new Set()]))
    for (const visit of visits) {
      const { pair, isFirst } = visit
      for (const item of itemsOf(pair)) {
        if (item.kind !== 'member') {
          // A pair on another path has the same differences, except for its last step.
          if (!isFirst && item.path.length > 0) continue
          const one = { ...item, path: [...pathTo(visit), ...item.path] }
          const key = keyOfOne(one)
          if (!found.has(key)) found.set(key, one)
        } else if (isFirst) {
          const step = segmentKey(item.segment)
          const steps = seen.get(item.pair)
          if (steps?.has(step)) continue
          seen.set(item.pair, (steps ?? new Set()).add(step))
          visits.push({
            pair: item.pair,
            from: { visit, segment: item.segment },
            isFirst: steps === undefined,
          })
        }
      }
    }
    return [...found.values()]
  }
}

/** A recursive schema, or one in several places of a value, is reported at its first place. */
const keyOfOne = ({ kind, path, before, after }: Declared): string =>
  JSON.stringify([path.at(-1), kind, before.node?.id, after.node?.id])

type Pair = {
  readonly was: Terms
  readonly is: Terms
  items: readonly (Declared | Member)[] | undefined
}

/** A pair of member schemas: its declarations belong to the whole value too, at `segment`. */
type Member = { readonly kind: 'member'; readonly segment: Segment; readonly pair: Pair }

type Visit = {
  readonly pair: Pair
  /** Undefined for the whole value. Paths are made from these steps, because a long chain has many long paths. */
  readonly from: { readonly visit: Visit; readonly segment: Segment } | undefined
  readonly isFirst: boolean
}

function pathTo(visit: Visit): Path {
  const path: Segment[] = []
  for (let { from } = visit; from; from = from.visit.from) path.push(from.segment)
  return path.reverse()
}

const REPEATED: readonly (readonly [Segment, 'items' | 'additionalProperties'])[] = [
  [{ kind: 'any-item' }, 'items'],
  [{ kind: 'any-property' }, 'additionalProperties'],
]

function propertiesOf(nodes: Terms): ReadonlyMap<string, Terms> {
  const found = new Map<string, Node[]>()
  for (const node of nodes) {
    for (const [name, schema] of Object.entries(keywordsOf(node).properties ?? {})) {
      const child = childOf(node, schema)
      // A property that a variant forbids is not declared.
      if (!isNothing(child)) cached(found, name, () => []).push(child)
    }
  }
  return found
}

/** Whether a version forbids a property by name, which the comparison of values reports. */
const forbids = (nodes: Terms, name: string): boolean =>
  nodes.some((node) => {
    const { properties = {} } = keywordsOf(node)
    return Object.hasOwn(properties, name) && isNothing(childOf(node, properties[name] ?? true))
  })

/** Whether a version describes objects; otherwise its missing properties are not reported as changes. */
const describesObjects = (nodes: Terms): boolean =>
  nodes.some((node) => {
    const schema = keywordsOf(node)
    return (
      typesIn(schema)?.includes('object') ||
      schema.properties !== undefined ||
      schema.additionalProperties === false
    )
  })

const childrenOf = (nodes: Terms, keyword: 'items' | 'additionalProperties'): Terms =>
  nodes.flatMap((node) => {
    const schema = keywordsOf(node)[keyword]
    return typeof schema === 'object' ? [childOf(node, schema)] : []
  })

function placesOf(nodes: Terms): readonly Terms[] {
  const most = Math.max(0, ...nodes.map((node) => keywordsOf(node).prefixItems?.length ?? 0))
  return Array.from({ length: most }, (_, index) =>
    nodes.flatMap((node) => {
      const schema = keywordsOf(node).prefixItems?.[index]
      return schema === undefined ? [] : [childOf(node, schema)]
    }),
  )
}
