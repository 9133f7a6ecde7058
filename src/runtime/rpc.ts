import { type Clock, type Retry, systemClock } from './ground/retry.js'
import { coalesce, collectBatch, type Flush } from './rpc/batch.js'
import { type Enqueue, type RpcCallOptions, startCall } from './rpc/call.js'
import { createDelivery } from './rpc/delivery.js'
import { createEndpoint, type EndpointOptions, type RpcService } from './rpc/endpoint.js'
import type { Fetch } from './rpc/exchange.js'
import { findMethod, type RpcMethod, type RpcValidation, readMethods } from './rpc/method.js'

export { CallError, HttpError, RpcError } from './errors.js'
export type { Secret } from './ground/credentials.js'
export type { Clock, Retry } from './ground/retry.js'
export type { RpcCallOptions } from './rpc/call.js'
export {
  isRpcError,
  type Method,
  type MethodMap,
  type MethodType,
  type RpcCaller,
} from './rpc/caller.js'
export type { RpcService } from './rpc/endpoint.js'
export type { Fetch } from './rpc/exchange.js'
export type { RpcValidation } from './rpc/method.js'

/**
 * A client for every method of the service: each operation under its id, and `request`, `notify`, `with` and `batch`
 * beside them. `validators` is the generated module of that name.
 *
 * A call rejects with an RpcError where the server refuses it, with an HttpError where HTTP does, and with a CallError
 * where it comes to no usable answer. Throws a TypeError for options that no call could be sent with.
 */
export const createRpc = <Client>(
  service: RpcService,
  validators: object,
  options: RpcOptions = {},
): Client => {
  const { retry = {}, timeout = 60_000, signal } = options
  const clock = { ...systemClock, ...retry.clock, ...options.clock }
  const line = {
    endpoint: createEndpoint(service, options),
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
  }
  const deliver = createDelivery(line, { limits: service.limits ?? {}, retry, clock })
  const methods = readMethods(service.operations, validators, options.validate, service.limits)
  const byWireName = new Map(methods.map((method) => [method.operation.method, method]))
  let lastId = 0
  const nextId = () => {
    lastId += 1
    return lastId
  }

  const clientOver = (enqueue: Enqueue, defaults: RpcCallOptions): UntypedClient => {
    const call = (method: RpcMethod | Error, given: unknown, own: RpcCallOptions, id?: NextId) => {
      if (method instanceof Error) return Promise.reject(method)
      const callOptions = mergeOptions(defaults, own)
      const request = { ...method, given, options: callOptions, nextId: id, now: clock.now }
      try {
        return startCall(request, enqueue)
      } catch (error) {
        // A getter or a toJSON within the params.
        return Promise.reject(error)
      }
    }
    const named = methods.map((method) => {
      const { id, paramStructure } = method.operation
      const readGiven = (args: unknown[]) => (paramStructure === 'by-name' ? args[0] : args)
      return [id, (...args: unknown[]) => call(method, readGiven(args), {}, nextId)] as const
    })
    return {
      ...Object.fromEntries(named),
      request: ({ method, params }, own = {}) =>
        call(findMethod(byWireName, method), params, own, nextId),
      notify: (method, params, own = {}) => call(findMethod(byWireName, method), params, own),
      with: (own) => clientOver(enqueue, mergeOptions(defaults, own)),
      batch: async (collect) =>
        collectBatch(
          (collected) => collect(clientOver(collected, defaults)),
          (calls) => deliver(calls, 'batch'),
          enqueue,
        ),
    }
  }

  const send: Flush = (calls) => deliver(calls, 'alone')
  const enqueue: Enqueue = options.batch === 'auto' ? coalesce(send) : (call) => send([call])
  // What the methods take and return is stated by generated code, beside this call.
  return clientOver(enqueue, { timeout, signal }) as Client
}

/** How a client is made; `server` is a name from the document or the URL of an endpoint, the first server by default. */
export type RpcOptions<
  ServerName extends string = string,
  Auth extends object = object,
> = EndpointOptions & {
  readonly server?: ServerName | (string & Readonly<Record<never, never>>) | URL | undefined
  /** Values of the server's variables. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined
  /** The secrets, by the name of their variable: never shown in an error. */
  readonly auth?: Auth | undefined
  /** Sent with every request. */
  readonly headers?: HeadersInit | undefined
  readonly fetch?: Fetch | undefined
  /** Milliseconds for each call, waiting and retries included; 60,000 by default, Infinity for no end. */
  readonly timeout?: number | undefined
  /** Ends every call of the client. */
  readonly signal?: AbortSignal | undefined
  /** `auto` sends the calls of one microtask together; `off`, the default, each by itself. */
  readonly batch?: 'off' | 'auto' | undefined
  readonly validate?: RpcValidation | undefined
  /** For methods that the document calls idempotent; no other is ever sent again. */
  readonly retry?: Retry | undefined
  readonly clock?: Partial<Clock> | undefined
}

type NextId = () => number

type UntypedClient = {
  readonly request: (
    call: { readonly method: string; readonly params?: unknown },
    options?: RpcCallOptions,
  ) => Promise<unknown>
  readonly notify: (method: string, params?: unknown, options?: RpcCallOptions) => Promise<unknown>
  readonly with: (options: RpcCallOptions) => UntypedClient
  readonly batch: (collect: (batch: UntypedClient) => unknown) => Promise<unknown>
}

/** The nearer timeout counts; every signal does. */
const mergeOptions = (outer: RpcCallOptions, own: RpcCallOptions): RpcCallOptions => {
  const signals = [outer.signal, own.signal].filter((signal) => signal !== undefined)
  return {
    timeout: own.timeout ?? outer.timeout,
    signal: signals.length > 1 ? AbortSignal.any(signals) : signals[0],
  }
}
