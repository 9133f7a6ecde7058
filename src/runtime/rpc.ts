import { type ClientOptions, readOptions } from './client-options.js'
import type { CallError } from './errors.js'
import { createHttpLink, type HttpLink } from './link/http.js'
import { ResponseTooLarge } from './link/http-exchange.js'
import type { RpcLink } from './link/link.js'
import type { serverSocket } from './link/socket.js'
import type { RpcOperation } from './operation.js'
import {
  type CallTerms,
  type PendingCall,
  type RpcCallContext,
  type RpcCallOptions,
  type RpcChecks,
  type RpcMethod,
  type RpcService,
  type SharedDeadline,
  settle,
  startCall,
} from './rpc/call.js'
import { CALL, type namedParams, type RpcCallable } from './rpc/caller.js'
import type { serveHandlers } from './rpc/incoming.js'
import { callError, isCall } from './rpc/match.js'
import type { addPages } from './rpc/pages.js'
import type { ProgressOption, trackProgress } from './rpc/progress.js'
import type { cancelWriter } from './rpc/running-calls.js'
import { sendAlone, sendCalls } from './rpc/send.js'
import type { createSubscriptions } from './rpc/subscriptions.js'
import type { Auth } from './shared/credentials.js'
import { onEnd, signalOf } from './shared/deadline.js'
import type { Why } from './shared/explain.js'
import { redactor } from './shared/redact.js'
import { validatorsFor } from './shared/validators.js'

export { mergeOptions, type Validation as RpcValidation } from './client-options.js'
export { CallError, HttpError, type Issue, isCallError, RpcError } from './errors.js'
export type {
  DuplexLink,
  ExchangeLink,
  LinkConnection,
  LinkEvents,
  LinkRejection,
  LinkResponse,
  RpcLink,
  Sending,
} from './link/link.js'
export type { Fetch } from './link/transport.js'
export type { RpcCallOptions, RpcService } from './rpc/call.js'
export {
  isRpcError,
  type Method,
  type MethodCall,
  type MethodMap,
  type MethodType,
  namedParams,
  type RpcCallable,
  type RpcCaller,
  type RpcConnection,
  type VariantMethod,
} from './rpc/caller.js'
export { addPages, type PagedMethod } from './rpc/pages.js'
export type { Secret } from './shared/credentials.js'
export type { Clock } from './shared/deadline.js'
export { addGroups } from './shared/groups.js'
export type { HookRequest, Hooks } from './shared/hooks.js'
export type {
  DeprecationWarning,
  ResponseWarning,
  UnmatchedWarning,
  Warning,
} from './shared/issues.js'
export type { Retry } from './shared/retry.js'

/**
 * Creates the client of a JSON-RPC service: a function for each method under its id, and `request`, `raw`, `notify`, `with` and
 * `batch`. `validators` is the generated module of that name. `why` loads the generated module that explains errors, when the
 * first value is rejected. `parts` are functions that only some documents need: `namedParams` for methods that take their
 * params by position and by name, `addPages` for methods with pages, `group` for the groups of a client, `serverSocket` for servers that are
 * WebSockets, `serveHandlers` for what the server sends, `createSubscriptions` for subscriptions,
 * `cancelWriter` and `trackProgress` for documents with `x-cancel` and `x-progress`, `ids` for clients that share their ids.
 *
 * Throws a TypeError for invalid options: an unknown server, a variable without a value, a header that HTTP does not allow, a
 * credential that the document does not have, missing validators. A call rejects with an RpcError for a JSON-RPC error, and
 * with an HttpError for an HTTP error. Without a usable response, it rejects with a CallError.
 */
