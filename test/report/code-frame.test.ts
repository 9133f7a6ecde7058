import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { codeFrame } from '../../src/report/code-frame.js'
import { temporaryFolder } from '../temporary-folder.js'

const folder = temporaryFolder('frame')

const frame = (text: string, line: number, column: number): string => {
  const file = join(folder, 'document.yaml')
  writeFileSync(file, text)
  return codeFrame({ file, line, column, pointer: '' })
}

it.each([
  [
    'a line and the two before it',
    'one: 1\ntwo: 2\nthree:\n  four: [\n',
    4,
    9,
    ' 2 | two: 2\n 3 | three:\n 4 |   four: [\n   |         ^',
  ],
  ['the first line', 'swagger: 2\nrest: 1', 1, 1, ' 1 | swagger: 2\n   | ^'],
  [
    'numbers of two widths',
    'a\nb\nc\nd\ne\nf\ng\nh\ni\nj',
    10,
    1,
    '  8 | h\n  9 | i\n 10 | j\n    | ^',
  ],
  [
    'tabs, so that the caret stands below',
    '{\n\t"a": x',
    2,
    7,
    ' 1 | {\n 2 | \t"a": x\n   | \t     ^',
  ],
  ['the end of the text', 'a: {\n', 2, 1, ' 1 | a: {\n 2 |\n   | ^'],
  ['lines of Windows', 'a\r\nb: c\r\n', 2, 4, ' 1 | a\n 2 | b: c\n   |    ^'],
  ['what a terminal would obey, harmless', 'a: "\u001b"x', 1, 6, ' 1 | a: "\ufffd"x\n   |      ^'],
  ['nothing of a line that does not exist', 'a', 7, 1, ''],
])('shows %s', (_, text, line, column, want) => {
  expect(frame(text, line, column)).toBe(want)
})

it('cuts a long line to what stands around the place', () => {
  const [shown = '', below = ''] = frame(
    `${'a'.repeat(5_000)}X${'b'.repeat(5_000)}`,
    1,
    5_001,
  ).split('\n')
  expect(shown.length).toBeLessThan(120)
  expect(shown).toMatch(/^ 1 \| …a+Xb+…$/)
  expect(below.indexOf('^')).toBe(shown.indexOf('X'))
})

it('shows nothing of a file that is not there', () => {
  expect(codeFrame({ file: join(folder, 'nowhere'), line: 1, column: 1, pointer: '' })).toBe('')
})
