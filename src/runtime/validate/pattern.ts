import { compilePattern } from './json-value.js'
import { createLinearTest } from './pattern/linear.js'
import { type PatternNode, parsePattern } from './pattern/parse.js'

/**
 * Tests a text with a pattern of a document, in limited time for any text. A pattern that can backtrack is not run by RegExp:
 * `^(a+)+$` takes 2^n steps. `shortEnough` is the maximum length of texts for which RegExp is fast enough.
 */
export function matchesPattern(source: string, text: string, shortEnough = 0): boolean {
  let test = tests.get(source)
  if (!test) {
    test = createTest(source)
    if (tests.size >= MOST_TESTS) tests.clear()
    tests.set(source, test)
  }
  return text.length <= shortEnough ? test.native.test(text) : test.bounded(text)
}

/** The same for many texts. Throws a SyntaxError for an invalid pattern. */
export const createPatternTest = (source: string): ((text: string) => boolean) =>
  createTest(source).bounded

type PatternTest = { readonly native: RegExp; readonly bounded: (text: string) => boolean }

const tests = new Map<string, PatternTest>()
const MOST_TESTS = 10_000

const createTest = (source: string): PatternTest => {
  const native = compilePattern(source)
  const tree = parsePattern(native)
  const degree = tree ? degreeOf(tree) : Number.POSITIVE_INFINITY
  if (degree <= 1) return { native, bounded: (text) => native.test(text) }
  const most = longestText(degree)
  let linear: ((text: string) => boolean) | undefined
  return {
    native,
    bounded(text) {
      linear ??=
        (tree && createLinearTest(tree, native.unicode)) ??
        ((long) => long.length <= most && native.test(long))
      return linear(text)
    },
  }
}

/** The maximum length of a text for a pattern without an automaton; a longer text does not match. */
const longestText = (degree: number): number =>
  Math.max(LONGEST_EXPONENTIAL, Math.floor(MOST_STEPS ** (1 / degree)))

const MOST_STEPS = 100_000_000
const LONGEST_EXPONENTIAL = 25

/**
 * An upper bound, from the syntax alone: RegExp tests a text of length n in about n to the power of this number of steps.
 * Infinite if a repetition contains a choice, because each round may double the ways to match.
 */
function degreeOf(tree: PatternNode): number {
  let repeats = 0
  let choices = 0
  const read = (node: PatternNode, isRepeated: boolean): void => {
    switch (node.kind) {
      case 'sequence':
        for (const item of node.items) read(item, isRepeated)
        return
      case 'choice':
        choices += isRepeated ? Number.POSITIVE_INFINITY : 1
        for (const option of node.options) read(option, isRepeated)
        return
      case 'repeat': {
        if (node.least !== node.most && isRepeated) choices = Number.POSITIVE_INFINITY
        else if (node.least !== node.most) node.most === 1 ? choices++ : repeats++
        read(node.item, isRepeated || node.most > 1)
        return
      }
      case 'reference':
        repeats++
        return
      case 'look':
        read(node.item, isRepeated)
        return
      default:
        return
    }
  }
  read(tree, false)
  if (choices > MOST_CHOICES) return Number.POSITIVE_INFINITY
  return repeats + (isAnchored(tree) ? 0 : repeats > 0 ? 1 : 0)
}

const MOST_CHOICES = 6

const isAnchored = (node: PatternNode): boolean => {
  if (node.kind === 'start') return true
  if (node.kind === 'sequence') return node.items[0] !== undefined && isAnchored(node.items[0])
  return node.kind === 'choice' && node.options.every(isAnchored)
}
