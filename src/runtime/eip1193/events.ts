import type { ProviderRpcError } from './errors.js'

/** The events of EIP-1193; the last two are never emitted, for a server has neither accounts nor subscriptions. */
export type ProviderEvents = {
  readonly connect: { readonly chainId: string }
  readonly disconnect: ProviderRpcError
  readonly chainChanged: string
  readonly accountsChanged: readonly string[]
  readonly message: { readonly type: string; readonly data: unknown }
}

export type Listen<Provider> = <Event extends keyof ProviderEvents>(
  event: Event,
  listener: (value: ProviderEvents[Event]) => void,
) => Provider

/** Listeners are called after the response to the request that caused the event; what one throws is its own affair. */
export const createEvents = () => {
  let listeners: readonly Listener[] = []
  return {
    on: (event: string, listener: Listener['call']) => {
      listeners = [...listeners, { event, call: listener }]
    },
    /** Takes away one of those that were added, as an EventEmitter does. */
    removeListener: (event: string, listener: Listener['call']) => {
      const at = listeners.findLastIndex((one) => one.event === event && one.call === listener)
      listeners = listeners.filter((_, index) => index !== at)
    },
    has: (...events: readonly string[]) => listeners.some(({ event }) => events.includes(event)),
    emit: <Event extends keyof ProviderEvents>(event: Event, value: ProviderEvents[Event]) => {
      for (const one of listeners)
        if (one.event === event) queueMicrotask(() => one.call(value as never))
    },
  }
}

/** Each event has a value of its own, which `Listen` states. */
type Listener = { readonly event: string; readonly call: (value: never) => void }
