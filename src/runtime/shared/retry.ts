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

/** Whether a status says that the same request may succeed later: too many requests, and service unavailable. */
export const isBusy = (status: number): boolean => status === 429 || status === 503

/** The code of a JSON-RPC error that says the same for one call, from Ethereum's draft of error codes (EIP-1474). */
export const LIMIT_EXCEEDED = -32005

/**
 * Milliseconds until the given attempt (2 is the first retry), or undefined if the wait would be too long. It is the value of
 * `Retry-After`, else a doubling delay, of which up to half is random, so that clients do not retry simultaneously.
 */
export const waitBefore = async (
  attempt: number,
  retryAfter: string | null,
  retry: Retry,
  clock: Clock,
): Promise<number | undefined> => {
  const { attempts = 3, longest = 60_000 } = retry
  if (attempt > attempts) return undefined
  const asked = retryAfter === null ? undefined : await readLater(retryAfter, clock)
  if (asked !== undefined) return asked <= longest ? asked : undefined
  return backOff(attempt - 1, retry, clock)
}

/** Milliseconds after the given number of failures: a doubling delay, of which up to half is random. */
export const backOff = (
  failures: number,
  { delay = 250, longest = 60_000 }: Retry,
  clock: Pick<Clock, 'random'>,
): number => Math.min(delay * 2 ** (failures - 1), longest) * (0.5 + clock.random() / 2)

/** The reader is loaded with the first such header. Without it, the wait is unknown, and the call is not retried. */
const readLater = (header: string, clock: Clock): Promise<number | undefined> =>
  import('./retry-after.js').then(
    ({ readRetryAfter }) => readRetryAfter(header, clock),
    () => Number.POSITIVE_INFINITY,
  )
