import { CallError, type CallFailure } from '../shared/call-error.js'
import type { Line } from './client-context.js'
import type { Rest } from './load-rest.js'
import type { RpcMethod } from './method.js'
import { writeParams } from './params.js'

/**
 * Gives one call its id and its deadline and hands it to `enqueue`, all before it returns: calls of one turn can be
 * collected. What must not be sent is never enqueued.
 */
export const startCall = (
  line: Line,
  { enqueue, begin, timeout, signals }: CallTerms,
  method: RpcMethod,
  given: unknown,
  isNotification?: unknown,
): Promise<unknown> => {
  const params = writeParams(method, given)
  const id = isNotification ? undefined : ++line.lastId
  const deadline = begin(timeout)
  let resolve!: PendingCall['resolve']
  let reject!: PendingCall['reject']
  const promise = new Promise((yes, no) => {
    resolve = yes
    reject = no
  })
  // One literal: an object that is put together costs as much as all the rest.
  const call: PendingCall = {
    id,
    method,
    text: `{"jsonrpc":"2.0"${id ? `,"id":${id}` : ''}${method.middle}${params}}`,
    deadline,
    signals,
    handleEvent: abort,
    promise,
    resolve,
    reject,
    isOver: false,
    left: undefined,
  }
  deadline.calls.push(call)
  for (const signal of signals) {
    signal.addEventListener('abort', call)
    if (signal.aborted)
      giveUp(call, 'aborted', ' was not sent: it was aborted before', signal.reason)
  }
  if (params === undefined) {
    leaveToRest(line, [call], 'invalid-input', ' was not sent', (rest) =>
      rest.refuse(call, given, line.why),
    )
  } else enqueue(call)
  return promise
}

/** The nearer timeout counts; every signal does. */
export type CallTerms = {
  readonly enqueue: Enqueue
  /** Calls that go out together may share what it gives. */
  readonly begin: (timeout: number) => Deadline
  readonly timeout: number
  readonly signals: readonly AbortSignal[]
}

/** What one call is told by its own caller. */
export type RpcCallOptions = {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for the whole call, waiting and retries included; Infinity for no end. */
  readonly timeout?: number | undefined
}

/** A call that somebody waits for, until `isOver`; only this file ends it. */
export type PendingCall = {
  /** Undefined for a notification. */
  readonly id: number | undefined
  readonly method: RpcMethod
  /** As it goes over the wire. */
  readonly text: string
  readonly deadline: Deadline
  /** The call itself listens to them. */
  readonly signals: readonly AbortSignal[]
  readonly handleEvent: (event: Event) => void
  readonly promise: Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  isOver: boolean
  /** Called when its caller waits no longer; whoever sends the call sets it. */
  left: (() => void) | undefined
}

export type Enqueue = (call: PendingCall) => void

/** Until when calls are waited for: a timer costs more than all else that a call of a batch does. */
export type Deadline = {
  /** Milliseconds. */
  readonly timeout: number
  /** By `performance.now()`, which no change of the clock moves. */
  readonly startedAt: number
  /** With the last of them it ends. */
  readonly calls: PendingCall[]
  readonly timer: ReturnType<typeof setTimeout> | undefined
}

export const startDeadline = (timeout: number): Deadline => {
  const calls: PendingCall[] = []
  return {
    timeout,
    startedAt: performance.now(),
    calls,
    // A longer delay fires at once.
    timer: timeout < 2 ** 31 ? setTimeout(expire, timeout, calls, timeout) : undefined,
  }
}

/** Ends a call. The first word counts: whoever has given up hears nothing more. */
export const settle = (call: PendingCall, how: 'resolve' | 'reject', what: unknown): void => {
  call.isOver = true
  if (isAbandoned(call.deadline.calls)) clearTimeout(call.deadline.timer)
  for (const signal of call.signals) signal.removeEventListener('abort', call)
  call[how](what)
}

/** `message` begins with what stands between it and the method's name. */
export const giveUp = (
  call: PendingCall,
  reason: CallFailure,
  message: string,
  cause: unknown,
): void => {
  const { method } = call.method.operation
  const details = { reason, operation: method, message: method + message }
  settle(call, 'reject', new CallError(details, { cause }))
  call.left?.()
}

/** Whether nobody waits for any of them; asked from the last on, as they end in turn. */
export const isAbandoned = (calls: readonly PendingCall[]): boolean =>
  !calls.findLast(({ isOver }) => !isOver)

/** Leaves calls to the rest; `said` is what they are told where it is out of reach, as it may be where the network is. */
export const leaveToRest = (
  line: Line,
  calls: readonly PendingCall[],
  reason: 'network' | 'invalid-input',
  said: string,
  work: (rest: Rest) => unknown,
): void => {
  line
    .loadRest()
    .then(work)
    .catch((cause) => {
      // Nothing that was heard is repeated: what redacts it is of the part that is missing.
      const message = `${said}, and what says why could not be loaded`
      for (const call of calls) giveUp(call, reason, message, cause)
    })
}

const expire = (calls: readonly PendingCall[], timeout: number): void => {
  for (const call of calls) {
    const cause = new DOMException('The time is up', 'TimeoutError')
    giveUp(call, 'timeout', `: no answer within ${timeout} ms`, cause)
  }
}

function abort(this: PendingCall, { target }: Event): void {
  giveUp(this, 'aborted', ': aborted by its caller', (target as AbortSignal).reason)
}
