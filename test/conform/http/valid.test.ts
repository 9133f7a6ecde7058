import { describe, expect, it } from 'vitest'
import { changed, lends, looks, stateOf, status } from './changes.js'
import { type Change, judgeLibrary } from './judge-library.js'
import type { Given } from './library.js'

describe('a library that keeps its documents', () => {
  it('is found right in all cases, and its choices are reported', async () => {
    const { own, messages, ways, skipped } = await judgeLibrary(/./)
    expect(messages).toEqual([])
    expect(own).toEqual([])
    expect(skipped).toEqual([
      'lend, more often than is allowed: no limit was reached in 400 requests',
    ])
    expect(ways).toMatchObject({
      'http-json-byte-order-mark of lend': 'rejected',
      'http-refusal-status of lend': '4xx',
      'http-content-type-missing of lend': 'rejected',
      'http-unknown-field of lend, where it is ruled out': 'rejected',
      'http-same-request-twice of lend, the variant loan': 'done again',
      'http-unknown-query of loan': 'the same',
      'http-trailing-slash of loan': 'rejected',
    })
  })

  it.each<readonly [string, Change, Readonly<Record<string, string>>]>([
    [
      'says in the body alone that it refuses',
      changed((asked, right) => lends(asked) && right.status === 400, status(200)),
      { 'http-refusal-status of lend': '200 with an error in the body' },
    ],
    [
      'refuses a wrong method with 501',
      changed((_, right) => right.status === 405, status(501)),
      {},
    ],
    [
      'answers the wrong type with 400',
      changed((_, right) => right.status === 415, status(400)),
      {},
    ],
    ['is away', changed(({ at }) => at > 5, status(503)), {}],
    ['refuses keys with 404', changed((_, right) => right.status === 401, status(404)), {}],
    [
      'ends as refused, with no ticket',
      changed(
        (asked, right) => looks(asked) && stateOf(right) === 'lent',
        (_, right) => ({
          ...right,
          body: { id: (right.body as { id: string }).id, state: 'refused' },
        }),
      ),
      {},
    ],
    [
      'sends the first answer again',
      sameAgain(),
      { 'http-same-request-twice of lend, the variant loan': 'the first answer again' },
    ],
  ])('may be one that %s', async (_, change, ways) => {
    const judged = await judgeLibrary(/^(?!.*(bytes|often|at once))/, change)
    expect(judged.own.filter((rule) => rule !== 'server-fails')).toEqual([])
    expect(judged.ways).toMatchObject(ways)
  })
})

function sameAgain(): Change {
  let first: Given | undefined
  return changed(
    (asked, right) => lends(asked) && right.status === 200,
    (_, right) => {
      first ??= right
      return first
    },
  )
}
