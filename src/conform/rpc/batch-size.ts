import type { Case, Session } from '../case.js'
import { ruleRows } from '../rule.js'
import { callText, postRpc } from '../wire/write-rpc.js'
import { answers, type Due } from './due.js'
import { describeReply, hasResult, type Reply, readReply } from './reply.js'
import { withGeneral } from './row.js'
import type { Subject } from './subject.js'
import { caseWith } from './with-subject.js'

/** How many requests one body may hold. */
export const BATCH_SIZE_RULES = ruleRows([
  {
    id: 'valid-batch-rejected',
    level: 'error',
    purpose: 'A batch of as many calls as the documents allow is answered in full.',
    clause: 'x-limits, batchSize; JSON-RPC 2.0, 6',
    checks: ['J83'],
  },
  {
    id: 'oversized-batch-accepted',
    level: 'error',
    purpose:
      'A batch with more members than the documents allow is rejected as a whole, by one error.',
    clause: 'x-limits, batchSize',
    checks: ['J84', 'J85'],
  },
])

/** The cases that stand on the batch size that the documents declare. */
export const batchSizeCases = (limit: number): readonly Case[] => [
  caseWith(`a batch of ${limit}`, limit, async (session, subject) => {
    const due = answers(...ids(limit).map((id) => ({ id })))
    const exchange = await session.probe(
      postRpc(session.target, batch(ids(limit).map((id) => subject.call(id)))),
      { cost: limit },
    )
    return complain(session, 'valid-batch-rejected', `a batch of ${limit}`, due, exchange)
  }),
  caseWith(`a batch of ${limit + 1}`, 3 * (limit + 1), async (session, subject) => {
    const cost = limit + 1
    const send = (members: readonly string[]) =>
      session.probe(postRpc(session.target, batch(members)), { cost })
    const exchange = await send(ids(cost).map((id) => subject.call(id)))
    const reply = readReply(exchange)
    if (!isRefusal(reply))
      return complain(
        session,
        'oversized-batch-accepted',
        `a batch of ${cost}`,
        WHOLE_REFUSAL,
        exchange,
      )
    const shape = reply.kind === 'many' ? 'an array of one' : 'one object'
    session.observe('refusal of a large batch', shape, exchange)
    const mixed = await send([...ids(limit).map((id) => subject.call(id)), subject.call(null)])
    const counts = isRefusal(readReply(mixed)) ? 'each member' : 'calls alone'
    session.observe('limit of a batch counts', counts, mixed)
    const silent = await send(ids(cost).map(() => subject.call(null)))
    const { kind } = readReply(silent)
    const way = isRefusal(readReply(silent)) ? 'refused' : kind === 'empty' ? 'nothing' : 'answered'
    session.observe('too many notifications in a batch', way, silent)
    return [exchange, mixed, silent].flatMap(session.judge)
  }),
  caseWith(`a batch of ${limit} with large answers`, limit + 1, async (session, subject) => {
    const method = await largest(session, subject)
    const call = (id: string) =>
      method === subject.method ? subject.call(id) : callText(method, [], id)
    const exchange = await session.probe(postRpc(session.target, batch(ids(limit).map(call))), {
      cost: limit,
      milliseconds: 60_000,
    })
    // A bound may be told of the whole; a gap and a text that breaks off are told of every answer.
    return isRefusal(readReply(exchange)) ? [] : session.judge(exchange)
  }),
]

const ids = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index + 1))

const batch = (members: readonly string[]): string => `[${members.join(',')}]`

/** One error, bare or in an array of its own: the documents leave the shape open. */
const isRefusal = (reply: Reply): boolean => {
  if (reply.kind === 'one') return reply.answer.code !== undefined
  return reply.kind === 'many' && reply.answers.length === 1 && reply.answers[0]?.code !== undefined
}

const WHOLE_REFUSAL: Due = {
  words: 'one error object, or an array of one',
  fault: (reply) => (isRefusal(reply) ? undefined : `brought ${describeReply(reply)}`),
  needsResult: true,
}

/** The whole document where a server hands it out: nothing that is known to be there is as large. */
const largest = async (session: Session, { method }: Subject): Promise<string> => {
  const exchange = await session.probe(postRpc(session.target, callText('rpc.discover', [])))
  return hasResult(readReply(exchange)) ? 'rpc.discover' : method
}

const complain = (
  session: Session,
  rule: (typeof BATCH_SIZE_RULES)[number]['id'],
  what: string,
  { words, fault }: Due,
  exchange: Parameters<Due['fault']>[1],
) => {
  const found = fault(readReply(exchange), exchange)
  const own =
    found === undefined ? [] : [{ rule, message: `${what} ${found}`, due: words, exchange }]
  return withGeneral(session.judge(exchange), own)
}
