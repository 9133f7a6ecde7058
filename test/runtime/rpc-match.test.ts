import '../fixed-seed.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchById } from '../../src/runtime/rpc/match.js'

const ok = (id: unknown, result: unknown = `of ${id}`) => ({ jsonrpc: '2.0', id, result })
const no = (id: unknown, code = -32600, message = 'Invalid Request') => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

/** `1: of 1` for a result, `1: -32600` for a refusal, `1: unmatched-answer …` for no use. */
const matchesOf = (ids: readonly number[], body: unknown, sent: 'single' | 'batch' = 'batch') =>
  ids.map((id) => {
    const outcome = matchById(ids, body, sent)(id)
    if (outcome.kind === 'result') return `${id}: ${outcome.value}`
    if (outcome.kind === 'rejected') return `${id}: ${outcome.error.code}`
    return `${id}: ${outcome.reason}: ${outcome.message}`
  })

test.each<{ title: string; body: unknown; want: string[] }>([
  { title: 'in order', body: [ok(1), ok(2), ok(3)], want: ['1: of 1', '2: of 2', '3: of 3'] },
  {
    title: 'in another order',
    body: [ok(3), ok(1), ok(2)],
    want: ['1: of 1', '2: of 2', '3: of 3'],
  },
  {
    title: 'one missing: its neighbours keep their own',
    body: [ok(1), ok(3)],
    want: ['1: of 1', '2: unmatched-answer: no response has id 2 (seen: 1, 3)', '3: of 3'],
  },
  {
    title: 'one twice: both are suspect, the others are not',
    body: [ok(1), ok(2), ok(2, 'other'), ok(3)],
    want: ['1: of 1', '2: unmatched-answer: 2 responses have id 2, so none is used', '3: of 3'],
  },
  {
    title: 'a call of the server with the same id',
    body: [{ jsonrpc: '2.0', id: 2, method: 'ask' }, ok(1), ok(2), ok(3)],
    want: ['1: of 1', '2: of 2', '3: of 3'],
  },
  {
    title: 'a response that repeats its method',
    body: [ok(1), { ...ok(2), method: 'get' }, { ...no(3), method: 'get' }],
    want: ['1: of 1', '2: of 2', '3: -32600'],
  },
  {
    title: 'a notification beside a refusal of all',
    body: [{ jsonrpc: '2.0', method: 'log' }, no(null, -32010)],
    want: ['1: -32010', '2: -32010', '3: -32010'],
  },
  {
    title: 'a foreign id instead of one',
    body: [ok(1), ok(9), ok(3)],
    want: ['1: of 1', '2: unmatched-answer: no response has id 2 (seen: 1, 9, 3)', '3: of 3'],
  },
  {
    title: 'a foreign id beside all',
    body: [ok(1), ok(9), ok(2), ok(3)],
    want: ['1: of 1', '2: of 2', '3: of 3'],
  },
  {
    title: 'a string that looks like the number',
    body: [ok(1), ok('2'), ok(3)],
    want: ['1: of 1', '2: unmatched-answer: no response has id 2 (seen: 1, "2", 3)', '3: of 3'],
  },
  {
    title: 'an error without an id beside results',
    body: [ok(1), no(null), ok(3)],
    want: [
      '1: of 1',
      '2: unmatched-answer: no response has id 2 (seen: 1, null, 3); the server returned the error -32600 Invalid Request',
      '3: of 3',
    ],
  },
  {
    title: 'refusals of some',
    body: [ok(1), no(2), ok(3)],
    want: ['1: of 1', '2: -32600', '3: of 3'],
  },
  {
    title: 'a refusal of all, as an object',
    body: no(null, -32010),
    want: ['1: -32010', '2: -32010', '3: -32010'],
  },
  {
    title: 'a refusal of all, as an object without an id',
    body: { jsonrpc: '2.0', error: { code: -32010, message: 'too large' } },
    want: ['1: -32010', '2: -32010', '3: -32010'],
  },
  {
    title: 'a refusal of all, as an array of one',
    body: [no(null)],
    want: ['1: -32600', '2: -32600', '3: -32600'],
  },
  {
    title: 'a refusal of all, once per item',
    body: [no(null), no(null), no(null)],
    want: ['1: -32600', '2: -32600', '3: -32600'],
  },
  {
    title: 'a refusal that names the first call (geth)',
    body: [no(1, -32600, 'batch too large')],
    want: [
      '1: -32600',
      '2: unmatched-answer: no response has id 2 (seen: 1); the server returned the error -32600 batch too large',
      '3: unmatched-answer: no response has id 3 (seen: 1); the server returned the error -32600 batch too large',
    ],
  },
  {
    title: 'an empty array',
    body: [],
    want: [1, 2, 3].map(
      (id) => `${id}: unmatched-answer: no response has id ${id} (seen: nothing)`,
    ),
  },
  {
    title: 'not JSON-RPC at all',
    body: { error: 'not found' },
    want: [1, 2, 3].map(
      (id) => `${id}: malformed-answer: the response does not have jsonrpc "2.0"`,
    ),
  },
  {
    title: 'members that are no answers',
    body: [null, 7, 'x', [], ok(1), ok(2), ok(3)],
    want: ['1: of 1', '2: of 2', '3: of 3'],
  },
  {
    title: 'each malformed in its own way',
    body: [
      { id: 1, result: 'x' },
      { jsonrpc: '2.0', id: 2, result: 'x', error: null },
      { jsonrpc: '2.0', id: 3 },
    ],
    want: [
      '1: malformed-answer: the response does not have jsonrpc "2.0"',
      '2: malformed-answer: the response has both a result and an error',
      '3: malformed-answer: the response has neither a result nor an error',
    ],
  },
  {
    title: 'errors that are not error objects',
    body: [
      { jsonrpc: '2.0', id: 1, error: 'no' },
      { jsonrpc: '2.0', id: 2, error: { code: '-32600', message: 'no' } },
      { jsonrpc: '2.0', id: 3, error: { code: 1.5, message: 'no' } },
    ],
    want: [1, 2, 3].map(
      (id) => `${id}: malformed-answer: the error has no integer code and string message`,
    ),
  },
])('a batch of three answered $title', ({ body, want }) => {
  expect(matchesOf([1, 2, 3], body)).toEqual(want)
})

