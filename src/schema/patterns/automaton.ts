import {
  CharBase,
  CharSet,
  type Concatenation,
  type NoParent,
  type Element as OwnedElement,
} from 'refa'

const LAST_CHARACTER = 0x10ffff

/**
 * One code point for each class of characters that no set distinguishes, the most readable
 * first. Half a surrogate pair is not a character here, because it cannot be sent as UTF-8.
 */
export const chooseLetters = (sets: readonly CharSet[]): readonly number[] =>
  new CharBase([...sets, SURROGATES, ASTRAL, BASIC]).sets
    .filter((set) => !set.isSubsetOf(SURROGATES))
    .map(mostReadable)
    .sort((one, other) => rank(one) - rank(other))

const SURROGATES = CharSet.fromRange(LAST_CHARACTER, { min: 0xd800, max: 0xdfff })
const ASTRAL = CharSet.fromRange(LAST_CHARACTER, { min: 0x10000, max: LAST_CHARACTER })

const BASIC = SURROGATES.union(ASTRAL).negate()

const codesOf = (text: string): number[] => [...text].map((letter) => letter.codePointAt(0) ?? 0)

const READABLE = codesOf(
  `abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.:/+@#%&=!?,;*~$^'"()<>[]{}|\`\\ éñßλя中😀`,
)
const READABLE_RANKS = new Map(READABLE.map((code, at) => [code, at]))
const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u
const LONGEST_LOOK = 200

/** Visible characters are sorted before invisible ones, then by their codes. */
const rank = (code: number): number => {
  const known = READABLE_RANKS.get(code)
  if (known !== undefined) return known
  const isVisible = VISIBLE.test(String.fromCodePoint(code))
  return (isVisible ? 1 : 2) * (LAST_CHARACTER + 1) + code
}

const mostReadable = (set: CharSet): number => {
  const known = READABLE.find((code) => set.has(code))
  if (known !== undefined) return known
  let looked = 0
  for (const { min, max } of set.ranges) {
    for (let code = min; code <= max; code++) {
      if (VISIBLE.test(String.fromCodePoint(code))) return code
      if (++looked > LONGEST_LOOK) return set.ranges[0]?.min ?? 0
    }
  }
  return set.ranges[0]?.min ?? 0
}

/**
 * Thompson's construction over refa's syntax tree, with the start and the end of the text as
 * conditions on the characters around: `^` is a negated lookbehind. The automaton searches, as a JSON Schema
 * pattern does: it loops on its start, and on its final node after a match.
 */
export type Automaton = {
  /** If false, the pattern sees a character above U+FFFF as two surrogates. */
  readonly unicode: boolean
  readonly sets: readonly CharSet[]
  readonly edges: readonly (readonly Edge[])[]
  readonly start: number
  readonly final: number
  /** Whether a node can still lead to a match after a character has been read. */
  readonly live: readonly boolean[]
}

/** `set` is an index into `sets`; a condition holds if any of its sets matches, or none if `negate`. */
export type Edge =
  | { readonly kind: 'free'; readonly to: number }
  | { readonly kind: 'read'; readonly set: number; readonly to: number }
  | EdgeCondition

export type EdgeCondition = {
  readonly kind: 'ahead' | 'behind'
  readonly sets: readonly number[]
  readonly negate: boolean
  /** `^` and `$`: holds only if there is no character at all. */
  readonly isAnchor: boolean
  readonly to: number
}

export type Element = NoParent<OwnedElement>

