import { brokenPieces } from './broken.js'
import type { Found } from './contain/gap.js'
import { fulfils, type Shape, type Shaping, TooManyShapes } from './flatten.js'
import { nodesIn, sorted } from './json-values.js'
import {
  accepts,
  childOf,
  keyOf,
  keywordsOf,
  madeNode,
  type Node,
  resolved,
  type Terms,
} from './node.js'
import { createMemo } from './sample-memo.js'
import type { Style } from './sample-style.js'
import { arrayView, KEYS, type ObjectView, objectView } from './views.js'

/** Values that fulfil terms, each checked before it is given. */
export type Samples = {
  /** The best value that is found, as the style has it; undefined where none is. */
  readonly best: (terms: Terms) => Found | undefined
  /** Some values of a shape, of different kinds; strings that are none of those to avoid, where there are others. */
  readonly of: (shape: Shape, avoid?: readonly unknown[]) => readonly unknown[]
  /** More values of a shape that excludes something, which those of `of` may all fall into. */
  readonly outside: (shape: Shape) => readonly unknown[]
  /** The best object of a shape with one property as it is given. */
  readonly objectWith: (shape: Shape, name: string, value: unknown) => Found | undefined
  /** The best array of a shape with one item as it is given. */
  readonly arrayWith: (shape: Shape, index: number, value: unknown) => Found | undefined
  /** The best array of a shape with so many items. */
  readonly arrayOf: (shape: Shape, length: number) => Found | undefined
}

/** How many drafts of values may still be made, which is reset for each comparison. */
export type SampleBudget = { left: number }

export const MOST_DRAFTS = 3_000

