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
  declare readonly reason: CallFailure
  /** The operation's id (HTTP) or the method's wire name (JSON-RPC). */
  declare readonly operation: string
  declare readonly faults: readonly Fault[]

  constructor(
    {
      message,
      ...details
    }: {
      reason: CallFailure
      operation: string
      message: string
      faults?: readonly Fault[]
    },
    options?: ErrorOptions,
  ) {
    super(message, options)
    Object.assign(this, { faults: [] }, details)
  }
}
