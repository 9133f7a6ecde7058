import { expect, it } from 'vitest'
import { compareSemver, parseSemver, printSemver, raise, type Step } from '../../src/pack/semver.js'

const read = (text: string) => {
  const version = parseSemver(text)
  if (!version) throw new Error(`${text} is no version`)
  return version
}

it.each([
  ['1.2.3', '1.2.3'],
  ['0.0.0', '0.0.0'],
  ['1.0.0-beta', '1.0.0-beta'],
  ['1.0.0-beta.11', '1.0.0-beta.11'],
  ['1.0.0-0.3.7', '1.0.0-0.3.7'],
  ['1.0.0-x-y-z.--', '1.0.0-x-y-z.--'],
  ['1.0.0+build.5', '1.0.0'],
  ['1.0.0-rc.1+build.5', '1.0.0-rc.1'],
])('reads %s as %s', (text, want) => {
  expect(printSemver(read(text))).toBe(want)
})

it.each([
  '1',
  '1.0',
  'v1.0.0',
  '01.0.0',
  '1.0.0-',
  '1.0.0-01',
  '1.0.0-a..b',
  '1.0.0 ',
  '99999999999999999999.0.0',
  '1.0.0-99999999999999999999',
  '1.0.0+',
  '^1.0.0',
  '',
])('does not take %j for a version', (text) => {
  expect(parseSemver(text)).toBeUndefined()
})

it('orders versions as clause 11 does', () => {
  const ordered =
    '0.9.9 1.0.0-1 1.0.0-2 1.0.0-11 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1 1.1.0 2.0.0'.split(
      ' ',
    )
  const mixed = [...ordered].reverse()
  expect(mixed.sort((a, b) => compareSemver(read(a), read(b)))).toEqual(ordered)
  expect(compareSemver(read('1.0.0-a.1'), read('1.0.0-a.1'))).toBe(0)
})

it.each<[string, Step, string]>([
  ['1.4.2', 'major', '2.0.0'],
  ['1.4.2', 'minor', '1.5.0'],
  ['1.4.2', 'patch', '1.4.3'],
  ['0.4.2', 'major', '0.5.0'],
  ['0.4.2', 'minor', '0.5.0'],
  ['0.4.2', 'patch', '0.4.3'],
  ['2.0.0-beta.1', 'major', '2.0.0-beta.2'],
  ['2.0.0-beta.1', 'patch', '2.0.0-beta.2'],
  ['2.1.0-beta.1', 'minor', '2.1.0-beta.2'],
  ['2.1.0-beta.1', 'major', '3.0.0-beta.1'],
  ['2.1.3-beta.4', 'minor', '2.2.0-beta.1'],
  ['2.1.3-beta.4', 'patch', '2.1.3-beta.5'],
  ['0.2.0-beta.4', 'major', '0.2.0-beta.5'],
  ['0.2.1-beta.4', 'major', '0.3.0-beta.1'],
  ['1.0.0-beta', 'minor', '1.0.0-beta.1'],
  ['1.0.1-beta', 'minor', '1.1.0-beta.1'],
  ['1.0.0-7', 'minor', '1.0.0-8'],
  ['1.0.0-rc.3.win', 'patch', '1.0.0-rc.4.win'],
])('raises %s by a %s to %s', (from, step, want) => {
  expect(printSemver(raise(read(from), step))).toBe(want)
})
