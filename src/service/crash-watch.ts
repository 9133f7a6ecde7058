import type { Logger } from 'pino'

/**
 * The last line of defence: an exception that nobody caught, or a rejection that nobody handled, is logged and aborts `signal`,
 * so that the service stops in order instead of ending in the middle of its requests. A process that has not ended
 * `exitSeconds` later is ended with `EXIT_CODE`.
 */
export const watchCrashes = (
  log: Logger,
  exitSeconds: number,
): { readonly signal: AbortSignal; readonly stop: () => void } => {
  const crashed = new AbortController()
  const report = (error: unknown, origin: string): void => {
    log.fatal({ err: error, origin }, 'an unexpected error was caught by nobody: the service stops')
    if (crashed.signal.aborted) return
    setTimeout(() => process.exit(EXIT_CODE), 1_000 * exitSeconds).unref()
    crashed.abort()
  }
  // Node reports rejections here too, where nobody listens for them.
  process.on('uncaughtException', report)
  return {
    signal: crashed.signal,
    stop: () => {
      process.off('uncaughtException', report)
    },
  }
}

/** Of a service that had to stop: a supervisor starts it again. */
export const EXIT_CODE = 2 as const
