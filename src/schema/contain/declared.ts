import { isEqual } from '../json-values.js'
import { CONTENT } from '../keywords.js'
import {
  childOf,
  isAnything,
  isNothing,
  keyOf,
  keywordsOf,
  type Node,
  type Terms,
} from '../node.js'
import { createSameness } from '../same.js'
import { typesIn } from '../schema.js'
import { discriminatorOf } from '../source.js'
import { appliedSchemas } from '../together.js'
import type { Path, Segment } from './gap.js'

/** Something that two versions declare otherwise at one place of a value. */
export type Declared = {
  readonly kind: DeclaredKind
  readonly path: Path
  readonly before: Mention
  readonly after: Mention
}

export type DeclaredKind =
  | 'property-added'
  | 'property-removed'
  | 'life'
  | 'read-only'
  | 'write-only'
  | 'default'
  | 'format'
  | 'content'
  | 'discriminator'
  | 'extensible-value-removed'
  | 'undeclared-narrowed'
  | 'undeclared-widened'
  | 'closed'
  | 'opened'

/** The schema that says it, and what it says; without a node, nobody says anything. */
export type Mention = { readonly node: Node | undefined; readonly says: unknown }

/**
 * Walks what both versions declare side by side: the properties of an object, the items of an array, and what is said of them
 * beside what they let through. Each pair is looked at once and visited by its shortest path, so that the work grows with the
 * schemas and not with the paths through them.
 */
export function createDeclarations(): (before: Node, after: Node) => readonly Declared[] {
  const isAlike = createSameness('annotated')
  const known = new Map<string, Pair>()

  const pairOf = (was: Terms, is: Terms): Pair => {
    const key = `${keyOf(was)} : ${keyOf(is)}`
    const pair = known.get(key) ?? { was, is, items: undefined }
    known.set(key, pair)
    return pair
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
    const visits: Visit[] = [{ pair: pairOf([before], [after]), path: [], isFirst: true }]
    const seen = new Map<Pair, Set<string>>(visits.map(({ pair }) => [pair, new Set()]))
    for (const { pair, path, isFirst } of visits) {
      for (const item of itemsOf(pair)) {
        if (item.kind !== 'member') {
          // What another path leads to differs in its last step only.
          if (!isFirst && item.path.length > 0) continue
          const one = { ...item, path: [...path, ...item.path] }
          const key = keyOfOne(one)
          if (!found.has(key)) found.set(key, one)
        } else if (isFirst) {
          const step = JSON.stringify(item.segment)
          const steps = seen.get(item.pair)
          if (steps?.has(step)) continue
          seen.set(item.pair, (steps ?? new Set()).add(step))
          visits.push({
            pair: item.pair,
            path: [...path, item.segment],
            isFirst: steps === undefined,
          })
        }
      }
    }
    return [...found.values()]
  }
}

/** A schema within itself, or in several places of a value, is reported at its first place. */
const keyOfOne = ({ kind, path, before, after }: Declared): string =>
  JSON.stringify([path.at(-1), kind, before.node?.id, after.node?.id])

type Pair = {
  readonly was: Terms
  readonly is: Terms
  items: readonly (Declared | Member)[] | undefined
}

/** What is declared of a member is declared of the whole too, at `segment`. */
type Member = { readonly kind: 'member'; readonly segment: Segment; readonly pair: Pair }

type Visit = { readonly pair: Pair; readonly path: Path; readonly isFirst: boolean }

const REPEATED: readonly (readonly [Segment, 'items' | 'additionalProperties'])[] = [
  [{ kind: 'any-item' }, 'items'],
  [{ kind: 'any-property' }, 'additionalProperties'],
]

const mentions = (before: Node | undefined, after: Node | undefined) => ({
  before: { node: before, says: undefined },
  after: { node: after, says: undefined },
})

function propertiesOf(nodes: Terms): ReadonlyMap<string, Terms> {
  const found = new Map<string, Node[]>()
  for (const node of nodes) {
    for (const [name, schema] of Object.entries(keywordsOf(node).properties ?? {})) {
      const child = childOf(node, schema)
      // What a variant forbids is no property of it.
      if (!isNothing(child)) found.set(name, [...(found.get(name) ?? []), child])
    }
  }
  return found
}

/** The comparison of values reports a property that one version forbids by its name. */
const forbids = (nodes: Terms, name: string): boolean =>
  nodes.some((node) => {
    const { properties = {} } = keywordsOf(node)
    return Object.hasOwn(properties, name) && isNothing(childOf(node, properties[name] ?? true))
  })

/** The schema in which a reader looks for a property. */
const holderOf = (nodes: Terms): Node | undefined =>
  nodes.find((node) => keywordsOf(node).properties !== undefined) ?? nodes.at(-1)

/** Where a version accepts any value, or values of other types only, its missing properties are no change of their own. */
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

