import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holds } from '../../../src/conform/workflows/criteria.js'

import '../../fixed-seed.js'

describe('the loose comparison of Arazzo', () => {
  it.each([
    ['Open', '==', 'oPEN', true],
    ['Open', '!=', 'oPEN', false],
    ['200', '==', 200, true],
    ['200 ', '==', 200, false],
    ['true', '==', true, true],
    [1, '==', true, false],
    [undefined, '==', null, true],
    [undefined, '!=', null, false],
    [0, '==', null, false],
    ['', '==', null, false],
    ['', '==', 0, false],
    [{ a: [1] }, '==', { a: [1] }, true],
    [{ a: [1] }, '==', '[object Object]', false],
    ['9', '<', '10', true],
    ['9', '<', 10, true],
    ['9007199254740993', '>', '9007199254740992', true],
    ['-2', '<', '1', true],
    ['b', '>', 'A', true],
    ['2026-01-01T10:00:00Z', '<=', '2026-01-01T11:00:00+01:00', true],
    ['2026-01-01T10:00:00.5Z', '>', '2026-01-01T10:00:00Z', true],
    [undefined, '<', 1, false],
    [undefined, '>=', 1, false],
    [null, '<=', null, false],
    [true, '<', 2, false],
  ] as const)('%j %s %j: %j', (left, operator, right, want) => {
    expect(holds(operator, left, right)).toBe(want)
  })

  it('never holds one way and its opposite, whatever is compared', () => {
    const some = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null), fc.float())
    fc.assert(
      fc.property(some, some, (left, right) => {
        expect(holds('==', left, right)).toBe(!holds('!=', left, right))
        expect(holds('==', left, right)).toBe(holds('==', right, left))
        expect(holds('<', left, right)).toBe(holds('>', right, left))
        expect(holds('<', left, right) && holds('>=', left, right)).toBe(false)
      }),
    )
  })
})
