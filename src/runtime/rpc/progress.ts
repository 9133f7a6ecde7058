import type { ClientSettings } from '../client-options.js'
import { paramAt, valueAtParams, withValueAtParams } from '../shared/sent-params.js'
import {
  type CallTerms,
  type RpcCallContext,
  type RpcMethod,
  type RpcService,
  startCall,
} from './call.js'
import { type IncomingSide, type Listener, reportThrown } from './incoming.js'
import { callError } from './match.js'
import { operationNamed } from './running-calls.js'

/** The option of a call for documents with `x-progress`. */
export type ProgressOption<Value> = {
  /** Receives the values of the progress of the call, until the call ends. */
  readonly onProgress?: ((value: Value) => unknown) | undefined
}

/**
 * Creates a `startCall` that puts a token into the params of a call with `onProgress`, and passes on the values that the other
 * side sends for this token. Generated clients of documents with `x-progress` pass it to `createRpc`. Undefined if the other side
 * does not send the notification.
 */
export const trackProgress = (
  { progress, sent = {} }: RpcService,
  side: Pick<IncomingSide, 'listeners'> | undefined,
  settings: ClientSettings,
): typeof startCall | undefined => {
  const notification = operationNamed(sent, progress?.notification)
  if (progress === undefined || notification === undefined) return undefined
  const receivers = new Map<string, (value: unknown) => unknown>()
  let count = 0

  const other = side?.listeners.get(progress.notification)
  const receive: Listener = (message, ignore) => {
    const token = valueAtParams(notification, progress.token, message.raw)
    const receiver = receivers.get(JSON.stringify(token))
    if (receiver && message.error === undefined)
      void receiver(valueAtParams(notification, progress.value, message.value))
    else if (other) other(message, ignore)
    else ignore()
  }
  side?.listeners.set(progress.notification, receive)

  /** Values are passed on in their order; an error of the function is reported as one of a handler is. */
  const receiverOf = (onProgress: (value: never) => unknown) => async (value: unknown) => {
    try {
      await onProgress(value as never)
    } catch (error) {
      await reportThrown(settings, error, progress.notification)
    }
  }

  /** The token of the caller, or a new one; undefined if the params have no place for it. */
  const tokenOf = (method: RpcMethod, passed: unknown): unknown => {
    const { operation, checks, listed } = method
    const own = valueAtParams(operation, progress.request, passed)
    if (own !== undefined) return own
    count += 1
    const text = `${count}-${settings.clock.random().toString(36).slice(2)}`
    const fits = (token: unknown) =>
      listed !== undefined ||
      checks.params?.check(withValueAtParams(operation, progress.request, passed, token))
    return [text, count].find(fits) ?? text
  }

  return (context: RpcCallContext, terms: CallTerms, method, passed, isNotification) => {
    const { onProgress } = terms
    if (!onProgress || (isNotification ?? method.operation.isNotification))
      return startCall(context, terms, method, passed, isNotification)
    const { operation } = method
    const reject = (why: string) =>
      Promise.reject(callError({ method }, 'invalid-input', ` was not sent: ${why}`))
    if (paramAt(operation, progress.request) < 0)
      return reject(`it has no param for the token of onProgress (${progress.request})`)
    const params = passed ?? (operation.paramStructure === 'by-name' ? {} : [])
    const token = tokenOf(method, params)
    const key = JSON.stringify(token)
    const receiver = receiverOf(onProgress)
    receivers.set(key, receiver)
    const end = () => {
      if (receivers.get(key) === receiver) receivers.delete(key)
    }
    const call = startCall(
      context,
      terms,
      method,
      withValueAtParams(operation, progress.request, params, token),
    )
    call.then(end, end)
    return call
  }
}
