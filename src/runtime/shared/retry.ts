import type { Clock } from './deadline.js'

/** The number and the delays of retries, for idempotent calls. */
export type Retry = {
  /** The maximum number of attempts, the first one included; 1 disables retries. Default 3. */
  readonly attempts?: number
  /** Milliseconds before the second attempt, doubled for each further one. Default 250. */
  readonly delay?: number
  /** The longest wait in milliseconds; if the server requires a longer one, the call is not retried. Default 60,000. */
  readonly longest?: number
  readonly clock?: Partial<Clock>
}

/**
 * Milliseconds until the given attempt (2 is the first retry), or undefined if the wait would be too long. It is the value of
 * `Retry-After`, else a doubling delay, of which up to half is random, so that clients do not retry simultaneously.
 */
export const waitBefore = (
  attempt: number,
  retryAfter: string | null,
  retry: Retry,
  clock: Clock,
): number | undefined => {
  const { attempts = 3, delay = 250, longest = 60_000 } = retry
  if (attempt > attempts) return undefined
  const asked = readRetryAfter(retryAfter, clock)
  if (asked !== undefined) return asked <= longest ? asked : undefined
  const doubled = Math.min(delay * 2 ** (attempt - 2), longest)
  return doubled * (0.5 + clock.random() / 2)
}

/**
 * RFC 9110, 10.2.3: seconds or a date; milliseconds from now. Fractions of seconds and ISO 8601 are accepted, too. Undefined
 * for anything else, which `Date.parse` might accept as a date.
 */
const readRetryAfter = (value: string | null, clock: Clock): number | undefined => {
  const text = value?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000
  if (!DATE.test(text)) return undefined
  // The format of C's asctime has no zone and means UTC.
  const date = Date.parse(/(GMT|Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text} GMT`)
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now())
}

const DATE = /^((mon|tue|wed|thu|fri|sat|sun)[a-z]*,? |\d{4}-\d\d-\d\dT)/i
