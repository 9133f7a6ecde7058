import { type Shaping, unlessTooMany } from './flatten.js'
import {
  accepts,
  childOf,
  keywordsOf,
  madeNode,
  type Node,
  resolved,
  type Terms,
  termsKey,
} from './node.js'
import { areApart, isEmptyRange, rangeOf } from './number-range.js'
import { disjoint, escaping } from './patterns/language.js'
import { fulfils, type Shape } from './shape.js'
import { arrayView, objectView, stringTerms, WITH_OTHERS } from './views.js'

/** Whether it is proved that no value is valid for both; false means unknown. */
type Disjointness = {
  readonly ofNodes: (a: Node, b: Node) => boolean
  readonly ofShape: (shape: Shape, node: Node) => boolean
}

export function createDisjointness(shaping: () => Shaping): Disjointness {
  const known = new Map<string, boolean>()

  const ofTerms = (a: Terms, b: Terms, depth: number): boolean => {
    if (depth > DEEPEST) return false
    const key = `${termsKey(a)} ^ ${termsKey(b)}`
    const before = known.get(key)
    if (before !== undefined) return before
    // A recursive pair is assumed not to be disjoint.
    known.set(key, false)
    const apart = unlessTooMany(() => {
      const others = shaping().shapesOf(b)
      const own = shaping().shapesOf(a)
      return own.every((one) => others.every((other) => ofShapes(one, other, depth)))
    })
    known.set(key, apart ?? false)
    return apart ?? false
  }

  const ofShapes = (a: Shape, b: Shape, depth: number): boolean => {
    if (a.type !== b.type) return true
    if (a.values) return a.values.every((value) => !fulfils(b, value))
    if (b.values) return b.values.every((value) => !fulfils(a, value))
    if (excludes(a, b) || excludes(b, a)) return true
    switch (a.type) {
      case 'number':
        return areApart(rangeOf(a.parts), rangeOf(b.parts))
      case 'string':
        return disjoint(stringTerms(a.parts), stringTerms(b.parts)) === true
      case 'array':
        return arraysApart(a, b, depth)
      case 'object':
        return objectsApart(a, b, depth)
      default:
        return false
    }
  }

  function arraysApart(a: Shape, b: Shape, depth: number): boolean {
    const [x, y] = [arrayView(a.parts), arrayView(b.parts)]
    if (x.least > y.most || y.least > x.most) return true
    const least = Math.min(Math.max(x.least, y.least), FIRST_ITEMS)
    return Array.from({ length: least }, (_, index) => index).some((index) =>
      ofTerms(x.at(index), y.at(index), depth + 1),
    )
  }

  function objectsApart(a: Shape, b: Shape, depth: number): boolean {
    const [x, y] = [objectView(a.parts), objectView(b.parts)]
    const required = new Set([...x.required, ...y.required])
    return [...required].some((name) => ofTerms(x.at(name), y.at(name), depth + 1))
  }

  return {
    ofNodes: (a, b) => ofTerms([resolved(a)], [resolved(b)], 0),
    ofShape: (shape, node) =>
      unlessTooMany(() => {
        const others = shaping().shapesOf([node])
        return others.every((other) => ofShapes(shape, other, 0))
      }) ?? false,
  }
}

/** Whether a part of one is excluded by the other. */
const excludes = (a: Shape, b: Shape): boolean =>
  a.nots.some((not) => b.parts.includes(resolved(not)))

const DEEPEST = 4

const FIRST_ITEMS = 8

/**
 * Whether it is proved that no value fulfils a shape; false means unknown. `isSettled` returns whether the results of `isWithin`
 * depend on no open question.
 */
export function createEmptiness(
  shaping: () => Shaping,
  isWithin: (shape: Shape, node: Node) => boolean,
  isSettled: () => boolean,
): (shape: Shape) => boolean {
  const known = new Map<string, boolean>()

  const isEmpty = (shape: Shape, depth: number): boolean => {
    const key = `${shape.type} ${termsKey(shape.parts)} ! ${termsKey(shape.nots)}`
    const before = known.get(key)
    if (before !== undefined) return before
    if (depth > DEEPEST_EMPTY) return false
    // A shape that contains itself is not proved to be empty.
    known.set(key, false)
    const empty = !shape.values && (ofType(shape, depth) || isExcluded(shape))
    if (empty && !isSettled()) known.delete(key)
    else known.set(key, empty)
    return empty
  }

  const areEmpty = (terms: Terms, depth: number): boolean =>
    unlessTooMany(() => {
      const shapes = shaping().shapesOf(terms)
      return shapes.every((shape) => isEmpty(shape, depth + 1))
    }) ?? false

  /** Whether one exclusion covers all values. The other exclusions are omitted, or all their orders would be tried. */
  function isExcluded(shape: Shape): boolean {
    return shape.nots.some((not) => isWithin({ ...shape, nots: [] }, not))
  }

  function ofType({ type, parts }: Shape, depth: number): boolean {
    if (type === 'number') return isEmptyRange(rangeOf(parts))
    if (type === 'string') return escaping(stringTerms(parts), []).kind === 'none'
    if (type === 'array') {
      const { least, most, at } = arrayView(parts)
      const first = Math.min(least, FIRST_EMPTY)
      return (
        least > most ||
        lacksContained(parts, depth) ||
        Array.from({ length: first }, (_, index) => at(index)).some((one) => areEmpty(one, depth))
      )
    }
    const { least, most, required, allows, at, nameTerms } = objectView(parts)
    const isMissing = (name: string) =>
      !allows(name) || nameTerms.some((node) => !accepts(node, name)) || areEmpty(at(name), depth)
    return least > most || [...required].some(isMissing)
  }

  /** Whether a `contains` requires more items than the array can have of its kind. */
  function lacksContained(parts: Terms, depth: number): boolean {
    const { most, places, at } = arrayView(parts)
    return parts.some((part) => {
      const { contains, minContains = 1, maxContains = minContains } = keywordsOf(part)
      if (contains === undefined || minContains === 0) return false
      if (minContains > maxContains || minContains > most) return true
      const own = [childOf(part, contains), madeNode(part.side, WITH_OTHERS)]
      const can = (index: number) => !areEmpty([...at(index), ...own], depth)
      if (most > places && can(places)) return false
      const first = Math.min(places, most)
      return Array.from({ length: first }, (_, index) => index).filter(can).length < minContains
    })
  }

  return (shape) => isEmpty(shape, 0)
}

const DEEPEST_EMPTY = 6

const FIRST_EMPTY = 8
