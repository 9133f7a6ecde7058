import { send as platformSend } from '#rpc-send'
import { CallError } from './ground/call-error.js'
import type { Clock, Retry } from './ground/retry.js'
import type { Why } from './ground/why.js'
import type { Limits } from './operation.js'
import { coalesce, createBatches, type Flush } from './rpc/batch.js'
import {
  type CallTerms,
  type Enqueue,
  expire,
  type Office,
  type PendingCall,
  type RpcCallOptions,
  startCall,
} from './rpc/call.js'
import { createEndpoint, type EndpointOptions, type RpcService } from './rpc/endpoint.js'
import type { Sent } from './rpc/match.js'
import { type RpcValidation, readMethods } from './rpc/method.js'
import { deliver, failWith, UNTOLD } from './rpc/post.js'
import { type Fetch, sendBy } from './rpc/send.js'
import { createTimeouts } from './rpc/timeouts.js'

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
export type { RpcValidation } from './rpc/method.js'
export type { Fetch } from './rpc/send.js'

/**
 * A client for every method of the service: each operation under its id, and `request`, `notify`, `with` and `batch`
 * beside them. `validators` is the generated module of that name; `why` loads the one that explains what these refuse,
 * when the first value is refused.
 *
 * A call rejects with an RpcError where the server refuses it, with an HttpError where HTTP does, and with a CallError
 * where it comes to no usable answer. Throws a TypeError for options that no call could be sent with.
 */
export const createRpc = <Client>(
  service: RpcService,
  validators: object,
  options: RpcOptions = {},
  why?: Why,
): Client => {
  const { retry = {}, timeout = 60_000, signal, fetch } = options
  const limits = service.limits ?? {}
  const send = fetch === undefined ? platformSend : sendBy(fetch)
  const line = { endpoint: createEndpoint(service, options), send }
  const methods = readMethods(service.operations, validators, options.validate, limits)
  const byWireName = new Map(methods.map((method) => [method.operation.method, method]))
  let lastId = 0
  const office: Office = {
    nextId: () => {
      lastId += 1
      return lastId
    },
    now: options.clock?.now ?? retry.clock?.now ?? Date.now,
    timeouts: createTimeouts(expire),
    refuse: async (method, refusal) => {
      const rest = await loadRest().catch((cause) => {
        const operation = method.operation.method
        const reason = refusal.kind === 'aborted' ? 'aborted' : 'invalid-input'
        const message = `${operation} was not sent${UNTOLD}`
        throw new CallError({ reason, operation, message }, { cause })
      })
      throw await rest.explainUnsent(method, refusal, why)
    },
  }

  const clientOver = (enqueue: Enqueue, terms: CallTerms): UntypedClient => {
    const call = (
      name: string,
      given: unknown,
      own: RpcCallOptions = {},
      kind?: 'notification',
    ) => {
      const method = byWireName.get(name)
      if (method !== undefined)
        return startCall(office, enqueue, mergeTerms(terms, own), method, given, kind)
      const message = `${name} was not sent: the document has no such method`
      const details = { reason: 'invalid-input', operation: String(name), message } as const
      return Promise.reject(new CallError(details))
    }
    const named = methods.map((method) => {
      const { id, paramStructure } = method.operation
      const own =
        paramStructure === 'by-name'
          ? (given: unknown) => startCall(office, enqueue, terms, method, given)
          : (...given: unknown[]) => startCall(office, enqueue, terms, method, given)
      return [id, own] as const
    })
    const batch = createBatches(
      (collected) => clientOver(collected, terms),
      (calls) => deliverAll(calls, 'batch'),
      enqueue,
    )
    return {
      ...Object.fromEntries(named),
      request: ({ method, params }, own) => call(method, params, own),
      notify: (method, params, own) => call(method, params, own, 'notification'),
      with: (own) => clientOver(enqueue, mergeTerms(terms, own)),
      batch: async (collect) => batch(collect),
    }
  }

  const settings = { line, limits, retry, why, clock: options.clock }
  const deliverGroup = (calls: readonly PendingCall[], sent: Sent): void =>
    deliver(calls, sent, line, async (outcome) => {
      await (await loadRest()).mendDelivery(calls, sent, outcome, settings)
    })
  const deliverAll = (given: readonly PendingCall[], lone: Sent): void => {
    const now = office.now()
    const calls = given.filter(({ isOver, endsAt }) => !isOver && now < endsAt)
    if (fits(calls, limits)) deliverGroup(calls, calls.length > 1 ? 'batch' : lone)
    else {
      const split = loadRest().then(({ planGroups }) => {
        for (const group of planGroups(calls, lone, limits)) deliverGroup(group.calls, group.sent)
      })
      failWith(calls, split)
    }
  }

  const flush: Flush = (calls) => deliverAll(calls, 'alone')
  const enqueue: Enqueue = options.batch === 'auto' ? coalesce(flush) : (call) => flush([call])
  // What the methods take and return is stated by generated code, beside this call.
  return clientOver(enqueue, { timeout, signals: signal ? [signal] : [] }) as Client
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

const loadRest = async () => (await import('./rpc/rest.js')).rest

/** Whether calls may be sent together; no character of them takes more than three bytes. */
const fits = (calls: readonly PendingCall[], limits: Limits): boolean => {
  const { batchSize = Number.POSITIVE_INFINITY, payloadBytes = Number.POSITIVE_INFINITY } = limits
  const most = calls.reduce((sum, { text }) => sum + text.length * 3 + 1, 1)
  return calls.length <= batchSize && most <= payloadBytes
}

type UntypedClient = {
  readonly request: (
    call: { readonly method: string; readonly params?: unknown },
    options?: RpcCallOptions,
  ) => Promise<unknown>
  readonly notify: (method: string, params?: unknown, options?: RpcCallOptions) => Promise<unknown>
  readonly with: (options: RpcCallOptions) => UntypedClient
  readonly batch: (collect: (batch: UntypedClient) => unknown) => Promise<unknown>
}

const mergeTerms = (outer: CallTerms, { timeout, signal }: RpcCallOptions): CallTerms => ({
  timeout: timeout ?? outer.timeout,
  signals: signal === undefined ? outer.signals : [...outer.signals, signal],
})
