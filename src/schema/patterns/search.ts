import { type Automaton, chooseLetters, type Edge, type EdgeCondition } from './automaton.js'
import type { PatternPart } from './pattern.js'

/**
 * The strings that a schema accepts. Each pattern matches anywhere in a string, as for the validator. The length
 * in code points is within the limits.
 */
export type StringTerms = Lengths & { readonly patterns: readonly string[] }

/**
 * The shortest text, and of those the most readable, that is in `inner` and in none of `outers`. Breadth-first
 * search over the product of all automata, with a layer for each length, so that lengths need no states.
 */
export const findText = (
  inner: AutomatonTerms,
  outers: readonly AutomatonTerms[],
  budget: Budget,
): TextSearch => {
  const parts = [inner, ...outers].flatMap((terms) => terms.parts)
  const automata = [...new Set(parts.map(({ automaton }) => automaton))]
  const sets = automata.flatMap((automaton) => automaton.sets)
  if (new Set(sets.map((set) => set.toRangesString())).size > MOST_SETS) return { kind: 'spent' }
  const letters = chooseLetters(sets)
  const walks = automata.map((automaton) => createWalk(automaton, letters, budget))
  const placeOf = new Map(automata.map((automaton, at) => [automaton, at]))
  const inside = toMatcher(inner, placeOf, walks)
  const outside = outers.map((terms) => toMatcher(terms, placeOf, walks))
  const settled = lastTurn(inner, outers)

  const seen = new Set<string>()
  let layer: Step[] = [{ states: walks.map(({ start }) => start), letter: 0, before: undefined }]
  for (let length = 0; ; length++) {
    for (const step of layer) {
      const isEscape =
        inside.accepts(step.states, length) &&
        !outside.some((matcher) => matcher.accepts(step.states, length))
      if (isEscape) return { kind: 'found', text: spell(step, letters) }
    }
    if (inner.maxLength !== undefined && length >= inner.maxLength) return { kind: 'none' }
    const next: Step[] = []
    if (length < settled) seen.clear()
    for (const before of layer) {
      for (let letter = 0; letter < letters.length; letter++) {
        if (budget.left < 0) return { kind: 'spent' }
        const states = walks.map((walk, at) => walk.step(before.states[at] ?? 0, letter))
        budget.left -= states.length + 1
        if (inside.rejectsAll(states)) continue
        if (outside.some((matcher) => matcher.acceptsAll(states, length + 1))) continue
        const name = states.join()
        if (seen.has(name)) continue
        seen.add(name)
        budget.left -= COST_OF_STEP
        next.push({ states, letter, before })
      }
    }
    if (next.length === 0) return { kind: 'none' }
    layer = next
  }
}

/** A text matches if all parts accept it, and its length in code points is within the limits. */
export type AutomatonTerms = Lengths & { readonly parts: readonly PatternPart[] }

export type Lengths = { readonly minLength: number; readonly maxLength: number | undefined }

export type TextSearch =
  | { readonly kind: 'found'; readonly text: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'spent' }

const MOST_SETS = 300
const COST_OF_STEP = 20

type Step = {
  readonly states: readonly number[]
  readonly letter: number
  readonly before: Step | undefined
}

type Matcher = {
  readonly accepts: (states: readonly number[], length: number) => boolean
  readonly rejectsAll: (states: readonly number[]) => boolean
  readonly acceptsAll: (states: readonly number[], length: number) => boolean
}

const toMatcher = (
  { parts, minLength, maxLength }: AutomatonTerms,
  placeOf: ReadonlyMap<PatternPart['automaton'], number>,
  walks: readonly Walk[],
): Matcher => {
  const places = parts.map(({ automaton, negated }) => ({
    at: placeOf.get(automaton) ?? 0,
    negated,
  }))
  const stateOf = (states: readonly number[], at: number) => walks[at]?.at(states[at] ?? 0)
  return {
    accepts: (states, length) =>
      length >= minLength &&
      (maxLength === undefined || length <= maxLength) &&
      places.every(({ at, negated }) => stateOf(states, at)?.accepts !== negated),
    rejectsAll: (states) =>
      places.some(({ at, negated }) => stateOf(states, at)?.fate === (negated ? 'all' : 'none')),
    acceptsAll: (states, length) =>
      length >= minLength &&
      maxLength === undefined &&
      places.every(({ at, negated }) => stateOf(states, at)?.fate === (negated ? 'none' : 'all')),
  }
}

/** The length from which on no limit changes its result, so that a known state need not be visited again. */
const lastTurn = (inner: Lengths, outers: readonly Lengths[]): number =>
  outers
    .flatMap(({ minLength, maxLength = 0 }) => [minLength, maxLength + 1])
    .reduce((last, turn) => Math.max(last, turn), inner.minLength)

const spell = (last: Step, letters: readonly number[]): string => {
  const codes: number[] = []
  for (let step = last; step.before; step = step.before) codes.push(letters[step.letter] ?? 0)
  return codes
    .reverse()
    .map((code) => String.fromCodePoint(code))
    .join('')
}

