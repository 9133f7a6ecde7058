import { transport as platformTransport } from '#transport'
import type { RpcOperation } from './operation.js'
import { type AddressOptions, createAddress } from './rpc/address.js'
import { coalesce } from './rpc/batch.js'
import {
  type CallTerms,
  type RpcCallOptions,
  type RpcContext,
  sendCalls,
  sendRaw,
  startCall,
} from './rpc/call.js'
import { CALL, type RpcCallable } from './rpc/caller.js'
import {
  describeMethod,
  type RpcChecks,
  type RpcService,
  type RpcValidation,
  readMethods,
  withValidation,
} from './rpc/method.js'
import { type PendingCall, settle } from './rpc/pending-call.js'
import { callError } from './rpc/response.js'
import { CallError } from './shared/call-error.js'
import { checkOptions } from './shared/check-options.js'
import type { Hooks } from './shared/hooks.js'
import type { Warning } from './shared/issues.js'
import type { Why } from './shared/load-explanations.js'
import { type Clock, type Retry, systemClock } from './shared/retry.js'
import type { Transport } from './transport/web-transport.js'

export { CallError, HttpError, type Issue, isCallError, RpcError } from './errors.js'
export type { RpcCallOptions } from './rpc/call.js'
export {
  isRpcError,
  type Method,
  type MethodCall,
  type MethodMap,
  type MethodType,
  type RpcCallable,
  type RpcCaller,
  type RpcConnection,
} from './rpc/caller.js'
export type { RpcService, RpcValidation } from './rpc/method.js'
export type { Secret } from './shared/credentials.js'
export type { HookRequest, Hooks } from './shared/hooks.js'
export type { Warning } from './shared/issues.js'
export type { Clock, Retry } from './shared/retry.js'

/** The part of the platform's `fetch` that is used here. */
export type Fetch = Transport

/**
 * A client for every method of the service: each operation under its id, and `request`, `raw`, `notify`, `with` and
 * `batch` beside them. `validators` is the generated module of that name; `why` loads the one that explains what these reject,
 * when the first value is rejected.
 *
 * Throws a TypeError for options that cannot work: an unknown server, a variable without a value, a header that HTTP does
 * not allow, a credential that the document does not have, missing validators. A call rejects with an RpcError where the server refuses it, with an HttpError where HTTP
 * does, and with a CallError where it has no usable response.
 */
export const createRpc = <Client>(
  service: RpcService,
  validators: object,
  options: RpcOptions = {},
  why: Why | undefined = options.explanations,
): Client => {
  checkOptions(options)
  const { validate, retry = {}, clock, fetch, timeout = 60_000, signal, batch, onWarning } = options
  const methods = readMethods(service.operations, validators, validate)
  const context: RpcContext = {
    service,
    address: createAddress(service, options),
    transport: fetch ?? platformTransport,
    retry,
    clock: { ...systemClock, ...retry.clock, ...clock },
    why,
    hooks: options,
    reading: validate?.response === 'strict' ? 'strict' : 'tolerant',
    onWarning,
    lastId: 0,
  }

  const clientOver = (terms: CallTerms): UntypedClient => {
    const start = (
      { method: name, params }: Request,
      own: RpcCallOptions = {},
      isNotification = false,
      enqueue = terms.enqueue,
    ) => {
      const method = methods.get(name)
      return method === undefined
        ? Promise.reject(unknownMethod(name))
        : startCall(context, { ...mergeTerms(terms, own), enqueue }, method, params, isNotification)
    }
    const named: Record<string, (...given: readonly unknown[]) => Promise<unknown>> = {}
    for (const method of methods.values()) {
      named[method.operation.id] = (...given) =>
        startCall(context, terms, method, method.isNamed ? given[0] : given)
    }
    const client: UntypedClient = {
      [CALL]: (method, given) => startCall(context, terms, withValidation(method, validate), given),
      request: (request, own) => start(request, own),
      raw: (request, own) => start(request, own, false, (call) => void sendRaw(context, call)),
      notify: (method, params, own) => start({ method, params }, own, true),
      with: (own) => clientOver(mergeTerms(terms, own)),
      batch: async (collect) => {
        const calls: PendingCall[] = []
        let isCollecting = true
        const enqueue = (call: PendingCall) => {
          if (isCollecting) calls.push(call)
          else terms.enqueue(call)
        }
        const collected = () => (isCollecting ? calls : (terms.collected?.() ?? []))
        try {
          const result = collect(clientOver({ ...terms, enqueue, collected }))
          sendCalls(context, calls, 'batch')
          return result
        } catch (cause) {
          for (const call of calls) abandon(call, cause)
          throw cause
        } finally {
          isCollecting = false
        }
      },
    }
    return Object.assign(named, client)
  }

  const flush = (calls: readonly PendingCall[]) => sendCalls(context, calls, 'single')
  const enqueue = batch === 'auto' ? coalesce(flush) : (call: PendingCall) => flush([call])
  // The types of params and results are stated by generated code.
  return clientOver({ enqueue, timeout, signals: signal ? [signal] : [] }) as Client
}

