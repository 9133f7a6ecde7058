import { isFormed } from './formats.js'
import { type Evidence, type Gap, type GapKind, type Segment, saying } from './gap.js'
import { bySize } from './json-values.js'
import { accepts, keywordsOf, madeNode, type Node, type Reading, type Terms } from './node.js'
import type { Sameness } from './same.js'
import type { Shape, Shaping } from './shape.js'
import type { Found, Samples } from './smallest.js'

/** What is at hand while one shape is held against one schema. */
export type Work = Tools & {
  readonly shape: Shape
  /** Resolved. */
  readonly outer: Node
  readonly schema: ReturnType<typeof keywordsOf>
  readonly gap: (kind: GapKind, said: Said) => Gap
  /** Gaps of a member, told of the whole; `wrap` puts a value of the member into one of the whole. */
  readonly within: (
    gaps: readonly Gap[],
    segment: Segment,
    wrap: (value: unknown) => Found | undefined,
  ) => readonly Gap[]
}

export type Said = {
  readonly keyword?: string | undefined
  /** What the keyword says in each. */
  readonly inner?: unknown
  readonly outer?: unknown
  readonly path?: readonly Segment[]
  /** Values that may show it. */
  readonly candidates?: readonly unknown[]
  readonly isCertain?: boolean
}

export type Tools = {
  /** How the outer schema is read. */
  readonly reading: Reading
  readonly isSame: Sameness
  readonly shaping: Shaping
  readonly samples: Samples
  readonly gapsOf: (terms: Terms, outer: Node) => readonly Gap[]
  readonly ofShape: (shape: Shape, outer: Node) => readonly Gap[]
  /** Provably, and however the comparison reads: all of the shape fulfils it. */
  readonly isWithin: (shape: Shape, node: Node) => boolean
  /** Provably: no value fulfils it. */
  readonly isEmpty: (shape: Shape) => boolean
  /** Provably: no value fulfils both. */
  readonly areDisjoint: (shape: Shape, node: Node) => boolean
}

export function createWork(shape: Shape, outer: Node, tools: Tools): Work {
  const isRefused = (value: unknown) =>
    fulfils(shape, value) && !accepts(outer, value, tools.reading)
  return {
    ...tools,
    shape,
    outer,
    schema: keywordsOf(outer),
    gap: (kind, { keyword, inner, outer: says, path = [], candidates = [], isCertain = true }) => {
      const shows = breaking(outer, keyword, [...candidates].sort(bySize).filter(isRefused))
      const value = shows.find((one) => isFormed(shape.parts, one)) ?? shows[0]
      const holder = shape.parts.find(
        (part) => keyword !== undefined && keyword in keywordsOf(part),
      )
      return {
        kind,
        path,
        inner: saying(holder ?? shape.parts.at(-1), holder && keyword, inner),
        outer: saying(outer, keyword, says),
        // What a shape excludes may be just what would show it.
        isCertain: isCertain && (shape.nots.length === 0 || value !== undefined),
        witness: value === undefined ? undefined : { value },
      }
    },
    within: (gaps, segment, wrap) =>
      gaps.map((gap) => {
        const found = gap.witness && wrap(gap.witness.value)
        return {
          ...gap,
          path: [segment, ...gap.path],
          inner: placed(gap.inner, shape.parts.at(-1)),
          outer: placed(gap.outer, outer),
          witness: found && isRefused(found.value) ? found : undefined,
        }
      }),
  }
}

/**
 * A finding names one bound, so its witness must break that one: best nothing else of the schema, and never only something
 * else. Keywords that are not bounds are reported together with what they hold.
 */
function breaking(
  outer: Node,
  keyword: string | undefined,
  refused: readonly unknown[],
): readonly unknown[] {
  const schema = keywordsOf(outer)
  if (keyword === undefined || !BOUNDS.has(keyword)) return refused
  const only = (isMeant: (key: string) => boolean) =>
    madeNode(outer.side, Object.fromEntries(Object.entries(schema).filter(([key]) => isMeant(key))))
  const bound = only((key) => key === keyword)
  const others = only((key) => key !== keyword && (BOUNDS.has(key) || key === 'type'))
  const own = refused.filter((value) => !accepts(bound, value))
  const alone = own.filter((value) => accepts(others, value))
  return alone.length > 0 ? alone : own
}

const BOUNDS = new Set(
  `minimum exclusiveMinimum maximum exclusiveMaximum multipleOf minLength maxLength pattern minItems
  maxItems uniqueItems minProperties maxProperties`.split(/\s+/),
)

/** `true` and `false` have no place of their own in a document: the schema that holds them has. */
const placed = (evidence: Evidence, holder: Node | undefined): Evidence =>
  typeof evidence.node?.schema === 'object'
    ? evidence
    : { ...evidence, node: holder, keyword: undefined }

export const fulfils = ({ parts, nots }: Shape, value: unknown): boolean =>
  parts.every((part) => accepts(part, value)) && !nots.some((not) => accepts(not, value))

/** Several shapes of one schema fall into the same gap: it is told once, with the smallest witness. */
export function merged(gaps: readonly Gap[]): readonly Gap[] {
  const byPlace = new Map<string, Gap>()
  for (const gap of gaps) {
    const { kind, path, inner, outer } = gap
    const key = JSON.stringify([
      kind,
      path,
      inner.node?.id,
      outer.node?.id,
      outer.keyword,
      inner.says,
    ])
    const first = byPlace.get(key)
    byPlace.set(key, first ? better(first, gap) : gap)
  }
  return [...byPlace.values()]
}

const better = (a: Gap, b: Gap): Gap => {
  const witness =
    a.witness && b.witness
      ? bySize(a.witness.value, b.witness.value) <= 0
        ? a.witness
        : b.witness
      : (a.witness ?? b.witness)
  return { ...a, isCertain: a.isCertain || b.isCertain, witness }
}
