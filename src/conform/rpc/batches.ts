import { callText } from '../wire/write-rpc.js'
import { answers, type MemberDue, oneOf, refused } from './due.js'
import { statusWay } from './reply.js'
import type { Row } from './row.js'
import type { Subject } from './subject.js'

const INVALID: MemberDue = { id: 'null', codes: [-32600] }

const batch = (...members: readonly string[]): string => `[${members.join(',')}]`

const results = (...ids: readonly string[]): readonly MemberDue[] => ids.map((id) => ({ id }))

const calls =
  (...ids: readonly string[]) =>
  (on: Subject): string =>
    batch(...ids.map((id) => on.call(id)))

const TEN = Array.from({ length: 10 }, (_, index) => String(index + 1))

/** Many requests in one body. A batch that is longer than the documents allow is not tried here. */
export const BATCHES: readonly Row[] = [
  {
    id: 'empty-batch-accepted',
    level: 'error',
    purpose: 'An empty batch is one invalid request: one error object, no array.',
    clause: 'JSON-RPC 2.0, 6 and 7',
    checks: ['J75', 'J92'],
    tries: [
      {
        title: 'an empty batch',
        body: () => '[]',
        due: refused(-32600),
        choice: 'status of error -32600',
        way: statusWay(-32600),
        times: 2,
      },
    ],
  },
  {
    id: 'invalid-batch-member-accepted',
    level: 'error',
    purpose: 'Each member of a batch that is no request is answered with an error of its own.',
    clause: 'JSON-RPC 2.0, 6 and 7',
    checks: ['J76', 'J86'],
    tries: [
      { title: 'the batch [1]', body: () => '[1]', due: answers(INVALID) },
      {
        title: 'the batch [1,2,3]',
        body: () => '[1,2,3]',
        due: answers(INVALID, INVALID, INVALID),
        cost: 3,
      },
      { title: 'a batch in a batch', body: (on) => batch(batch(on.call())), due: answers(INVALID) },
    ],
  },
  {
    id: 'mixed-batch-mishandled',
    level: 'error',
    purpose:
      'In a batch each call is answered for itself, a notification is not, and no fault spreads.',
    clause: 'JSON-RPC 2.0, 6 and 7',
    checks: ['J77', 'J87'],
    tries: [
      {
        title: 'a batch of all kinds',
        body: (on) =>
          batch(
            on.call('"1"'),
            on.call(null),
            '{"foo":"boo"}',
            callText(on.unknown, [], '"5"'),
            on.call('"9"'),
          ),
        due: answers({ id: '"1"' }, INVALID, { id: '"5"', codes: [-32601] }, { id: '"9"' }),
        cost: 5,
      },
      {
        title: 'a batch in which one call fails',
        body: (on) => batch(on.call('1'), callText(on.unknown, [], '2'), on.call('3')),
        due: answers({ id: '1' }, { id: '2', codes: [-32601] }, { id: '3' }),
        cost: 3,
      },
    ],
  },
  {
    id: 'batch-responses-incomplete',
    level: 'error',
    purpose:
      'Each call of a batch has one answer with its id, in any order, and there is none more.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J79', 'J80', 'J82'],
    tries: [
      { title: 'a batch of ten', body: calls(...TEN), due: answers(...results(...TEN)), cost: 10 },
      { title: 'a batch of one', body: calls('7'), due: answers({ id: '7' }) },
      {
        title: 'a batch with the ids 1 and "1"',
        body: calls('1', '"1"'),
        due: answers(...results('1', '"1"')),
        cost: 2,
      },
    ],
  },
  {
    id: 'duplicate-ids-in-batch',
    level: 'error',
    purpose: 'Two calls with the same id have two answers, or the batch is rejected.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J81'],
    tries: [
      {
        title: 'a batch with the id 1 twice',
        body: calls('1', '1'),
        due: oneOf(
          answers(...results('1', '1')),
          answers({ id: '1' }, { id: '1', codes: [-32600] }),
          answers({ id: '1', codes: [-32600] }, { id: '1', codes: [-32600] }),
          refused(-32600),
        ),
        choice: 'equal ids in a batch',
        way: (reply) =>
          reply.kind === 'many' && reply.answers.every(({ result }) => result)
            ? 'both answered'
            : 'refused',
        cost: 2,
      },
    ],
  },
]
