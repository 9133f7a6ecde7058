import { cached } from '../runtime/shared/cached.js'
import { brokenPieces } from './broken.js'
import type { Witness } from './contain/gap.js'
import { type Shaping, TooManyShapes, unlessTooMany } from './flatten.js'
import { nodesIn, sorted, variantsOf } from './json-values.js'
import { accepts, childOf, keywordsOf, resolved, type Terms, termsKey } from './node.js'
import { createObjects, type Drafts, type SampleStyle } from './sample-objects.js'
import { fulfils, type Shape } from './shape.js'
import { arrayView } from './views.js'

/** Values that fulfil terms, each validated before it is returned. */
export type Samples = {
  /** The best value that is found, by the style; undefined if none is found. */
  readonly best: (terms: Terms) => Witness | undefined
  /** Several values of a shape, of different kinds; strings to avoid are omitted if there are others. */
  readonly of: (shape: Shape, avoid?: readonly unknown[]) => readonly unknown[]
  /** More values of a shape with exclusions, for shapes that exclude all values of `of`. */
  readonly outside: (shape: Shape) => readonly unknown[]
  /** The best object of a shape with the given property. */
  readonly objectWith: (shape: Shape, name: string, value: unknown) => Witness | undefined
  /** The best array of a shape with the given item. */
  readonly arrayWith: (shape: Shape, index: number, value: unknown) => Witness | undefined
  /** The best array of a shape with `length` items. */
  readonly arrayOf: (shape: Shape, length: number) => Witness | undefined
}

/** The number of drafts of values that may still be made; it is reset for each comparison. */
export type SampleBudget = { left: number }

export const MOST_DRAFTS = 3_000

export function createSamples(
  shaping: Shaping,
  style: SampleStyle,
  budget: SampleBudget = { left: Number.POSITIVE_INFINITY },
): Samples {
  const memo = createMemo(() => budget.left <= 0)
  /** The current depth of nested shapes with exclusions. */
  let within = 0
  /** Cached, because every gap of a shape is tested with them. */
  const kinds = new WeakMap<Shape, readonly unknown[]>()

  /** Whether optional members are added. */
  const isFilled = () => style.levels >= Math.max(1, memo.depth())

  const best = (terms: Terms): Witness | undefined => {
    const written = style.isFirst ? style.written(terms).find(isRight(terms)) : undefined
    if (written !== undefined) return { value: written }
    return memo.ask(
      termsKey(terms.map(resolved)),
      () => bestOf(terms, 'plain') ?? bestOf(terms, 'all'),
    )
  }

  function bestOf(terms: Terms, which: Drafts): Witness | undefined {
    return unlessTooMany(() => {
      if (!style.isFirst) {
        const [value] = sorted([...candidates(terms, which)])
        return value === undefined ? undefined : { value }
      }
      for (const value of candidates(terms, which)) return { value }
      return undefined
    })
  }

  function* candidates(terms: Terms, which: Drafts): Generator<unknown> {
    for (const shape of style.arranged(shaping.shapesOf(terms))) {
      const all = drafts(shape, [], which)
      const own = (style.isFirst ? all : all.slice(0, 8)).filter(isRight(terms))
      yield* own.length > 0 || which === 'plain' ? own : outside(shape)
    }
  }

  const { objects, objectOf } = createObjects({ best, style, isFilled })

  const isRight = (terms: Terms) => (value: unknown) => terms.every((node) => accepts(node, value))

  const checked = (shape: Shape, value: unknown): Witness | undefined =>
    value !== undefined && fulfils(shape, value) ? { value } : undefined

  function drafts(
    shape: Shape,
    avoid: readonly unknown[] = [],
    which: Drafts = 'all',
  ): readonly unknown[] {
    const { values } = shape
    if (values && !style.isFirst) return sorted(values)
    budget.left -= 1
    if (budget.left <= 0) throw new TooManyShapes({ counts: 'drafts', most: MOST_DRAFTS })
    const written = style.written(shape.parts)
    const others = values ? sorted(values) : made(shape, avoid, which)
    return style.isFirst ? [...written, ...others] : [...others, ...written]
  }

  function made(shape: Shape, avoid: readonly unknown[], which: Drafts): readonly unknown[] {
    const { type, parts } = shape
    if (type === 'number') return style.numbers(parts).filter((one) => fulfils(shape, one))
    if (type === 'array') return arrays(shape)
    if (type === 'object') return objects(shape, which)
    return style.texts(parts, (one) => {
      const isRejected = avoid.includes(one) || !fulfils(shape, one)
      // The search starts again for each rejected word.
      if (isRejected) budget.left -= COST_OF_RETRY
      return isRejected
    })
  }

  function arrays(shape: Shape): readonly unknown[] {
    const { least, most } = arrayView(shape.parts)
    const lengths = [...(isFilled() && least === 0 ? [1] : []), least, least + 1]
    const plain = lengths.flatMap((length) => {
      const array = length <= most ? plainArray(shape, length) : undefined
      return array ? [array] : []
    })
    return [...plain, ...plain.flatMap((array) => holding(shape, array))]
  }

  /** The array, with as many items at its end as a `contains` requires. */
  function holding(shape: Shape, array: readonly unknown[]): readonly unknown[] {
    const { at, most } = arrayView(shape.parts)
    return shape.parts.flatMap((part) => {
      const { contains, minContains = 1 } = keywordsOf(part)
      if (contains === undefined || minContains > style.mostItems) return []
      const length = Math.min(most, Math.max(array.length, minContains))
      const items = Array.from({ length }, (_, index) => {
        const isAsked = index >= length - minContains
        const terms = isAsked ? [...at(index), childOf(part, contains)] : at(index)
        return best(terms)?.value
      })
      return [items]
    })
  }

  function plainArray(shape: Shape, length: number): unknown[] | undefined {
    const { at, places, isUnique } = arrayView(shape.parts)
    if (length > (isUnique ? Math.min(MOST_UNIQUE, style.mostItems) : style.mostItems))
      return undefined
    const items: unknown[] = []
    for (let index = 0; index < length; index++) {
      const terms = at(index)
      const found = isUnique || index <= places ? best(terms) : { value: items[index - 1] }
      if (!found) return undefined
      items.push(isUnique ? another(terms, items, found.value) : found.value)
    }
    return nodesIn(items) > style.mostNodes ? undefined : items
  }

  /** For unique items: the first value of the terms that is not in `used`. */
  function another(terms: Terms, used: readonly unknown[], first: unknown): unknown {
    const isUsed = (value: unknown) =>
      used.some((one) => JSON.stringify(one) === JSON.stringify(value))
    if (!isUsed(first)) return first
    const isFree = (value: unknown) => !isUsed(value) && isRight(terms)(value)
    const varied = variantsOf(first, used.length).find(isFree)
    if (varied !== undefined) return varied
    const found = shaping.shapesOf(terms).flatMap((shape) => of(shape, used))
    return found.find((value) => !isUsed(value)) ?? first
  }

  function outside(shape: Shape): readonly unknown[] {
    if (shape.nots.length === 0 || shape.values) return []
    if (within >= DEEPEST_OUTSIDE) {
      // At a lower depth, the same terms may have a value.
      memo.block()
      return []
    }
    within += 1
    try {
      const found = piecesOf(shape).flatMap((piece) => drafts(piece))
      return found.filter((value) => fulfils(shape, value))
    } finally {
      within -= 1
    }
  }

  function of(shape: Shape, avoid?: readonly unknown[]): readonly unknown[] {
    return drafts(shape, avoid).filter((value) => fulfils(shape, value))
  }

  const pieces = new WeakMap<Shape, readonly Shape[]>()

  function piecesOf(shape: Shape): readonly Shape[] {
    return cached(pieces, shape, () => brokenPieces(shape, shaping))
  }

  const shownOutside = new WeakMap<Shape, readonly unknown[]>()

  return {
    best,
    outside: (shape) => {
      const values = shownOutside.get(shape) ?? unlessTooMany(() => outside(shape)) ?? []
      if (budget.left > 0) shownOutside.set(shape, values)
      return values
    },
    of: (shape, avoid) => {
      const before = avoid ? undefined : kinds.get(shape)
      if (before) return before
      const values = unlessTooMany(() => of(shape, avoid)) ?? []
      if (!avoid && budget.left > 0) kinds.set(shape, values)
      return values
    },
    objectWith: (shape, name, value) =>
      unlessTooMany(() => {
        const found = checked(shape, objectOf(shape, { [name]: value }))
        if (found || shape.nots.length === 0) return found
        const others = piecesOf(shape).map((one) => objectOf(one, { [name]: value }))
        const other = others.find((one) => checked(shape, one))
        return checked(shape, other)
      }),
    arrayWith: (shape, index, value) =>
      unlessTooMany(() => {
        const { least } = arrayView(shape.parts)
        const array = plainArray(shape, Math.max(least, index + 1))
        return array && checked(shape, array.with(index, value))
      }),
    arrayOf: (shape, length) => unlessTooMany(() => checked(shape, plainArray(shape, length))),
  }
}

