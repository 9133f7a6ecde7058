import { isDeepStrictEqual } from 'node:util'
import { jsonOf } from '../../text/json-text.js'
import type { Exchange } from '../../traffic/exchange.js'
import { type Case, NotTested, type Session } from '../case.js'
import { quoted } from '../report/shown.js'
import type { ResponseObject } from '../responses/rpc-response.js'
import type { Rule } from '../rule.js'
import { callText, postRpc } from '../wire/write-request.js'
import {
  answers,
  anyOfExpectations,
  type Expectation,
  errorWith,
  type MemberExpectation,
} from './expectation.js'
import {
  describeResponse,
  hasResult,
  type JsonRpcResponse,
  readJsonRpcResponse,
  statusWay,
} from './json-rpc-response.js'
import { type Row, reportGeneral } from './row.js'
import { caseWith, type Harmless, harmless, type RpcSubject } from './subject.js'

const INVALID: MemberExpectation = { id: 'null', codes: [-32600] }

const batch = (...members: readonly string[]): string => `[${members.join(',')}]`

const results = (...ids: readonly string[]): readonly MemberExpectation[] =>
  ids.map((id) => ({ id }))

const calls =
  (...ids: readonly string[]) =>
  (on: RpcSubject): string =>
    batch(...ids.map((id) => on.call(id)))

const ids = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index + 1))

const TEN = ids(10)

/** Many requests in one body. A batch that is longer than the documents allow is not sent here. */
export const BATCHES: readonly Row[] = [
  {
    id: 'empty-batch-accepted',
    level: 'error',
    purpose:
      'An empty batch is one invalid request: the response is a single error object, not an array.',
    clause: 'JSON-RPC 2.0, 6 and 7',
    checks: ['J75', 'J92'],
    attempts: [
      {
        title: 'an empty batch',
        body: () => '[]',
        expected: errorWith(-32600),
        choice: 'status of error -32600',
        way: statusWay(-32600),
        times: 2,
      },
    ],
  },
  {
    id: 'invalid-batch-member-accepted',
    level: 'error',
    purpose: 'Each invalid member of a batch gets its own error.',
    clause: 'JSON-RPC 2.0, 6 and 7',
    checks: ['J76', 'J86'],
    attempts: [
      { title: 'the batch [1]', body: () => '[1]', expected: answers(INVALID) },
      { title: 'the batch [null]', body: () => '[null]', expected: answers(INVALID) },
      {
        title: 'the batch [1,2,3]',
        body: () => '[1,2,3]',
        expected: answers(INVALID, INVALID, INVALID),
        cost: 3,
      },
      {
        title: 'a batch in a batch',
        body: (on) => batch(batch(on.call())),
        expected: answers(INVALID),
      },
    ],
  },
  {
    id: 'mixed-batch-mishandled',
    level: 'error',
    purpose:
      'In a batch, each call gets its own response, notifications get none, and an error affects no other call.',
    clause: 'JSON-RPC 2.0, 6 and 7',
    checks: ['J77', 'J87'],
    attempts: [
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
        expected: answers({ id: '"1"' }, INVALID, { id: '"5"', codes: [-32601] }, { id: '"9"' }),
        cost: 5,
      },
      {
        title: 'a batch in which one call fails',
        body: (on) => batch(on.call('1'), callText(on.unknown, [], '2'), on.call('3')),
        expected: answers({ id: '1' }, { id: '2', codes: [-32601] }, { id: '3' }),
        cost: 3,
      },
    ],
  },
  {
    id: 'batch-responses-incomplete',
    level: 'error',
    purpose:
      'Each call of a batch has exactly one response with its id, in any order, and there are no others.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J79', 'J80', 'J82'],
    attempts: [
      {
        title: 'a batch of ten',
        body: calls(...TEN),
        expected: answers(...results(...TEN)),
        cost: 10,
      },
      { title: 'a batch of one', body: calls('7'), expected: answers({ id: '7' }) },
      {
        title: 'a batch with the ids 1 and "1"',
        body: calls('1', '"1"'),
        expected: answers(...results('1', '"1"')),
        cost: 2,
      },
    ],
  },
  {
    id: 'duplicate-ids-in-batch',
    level: 'error',
    purpose: 'Two calls with the same id get two responses, or the batch is rejected.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J81'],
    attempts: [
      {
        title: 'a batch with the id 1 twice',
        body: calls('1', '1'),
        expected: anyOfExpectations(
          answers(...results('1', '1')),
          answers({ id: '1' }, { id: '1', codes: [-32600] }),
          answers({ id: '1', codes: [-32600] }, { id: '1', codes: [-32600] }),
          errorWith(-32600),
        ),
        choice: 'equal ids in a batch',
        way: (response) =>
          response.kind === 'many' &&
          response.objects.every(({ outcome }) => outcome.kind === 'result')
            ? 'both answered'
            : 'rejected',
        cost: 2,
      },
    ],
  },
]

