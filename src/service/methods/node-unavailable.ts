import { type CallError, HttpError, RpcError } from 'twinspec/runtime/errors'
import type { RpcOperation } from 'twinspec/runtime/operation'

/**
 * What a caller is told where the node did not answer, or not so that it could be read: nothing of where the node is or
 * what ails it, which is the operator's business.
 */
export const unanswered = (
  error: CallError | HttpError,
  { method, errors }: Pick<RpcOperation, 'method' | 'errors'>,
): RpcError => {
  const says = (code: number, message: string): RpcError =>
    new RpcError({ code, message, method }, { cause: error })
  if (error instanceof HttpError) {
    if (error.status === 429) return says(-32005, 'rate limit exceeded')
    if (error.status === 413) return says(-32602, 'the node takes no request of this size')
    return says(-32603, 'the node does not answer')
  }
  if (error.reason === 'invalid-input')
    return says(-32602, 'the params cannot be passed on: they are too large or nested too deeply')
  if (error.reason === 'timeout' && errors.some(({ code }) => code === TOOK_TOO_LONG))
    return says(TOOK_TOO_LONG, 'the simulation took too long')
  return says(-32603, MESSAGES[error.reason] ?? 'the node does not answer')
}

/** Only a simulation has a code for it. */
const TOOK_TOO_LONG = -32016

const MESSAGES: Partial<Record<CallError['reason'], string>> = {
  timeout: 'the node did not answer in time',
  aborted: 'the caller has gone',
  'malformed-answer': 'the answer of the node could not be read',
  'unmatched-answer': 'the answer of the node could not be read',
}
