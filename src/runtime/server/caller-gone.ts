import type { ServerResponse } from 'node:http'

/** Aborted when the caller goes before the answer has, or has gone already. */
export const callerGone = (response: ServerResponse): AbortSignal => {
  const gone = new AbortController()
  const abort = (): void => {
    if (!response.writableFinished) gone.abort(new Error('The caller has gone'))
  }
  if (response.destroyed) abort()
  else response.once('close', abort)
  return gone.signal
}

/** How long and how much a request may go on after its answer: long enough for the caller to stop and read it. */
export const LINGER_MILLISECONDS = 2_000
export const LINGER_BYTES = 16 * 1024 * 1024
