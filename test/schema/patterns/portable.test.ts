import { describe, expect, test } from 'vitest'
import { findUnportable } from '../../../src/schema/patterns/portable.js'

describe('what every engine reads alike is clean', () => {
  test.each([
    '',
    '^0x[0-9a-fA-F]{40}$',
    '^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,15})$',
    '^(?:a|b)+?c*?d??$',
    '^([0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h))+$',
    '^[^"\\\\\\[\\]-]{1,1000}$',
    '^: [0-9]+ gas × [0-9]+ wei 😀$',
    '.\\t\\n\\r\\f\\x41\\/\\$\\{\\}',
    '^[&|~-]$',
  ])('%j', (pattern) => {
    expect(findUnportable(pattern)).toEqual([])
  })
})

describe('what one engine reads otherwise is named, with its place', () => {
  test.each([
    ['^\\d+$', 'digit-set', 1],
    ['^[a\\D]$', 'digit-set', 3],
    ['a\\w', 'word-set', 1],
    ['a\\S', 'space-set', 1],
    ['a\\b', 'word-boundary', 1],
    ['\\p{L}', 'unicode-property', 0],
    ['^(?!a)b', 'lookaround', 1],
    ['a(?<=b)', 'lookaround', 1],
    ['(?=a)*b', 'quantified-assertion', 0],
    ['(a|b)\\1', 'backreference', 5],
    ['x(?<year>a)', 'named-group', 1],
    ['(?i)a', 'inline-flags', 0],
    ['b(?i:a)', 'inline-flags', 1],
    ['\\cA', 'control-escape', 0],
    ['a\\u00e9', 'unicode-escape', 1],
    ['\\u{1F600}', 'unicode-escape', 0],
    ['\\0', 'octal-escape', 0],
    ['\\012', 'octal-escape', 0],
    ['a\\v', 'rare-escape', 1],
    ['[\\b]', 'rare-escape', 1],
    ['a\\@b', 'needless-escape', 1],
    ['\\Aa', 'foreign-escape', 0],
    ['a\\Z', 'foreign-escape', 1],
    ['\\h', 'foreign-escape', 0],
    ['a\\R', 'foreign-escape', 1],
    ['x{,3}', 'bare-bracket', 1],
    ['a]', 'bare-bracket', 1],
    ['[[:alpha:]', 'bracket-in-class', 1],
    ['[a-z&&b]', 'class-operator', 4],
    ['[+--]', 'class-operator', 2],
    ['[]a', 'empty-class', 0],
    ['a[^]', 'empty-class', 1],
    ['a{1001}', 'large-repeat', 0],
    ['a++', 'possessive', 1],
    ['(?>a)', 'atomic-group', 0],
    ['\\+(?P<n>a)', 'python-group', 2],
    ['a(?#why)', 'foreign-group', 1],
    ['(a', 'not-ecma', 2],
  ])('%j: %s at %i', (pattern, construct, where) => {
    expect(findUnportable(pattern)[0]).toMatchObject({ construct, where })
  })
})

test('each construct is reported once, in the order of the text, with what to write instead', () => {
  const lines = findUnportable('^\\d{4}-\\d{2}[\\w-.]\\Z').map(
    ({ where, says }) => `${where} ${says}`,
  )
  expect(lines).toMatchInlineSnapshot(`
    [
      "1 \\d is ASCII in ECMAScript and every script in Python, .NET and Rust: write [0-9]",
      "13 \\w is ASCII in ECMAScript and every script in Python, .NET and Rust: write [A-Za-z0-9_]",
      "15 - is rejected with the flag u and by other engines: escape it, or put it last",
      "18 \\Z is the letter itself in ECMAScript, rejected with the flag u, and an anchor or a class in other engines: write the intended pattern",
    ]
  `)
})

test('what does not compile says why', () => {
  expect(findUnportable('[b-a]')).toMatchInlineSnapshot(`
    [
      {
        "construct": "not-ecma",
        "says": "Range out of order in character class makes the pattern invalid in ECMAScript: correct it",
        "where": 4,
      },
    ]
  `)
})
