import type { Schema } from '../../model/schema.js'
import { escaping } from '../strings/language.js'
import { containUnevaluated } from './contain-unevaluated.js'
import type { Gap } from './gap.js'
import { asserted, childOf, isNothing, keywordsOf, madeNode, type Node, resolved } from './node.js'
import { isEmptyRange, rangeOf } from './number-range.js'
import { objectView } from './object-view.js'
import { lacking, requiring, type Shape } from './shape.js'
import { stringTerms } from './string-view.js'
import { createWork, type Work } from './work.js'

/** The keywords that put schemas together. */
export function containCombined(work: Work): readonly Gap[] {
  const { shape, outer, schema, ofShape } = work
  return [
    ...(schema.allOf ?? []).flatMap((one) => ofShape(shape, childOf(outer, one))),
    ...(schema.anyOf ? inUnion(work, schema.anyOf, 'anyOf') : []),
    ...(schema.oneOf ? inUnion(work, schema.oneOf, 'oneOf') : []),
    ...(schema.not === undefined ? [] : outside(work, childOf(outer, schema.not))),
    ...conditional(work),
    ...dependent(work),
    ...containUnevaluated(work),
  ]
}

/** Each value of the shape must fit a branch; of a `oneOf`, no second one. */
function inUnion(
  work: Work,
  branches: readonly Schema[],
  keyword: 'anyOf' | 'oneOf',
): readonly Gap[] {
  const nodes = branches.map((one) => childOf(work.outer, one))
  const gaps = covered(work, nodes, keyword, 0)
  return keyword === 'oneOf' && gaps.length === 0 ? overlaps(work, nodes) : gaps
}

function covered(
  work: Work,
  nodes: readonly Node[],
  keyword: 'anyOf' | 'oneOf',
  depth: number,
): readonly Gap[] {
  const { shape, outer, ofShape, samples, gap, areDisjoint } = work
  if (nodes.length === 1 && nodes[0]) return ofShape(shape, nodes[0])
  const tries: { readonly node: Node; readonly gaps: readonly Gap[] }[] = []
  // Most branches of a large union are told apart by a tag, which is cheaper to see than all that differs besides.
  for (const node of nodes.filter((one) => !areDisjoint(shape, one))) {
    const gaps = ofShape(shape, node)
    if (gaps.length === 0) return []
    tries.push({ node, gaps })
  }
  if (tries.length === 0) for (const node of nodes) tries.push({ node, gaps: ofShape(shape, node) })
  if (coveredTogether(work, nodes)) return []
  const pieces = depth < DEEPEST ? split(work, nodes) : undefined
  if (pieces) {
    return pieces.flatMap((piece) =>
      piece.values
        ? ofShape(piece, outerUnion(work, nodes, keyword))
        : covered(createWork(piece, outer, work), nodes, keyword, depth + 1),
    )
  }
  const meant = tries.toSorted((a, b) => distance(a.gaps) - distance(b.gaps))[0]
  const isMeant = meant !== undefined && distance(meant.gaps) < FAR
  const checked = (one: Gap): Gap => {
    const again = one.witness && gap(one.kind, { candidates: [one.witness.value] }).witness
    return { ...one, witness: again, isCertain: again !== undefined }
  }
  const within = isMeant ? meant.gaps.map(checked) : []
  if (within.some(({ witness }) => witness)) return within.filter(({ witness }) => witness)
  const whole = gap('alternative', {
    keyword,
    candidates: [
      ...tries.flatMap(({ gaps }) =>
        gaps.flatMap(({ witness }) => (witness ? [witness.value] : [])),
      ),
      ...samples.of(shape),
    ],
    isCertain: tries.every(({ gaps }) => gaps.some(isOfTheWhole)),
  })
  return !whole.witness && within.length > 0 ? within : [whole]
}

/** The branches alone, for values that are listed. */
function outerUnion({ outer }: Work, nodes: readonly Node[], keyword: 'anyOf' | 'oneOf'): Node {
  const known = unions.get(outer)?.[keyword]
  const made = known ?? childOf(outer, { [keyword]: nodes.map(({ schema }) => schema) })
  unions.set(outer, { ...unions.get(outer), [keyword]: made })
  return made
}

const unions = new WeakMap<Node, { readonly [keyword in 'anyOf' | 'oneOf']?: Node }>()

/** The values of one type that no branch has anything of: all is wrong with them. */
const isOfTheWhole = ({ path, kind, isCertain }: Gap): boolean =>
  isCertain && path.length === 0 && ['type', 'null', 'nothing'].includes(kind)

/** How far a branch is from being the one that was meant. */
function distance(gaps: readonly Gap[]): number {
  const [first] = gaps
  if (first && isOfTheWhole(first)) return FAR
  const wrongTag = gaps.filter(({ kind, path }) => kind === 'value' && path.length === 1).length
  return wrongTag * 100 + gaps.length
}

const FAR = 10_000

const DEEPEST = 4

/** Bounds and patterns of several branches may cover together what none does alone. */
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
    // Between two integers there is none.
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
  const given = keywordsOf(node).type ?? type
  const names: readonly string[] = typeof given === 'string' ? [given] : given
  return names.includes(type) || (type === 'number' && names.includes('integer'))
}

