import { type Enqueue, giveUp, type PendingCall } from './call.js'

/**
 * Collects what is called while `collect` runs and flushes it when that returns; later calls go where `later` takes
 * them. Where it throws, nothing is sent.
 */
export const collectBatch = <T>(
  collect: (enqueue: Enqueue) => T,
  flush: Flush,
  later: Enqueue,
): T => {
  const collected: PendingCall[] = []
  let enqueue: Enqueue = (call) => collected.push(call)
  try {
    const result = collect((call) => enqueue(call))
    flush(collected)
    return result
  } catch (error) {
    for (const call of collected) {
      // Nobody need hear it.
      call.promise.catch(() => undefined)
      giveUp(call, 'aborted', ' was not sent: its batch was given up', error)
    }
    throw error
  } finally {
    enqueue = later
  }
}

export type Flush = (calls: readonly PendingCall[]) => void

/** Collects calls until the current turn's microtasks come to it, then flushes them together. */
export const coalesce = (flush: Flush): Enqueue => {
  let waiting: PendingCall[] = []
  return (call) => {
    if (waiting.length === 0) {
      queueMicrotask(() => {
        const calls = waiting
        waiting = []
        flush(calls)
      })
    }
    waiting.push(call)
  }
}
