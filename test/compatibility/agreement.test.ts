import { describe, expect, it } from 'vitest'
import type { Cell } from '../../src/compatibility/cell.js'
import type { Finding } from '../../src/model/finding.js'
import { disagreements } from './agreement.js'

const PLACE = { file: 'api.yaml', line: 1, column: 1, pointer: '' }

const cell = (verdict: Cell['verdict'], more: Partial<Cell> = {}): Cell => ({
  version: 'v1',
  operation: 'GET /orders',
  verdict,
  requests: 1,
  places: { before: PLACE, after: PLACE },
  ...more,
})

const finding = (
  rule: string,
  level: Finding['level'],
  operations: readonly string[] = ['GET /orders'],
): Finding => ({ rule, level, location: PLACE, message: '', operations })

const ofPair = (one: Cell, findings: readonly Finding[], isMock = true) =>
  disagreements(
    { versions: ['v1'], cells: [one], findings: new Map([['v1', findings]]) },
    { isMock },
  ).map(({ why }) => why)

describe('a cell and diff', () => {
  it.each([
    ['both are silent', cell('works'), []],
    [
      'an error about values that were not sent',
      cell('works'),
      [finding('request-value-removed', 'error')],
    ],
    ['an error, and it breaks', cell('breaks'), [finding('request-value-removed', 'error')]],
    [
      'undecided, and it breaks',
      cell('breaks'),
      [finding('request-change-is-undecided', 'warning')],
    ],
    ['removed in time', cell('breaks'), [finding('operation-removed-after-deprecation', 'note')]],
    ['the server is another one', cell('breaks'), [finding('server-removed', 'warning', [])]],
    ['nothing was sent', cell('untested'), [finding('parameter-added-required', 'error')]],
  ] as const)('agree: %s', (_, one, findings) => {
    expect(ofPair(one, findings)).toEqual([])
  })

  it.each([
    ['it breaks, and diff is silent', cell('breaks'), [], /diff does not say/],
    [
      'it breaks, and diff has a note',
      cell('breaks'),
      [finding('property-added', 'note')],
      /diff does not say/,
    ],
    [
      'it breaks, and the error is of another operation',
      cell('breaks'),
      [finding('request-value-removed', 'error', ['GET /users'])],
      /diff does not say/,
    ],
    [
      'every request is rejected, and it works',
      cell('works'),
      [finding('parameter-added-required', 'error')],
      /parameter-added-required/,
    ],
    [
      'a request does not fit, and it works',
      cell('works', { mismatch: { pointer: '/body', message: 'must be an object' } }),
      [],
      /\/body must be an object/,
    ],
  ] as const)('contradict each other: %s', (_, one, findings, why) => {
    expect(ofPair(one, findings)).toEqual([expect.stringMatching(why)])
  })

  it('a server may accept more than its documents', () => {
    expect(ofPair(cell('works'), [finding('parameter-added-required', 'error')], false)).toEqual([])
  })
})
