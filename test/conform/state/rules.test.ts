import { describe, expect, it } from 'vitest'
import { STATE_RULES } from '../../../src/conform/rules.js'
import { changed, isFull, looks, stateOf, status, within } from '../http/changes.js'
import { type Change, judgeLibrary } from '../http/judge-library.js'
import { SHELF_DEFECTS } from '../seeded/shelf/shelf-defects.js'

const BROKEN: readonly (readonly [rule: string, what: string, which: RegExp, change: Change])[] = [
  ['state-moved-back', 'packs again', /followed/, backwards()],
  ['terminal-state-changes', 'takes it back', /followed/, wavering()],
  [
    'polled-record-wrong',
    'tells of another',
    /followed/,
    changed(
      (asked, right) => looks(asked) && isFull(asked, right),
      within({ id: '0b8e4d57-3f1a-4c62-9e80-000000000000' }),
    ),
  ],
  [
    'unfinished-state-cacheable',
    'says nothing',
    /followed/,
    changed(looks, (_, right) => ({ ...right, headers: {} })),
  ],
  [
    'record-id-case-sensitive',
    'knows small letters alone',
    /followed/,
    changed(({ path }) => path.startsWith('/loans/') && /[A-F]/.test(path), status(404)),
  ],
  [
    'link-target-missing',
    'keeps no ledger',
    /followed/,
    changed(({ path }) => path === '/ledger', within({ result: null })),
  ],
  ['link-target-missing', 'forgets the loan', /followed/, changed(looks, status(404))],
  [
    'linked-responses-differ',
    'has two tickets',
    /followed/,
    changed(
      (asked, right) => looks(asked) && stateOf(right) === 'lent',
      within({ ticket: 'another' }),
    ),
  ],
]

/** Lent, and refused when it is asked for again. */
function wavering(): Change {
  let lent = 0
  return (asked, right) =>
    looks(asked) && stateOf(right) === 'lent' && lent++ > 0
      ? within({ state: 'refused' })(asked, right)
      : right
}

/** Back to the first state after the second. */
function backwards(): Change {
  let looked = 0
  return (asked, right) =>
    looks(asked) && right.status === 200 && looked++ === 2
      ? within({ state: 'asked' })(asked, right)
      : right
}

describe('a library that breaks a rule is caught, and by that rule', () => {
  it.each(BROKEN)('%s: one that %s', async (rule, _, which, change) => {
    const { own } = await judgeLibrary(which, change)
    expect(own).toContain(rule)
    expect(new Set(own).size, [...new Set(own)].join()).toBeLessThanOrEqual(2)
  })

  it.each([
    [{ expires: '0' }, false],
    [{ expires: 'Thu, 01 Dec 1994 16:00:00 GMT', date: 'Fri, 02 Dec 1994 16:00:00 GMT' }, false],
    [{ expires: 'Sat, 03 Dec 1994 16:00:00 GMT', date: 'Fri, 02 Dec 1994 16:00:00 GMT' }, true],
    [{ expires: '0', 'cache-control': 'max-age=60' }, true],
  ])('an unfinished state with %j is cacheable: %s', async (headers, want) => {
    const { own } = await judgeLibrary(
      /followed/,
      changed(looks, (_, right) => ({ ...right, headers })),
    )
    expect(own.includes('unfinished-state-cacheable')).toBe(want)
  })

  it('each rule has such a library', () => {
    // Others are broken in `test/conform/seeded/shelf`: the library has no lists, and nothing that can be changed.
    const shelved = Object.values(SHELF_DEFECTS).flatMap((rows) => rows.map(({ rule }) => rule))
    const broken = new Set<string>([...BROKEN.map(([rule]) => rule), ...shelved])
    expect(STATE_RULES.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([])
  })
})
