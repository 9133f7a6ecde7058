import { ProviderRpcError, providerError } from './eip1193/errors.js'
import { createEvents, type Listen } from './eip1193/events.js'
import {
  createRpc,
  type MethodMap,
  namedParams,
  type RpcCaller,
  type RpcOptions,
  type RpcService,
} from './rpc.js'
import type { Why } from './shared/explain.js'

export { ProviderRpcError } from './eip1193/errors.js'
export type { Listen, ProviderEvents } from './eip1193/events.js'

/**
 * A provider by EIP-1193 over a JSON-RPC client. `request` rejects with a ProviderRpcError. It holds no connection: it
 * emits `connect` after the first request that reaches the server, `disconnect` after one that does not, and `chainChanged`
 * where the server says another chain id than before. Calls of one turn go out as one batch.
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
      const message = 'a request is an object with a method and maybe params'
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
  // What the methods take and return is stated by generated code.
  return provider as Eip1193Provider<Methods>
}

/** What libraries ask in words of their own is answered too, untyped. */
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

type Requester = {
  readonly request: (call: {
    readonly method: string
    readonly params?: unknown
  }) => Promise<unknown>
}

const WHICH_CHAIN = 'eth_chainId'

/** EIP-1193: the provider reaches no chain at all. */
const DISCONNECTED = 4900
