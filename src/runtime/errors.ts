import type { Fault } from './validate.js'

export { CallError, type CallFailure } from './ground/call-error.js'

/**
 * An HTTP answer that says no: a status outside 2xx, or a body that the document names as an error
 * under a 2xx (`x-forms.errors`). `body` is the parsed JSON, or the text where it was not JSON.
 */
export class HttpError<Status extends number = number, Body = unknown> extends Error {
  override readonly name = 'HttpError'
  readonly operation: string
  readonly status: Status
  readonly body: Body
  readonly headers: Headers
  /** Where the body differs from what the document says of this status; empty where it fits. */
  readonly faults: readonly Fault[]

  constructor(
    details: {
      operation: string
      status: Status
      body: Body
      message: string
      headers?: Headers
      faults?: readonly Fault[]
    },
    options?: ErrorOptions,
  ) {
    super(details.message, options)
    this.operation = details.operation
    this.status = details.status
    this.body = details.body
    this.headers = details.headers ?? new Headers()
    this.faults = details.faults ?? []
  }
}

/** A JSON-RPC error object: what a client throws when it receives one, and a server handler to send one. */
export class RpcError<Code extends number = number, Data = unknown> extends Error {
  override readonly name = 'RpcError'
  readonly code: Code
  readonly data: Data
  /** The wire name of the method; undefined in a handler, which need not repeat it. */
  readonly method: string | undefined

  constructor(
    details: { code: Code; message: string; data?: Data; method?: string },
    options?: ErrorOptions,
  ) {
    super(details.message, options)
    this.code = details.code
    this.data = details.data as Data
    this.method = details.method
  }
}
