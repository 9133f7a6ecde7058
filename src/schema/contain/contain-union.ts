import { once } from '../../runtime/shared/cached.js'
import {
  accepts,
  childOf,
  isOpen,
  isTextReading,
  keywordsOf,
  type Node,
  overlooking,
  resolved,
} from '../node.js'
import { isEmptyRange, numbersNear, rangeOf } from '../number-range.js'
import { escaping } from '../patterns/language.js'
import { distinctNodes } from '../same.js'
import { asserted, type Schema, type SchemaObject, typesIn } from '../schema.js'
import type { Shape } from '../shape.js'
import { inheritSource, writtenReference } from '../source.js'
import { objectView, stringTerms } from '../views.js'
import { overlaps, piecesOf } from './contain-exclusion.js'
import type { Item, MemberQuestion, Witness } from './gap.js'
import { createWork, type Work } from './work.js'

/** Each value of the shape must fulfil one branch. For a `oneOf`, values that fulfil two branches are reported separately. */
export function inUnion(
  work: Work,
  branches: readonly Schema[],
  keyword: 'anyOf' | 'oneOf',
): readonly Item[] {
  const nodes = branches.map((one) => childOf(work.outer, one))
  const items = covered(work, distinctNodes(nodes, work.isSame), keyword, 0)
  if (keyword === 'anyOf') return items
  const twice = overlaps(work, nodes)
  if (twice.length === 0 || work.areHeld(items)) return [...items, ...twice]
  return [...items, ...twice.filter(({ witness }) => witness)]
}

function covered(
  work: Work,
  nodes: readonly Node[],
  keyword: 'anyOf' | 'oneOf',
  depth: number,
): readonly Item[] {
  const { shape, outer, ofShape, samples, gap, areDisjoint, reading } = work
  const { areHeld, gapsOf, shown } = work
  if (nodes.length === 1 && nodes[0]) return ofShape(shape, nodes[0])
  // Most branches of a large union differ in a tag, which is cheaper to compare than the whole branches.
  const near = nodes.filter(
    isTextReading(reading)
      ? isOfSuchType
      : (one) => !lacksRequired(shape, one) && !areDisjoint(shape, one),
  )
  const own = once(() => counterparts(work, nodes))
  // No value of the shape is in another branch, so a gap of this branch is a gap of the union.
  if (depth === 0 && near.length === 1 && near[0]) {
    const items = ofShape(shape, near[0])
    if (items.length === 0) return items
    if (!items.some(isOfTheWhole) && own().includes(near[0])) return items
  }
  const tries: (readonly Item[])[] = []
  const tried = new Map<Node, readonly Item[]>()
  const overlooked = new Set<readonly Item[]>()
  // A reader ignores the properties that separate a closed branch from the shape.
  for (const node of near.length > 0 ? near : nodes) {
    const ruled = withRules(work, keyword, node)
    const items = ofShape(shape, ruled)
    if (areHeld(items)) return []
    tries.push(items)
    tried.set(node, items)
    // A branch that accepts values only because it ignores properties is not the intended one.
    if (ruled !== node && areHeld(ofShape(shape, node))) overlooked.add(items)
  }
  if (coveredTogether(work, nodes)) return []
  const pieces = depth < DEEPEST ? piecesOf(work, nodes, splittingNames(tries, work)) : undefined
  if (pieces) {
    return pieces.flatMap((piece) =>
      piece.values
        ? ofShape(piece, outerUnion(work, nodes, keyword))
        : covered(createWork(piece, outer, work), nodes, keyword, depth + 1),
    )
  }
  const listed = listedValues(work, nodes)
  if (listed) return ofShape(shape, listed)
  const [nearest] = own()
    .map((node) => tried.get(node) ?? ofShape(shape, withRules(work, keyword, node)))
    .map((items) => ({ items, distance: overlooked.has(items) ? FAR : distance(items, work) }))
    .toSorted((a, b) => a.distance - b.distance)
  const within =
    nearest && nearest.distance < FAR
      ? shown(nearest.items, 'only-if-shown').map(inAlternative)
      : []
  const known = within.filter((one) => one.kind === 'member' || one.witness)
  if (known.some((one) => (one.kind === 'member' ? showing(one) : one.witness))) return known
  const whole = gap('alternative', {
    keyword,
    candidates: () => [
      ...tries.flatMap((items) => items.flatMap((one) => valuesOf(one))),
      ...samples.of(shape),
      ...nearBounds(shape, nodes),
    ],
    isShowing: (value) => !nodes.some((node) => accepts(node, value, reading)),
    isCertain: tries.every((items) => items.some(isOfTheWhole)),
  })
  return !whole.witness && within.length > 0
    ? within.map((one) => (one.kind === 'member' ? { ...one, counts: 'if-shown' } : one))
    : [whole]

  /** For texts, scalars of different types are not disjoint. */
  function isOfSuchType(node: Node): boolean {
    const types = typesIn(keywordsOf(resolved(node)))
    if (types === undefined) return true
    return HAVE_PARTS.has(shape.type)
      ? types.includes(shape.type)
      : types.some((type) => !HAVE_PARTS.has(type))
  }

  function valuesOf(item: Item): readonly unknown[] {
    const found = item.kind === 'member' ? showing(item) : item.witness
    return found ? [found.value] : []
  }

  /** The first value that shows a gap of a member. */
  function showing(link: MemberQuestion): Witness | undefined {
    for (const { witness } of gapsOf(link.question)) {
      const found = witness && link.wrap(witness.value)
      if (found) return found
    }
    return undefined
  }
}

