import { Script } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import {
  disjoint,
  type Escape,
  escaping,
  shortestWord,
} from '../../../src/schema/patterns/language.js'
import type { StringTerms } from '../../../src/schema/patterns/search.js'
import { cpuClock } from '../../cpu-time.js'

const ADDRESS = '^0x[0-9a-fA-F]{40}$'
const BYTES = '^0x([0-9a-fA-F]{2})*$'
const QUANTITY = '^0x(0|[1-9a-fA-F][0-9a-fA-F]*)$'
const WORD = '^0x[0-9a-fA-F]{64}$'
const UUID = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
const UUID_4 = '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'
const ABI_TYPE =
  '^(address|bool|string|bytes([1-9]|[12][0-9]|3[0-2])?|u?int[0-9]{0,3})(\\[[0-9]*\\])*$'

const terms = (
  patterns: string | readonly string[],
  minLength = 0,
  maxLength?: number,
): StringTerms => ({
  patterns: typeof patterns === 'string' ? [patterns] : patterns,
  minLength,
  maxLength,
})

/** The word in quotes, or what is said instead of one. */
const report = (found: Escape): string | number => {
  switch (found.kind) {
    case 'word':
      return JSON.stringify(found.word)
    case 'longer':
      return found.length
    case 'unknown':
      return found.why
    case 'none':
      return 'none'
  }
}

describe('the shortest string of one pattern that another does not take', () => {
  test.each([
    ['lower case became a must', ADDRESS, '^0x[0-9a-f]{40}$', `"0x${'a'.repeat(39)}A"`],
    ['upper case became possible', '^0x[0-9a-f]{40}$', ADDRESS, 'none'],
    ['leading zeros', ADDRESS, QUANTITY, `"0x0${'a'.repeat(39)}"`],
    ['pairs of digits are digits', BYTES, '^0x[0-9a-fA-F]*$', 'none'],
    ['digits are not all pairs', '^0x[0-9a-fA-F]*$', BYTES, '"0xa"'],
    ['32 bytes are bytes', WORD, BYTES, 'none'],
    ['the version of a uuid', UUID, UUID_4, '"aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"'],
    ['a uuid of one version', UUID_4, UUID, 'none'],
    ['months', '^\\d{4}-\\d{2}$', '^\\d{4}-(0[1-9]|1[0-2])$', '"0000-00"'],
    [
      'decimals without leading zeros',
      '^[0-9]+(\\.[0-9]+)?$',
      '^(0|[1-9][0-9]*)(\\.[0-9]+)?$',
      '"00"',
    ],
    ['arrays of ABI types', ABI_TYPE, '^[a-z0-9]+(\\[\\])?$', '"int[0]"'],
    ['a prefix', 'foo', '^foo', '"afoo"'],
    ['a suffix', '^foo', 'foo$', '"fooa"'],
    ['anchors inside', '(^a|b$)', '^a', '"b"'],
    ['anchors around a group', '^(?:a|b)$', '^[ab]$', 'none'],
    ['an anchor that cannot be met', 'a^b', '^z$', 'none'],
    ['lazy is as greedy', '^a+?b*?$', '^a+b*$', 'none'],
    ['named groups', '^(?<year>\\d{2})$', '^[0-9][0-9]$', 'none'],
    ['word boundaries', '\\bfoo\\b', '(^|\\W)foo(\\W|$)', 'none'],
    ['digits are words', '^\\d+$', '^\\w+$', 'none'],
    ['spaces beyond ASCII', '^\\s$', '^[\\t-\\r ]$', '"\u00a0"'],
    ['a line terminator is no dot', '^[^a]$', '^.$', '"\\n"'],
    ['$ is the end alone', '^a\\s?$', '^a$', '"a "'],
    ['letters beyond ASCII', '^\\p{L}$', '^\\w$', '"é"'],
    ['a letter above U+FFFF is one', '^.$', '^[\\u{0}-\\u{ffff}]$', '"😀"'],
    ['that does not compile with u', '^[\\w-.]$', '^[\\w.\\-]$', 'none'],
    ['without u a letter above U+FFFF is two', '^[^\\w.\\-]$', '^[^\\w-.]$', '"😀"'],
    ['which are a pair', '^[^\\w-.]{2}$', '^[^\\w.\\-]{1,2}$', 'none'],
    ['a lookahead at the start', '^[a-z0-9]+$', '^(?=.*\\d)[a-z0-9]+$', '"a"'],
    ['a lookahead that is met', '^(?!0)\\d+$', '^[1-9]\\d*$', 'none'],
    ['a lookbehind at the end', '^[a-z-]+(?<!-)$', '^[a-z-]*[a-z]$', 'none'],
    ['a group that can be referred to', '^(a|b)\\1$', '^(aa|bb)$', 'none'],
    ['a group that cannot be, as a witness', '^a+$', '^(a+)\\1$', '"a"'],
  ])('%s', (_, inner, outer, want) => {
    expect(report(escaping(terms(inner), [terms(outer)]))).toBe(want)
  })
})

test('a long list of names is read to its end', () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `Zone/${at}`)
  const list = (of: readonly string[]) => terms(`^(${of.join('|')})$`)
  expect(report(escaping(list(names), [list(names.slice(0, -1))]))).toBe('"Zone/999"')
  expect(report(escaping(list(names.slice(1)), [list(names)]))).toBe('none')
})

