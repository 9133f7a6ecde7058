import { cached, once } from '../../runtime/shared/cached.js'
import type { Shaping } from '../flatten.js'
import { isFormed } from '../formats.js'
import { bySize, sorted } from '../json-values.js'
import {
  accepts,
  type ComparisonReading,
  keywordsOf,
  madeNode,
  type Node,
  type Terms,
} from '../node.js'
import type { Sameness } from '../same.js'
import type { Samples } from '../sample.js'
import { fulfils, type Shape } from '../shape.js'
import { isUnreadFor, sourceOf } from '../source.js'
import {
  type Gap,
  type GapKind,
  type Item,
  type MemberQuestion,
  type Question,
  type Segment,
  saying,
  type Witness,
} from './gap.js'

/** The state of one comparison of a shape with a schema. */
export type Work = Tools & {
  readonly shape: Shape
  /** With references resolved. */
  readonly outer: Node
  readonly schema: ReturnType<typeof keywordsOf>
  /** Whether all keywords of the shape could be read. Else the values that it allows are not known, and its gaps are undecided. */
  readonly isKnown: boolean
  readonly gap: (kind: GapKind, details: GapDetails) => Gap
  /** The question whether a member that fulfils `terms` fulfils `node`; `wrap` puts its value into a value of the whole. */
  readonly member: (
    terms: Terms,
    node: Node,
    segment: Segment,
    wrap: (value: unknown) => Witness | undefined,
    counts?: MemberQuestion['counts'],
  ) => readonly MemberQuestion[]
  /** Gaps of a part of `outer` as gaps of the whole, which only a witness can show. */
  readonly shown: (items: readonly Item[], counts: 'if-shown' | 'only-if-shown') => readonly Item[]
}

export type GapDetails = {
  readonly keyword?: string | undefined
  /** The value of the keyword in each version. */
  readonly inner?: unknown
  readonly outer?: unknown
  readonly path?: readonly Segment[]
  /** Values that may show the gap; a function if they are rarely needed. */
  readonly candidates?: readonly unknown[] | (() => readonly unknown[])
  /** Whether a rejected value shows this gap, and not another one of the same keyword. */
  readonly isShowing?: (value: unknown) => boolean
  readonly isCertain?: boolean
}

export type Tools = {
  /** How the outer schema is read. */
  readonly reading: ComparisonReading
  readonly isSame: Sameness
  readonly shaping: Shaping
  readonly samples: Samples
  /** Undefined if the schemas are the same, or the outer one has no constraint. */
  readonly ask: (terms: Terms, outer: Node) => Question | undefined
  /** The first gaps of a question, nearest first. */
  readonly gapsOf: (question: Question) => Iterable<Gap>
  readonly itemsOf: (question: Question) => readonly Item[]
  readonly ofShape: (shape: Shape, outer: Node) => readonly Item[]
  /** Whether there are no gaps, neither in the items nor in their questions. */
  readonly areHeld: (items: readonly Item[]) => boolean
  readonly isHeld: (terms: Terms, outer: Node) => boolean
  /** Proved for every reading: all values of the shape fulfil the node. */
  readonly isWithin: (shape: Shape, node: Node) => boolean
  /** Proved: no value fulfils the shape. */
  readonly isEmpty: (shape: Shape) => boolean
  /** Proved: no value fulfils both. */
  readonly areDisjoint: (shape: Shape, node: Node) => boolean
}

export function createWork(shape: Shape, outer: Node, tools: Tools): Work {
  // A part that a comparison has made, to divide the values, is nowhere in a document.
  const inner = shape.parts.findLast(({ schema }) => sourceOf(schema)) ?? shape.parts.at(-1)
  const isKnown = ![...shape.parts, ...shape.nots].some((one) =>
    isUnreadFor(one.schema, shape.type),
  )
  const isRejected = (value: unknown) =>
    isKnown && fulfils(shape, value) && !accepts(outer, value, tools.reading)
  const rejected = (found: Witness | undefined) =>
    found && isRejected(found.value) ? found : undefined
  return {
    ...tools,
    shape,
    outer,
    isKnown,
    schema: keywordsOf(outer),
    gap: (kind, details) => {
      const { keyword, outer: says, path = [], candidates = [], isCertain = true } = details
      const { isShowing = () => true } = details
      const witness = once((): Witness | undefined => {
        if (!isKnown) return undefined
        const all = typeof candidates === 'function' ? candidates() : candidates
        const own = breaking(outer, keyword, sorted(all).filter(isRejected))
        const more = own.length > 0 ? [] : tools.samples.outside(shape)
        const others = more.filter(
          (one) => isRejected(one) && isShowing(one) && breaks(outer, keyword, one, tools.reading),
        )
        const shows = own.length > 0 ? own : breaking(outer, keyword, sorted(others))
        const value = shows.find((one) => isFormed(shape.parts, one)) ?? shows[0]
        return value === undefined ? undefined : { value }
      })
      const holder = shape.parts.find(
        (part) => keyword !== undefined && keyword in keywordsOf(part),
      )
      return {
        kind,
        path,
        inner: saying(holder ?? inner, holder && keyword, details.inner),
        outer: saying(outer, keyword, says),
        // A shape may exclude exactly the values that would show the gap.
        get isCertain() {
          return isCertain && isKnown && (shape.nots.length === 0 || witness() !== undefined)
        },
        get witness() {
          return witness()
        },
      }
    },
    member: (terms, node, segment, wrap, counts = 'as-it-is') => {
      const question = tools.ask(terms, node)
      if (!question) return []
      const wrapped = remembered((value) => rejected(wrap(value)))
      const counted = isKnown ? counts : 'as-uncertain'
      return [{ kind: 'member', segment, question, wrap: wrapped, inner, outer, counts: counted }]
    },
    shown: (items, counts) =>
      items.map((one) => {
        if (one.kind === 'member') {
          const wrap = remembered((value) => rejected(one.wrap(value)))
          return { ...one, wrap, counts }
        }
        const witness = rejected(one.witness)
        return { ...one, witness, isCertain: witness !== undefined }
      }),
  }
}