/**
 * The alternatives of which the shape may be the other version. An alternative that is unchanged, or has kept its name, is the other
 * version of itself only. All of them if none is left.
 */
function counterparts({ shape, isSame }: Work, nodes: readonly Node[]): readonly Node[] {
  if (nodes.length < 2) return nodes
  const { own, others } = alternativesIn(shape)
  const nameOf = ({ schema, side }: Node) => writtenReference(schema, side.schemas)
  const namesOf = (list: readonly Node[]) => new Set(list.flatMap((one) => nameOf(one) ?? []))
  const [ownNames, otherNames] = [namesOf(own), namesOf(others)]
  const named = nodes.filter((one) => ownNames.has(nameOf(one) ?? ''))
  if (named.length > 0) return named
  const left = nodes.filter(
    (node) => !otherNames.has(nameOf(node) ?? '') && !others.some((one) => isSame(one, node)),
  )
  return left.length > 0 ? left : nodes
}

/** The alternatives of the unions of a shape: those that its values fulfil, and the others. */
function alternativesIn({ parts }: Shape) {
  const own: Node[] = []
  const others: Node[] = []
  for (const part of parts) {
    const { anyOf = [], oneOf = [] } = keywordsOf(part)
    for (const schema of [...anyOf, ...oneOf]) {
      const one = childOf(part, schema)
      if (parts.includes(resolved(one))) own.push(one)
      else others.push(one)
    }
  }
  return { own, others }
}

/** Whether the branch requires a property that the shape does not declare, which is cheaper to check than disjointness. */
function lacksRequired({ type, parts }: Shape, node: Node): boolean {
  if (type !== 'object') return false
  const view = objectView(parts)
  if (view.freedom !== undefined) return false
  // The loop also visits elements that are added meanwhile.
  const all = new Set([resolved(node)])
  for (const one of all) {
    for (const part of keywordsOf(one).allOf ?? []) all.add(resolved(childOf(one, part)))
  }
  return [...all].some((one) => keywordsOf(one).required?.some((name) => !view.allows(name)))
}

/** Marks an item as a gap of the nearest alternative only. */
const inAlternative = (item: Item): Item =>
  item.kind === 'member'
    ? { ...item, isAlternative: true }
    : { ...item, alternative: item.alternative ?? item.path.length }

/**
 * The properties that separate the shape from its branches, by whose values it can be split. Undefined if any property may
 * separate them.
 */
function splittingNames(
  tries: readonly (readonly Item[])[],
  { areHeld }: Work,
): ReadonlySet<string> | undefined {
  const found = new Set<string>()
  for (const all of tries) {
    const items = all.filter((one) => !areHeld([one]))
    if (items.some((one) => one.kind !== 'member' && ONE_VALUE.has(one.kind))) continue
    const segments = items.map((one) => (one.kind === 'member' ? one.segment : one.path[0]))
    const names = new Set(
      segments.flatMap((segment) => (segment?.kind === 'property' ? [segment.name] : [])),
    )
    if (segments.some((segment) => segment?.kind !== 'property')) return undefined
    if (names.size <= DEEPEST) for (const name of names) found.add(name)
  }
  return found
}

const HAVE_PARTS: ReadonlySet<string> = new Set(['array', 'object'])

const ONE_VALUE: ReadonlySet<string> = new Set(['type', 'null', 'nothing'])

/** Numbers near the bounds of the branches: a number beyond the bounds of one branch may fulfil another. */
function nearBounds({ type, parts }: Shape, nodes: readonly Node[]): readonly number[] {
  if (type !== 'number') return []
  const bounds = nodes
    .map((node) => rangeOf([resolved(node)]))
    .flatMap(({ low, high }) => [low, high])
  return numbersNear(rangeOf(parts), bounds)
}

