import type { Complaint } from '../case.js'
import { NOT_OFFERED, ownName } from '../own-name.js'
import type { Exchange } from '../wire/exchange.js'
import type { Judging } from './judge.js'
import type { RpcMember } from './read.js'
import type { RpcAnswer } from './rpc-answer.js'
import { judgeValue } from './value.js'

/** What a documented method owes to a call of it: its result, or an error that it declares. */
export const judgeMember = (
  judging: Judging,
  exchange: Exchange,
  { member, answer }: { readonly member: RpcMember; readonly answer: RpcAnswer },
): readonly Complaint[] => {
  const { operation } = member
  if (!operation) return []
  const { outcome, faults } = answer
  if (outcome.kind === 'result') {
    const { schema, source } = operation.result
    const complaints = judgeValue(judging, exchange, {
      ...{ value: outcome.value, schema, operation, source },
      ...{ root: '/result', rule: 'result-breaks-its-schema' as const },
    })
    const isLawful = [...complaints, ...faults].every(({ rule }) => HARMLESS.has(rule))
    if (isLawful) judging.cover('operation', ownName(operation))
    return complaints
  }
  if (outcome.kind === 'neither') return []
  const { code } = outcome
  if (operation.errors.some((error) => error.code === code)) {
    judging.cover('error code', `${ownName(operation)} ${code}`)
    if (code === NOT_FOUND) judging.skip(ownName(operation), NOT_OFFERED)
    return []
  }
  if (code >= -32768 && code <= -32000) return []
  const declared = [...new Set(operation.errors.map((error) => error.code))].sort((a, b) => a - b)
  return [
    {
      rule: 'error-code-is-undeclared',
      message: `it refuses with the code ${code}, which it does not declare`,
      due: `${declared.length === 0 ? '' : `${declared.join(', ')}, or `}a code that JSON-RPC reserves`,
      exchange,
      operation,
      aspect: String(code),
    },
  ]
}

const NOT_FOUND = -32601

const HARMLESS = new Set([
  'answer-has-an-undeclared-property',
  'answer-has-an-undeclared-member',
  'format-is-not-kept',
])
