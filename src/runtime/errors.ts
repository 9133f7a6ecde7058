import { type Issue, issuesOf } from './shared/issues.js'
import type { Fault } from './validate.js'

export type { Issue } from './shared/issues.js'

/** Why a call has no response that matches the document. */
export type CallFailure =
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'malformed-answer'
  | 'unmatched-answer'
  | 'invalid-input'
  | 'invalid-answer'
  | 'response-too-large'
  | 'overflow'

/**
 * A call without a usable response. `reason` is the kind of failure; `issues` are the validation errors of a value. Of a success
 * with an undeclared media type, the error has `status`, `mediaType` and `text`.
 */
export class CallError extends Error {
  override readonly name = 'CallError'
  declare readonly reason: CallFailure
  /** The operation's id (HTTP) or the method's wire name (JSON-RPC). */
  declare readonly operation: string
  declare readonly issues: readonly Issue[]
  declare readonly status: number | undefined
  /** The Content-Type as sent; undefined if there was none. */
  declare readonly mediaType: string | undefined
  /** The body as text; undefined if it is a stream. */
  declare readonly text: string | undefined

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
      status?: number | undefined
      mediaType?: string | undefined
      text?: string | undefined
    },
    options?: ErrorOptions,
  ) {
    super(message, options)
    Object.assign(this, details, { issues: issuesOf(issues) })
  }
}

/** Whether an error is a CallError, with the reason `reason` if it is given. */
export const isCallError = <const Reason extends CallFailure = CallFailure>(
  error: unknown,
  reason?: Reason,
): error is CallError & { readonly reason: Reason } =>
  error instanceof CallError && (reason === undefined || error.reason === reason)

/**
 * An HTTP error response: a status outside 2xx, or a 2xx body that the document declares as an error (`x-variants.errors`).
 * `body` is the parsed JSON, or the text if it is not JSON.
 */
export class HttpError<Status extends number = number, Body = unknown> extends Error {
  override readonly name = 'HttpError'
  declare readonly operation: string
  declare readonly status: Status
  declare readonly body: Body
  declare readonly headers: Headers
  /** The validation errors of the body by the schema of this status; empty if it is valid. */
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

/** A JSON-RPC error object. A client throws it for an error response; a server handler throws it to send one. */
export class RpcError<Code extends number = number, Data = unknown> extends Error {
  override readonly name = 'RpcError'
  declare readonly code: Code
  declare readonly data: Data
  /** The wire name of the method; undefined in a server handler, which need not set it. */
  declare readonly method: string | undefined

  constructor(
    { message, ...details }: { code: Code; message: string; data?: Data; method?: string },
    options?: ErrorOptions,
  ) {
    super(message, options)
    Object.assign(this, { data: undefined, method: undefined }, details)
  }
}
