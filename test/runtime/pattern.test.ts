import { expect, it } from 'vitest'
import { createLinearTest } from '../../src/runtime/validate/pattern/linear.js'
import { type PatternNode, parsePattern } from '../../src/runtime/validate/pattern/parse.js'
import { createPatternTest, matchesPattern } from '../../src/runtime/validate/pattern.js'
import { patternGrowth } from '../../src/schema/patterns/growth.js'

/** The same numbers at each run. */
const createRandom = (start: number) => {
  let seed = start
  const below = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(seed / 65_536) % most
  }
  const pick = (list: readonly string[]): string => list[below(list.length)] ?? ''
  const text = (list: readonly string[], most: number): string =>
    Array.from({ length: below(most) }, () => pick(list)).join('')
  return { below, pick, text }
}

type Random = ReturnType<typeof createRandom>

const ATOMS = String.raw`a b c [ab] [^a] . \w \W \d \s [\s\S] é 😀 \u0061 \x62 - [^] [] \. \p{L} \u{61}`

const randomPattern = (random: Random, depth: number): string => {
  const inner = () => randomPattern(random, depth - 1)
  const kind = random.below(depth <= 0 ? 4 : 12)
  if (kind < 3) return random.pick(ATOMS.split(' '))
  if (kind === 3) return random.pick(['^', '$', '\\b', '\\B'])
  if (kind < 6) return inner() + inner()
  if (kind < 8) return `(${random.pick(['', '?:'])}${inner()}|${inner()})`
  const count = random.pick(['*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?'])
  if (kind < 11) return `(?:${inner()})${count}`
  return `(?${random.pick(['=', '!', '<=', '<!'])}${inner()})`
}

it('an automaton finds a pattern in the texts in which RegExp finds it', () => {
  const random = createRandom(7)
  // RegExp finds \\B within a pair of surrogates, which is no position of a text.
  const letters = ['a', 'b', 'c', '-', ' ', '1', 'é', '\n', '_', '\ud83d', '.']
  const withPairs = [...letters, '😀', '😀']
  let found = 0
  for (let count = 0; count < 1_500; count++) {
    const expression = compiled(randomPattern(random, 4), random.pick(['u', '']))
    if (!expression) continue
    const tree = parsePattern(expression)
    const matches = tree && createLinearTest(tree, expression.unicode)
    for (let tries = 0; tries < 8; tries++) {
      const text = random.text(expression.source.includes('\\B') ? letters : withPairs, 9)
      if (expression.test(text)) found++
      const verdict = `${expression} ${JSON.stringify(text)} ${matches?.(text)}`
      expect(verdict).toBe(`${expression} ${JSON.stringify(text)} ${expression.test(text)}`)
    }
  }
  expect(found).toBeGreaterThan(1_000)
})

const compiled = (source: string, flags: string): RegExp | undefined => {
  try {
    return new RegExp(source, flags)
  } catch {
    return undefined
  }
}

const STEPS = 300_000

/** The steps of a matcher that backtracks as RegExp does, up to a number of them. */
const countSteps = (tree: PatternNode, text: string): number => {
  let steps = 0
  class Enough extends Error {}
  const match = (node: PatternNode, at: number, then: (at: number) => boolean): boolean => {
    if (++steps > STEPS) throw new Enough()
    switch (node.kind) {
      case 'character': {
        const letter = text[at]
        return letter !== undefined && new RegExp(`^${node.source}$`).test(letter) && then(at + 1)
      }
      case 'sequence': {
        const go = (index: number, from: number): boolean => {
          const item = node.items[index]
          return item ? match(item, from, (to) => go(index + 1, to)) : then(from)
        }
        return go(0, at)
      }
      case 'choice':
        return node.options.some((option) => match(option, at, then))
      case 'repeat': {
        const { item, least, most } = node
        const go = (round: number, from: number): boolean => {
          const again = (to: number) => (to !== from || round < least) && go(round + 1, to)
          return (round < most && match(item, from, again)) || (round >= least && then(from))
        }
        return go(0, at)
      }
      case 'start':
        return at === 0 && then(at)
      case 'end':
        return at === text.length && then(at)
      case 'look':
        return match(node.item, at, () => true) !== node.negate && then(at)
      default:
        throw new Error(`${node.kind} is in none of these patterns.`)
    }
  }
  try {
    for (let start = 0; start <= text.length; start++) if (match(tree, start, () => true)) break
  } catch (cause) {
    if (!(cause instanceof Enough)) throw cause
  }
  return steps
}

