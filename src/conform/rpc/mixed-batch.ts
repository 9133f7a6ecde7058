import { isDeepStrictEqual } from 'node:util'
import type { Case, Complaint, Session } from '../case.js'
import { quoted } from '../report/shown.js'
import { parseJson } from '../responses/read.js'
import { ruleRows } from '../rule.js'
import { type Exchange, textOf } from '../wire/exchange.js'
import { callText, postRpc } from '../wire/write-request.js'
import { type Harmless, harmless } from './subject.js'

/** Rules of a batch of different methods: each result belongs to the request with its id. */
export const SWAPPED_RULES = ruleRows([
  {
    id: 'batch-results-swapped',
    level: 'error',
    purpose: 'The result that bears the id of a call is the result of that call.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J79', 'J80'],
  },
])

const NAME = 'JSON-RPC, a batch of different methods'

/** A swap is seen where the same calls sent alone, before and after, have results that stay and that differ. */
export const swappedCase = (most: number): Case => {
  const size = Math.min(most, 8)
  return { name: NAME, cost: 3 * size, weight: 'protocol', run: (session) => run(session, size) }
}

const run = async (session: Session, size: number): Promise<readonly Complaint[]> => {
  const methods = harmless(session.api).slice(0, size)
  const before = await resultsAlone(session, methods)
  const texts = methods.map(({ method, params }, at) => callText(method, params, String(at + 1)))
  const body = `[${texts.join(',')}]`
  const exchange = await session.ask(postRpc(session.target, body), { cost: methods.length })
  const after = await resultsAlone(session, methods)
  const steady = methods.flatMap(({ method }, at) => {
    const result = before[at]
    const isSteady = result !== undefined && isDeepStrictEqual(result, after[at])
    return isSteady ? [{ method, id: at + 1, result }] : []
  })
  if (steady.length < 2 || steady.every(({ result }) => isSame(result, steady[0]?.result))) {
    session.skip(NAME, 'the methods that only read have no two results to tell apart')
    return []
  }
  const answers = batchOf(exchange)
  return steady.flatMap(({ method, id, result }): readonly Complaint[] => {
    const received = answers.filter((one) => one.id === id)
    const [answer] = received
    if (!answer || received.length > 1 || answer.result === undefined) return []
    if (isSame(answer.result, result)) return []
    const owner = steady.find((other) => isSame(other.result, answer.result))
    if (!owner) return []
    const message = `the id ${id} of ${method} came with the result of ${owner.method}`
    const expected = quoted(JSON.stringify(result))
    return [{ rule: 'batch-results-swapped', message, expected, exchange }]
  })
}

const resultsAlone = async (session: Session, methods: readonly Harmless[]): Promise<unknown[]> => {
  const results: unknown[] = []
  for (const { method, params } of methods) {
    const exchange = await session.probe(postRpc(session.target, callText(method, params)))
    results.push(answerIn(bodyOf(exchange))?.result)
  }
  return results
}

const batchOf = (exchange: Exchange) => {
  const value = bodyOf(exchange)
  return Array.isArray(value) ? value.flatMap((one) => answerIn(one) ?? []) : []
}

const bodyOf = ({ answer }: Exchange): unknown => parseJson(textOf(answer?.body))?.value

const answerIn = (
  value: unknown,
): { readonly id?: unknown; readonly result?: unknown } | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined

const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other)
