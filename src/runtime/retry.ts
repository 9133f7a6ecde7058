/** How often a call that the document calls idempotent is tried, and how long to wait in between. */
export type Retry = {
  /** Tries in all, the first one too; 3 by default, 1 for none but the first. */
  readonly attempts?: number | undefined
  /** Milliseconds before try `attempt + 1`; 250, 500, 1000 ... by default. A longer `Retry-After` goes first. */
  readonly delay?: number | ((attempt: number) => number) | undefined
}

/** Milliseconds to wait after the failed try `attempt` (1 is the first), or undefined when it was the last. */
export const delayBeforeRetry = (
  retry: Retry | undefined,
  attempt: number,
  retryAfter: number | undefined,
): number | undefined => {
  if (attempt >= (retry?.attempts ?? 3)) return undefined
  const delay = retry?.delay ?? ((tried: number) => 250 * 2 ** (tried - 1))
  return Math.max(typeof delay === 'number' ? delay : delay(attempt), retryAfter ?? 0)
}

/** Milliseconds that `Retry-After` (seconds or a date, RFC 9110 10.2.3) asks for; undefined without a usable one. */
export const readRetryAfter = (headers: Headers, now: number): number | undefined => {
  const text = headers.get('retry-after')?.trim()
  if (text === undefined || text === '') return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
