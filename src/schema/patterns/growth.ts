import { cached, once } from '../../runtime/shared/cached.js'
import { parsePattern } from '../../runtime/validate/pattern/parse.js'
import { compilePattern } from '../../runtime/validate.js'
import { type Positions, readPositions, START } from './positions.js'

/**
 * The growth of the time that RegExp takes for a text that a pattern rejects. `linear` is certain; the others are certain unless
 * the pattern rejects no text. `repeated` takes that time if it is repeated and a text that does not match follows.
 */
export type Growth =
  | { readonly kind: 'linear' }
  | { readonly kind: 'polynomial'; readonly degree: number; readonly repeated: string }
  | { readonly kind: 'exponential'; readonly repeated: string }
  /** `unread`: its syntax is rare; `large`: it is too large to be analysed. */
  | { readonly kind: 'unknown'; readonly why: 'unread' | 'large' }

/** Computes the growth. RegExp tries all ways to read a text, so its time is their number for all prefixes of the text. */
export function patternGrowth(source: string): Growth {
  const known = growths.get(source)
  if (known) return known
  const growth = findGrowth(source)
  if (growths.size > MOST_GROWTHS) growths.clear()
  growths.set(source, growth)
  return growth
}

const growths = new Map<string, Growth>()
const MOST_GROWTHS = 10_000

/** The maximum length of the texts that RegExp itself may test, at about 100 steps for each character. */
export function nativeLength(source: string): number {
  const growth = patternGrowth(source)
  if (growth.kind === 'linear') return Number.POSITIVE_INFINITY
  return growth.kind === 'polynomial' ? Math.floor(100 ** (1 / (growth.degree - 1))) : 0
}

const MOST_STEPS = 200_000

const findGrowth = (source: string): Growth => {
  const expression = compilePattern(source)
  const tree = parsePattern(expression)
  if (!tree) return { kind: 'unknown', why: 'unread' }
  const positions = readPositions(tree)
  if (!positions) return { kind: 'unknown', why: 'large' }
  const graph = toGraph(positions, expression.unicode)
  try {
    const exponential = findExponential(graph)
    if (exponential !== undefined) return { kind: 'exponential', repeated: exponential }
    return findPolynomial(graph)
  } catch (cause) {
    if (cause instanceof TooManySteps) return { kind: 'unknown', why: 'large' }
    throw cause
  }
}

class TooManySteps extends Error {}

type Graph = {
  readonly size: number
  readonly next: Positions['next']
  readonly sure: Positions['sure']
  /** A character that all nodes read, if there is one. */
  readonly common: (nodes: readonly number[]) => string | undefined
  readonly work: (steps: number) => void
}

/** The last node reads the text before a match: a pattern without `^` is tried at each position. */
const toGraph = ({ sources, next, sure, first }: Positions, unicode: boolean): Graph => {
  const search = sources.length
  const all = [...sources, '[^]']
  const begins = first.filter(({ needs }) => (needs & START) === 0)
  const entries = begins.map(({ at }) => [at, 1] as const)
  const distinct = [...new Set(all)]
  const classes = all.map((source) => distinct.indexOf(source))
  const known = new Map<number, { readonly character: string | undefined }>()
  let steps = 0
  return {
    size: all.length,
    next: [...next, new Map([...entries, [search, 1]])],
    sure,
    common: (nodes) => {
      const key = nodes.reduce((sum, node) => sum * distinct.length + (classes[node] ?? 0), 1)
      const sources = () => nodes.map((node) => all[node] ?? '')
      return cached(known, key, () => ({ character: commonCharacter(sources(), unicode) }))
        .character
    },
    work: (more) => {
      steps += more
      if (steps > MOST_STEPS) throw new TooManySteps()
    },
  }
}

/** Finds a node with two paths back to itself for the same text: each repetition doubles the number of ways. */
const findExponential = (graph: Graph): string | undefined => {
  const isUnsure = (node: number): boolean => !graph.sure.has(node)
  for (const component of componentsOf(graph, isUnsure)) {
    const inside = new Set(component)
    const moves = (pair: readonly number[]) => together(graph, pair, [inside, inside])
    for (const node of component) {
      for (const [to, ways] of graph.next[node] ?? []) {
        if (ways === 1 || !inside.has(to)) continue
        const back = findPath([to, to], (pair) => pair.every((one) => one === node), moves)
        const read = graph.common([to])
        if (to === node) return read
        if (back !== undefined && read !== undefined) return read + back
      }
      const isApart = ([one, other]: readonly number[]) => one !== other
      const returns = (pair: readonly number[]) => pair.every((one) => one === node)
      const cycle = findPath([node, node], returns, moves, isApart)
      if (cycle !== undefined) return cycle
    }
  }
  return undefined
}

/**
 * Finds two nodes and one text that leads from each back to itself, and from the first to the second. The change to
 * the second node can then happen at each repetition. A path that can no longer fail is never abandoned, so only the
 * first node may be on one.
 */
const findPolynomial = (graph: Graph): Growth => {
  const isUnsure = (node: number): boolean => !graph.sure.has(node)
  const unsure = new Set(Array.from({ length: graph.size }, (_, node) => node).filter(isUnsure))
  const outer = componentsOf(graph, () => true)
  const inner = componentsOf(graph, isUnsure)
  const changes = new Map<number, Set<number>>()
  let repeated = ''
  for (const [from, before] of outer.entries()) {
    for (const behind of inner) {
      const to = outer.findIndex((component) => component.includes(behind[0] ?? -1))
      const text = findChange(graph, before, behind, unsure)
      if (text === undefined) continue
      repeated ||= text
      cached(changes, from, () => new Set()).add(to)
    }
  }
  const longest = (from: number, seen: readonly number[]): number =>
    [...(changes.get(from) ?? [])].reduce((most, to) => {
      const rest = seen.includes(to) ? 0 : longest(to, [...seen, to])
      return Math.max(most, 1 + rest)
    }, 0)
  const degree = 1 + Math.max(0, ...outer.map((_, from) => longest(from, [from])))
  return degree === 1 ? { kind: 'linear' } : { kind: 'polynomial', degree, repeated }
}