export function createSamples(
  shaping: Shaping,
  style: Style,
  budget: SampleBudget = { left: Number.POSITIVE_INFINITY },
): Samples {
  const memo = createMemo(() => budget.left <= 0)
  /** How many shapes with exclusions are gone through within each other. */
  let within = 0
  /** Every gap of a shape is tried with them. */
  const kinds = new WeakMap<Shape, readonly unknown[]>()

  const best = (terms: Terms): Found | undefined => {
    const written = style.isFirst ? style.written(terms).find(isRight(terms)) : undefined
    if (written !== undefined) return { value: written }
    return memo.ask(
      keyOf(terms.map(resolved)),
      () => bestOf(terms, 'plain') ?? bestOf(terms, 'all'),
    )
  }

  function bestOf(terms: Terms, which: Drafts): Found | undefined {
    return guarded(() => {
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

  const isRight = (terms: Terms) => (value: unknown) => terms.every((node) => accepts(node, value))

  const checked = (shape: Shape, value: unknown): Found | undefined =>
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
      // The search begins again for each word that does not fit.
      if (isRejected) budget.left -= COST_OF_RETRY
      return isRejected
    })
  }

  /** Whether more is made than there must be. */
  const isFilled = () => style.levels >= Math.max(1, memo.depth())

  function arrays(shape: Shape): readonly unknown[] {
    const { least, most } = arrayView(shape.parts)
    const lengths = [...(isFilled() && least === 0 ? [1] : []), least, least + 1]
    const plain = lengths.flatMap((length) => {
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
    if (length > style.mostItems) return undefined
    const { at, places, isUnique } = arrayView(shape.parts)
    const items: unknown[] = []
    for (let index = 0; index < length; index++) {
      const terms = at(index)
      const found = isUnique || index <= places ? best(terms) : { value: items[index - 1] }
      if (!found) return undefined
      items.push(isUnique ? another(terms, items, found.value) : found.value)
    }
    return nodesIn(items) > style.mostNodes ? undefined : items
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
    const { names, allows, required, at } = objectView(shape.parts)
    const bare = objectOf(shape, {})
    const isWritable = (name: string) => !at(name).some(isWriteOnly)
    const full = isFilled() ? objectOf(shape, {}, names.filter(allows).filter(isWritable)) : []
    const most = [full, bare].flatMap((one) => one ?? [])
    if (which === 'plain' && bare && Object.keys(bare).length === required.size) return most
    const filled = names
      .filter(allows)
      .slice(0, MOST_NAMES)
      .flatMap((name) => {
        const found = best(at(name))
        return found ? (objectOf(shape, { [name]: found.value }) ?? []) : []
      })
    return [...most, ...filled]
  }

  /** The required properties, as many more as are needed, those given, and of those wanted as many as the limit allows. */
  function objectOf(
    shape: Shape,
    given: Readonly<Record<string, unknown>>,
    wanted: readonly string[] = [],
  ): object | undefined {
    const view = objectView(shape.parts)
    const members = new Map(Object.entries(given))
    const put = (name: string): boolean => {
      const found = members.has(name) ? undefined : best(view.at(name))
      if (found) members.set(name, found.value)
      return members.has(name)
    }
    for (const name of view.required) if (!put(name)) return undefined
    for (const part of shape.parts) {
      for (const [name, needs] of Object.entries(keywordsOf(part).dependentRequired ?? {})) {
        if (members.has(name)) for (const need of needs) if (!put(need)) return undefined
      }
    }
    let left = style.mostNodes - nodesIn([...members.values()])
    for (const name of wanted) {
      const found = members.has(name) ? undefined : best(view.at(name))
      const size = found ? nodesIn(found.value) : 0
      if (!found || size > left) continue
      members.set(name, found.value)
      left -= size
    }
    for (const name of view.names) {
      if (members.size >= view.least) break
      if (view.allows(name)) put(name)
    }
    for (let index = 0; members.size < view.least; index++) {
      const name = index > MOST_NAMES ? undefined : anotherName(shape, view, members)
      if (name === undefined || !put(name)) return undefined
    }
    // Optional properties keep the order of their schema.
    const order = wanted.length === 0 ? [] : view.names.filter((name) => members.has(name))
    const entries = [...new Set([...order, ...members.keys()])].map((name) => [
      name,
      members.get(name),
    ])
    const object = Object.fromEntries(entries)
    return nodesIn(object) > style.mostNodes ? undefined : object
  }

  /** A name that a map, or a pattern, has a place for. */
  function anotherName(
    { parts: [part] }: Shape,
    view: ObjectView,
    taken: ReadonlyMap<string, unknown>,
  ): string | undefined {
    const isFree = (name: string) =>
      !taken.has(name) &&
      (view.allows(name) || (view.needsOthers && !view.names.includes(name))) &&
      view.nameTerms.every((node) => accepts(node, name))
    const named = KEYS.find(isFree)
    if (named !== undefined || part === undefined) return named
    for (const pattern of view.patterns) {
      const [name] = style.texts([madeNode(part.side, { pattern })], (one) => !isFree(one))
      if (name !== undefined) return name
    }
    return undefined
  }

  function outside(shape: Shape): readonly unknown[] {
    if (shape.nots.length === 0 || shape.values) return []
    if (within >= DEEPEST_OUTSIDE) {
      // Asked from outside, the same terms may have a value.
      memo.block()
      return []
    }
    within += 1
    try {
      const found = brokenPieces(shape, shaping).flatMap((piece) => drafts(piece))
      return found.filter((value) => fulfils(shape, value))
    } finally {
      within -= 1
    }
  }

  function of(shape: Shape, avoid?: readonly unknown[]): readonly unknown[] {
    return drafts(shape, avoid).filter((value) => fulfils(shape, value))
  }

  const shownOutside = new WeakMap<Shape, readonly unknown[]>()

  return {
    best,
    outside: (shape) => {
      const values = shownOutside.get(shape) ?? guarded(() => outside(shape)) ?? []
      if (budget.left > 0) shownOutside.set(shape, values)
      return values
    },
    of: (shape, avoid) => {
      const before = avoid ? undefined : kinds.get(shape)
      if (before) return before
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

/** Only a request has such a property. */
const isWriteOnly = (node: Node): boolean =>
  [node, resolved(node)].some((one) => keywordsOf(one).writeOnly === true)

const COST_OF_RETRY = 3

/** Of what is excluded within what is excluded. */
const DEEPEST_OUTSIDE = 3

const MOST_NAMES = 12
