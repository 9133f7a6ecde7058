import { brokenPieces } from './broken.js'
import type { Found } from './contain/gap.js'
import { type Shape, type Shaping, TooManyShapes } from './flatten.js'
import { formedTerms } from './formats.js'
import { nodesIn, sorted } from './json-values.js'
import { accepts, childOf, keyOf, keywordsOf, type Terms } from './node.js'
import { numbersNear, rangeOf } from './number-range.js'
import { shortestWord } from './patterns/language.js'
import { arrayView, KEYS, type ObjectView, objectView, stringTerms } from './views.js'

/** Values that fulfil terms, small ones first, each checked before it is given. */
export type Samples = {
  /** The smallest that is found; undefined where none is. */
  readonly smallest: (terms: Terms) => Found | undefined
  /** Some values of a shape, of different kinds; strings that are none of those to avoid, where there are others. */
  readonly of: (shape: Shape, avoid?: readonly unknown[]) => readonly unknown[]
  /** More values of a shape that excludes something, which those of `of` may all fall into. */
  readonly outside: (shape: Shape) => readonly unknown[]
  /** The smallest object of a shape with one property as it is given; none of a name is told by `undefined`. */
  readonly objectWith: (shape: Shape, name: string, value: unknown) => Found | undefined
  /** The smallest array of a shape with one item as it is given. */
  readonly arrayWith: (shape: Shape, index: number, value: unknown) => Found | undefined
  /** The smallest array of a shape with so many items. */
  readonly arrayOf: (shape: Shape, length: number) => Found | undefined
}

/** How many drafts of values may still be made, which is reset for each comparison. */
export type SampleBudget = { left: number }

export const MOST_DRAFTS = 3_000

