import { CallError, HttpError, RpcError } from './errors.js'
import type { Requester } from './rpc/caller.js'
import {
  createRpc,
  type MethodMap,
  namedParams,
  type RpcCaller,
  type RpcOptions,
  type RpcService,
} from './rpc.js'
import type { Why } from './shared/explain.js'

/**
 * An EIP-1193 provider over a JSON-RPC client. `request` rejects with a ProviderRpcError. There is no permanent connection:
 * `connect` is emitted after the first request that reaches the server, and `disconnect` after one that does not.
 * `chainChanged` is emitted if the server returns another chain id than before. Calls of one microtask are sent as one batch.
 */
export const createEip1193Provider = <Methods extends MethodMap>(
  service: RpcService,
  validators: object,
  options: RpcOptions,
  why: Why,
): Eip1193Provider<Methods> => {
  const client = createRpc<Requester>(service, validators, { batch: 'auto', ...options }, why, {
    namedParams,
  })
  const methods = new Set(Object.values(service.operations).map(({ method }) => method))
  const events = createEvents()
  let isConnected: boolean | undefined
  let chainId: string | undefined

  const reached = async (method: string, result: unknown): Promise<void> => {
    const wasConnected = isConnected
    isConnected = true
    const isAsked = wasConnected !== true && events.has('connect', 'chainChanged')
    const chainIdNow =
      method === WHICH_CHAIN
        ? result
        : isAsked && methods.has(WHICH_CHAIN)
          ? await client.request({ method: WHICH_CHAIN }).catch(() => undefined)
          : undefined
    if (typeof chainIdNow === 'string') {
      const before = chainId
      chainId = chainIdNow
      if (before !== undefined && before !== chainIdNow) events.emit('chainChanged', chainIdNow)
    }
    if (wasConnected !== true && chainId !== undefined) events.emit('connect', { chainId })
  }

  const lost = (error: ProviderRpcError): void => {
    if (isConnected !== false) events.emit('disconnect', error)
    isConnected = false
  }

  const request = async (args: Asked): Promise<unknown> => {
    if (typeof args?.method !== 'string') {
      const message = 'the request must be an object with a method and optional params'
      throw new ProviderRpcError({ code: -32600, message })
    }
    const { method, params } = args
    if (!methods.has(method)) {
      const message = `the document has no method ${method}`
      throw new ProviderRpcError({ code: 4200, message })
    }
    try {
      const result = await client.request({ method, params })
      void reached(method, result)
      return result
    } catch (thrown) {
      const error = providerError(thrown)
      if (error.code === DISCONNECTED) lost(error)
      throw error
    }
  }
  const provider: UntypedProvider = {
    request,
    on: (event, listener) => {
      events.on(event, listener)
      return provider
    },
    removeListener: (event, listener) => {
      events.removeListener(event, listener)
      return provider
    },
  }
  // Generated code declares the params and results of the methods.
  return provider as Eip1193Provider<Methods>
}

/** The provider of a document's methods. Libraries with their own request types can call it too, untyped. */
export type Eip1193Provider<Methods extends MethodMap> = {
  readonly request: RpcCaller<Methods>['request'] & ((args: Asked) => Promise<unknown>)
  readonly on: Listen<Eip1193Provider<Methods>>
  readonly removeListener: Listen<Eip1193Provider<Methods>>
}

type UntypedProvider = {
  readonly request: (args: Asked) => Promise<unknown>
  readonly on: Listen<UntypedProvider>
  readonly removeListener: Listen<UntypedProvider>
}

type Asked = { readonly method: string; readonly params?: readonly unknown[] | object | undefined }

const WHICH_CHAIN = 'eth_chainId'

/** EIP-1193: the provider is disconnected from all chains. */
const DISCONNECTED = 4900

/** The events of EIP-1193; the last two are never emitted, because a server has neither accounts nor subscriptions. */
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

/**
 * Listeners are called after the response to the request that caused the event; an error of a listener does not affect the
 * request.
 */
const createEvents = () => {
  let listeners: readonly Listener[] = []
  return {
    on: (event: string, listener: Listener['call']) => {
      listeners = [...listeners, { event, call: listener }]
    },
    /** Removes one registration of a listener, as an EventEmitter does. */
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

/** Each event has its own value type, which `Listen` declares. */
type Listener = { readonly event: string; readonly call: (value: never) => void }

/** An error of a provider: `code` by EIP-1193 or EIP-1474, or the server's own code with its `data`. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  declare readonly code: number
  declare readonly data: unknown

  constructor(
    { message, ...details }: { code: number; message: string; data?: unknown },
    options?: ErrorOptions,
  ) {
    super(message, options)
    Object.assign(this, { data: undefined }, details)
  }
}

/** Converts the error of a call to a ProviderRpcError, with the original error as its cause. */
const providerError = (cause: unknown): ProviderRpcError => {
  const message = cause instanceof Error ? cause.message : String(cause)
  const data = cause instanceof RpcError ? cause.data : undefined
  return new ProviderRpcError({ code: codeOf(cause), message, data }, { cause })
}

const codeOf = (error: unknown): number => {
  if (error instanceof RpcError) return error.code
  if (error instanceof HttpError) return STATUS[error.status] ?? INTERNAL
  return error instanceof CallError ? (REASON[error.reason] ?? INTERNAL) : INTERNAL
}

/** EIP-1474: internal error. */
const INTERNAL = -32603

/** 4100 unauthorized, -32005 limit exceeded, 4900 disconnected. */
const STATUS: Readonly<Record<number, number>> = {
  401: 4100,
  403: 4100,
  429: -32005,
  502: 4900,
  503: 4900,
  504: 4900,
}

const REASON: Readonly<Partial<Record<CallError['reason'], number>>> = {
  network: 4900,
  timeout: 4900,
  'invalid-input': -32602,
}
