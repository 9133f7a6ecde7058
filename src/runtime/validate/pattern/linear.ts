import { cached } from '../../shared/cached.js'
import type { PatternAssertion, PatternNode } from './parse.js'

/**
 * Tests whether a pattern is found in a text, in time proportional to the length of the text. All possible matches advance
 * together, one character at a time; their sets are the states of an automaton. A text that takes more than a million steps,
 * and fifty for each character, does not match. Undefined for a pattern with a back-reference, or a very large one.
 */
export function createLinearTest(
  tree: PatternNode,
  unicode: boolean,
): ((text: string) => boolean) | undefined {
  if (countNodes(tree) > MOST_NODES || countConditions(tree) > MOST_CONDITIONS) return undefined
  const alphabet = createAlphabet(unicode)
  const program = compileProgram(tree, false, alphabet)
  return (text) => run(program, alphabet.read(text), () => true)
}

const MOST_NODES = 50_000
const STEPS = 1_000_000
const STEPS_OF_CHARACTER = 50
const MOST_CONDITIONS = 30
const MOST_STATES = 1_000
const MOST_MOVES = 20_000
/** A letter that no class contains. */
const NO_LETTER = 0xffff

/** The number of nodes of the automaton; infinite for a back-reference. */
const countNodes = (node: PatternNode): number => {
  switch (node.kind) {
    case 'sequence':
      return node.items.reduce((sum, item) => sum + countNodes(item), 1)
    case 'choice':
      return node.options.reduce((sum, option) => sum + 2 + countNodes(option), 1)
    case 'repeat': {
      const copies = node.most === Number.POSITIVE_INFINITY ? node.least + 1 : node.most
      return 3 + copies * (1 + countNodes(node.item))
    }
    case 'look':
      return 1 + countNodes(node.item)
    case 'reference':
      return Number.POSITIVE_INFINITY
    default:
      return 1
  }
}

const countConditions = (node: PatternNode): number => {
  switch (node.kind) {
    case 'sequence':
      return node.items.reduce((sum, item) => sum + countConditions(item), 0)
    case 'choice':
      return node.options.reduce((sum, option) => sum + countConditions(option), 0)
    case 'repeat':
      return countConditions(node.item)
    case 'look':
      return 1 + countConditions(node.item)
    default:
      return node.kind === 'character' ? 0 : 1
  }
}

/** Characters that no class of a pattern distinguishes are one letter. */
type Alphabet = {
  readonly classOf: (source: string) => number
  readonly contains: (letter: number, one: number) => boolean
  readonly read: (text: string) => Uint16Array
}

function createAlphabet(unicode: boolean): Alphabet {
  const classes: RegExp[] = []
  const numbers = new Map<string, number>()
  const letters = new Map<string, number>()
  const members: string[] = []
  const single = new Uint16Array(0x10000)
  const astral = new Map<number, number>()

  const letterOf = (character: string): number => {
    const name = classes.map((one) => (one.test(character) ? '1' : '0')).join('')
    return cached(letters, name, () => members.push(name) - 1)
  }

  return {
    classOf: (source) =>
      cached(numbers, source, () => {
        return classes.push(new RegExp(`^(?:${source})$`, unicode ? 'u' : '')) - 1
      }),
    contains: (letter, one) => members[letter]?.[one] === '1',
    read(text) {
      const read = new Uint16Array(text.length)
      let length = 0
      for (let at = 0; at < text.length; at++) {
        const code = (unicode ? text.codePointAt(at) : text.charCodeAt(at)) ?? 0
        if (code > 0xffff) {
          at++
          if (astral.size > MOST_MOVES) astral.clear()
          const letter = astral.get(code) ?? letterOf(String.fromCodePoint(code))
          astral.set(code, letter)
          read[length++] = letter
          continue
        }
        // 0 marks a code that was not read before.
        if (single[code] === 0) single[code] = letterOf(String.fromCharCode(code)) + 1
        read[length++] = (single[code] ?? 1) - 1
      }
      return read.subarray(0, length)
    },
  }
}

type Edge = {
  readonly to: number
  /** The class of a character that the edge reads. */
  readonly reads?: number
  /** The condition that must hold. */
  readonly needs?: number
}

type Program = {
  readonly edges: readonly (readonly Edge[])[]
  readonly final: number
  readonly backward: boolean
  readonly alphabet: Alphabet
  /** Whether each condition holds at each position of a text. */
  readonly conditions: readonly Test[]
  states: Map<string, State>
  moves: number
  /** For each node, the last call of `moveOf` that visited it, and the last one that reached it by a character. */
  readonly seen: Float64Array
  calls: number
}

type Test = (letters: Uint16Array) => (at: number) => boolean

type State = { readonly nodes: readonly number[]; readonly moves: Map<number, Move> }

type Move = { readonly accepts: boolean; readonly to: State; readonly steps: number }

/**
 * Compiles a pattern. A backward program reads a match from its end; conditions depend only on positions, so they are the same.
 */
