import type { Fault } from './validate.js'

export { CallError, type CallFailure } from './shared/call-error.js'

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
  /** Where the body differs from what the document says of this status; empty where it fits. */
  declare readonly faults: readonly Fault[]

  constructor(
    {
      message,
      ...details
    }: {
      operation: string
      status: Status
      body: Body
      message: string
      headers?: Headers
      faults?: readonly Fault[]
    },
    options?: ErrorOptions,
  ) {
    super(message, options)
    Object.assign(this, { headers: new Headers(), faults: [] }, details)
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
