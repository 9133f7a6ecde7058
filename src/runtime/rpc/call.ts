import { CallError, type CallFailure } from '../errors.js'
import type { Alarm } from '../ground/alarm.js'
import { withResolvers } from '../ground/with-resolvers.js'
import type { RpcMethod } from './method.js'
import { type Params, writeParams } from './params.js'

/**
 * Reads the params of one call, gives it its id and its deadline and hands it to `enqueue`, all before it returns: calls
 * of one turn can be collected. What must not be sent is refused here and never enqueued.
 */
export const startCall = (
  method: RpcMethod,
  given: unknown,
  terms: CallTerms,
  kind: 'call' | 'notification',
  office: Office,
  enqueue: Enqueue,
): Promise<unknown> => {
  const name = method.operation.method
  const params = writeParams(method.operation, given)
  if (params === undefined || method.params?.check(params.value) === false) {
    return office.refuse(method, given, params)
  }
  const aborted = terms.signals.find((signal) => signal.aborted)
  if (aborted !== undefined) {
    return Promise.reject(
      failure(name, 'aborted', ' was not sent: it was aborted before', aborted.reason),
    )
  }
  const id = kind === 'call' ? office.nextId() : undefined
  const head = id === undefined ? '{"jsonrpc":"2.0"' : `{"jsonrpc":"2.0","id":${id}`
  const text = `${head}${method.middle}${params.text}}`
  if (isLonger(text, method.payloadBytes)) {
    const limit = method.payloadBytes
    const message = ` was not sent: its ${bytesOf(text)} bytes exceed the limit of ${limit}`
    return Promise.reject(failure(name, 'invalid-input', message))
  }

  const { timeout, signals } = terms
  const expire = () => {
    const cause = new DOMException('The time is up', 'TimeoutError')
    giveUp('timeout', `: no answer within ${timeout} ms`, cause)
  }
  const giveUp = (reason: CallFailure, message: string, cause: unknown) => {
    failCall(call, failure(name, reason, message, cause))
    call.left?.()
  }
  const listeners = signals.map((signal) => {
    const abort = () => giveUp('aborted', ': aborted by its caller', signal.reason)
    signal.addEventListener('abort', abort)
    return () => signal.removeEventListener('abort', abort)
  })
  const end = () => {
    call.isOver = true
    office.alarm.clear(expire)
    for (const forget of listeners) forget()
  }
  const endsAt = office.now() + timeout
  const call: PendingCall = {
    id,
    method,
    text,
    endsAt,
    end,
    isOver: false,
    left: undefined,
    ...withResolvers<unknown>(),
  }
  office.alarm.set(expire, timeout)
  enqueue(call)
  return call.promise
}

/** The nearer timeout counts; every signal does. */
export type CallTerms = { readonly timeout: number; readonly signals: readonly AbortSignal[] }

/** What one call is told by its own caller. */
export type RpcCallOptions = {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for the whole call, waiting and retries included; Infinity for no end. */
  readonly timeout?: number | undefined
}

/** What the calls of one client share. */
export type Office = {
  readonly nextId: () => number
  readonly now: () => number
  readonly alarm: Alarm
  /** Rejects with what is wrong with params that JSON cannot carry (`written` is undefined) or the document refuses. */
  readonly refuse: (
    method: RpcMethod,
    given: unknown,
    written: Params | undefined,
  ) => Promise<never>
}

/** A call that somebody waits for, until `isOver`. */
export type PendingCall = {
  /** Undefined for a notification. */
  readonly id: number | undefined
  readonly method: RpcMethod
  /** As it goes over the wire. */
  readonly text: string
  /** By the clock of the client. */
  readonly endsAt: number
  isOver: boolean
  /** Called when its caller waits no longer; whoever sends the call sets it. */
  left: (() => void) | undefined
  /** To be called before one of the last two. */
  readonly end: () => void
  readonly promise: Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export type Enqueue = (call: PendingCall) => void

/** The first word counts: whoever has given up hears nothing more. */
export const answerCall = (call: PendingCall, value: unknown): void => {
  call.end()
  call.resolve(value)
}

export const failCall = (call: PendingCall, error: unknown): void => {
  call.end()
  call.reject(error)
}

/** `message` begins with what stands between it and the method's name. */
export const failure = (
  method: string,
  reason: CallFailure,
  message: string,
  cause?: unknown,
): CallError =>
  new CallError(
    { reason, operation: method, message: method + message },
    cause === undefined ? {} : { cause },
  )

/** No character takes more than three bytes, so that most texts need not be counted. */
export const isLonger = (text: string, bytes: number): boolean =>
  text.length * 3 > bytes && bytesOf(text) > bytes

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length
