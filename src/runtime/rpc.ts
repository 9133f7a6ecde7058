import {
  type CallTerms,
  type Enqueue,
  type RpcCallOptions,
  startCall,
  startDeadline,
} from './rpc/call.js'
import {
  type ClientContextOptions,
  createClientContext,
  type RpcService,
} from './rpc/client-context.js'
import { coalesce, type Flush } from './rpc/coalesce.js'
import { createLoadRest } from './rpc/load-rest.js'
import { type RpcValidation, readMethods, unknownMethod } from './rpc/method.js'
import { deliver } from './rpc/post.js'
import type { Fetch } from './rpc/send.js'
import type { Why } from './shared/load-explanations.js'
import type { Clock, Retry } from './shared/retry.js'

export { CallError, HttpError, RpcError } from './errors.js'
export type { RpcCallOptions } from './rpc/call.js'
export {
  isRpcError,
  type Method,
  type MethodMap,
  type MethodType,
  type RpcCaller,
} from './rpc/caller.js'
export type { RpcService } from './rpc/client-context.js'
export type { RpcValidation } from './rpc/method.js'
export type { Fetch } from './rpc/send.js'
export type { Secret } from './shared/credentials.js'
export type { Clock, Retry } from './shared/retry.js'

/**
 * A client for every method of the service: each operation under its id, and `request`, `notify`, `with` and `batch`
 * beside them. `validators` is the generated module of that name; `why` loads the one that explains what these refuse,
 * when the first value is refused.
 *
 * A call rejects with an RpcError where the server refuses it, with an HttpError where HTTP does, and with a CallError
 * where it comes to no usable answer. Unlike `createHttp` it never throws: a server that nobody named, headers that HTTP
 * does not allow and validators that are missing are told by each call, as params are that cannot be sent.
 */
export const createRpc = <Client>(
  service: RpcService,
  validators: object,
  options: RpcOptions = {},
  why?: Why,
): Client => {
  const { validate, batch: collection } = options
  const line = createClientContext(service, options, createLoadRest(), why)
  const methods = readMethods(service.operations, validators, validate)
  const flush: Flush = (calls) => deliver(calls, 'alone', line)

  const clientOver = (terms: CallTerms): UntypedClient => {
    const start = ({ method, params }: Asked, own: RpcCallOptions = {}, silent?: boolean) =>
      startCall(
        line,
        mergeTerms(terms, own),
        methods.get(method) ?? unknownMethod({ method }),
        params,
        silent,
      )
    const named = [...methods.values()].map((method) => [
      method.operation.id,
      (...given: readonly unknown[]) =>
        startCall(line, terms, method, method.isNamed ? given[0] : given),
    ])
    return {
      ...Object.fromEntries(named),
      request: (asked, own) => start(asked, own),
      notify: (method, params, own) => start({ method, params }, own, true),
      with: (own) => clientOver(mergeTerms(terms, own)),
      batch: async (collect) =>
        (line.batch ?? (await line.loadRest()).batch)(collect, terms, clientOver, line),
    }
  }

  const enqueue: Enqueue = collection === 'auto' ? coalesce(flush) : (call) => flush([call])
  // What the methods take and return is stated by generated code, beside this call.
  return clientOver(
    mergeTerms({ enqueue, begin: startDeadline, timeout: 60_000, signals: [] }, options),
  ) as Client
}

/** How a client is made; `server` is a name from the document or the URL of an endpoint, the first server by default. */
export type RpcOptions<
  ServerName extends string = string,
  Auth extends object = object,
> = ClientContextOptions & {
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

type UntypedClient = {
  readonly request: (asked: Asked, options?: RpcCallOptions) => Promise<unknown>
  readonly notify: (method: string, params?: unknown, options?: RpcCallOptions) => Promise<unknown>
  readonly with: (options: RpcCallOptions) => UntypedClient
  readonly batch: (collect: (batch: UntypedClient) => unknown) => Promise<unknown>
}

type Asked = { readonly method: string; readonly params?: unknown }

const mergeTerms = (outer: CallTerms, { timeout, signal }: RpcCallOptions): CallTerms => ({
  ...outer,
  timeout: timeout ?? outer.timeout,
  signals: outer.signals.concat(signal ?? []),
})
