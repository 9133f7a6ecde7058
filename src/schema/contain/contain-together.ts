import { type Shaping, unlessTooMany } from '../flatten.js'
import { accepts, isNothing, keywordsOf, madeNode, type Node, type Terms } from '../node.js'
import { numbersNear, rangeOf } from '../number-range.js'
import { asserted } from '../schema.js'
import { fulfils, type Shape } from '../shape.js'
import { inheritSource } from '../source.js'
import { arrayView, KEYS, objectView } from '../views.js'
import { readsAs } from './contain-scalars.js'
import type { Item, Segment, Witness } from './gap.js'
import type { Work } from './work.js'

/**
 * All terms of a schema read a text as one type: it is not a number for one term and a string for another. Each term alone
 * may accept a value that the terms together reject. `found` are the gaps of each term alone.
 */
export function containTogether(work: Work, found: readonly Item[]): readonly Item[] {
  if (hasParts(work.shape)) return membersTogether(work)
  return found.length === 0 && hasTerms(work.outer) ? scalarTogether(work) : []
}

const hasParts = ({ type }: Shape): boolean => type === 'object' || type === 'array'

/** Whether several terms apply to a value itself. The alternatives of an `anyOf` are compared one by one. */
function hasTerms(node: Node): boolean {
  const keywords = asserted(keywordsOf(node))
  const isUnion = keywords.length === 1 && keywords[0] === 'anyOf'
  return !isUnion && keywords.some((keyword) => COMBINING.has(keyword))
}

const COMBINING: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if'])

function scalarTogether(work: Work): readonly Item[] {
  const { shape, outer, shaping, isWithin, gap } = work
  if (isWithin(shape, outer)) return []
  const shapes = shapesOf([outer], shaping)
  if (shapes?.some((one) => readsAs(shape, one))) return []
  const candidates = valuesOf(work, shape, shapes)
  return shapes?.every(hasParts) ? [gap('nothing', { candidates })] : rejected(work, candidates)
}

/** Compares members to which several terms apply, if the terms may read them as different types. */
function membersTogether(work: Work): readonly Item[] {
  const { shape, outer, schema, shaping, member, samples, isWithin } = work
  const isOne = ![...COMBINING, ...OF_MEMBERS].some((keyword) => Object.hasOwn(schema, keyword))
  if (isOne) return []
  const shapes = shapesOf([outer], shaping)?.filter(({ type }) => type === shape.type)
  const shared = (shapes ?? []).map((one) => sharedMembers(work, one))
  const [only = [], ...others] = shared
  if (shapes && others.length === 0) {
    return only.flatMap((one) =>
      member(one.inner, conjunction(outer, one.terms), one.segment, (value) =>
        wholeWith(work, one.segment, value),
      ),
    )
  }
  if ((shapes && shared.every((one) => one.length === 0)) || isWithin(shape, outer)) return []
  const wholes = shared.flat().flatMap(({ inner, terms, segment }) => {
    const wanted = shapesOf(terms, shaping)
    return (shapesOf(inner, shaping) ?? [])
      .flatMap((one) => valuesOf(work, one, wanted))
      .flatMap((value) => wholeWith(work, segment, value) ?? [])
  })
  return rejected(work, [...wholes.map(({ value }) => value), ...samples.of(shape)])
}

/** Values of a shape, including numbers near the bounds of other shapes. */
function valuesOf(
  { samples }: Work,
  shape: Shape,
  others: readonly Shape[] = [],
): readonly unknown[] {
  const own = samples.of(shape)
  if (shape.type !== 'number' || shape.values) return own
  const bounds = others.flatMap(({ type, parts }) => {
    const { low, high } = rangeOf(type === 'number' ? parts : [])
    return [low, high]
  })
  return [...own, ...numbersNear(rangeOf(shape.parts), bounds)].filter((one) => fulfils(shape, one))
}

/** Keywords by which one schema may describe a member twice. */
const OF_MEMBERS = ['patternProperties', 'dependentSchemas']

