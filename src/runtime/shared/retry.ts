import type { Clock } from './deadline.js'

/** How often, and how patiently, a call that its document names idempotent is sent again. */
export type Retry = {
  /** How often a call is sent at most, the first time included; 1 sends nothing again. Default 3. */
  readonly attempts?: number
  /** Milliseconds before the second attempt, doubled for each further one. Default 250. */
  readonly delay?: number
  /** The longest wait in milliseconds; a server that asks for a longer one is not asked again. Default 60,000. */
  readonly longest?: number
  readonly clock?: Partial<Clock>
}

/**
 * Milliseconds until the given attempt (2 is the first repetition), or undefined where the wait would be too long. It
 * is what `Retry-After` asks for, else a doubling delay with up to half of it random, so that clients do not retry
 * together.
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
 * RFC 9110, 10.2.3: seconds or a date; milliseconds from now. Fractions of seconds and ISO 8601 are read, too. Undefined for
 * anything else, of which `Date.parse` would make a date.
 */
const readRetryAfter = (value: string | null, clock: Clock): number | undefined => {
  const text = value?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000
  if (!DATE.test(text)) return undefined
  // The form of C's asctime has no zone, and means UTC.
  const date = Date.parse(/(GMT|Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text} GMT`)
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now())
}

const DATE = /^((mon|tue|wed|thu|fri|sat|sun)[a-z]*,? |\d{4}-\d\d-\d\dT)/i
