/**
 * One signal for a caller's `signal` and a `timeout` in milliseconds (none where it is absent or Infinity). `end` must
 * be called when the work is over; until then a timer and a listener are kept.
 */
export const startDeadline = (options: DeadlineOptions = {}): Deadline => {
  const { signal, timeout = Number.POSITIVE_INFINITY, now = Date.now } = options
  const controller = new AbortController()
  const endsAt = now() + timeout
  let ended: 'timeout' | 'aborted' | undefined
  const stop = (why: 'timeout' | 'aborted', reason: unknown): void => {
    ended ??= why
    controller.abort(reason)
  }
  const abort = (): void => stop('aborted', signal?.reason)
  const expire = (): void => stop('timeout', new DOMException('The time is up', 'TimeoutError'))
  // A longer delay than 2^31 - 1 fires at once.
  const timer = timeout <= 0x7fffffff ? setTimeout(expire, Math.max(0, timeout)) : undefined
  if (signal?.aborted === true) abort()
  else signal?.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    ended: () => ended ?? (now() >= endsAt ? 'timeout' : undefined),
    remaining: () => endsAt - now(),
    race: (work) => raceAbort(work, controller.signal),
    end: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
}

type DeadlineOptions = {
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
  readonly now?: (() => number) | undefined
}

export type Deadline = {
  readonly signal: AbortSignal
  /** Why there is no time left; undefined while there is. */
  readonly ended: () => 'timeout' | 'aborted' | undefined
  /** Milliseconds left, negative when over, Infinity without a timeout. */
  readonly remaining: () => number
  /** The work's own outcome, or a rejection with the signal's reason as soon as it is aborted. */
  readonly race: <T>(work: Promise<T>) => Promise<T>
  readonly end: () => void
}

/** Promise.race would leave a listener behind on a signal that outlives the work. */
const raceAbort = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
