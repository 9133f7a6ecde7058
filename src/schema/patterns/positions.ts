import type { PatternNode, Repeat } from '../../runtime/validate/pattern/parse.js'

/**
 * The ways in which RegExp reads a pattern, as a graph. Its nodes are the characters of the pattern; its edges lead to
 * those that can be read next. Two edges between the same nodes are two ways to read one text, so `ways` counts up to 2.
 */
export type Positions = {
  /** The source of a regular expression for the character of each node. */
  readonly sources: readonly string[]
  readonly next: readonly ReadonlyMap<number, Ways>[]
  /** Nodes after which the pattern has matched, whatever follows. */
  readonly sure: ReadonlySet<number>
  /** The nodes that are read first: only at the start of the text, or anywhere. */
  readonly first: readonly Entry[]
}

type Ways = 1 | 2

export type Entry = { readonly at: number; readonly needs: number; readonly ways: Ways }

/** Conditions between two characters: `^`, `$`, or a condition that is assumed to hold. */
export const START = 1
const END = 2
const CONDITION = 4

/** Undefined for a pattern with more than 600 characters after its repetitions are expanded, or an unbounded lookbehind. */
export function readPositions(tree: PatternNode): Positions | undefined {
  const sources: string[] = []
  const next: Map<number, Ways>[] = []
  const sure = new Set<number>()

  const character = (source: string): Part => {
    if (sources.length >= MOST_POSITIONS) throw new TooLarge()
    next.push(new Map())
    const entry: Entry = { at: sources.push(source) - 1, needs: 0, ways: 1 }
    return { first: [entry], last: [entry], empty: [] }
  }

  const connect = (last: readonly Entry[], first: readonly Entry[]): void => {
    for (const from of last) {
      for (const to of first) {
        if (((from.needs | to.needs) & (START | END)) !== 0) continue
        const known = next[from.at]?.get(to.at) ?? 0
        next[from.at]?.set(to.at, atMostTwo(known + from.ways * to.ways))
      }
    }
  }

  const concatenate = (one: Part, other: Part): Part => {
    connect(one.last, other.first)
    return {
      first: [...one.first, ...cross(one.empty, other.first, END)],
      last: [...other.last, ...cross(other.empty, one.last, START)],
      empty: merge(cross(one.empty, other.empty, 0)),
    }
  }

  const loop = (part: Part, empty: readonly Entry[]): Part => {
    connect(part.last, part.first)
    return { first: part.first, last: part.last, empty }
  }

  const build = (node: PatternNode, copies: number): Part => {
    switch (node.kind) {
      case 'character':
        return character(node.source)
      case 'sequence':
        return node.items.reduce((part, item) => concatenate(part, build(item, copies)), NOTHING)
      case 'choice': {
        const options = node.options.map((option) => build(option, copies))
        return {
          first: options.flatMap(({ first }) => first),
          last: options.flatMap(({ last }) => last),
          empty: merge(options.flatMap(({ empty }) => empty)),
        }
      }
      case 'repeat':
        return buildRepeat(node, copies)
      case 'start':
        return emptyPart(START)
      case 'end':
        return emptyPart(END)
      case 'boundary':
        return emptyPart(CONDITION)
      case 'reference':
        return loop(character('[^]'), emptyPart(CONDITION).empty)
      case 'look': {
        if (node.behind && !isBounded(node.item)) throw new TooLarge()
        if (node.behind) return emptyPart(CONDITION)
        const { first } = build(node.item, copies)
        return { first, last: [], empty: emptyPart(CONDITION).empty }
      }
    }
  }

  /** Large counts become loops, which only adds ways to read a text; no node after them is then `sure`. */
  const buildRepeat = ({ item, least, most }: Repeat, copies: number): Part => {
    const isPlain = sizeOf(item) * least <= LARGEST_PLAIN && !hasChoice(item)
    const rounds = Math.max(1, least)
    if (!isPlain && rounds * copies > MOST_COPIES) {
      const round = build(item, copies)
      // Each required round may match nothing, so several ways read the same text.
      if (least > 0 && round.empty.length > 0) connect(round.last, round.first)
      return sometimes(loop(round, [...round.empty, ...(least === 0 ? [NO_ROUND] : [])]))
    }
    const inner = isPlain ? copies : rounds * copies
    const one = (): Part => build(item, inner)
    const fixed = Array.from({ length: Math.max(0, least - 1) }, one).reduce(concatenate, NOTHING)
    const rest = most - least
    if (rest === 0) return least === 0 ? NOTHING : concatenate(fixed, one())
    if (rest > MOST_ROUNDS || rest * inner > MOST_COPIES) {
      const round = one()
      return concatenate(fixed, loop(round, least === 0 ? [NO_ROUND] : round.empty))
    }
    const begin = least === 0 ? NOTHING : concatenate(fixed, one())
    let tail = NOTHING
    for (let count = 0; count < rest; count++)
      tail = { ...concatenate(one(), tail), empty: [NO_ROUND] }
    return concatenate(begin, tail)
  }

  try {
    const { first, last } = build(tree, 1)
    for (const { at, needs } of last) if (needs === 0) sure.add(at)
    return { sources, next, sure, first }
  } catch (cause) {
    if (cause instanceof TooLarge) return undefined
    throw cause
  }
}