/** Rules for batches of different methods and for the size of a batch. */
export const BATCH_RULES: readonly Rule[] = [
  {
    id: 'batch-results-swapped',
    level: 'error',
    purpose: 'The result with the id of a call is the result of that call.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J79', 'J80'],
  },
  {
    id: 'valid-batch-rejected',
    level: 'error',
    purpose: 'A batch with as many calls as the documents allow gets a complete response.',
    clause: 'x-limits, batchSize; JSON-RPC 2.0, 6',
    checks: ['J83'],
  },
  {
    id: 'oversized-batch-accepted',
    level: 'error',
    purpose:
      'A batch with more members than the documents allow is rejected as a whole: with one error, or one for each call.',
    clause: 'x-limits, batchSize',
    checks: ['J84', 'J85'],
  },
]

const shapeOf = (response: JsonRpcResponse): string => {
  if (response.kind !== 'many') return 'one object'
  return response.objects.length === 1 ? 'an array of one' : 'an error for each call'
}

/** The cases for the batch size that the documents declare. */
export const batchSizeCases = (limit: number): readonly Case[] => [
  caseWith(`a batch of ${limit}`, limit, async (session, subject) => {
    const expected = answers(...results(...ids(limit)))
    const sent = postRpc(session.target, calls(...ids(limit))(subject))
    const exchange = await session.probe(sent, { cost: limit })
    reportUnmet(session, 'valid-batch-rejected', `a batch of ${limit}`, expected, exchange)
  }),
  caseWith(`a batch of ${limit + 1}`, 3 * (limit + 1), async (session, subject) => {
    const cost = limit + 1
    const send = (members: readonly string[]) =>
      session.probe(postRpc(session.target, batch(...members)), { cost })
    const exchange = await send(ids(cost).map((id) => subject.call(id)))
    const response = readJsonRpcResponse(exchange)
    if (!isRejection(response)) {
      const title = `a batch of ${cost}`
      return reportUnmet(session, 'oversized-batch-accepted', title, WHOLE_REJECTION, exchange)
    }
    session.observe('rejection of a large batch', shapeOf(response), exchange)
    const mixed = await send([...ids(limit).map((id) => subject.call(id)), subject.call(null)])
    const counts = isRejection(readJsonRpcResponse(mixed)) ? 'each member' : 'calls alone'
    session.observe('limit of a batch counts', counts, mixed)
    const silent = await send(ids(cost).map(() => subject.call(null)))
    const last = readJsonRpcResponse(silent)
    const way = isRejection(last) ? 'rejected' : last.kind === 'empty' ? 'nothing' : 'answered'
    session.observe('too many notifications in a batch', way, silent)
    session.reportAll([exchange, mixed, silent].flatMap(session.check))
  }),
  caseWith(`a batch of ${limit} with large answers`, limit + 1, async (session, subject) => {
    // Uses the whole document if the server returns it: no other known result is as large.
    const discover = callText('rpc.discover', [])
    const isThere = hasResult(
      readJsonRpcResponse(await session.probe(postRpc(session.target, discover))),
    )
    const call = (id: string) => (isThere ? callText('rpc.discover', [], id) : subject.call(id))
    const exchange = await session.probe(postRpc(session.target, batch(...ids(limit).map(call))), {
      cost: limit,
      milliseconds: 60_000,
    })
    // One error may reject the whole batch; gaps and truncated texts are reported by the checks of every response.
    if (!isRejection(readJsonRpcResponse(exchange))) session.reportAll(session.check(exchange))
  }),
]

