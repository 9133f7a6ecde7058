import { CallError, type CallFailure } from '../ground/call-error.js'
import type { RpcMethod } from './method.js'
import { writeParams } from './params.js'
import type { Refusal } from './refusal.js'
import type { Timeouts } from './timeouts.js'

/**
 * Reads the params of one call, gives it its id and its deadline and hands it to `enqueue`, all before it returns: calls
 * of one turn can be collected. What must not be sent is refused here and never enqueued.
 */
export const startCall = (
  office: Office,
  enqueue: Enqueue,
  { timeout, signals }: CallTerms,
  method: RpcMethod,
  given: unknown,
  isNotification?: unknown,
): Promise<unknown> => {
  try {
    const { refuse, timeouts } = office
    const written = writeParams(method.operation, given)
    if (written === undefined || method.params?.check(written.value) === false)
      return refuse(method, { kind: 'params', given, written })
    const aborted = signals.find((signal) => signal.aborted)
    if (aborted !== undefined) return refuse(method, { kind: 'aborted', cause: aborted.reason })
    const id = isNotification ? undefined : office.nextId()
    const head = id === undefined ? '{"jsonrpc":"2.0"' : `{"jsonrpc":"2.0","id":${id}`
    const text = `${head}${method.middle}${written.text}}`
    if (isLonger(text, method.payloadBytes)) return refuse(method, { kind: 'length', text })

    let resolve: PendingCall['resolve'] = () => undefined
    let reject = resolve
    const promise = new Promise((yes, no) => {
      resolve = yes
      reject = no
    })
    // One literal: an object that is put together costs as much as all the rest.
    const call: PendingCall = {
      id,
      method,
      text,
      timeout,
      endsAt: office.now() + timeout,
      ringsAt: performance.now() + timeout,
      timeouts,
      promise,
      resolve,
      reject,
      isOver: false,
      left: undefined,
      forget: undefined,
    }
    if (signals.length > 0) listen(call, signals)
    timeouts.add(call)
    enqueue(call)
    return promise
  } catch (error) {
    // A validator that throws.
    return Promise.reject(error)
  }
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
  readonly timeouts: Timeouts
  readonly refuse: (method: RpcMethod, refusal: Refusal) => Promise<never>
}

/** A call that somebody waits for, until `isOver`; only this file ends it. */
export type PendingCall = {
  /** Undefined for a notification. */
  readonly id: number | undefined
  readonly method: RpcMethod
  /** As it goes over the wire. */
  readonly text: string
  readonly timeout: number
  /** By the clock of the client. */
  readonly endsAt: number
  /** By `performance.now()`. */
  readonly ringsAt: number
  readonly timeouts: Timeouts
  readonly promise: Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  isOver: boolean
  /** Called when its caller waits no longer; whoever sends the call sets it. */
  left: (() => void) | undefined
  forget: (() => void) | undefined
}

export type Enqueue = (call: PendingCall) => void

/** The first word counts: whoever has given up hears nothing more. */
export const answerCall = (call: PendingCall, value: unknown): void => {
  end(call)
  call.resolve(value)
}

export const failCall = (call: PendingCall, error: unknown): void => {
  end(call)
  call.reject(error)
}

/** `message` begins with what stands between it and the method's name. */
export const giveUp = (
  call: PendingCall,
  reason: CallFailure,
  message: string,
  cause: unknown,
): void => {
  const { method } = call.method.operation
  failCall(call, new CallError({ reason, operation: method, message: method + message }, { cause }))
  call.left?.()
}

/** What becomes of a call whose time is up. */
export const expire = (call: PendingCall): void => {
  const cause = new DOMException('The time is up', 'TimeoutError')
  giveUp(call, 'timeout', `: no answer within ${call.timeout} ms`, cause)
}

export const isAbandoned = (calls: readonly PendingCall[]): boolean =>
  calls.every(({ isOver }) => isOver)

/** No character takes more than three bytes, so that most texts need not be counted. */
export const isLonger = (text: string, bytes: number): boolean =>
  text.length * 3 > bytes && bytesOf(text) > bytes

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length

const end = (call: PendingCall): void => {
  call.isOver = true
  call.timeouts.remove(call)
  call.forget?.()
}

const listen = (call: PendingCall, signals: readonly AbortSignal[]): void => {
  const listening = new AbortController()
  for (const signal of signals) {
    const abort = () => giveUp(call, 'aborted', ': aborted by its caller', signal.reason)
    signal.addEventListener('abort', abort, { signal: listening.signal })
  }
  call.forget = () => listening.abort()
}