test.each<{ title: string; body: unknown; want: string }>([
  { title: 'its result', body: ok(7), want: '7: of 7' },
  { title: 'a result of null', body: ok(7, null), want: '7: null' },
  { title: 'its error', body: no(7), want: '7: -32600' },
  { title: 'an error without an id', body: no(null), want: '7: -32600' },
  { title: 'an error without an id, in an array', body: [no(null)], want: '7: -32600' },
  {
    title: 'the result of another id',
    body: ok(8),
    want: '7: unmatched-answer: no response has id 7 (seen: 8)',
  },
  {
    title: 'its id as a string',
    body: ok('7'),
    want: '7: unmatched-answer: no response has id 7 (seen: "7")',
  },
  {
    title: 'a result without an id',
    body: { jsonrpc: '2.0', result: 1 },
    want: '7: unmatched-answer: no response has id 7 (seen: none)',
  },
  {
    title: 'an array of its result',
    body: [ok(7)],
    want: '7: malformed-answer: the response to a single call is an array',
  },
  { title: 'null', body: null, want: '7: malformed-answer: the response is not an object' },
])('a call sent alone answered with $title', ({ body, want }) => {
  expect(matchesOf([7], body, 'single')).toEqual([want])
})

test('whatever is shuffled, dropped, doubled or foreign, nobody gets an answer of another', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 })
  const strange = fc.constantFrom(null, undefined, 0, -1, 99, '1', '2', 1.5, {}, [1], true)
  fc.assert(
    fc.property(
      ids,
      fc.array(fc.nat({ max: 39 }), { maxLength: 60 }),
      fc.array(strange, { maxLength: 5 }),
      fc.infiniteStream(fc.boolean()),
      (asked, picks, foreign, coins) => {
        const picked = picks.map((pick) => asked[pick % asked.length] as number)
        const flip = () => coins.next().value as boolean
        const answer = (id: unknown) => (flip() ? ok(id) : no(id, -32000, `of ${id}`))
        const answers = [...picked, ...foreign].map(answer).sort(() => (flip() ? 1 : -1))
        const matchOf = matchById(asked, answers, 'batch')
        const refusedAll = answers.every((one) => one.id == null && 'error' in one)
        for (const id of asked) {
          const outcome = matchOf(id)
          const times = picked.filter((one) => one === id).length
          if (outcome.kind === 'result') expect(outcome.value).toBe(`of ${id}`)
          else if (outcome.kind === 'rejected' && !(refusedAll && answers.length > 0)) {
            expect(outcome.error.message).toBe(`of ${id}`)
          }
          if (!refusedAll || answers.length === 0) {
            expect(outcome.kind === 'unusable').toBe(times !== 1)
          }
        }
      },
    ),
    { numRuns: 500 },
  )
})