function compileProgram(tree: PatternNode, backward: boolean, alphabet: Alphabet): Program {
  const edges: Edge[][] = []
  const conditions = new Map<PatternAssertion, Test>()
  const addNode = (): number => edges.push([]) - 1
  const link = (from: number, edge: Edge): void => {
    edges[from]?.push(edge)
  }

  const add = (node: PatternNode, from: number): number => {
    switch (node.kind) {
      case 'sequence': {
        const items = backward ? node.items.toReversed() : node.items
        return items.reduce((at, item) => add(item, at), from)
      }
      case 'choice': {
        const to = addNode()
        for (const option of node.options) {
          const begin = addNode()
          link(from, { to: begin })
          link(add(option, begin), { to })
        }
        return to
      }
      case 'repeat': {
        let at = from
        for (let count = 0; count < node.least; count++) at = add(node.item, at)
        const to = addNode()
        if (node.most === Number.POSITIVE_INFINITY) {
          const loop = addNode()
          link(at, { to: loop })
          link(add(node.item, loop), { to: loop })
          at = loop
        } else {
          for (let count = node.least; count < node.most; count++) {
            link(at, { to })
            at = add(node.item, at)
          }
        }
        link(at, { to })
        return to
      }
      case 'character': {
        const to = addNode()
        link(from, { to, reads: alphabet.classOf(node.source) })
        return to
      }
      case 'reference':
        throw new Error('A pattern that refers back has no automaton.')
      default: {
        if (!conditions.has(node)) conditions.set(node, testOf(node, alphabet))
        const to = addNode()
        link(from, { to, needs: [...conditions.keys()].indexOf(node) })
        return to
      }
    }
  }

  const final = add(tree, addNode())
  const tests = [...conditions.values()]
  const seen = new Float64Array(2 * edges.length)
  const kept = { states: new Map(), moves: 0, seen, calls: 0 }
  return { edges, final, backward, alphabet, conditions: tests, ...kept }
}

function testOf(condition: PatternAssertion, alphabet: Alphabet): Test {
  switch (condition.kind) {
    case 'start':
      return () => (at) => at === 0
    case 'end':
      return (letters) => (at) => at === letters.length
    case 'boundary': {
      const word = alphabet.classOf('\\w')
      return (letters) => {
        const isWord = (at: number): boolean =>
          at >= 0 && at < letters.length && alphabet.contains(letters[at] ?? 0, word)
        return (at) => (isWord(at - 1) !== isWord(at)) !== condition.negate
      }
    }
    case 'look': {
      // A lookahead is read backward, so that one pass finds each position where it begins.
      const program = compileProgram(condition.item, !condition.behind, alphabet)
      return (letters) => {
        const found = new Uint8Array(letters.length + 1)
        run(program, letters, (at) => {
          found[at] = 1
          return false
        })
        return (at) => (found[at] === 1) !== condition.negate
      }
    }
  }
}

/** Calls `found` with each position where a match ends, until it returns true. */
function run(program: Program, letters: Uint16Array, found: (at: number) => boolean): boolean {
  const tests = program.conditions.map((test) => test(letters))
  const situationAt = (at: number): number =>
    tests.reduce((bits, test, index) => (test(at) ? bits | (1 << index) : bits), 0)
  let state = stateOf(program, [])
  let steps = STEPS + STEPS_OF_CHARACTER * letters.length
  for (let step = 0; step <= letters.length; step++) {
    const at = program.backward ? letters.length - step : step
    const letter = letters[program.backward ? at - 1 : at] ?? NO_LETTER
    const situation = tests.length === 0 ? 0 : situationAt(at)
    const key = situation * 0x10000 + letter
    let move = state.moves.get(key)
    if (move === undefined) {
      move = moveOf(program, state, situation, letter)
      steps -= move.steps
      if (steps < 0) return false
      if (++program.moves > MOST_MOVES || program.states.size > MOST_STATES) {
        program.states = new Map()
        program.moves = 0
        state.moves.clear()
      }
      state.moves.set(key, move)
    }
    if (move.accepts && found(at)) return true
    state = move.to
  }
  return false
}

const stateOf = (program: Program, nodes: readonly number[]): State =>
  cached(program.states, nodes.join(), () => ({ nodes, moves: new Map() }))

/** A match can begin at each position, so the first node is in every state. */
function moveOf(program: Program, state: State, situation: number, letter: number): Move {
  const { seen, edges } = program
  const mark = ++program.calls
  const stack = [0, ...state.nodes]
  const nodes: number[] = []
  let steps = stack.length
  let accepts = false
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (seen[2 * node] === mark) continue
    seen[2 * node] = mark
    accepts ||= node === program.final
    for (const { to, reads, needs } of edges[node] ?? []) {
      steps++
      if (reads === undefined) {
        if (needs === undefined || (situation & (1 << needs)) !== 0) stack.push(to)
      } else if (seen[2 * to + 1] !== mark && program.alphabet.contains(letter, reads)) {
        seen[2 * to + 1] = mark
        nodes.push(to)
      }
    }
  }
  nodes.sort((one, other) => one - other)
  return { accepts, to: stateOf(program, nodes), steps }
}
