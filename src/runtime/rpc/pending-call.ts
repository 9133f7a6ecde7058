import type { RpcMethod } from './method.js'
import { callError } from './response.js'

/** A call that somebody waits for, until `isOver`. */
export type PendingCall = {
  /** Undefined for a notification. */
  readonly id: number | undefined
  readonly method: RpcMethod
  /** The request object as JSON. */
  readonly text: string
  readonly deadline: Deadline
  readonly signals: readonly AbortSignal[]
  /** The call itself listens to its signals. */
  readonly handleEvent: (event: Event) => void
  readonly promise: Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  isOver: boolean
  /** Called when the time is up or the caller aborts; set by what sends the call. */
  onGiveUp: (() => void) | undefined
}

/** A call that waits for its response, until its time is up or one of its signals aborts. */
export const createPendingCall = (
  given: Pick<PendingCall, 'id' | 'method' | 'text' | 'signals'> & { readonly timeout: number },
  previous: PendingCall | undefined,
): PendingCall => {
  const deadline = sharedDeadline(previous, given.timeout) ?? startDeadline(given.timeout)
  let resolve!: PendingCall['resolve']
  let reject!: PendingCall['reject']
  const promise = new Promise((yes, no) => {
    resolve = yes
    reject = no
  })
  const call: PendingCall = {
    id: given.id,
    method: given.method,
    text: given.text,
    signals: given.signals,
    deadline,
    handleEvent: abort,
    promise,
    resolve,
    reject,
    isOver: false,
    onGiveUp: undefined,
  }
  deadline.calls.push(call)
  for (const signal of call.signals) {
    signal.addEventListener('abort', call)
    if (signal.aborted) {
      giveUp(call, 'aborted', ' was not sent: it was aborted before', signal.reason)
    }
  }
  return call
}

/** Until when calls are waited for. The calls of a batch share a timer, which costs more than the rest of a call. */
export type Deadline = {
  /** Milliseconds. */
  readonly timeout: number
  /** By `performance.now()`, which does not change with the clock. */
  readonly startedAt: number
  readonly calls: PendingCall[]
  readonly timer: ReturnType<typeof setTimeout> | undefined
}

const startDeadline = (timeout: number): Deadline => {
  const calls: PendingCall[] = []
  return {
    timeout,
    startedAt: performance.now(),
    calls,
    // A longer delay fires at once.
    timer: timeout < 2 ** 31 ? setTimeout(expire, timeout, calls, timeout) : undefined,
  }
}

const sharedDeadline = (last: PendingCall | undefined, timeout: number): Deadline | undefined =>
  last?.deadline.timeout === timeout && !isAbandoned(last.deadline.calls)
    ? last.deadline
    : undefined

/** Milliseconds. */
export const remaining = ({ deadline: { startedAt, timeout } }: PendingCall): number =>
  startedAt + timeout - performance.now()

/** Ends a call. The first outcome counts. */
export const settle = (call: PendingCall, how: 'resolve' | 'reject', what: unknown): void => {
  call.isOver = true
  if (isAbandoned(call.deadline.calls)) clearTimeout(call.deadline.timer)
  for (const signal of call.signals) signal.removeEventListener('abort', call)
  call[how](what)
}

/** Ends a call before it has a response. */
const giveUp = (
  call: PendingCall,
  reason: 'timeout' | 'aborted',
  message: string,
  cause: unknown,
): void => {
  settle(call, 'reject', callError(call, reason, message, { cause }))
  call.onGiveUp?.()
}

const expire = (calls: readonly PendingCall[], timeout: number): void => {
  const cause = new DOMException('The time is up', 'TimeoutError')
  for (const call of calls.filter(isWaiting)) {
    giveUp(call, 'timeout', `: no answer within ${timeout} ms`, cause)
  }
}

function abort(this: PendingCall, { target }: Event): void {
  giveUp(this, 'aborted', ': aborted by its caller', (target as AbortSignal).reason)
}

export const isWaiting = ({ isOver }: PendingCall): boolean => !isOver

/** Nobody waits for any of them. Calls usually end in their order, so the last one is read first. */
export const isAbandoned = (calls: readonly PendingCall[]): boolean =>
  calls.findLast(isWaiting) === undefined
