import type { CallTerms, Deadline, PendingCall } from './call.js'
import type { Line } from './client-context.js'
import { loaded } from './loaded.js'

/**
 * Sends as one batch what is called, while `collect` runs, on the client that it is given; later calls of that client go
 * where those under `terms` do. Where `collect` throws, nothing is sent.
 */
export const batch = async <Client>(
  collect: (client: Client) => unknown,
  terms: CallTerms,
  clientOver: (terms: CallTerms) => Client,
  line: Line,
): Promise<unknown> => {
  line.batch = batch
  const collector = spares.get(terms) ?? openCollector(terms, clientOver)
  const calls: PendingCall[] = []
  spares.delete(terms)
  collector.enqueue = (call) => calls.push(call)
  collector.begin = (timeout) => shared(calls, timeout) ?? terms.begin(timeout)
  try {
    const result = collect(collector.client as Client)
    loaded.deliver(calls, 'batch', line)
    return result
  } catch (error) {
    for (const call of calls) {
      const operation = call.method.operation.method
      const message = `${operation} was not sent: its batch was given up`
      const details = { reason: 'aborted', operation, message } as const
      // Nobody need hear it.
      call.promise.catch(() => undefined)
      loaded.settle(call, 'reject', new loaded.CallError(details, { cause: error }))
    }
    throw error
  } finally {
    collector.enqueue = terms.enqueue
    collector.begin = terms.begin
    spares.set(terms, collector)
  }
}

type Collector = Mutable<Pick<CallTerms, 'enqueue' | 'begin'>> & { readonly client: unknown }

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

const shared = (calls: readonly PendingCall[], timeout: number): Deadline | undefined => {
  const deadline = calls.at(-1)?.deadline
  return deadline?.timeout === timeout && deadline.calls.some(({ isOver }) => !isOver)
    ? deadline
    : undefined
}

const openCollector = (terms: CallTerms, clientOver: (terms: CallTerms) => unknown): Collector => {
  const collector: Collector = {
    enqueue: terms.enqueue,
    begin: terms.begin,
    client: clientOver({
      ...terms,
      enqueue: (call) => collector.enqueue(call),
      begin: (timeout) => collector.begin(timeout),
    }),
  }
  return collector
}

/** A client has a function for each method: it is made once for each client, and once more only for a batch within a batch. */
const spares = new WeakMap<CallTerms, Collector>()