const findChange = (
  graph: Graph,
  before: readonly number[],
  behind: readonly number[],
  unsure: ReadonlySet<number>,
): string | undefined => {
  const [outside, inside] = [new Set(before), new Set(behind)]
  const sets = [outside, unsure, inside]
  const pairs = (nodes: readonly number[]) => together(graph, nodes, [outside, inside])
  const moves = (nodes: readonly number[]) => together(graph, nodes, sets)
  for (const one of before) {
    for (const other of behind) {
      if (one === other) continue
      const isBack = (nodes: readonly number[]) => nodes[0] === one && nodes[1] === other
      if (findPath([one, other], isBack, pairs) === undefined) continue
      const isChanged = (nodes: readonly number[]) =>
        nodes[0] === one && nodes[1] === other && nodes[2] === other
      const text = findPath([one, one, other], isChanged, moves)
      if (text !== undefined) return text
    }
  }
  return undefined
}

type Move = { readonly nodes: readonly number[]; readonly read: string }

/** The nodes that several readers reach by the same character, each within its own nodes. */
const together = (
  graph: Graph,
  nodes: readonly number[],
  within: readonly ReadonlySet<number>[],
): readonly Move[] => {
  const reached = nodes.map((node, at) =>
    [...(graph.next[node]?.keys() ?? [])].filter((to) => within[at]?.has(to)),
  )
  graph.work(reached.reduce((product, targets) => product * targets.length, 1))
  let moves: (readonly number[])[] = [[]]
  for (const targets of reached) {
    moves = moves.flatMap((move) => targets.map((to) => [...move, to]))
  }
  return moves.flatMap((targets) => {
    const read = graph.common(targets)
    return read === undefined ? [] : [{ nodes: targets, read }]
  })
}

/** The text of a shortest path; with `through`, of one that passes such nodes. */
const findPath = (
  start: readonly number[],
  isGoal: (nodes: readonly number[]) => boolean,
  moves: (nodes: readonly number[]) => readonly Move[],
  through?: (nodes: readonly number[]) => boolean,
): string | undefined => {
  type Step = { readonly nodes: readonly number[]; readonly text: string; readonly passed: boolean }
  const queue: Step[] = [{ nodes: start, text: '', passed: through === undefined }]
  const seen = new Set<string>()
  for (const { nodes, text, passed } of queue) {
    if (passed && nodes !== start && isGoal(nodes)) return text
    for (const move of moves(nodes)) {
      const next = passed || through?.(move.nodes) === true
      const name = `${move.nodes.join()} ${next}`
      if (seen.has(name)) continue
      seen.add(name)
      queue.push({ nodes: move.nodes, text: text + move.read, passed: next })
    }
  }
  return undefined
}

/** The strongly connected components with a cycle, among the kept nodes. */
const componentsOf = (
  { size, next }: Graph,
  isKept: (node: number) => boolean,
): readonly (readonly number[])[] => {
  const reachable = (from: number): ReadonlySet<number> => {
    const seen = new Set<number>()
    const stack = [from]
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      for (const to of next[node]?.keys() ?? []) {
        if (!isKept(to) || seen.has(to)) continue
        seen.add(to)
        stack.push(to)
      }
    }
    return seen
  }
  const kept = Array.from({ length: size }, (_, node) => node).filter(isKept)
  const reaches = new Map(kept.map((node) => [node, reachable(node)]))
  const done = new Set<number>()
  const components: number[][] = []
  for (const node of kept) {
    const own = reaches.get(node)
    if (done.has(node) || !own?.has(node)) continue
    const component = [...own].filter((other) => reaches.get(other)?.has(node))
    for (const one of component) done.add(one)
    components.push(component)
  }
  return components
}

/**
 * The most readable character that all sources match, each a part of a pattern that reads one character. RegExp itself searches
 * in a text of all characters.
 */
function commonCharacter(sources: readonly string[], unicode: boolean): string | undefined {
  const distinct = [...new Set(sources)].sort()
  const key = `${unicode}\n${distinct.join('\n')}`
  if (found.has(key)) return found.get(key)
  if (found.size > MOST_FOUND) found.clear()
  const [last = '', ...others] = distinct
  const source = others.map((one) => `(?=${one})`).join('') + last
  const expression = new RegExp(source, unicode ? 'u' : '')
  const character =
    expression.exec(basic())?.[0] ??
    (unicode && distinct.some((one) => MAY_BE_ASTRAL.test(one))
      ? expression.exec(astral())?.[0]
      : undefined)
  found.set(key, character)
  return character
}

const found = new Map<string, string | undefined>()
const MOST_FOUND = 10_000
const MAY_BE_ASTRAL = /\\[pPu]|[\u{10000}-\u{10ffff}]/u

const range = (from: number, to: number): string => {
  let text = ''
  for (let code = from; code <= to; code++) text += String.fromCodePoint(code)
  return text
}

/** Letters and digits, then every character up to U+FFFF. */
const basic = once(
  () =>
    `abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_. !${range(0x20, 0xd7ff)}${range(0xe000, 0xffff)}${range(0, 0x1f)}`,
)

const astral = once(() => range(0x10000, 0x10ffff))
