import { fulfils, type Shape, type Shaping, TooManyShapes } from './flatten.js'
import { keyOf, type Node, resolved, type Terms } from './node.js'
import { areApart, rangeOf } from './number-range.js'
import { disjoint } from './patterns/language.js'
import { arrayView, objectView, stringTerms } from './views.js'

/** Whether it can be shown that no value fulfils both; false says nothing. */
export type Disjointness = {
  readonly ofNodes: (a: Node, b: Node) => boolean
  readonly ofShape: (shape: Shape, node: Node) => boolean
}

export function createDisjointness(shaping: () => Shaping): Disjointness {
  const known = new Map<string, boolean>()

  const ofTerms = (a: Terms, b: Terms, depth: number): boolean => {
    if (depth > DEEPEST) return false
    const key = `${keyOf(a)} ^ ${keyOf(b)}`
    const before = known.get(key)
    if (before !== undefined) return before
    // What is asked again within itself is not shown.
    known.set(key, false)
    try {
      const others = shaping().shapesOf(b)
      const apart = shaping()
        .shapesOf(a)
        .every((one) => others.every((other) => ofShapes(one, other, depth)))
      known.set(key, apart)
      return apart
    } catch (error) {
      if (error instanceof TooManyShapes) return false
      throw error
    }
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
    ofShape: (shape, node) => {
      try {
        return shaping()
          .shapesOf([node])
          .every((other) => ofShapes(shape, other, 0))
      } catch (error) {
        if (error instanceof TooManyShapes) return false
        throw error
      }
    },
  }
}

/** A part of one is what the other excludes. */
const excludes = (a: Shape, b: Shape): boolean =>
  a.nots.some((not) => b.parts.includes(resolved(not)))

const DEEPEST = 4

const FIRST_ITEMS = 8