/** Each lookaround in the elements must be one character long; `countNodes` must have limited the elements. */
export const buildAutomaton = (elements: readonly Element[], unicode: boolean): Automaton => {
  const sets: CharSet[] = []
  const numbers = new Map<string, number>()
  const edges: Edge[][] = []

  const addNode = (): number => edges.push([]) - 1
  const link = (from: number, edge: Edge): void => {
    edges[from]?.push(edge)
  }
  const numberOf = (set: CharSet): number => {
    const name = set.toRangesString()
    const known = numbers.get(name)
    if (known !== undefined) return known
    numbers.set(name, sets.length)
    return sets.push(set.resize(LAST_CHARACTER)) - 1
  }

  const addElement = (element: Element, from: number): number => {
    switch (element.type) {
      case 'CharacterClass': {
        const to = addNode()
        link(from, { kind: 'read', set: numberOf(element.characters), to })
        return to
      }
      case 'Assertion': {
        const to = addNode()
        const characters = element.alternatives.flatMap(charactersOf)
        link(from, {
          kind: element.kind,
          sets: characters.map(numberOf),
          negate: element.negate,
          isAnchor: element.negate && characters.some((set) => set.isAll),
          to,
        })
        return to
      }
      case 'Quantifier':
        return addRepeats(element, from)
      case 'Alternation':
        return addAlternatives(element.alternatives, from)
      case 'Unknown':
        throw new Error(`An automaton has no node for ${element.id}.`)
    }
  }

  const addElements = (sequence: readonly Element[], from: number): number =>
    sequence.reduce((at, element) => addElement(element, at), from)

  const addAlternatives = (alternatives: Alternatives, from: number): number => {
    const [only] = alternatives
    if (only && alternatives.length === 1) return addElements(only.elements, from)
    const to = addNode()
    for (const alternative of alternatives) {
      const begin = addNode()
      link(from, { kind: 'free', to: begin })
      link(addElements(alternative.elements, begin), { kind: 'free', to })
    }
    return to
  }

  const addRepeats = ({ alternatives, min, max }: Repeats, from: number): number => {
    let at = from
    for (let count = 0; count < min; count++) at = addAlternatives(alternatives, at)
    const to = addNode()
    if (max === Number.POSITIVE_INFINITY) {
      const loop = addNode()
      link(at, { kind: 'free', to: loop })
      link(addAlternatives(alternatives, loop), { kind: 'free', to: loop })
      link(loop, { kind: 'free', to })
      return to
    }
    for (let count = min; count < max; count++) {
      link(at, { kind: 'free', to })
      at = addAlternatives(alternatives, at)
    }
    link(at, { kind: 'free', to })
    return to
  }

  const everything = numberOf(CharSet.all(LAST_CHARACTER))
  const start = addNode()
  link(start, { kind: 'read', set: everything, to: start })
  const final = addElements(elements, start)
  link(final, { kind: 'read', set: everything, to: final })
  return { unicode, sets, edges, start, final, live: findLive(edges, final) }
}

/** Creates an automaton that accepts only this text. */
export const buildTextAutomaton = (text: string): Automaton => {
  const everything = CharSet.all(LAST_CHARACTER)
  const read = (characters: CharSet): Element => ({ type: 'CharacterClass', characters })
  const anchor = (kind: 'ahead' | 'behind'): Element => ({
    type: 'Assertion',
    kind,
    negate: true,
    alternatives: [{ type: 'Concatenation', elements: [read(everything)] }],
  })
  const letters = [...text].map((letter) =>
    read(CharSet.fromCharacter(LAST_CHARACTER, letter.codePointAt(0) ?? 0)),
  )
  return buildAutomaton([anchor('behind'), ...letters, anchor('ahead')], true)
}

/** The approximate number of nodes that `buildAutomaton` creates. */
export const countNodes = (elements: readonly Element[]): number =>
  elements.reduce((sum, element) => sum + countElement(element), 0)

type Alternatives = readonly NoParent<Concatenation>[]
type Repeats = Extract<Element, { type: 'Quantifier' }>

const countElement = (element: Element): number => {
  if (element.type === 'CharacterClass' || element.type === 'Unknown') return 1
  if (element.type === 'Assertion') return 1
  const inner = element.alternatives.reduce((sum, one) => sum + 1 + countNodes(one.elements), 0)
  if (element.type === 'Alternation') return inner
  const { min, max } = element
  return 2 + inner * (max === Number.POSITIVE_INFINITY ? min + 1 : max)
}

const charactersOf = ({ elements }: NoParent<Concatenation>): CharSet[] =>
  elements.flatMap((element) => (element.type === 'CharacterClass' ? [element.characters] : []))

/** Nodes after a `^` that is not at the start, or that read after a `$`, are not live. */
const findLive = (edges: Automaton['edges'], final: number): readonly boolean[] => {
  const arrivals: { readonly from: number; readonly edge: Edge }[][] = edges.map(() => [])
  edges.forEach((leaving, from) => {
    for (const edge of leaving) arrivals[edge.to]?.push({ from, edge })
  })
  const live = edges.map(() => false)
  const liveAtEnd = edges.map(() => false)
  const queue: { readonly node: number; readonly atEnd: boolean }[] = []
  const mark = (node: number, atEnd: boolean): void => {
    const marks = atEnd ? liveAtEnd : live
    if (marks[node]) return
    marks[node] = true
    queue.push({ node, atEnd })
  }
  mark(final, false)
  mark(final, true)
  for (let item = queue.pop(); item; item = queue.pop()) {
    for (const { from, edge } of arrivals[item.node] ?? []) {
      if (edge.kind === 'read') {
        if (!item.atEnd) mark(from, false)
      } else if (edge.kind === 'free' || !edge.isAnchor) {
        mark(from, item.atEnd)
      } else if (edge.kind === 'ahead' && item.atEnd) {
        mark(from, false)
        mark(from, true)
      }
    }
  }
  return live
}