/** The branch with the rules for a reader, who does not ignore properties that other branches declare. */
function withRules({ outer, schema, reading }: Work, keyword: 'anyOf' | 'oneOf', node: Node): Node {
  if (!isOpen(reading)) return node
  const index = (schema[keyword] ?? []).findIndex((one) => childOf(outer, one) === node)
  const branch = outer.side.meaning.branches(schema, keyword, overlooking(reading))[index]
  return branch === undefined ? node : childOf(outer, branch)
}

/** A schema of only the branches, for listed values. */
function outerUnion({ outer }: Work, nodes: readonly Node[], keyword: 'anyOf' | 'oneOf'): Node {
  const known = unions.get(outer)?.[keyword]
  const made = known ?? childOf(outer, { [keyword]: nodes.map(({ schema }) => schema) })
  unions.set(outer, { ...unions.get(outer), [keyword]: made })
  return made
}

/** The values of branches that all list theirs, such as named constants, as one enum. Undefined if a branch lists none. */
function listedValues({ outer }: Work, nodes: readonly Node[]): Node | undefined {
  const values: unknown[] = []
  for (const node of nodes) {
    const schema = keywordsOf(resolved(node))
    const own = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum
    if (own === undefined) return undefined
    values.push(...own)
  }
  const schema: SchemaObject = { enum: values }
  if (typeof outer.schema === 'object') inheritSource(schema, outer.schema)
  return childOf(outer, schema)
}

const unions = new WeakMap<Node, { readonly [keyword in 'anyOf' | 'oneOf']?: Node }>()

/** Whether a branch rejects all values of the type. */
const isOfTheWhole = (item: Item): boolean =>
  item.kind !== 'member' && item.isCertain && item.path.length === 0 && ONE_VALUE.has(item.kind)

/** The distance of a branch; the nearest branch is the intended one. */
function distance(items: readonly Item[], { itemsOf, areHeld }: Work): number {
  const gaps = items.filter((one) => !areHeld([one]))
  const [first] = gaps
  if (first && isOfTheWhole(first)) return FAR
  const wrongTag = gaps.filter(
    (one) =>
      one.kind === 'member' &&
      itemsOf(one.question).some((own) => own.kind === 'value' && own.path.length === 0),
  ).length
  return wrongTag * 100 + gaps.length
}

const FAR = 10_000

const DEEPEST = 4

/** Whether bounds or patterns of several branches together cover the shape, even if none does alone. */
function coveredTogether({ shape }: Work, nodes: readonly Node[]): boolean {
  const plain = nodes.map(resolved).filter((node) => isPlain(node, shape.type))
  if (shape.type === 'string') {
    if (shape.nots.length > 0 && plain.length === 0) return false
    return (
      escaping(
        stringTerms(shape.parts),
        plain.map((node) => stringTerms([node])),
      ).kind === 'none'
    )
  }
  if (shape.type !== 'number') return false
  let left = rangeOf(shape.parts)
  const ranges = plain
    .map((node) => rangeOf([node]))
    .filter(({ steps }) => steps.every((step) => left.steps.includes(step)))
    .toSorted((a, b) => a.low - b.low || Number(a.isLowOpen) - Number(b.isLowOpen))
  for (const range of ranges) {
    const isReached =
      range.low < left.low || (range.low === left.low && (!range.isLowOpen || left.isLowOpen))
    if (!isReached || range.high < left.low) continue
    const isMore = range.high > left.low || (range.high === left.low && !range.isHighOpen)
    if (isMore) left = { ...left, low: range.high, isLowOpen: !range.isHighOpen }
    if (isEmptyRange(left) || left.low === Number.POSITIVE_INFINITY) return true
    // Between two consecutive integers there is none.
    if (left.steps.includes(1) && left.isLowOpen)
      left = { ...left, low: Math.floor(left.low) + 1, isLowOpen: false }
    if (isEmptyRange(left)) return true
  }
  return false
}

const isPlain = (node: Node, type: 'string' | 'number' | string): boolean =>
  typeof node.schema === 'object' &&
  allows(node, type) &&
  asserted(keywordsOf(node)).every((key) => (PLAIN[type] ?? []).includes(key))

const allows = (node: Node, type: string): boolean => {
  const written = keywordsOf(node).type ?? type
  const names: readonly string[] = typeof written === 'string' ? [written] : written
  return names.includes(type) || (type === 'number' && names.includes('integer'))
}

const PLAIN: Readonly<Record<string, readonly string[]>> = {
  string: ['type', 'minLength', 'maxLength', 'pattern'],
  number: ['type', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
}
