import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compilePattern } from '../../../src/runtime/validate/json-value.js'
import { disjoint, escaping, shortestWord } from '../../../src/schema/patterns/language.js'
import type { StringTerms } from '../../../src/schema/patterns/search.js'
import '../../fixed-seed.js'

const runs = { numRuns: Number(process.env.RUNS ?? 400) }
const LETTERS = ['a', 'b', '0']
const LONGEST = 5

/** Every word over the letters, the short ones first. */
const WORDS = Array.from({ length: LONGEST }).reduce<readonly (readonly string[])[]>(
  (layers) => [
    ...layers,
    (layers.at(-1) ?? []).flatMap((word) => LETTERS.map((one) => word + one)),
  ],
  [['']],
)

test('no word of up to 5 letters contradicts what automata say of two patterns', () => {
  let unknown = 0
  fc.assert(
    fc.property(arbitraryTerms(), fc.array(arbitraryTerms(), { maxLength: 3 }), (inner, outers) => {
      const found = escaping(inner, outers)
      const isEscape = escapeReader(inner, outers)
      const layers = WORDS.map((words) => words.filter(isEscape))
      const first = layers.findIndex((words) => words.length > 0)
      if (found.kind === 'none') expect(first).toBe(-1)
      if (found.kind === 'unknown') unknown++
      if (found.kind === 'longer') expect.unreachable('these terms bound lengths by 6')
      if (found.kind !== 'word') return
      expect([found.word, isEscape(found.word)]).toEqual([found.word, true])
      if (first >= 0) expect(found.word.length).toBeLessThanOrEqual(first)
      const isNew = [...found.word].some(isOther) || found.word.length > LONGEST
      if (found.word.length !== first) expect([found.word, isNew]).toEqual([found.word, true])
    }),
    runs,
  )
  expect(unknown / runs.numRuns).toBeLessThan(0.02)
})

test('patterns that look around or refer back are read right, or not at all', () => {
  fc.assert(
    fc.property(
      arbitraryTerms(withLookarounds()),
      arbitraryTerms(withLookarounds()),
      (one, two) => {
        const found = escaping(one, [two])
        const isEscape = escapeReader(one, [two])
        const escapes = WORDS.flat().filter(isEscape)
        if (found.kind === 'none') expect(escapes).toEqual([])
        if (found.kind === 'word') expect(isEscape(found.word)).toBe(true)
        const [isInOne, isInTwo] = [reader(one), reader(two)]
        const shared = WORDS.flat().filter((word) => isInOne(word) && isInTwo(word))
        if (shared.length > 0) expect(disjoint(one, two)).not.toBe(true)
      },
    ),
    runs,
  )
})

test('the shortest word is in the language, and none of those to avoid', () => {
  fc.assert(
    fc.property(arbitraryTerms(), fc.array(fc.constantFrom(...WORDS.flat())), (terms, avoided) => {
      const isIn = reader(terms)
      const want = WORDS.flat().find((word) => isIn(word) && !avoided.includes(word))
      const got = shortestWord(terms, (word) => avoided.includes(word))
      if (got !== undefined) expect([isIn(got), avoided.includes(got)]).toEqual([true, false])
      if (want !== undefined && got !== undefined) {
        expect(got.length).toBeLessThanOrEqual(want.length)
      }
    }),
    runs,
  )
})

test('lengths without patterns are decided exactly, however large', () => {
  const length = () => fc.oneof(fc.nat(12), fc.integer({ min: 1e6, max: 1e6 + 12 }))
  const lengths = () =>
    fc.record({
      patterns: fc.constant<string[]>([]),
      minLength: length(),
      maxLength: fc.option(length(), { nil: undefined }),
    })
  const CANDIDATES = [0, 1e6].flatMap((base) => Array.from({ length: 15 }, (_, at) => base + at))
  const holds = (at: number, { minLength, maxLength = Number.POSITIVE_INFINITY }: StringTerms) =>
    at >= minLength && at <= maxLength
  fc.assert(
    fc.property(lengths(), fc.array(lengths(), { maxLength: 4 }), (inner, outers) => {
      const want = CANDIDATES.find(
        (at) => holds(at, inner) && !outers.some((outer) => holds(at, outer)),
      )
      const found = escaping(inner, outers)
      const got =
        found.kind === 'word'
          ? found.word.length
          : found.kind === 'longer'
            ? found.length
            : undefined
      expect(got).toBe(want)
    }),
    runs,
  )
})

type Holds = (word: string) => boolean

/** What the validator says of a word in the Basic Multilingual Plane. */
const reader = ({
  patterns,
  minLength,
  maxLength = Number.POSITIVE_INFINITY,
}: StringTerms): Holds => {
  const compiled = patterns.map(compilePattern)
  return (word) =>
    word.length >= minLength &&
    word.length <= maxLength &&
    compiled.every((pattern) => pattern.test(word))
}

const escapeReader = (inner: StringTerms, outers: readonly StringTerms[]): Holds => {
  const isIn = reader(inner)
  const areIn = outers.map(reader)
  return (word) => isIn(word) && !areIn.some((holds) => holds(word))
}

const isOther = (letter: string): boolean => !LETTERS.includes(letter)

const arbitraryTerms = (pattern = plainPattern()): fc.Arbitrary<StringTerms> =>
  fc.record({
    patterns: fc.array(pattern, { minLength: 1, maxLength: 2 }),
    minLength: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(3)),
    maxLength: fc.option(fc.nat(6), { freq: 2, nil: undefined }),
  })

const plainPattern = () => grammar(fc.constantFrom('^', '$', '\\b'))

const withLookarounds = () =>
  grammar(
    fc.constantFrom('^', '$', '\\B', '(?=a)', '(?!b0)', '(?=.*0)', '(?<=a)', '(?<!0a)', '(b|0)\\1'),
  )

/** Half of the patterns are anchored at both ends, since most that people write are. */
const grammar = (assertion: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.letrec<Record<'alternation' | 'sequence' | 'item' | 'whole', string>>((tie) => ({
    whole: fc.oneof(
      tie('alternation'),
      tie('alternation').map((inner) => `^(?:${inner})$`),
      fc.tuple(assertion, tie('sequence')).map(([first, rest]) => `^${first}${rest}$`),
    ),
    alternation: fc
      .array(tie('sequence'), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('|')),
    sequence: fc.array(tie('item'), { maxLength: 4 }).map((parts) => parts.join('')),
    item: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('a', 'b', '0', '.', '[ab]', '[^a]', '\\d', '\\w'),
      assertion,
      fc
        .tuple(
          fc.oneof(fc.constantFrom('a', 'b', '[a0]'), group(tie('alternation'))),
          fc.constantFrom('', '*', '+', '?', '*?', '{2}', '{1,2}', '{0,3}', '{2,}'),
        )
        .map(([inner, repeats]) => inner + repeats),
    ),
  })).whole

const group = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  inner.map((one) => `(?:${one})`)
