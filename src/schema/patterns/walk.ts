import type { Automaton, Condition, Edge } from './automaton.js'

/**
 * Reads texts with an automaton, a letter at a time: the states of the deterministic automaton, made when
 * they are first reached. `letters` are code points, one for each class of characters that the sets of
 * the automaton do not tell apart. A walk takes from the budget and never asks it: who walks does.
 */
export const createWalk = (
  automaton: Automaton,
  letters: readonly number[],
  budget: Budget,
): Walk => {
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

  const holds = ({ sets, negate }: Condition, symbol: number): boolean =>
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

export type WalkState = {
  readonly accepts: boolean
  /** Whether all that can follow is accepted, or none of it, or it depends. */
  readonly fate: 'all' | 'none' | 'open'
}

/** Units of work, a few nanoseconds each; what is left may fall below 0. */
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
