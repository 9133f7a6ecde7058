import { expect, test } from 'vitest'
import { LINT_RULES } from '../../src/lint/lint.js'
import { scoreLines, scoreOf } from '../../src/lint/score.js'
import type { Finding, Level } from '../../src/model/finding.js'

const found = (rule: string, level: Level, count = 1): readonly Finding[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ rule, level, message: 'x' },
    location: { file: 'a.yaml', line: index + 1, column: 1, pointer: '' },
  }))

test('without findings a document has 100 points', () => {
  expect(scoreOf([], 12)).toEqual({ points: 100, costs: [] })
})

test.each([
  ['a warning of every operation', found('a', 'warning', 10), 94],
  ['more findings than operations cost no more', found('a', 'warning', 90), 94],
  ['of half of them', found('a', 'warning', 5), 97],
  ['notes', found('a', 'note', 10), 98],
  ['an error in every operation', found('a', 'error', 10), 80],
  ['an error alone', found('a', 'error'), 95],
  ['never below 0', Array.from({ length: 30 }, (_, at) => found(`r${at}`, 'error')).flat(), 0],
])('%s', (_, findings, points) => {
  expect(scoreOf(findings, 10).points).toBe(points)
})

test('a document without operations is not divided by 0', () => {
  expect(scoreOf(found('a', 'warning'), 0).points).toBe(94)
})

test('each rule says what it costs and why, the most expensive first', () => {
  const findings = [
    ...found('operation-has-no-id', 'warning', 5),
    ...found('paths-are-identical', 'error'),
    ...found('team-owner', 'note', 10),
  ]
  expect(scoreLines(scoreOf(findings, 10), LINT_RULES)).toEqual([
    '-5.0 paths-are-identical, once: For a server, two paths that differ only in the names of their parameters are the same path.',
    '-3.0 operation-has-no-id, 5 times: Without an operationId, the name of the operation in clients changes with the path.',
    '-2.0 team-owner, 10 times',
  ])
})
