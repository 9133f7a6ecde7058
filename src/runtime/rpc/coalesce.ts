import type { Enqueue, PendingCall } from './call.js'

/** Collects calls until the current turn's microtasks come to it, then flushes them together. */
export const coalesce = (flush: Flush): Enqueue => {
  const waiting: PendingCall[] = []
  const send = () => flush(waiting.splice(0))
  return (call) => {
    if (waiting.push(call) === 1) queueMicrotask(send)
  }
}

export type Flush = (calls: readonly PendingCall[]) => void
