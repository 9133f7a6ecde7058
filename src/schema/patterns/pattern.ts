import { type Assertion, type CharSet, JS, type Node, type NoParent } from 'refa'
import { compilePattern } from '../../runtime/validate/json-value.js'
import { type Automaton, buildAutomaton, countNodes } from './automaton.js'

/**
 * The strings in which a pattern finds a match, as a conjunction of automata. The result is exact or
 * `unread`: `why` continues "the pattern X …".
 */
export const readPattern = (source: string): PatternReading => {
  const known = readings.get(source)
  if (known) return known
  const reading = readAnew(source)
  readings.set(source, reading)
  heldNodes += weigh(reading)
  for (const [oldest, old] of readings) {
    if (heldNodes <= LARGEST_CACHE || oldest === source) break
    readings.delete(oldest)
    heldNodes -= weigh(old)
  }
  return reading
}

type PatternReading =
  | { readonly kind: 'read'; readonly parts: readonly PatternPart[] }
  | { readonly kind: 'unread'; readonly why: string }

/** A string matches if the `negated` parts reject it and all others accept it. */
export type PatternPart = { readonly automaton: Automaton; readonly negated: boolean }

type Element = Parameters<typeof buildAutomaton>[0][number]

const LARGEST_SOURCE = 20_000
const DEEPEST_GROUP = 200
const LARGEST_SYNTAX = 50_000
const LARGEST_AUTOMATON = 25_000
const LARGEST_CACHE = 200_000

const readings = new Map<string, PatternReading>()
let heldNodes = 0

const weigh = (reading: PatternReading): number =>
  reading.kind === 'unread'
    ? 1
    : reading.parts.reduce((sum, { automaton }) => sum + automaton.edges.length, 1)

const readAnew = (source: string): PatternReading => {
  if (source.length > LARGEST_SOURCE) return unread(`is longer than ${LARGEST_SOURCE} characters`)
  if (nests(source, DEEPEST_GROUP)) return unread(`nests groups ${DEEPEST_GROUP} deep`)
  const syntax = parse(source)
  if (typeof syntax === 'string') return unread(syntax)
  const { unicode, elements } = syntax
  const parts = splitLookarounds(elements)
  const nodes = parts.reduce((sum, part) => sum + countNodes(part.elements), 0)
  const obstacle = parts.map((part) => findObstacle(part.elements)).find((why) => why !== undefined)
  if (obstacle !== undefined) return unread(obstacle)
  if (nodes > LARGEST_AUTOMATON) return unread('has too many repetitions to be compared')
  const automata = parts.map((part) => ({
    automaton: buildAutomaton(part.elements, unicode),
    negated: part.negated,
  }))
  if (!unicode && automata.some(({ automaton }) => automaton.sets.some(splitsPairs))) {
    return unread('distinguishes the halves of a surrogate pair')
  }
  return { kind: 'read', parts: automata }
}

const unread = (why: string): PatternReading => ({ kind: 'unread', why })

/** Counts escaped parentheses too: it only has to limit the recursion of the parser. */
const nests = (source: string, limit: number): boolean => {
  let depth = 0
  for (const letter of source) {
    if (letter === '(' && ++depth >= limit) return true
    if (letter === ')') depth--
  }
  return false
}

type Syntax = { readonly unicode: boolean; readonly elements: readonly Element[] }

const parse = (source: string): Syntax | string => {
  let unicode: boolean
  try {
    unicode = compilePattern(source).unicode
  } catch {
    return 'is not a regular expression'
  }
  try {
    const parser = JS.Parser.fromLiteral({ source, flags: unicode ? 'u' : '' })
    const { expression } = parser.parse({ backreferences: 'unknown', maxNodes: LARGEST_SYNTAX })
    const [only] = expression.alternatives
    const elements =
      expression.alternatives.length === 1 && only
        ? only.elements
        : [{ type: 'Alternation' as const, alternatives: expression.alternatives }]
    return { unicode, elements }
  } catch (cause) {
    return `cannot be parsed (${cause instanceof Error ? cause.message : String(cause)})`
  }
}

type Split = { readonly elements: readonly Element[]; readonly negated: boolean }

/**
 * `^(?=A)(?!B)C` matches the strings of `^C` that are in `^A` and not in `^B`; `C(?<!B)$` likewise. Split this way, a
 * lookaround of any length needs no special automaton.
 */
const splitLookarounds = (elements: readonly Element[]): readonly Split[] => {
  const rest = [...elements]
  const splits: Split[] = []
  const start = rest[0]
  if (isAnchor(start, 'behind')) {
    for (let next = rest[1]; isLookaround(next, 'ahead'); next = rest[1]) {
      splits.push({ elements: [start, groupOf(next)], negated: next.negate })
      rest.splice(1, 1)
    }
  }
  const end = rest.at(-1)
  if (isAnchor(end, 'ahead')) {
    for (let last = rest.at(-2); isLookaround(last, 'behind'); last = rest.at(-2)) {
      splits.push({ elements: [groupOf(last), end], negated: last.negate })
      rest.splice(-2, 1)
    }
  }
  return [{ elements: rest, negated: false }, ...splits]
}

const groupOf = ({ alternatives }: NoParent<Assertion>): Element => ({
  type: 'Alternation',
  alternatives,
})

const isLookaround = (
  element: Element | undefined,
  kind: Assertion['kind'],
): element is NoParent<Assertion> =>
  element?.type === 'Assertion' && element.kind === kind && !isAnchor(element, kind)

/** refa represents `^` as "no character behind", and `$` as "no character ahead". */
const isAnchor = (
  element: Element | undefined,
  kind: Assertion['kind'],
): element is NoParent<Assertion> =>
  element?.type === 'Assertion' &&
  element.kind === kind &&
  element.negate &&
  element.alternatives.length === 1 &&
  characterOf(element.alternatives[0])?.isAll === true

const characterOf = (concatenation: NoParent<Node> | undefined): CharSet | undefined => {
  if (concatenation?.type !== 'Concatenation' || concatenation.elements.length !== 1)
    return undefined
  const [only] = concatenation.elements
  return only?.type === 'CharacterClass' ? only.characters : undefined
}

const findObstacle = (elements: readonly Element[]): string | undefined => {
  for (const element of elements) {
    if (element.type === 'Unknown') return `has a backreference to a group (${element.id})`
    if (element.type === 'CharacterClass') continue
    if (element.type === 'Assertion') {
      if (element.alternatives.every((one) => characterOf(one) !== undefined)) continue
      return `looks ${element.kind} by more than one character`
    }
    for (const { elements: inner } of element.alternatives) {
      const obstacle = findObstacle(inner)
      if (obstacle !== undefined) return obstacle
    }
  }
  return undefined
}

const SURROGATES = { min: 0xd800, max: 0xdfff }

const splitsPairs = (set: CharSet): boolean =>
  !set.isSupersetOf(SURROGATES) && !set.isDisjointWith(SURROGATES)
