/**
 * One end for the signals of a caller and a `timeout` in milliseconds (none where it is Infinity). `end` must be called
 * when the work is over; until then a timer and listeners are kept.
 */
export const startDeadline = (
  signals: readonly (AbortSignal | undefined)[],
  timeout = Number.POSITIVE_INFINITY,
  now: () => number = Date.now,
): Deadline => {
  const endsAt = now() + timeout
  const listeners = new Set<() => void>()
  let controller: AbortController | undefined
  let ended: 'timeout' | 'aborted' | undefined
  let reason: unknown
  const stop = (why: 'timeout' | 'aborted', cause: unknown): void => {
    if (ended) return
    ended = why
    reason = cause
    for (const listener of listeners) listener()
  }
  const abort = (event: Event): void => stop('aborted', (event.target as AbortSignal).reason)
  const expire = (): void => stop('timeout', new DOMException('The time is up', 'TimeoutError'))
  // A longer delay than 2^31 - 1 fires at once.
  const timer = timeout <= 0x7fffffff ? setTimeout(expire, timeout) : undefined
  for (const signal of signals) {
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) stop('aborted', signal.reason)
  }
  const onEnd = (listener: () => void): (() => boolean) => {
    if (ended) listener()
    else listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    signal: () => {
      if (controller === undefined) {
        const made = new AbortController()
        onEnd(() => made.abort(reason))
        controller = made
      }
      return controller.signal
    },
    ended: () => ended ?? (now() >= endsAt ? 'timeout' : undefined),
    reason: () => reason,
    remaining: () => endsAt - now(),
    onEnd,
    race: (work) =>
      new Promise((resolve, reject) => {
        const forget = onEnd(() => reject(reason))
        work.finally(forget).then(resolve, reject)
      }),
    end: () => {
      clearTimeout(timer)
      for (const signal of signals) signal?.removeEventListener('abort', abort)
    },
  }
}

export type Deadline = {
  /** Created when it is first called for: `onEnd` and `reason` cost less. */
  readonly signal: () => AbortSignal
  /** Why there is no time left; undefined while there is. */
  readonly ended: () => 'timeout' | 'aborted' | undefined
  /** What the signal is, or would be, aborted with. */
  readonly reason: () => unknown
  /** Milliseconds left, negative when over, Infinity without a timeout. */
  readonly remaining: () => number
  /** Calls once when the time is up or the caller aborts, at once where that has happened; returns what removes it. */
  readonly onEnd: (listener: () => void) => () => unknown
  /** The work's own outcome, or a rejection with the signal's reason as soon as it is aborted. */
  readonly race: <T>(work: Promise<T>) => Promise<T>
  readonly end: () => void
}
