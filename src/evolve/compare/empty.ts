import { escaping } from '../strings/language.js'
import { arrayView } from './array-view.js'
import type { Node, Terms } from './node.js'
import { isEmptyRange, rangeOf } from './number-range.js'
import { objectView } from './object-view.js'
import { type Shape, type Shaping, TooManyShapes } from './shape.js'
import { stringTerms } from './string-view.js'

/** Whether it can be shown that no value fulfils a shape; false says nothing. */
export function createEmptiness(
  shaping: () => Shaping,
  isWithin: (shape: Shape, node: Node) => boolean,
): (shape: Shape) => boolean {
  const known = new WeakMap<Shape, boolean>()

  const isEmpty = (shape: Shape, depth: number): boolean => {
    const told = known.get(shape)
    if (told !== undefined) return told
    if (depth > DEEPEST) return false
    // What needs itself is not shown to be empty.
    known.set(shape, false)
    const empty = !shape.values && (ofType(shape, depth) || isExcluded(shape))
    known.set(shape, empty)
    return empty
  }

  const areEmpty = (terms: Terms, depth: number): boolean => {
    try {
      return shaping()
        .shapesOf(terms)
        .every((shape) => isEmpty(shape, depth + 1))
    } catch (error) {
      if (error instanceof TooManyShapes) return false
      throw error
    }
  }

  /** All that it would be is what it excludes. With the others held too, all orders of them would be gone through. */
  function isExcluded(shape: Shape): boolean {
    return shape.nots.some((not) => isWithin({ ...shape, nots: [] }, not))
  }

  function ofType({ type, parts }: Shape, depth: number): boolean {
    if (type === 'number') return isEmptyRange(rangeOf(parts))
    if (type === 'string') return escaping(stringTerms(parts), []).kind === 'none'
    if (type === 'array') {
      const { least, most, at } = arrayView(parts)
      const first = Math.min(least, FIRST_ITEMS)
      return (
        least > most ||
        Array.from({ length: first }, (_, index) => at(index)).some((one) => areEmpty(one, depth))
      )
    }
    const { least, most, required, allows, at } = objectView(parts)
    return least > most || [...required].some((name) => !allows(name) || areEmpty(at(name), depth))
  }

  return (shape) => isEmpty(shape, 0)
}

const DEEPEST = 6

const FIRST_ITEMS = 8