export function createSamples(
  shaping: Shaping,
  budget: SampleBudget = { left: Number.POSITIVE_INFINITY },
): Samples {
  /** The smallest value of some terms; undefined where there is none, whatever else is pending. */
  const known = new Map<string, Found | undefined>()
  const pending = new Map<string, number>()
  /** Terms without a value as long as others are pending, and the outermost of these by its depth. */
  const blocked = new Map<string, number>()
  let blockedAt = Number.POSITIVE_INFINITY
  /** How many shapes with exclusions are gone through within each other. */
  let within = 0
  /** Every gap of a shape is tried with them. */
  const kinds = new WeakMap<Shape, readonly unknown[]>()

  const smallest = (terms: Terms): Found | undefined => {
    const key = keyOf(terms)
    if (known.has(key)) return known.get(key)
    // A value that needs itself is never finished; another alternative is smaller.
    const block = pending.get(key) ?? blocked.get(key) ?? (pending.size > DEEPEST ? 0 : undefined)
    if (block !== undefined) {
      blockedAt = Math.min(blockedAt, block)
      return undefined
    }
    const around = blockedAt
    const depth = pending.size
    blockedAt = Number.POSITIVE_INFINITY
    pending.set(key, depth)
    const found = smallestOf(terms, 'plain') ?? smallestOf(terms, 'all')
    pending.delete(key)
    for (const [other, at] of blocked) if (at >= depth) blocked.delete(other)
    if (found || (blockedAt >= depth && budget.left > 0)) known.set(key, found)
    else blocked.set(key, blockedAt)
    blockedAt = Math.min(around, blockedAt < depth ? blockedAt : around)
    return found
  }

  function smallestOf(terms: Terms, which: Drafts): Found | undefined {
    const values = guarded(() =>
      shaping.shapesOf(terms).flatMap((shape) => {
        const own = drafts(shape, [], which)
          .slice(0, 8)
          .filter((one) => terms.every((node) => accepts(node, one)))
        return own.length > 0 || which === 'plain' ? own : outside(shape)
      }),
    )
    const [value] = sorted(values ?? [])
    return value === undefined ? undefined : { value }
  }

  const fits = (shape: Shape, value: unknown): boolean =>
    shape.parts.every((part) => accepts(part, value)) &&
    !shape.nots.some((not) => accepts(not, value))

  const checked = (shape: Shape, value: unknown): Found | undefined =>
    value !== undefined && fits(shape, value) ? { value } : undefined

  function drafts(
    shape: Shape,
    avoid: readonly unknown[] = [],
    which: Drafts = 'all',
  ): readonly unknown[] {
    const { type, parts, values } = shape
    if (values) return sorted(values)
    budget.left -= 1
    if (budget.left <= 0) throw new TooManyShapes({ counts: 'drafts', most: MOST_DRAFTS })
    const written = parts.flatMap((part) => {
      const { examples = [], default: usual } = keywordsOf(part)
      return usual === undefined ? examples : [usual, ...examples]
    })
    if (type === 'number') {
      const range = rangeOf(parts)
      return [...numbersNear(range).toSorted(byMagnitude), ...written].filter((one) =>
        fits(shape, one),
      )
    }
    if (type === 'string') {
      const isOut = (one: string) => {
        const isRejected = avoid.includes(one) || !fits(shape, one)
        // The search begins again for each word that does not fit.
        if (isRejected) budget.left -= COST_OF_RETRY
        return isRejected
      }
      const formed = formedTerms(parts)
      const word =
        (formed && shortestWord(formed, isOut)) ?? shortestWord(stringTerms(parts), isOut)
      return word === undefined ? written : [word, ...written]
    }
    if (type === 'array') return [...arrays(shape), ...written]
    return [...objects(shape, which), ...written]
  }

  function arrays(shape: Shape): readonly unknown[] {
    const { least, most } = arrayView(shape.parts)
    const plain = [least, least + 1].flatMap((length) => {
      const array = length <= most ? plainArray(shape, length) : undefined
      return array ? [array] : []
    })
    return [...plain, ...plain.flatMap((array) => holding(shape, array))]
  }

  /** The array, with as many items at its end as are asked for by a `contains`. */
  function holding(shape: Shape, array: readonly unknown[]): readonly unknown[] {
    const { at, most } = arrayView(shape.parts)
    return shape.parts.flatMap((part) => {
      const { contains, minContains = 1 } = keywordsOf(part)
      if (contains === undefined || minContains > LONGEST) return []
      const length = Math.min(most, Math.max(array.length, minContains))
      const items = Array.from({ length }, (_, index) => {
        const isAsked = index >= length - minContains
        const terms = isAsked ? [...at(index), childOf(part, contains)] : at(index)
        return smallest(terms)?.value
      })
      return [items]
    })
  }

  function plainArray(shape: Shape, length: number): unknown[] | undefined {
    if (length > LONGEST) return undefined
    const { at, places, isUnique } = arrayView(shape.parts)
    const items: unknown[] = []
    for (let index = 0; index < length; index++) {
      const terms = at(index)
      const found = isUnique || index <= places ? smallest(terms) : { value: items[index - 1] }
      if (!found) return undefined
      items.push(isUnique ? another(terms, items, found.value) : found.value)
    }
    return nodesIn(items) > MOST_NODES ? undefined : items
  }

  /** Where items must differ: the first value of the terms that is not among them yet. */
  function another(terms: Terms, taken: readonly unknown[], first: unknown): unknown {
    const isTaken = (value: unknown) =>
      taken.some((one) => JSON.stringify(one) === JSON.stringify(value))
    if (!isTaken(first)) return first
    return (
      shaping
        .shapesOf(terms)
        .flatMap((shape) => of(shape))
        .find((value) => !isTaken(value)) ?? first
    )
  }

  function objects(shape: Shape, which: Drafts): readonly unknown[] {
    const bare = objectOf(shape, {})
    const { names, allows, required } = objectView(shape.parts)
    if (which === 'plain' && bare && Object.keys(bare).length === required.size) return [bare]
    const more = names.filter(allows).slice(0, MOST_NAMES)
    const filled = more.flatMap((name) => {
      const found = smallest(objectView(shape.parts).at(name))
      return found ? [objectOf(shape, { [name]: found.value })] : []
    })
    return [bare, ...filled].filter((one) => one !== undefined)
  }

  /** The required properties, as many more as are needed, and those given. */
  function objectOf(shape: Shape, given: Record<string, unknown>): object | undefined {
    const view = objectView(shape.parts)
    const object: Record<string, unknown> = { ...given }
    const put = (name: string): boolean => {
      if (Object.hasOwn(object, name)) return true
      const found = smallest(view.at(name))
      if (found) object[name] = found.value
      return found !== undefined
    }
    for (const name of view.required) if (!put(name)) return undefined
    for (const part of shape.parts) {
      for (const [name, needs] of Object.entries(keywordsOf(part).dependentRequired ?? {})) {
        if (Object.hasOwn(object, name)) for (const need of needs) if (!put(need)) return undefined
      }
    }
    for (const name of view.names) {
      if (Object.keys(object).length >= view.least) break
      if (view.allows(name)) put(name)
    }
    for (let index = 0; Object.keys(object).length < view.least; index++) {
      const name = index > MOST_NAMES ? undefined : anotherName(view, Object.keys(object))
      if (name === undefined || !put(name)) return undefined
    }
    return nodesIn(object) > MOST_NODES ? undefined : object
  }

  /** A name that a map, or a pattern, has a place for. */
  function anotherName(view: ObjectView, taken: readonly string[]): string | undefined {
    const isFree = (name: string) =>
      !taken.includes(name) &&
      view.allows(name) &&
      view.nameTerms.every((node) => accepts(node, name))
    const named = KEYS.find(isFree)
    if (named !== undefined) return named
    for (const pattern of view.patterns) {
      const terms = { patterns: [pattern], minLength: 0, maxLength: undefined }
      const name = shortestWord(terms, (one) => !isFree(one))
      if (name !== undefined) return name
    }
    return undefined
  }

  function outside(shape: Shape): readonly unknown[] {
    if (shape.nots.length === 0 || shape.values) return []
    if (within >= DEEPEST_OUTSIDE) {
      // Asked from outside, the same terms may have a value.
      blockedAt = 0
      return []
    }
    within += 1
    try {
      const found = brokenPieces(shape, shaping).flatMap((piece) => drafts(piece))
      return found.filter((value) => fits(shape, value))
    } finally {
      within -= 1
    }
  }

  function of(shape: Shape, avoid?: readonly unknown[]): readonly unknown[] {
    return drafts(shape, avoid).filter((value) => fits(shape, value))
  }

  const shownOutside = new WeakMap<Shape, readonly unknown[]>()

  return {
    smallest,
    outside: (shape) => {
      const values = shownOutside.get(shape) ?? guarded(() => outside(shape)) ?? []
      if (budget.left > 0) shownOutside.set(shape, values)
      return values
    },
    of: (shape, avoid) => {
      const told = avoid ? undefined : kinds.get(shape)
      if (told) return told
      const values = guarded(() => of(shape, avoid)) ?? []
      if (!avoid && budget.left > 0) kinds.set(shape, values)
      return values
    },
    objectWith: (shape, name, value) =>
      guarded(() => {
        const found = checked(shape, objectOf(shape, { [name]: value }))
        if (found || shape.nots.length === 0) return found
        const others = brokenPieces(shape, shaping).map((one) => objectOf(one, { [name]: value }))
        const other = others.find((one) => checked(shape, one))
        return checked(shape, other)
      }),
    arrayWith: (shape, index, value) =>
      guarded(() => {
        const { least } = arrayView(shape.parts)
        const array = plainArray(shape, Math.max(least, index + 1))
        return array && checked(shape, array.with(index, value))
      }),
    arrayOf: (shape, length) => guarded(() => checked(shape, plainArray(shape, length))),
  }
}

/** The plainest values alone, or others too. */
type Drafts = 'plain' | 'all'

/** No value is found in too many alternatives. */
function guarded<T>(find: () => T): T | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof TooManyShapes) return undefined
    throw error
  }
}

const byMagnitude = (a: number, b: number): number =>
  Math.abs(a) - Math.abs(b) || String(a).length - String(b).length || b - a

const COST_OF_RETRY = 3

/** Levels of a value that is put together. */
const DEEPEST = 40

/** Of what is excluded within what is excluded. */
const DEEPEST_OUTSIDE = 3

/** Values within a value that a person looks at. */
const MOST_NODES = 5_000

/** Items of a value that a person looks at. */
const LONGEST = 1_000

const MOST_NAMES = 12
