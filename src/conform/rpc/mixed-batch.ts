import { isDeepStrictEqual } from 'node:util'
import { type Case, NotTested, type Session } from '../case.js'
import { quoted } from '../report/shown.js'
import type { Rule } from '../rule.js'
import { callText, postRpc } from '../wire/write-request.js'
import { type RpcResponse, readReply } from './reply.js'
import { type Harmless, harmless } from './subject.js'

/** Rules of a batch of different methods: each result belongs to the request with its id. */
export const SWAPPED_RULES: readonly Rule[] = [
  {
    id: 'batch-results-swapped',
    level: 'error',
    purpose: 'The result that bears the id of a call is the result of that call.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J79', 'J80'],
  },
]

/** A swap is seen where the same calls sent alone, before and after, have results that stay and that differ. */
export const swappedCase = (most: number): Case => {
  const size = Math.min(most, 8)
  const name = 'JSON-RPC, a batch of different methods'
  return { name, cost: 3 * size, run: (session) => run(session, size) }
}

const run = async (session: Session, size: number): Promise<void> => {
  const methods = harmless(session.api).slice(0, size)
  const before = await resultsAlone(session, methods)
  const texts = methods.map(({ method, params }, at) => callText(method, params, String(at + 1)))
  const body = `[${texts.join(',')}]`
  const exchange = await session.ask(postRpc(session.target, body), { cost: methods.length })
  const after = await resultsAlone(session, methods)
  const steady = methods.flatMap(({ method }, at) => {
    const result = before[at]
    const isSteady = result !== undefined && isDeepStrictEqual(result, after[at])
    return isSteady ? [{ method, id: String(at + 1), result }] : []
  })
  if (steady.every(({ result }) => isDeepStrictEqual(result, steady[0]?.result)))
    throw new NotTested('the methods that only read have no two results to tell apart')
  const reply = readReply(exchange)
  const answers = reply.kind === 'many' ? reply.answers : []
  for (const { method, id, result } of steady) {
    const [answer, another] = answers.filter((one) => one.id === id)
    if (!answer?.result || another || isDeepStrictEqual(answer.result, result)) continue
    const owner = steady.find((other) => isDeepStrictEqual(other.result, answer.result))
    if (owner)
      session.report('batch-results-swapped', exchange, {
        message: `the id ${id} of ${method} came with the result of ${owner.method}`,
        expected: quoted(JSON.stringify(result.value)),
      })
  }
}

const resultsAlone = async (session: Session, methods: readonly Harmless[]) => {
  const results: RpcResponse['result'][] = []
  for (const { method, params } of methods) {
    const reply = readReply(await session.probe(postRpc(session.target, callText(method, params))))
    results.push(reply.kind === 'one' ? reply.answer.result : undefined)
  }
  return results
}