/** The gap of the rejected candidates; an undecided gap if none is rejected. */
function rejected({ outer, reading, gap }: Work, candidates: readonly unknown[]): readonly Item[] {
  const [first, ...others] = candidates.filter((value) => !accepts(outer, value, reading))
  if (first === undefined) return [gap('undecided', { isCertain: false })]
  return [gap('value', { inner: [first], candidates: [first, ...others] })]
}

/** A member that both shapes describe, the second one by several terms. */
type Shared = { readonly segment: Segment; readonly inner: Terms; readonly terms: Terms }

function sharedMembers({ shape, outer, shaping, isWithin }: Work, other: Shape): readonly Shared[] {
  const isHeld = ({ inner, terms }: Shared) =>
    shapesOf(inner, shaping)?.every((one) => isWithin(one, conjunction(outer, terms)))
  return membersOf(shape, other).filter((one) => mayDisagree(one.terms, shaping, 0) && !isHeld(one))
}

function membersOf(inner: Shape, outer: Shape): readonly Shared[] {
  if (inner.type === 'array') {
    const [own, other] = [arrayView(inner.parts), arrayView(outer.parts)]
    const end = Math.max(own.places, other.places)
    return Array.from({ length: Math.min(end + 1, own.most) }, (_, index) => ({
      segment: end === 0 ? ({ kind: 'any-item' } as const) : ({ kind: 'item', index } as const),
      inner: own.at(index),
      terms: other.at(index),
    }))
  }
  const [own, other] = [objectView(inner.parts), objectView(outer.parts)]
  const named = [...new Set([...own.names, ...other.names])].filter(own.allows).map((name) => ({
    segment: { kind: 'property', name } as const,
    inner: own.at(name),
    terms: other.at(name),
  }))
  const name = KEYS.find((key) => !own.names.includes(key) && !other.names.includes(key))
  const isMap = own.rest !== undefined && name !== undefined && own.allows(name)
  const segment = { kind: 'any-property' } as const
  return isMap ? [...named, { segment, inner: own.at(name), terms: other.at(name) }] : named
}

/** Whether several terms for one value may read a text in it as different types; alternatives count as terms. */
function mayDisagree(terms: Terms, shaping: Shaping, depth: number): boolean {
  if (terms.length < 2 || terms.some(isNothing)) return false
  if (depth > DEEPEST) return true
  const all = terms.map((term) => shapesOf([term], shaping))
  if (all.some((shapes) => shapes === undefined)) return true
  const scalars = all.map((shapes = []) =>
    [...new Set(shapes.map(({ type }) => type))]
      .filter((type) => SCALARS.has(type))
      .sort()
      .join(),
  )
  if (new Set(scalars).size > 1 || scalars[0]?.includes(',')) return true
  return (['object', 'array'] as const).some((type) => {
    const parts = all.flatMap((shapes = []) => shapes.filter((one) => one.type === type))
    const made: Shape = { type, parts: parts.flatMap((one) => one.parts), nots: [], values: [] }
    return membersOf(made, made).some((one) => mayDisagree(one.terms, shaping, depth + 1))
  })
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'boolean'])

const DEEPEST = 4

/** A schema that combines all terms. */
function conjunction(outer: Node, terms: Terms): Node {
  const made = madeNode(outer.side, { allOf: terms.map(({ schema }) => schema) })
  const [first] = terms
  if (typeof made.schema === 'object' && typeof first?.schema === 'object') {
    inheritSource(made.schema, first.schema)
  }
  return made
}

/** Undefined if there are too many. */
const shapesOf = (terms: Terms, shaping: Shaping): readonly Shape[] | undefined =>
  unlessTooMany(() => shaping.shapesOf(terms))

/** A value of the shape with the given member. */
function wholeWith(
  { shape, samples }: Work,
  segment: Segment,
  value: unknown,
): Witness | undefined {
  switch (segment.kind) {
    case 'property':
      return samples.objectWith(shape, segment.name, value)
    case 'item':
      return samples.arrayWith(shape, segment.index, value)
    case 'any-item':
      return samples.arrayWith(shape, 0, value)
    case 'any-property': {
      const { names } = objectView(shape.parts)
      const name = KEYS.find((key) => !names.includes(key))
      return name === undefined ? undefined : samples.objectWith(shape, name, value)
    }
  }
}