/**
 * Reads texts with an automaton, one letter at a time: creates the states of the deterministic automaton when
 * they are first reached. `letters` are code points, one for each class of characters that the sets of
 * the automaton do not distinguish. A walk only subtracts from the budget; its caller checks it.
 */
const createWalk = (automaton: Automaton, letters: readonly number[], budget: Budget): Walk => {
  const symbols = [...letters, SURROGATE]
  const contains = automaton.sets.map((set) => symbols.map((symbol) => set.has(symbol)))
  const isAstral = letters.map((letter) => letter > LAST_SINGLE)
  const behindSets = automaton.edges.flatMap((leaving) =>
    leaving.flatMap((edge) => (edge.kind === 'behind' && !edge.isAnchor ? edge.sets : [])),
  )
  const waiting = automaton.edges.map((leaving) =>
    leaving.some(({ kind }) => kind === 'read' || kind === 'ahead'),
  )
  const looksAhead = automaton.edges.some((leaving) =>
    leaving.some((edge) => edge.kind === 'ahead' && !edge.isAnchor),
  )
  const states: State[] = []
  const numbers = new Map<string, number>()
  const stamps = new Uint32Array(automaton.edges.length)
  let stamp = 0

  const holds = ({ sets, negate }: EdgeCondition, symbol: number): boolean =>
    negate !== (symbol !== NOTHING && sets.some((set) => contains[set]?.[symbol] === true))

  const isOpen = (edge: Edge, behind: number, ahead: number): boolean => {
    if (edge.kind === 'free') return true
    if (edge.kind === 'behind') return holds(edge, behind)
    return edge.kind === 'ahead' && ahead !== UNREAD && holds(edge, ahead)
  }

  const close = (from: readonly number[], behind: number, ahead: number): number[] => {
    const closed: number[] = []
    stamp++
    const stack = [...from]
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (stamps[node] === stamp) continue
      stamps[node] = stamp
      closed.push(node)
      const edges = automaton.edges[node] ?? []
      budget.left -= 1 + edges.length
      for (const edge of edges) if (isOpen(edge, behind, ahead)) stack.push(edge.to)
    }
    return closed
  }

  const settle = (reached: readonly number[], behind: number): number => {
    const isStart = behind === NOTHING
    const closed = close(reached, behind, UNREAD)
    const isFound = closed.includes(automaton.final)
    const nodes = isFound
      ? [automaton.final]
      : closed
          .filter((node) => (isStart || automaton.live[node]) && waiting[node])
          .sort((one, other) => one - other)
    const past = isStart ? '^' : behindSets.map((set) => Number(contains[set]?.[behind])).join('')
    const name = `${isFound ? '' : past}|${nodes.join()}`
    const known = numbers.get(name)
    if (known !== undefined) return known
    const accepts = isFound || close(nodes, behind, NOTHING).includes(automaton.final)
    const fate = isFound ? 'all' : nodes.length === 0 && !accepts ? 'none' : 'open'
    numbers.set(name, states.length)
    budget.left -= nodes.length + COST_OF_STATE
    return states.push({ nodes, behind, accepts, fate, next: [] }) - 1
  }

  const advance = (state: number, symbol: number): number => {
    const { nodes, behind } = at(state)
    const crossed = looksAhead ? close(nodes, behind, symbol) : nodes
    budget.left -= crossed.length
    const reached: number[] = []
    for (const node of crossed) {
      for (const edge of automaton.edges[node] ?? []) {
        if (edge.kind === 'read' && contains[edge.set]?.[symbol] === true) reached.push(edge.to)
      }
    }
    return settle(reached, symbol)
  }

  const at = (state: number): State => {
    const found = states[state]
    if (!found) throw new Error(`A walk has ${states.length} states, and no state ${state}.`)
    return found
  }

  return {
    start: settle([automaton.start], NOTHING),
    at,
    step: (state, letter) => {
      const { next } = at(state)
      const known = next[letter]
      if (known !== undefined) return known
      const isPair = isAstral[letter] === true && !automaton.unicode
      const half = letters.length
      const reached = isPair ? advance(advance(state, half), half) : advance(state, letter)
      next[letter] = reached
      return reached
    },
  }
}

export type Walk = {
  readonly start: number
  readonly at: (state: number) => WalkState
  /** `letter` is an index into the letters. */
  readonly step: (state: number, letter: number) => number
}

type WalkState = {
  readonly accepts: boolean
  /** Whether every continuation is accepted, none is, or it depends. */
  readonly fate: 'all' | 'none' | 'open'
}

/** Units of work, a few nanoseconds each; `left` may fall below 0. */
export type Budget = { left: number }

type State = WalkState & {
  readonly nodes: readonly number[]
  readonly behind: number
  readonly next: (number | undefined)[]
}

const SURROGATE = 0xd800
const LAST_SINGLE = 0xffff
const COST_OF_STATE = 20

const NOTHING = -1
const UNREAD = -2
