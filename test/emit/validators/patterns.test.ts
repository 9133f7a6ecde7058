import { expect, test } from 'vitest'
import { withoutCaptures } from '../../../src/emit/validators/patterns.js'

test.each<[RegExp, RegExp]>([
  [/^(a|b)+$/u, /^(?:a|b)+$/u],
  [/^((a)(b))$/u, /^(?:(?:a)(?:b))$/u],
  [/(?<year>\d{4})-(?<month>\d\d)/u, /(?:\d{4})-(?:\d\d)/u],
  // Nothing is kept by these, and these are no groups.
  [/(?:a)(?=b)(?!c)(?<=d)(?<!e)/u, /(?:a)(?=b)(?!c)(?<=d)(?<!e)/u],
  [/\((a)\)[()\](]\[(b)]?/, /\((?:a)\)[()\](]\[(?:b)]?/],
  [/[^(](a)[\\](b)/u, /[^(](?:a)[\\](?:b)/u],
  // What is kept is asked for.
  [/^(a)\1$/u, /^(a)\1$/u],
  [/^(?<one>a)\k<one>$/u, /^(?<one>a)\k<one>$/u],
])('%s matches what %s matches', (given, want) => {
  expect(withoutCaptures(given)).toEqual(want)
})
