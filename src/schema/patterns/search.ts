import { chooseLetters } from './automaton.js'
import type { PatternPart } from './pattern.js'
import { type Budget, createWalk, type Walk } from './walk.js'

/**
 * The strings that a schema allows: all patterns are found somewhere in them, as the validator finds
 * them, and their lengths in code points are within.
 */
export type StringTerms = Lengths & { readonly patterns: readonly string[] }

/**
 * The shortest text, and of those the most readable, that is in `inner` and in none of `outers`. Breadth
 * first over the product of all automata, a layer for each length, so that lengths need no states.
 */
export const findText = (
  inner: AutomatonTerms,
  outers: readonly AutomatonTerms[],
  budget: Budget,
): Found => {
  const parts = [inner, ...outers].flatMap((terms) => terms.parts)
  const automata = [...new Set(parts.map(({ automaton }) => automaton))]
  const sets = automata.flatMap((automaton) => automaton.sets)
  if (new Set(sets.map((set) => set.toRangesString())).size > MOST_SETS) return { kind: 'spent' }
  const letters = chooseLetters(sets)
  const walks = automata.map((automaton) => createWalk(automaton, letters, budget))
  const placeOf = new Map(automata.map((automaton, at) => [automaton, at]))
  const inside = toJudge(inner, placeOf, walks)
  const outside = outers.map((terms) => toJudge(terms, placeOf, walks))
  const settled = lastTurn(inner, outers)

  const seen = new Set<string>()
  let layer: Step[] = [{ states: walks.map(({ start }) => start), letter: 0, before: undefined }]
  for (let length = 0; ; length++) {
    for (const step of layer) {
      const isEscape =
        inside.accepts(step.states, length) &&
        !outside.some((judge) => judge.accepts(step.states, length))
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
        if (inside.refusesAll(states)) continue
        if (outside.some((judge) => judge.acceptsAll(states, length + 1))) continue
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

/** A text is in it where all parts say so, and its length in code points is within. */
export type AutomatonTerms = Lengths & { readonly parts: readonly PatternPart[] }

export type Lengths = { readonly minLength: number; readonly maxLength: number | undefined }

export type Found =
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

type Judge = {
  readonly accepts: (states: readonly number[], length: number) => boolean
  readonly refusesAll: (states: readonly number[]) => boolean
  readonly acceptsAll: (states: readonly number[], length: number) => boolean
}

const toJudge = (
  { parts, minLength, maxLength }: AutomatonTerms,
  placeOf: ReadonlyMap<PatternPart['automaton'], number>,
  walks: readonly Walk[],
): Judge => {
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
    refusesAll: (states) =>
      places.some(({ at, negated }) => stateOf(states, at)?.fate === (negated ? 'all' : 'none')),
    acceptsAll: (states, length) =>
      length >= minLength &&
      maxLength === undefined &&
      places.every(({ at, negated }) => stateOf(states, at)?.fate === (negated ? 'none' : 'all')),
  }
}

/** From this length on no bound changes its mind, so that a state seen once need not be seen again. */
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