function* annotations(before: Terms, after: Terms): Generator<Declared> {
  for (const [kind, keywords] of ANNOTATIONS) {
    const [was, is] = [mention(before, keywords), mention(after, keywords)]
    if (!isEqual(was.says, is.says)) yield { kind, path: [], before: was, after: is }
  }
  const [held, holds] = [contentOf(before), contentOf(after)]
  if (!isEqual(held.says, holds.says)) {
    yield { kind: 'content', path: [], before: held, after: holds }
  }
  const [tag, tagged] = [tagOf(before), tagOf(after)]
  if (!isEqual(tag.says, tagged.says)) {
    yield { kind: 'discriminator', path: [], before: tag, after: tagged }
  }
  const listed = mention(before, ['x-extensible-enum'])
  const still = mention(after, ['x-extensible-enum'])
  if (!Array.isArray(listed.says) || !Array.isArray(still.says)) return
  const values: readonly unknown[] = still.says
  const gone = listed.says.filter((value) => !values.some((one) => isEqual(one, value)))
  if (gone.length === 0) return
  yield {
    kind: 'extensible-value-removed',
    path: [],
    before: { ...listed, says: gone },
    after: still,
  }
}

/** What is said of properties and items that have no schema of their own, which both versions let through undeclared. */
function* limitsOfOthers(before: Terms, after: Terms): Generator<Declared> {
  const [was, is] = [limitsOf(before), limitsOf(after)]
  for (const [name, node] of is) {
    if (was.has(name) || (name === 'additionalProperties' && saysOthers(before))) continue
    const mentioned = { ...mentions(holderOf(before), node), after: { node, says: name } }
    const kind = name === 'closed' ? name : 'undeclared-narrowed'
    yield { kind, path: [], ...mentioned }
  }
  for (const [name, node] of was) {
    if (is.has(name) || (name === 'additionalProperties' && saysOthers(after))) continue
    const mentioned = { ...mentions(node, holderOf(after)), before: { node, says: name } }
    const kind = name === 'closed' ? 'opened' : 'undeclared-widened'
    yield { kind, path: [], ...mentioned }
  }
}

function limitsOf(nodes: Terms): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>()
  for (const node of nodes) {
    const { patternProperties = {}, propertyNames, unevaluatedProperties } = keywordsOf(node)
    for (const pattern of Object.keys(patternProperties)) {
      found.set(`patternProperties ${pattern}`, node)
    }
    const { additionalProperties } = keywordsOf(node)
    if (additionalProperties === false || unevaluatedProperties === false) {
      found.set('closed', node)
    } else if (additionalProperties !== undefined && !saysNothing(node)) {
      found.set('additionalProperties', node)
    }
    if (propertyNames !== undefined) found.set('propertyNames', node)
    if (typeof unevaluatedProperties === 'object') found.set('unevaluatedProperties', node)
    if (typeof keywordsOf(node).unevaluatedItems === 'object') found.set('unevaluatedItems', node)
  }
  return found
}

const saysNothing = (node: Node): boolean =>
  isAnything(childOf(node, keywordsOf(node).additionalProperties ?? true))

/** The comparison of values reports what changes between two versions that both say what other properties may be. */
const saysOthers = (nodes: Terms): boolean =>
  nodes.some((node) => keywordsOf(node).additionalProperties !== undefined)

const ANNOTATIONS = [
  ['life', ['deprecated', 'x-sunset']],
  ['read-only', ['readOnly']],
  ['write-only', ['writeOnly']],
  ['default', ['default']],
  ['format', ['format']],
] as const

/** The first discriminator of them. */
function tagOf(nodes: Terms): Mention {
  const node = nodes.find(({ schema }) => discriminatorOf(schema))
  return { node: node ?? nodes[0], says: node && discriminatorOf(node.schema) }
}

/** What the first of them that says anything of it says that a text holds. */
function contentOf(nodes: Terms): Mention {
  const node = nodes.find((one) =>
    CONTENT.some((keyword) => Object.hasOwn(keywordsOf(one), keyword)),
  )
  const schema = (node ? keywordsOf(node) : {}) as Readonly<Record<string, unknown>>
  const says = Object.fromEntries(CONTENT.map((keyword) => [keyword, schema[keyword]]))
  return { node: node ?? nodes[0], says }
}

/** What the first of them that says anything says; of several keywords, an object of them. */
function mention(nodes: Terms, keywords: readonly string[]): Mention {
  const [first = ''] = keywords
  const node = nodes.find((one) => Object.hasOwn(keywordsOf(one), first))
  const schema = (node ? keywordsOf(node) : {}) as Readonly<Record<string, unknown>>
  if (keywords.length === 1) return { node: node ?? nodes[0], says: schema[first] }
  const says = Object.fromEntries(keywords.map((keyword) => [keyword, schema[keyword]]))
  return { node: node ?? nodes[0], says: schema[first] === true ? says : undefined }
}
