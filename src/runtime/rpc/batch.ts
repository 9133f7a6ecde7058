import { type Enqueue, giveUp, type PendingCall } from './call.js'

/**
 * Collects what is called on a client while `collect` runs, and flushes it when that returns; later calls go where `later`
 * takes them. Where it throws, nothing is sent.
 */
export const createBatches = <Client>(
  clientOver: (enqueue: Enqueue) => Client,
  flush: Flush,
  later: Enqueue,
): ((collect: (client: Client) => unknown) => Promise<unknown>) => {
  // A client has a function for each method: it is made once, and once more only for a batch within a batch.
  let spare: Collector<Client> | undefined
  const open = () => {
    const made = { enqueue: later, client: clientOver((call) => made.enqueue(call)) }
    return made
  }
  return async (collect) => {
    const collector = spare ?? open()
    const calls: PendingCall[] = []
    spare = undefined
    collector.enqueue = (call) => calls.push(call)
    try {
      const result = collect(collector.client)
      flush(calls)
      return result
    } catch (error) {
      for (const call of calls) {
        // Nobody need hear it.
        call.promise.catch(() => undefined)
        giveUp(call, 'aborted', ' was not sent: its batch was given up', error)
      }
      throw error
    } finally {
      collector.enqueue = later
      spare = collector
    }
  }
}

type Collector<Client> = { enqueue: Enqueue; readonly client: Client }

export type Flush = (calls: readonly PendingCall[]) => void

/** Collects calls until the current turn's microtasks come to it, then flushes them together. */
export const coalesce = (flush: Flush): Enqueue => {
  const waiting: PendingCall[] = []
  const send = () => flush(waiting.splice(0))
  return (call) => {
    if (waiting.push(call) === 1) queueMicrotask(send)
  }
}
