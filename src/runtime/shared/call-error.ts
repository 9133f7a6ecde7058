import type { Fault } from '../validate.js'
import { type Issue, issuesOf } from './issues.js'

/** Why a call came to no answer that the document describes. */
export type CallFailure =
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'malformed-answer'
  | 'unmatched-answer'
  | 'invalid-input'
  | 'invalid-answer'

/** A call without a usable response. `reason` says where it failed, `issues` how a value failed validation. */
export class CallError extends Error {
  override readonly name = 'CallError'
  declare readonly reason: CallFailure
  /** The operation's id (HTTP) or the method's wire name (JSON-RPC). */
  declare readonly operation: string
  declare readonly issues: readonly Issue[]

  constructor(
    {
      message,
      issues = [],
      ...details
    }: {
      reason: CallFailure
      operation: string
      message: string
      issues?: readonly Fault[]
    },
    options?: ErrorOptions,
  ) {
    super(message, options)
    Object.assign(this, details, { issues: issuesOf(issues) })
  }
}
