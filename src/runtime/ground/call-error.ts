import type { Fault } from '../validate.js'

/** Why a call came to no answer that the document describes. */
export type CallFailure =
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'malformed-answer'
  | 'unmatched-answer'
  | 'invalid-input'
  | 'invalid-answer'

/** A call that came to no usable answer; `reason` says where it ended, `faults` what did not fit its schema. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly reason: CallFailure
  /** The operation's id (HTTP) or the method's wire name (JSON-RPC). */
  readonly operation: string
  readonly faults: readonly Fault[]

  constructor(
    details: {
      reason: CallFailure
      operation: string
      message: string
      faults?: readonly Fault[]
    },
    options?: ErrorOptions,
  ) {
    super(details.message, options)
    this.reason = details.reason
    this.operation = details.operation
    this.faults = details.faults ?? []
  }
}
