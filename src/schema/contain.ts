import { cached } from '../runtime/shared/cached.js'
import {
  annotations,
  type Declared,
  holderOf,
  limitsOfOthers,
  mentions,
} from './contain/annotations.js'
import { createContainment } from './contain/contain.js'
import type { Gap, Path, Segment } from './contain/gap.js'
import {
  childOf,
  createSide,
  isNothing,
  keyOf,
  keywordsOf,
  type Node,
  nodeOf,
  type Reading,
  type Terms,
} from './node.js'
import { createSameness, createUnchanged } from './same.js'
import { type Schema, type Schemas, typesIn } from './schema.js'
import { appliedSchemas } from './together.js'

/** Compares the schemas of two versions by the values that they accept. Each pair is compared once for all operations. */
export function createSchemaComparison(
  before: { readonly schemas: Schemas },
  after: { readonly schemas: Schemas },
): CompareSchemas {
  const was = createSide(before.schemas)
  const is = createSide(after.schemas)
  const isSame = createSameness()
  const containments = Object.fromEntries(
    READINGS.map((reading) => [reading, createContainment(reading, isSame)]),
  ) as Readonly<Record<Reading, ReturnType<typeof createContainment>>>
  const declarations = createDeclarations()
  const isUnchanged = createUnchanged(before.schemas, after.schemas)
  return (before, after, { direction, isText = false, sendable }) => {
    if (isUnchanged(before, after)) return NO_CHANGES
    const sent = (schema: Schema): Schema =>
      sendable === undefined || schema === false ? schema : { allOf: [schema, sendable] }
    const narrowed = (reading: Reading) =>
      containments[reading].gapsOf([nodeOf(was, sent(before))], nodeOf(is, after))
    const widened = (reading: Reading) =>
      containments[reading].gapsOf([nodeOf(is, sent(after))], nodeOf(was, before))
    const strict = isText ? 'text' : 'strict'
    const declared = declarations(nodeOf(was, before), nodeOf(is, after))
    if (direction === 'request') {
      return { breaking: narrowed(strict), overlooked: [], harmless: widened(strict), declared }
    }
    return {
      breaking: widened(isText ? 'open-text' : 'open'),
      overlooked: isText ? [] : widened('open-meant'),
      harmless: narrowed(strict),
      declared,
    }
  }
}

const READINGS: readonly Reading[] = ['strict', 'open', 'text', 'open-text', 'open-meant']

export type CompareSchemas = (
  before: Schema,
  after: Schema,
  use: {
    readonly direction: 'request' | 'response'
    /** Scalars are texts on the wire. */
    readonly isText?: boolean | undefined
    /** The values that can be sent. */
    readonly sendable?: Schema | undefined
  },
) => SchemaChanges

/** Both directions of a change; each gap is reported once, at its first place. */
type SchemaChanges = {
  /**
   * For a request, values that only the old schema accepts. For a response, values that only the new schema accepts; undeclared
   * properties are ignored, as readers do. The `inner` side of a gap is the one that accepts.
   */
  readonly breaking: readonly Gap[]
  /** More values of a response that the intended alternative did not accept, although another one did. */
  readonly overlooked: readonly Gap[]
  /** The other direction, validated strictly. */
  readonly harmless: readonly Gap[]
  /** Differences between declarations, even if the accepted values are the same. */
  readonly declared: readonly Declared[]
}

const NO_CHANGES: SchemaChanges = { breaking: [], overlooked: [], harmless: [], declared: [] }

/**
 * Compares the declarations of both versions: properties, items, and annotations. Each pair is visited once, by its shortest
 * path, so the work grows with the schemas and not with the paths through them.
 */
function createDeclarations(): (before: Node, after: Node) => readonly Declared[] {
  const isAlike = createSameness('annotated')
  const known = new Map<string, Pair>()

  const pairOf = (was: Terms, is: Terms): Pair => {
    const key = `${keyOf(was)} : ${keyOf(is)}`
    return cached(known, key, () => ({ was, is, items: undefined }))
  }

  const itemsOf = (pair: Pair): readonly (Declared | Member)[] => {
    pair.items ??= areAlike(pair) ? [] : [...members(pair.was, pair.is)]
    return pair.items
  }

  const areAlike = ({ was, is }: Pair): boolean =>
    was.length === is.length && was.every((one, index) => isAlike(one, is[index] as Node))

  function* members(was: Terms, is: Terms): Generator<Declared | Member> {
    const [before, after] = [appliedSchemas(was), appliedSchemas(is)]
    yield* annotations(before, after)
    const [old, young] = [propertiesOf(before), propertiesOf(after)]
    for (const [name, terms] of old) {
      const path: Path = [{ kind: 'property', name }]
      const other = young.get(name)
      if (other)
        yield { kind: 'member', segment: { kind: 'property', name }, pair: pairOf(terms, other) }
      else if (describesObjects(after) && !forbids(after, name)) {
        yield { kind: 'property-removed', path, ...mentions(terms[0], holderOf(after)) }
      }
    }
    for (const [name, terms] of young) {
      if (old.has(name) || !describesObjects(before) || forbids(before, name)) continue
      const path: Path = [{ kind: 'property', name }]
      yield { kind: 'property-added', path, ...mentions(holderOf(before), terms[0]) }
    }
    yield* limitsOfOthers(before, after)
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
          const step = JSON.stringify(item.segment)
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
