import { expect, it } from 'vitest'
import { withoutTrailingSlashes } from '../../src/runtime/shared/trailing.js'
import { pathPattern } from '../../src/runtime/wire/path-pattern.js'

const valuesOf = (template: string, path: string): readonly string[] | undefined =>
  new RegExp(`^${pathPattern(template, '[^/]')}$`).exec(path)?.slice(1)

it.each<[string, string, readonly string[] | undefined]>([
  ['/a/{b}', '/a/x', ['x']],
  ['/a/{b}', '/a/', undefined],
  ['/a/{b}', '/a/x/y', undefined],
  ['/a/{b}/c', '/a/x/c', ['x']],
  ['/{a}-{b}', '/x-y', ['x', 'y']],
  ['/{a}-{b}', '/x-y-z', ['x', 'y-z']],
  ['/{a}-{b}', '/--', undefined],
  ['/{a}-{b}', '/---', ['-', '-']],
  ['/{a}..{b}', '/x...y', ['x', '.y']],
  ['/{a}.{b}.json', '/x.y.json', ['x', 'y']],
  ['/{a}.{b}.json', '/x.json', undefined],
  ['/{a}{b}', '/xy', ['x', 'y']],
  ['/{a}{b}', '/x', undefined],
  ['/{a}.json/{b}', '/x.json.json/y', ['x.json', 'y']],
  ['/a.b/{c}', '/axb/c', undefined],
  ['/a', '/a', []],
])('%s reads the values of %s', (template, path, values) => {
  expect(valuesOf(template, path)).toEqual(values)
})

it.each([
  ['', ''],
  ['///', ''],
  ['/a//', '/a'],
  ['//a/b', '//a/b'],
  ['/a', '/a'],
])('the end of %j without slashes', (text, rest) => {
  expect(withoutTrailingSlashes(text)).toBe(rest)
})
