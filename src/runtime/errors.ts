import { type Issue, issuesOf } from './shared/issues.js'
import type { Fault } from './validate.js'

export type { Issue } from './shared/issues.js'

/** Why a call came to no answer that the document describes. */
export type CallFailure =
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'malformed-answer'
  | 'unmatched-answer'
  | 'invalid-input'
  | 'invalid-answer'
  | 'response-too-large'

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

/** Whether an error is a CallError, of one reason if that is given. */
export const isCallError = <const Reason extends CallFailure = CallFailure>(
  error: unknown,
  reason?: Reason,
): error is CallError & { readonly reason: Reason } =>
  error instanceof CallError && (reason === undefined || error.reason === reason)

/**
 * An HTTP answer that says no: a status outside 2xx, or a body that the document names as an error
 * under a 2xx (`x-variants.errors`). `body` is the parsed JSON, or the text where it was not JSON.
 */
export class HttpError<Status extends number = number, Body = unknown> extends Error {
  override readonly name = 'HttpError'
  declare readonly operation: string
  declare readonly status: Status
  declare readonly body: Body
  declare readonly headers: Headers
  /** How the body fails the schema that the document declares for this status; empty where it is valid. */
  declare readonly issues: readonly Issue[]

  constructor(
    {
      message,
      issues = [],
      ...details
    }: {
      operation: string
      status: Status
      body: Body
      message: string
      headers?: Headers
      issues?: readonly Fault[]
    },
    options?: ErrorOptions,
  ) {
    super(message, options)
    Object.assign(this, { headers: new Headers() }, details, { issues: issuesOf(issues) })
  }
}

/** A JSON-RPC error object: what a client throws when it receives one, and a server handler to send one. */
export class RpcError<Code extends number = number, Data = unknown> extends Error {
  override readonly name = 'RpcError'
  declare readonly code: Code
  declare readonly data: Data
  /** The wire name of the method; undefined in a handler, which need not repeat it. */
  declare readonly method: string | undefined

  constructor(
    { message, ...details }: { code: Code; message: string; data?: Data; method?: string },
    options?: ErrorOptions,
  ) {
    super(message, options)
    Object.assign(this, { data: undefined, method: undefined }, details)
  }
}
