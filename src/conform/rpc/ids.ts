import { answered, anyOfExpectations, errorWith, status } from './expectation.js'
import type { Row } from './row.js'
import type { RpcSubject } from './subject.js'

const withId = (id: string) => (on: RpcSubject) => on.call(id)

const echoed = (id: string, title = `the id ${id}`) => ({
  title,
  body: withId(id),
  expected: answered(id),
})

/** The id is echoed, or the request is rejected. */
const chosen = (id: string, choice: string) => ({
  title: `the id ${id}`,
  body: withId(id),
  expected: anyOfExpectations(answered(id), errorWith(-32600)),
  choice,
})

const LONG = JSON.stringify('x'.repeat(65_536))

/** Rules for ids: an id is returned as it was sent. */
export const IDS: readonly Row[] = [
  {
    id: 'valid-id-rejected',
    level: 'error',
    purpose: 'Any string and any integer is a valid id, and is returned as it was sent.',
    clause: 'JSON-RPC 2.0, 4 and 5',
    checks: ['J31', 'J32', 'J33', 'J34', 'J35'],
    attempts: [
      ...['"abc-☃"', '"1"', '0', '""', '-7'].map((id) => echoed(id)),
      echoed('"a\\"b\\\\c\\u0000"', 'an id of quotes, backslashes and a zero byte'),
    ],
  },
  {
    id: 'null-id-dropped',
    level: 'error',
    purpose: 'A request with the id null is not a notification: it gets a response or is rejected.',
    clause: 'JSON-RPC 2.0, 4, note 1',
    checks: ['J36'],
    attempts: [chosen('null', 'null id')],
  },
  {
    id: 'numeric-id-altered',
    level: 'error',
    purpose: 'A numeric id in another notation is returned with the same value, or is rejected.',
    clause: 'JSON-RPC 2.0, 4, note 2, and 5',
    checks: ['J37', 'J39'],
    attempts: [
      chosen('1.5', 'fractional id'),
      chosen('1e2', 'id with an exponent'),
      { ...chosen(`1${'0'.repeat(30)}`, 'huge id'), title: 'the id 10^30' },
    ],
  },
  {
    id: 'long-number-id-rounded',
    level: 'warning',
    purpose: 'An id above 2^53 is returned with all its digits.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J38'],
    attempts: [
      {
        title: 'the id 9007199254740993',
        body: withId('9007199254740993'),
        expected: anyOfExpectations(answered('9007199254740993'), errorWith(-32600)),
      },
    ],
  },
  {
    id: 'invalid-id-accepted',
    level: 'error',
    purpose: 'An id is a string, a number or null.',
    clause: 'JSON-RPC 2.0, 4',
    checks: ['J40'],
    attempts: ['{}', '[]', 'true'].map((id) => ({
      title: `the id ${id}`,
      body: withId(id),
      expected: errorWith(-32600),
      // The rules about ids do not apply to a value that is not an id.
      isRaw: true as const,
      choice: id === 'true' ? 'boolean id' : 'structured id',
    })),
  },
  {
    id: 'long-id-truncated',
    level: 'warning',
    purpose: 'A long id is returned in full, or rejected.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J41'],
    attempts: [
      {
        title: 'an id of 65,536 characters',
        body: withId(LONG),
        expected: anyOfExpectations(answered(LONG), errorWith(-32600), status(413)),
      },
    ],
  },
]