export const createRpc = <Client>(
  service: RpcService,
  validators: object,
  options: RpcOptions = {},
  why: Why | undefined = options.explanations,
  parts: {
    readonly namedParams?: typeof namedParams
    readonly addPages?: typeof addPages
    readonly group?: (client: object) => unknown
    readonly serverSocket?: typeof serverSocket
    readonly serveHandlers?: typeof serveHandlers
    readonly createSubscriptions?: typeof createSubscriptions
    readonly ids?: RpcCallContext['ids']
    readonly cancelWriter?: typeof cancelWriter
    readonly trackProgress?: typeof trackProgress
  } = {},
): Client => {
  const settings = readOptions(service, { ...options, explanations: why })
  const { signal, batch, handlers } = options
  const link =
    options.link ?? parts.serverSocket?.(service, settings) ?? createHttpLink(service, settings)
  const isOwn = 'kind' in link
  const { ids = { last: 0 } } = parts
  const secrets = isOwn ? link.secrets : undefined
  const incoming = parts.serveHandlers?.(service, validators, settings, handlers, secrets)
  let own: HttpLink | undefined
  const findLink = () =>
    isOwn || options.jsonRpc
      ? // The code of other links and versions is loaded by the first call.
        (own ??
        import('./rpc/own-link.js').then(({ findOwnLink }) => {
          own = findOwnLink(
            settings,
            link,
            { ...options, ...parts, service, incoming },
            { signalOf, onEnd, redactor, ResponseTooLarge, isCall },
          )
          return own
        }))
      : link
  const begin = parts.trackProgress?.(service, incoming, settings) ?? startCall
  const context: RpcCallContext = { limits: service.limits, findLink, settings, incoming, ids }
  const { request, response } = settings.validate
  const isChecked = request !== 'off' || response !== 'off'
  const methods = new Map(
    Object.values(service.operations).map((operation): [string, RpcMethod] => {
      const checks = isChecked ? validatorsFor<RpcChecks>(validators, operation.id) : {}
      return [operation.method, { operation, checks }]
    }),
  )

  const clientOver = (terms: CallTerms): UntypedClient => {
    // Clients that collect batches are reused, because each has a function for every method.
    const idle: Collector[] = []
    const createCollector = (): Collector => {
      let current: Collected | undefined
      const enqueue = (call: PendingCall) => {
        if (current) current.calls.push(call)
        else terms.enqueue(call)
      }
      return {
        client: clientOver({ ...terms, enqueue, shared: () => current }),
        collectIn: (collected) => {
          current = collected
        },
      }
    }
    const start = (
      { method: name, params }: Request,
      own: RpcCallOptions = {},
      isNotification?: true,
      enqueue = terms.enqueue,
    ) => {
      const known = methods.get(name)
      const method = known && parts.namedParams ? parts.namedParams(known, params) : known
      return method === undefined
        ? Promise.reject(unknownMethod(name))
        : begin(context, { ...mergeTerms(terms, own), enqueue }, method, params, isNotification)
    }
    const named: Record<string, (...args: readonly unknown[]) => Promise<unknown>> = {}
    for (const method of methods.values()) {
      named[method.operation.id] = (...args) =>
        begin(context, terms, method, paramsOf(method, args))
    }
    const client: UntypedClient = {
      [CALL]: (method, args) => begin(context, terms, method, args),
      request: (request, own) => start(request, own),
      raw: (request, own) =>
        start(request, own, undefined, (call) => void sendAlone(context, call)),
      notify: (method, params, own) => start({ method, params }, own, true),
      with: (own) => clientOver(mergeTerms(terms, own)),
      batch: async (collect) => {
        const calls: PendingCall[] = []
        const collector = idle.pop() ?? createCollector()
        collector.collectIn({ calls, deadline: undefined, open: 0 })
        try {
          const result = collect(collector.client)
          sendCalls(context, calls, 'batch')
          return result
        } catch (cause) {
          for (const call of calls) abandon(call, cause)
          throw cause
        } finally {
          collector.collectIn(undefined)
          idle.push(collector)
        }
      },
    }
    parts.addPages?.(named, service.operations)
    const whole = Object.assign(named, client)
    if (subscribeBy)
      Object.assign(whole, {
        subscribe: subscribeBy((method, args) => startCall(context, terms, method, args)),
      })
    parts.group?.(whole)
    return whole
  }

  const flush = (calls: readonly PendingCall[]) => sendCalls(context, calls, 'single')
  const enqueue = batch === 'auto' ? coalesce(flush) : (call: PendingCall) => flush([call])
  // Generated code declares the types of params and results.
  const signals = signal ? [signal] : []
  const root: CallTerms = { enqueue, timeout: settings.timeout, signals }
  const subscribeBy = parts.createSubscriptions?.(
    methods,
    service.sent ?? {},
    isOwn ? incoming : undefined,
    settings,
    (method, args) => startCall(context, root, method, args),
    secrets,
  )
  return clientOver(root) as Client
}

