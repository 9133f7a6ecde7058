import type { ClientSettings } from '../client-options.js'
import { parseExactly, roundedIn } from '../shared/exact-integers.js'
import { issuesOf } from '../shared/issues.js'
import type { ParsedJson } from '../shared/json.js'
import { redactValue } from '../shared/redact-value.js'
import type { PendingCall } from './call.js'
import { callError, type Packaging, type Reply, readResponses } from './match.js'

/**
 * What a valid result becomes whose text has integers beyond 2^53 - 1, by the index of its call: the same with bigints on
 * request. Else it is returned as it is; what was rounded is reported, and rejects the call by the strict reading.
 */
export const readExactResults = (
  calls: readonly PendingCall[],
  packaging: Packaging,
  reply: Reply,
  { options, validate }: ClientSettings,
): readonly ((value: unknown) => Promise<unknown>)[] => {
  const outcomes = readResponses(calls, packaging, reply, parse)
  return calls.map((call, index) => async (value: unknown) => {
    const outcome = outcomes[index]
    if (outcome?.kind !== 'result') return value
    if (options.integers === 'bigint') return outcome.value
    const faults = validate.response === 'off' ? [] : roundedIn(outcome.value)
    if (faults.length === 0) return value
    const issues = redactValue(faults, reply.redact())
    const message = 'the result has integers that a number cannot hold'
    if (validate.response === 'strict')
      throw callError(call, 'invalid-answer', `: ${message}`, { issues })
    const { method } = call.method.operation
    await options.onWarning?.({ operation: method, message, issues: issuesOf(issues) })
    return value
  })
}

const parse = (text: string): ParsedJson => {
  try {
    return { value: parseExactly(text) }
  } catch (cause) {
    return { cause }
  }
}