const COST_OF_RETRY = 3

/** The maximum number of unique items: each is compared with all before it. */
const MOST_UNIQUE = 100

/** The maximum depth of exclusions within exclusions. */
const DEEPEST_OUTSIDE = 3

/**
 * Remembers the value for each key. A recursive value is never finished: a key within itself has no value.
 * Results that depend on that are computed again when the outer key is finished.
 */
function createMemo(isSpent: () => boolean): Memo {
  /** Final results; undefined if there is no value, independent of the open keys. */
  const known = new Map<string, Witness | undefined>()
  const open = new Map<string, number>()
  /** Keys without a value while others are open, with the depth of the outermost of these. */
  const blocked = new Map<string, number>()
  let blockedAt = Number.POSITIVE_INFINITY

  return {
    depth: () => open.size,
    block: () => {
      blockedAt = 0
    },
    ask: (key, find) => {
      if (known.has(key)) return known.get(key)
      const block = open.get(key) ?? blocked.get(key) ?? (open.size > DEEPEST ? 0 : undefined)
      if (block !== undefined) {
        blockedAt = Math.min(blockedAt, block)
        return undefined
      }
      const around = blockedAt
      const depth = open.size
      blockedAt = Number.POSITIVE_INFINITY
      open.set(key, depth)
      const found = find()
      open.delete(key)
      for (const [other, at] of blocked) if (at >= depth) blocked.delete(other)
      if (found || (blockedAt >= depth && !isSpent())) known.set(key, found)
      else blocked.set(key, blockedAt)
      blockedAt = Math.min(around, blockedAt < depth ? blockedAt : around)
      return found
    },
  }
}

type Memo = {
  readonly ask: (key: string, find: () => Witness | undefined) => Witness | undefined
  /** The number of open keys. */
  readonly depth: () => number
  /** Marks the current keys as not found here; they may be found at another depth. */
  readonly block: () => void
}

/** The maximum depth of a composed value. */
const DEEPEST = 40
