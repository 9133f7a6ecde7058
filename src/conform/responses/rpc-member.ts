import type { RpcOperation } from '../../model/api.js'
import type { ResponseCheck } from '../case.js'
import { ownName } from '../operations.js'
import { quoted } from '../report/shown.js'
import type { Rule } from '../rule.js'
import { isNotOffered, type RpcError } from './not-offered.js'
import type { RpcMember } from './read.js'
import type { RpcResponse } from './rpc-response.js'
import { checkValue } from './value.js'

/** Results and errors of a documented method. */
export const RPC_MEMBER_RULES: readonly Rule[] = [
  {
    id: 'error-code-is-undeclared',
    level: 'warning',
    purpose:
      'A method rejects with the codes that it declares, or with those that JSON-RPC reserves.',
    clause: 'OpenRPC, Method Object, errors',
    checks: ['J62', 'J65'],
  },
  {
    id: 'method-fails',
    level: 'error',
    purpose:
      'No documented call makes a method fail with -32603, unless the method declares that code.',
    clause: 'JSON-RPC 2.0, 5.1; OpenRPC, Method Object, errors',
    checks: ['J14', 'J65'],
  },
  {
    id: 'result-invalid',
    level: 'error',
    purpose:
      'A result matches the schema that the document declares for it; further properties are reported apart.',
    clause: 'OpenRPC, Method Object, result',
    checks: ['J64'],
  },
]

/** What a documented method owes to a call of it: its result, or an error that it declares. */
export const checkMember = (
  check: ResponseCheck,
  { member, answer }: { readonly member: RpcMember; readonly answer: RpcResponse },
): void => {
  const { operation } = member
  if (!operation) return
  const { outcome, faults } = answer
  if (outcome.kind === 'result') {
    const { schema, source } = operation.result
    const before = check.found.length
    checkValue(check, {
      ...{ value: outcome.value, schema, operation, source },
      ...{ root: '/result', rule: 'result-invalid' },
    })
    const all = [...check.found.slice(before), ...faults]
    if (all.every(({ rule }) => HARMLESS.has(rule)) && (check.exchange.answer?.status ?? 0) < 400)
      check.cover('operation', ownName(operation))
  }
  if (outcome.kind !== 'error') return
  const { code } = outcome
  const declared = [...new Set(operation.errors.map((error) => error.code))].sort((a, b) => a - b)
  if (declared.includes(code)) check.cover('error code', `${ownName(operation)} ${code}`)
  if (isNotOffered(operation, outcome)) check.notOffered(operation)
  else if (!declared.includes(code)) checkErrorCode(check, operation, outcome, declared)
}

/** An error that the method does not declare. */
const checkErrorCode = (
  { report }: ResponseCheck,
  operation: RpcOperation,
  { code, message }: RpcError,
  declared: readonly number[],
): void => {
  const about = { operation, aspect: String(code) }
  // The method cannot do its work, as with 500 in HTTP.
  if (code === INTERNAL_ERROR) {
    const words = message === '' ? '' : `, ${quoted(message)}`
    const what = `the method fails: error ${code}${words}, which it does not declare`
    report('method-fails', what, 'a result, or an error that the method declares', about)
  } else if (code < -32768 || code > -32000) {
    const codes = declared.length === 0 ? '' : `${declared.join(', ')}, or `
    const what = `it responds with the error ${code}, which it does not declare`
    report('error-code-is-undeclared', what, `${codes}a code that JSON-RPC reserves`, about)
  }
}

/** JSON-RPC 2.0, 5.1. */
const INTERNAL_ERROR = -32603

const HARMLESS = new Set([
  'response-property-undeclared',
  'response-member-undeclared',
  'format-invalid',
])