const plainPattern = (random: Random, depth: number): string => {
  const inner = () => plainPattern(random, depth - 1)
  const kind = random.below(depth <= 0 ? 3 : 11)
  if (kind < 3) return random.pick(['a', 'b', '[ab]', '[^a]'])
  if (kind < 6) return inner() + inner()
  if (kind < 8) return `(?:${inner()}|${inner()})`
  if (kind < 10) return `(?:${inner()})${random.pick(['*', '+', '?', '{2}', '*'])}`
  return `(?${random.pick(['=', '!'])}${inner()})`
}

it('the steps of no pattern grow faster than is said', () => {
  const random = createRandom(3)
  const kinds = new Set<string>()
  for (let count = 0; count < 400; count++) {
    const source = random.pick(['^', '']) + plainPattern(random, 5) + random.pick(['$', '', 'c'])
    const tree = parsePattern(new RegExp(source))
    const growth = patternGrowth(source)
    kinds.add(growth.kind)
    if (!tree || growth.kind === 'exponential' || growth.kind === 'unknown') continue
    const degree = growth.kind === 'linear' ? 1 : growth.degree
    for (const period of ['a', 'b', 'ab', 'aab']) {
      for (const end of ['', 'c']) {
        const stepsOf = (length: number) =>
          countSteps(tree, period.repeat(length).slice(0, length) + end)
        const [few, many] = [stepsOf(24), stepsOf(48)]
        const isFaster = many > 3_000 && Math.log2(many / few) > degree + 0.45
        expect(`${source} ${period} ${end} ${isFaster}`).toBe(`${source} ${period} ${end} false`)
      }
    }
  }
  expect([...kinds].sort()).toEqual(['exponential', 'linear', 'polynomial'])
})

it.each([
  ['^(a+)+$', { kind: 'exponential', repeated: 'a' }],
  ['^(a*)*$', { kind: 'exponential', repeated: 'a' }],
  ['^(a|ab|b)*$', { kind: 'exponential', repeated: 'aba' }],
  ['^(a?){30}$', { kind: 'exponential', repeated: 'a' }],
  ['\\d+$', { kind: 'polynomial', degree: 2, repeated: '0' }],
  ['^a*a*a*$', { kind: 'polynomial', degree: 3, repeated: 'a' }],
  ['(?i:a)', { kind: 'unknown', why: 'unread' }],
  ['\\d+', { kind: 'linear' }],
  ['^(a|b)*$', { kind: 'linear' }],
  ['^(\\d{1,3}\\.){3}\\d{1,3}$', { kind: 'linear' }],
  ['^(?=.*[a-z])(?=.*\\d)[a-z\\d]{8,}$', { kind: 'linear' }],
  ['^([a-z0-9]+\\.)+[a-z]+$', { kind: 'linear' }],
])('the growth of %s', (source, growth) => {
  if (compiled(source, 'u')) expect(patternGrowth(source)).toEqual(growth)
})

it.each([
  ['^(a|b)*a(a|b){60}$', 'ab'],
  ['^([\\s\\S]{1,40}){1,40}$', 'a'],
  ['^(a+)+\\1$', 'a'],
  ['^(\\w+\\s?)*$', 'a'],
  ['\\d+$', '1'],
])('a text of 200,000 characters ends for %s', (source, letters) => {
  const random = createRandom(1)
  const text = `${Array.from({ length: 200_000 }, () => random.pick([...letters])).join('')}!`
  expect(matchesPattern(source, text)).toBe(false)
})

it('a reference back is matched in texts that are short enough', () => {
  const test = createPatternTest('^(["\']).*\\1$')
  expect(test('"a"')).toBe(true)
  expect(test('"a\'')).toBe(false)
  expect(test(`"${'a'.repeat(9_000)}"`)).toBe(true)
})