/** Errors alone: one, or one for each call. The documents leave the shape open. */
const isRejection = (response: JsonRpcResponse): boolean => {
  if (response.kind === 'one') return isError(response.object)
  if (response.kind !== 'many' || response.objects.length === 0) return false
  return response.objects.every(isError)
}

const isError = ({ outcome }: ResponseObject): boolean =>
  outcome.kind === 'error' || outcome.kind === 'invalid error'

const WHOLE_REJECTION: Expectation = {
  words: 'one error object, or an array of errors',
  fault: (response) => (isRejection(response) ? undefined : `got ${describeResponse(response)}`),
  needsResult: true,
}

const reportUnmet = (
  session: Session,
  rule: string,
  what: string,
  { words, fault }: Expectation,
  exchange: Exchange,
): void => {
  const found = fault(readJsonRpcResponse(exchange), exchange)
  if (reportGeneral(session, session.check(exchange)) && found !== undefined)
    session.report(rule, exchange, { message: `${what} ${found}`, expected: words })
}

/**
 * Detects swapped results: the same calls are sent alone before and after. Results that are stable and different are compared.
 */
export const swappedCase = (most: number): Case => {
  const size = Math.min(most, 8)
  const name = 'JSON-RPC, a batch of different methods'
  return { name, cost: 3 * size, run: (session) => run(session, size) }
}

const run = async (session: Session, size: number): Promise<void> => {
  const methods = harmless(session.api).slice(0, size)
  const before = await resultsAlone(session, methods)
  const texts = methods.map(({ method, params }, at) => callText(method, params, String(at + 1)))
  const sent = postRpc(session.target, batch(...texts))
  const exchange = await session.ask(sent, { cost: methods.length })
  const after = await resultsAlone(session, methods)
  const steady = methods.flatMap(({ method }, at) => {
    const result = before[at]
    const isSteady = result !== undefined && isDeepStrictEqual(result, after[at])
    return isSteady ? [{ method, id: String(at + 1), result }] : []
  })
  if (steady.every(({ result }) => isDeepStrictEqual(result, steady[0]?.result)))
    throw new NotTested('no two read-only methods have different results')
  const response = readJsonRpcResponse(exchange)
  for (const { method, id, result } of steady) {
    if (response.kind !== 'many') break
    const [answer, another] = response.objects.filter((one) => one.id === id)
    const received = answer && resultOf(answer)
    if (!received || another || isDeepStrictEqual(received, result)) continue
    const owner = steady.find((other) => isDeepStrictEqual(other.result, received))
    if (owner)
      session.report('batch-results-swapped', exchange, {
        message: `the response with the id ${id} of ${method} has the result of ${owner.method}`,
        expected: quoted(jsonOf(result.value)),
      })
  }
}

const resultsAlone = async (session: Session, methods: readonly Harmless[]) => {
  const results: ReturnType<typeof resultOf>[] = []
  for (const { method, params } of methods) {
    const response = readJsonRpcResponse(
      await session.probe(postRpc(session.target, callText(method, params))),
    )
    results.push(response.kind === 'one' ? resultOf(response.object) : undefined)
  }
  return results
}

const resultOf = ({ outcome }: ResponseObject) => (outcome.kind === 'result' ? outcome : undefined)