/**
 * One method as a function by itself, so that a bundle contains this method alone. `checks` are those of `validators.ts`.
 *
 * ```ts
 * const ethChainId = rpcMethod(operations.ethChainId, validators.ethChainId)
 * await ethChainId(connection)
 * ```
 */
export const rpcMethod = <Call>(operation: RpcOperation, checks: RpcChecks): Call => {
  const method = describeMethod(operation, checks)
  const call = (client: RpcCallable, ...given: readonly unknown[]) =>
    client[CALL](method, method.isNamed ? given[0] : given)
  // The types of params and results are stated by generated code.
  return call as unknown as Call
}

/**
 * How a client is created. `server` is a name from the document or an address, to which the documented path is appended
 * unless it ends with it; the first documented server by default.
 */
export type RpcOptions<ServerName extends string = string, Auth extends object = object> = Omit<
  AddressOptions,
  'server' | 'auth'
> &
  Hooks & {
    readonly server?: ServerName | (string & Readonly<Record<never, never>>) | URL | undefined
    /** The secrets, by the name of their variable: never shown in an error. */
    readonly auth?: Auth | undefined
    readonly fetch?: Fetch | undefined
    /** Milliseconds for each call, waiting and retries included; 60,000 by default, Infinity for no end. */
    readonly timeout?: number | undefined
    /** Ends every call of the client. */
    readonly signal?: AbortSignal | undefined
    /** `auto` sends the calls of one microtask together; `off`, the default, each by itself. */
    readonly batch?: 'off' | 'auto' | undefined
    readonly validate?: RpcValidation | undefined
    /** Receives each response that differs from the document and is returned nevertheless. */
    readonly onWarning?: ((warning: Warning) => unknown) | undefined
    /**
     * Loads what says why a value is invalid, where the generated client does not: `() => import('./explanations.js')`. It
     * refers to all methods, so a bundle of one method is smaller without it.
     * Without it, errors have no `issues`, and a result that only the tolerant reading accepts rejects the call.
     */
    readonly explanations?: Why | undefined
    /** For methods that the document calls idempotent; no other is ever sent again. */
    readonly retry?: Retry | undefined
    readonly clock?: Partial<Clock> | undefined
  }

type UntypedClient = RpcCallable & {
  readonly request: (request: Request, options?: RpcCallOptions) => Promise<unknown>
  readonly raw: (request: Request, options?: RpcCallOptions) => Promise<unknown>
  readonly notify: (method: string, params?: unknown, options?: RpcCallOptions) => Promise<unknown>
  readonly with: (options: RpcCallOptions) => UntypedClient
  readonly batch: (collect: (batch: UntypedClient) => unknown) => Promise<unknown>
}

type Request = { readonly method: string; readonly params?: unknown }

const mergeTerms = (outer: CallTerms, { timeout, signal }: RpcCallOptions): CallTerms => ({
  ...outer,
  timeout: timeout ?? outer.timeout,
  signals: signal === undefined ? outer.signals : [...outer.signals, signal],
})

const unknownMethod = (operation: string): CallError =>
  new CallError({
    reason: 'invalid-input',
    operation,
    message: `${operation} was not sent: the document has no such method`,
  })

/** The callback of a batch threw: its calls are not sent, and nobody has to handle their rejections. */
const abandon = (call: PendingCall, cause: unknown): void => {
  call.promise.catch(() => undefined)
  settle(
    call,
    'reject',
    callError(call, 'aborted', ' was not sent: its batch was given up', { cause }),
  )
}
