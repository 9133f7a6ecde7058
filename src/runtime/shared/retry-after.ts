import type { Clock } from './deadline.js'

/**
 * RFC 9110, 10.2.3: seconds or a date; milliseconds from now. Fractions of seconds and ISO 8601 are accepted, too. Undefined
 * for anything else, which `Date.parse` might accept as a date.
 */
export const readRetryAfter = (value: string, clock: Clock): number | undefined => {
  const text = value.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000
  if (!DATE.test(text)) return undefined
  // The format of C's asctime has no zone and means UTC.
  const date = Date.parse(/(GMT|Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text} GMT`)
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now())
}

const DATE = /^((mon|tue|wed|thu|fri|sat|sun)[a-z]*,? |\d{4}-\d\d-\d\dT)/i
