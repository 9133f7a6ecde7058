/**
 * The common end of a caller's signals and a timeout. It is a literal with separate functions: the engine discards compiled
 * code of a class when it collects the last instance, and calls of a client come and go.
 */
export type Deadline = {
  /** By `now`; Infinity without a timeout. */
  readonly endsAt: number
  readonly now: () => number
  readonly signals: readonly AbortSignal[]
  readonly listeners: (() => void)[]
  timer: ReturnType<typeof setTimeout> | undefined
  controller: AbortController | undefined
  ended: 'timeout' | 'aborted' | undefined
  /** The abort reason of `signalOf`. */
  reason: unknown
}

/** Starts a deadline. `closeDeadline` must be called when the work is over, to remove its timer and listeners. */
export const startDeadline = (
  signals: readonly AbortSignal[],
  timeout = Number.POSITIVE_INFINITY,
  now: () => number = Date.now,
): Deadline => {
  const deadline: Deadline = {
    endsAt: now() + timeout,
    now,
    signals,
    listeners: [],
    timer: undefined,
    controller: undefined,
    ended: undefined,
    reason: undefined,
  }
  if (timeout <= LONGEST_DELAY) deadline.timer = setTimeout(expire, timeout, deadline)
  for (const signal of signals) {
    const open = openOf.get(signal) ?? new Set()
    openOf.set(signal, open)
    if (open.size === 0) signal.addEventListener('abort', abort)
    open.add(deadline)
    if (signal.aborted) endDeadline(deadline, 'aborted', signal.reason)
  }
  return deadline
}

/** The open deadlines of a signal, which has one listener for all: Node warns of more than ten. */
const openOf = new WeakMap<EventTarget, Set<Deadline>>()

function abort(this: AbortSignal): void {
  const open = openOf.get(this) as Set<Deadline>
  for (const deadline of open) endDeadline(deadline, 'aborted', this.reason)
}

const expire = (deadline: Deadline): void =>
  endDeadline(deadline, 'timeout', new DOMException('The timeout expired', 'TimeoutError'))

/** The first end counts. */
export const endDeadline = (
  deadline: Deadline,
  why: 'timeout' | 'aborted',
  reason: unknown,
): void => {
  if (deadline.ended) return
  deadline.ended = why
  deadline.reason = reason
  for (const listener of deadline.listeners.splice(0)) listener()
}

/** Calls the listener once at the end, or immediately if the deadline has ended. */
export const onEnd = (deadline: Deadline, listener: () => void): void => {
  if (deadline.ended) listener()
  else deadline.listeners.push(listener)
}

export const offEnd = ({ listeners }: Deadline, listener: () => void): void => {
  const at = listeners.lastIndexOf(listener)
  if (at >= 0) listeners.splice(at, 1)
}

/** Why the deadline has ended; undefined if it has not. */
export const endOf = (deadline: Deadline): Deadline['ended'] =>
  deadline.ended ?? (remaining(deadline) <= 0 ? 'timeout' : undefined)

/** Milliseconds left, negative when over, Infinity without a timeout. */
export const remaining = ({ endsAt, now }: Deadline): number => endsAt - now()

/** The signal of a deadline, created at its first use, because listeners cost much less. */
export const signalOf = (deadline: Deadline): AbortSignal => {
  if (deadline.controller === undefined) {
    const created = new AbortController()
    deadline.controller = created
    onEnd(deadline, () => created.abort(deadline.reason))
  }
  return deadline.controller.signal
}

/** Settles like `work`, or rejects with the reason of the end when the deadline ends first. */
export const race = <T>(deadline: Deadline, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(deadline.reason)
    onEnd(deadline, stop)
    const settle =
      <Outcome>(how: (outcome: Outcome) => void) =>
      (outcome: Outcome) => {
        offEnd(deadline, stop)
        how(outcome)
      }
    work.then(settle(resolve), settle(reject))
  })

export const closeDeadline = (deadline: Deadline): void => {
  clearTimeout(deadline.timer)
  for (const signal of deadline.signals) {
    const open = openOf.get(signal) as Set<Deadline>
    if (open.delete(deadline) && open.size === 0) signal.removeEventListener('abort', abort)
  }
}

/** The time, random numbers and waiting of a client; tests replace it. */
export type Clock = {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Resolves after the milliseconds, at most 25 days, or immediately when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** In [0, 1). */
  readonly random: () => number
}

/** About 25 days; a timer with a longer delay fires at once. */
const LONGEST_DELAY = 0x7fffffff

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, Math.min(milliseconds, LONGEST_DELAY))
      signal.addEventListener('abort', done)
      if (signal.aborted) done()
    }),
}
