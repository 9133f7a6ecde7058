import { CallError, RpcError } from '../errors.js'
import type { CancelMessage, ProgressMessage, RpcOperation } from '../operation.js'
import { writeJson } from '../shared/json.js'
import { paramsWith, valueAtParams } from '../shared/sent-params.js'

/** What a document declares about calls that run. */
export type CallMessages = {
  readonly cancel?: CancelMessage | undefined
  readonly progress?: ProgressMessage | undefined
}

/** A call of the other side that runs. */
export type RunningCall = {
  /** Aborted when the other side cancels the call, and at the end of the connection. */
  readonly signal: AbortSignal
  /** The error of a call that was cancelled, if its handler throws because of that. */
  readonly cancelled: () => RpcError | undefined
  readonly isOver: () => boolean
  /** Must be called when the call is over. */
  readonly end: () => void
}

/** The calls of the other side of one connection that run. */
export type RunningCalls = {
  /** Begins a call with the JSON text of its id, or a notification. */
  readonly begin: (id: string | undefined) => RunningCall
  /** Aborts the call that the params of a cancel notification name. */
  readonly cancel: (operation: RpcOperation, params: unknown) => void
  /** Aborts all, at the end of the connection. */
  readonly endAll: (reason?: unknown) => void
}

/** `isRemembered` says whether calls wait to begin, so that one may be cancelled before. */
export const createRunningCalls = (
  { cancel }: CallMessages,
  isRemembered: () => boolean = () => false,
): RunningCalls => {
  const running = new Map<unknown, (reason: unknown) => void>()
  const early = new Set<string>()
  const cancellation = () => new RpcError({ code: REQUEST_CANCELLED, message: 'Request cancelled' })
  return {
    begin: (id) => {
      const controller = new AbortController()
      let error: RpcError | undefined
      let isOver = false
      const key = id ?? {}
      const stop = (reason: unknown): void => {
        if (reason instanceof RpcError) error = reason
        controller.abort(reason)
      }
      running.set(key, stop)
      if (id !== undefined && early.delete(id)) stop(cancellation())
      return {
        signal: controller.signal,
        cancelled: () => error,
        isOver: () => isOver,
        end: () => {
          isOver = true
          if (running.get(key) === stop) running.delete(key)
        },
      }
    },
    cancel: (operation, params) => {
      const id = JSON.stringify(valueAtParams(operation, cancel?.id ?? '', params))
      const stop = running.get(id)
      if (!isRemembered()) early.clear()
      else if (!stop) early.add(id)
      stop?.(cancellation())
    },
    endAll: (reason) => {
      for (const stop of running.values()) stop(reason)
      running.clear()
    },
  }
}

/** LSP, ErrorCodes: RequestCancelled. JSON-RPC has no code for it. */
export const REQUEST_CANCELLED = -32800

/** How a side sends the progress of its calls. */
export type ProgressEnd = {
  /** Undefined if this side does not send it. */
  readonly notification: RpcOperation | undefined
  readonly accepts: (params: unknown) => boolean
  readonly send: (text: string) => Promise<unknown>
  /** Receives the error of a value that cannot be sent. */
  readonly report: (error: unknown) => unknown
}

/**
 * Creates the function with which the handler of a call sends its progress (`x-progress`): nothing without a token in the params,
 * or after the end of the call.
 */
export const progressSender = (
  progress: ProgressMessage,
  { notification, accepts, send, report }: ProgressEnd,
  { operation, params, call }: ProgressingCall,
): ((value: unknown) => Promise<void>) => {
  const token = valueAtParams(operation, progress.request, params)
  return async (value) => {
    if (notification === undefined || token == null || call?.isOver()) return
    try {
      const text = notificationText(notification, [
        [progress.value, value],
        [progress.token, token],
      ])
      if (!accepts(JSON.parse(text).params)) throw invalidProgress(notification, operation)
      // Nobody waits for the progress of a call whose connection ended.
      await send(text).catch(() => undefined)
    } catch (error) {
      await report(error)
    }
  }
}

/** A call whose handler may send its progress. */
export type ProgressingCall = {
  readonly operation: RpcOperation
  readonly params: unknown
  readonly call: Pick<RunningCall, 'isOver'> | undefined
}

const invalidProgress = (notification: RpcOperation, { method }: RpcOperation): CallError =>
  new CallError({
    reason: 'invalid-input',
    operation: notification.method,
    message: `${notification.method} was not sent: the progress of ${method} does not match its schema`,
  })

/** A notification as text, with values at pointers into its params. */
const notificationText = (
  operation: RpcOperation,
  values: Parameters<typeof paramsWith>[1],
): string =>
  writeJson({ jsonrpc: '2.0', method: operation.method, params: paramsWith(operation, values) })

/** The operation that a document names, if this side has it. */
export const operationNamed = (
  operations: Readonly<Record<string, RpcOperation>>,
  method: string | undefined,
): RpcOperation | undefined => Object.values(operations).find((one) => one.method === method)

/**
 * Creates the function that writes the notification which cancels a call (`x-cancel`). Generated clients of documents with
 * `x-cancel` pass it to `createRpc`. Undefined if this side does not send the notification.
 */
export const cancelWriter = ({
  cancel,
  operations,
}: CallMessages & {
  readonly operations: Readonly<Record<string, RpcOperation>>
}): ((id: unknown) => string) | undefined => {
  const operation = operationNamed(operations, cancel?.notification)
  return cancel && operation ? (id) => notificationText(operation, [[cancel.id, id]]) : undefined
}
