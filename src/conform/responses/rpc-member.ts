import type { RpcOperation } from '../../model/api.js'
import type { Complaint } from '../case.js'
import { ownName } from '../operation-name.js'
import { quoted } from '../report/quoted.js'
import type { Exchange } from '../wire/exchange.js'
import type { CheckContext } from './check-context.js'
import { isNotOffered, type RpcError } from './not-offered.js'
import type { RpcMember } from './read.js'
import type { RpcResponse } from './rpc-response.js'
import { checkValue } from './value.js'

/** What a documented method owes to a call of it: its result, or an error that it declares. */
export const judgeMember = (
  judging: CheckContext,
  exchange: Exchange,
  { member, answer }: { readonly member: RpcMember; readonly answer: RpcResponse },
): readonly Complaint[] => {
  const { operation } = member
  if (!operation) return []
  const { outcome, faults } = answer
  const isSuccess = (exchange.answer?.status ?? 0) < 400
  if (outcome.kind === 'result') {
    const { schema, source } = operation.result
    const complaints = checkValue(judging, exchange, {
      ...{ value: outcome.value, schema, operation, source },
      ...{ root: '/result', rule: 'result-invalid' as const },
    })
    const isLawful = [...complaints, ...faults].every(({ rule }) => HARMLESS.has(rule))
    if (isLawful && isSuccess) judging.cover('operation', ownName(operation))
    return complaints
  }
  if (outcome.kind === 'neither') return []
  const { code } = outcome
  const declared = [...new Set(operation.errors.map((error) => error.code))].sort((a, b) => a - b)
  const isDeclared = declared.includes(code)
  if (isDeclared) judging.cover('error code', `${ownName(operation)} ${code}`)
  if (isNotOffered(operation, outcome)) judging.notOffered(operation)
  else if (!isDeclared) return judgeCode(exchange, operation, outcome, declared)
  return []
}

/** An error that the method does not declare. */
const judgeCode = (
  exchange: Exchange,
  operation: RpcOperation,
  { code, message }: RpcError,
  declared: readonly number[],
): readonly Complaint[] => {
  const common = { exchange, operation, aspect: String(code) }
  // The method cannot do its work, as with 500 in HTTP.
  if (code === INTERNAL_ERROR) {
    const words = message === '' ? '' : `, ${quoted(message)}`
    return [
      {
        ...common,
        rule: 'method-fails',
        message: `the method fails: error ${code}${words}, which it does not declare`,
        due: 'a result, or an error that the method declares',
      },
    ]
  }
  if (code >= -32768 && code <= -32000) return []
  return [
    {
      ...common,
      rule: 'error-code-is-undeclared',
      message: `it responds with the error ${code}, which it does not declare`,
      due: `${declared.length === 0 ? '' : `${declared.join(', ')}, or `}a code that JSON-RPC reserves`,
    },
  ]
}

/** JSON-RPC 2.0, 5.1. */
const INTERNAL_ERROR = -32603

const HARMLESS = new Set([
  'response-property-undeclared',
  'response-member-undeclared',
  'format-invalid',
])