class TooLarge extends Error {}

/** `first` and `last` are the characters at the ends of a part, `empty` the ways to match nothing. */
type Part = {
  readonly first: readonly Entry[]
  readonly last: readonly Entry[]
  readonly empty: readonly Entry[]
}

const MOST_POSITIONS = 600
const LARGEST_PLAIN = 300
const MOST_ROUNDS = 3
const MOST_COPIES = 16

const emptyPart = (needs: number): Part => ({
  first: [],
  last: [],
  empty: [{ at: -1, needs, ways: 1 }],
})
const NOTHING = emptyPart(0)
const NO_ROUND: Entry = { at: -1, needs: 0, ways: 1 }

const atMostTwo = (count: number): Ways => (count > 1 ? 2 : 1)

/** Entries after, or before, ways to match nothing; without those whose condition cannot hold there. */
const cross = (
  empty: readonly Entry[],
  entries: readonly Entry[],
  impossible: number,
): readonly Entry[] =>
  empty.flatMap(({ needs, ways }) =>
    (needs & impossible) !== 0
      ? []
      : entries.map((entry) => ({
          at: entry.at,
          needs: entry.needs | needs,
          ways: atMostTwo(entry.ways * ways),
        })),
  )

const merge = (entries: readonly Entry[]): readonly Entry[] => {
  const merged = new Map<number, Entry>()
  for (const entry of entries) {
    const ways = atMostTwo((merged.get(entry.needs)?.ways ?? 0) + entry.ways)
    merged.set(entry.needs, { ...entry, ways })
  }
  return [...merged.values()]
}

const sometimes = ({ first, last, empty }: Part): Part => {
  const conditional = (entry: Entry): Entry => ({ ...entry, needs: entry.needs | CONDITION })
  return { first, last: last.map(conditional), empty: empty.map(conditional) }
}

const childrenOf = (node: PatternNode): readonly PatternNode[] => {
  if (node.kind === 'sequence') return node.items
  if (node.kind === 'choice') return node.options
  return node.kind === 'repeat' || node.kind === 'look' ? [node.item] : []
}

const sizeOf = (node: PatternNode): number =>
  childrenOf(node).reduce((sum, child) => sum + sizeOf(child), 1) *
  (node.kind === 'repeat' && Number.isFinite(node.most) ? Math.max(1, node.most) : 1)

const hasChoice = (node: PatternNode): boolean =>
  node.kind === 'choice' ||
  node.kind === 'reference' ||
  (node.kind === 'repeat' && node.least !== node.most) ||
  childrenOf(node).some(hasChoice)

const isBounded = (node: PatternNode): boolean =>
  node.kind !== 'reference' &&
  (node.kind !== 'repeat' || Number.isFinite(node.most)) &&
  childrenOf(node).every(isBounded)
