import { RpcError } from '../errors.js'
import type { RpcOperation, RpcValidators } from '../operation.js'
import type { ProgressingCall, RunningCalls } from '../rpc/running-calls.js'
import { paramsWith } from '../shared/sent-params.js'

/** The subscriptions of one connection. */
export type ServedSubscriptions = {
  /** Begins to send the items, after `ready`. Returns the id of the subscription. Throws an RpcError if there are too many. */
  readonly begin: (
    subscribing: SubscribingMethod,
    items: AsyncIterable<unknown>,
    ready: Promise<unknown>,
  ) => unknown
  /** Ends a subscription; false if there is none with this id. */
  readonly end: (id: unknown) => boolean
  /** Ends all, at the end of the connection. */
  readonly endAll: () => void
}

/** A connection over a link. */
export type ServerConnection = {
  /** The other side. */
  readonly peer: () => unknown
  /** Undefined if nothing can be sent after the response. */
  readonly subscriptions: ServedSubscriptions | undefined
  /** The calls of the other side, if the document has `x-cancel` or `x-progress`. */
  readonly calls?: RunningCalls | undefined
  /** The function that sends the progress of a call, if the document has `x-progress`. */
  readonly progressOf?: (call: ProgressingCall) => (value: unknown) => Promise<void>
  /** Receives the progress of calls of the server; `ignore` is called for the progress of any other. */
  readonly receiveProgress?: (params: unknown, ignore: () => void) => void
  /** Resolves when the response to the call was sent. */
  readonly responded: Promise<unknown>
}

type SubscribingMethod = {
  readonly operation: RpcOperation
  readonly validators: Pick<RpcValidators, 'result'> | undefined
}

/** What a server sends for subscriptions. */
export type Notifications = {
  readonly sent: Readonly<Record<string, RpcOperation>>
  readonly notify: (method: string, params: unknown) => Promise<unknown>
  /** Whether the params of a notification are valid. */
  readonly accepts: (method: string, params: unknown) => boolean
  readonly report: (error: unknown, operation: RpcOperation) => void
}

/** Creates the subscriptions of one connection, at most `most` at once. */
export const createServedSubscriptions = (
  { sent, notify, accepts, report }: Notifications,
  most: number,
): ServedSubscriptions => {
  const running = new Map<string, () => void>()
  let count = 0

  const send = (operation: RpcOperation, id: unknown, item: unknown): Promise<unknown> => {
    const { id: idAt = '', notifications = [] } = operation.subscription ?? {}
    const all = notifications.flatMap((one) => {
      const notification = Object.values(sent).find(({ method }) => method === one.method)
      if (!notification) return []
      const values = [[idAt, id] as const, [one.item, item] as const]
      return [{ method: one.method, params: paramsWith(notification, values) }]
    })
    const fit = all.find(({ method, params }) => accepts(method, params)) ?? all[0]
    return fit ? notify(fit.method, fit.params) : Promise.resolve()
  }

  const begin: ServedSubscriptions['begin'] = ({ operation, validators }, items, ready) => {
    const iterator = items[Symbol.asyncIterator]()
    const leave = () => void iterator.return?.().catch(() => undefined)
    if (running.size >= most) {
      leave()
      throw new RpcError({ code: -32005, message: `Too many subscriptions: at most ${most}` })
    }
    count += 1
    const id = createId(count, validators)
    const key = JSON.stringify(id)
    running.set(key, leave)
    const pump = async (): Promise<void> => {
      await ready
      while (running.get(key) === leave) {
        const step = await iterator.next()
        if (step.done || running.get(key) !== leave) return
        await send(operation, id, step.value)
      }
    }
    pump()
      .catch((error) => {
        if (running.get(key) === leave) report(error, operation)
        leave()
      })
      .finally(() => running.delete(key))
    return id
  }

  const end = (id: unknown): boolean => {
    const key = JSON.stringify(id)
    const leave = running.get(key)
    running.delete(key)
    leave?.()
    return leave !== undefined
  }

  return {
    begin,
    end,
    endAll: () => {
      for (const key of [...running.keys()]) end(JSON.parse(key))
    },
  }
}

/** The result of a method that unsubscribes, for an id that no subscription of the connection has. */
export const notSubscribed = ({ result }: Pick<RpcValidators, 'result'>): false | null =>
  result.check(false) ? false : null

/** An id that the schema of the result accepts: a random hexadecimal text, a number, or a text of digits. */
const createId = (count: number, validators: SubscribingMethod['validators']): unknown => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  const accepts = (id: unknown): boolean => validators?.result.check(id) ?? true
  return [hex, count, String(count)].find(accepts) ?? hex
}