describe('lengths and unions', () => {
  test.each([
    ['a shorter bound', terms('^[a-z]+$', 0, 10), [terms('^[a-z]+$', 0, 4)], '"aaaaa"'],
    ['a bound that the pattern keeps', terms('^[a-z]{2,4}$'), [terms([], 1, 4)], 'none'],
    ['a bound that the pattern breaks', terms('^[a-z]{2,4}$'), [terms([], 3)], '"aa"'],
    ['a bound in code points', terms('^😀*$'), [terms([], 0, 1)], '"😀😀"'],
    ['no string at all', terms('^a', 3, 2), [], 'none'],
    ['no string by length', terms('^a{3}$', 0, 2), [], 'none'],
    ['a union', terms('^[a-f]x$'), [terms('^[a-c]'), terms('^d'), terms('^[ef]')], 'none'],
    ['a gap of a union', terms('^[a-f]x$'), [terms('^[a-c]'), terms('^[ef]')], '"dx"'],
    ['a union by length', terms('^a*$'), [terms([], 0, 3), terms('a{3}')], 'none'],
    ['a gap between lengths', terms([]), [terms([], 0, 4), terms([], 7)], '"aaaaa"'],
    ['too long to be written', terms([]), [terms([], 0, 5_000_000_000)], 5_000_000_001],
    ['two patterns of which one was dropped', terms(['^a', 'b$']), [terms('^a')], 'none'],
    ['two patterns of which one is new', terms('^a'), [terms(['^a', 'b$'])], '"a"'],
    ['what nobody can read, on both sides', terms('^(a+)\\1$', 1), [terms('^(a+)\\1$')], 'none'],
    ['what is no pattern, on both sides', terms('('), [terms('(')], 'none'],
    ['what nobody can read, where others do', terms('^(a+)\\1$', 0, 4), [terms([], 0, 4)], 'none'],
  ])('%s', (_, inner, outers, want) => {
    expect(report(escaping(inner, outers))).toBe(want)
  })
})

describe('what cannot be decided is reported, with its reason', () => {
  test.each([
    ['^(a+)b\\1$', '^b', 'the pattern ^(a+)b\\1$ has a backreference to a group (\\1)'],
    ['^(?:(?!ab).)*$', '^.*$', 'the pattern ^(?:(?!ab).)*$ looks ahead by more than one character'],
    ['(', '^a', 'the pattern ( is not a regular expression'],
    ['^(a|b)*a(a|b){20}$', '^b*$', 'the patterns have too many states to be searched'],
    ['^a{40}b$', '^(a+)+$', 'a regular expression takes too long to test the text that was found'],
  ])('%s in %s', (inner, outer, want) => {
    expect(report(escaping(terms(inner), [terms(outer)]))).toBe(want)
  })
})

test.each([
  ['(a+)+$', 'b'],
  ['^(a|a)*$', '^b'],
  ['(?:a{1,1000}){1,1000}', 'b'],
  ['(a*)*(a*)*(a*)*$', '^b*$'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', '^[A-Z]'],
  ['^.*a.{500}$', '^.*b.{500}$'],
  ['^(.*a){40}$', '^(.*b){40}$'],
  ['^([a-z]{1,50}){1,50}$', '^[a-y]*$'],
  ['('.repeat(5000) + ')'.repeat(5000), 'a'],
])('a pattern that is made to take forever does not: %s', (one, other) => {
  const used = cpuClock()
  for (const [inner, outer] of [
    [one, other],
    [other, one],
  ] as const) {
    escaping(terms(inner), [terms(outer)])
    disjoint(terms(inner), terms(outer))
  }
  expect(used()).toBeLessThan(15_000)
})

test.each<[StringTerms, readonly string[], string | undefined]>([
  [terms(ADDRESS), [], `0x${'a'.repeat(40)}`],
  [terms(QUANTITY), [], '0xa'],
  [terms([], 3), [], 'aaa'],
  [terms([], 1), ['a', 'b'], 'c'],
  [terms('^[ab]$'), ['a'], 'b'],
  [terms('^[ab]$'), ['a', 'b'], undefined],
  [terms(['^a', '^b']), [], undefined],
  [terms('^a', 20_000), [], undefined],
  [terms('^(a+)\\1$', 2), [], 'aa'],
])('the shortest word of %j but for %j is %j', (given, avoided, want) => {
  expect(shortestWord(given, (word) => avoided.includes(word))).toBe(want)
})

test.each<[StringTerms, StringTerms, boolean | undefined]>([
  [terms('^0x'), terms('^[0-9]+$'), true],
  [terms('^0x'), terms('f$'), false],
  [terms('^a{3}$'), terms([], 0, 2), true],
  [terms([], 0, 2), terms([], 3), true],
  [terms([], 0, 3), terms([], 3, 9_000), false],
  [terms('^(a+)b\\1$'), terms('^b'), undefined],
])('whether %j and %j share no string: %j', (one, other, want) => {
  expect(disjoint(one, other)).toBe(want)
  expect(disjoint(other, one)).toBe(want)
})

describe('a word that the validator could not test in time', () => {
  const late = (times: number) => {
    const spy = vi.spyOn(Script.prototype, 'runInContext')
    for (let time = 0; time < times; time++)
      spy.mockImplementationOnce(() => {
        throw Object.assign(new Error('late'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' })
      })
    return spy
  }
  const found = () => escaping(terms(ADDRESS), [terms('^0x[0-9a-f]{40}$')])

  test.each([1, 2, 20])('is tested again on a busy machine: %i times', (times) => {
    const spy = late(times)
    try {
      expect(found()).toMatchObject({ kind: 'word', word: expect.stringMatching(ADDRESS) })
      expect(spy.mock.calls.length).toBeGreaterThan(times)
    } finally {
      spy.mockRestore()
    }
  })
})