const PLAIN: Readonly<Record<string, readonly string[]>> = {
  string: ['type', 'minLength', 'maxLength', 'pattern'],
  number: ['type', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
}

/** The shape in pieces, by a property whose values are listed, of several types, or there or not. */
function split(
  { shape, outer, shaping }: Work,
  nodes: readonly Node[],
): readonly Shape[] | undefined {
  if (shape.type !== 'object') return undefined
  const view = objectView(shape.parts)
  const asked = new Set(
    nodes.flatMap((node) => {
      const { properties = {}, required = [] } = keywordsOf(resolved(node))
      return [...Object.keys(properties), ...required]
    }),
  )
  for (const name of asked) {
    if (!view.allows(name)) continue
    const there = (schema: Schema) =>
      shaping
        .restrict(shape, requiring(outer, name))
        .flatMap((one) =>
          shaping.restrict(one, madeNode(outer.side, { properties: { [name]: schema } })),
        )
    if (!view.required.has(name)) {
      const absent = shaping.restrict(shape, lacking(outer, name))
      return [...shaping.restrict(shape, requiring(outer, name)), ...absent]
    }
    const shapes = shaping.shapesOf(view.at(name))
    const values = shapes.flatMap(({ values = [] }) => values)
    if (shapes.every((one) => one.values) && values.length > 1 && values.length <= MOST_PIECES) {
      return values.flatMap((value) => there({ enum: [value] }))
    }
    const types = new Set(shapes.map(({ type }) => type))
    if (types.size > 1) return [...types].flatMap((type) => there({ type }))
  }
  return undefined
}

const MOST_PIECES = 64

/** A value that fits two branches of a `oneOf` fits none. */
function overlaps(work: Work, nodes: readonly Node[]): readonly Gap[] {
  const { shape, shaping, samples, gap, areDisjoint, isEmpty, isSame, isWithin } = work
  const fitting = nodes.filter((node) => !areDisjoint(shape, node))
  if (fitting.length < 2) return []
  for (const [index, node] of fitting.entries()) {
    for (const other of fitting.slice(index + 1)) {
      if (shape.nots.some((not) => isSame(not, node) || isSame(not, other))) continue
      const both = shaping.restrict(shape, node).flatMap((one) => shaping.restrict(one, other))
      const left = both.filter(
        (one) =>
          isDeclaredIn(shape, one) &&
          !areDisjoint(one, node) &&
          !areDisjoint(one, other) &&
          !isEmpty(one),
      )
      if (left.length === 0) continue
      const fits = [node, other].every((one) => isWithin(shape, one))
      return [
        gap('overlap', {
          keyword: 'oneOf',
          candidates: [...left.flatMap((one) => samples.of(one)), ...samples.of(shape)],
          isCertain: fits,
        }),
      ]
    }
  }
  return []
}

/** No value of the shape may fit. */
function outside(work: Work, given: Node): readonly Gap[] {
  const { shape, shaping, samples, gap, areDisjoint, isEmpty, isSame, isWithin } = work
  const node = resolved(given)
  if (isNothing(node) || areDisjoint(shape, node)) return []
  if (shape.nots.some((not) => isSame(not, node))) return []
  const both = shaping
    .restrict(shape, node)
    .filter((one) => isDeclaredIn(shape, one) && !isEmpty(one))
  if (both.length === 0) return []
  return [
    gap('exclusion', {
      keyword: 'not',
      candidates: [...both.flatMap((one) => samples.of(one)), ...samples.of(shape)],
      isCertain: isWithin(shape, node),
    }),
  ]
}

/** A property that the shape does not declare is not there, whatever another schema asks for. */
function isDeclaredIn(shape: Shape, piece: Shape): boolean {
  if (shape.type !== 'object') return true
  const { allows } = objectView(shape.parts)
  return [...objectView(piece.parts).required].every(allows)
}

function conditional({ shape, outer, schema, shaping, ofShape, gap }: Work): readonly Gap[] {
  if (schema.if === undefined) return []
  const condition = childOf(outer, schema.if)
  const whole = (one: Gap): Gap => {
    const again = one.witness && gap(one.kind, { candidates: [one.witness.value] }).witness
    return { ...one, witness: again, isCertain: again !== undefined }
  }
  const held = shaping.restrict(shape, condition)
  const failed = shaping.exclude(shape, condition)
  return [
    ...held.flatMap((one) => ofShape(one, childOf(outer, schema.then ?? true))),
    ...failed.flatMap((one) => ofShape(one, childOf(outer, schema.else ?? true))),
  ].map(whole)
}

function dependent({ shape, outer, schema, shaping, ofShape }: Work): readonly Gap[] {
  const view = objectView(shape.parts)
  return Object.entries(schema.dependentSchemas ?? {}).flatMap(([name, one]) =>
    shape.type === 'object' && view.allows(name)
      ? shaping
          .restrict(shape, requiring(outer, name))
          .flatMap((piece) => ofShape(piece, childOf(outer, one)))
      : [],
  )
}
