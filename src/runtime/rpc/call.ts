import { CallError } from '../errors.js'
import { startDeadline } from '../ground/deadline.js'
import type { RpcOperation } from '../operation.js'
import type { Fault, Validator } from '../validate.js'
import type { PendingCall } from './delivery.js'
import { describeFaults, readParams } from './params.js'

/**
 * Reads the params of one call, gives it its id and its deadline and hands it to `enqueue`, all before it returns:
 * calls of one turn can be collected. What must not be sent is refused here and never enqueued.
 */
export const startCall = (request: CallRequest, enqueue: Enqueue): Promise<unknown> => {
  const { operation, given, params, result, options, payloadBytes, nextId, now } = request
  const { method } = operation
  const read = readParams(operation, given, params)
  if (read.faults.length > 0) {
    const message = `${method} was not sent: ${describeFaults(operation, read.faults)}`
    return refuse(method, message, read.faults)
  }
  if (options.signal?.aborted === true) {
    const message = `${method} was not sent: it was aborted before`
    const { reason: cause } = options.signal
    return Promise.reject(
      new CallError({ reason: 'aborted', operation: method, message }, { cause }),
    )
  }
  const id = nextId?.()
  const text = JSON.stringify({ jsonrpc: '2.0', method, params: read.value, id })
  const bytes = new TextEncoder().encode(text).length
  if (bytes > payloadBytes) {
    const message = `${method} was not sent: its ${bytes} bytes exceed the limit of ${payloadBytes}`
    return refuse(method, message, [])
  }

  const deadline = startDeadline({ ...options, now })
  const { promise, resolve, reject } = withResolvers<unknown>()
  const stop = () => {
    const aborted = deadline.ended() === 'aborted'
    const message = aborted
      ? `${method}: aborted by its caller`
      : `${method}: no answer within ${options.timeout} ms`
    const reason = aborted ? 'aborted' : 'timeout'
    reject(new CallError({ reason, operation: method, message }, { cause: deadline.signal.reason }))
    deadline.end()
  }
  deadline.signal.addEventListener('abort', stop, { once: true })
  enqueue({
    id,
    operation,
    text,
    bytes,
    result,
    deadline,
    settle: (verdict) => {
      deadline.end()
      if (verdict.kind === 'answered') resolve(verdict.value)
      else reject(verdict.error)
    },
    discard: (cause) => {
      deadline.end()
      promise.catch(() => undefined)
      const message = `${method} was not sent: its batch was given up`
      reject(new CallError({ reason: 'aborted', operation: method, message }, { cause }))
    },
  })
  return promise
}

/** What one call is told by its own caller. */
export type RpcCallOptions = {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for the whole call, waiting and retries included; Infinity for no end. */
  readonly timeout?: number | undefined
}

type CallRequest = {
  readonly operation: RpcOperation
  readonly given: unknown
  /** Undefined where params, or results, are not held against the document. */
  readonly params: Validator | undefined
  readonly result: Validator | undefined
  readonly options: RpcCallOptions
  readonly payloadBytes: number
  /** Undefined for a notification. */
  readonly nextId: (() => number) | undefined
  readonly now: () => number
}

export type Enqueue = (call: CollectedCall) => void

/** A call that may still be taken back: `discard` rejects it, heard or not. */
export type CollectedCall = PendingCall & { readonly discard: (cause: unknown) => void }

const refuse = (method: string, message: string, faults: readonly Fault[]): Promise<never> =>
  Promise.reject(new CallError({ reason: 'invalid-input', operation: method, message, faults }))

/** `Promise.withResolvers` came with Node 22. */
const withResolvers = <T>() => {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
