import { issuesOf, type Warning } from '../shared/issues.js'
import type { Why } from '../shared/load-explanations.js'
import type { Redact } from '../shared/redact.js'
import { redactCause } from '../shared/redact-value.js'
import type { Explanation } from './explain.js'
import { type PendingCall, settle } from './pending-call.js'
import { callError } from './response.js'

/** What explains an invalid value is loaded when there is one, since most clients never need it. */
const loadExplain = () => import('./explain.js')

type ResultContext = {
  readonly why: Why | undefined
  readonly reading: 'tolerant' | 'strict'
  readonly onWarning: ((warning: Warning) => unknown) | undefined
}

/** Ends a call whose result is invalid: resolves it with a warning where the tolerant reading accepts the result. */
export const rejectResult = async (
  context: ResultContext,
  call: PendingCall,
  value: unknown,
  redact: Redact,
): Promise<void> => {
  const explain = await loadExplain().catch(unloaded('the result does not fit the document'))
  if ('message' in explain) return rejectInvalid(call, 'invalid-answer', ': ', explain)
  try {
    const found = await explain.explainResult(call.method, value, redact, context)
    if (!found.isTolerated) return rejectInvalid(call, 'invalid-answer', ': ', found)
    const operation = call.method.operation.method
    await context.onWarning?.({ operation, message: found.message, issues: issuesOf(found.issues) })
    settle(call, 'resolve', value)
  } catch (error) {
    settle(call, 'reject', redactCause(error, redact))
  }
}

/** Ends a call whose params are invalid or cannot be written as JSON. */
export const rejectParams = async (
  { why }: Pick<ResultContext, 'why'>,
  call: PendingCall,
  given: unknown,
): Promise<void> => {
  const explain = await loadExplain().catch(unloaded('its params are invalid'))
  try {
    const found =
      'message' in explain ? explain : await explain.explainParams(call.method, given, why)
    rejectInvalid(call, 'invalid-input', ' was not sent: ', found)
  } catch (error) {
    // What reading the params throws.
    settle(call, 'reject', error)
  }
}

const unloaded =
  (message: string) =>
  (cause: unknown): Explanation & ErrorOptions => ({
    message: `${message}; what says why could not be loaded`,
    issues: [],
    cause,
  })

const rejectInvalid = (
  call: PendingCall,
  reason: 'invalid-input' | 'invalid-answer',
  prefix: string,
  { message, issues, cause }: Explanation & ErrorOptions,
): void => {
  const options = cause === undefined ? { issues } : { issues, cause }
  settle(call, 'reject', callError(call, reason, prefix + message, options))
}