/**
 * One method as a separate function, so that a bundle contains only this method. `checks` are those of `validators.ts`.
 *
 * ```ts
 * const ethChainId = rpcMethod(operations.ethChainId, validators.ethChainId)
 * await ethChainId(connection)
 * ```
 */
export const rpcMethod = <Call>(operation: RpcOperation, checks: RpcChecks): Call => {
  const method = { operation, checks }
  const call = (client: RpcCallable, ...args: readonly unknown[]) =>
    client[CALL](method, paramsOf(method, args))
  // Generated code declares the types of params and results.
  return call as unknown as Call
}

/** The options of a JSON-RPC client. */
export type RpcOptions<
  ServerName extends string = string,
  Secrets = Auth,
  Handlers = object,
> = ClientOptions<ServerName, Secrets> & {
  /**
   * Carries the messages in place of HTTP. Options of HTTP have no effect then: `server`, `auth`, `variables`, `headers`, `fetch`,
   * `around`, `fetchOptions`, `onRequest`, `onResponse`. `maxResponseBytes` limits each text of a duplex link.
   */
  readonly link?: RpcLink | undefined
  /**
   * Handlers of what the server sends over a duplex link, or in event streams over HTTP, by id, for documents in which it sends
   * methods. Those of a document that has none are not called.
   */
  readonly handlers?: Handlers | undefined
  /**
   * The version of JSON-RPC that the server speaks; `2.0` by default. With `1.0`, requests have no member `jsonrpc`, responses have
   * `result` and `error`, of which one is null, and a notification has the id null, as bitcoind and its forks expect. Params are by
   * position. Not for duplex links.
   */
  readonly jsonRpc?: '2.0' | '1.0' | undefined
  /** Aborts every call of the client, and closes its duplex link. */
  readonly signal?: AbortSignal | undefined
  /** `auto` sends the calls of one microtask as one batch; `off`, the default, sends each separately. */
  readonly batch?: 'off' | 'auto' | undefined
}

type UntypedClient = RpcCallable & {
  readonly request: (request: Request, options?: RpcCallOptions) => Promise<unknown>
  readonly raw: (request: Request, options?: RpcCallOptions) => Promise<unknown>
  readonly notify: (method: string, params?: unknown, options?: RpcCallOptions) => Promise<unknown>
  readonly with: (options: RpcCallOptions) => UntypedClient
  readonly batch: (collect: (batch: UntypedClient) => unknown) => Promise<unknown>
}

/** A client for the callbacks of batches. `collectIn` receives the list for the calls of the current batch. */
type Collector = {
  readonly client: UntypedClient
  readonly collectIn: (collected: Collected | undefined) => void
}

type Collected = SharedDeadline & { readonly calls: PendingCall[] }

type Request = { readonly method: string; readonly params?: unknown }

/** Collects the calls of one microtask and flushes them together. */
const coalesce = (flush: (calls: readonly PendingCall[]) => void) => {
  const waiting: PendingCall[] = []
  return (call: PendingCall): void => {
    if (waiting.push(call) === 1) queueMicrotask(() => flush(waiting.splice(0)))
  }
}

const mergeTerms = (
  outer: CallTerms,
  {
    timeout = outer.timeout,
    signal,
    onProgress = outer.onProgress,
  }: RpcCallOptions & ProgressOption<never>,
): CallTerms => ({
  enqueue: outer.enqueue,
  onProgress,
  timeout,
  signals: signal ? [...outer.signals, signal] : outer.signals,
})

const unknownMethod = (method: string): CallError =>
  callError(
    { method: { operation: { method } } },
    'invalid-input',
    ' was not sent: the document has no such method',
  )

const paramsOf = ({ operation }: RpcMethod, args: readonly unknown[]): unknown =>
  operation.paramStructure === 'by-name' ? args[0] : args

/** Rejects the calls of a batch whose callback threw. They are not sent, and their rejections need no handler. */
const abandon = (call: PendingCall, cause: unknown): void => {
  call.promise.catch(() => undefined)
  const message = ' was not sent: its batch was abandoned'
  settle(call, 'reject', callError(call, 'aborted', message, { cause }))
}