/**
 * A finding names one bound, so its witness must violate that bound, if possible no other one, and never only another one.
 * Keywords that are not bounds are reported together with the schemas that they contain.
 */
function breaking(
  outer: Node,
  keyword: string | undefined,
  rejected: readonly unknown[],
): readonly unknown[] {
  const schema = keywordsOf(outer)
  if (keyword === undefined || !BOUNDS.has(keyword)) return rejected
  const only = (isKept: (key: string) => boolean) =>
    madeNode(outer.side, Object.fromEntries(Object.entries(schema).filter(([key]) => isKept(key))))
  const bound = only((key) => key === keyword)
  const others = only((key) => key !== keyword && (BOUNDS.has(key) || key === 'type'))
  const own = rejected.filter((value) => !accepts(bound, value))
  const alone = own.filter((value) => accepts(others, value))
  return alone.length > 0 ? alone : own
}

/** Whether a value violates a keyword of a schema, among others or alone. */
function breaks(
  outer: Node,
  keyword: string | undefined,
  value: unknown,
  reading: ComparisonReading,
): boolean {
  if (keyword === undefined) return true
  // Unevaluated members depend on the whole schema.
  if (keyword.startsWith('unevaluated')) return false
  const keys = [keyword, ...(READ_WITH[keyword] ?? [])]
  const details = Object.entries(keywordsOf(outer)).filter(([key]) => keys.includes(key))
  return !accepts(madeNode(outer.side, Object.fromEntries(details)), value, reading)
}

const READ_WITH: Readonly<Record<string, readonly string[]>> = {
  additionalProperties: ['properties', 'patternProperties'],
  contains: ['minContains', 'maxContains'],
  minContains: ['contains', 'maxContains'],
  maxContains: ['contains', 'minContains'],
}

const BOUNDS = new Set(
  `minimum exclusiveMinimum maximum exclusiveMaximum multipleOf minLength maxLength pattern minItems
  maxItems uniqueItems minProperties maxProperties`.split(/\s+/),
)

/** Cached, because every operation with the gap puts the same member into the same whole. */
function remembered(wrap: (value: unknown) => Witness | undefined): MemberQuestion['wrap'] {
  const known = new Map<unknown, () => Witness | undefined>()
  return (value) => cached(known, value, () => once(() => wrap(value)))()
}

/** Merges equal gaps of several shapes of one schema into one, with the smallest witness. */
export function merged(items: readonly Item[]): readonly Item[] {
  const byPlace = new Map<unknown, Item>()
  for (const item of items) {
    const key = item.kind === 'member' ? linkKey(item) : gapKey(item)
    const first = byPlace.get(key)
    byPlace.set(key, first ? better(first, item) : item)
  }
  return [...byPlace.values()]
}

const gapKey = ({ kind, path, inner, outer }: Gap): string =>
  JSON.stringify([kind, path, inner.node?.id, outer.node?.id, outer.keyword, inner.says])

const linkKey = ({ segment, question: { terms, outer } }: MemberQuestion): string =>
  JSON.stringify([segment, terms.map(({ id }) => id), outer.id])

const better = (a: Item, b: Item): Item => {
  if (a.kind === 'member' || b.kind === 'member') {
    if (a.kind !== 'member' || b.kind !== 'member') return a
    const [one, other] = RANKED.indexOf(a.counts) <= RANKED.indexOf(b.counts) ? [a, b] : [b, a]
    return { ...one, wrap: (value) => one.wrap(value) ?? other.wrap(value) }
  }
  const witness =
    a.witness && b.witness
      ? bySize(a.witness.value, b.witness.value) <= 0
        ? a.witness
        : b.witness
      : (a.witness ?? b.witness)
  return { ...a, isCertain: a.isCertain || b.isCertain, witness }
}

const RANKED: readonly MemberQuestion['counts'][] = [
  'as-it-is',
  'if-shown',
  'as-uncertain',
  'only-if-shown',
]
