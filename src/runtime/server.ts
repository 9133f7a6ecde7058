import type {
  CancelMessage,
  HttpOperation,
  HttpValidators,
  Limits,
  ProgressMessage,
  RpcOperation,
  RpcValidators,
  Server as ServerAddress,
} from './operation.js'
import {
  type CoreOptions,
  createPolicy,
  type ServerCall,
  type ServerPolicy,
} from './server/call.js'
import { type AnyHandlers, notOfferedHandler, type RequestAuth } from './server/handlers.js'
import { createHttpEndpoint, rejectHttp } from './server/http.js'
import { announceLife, createRpcLife } from './server/life.js'
import { listUnmade, unmadeErrors, withoutBody } from './server/reply.js'
import type { ServerCore } from './server/request.js'
import {
  headerRecord,
  type RequestRejection,
  type ServedRpc,
  type ServerReply,
  type ServerRequest,
} from './server/request.js'
import { admitting, createRpcAnswer, createRpcEndpoint, rejectRpc } from './server/rpc.js'
import { createMemberRunner, type ServedMethod } from './server/rpc-member.js'
import { createServedRpc } from './server/served-rpc.js'
import { notSubscribed } from './server/subscriptions.js'
import { once } from './shared/cached.js'
import type { ValueCodecs } from './shared/codecs.js'
import { validatorsFor } from './shared/validators.js'
import type { ErrorSamples } from './wire/error-body.js'
import { basePaths, createRoutes, type RouteEntry, splitUrl } from './wire/routes.js'

export type { Authenticate, Identified } from './server/authenticate.js'
export type {
  AnsweredCall,
  AuthorizedCall,
  ErrorContext,
  EventStreamOptions,
  ServerOptions,
  UploadOptions,
} from './server/call.js'
export { toFetchHandler } from './server/fetch-handler.js'
export type {
  AdmittedRequest,
  Context,
  HttpContext,
  HttpHandler,
  HttpInput,
  HttpReply,
  Identities,
  RequestAuth,
  RpcContext,
  RpcHandler,
  VariantHandler,
  VariantHandlers,
} from './server/handlers.js'
export { rejectAll } from './server/handlers.js'
export type { LinkOptions, ServedLink } from './server/link-options.js'
export { toNodeListener } from './server/node-listener.js'
export type { ShapedError } from './server/reply.js'
export type {
  RejectionCause,
  ReplyStream,
  ServerCore,
  ServerReply,
  ServerRequest,
} from './server/request.js'
export { serveLink } from './server/serve-link.js'
export type { UploadedFile } from './server/uploads.js'
export type { StreamedFile } from './shared/file.js'
export type { HeaderRecord } from './wire/headers.js'

/**
 * Creates a server without a socket for the operations of one or both documents. Input is always validated, output only outside
 * production. Throws a TypeError for a missing handler or validator, and an Error if two operations have the same address.
 */
export const createServerCore = <Peer = undefined>(
  service: Service,
  handlers: AnyHandlers,
  options: CoreOptions = {},
): ServerCore<Peer> => {
  const policy = createPolicy(
    options,
    Object.values(service.http?.operations ?? {}),
    service.codecs,
  )
  const { rpc } = service
  const served =
    rpc && rpcRoutes(rpc, service, rpcMethods(rpc, service.validators, handlers), policy)
  const entries = [
    ...httpRoutes(service, handlers, policy, options.basePath),
    ...(served?.routes ?? []),
  ]
  const routes = createRoutes(entries)
  const methods = new Set(entries.map(({ method }) => method))
  const handle = async (request: ServerRequest): Promise<ServerReply> => {
    const [path, query] = splitUrl(request.url)
    // Methods are case-sensitive (RFC 9110, 9.1), but some adapters pass the usual ones in lower case.
    const method = methods.has(request.method) ? request.method : request.method.toUpperCase()
    const match = routes(method, path)
    if (match.kind === 'unknown')
      return withoutBody(method, rejectHttp(NOT_FOUND, undefined, undefined, {}, policy))
    if (match.kind === 'wrong-method') {
      const allow = match.allow.join(', ')
      const rejection = { status: 405, message: 'Method not allowed', headers: { allow } }
      return withoutBody(method, match.target.reject(rejection))
    }
    const { remoteAddress, state } = request
    const headers = headerRecord(request.headers)
    const { path: parameters, target } = match
    const call = { request, headers, path: parameters, query, remoteAddress, state }
    return withoutBody(method, await target.endpoint(Object.assign(call, { signal: undefined })))
  }
  return {
    handle,
    paths: [...new Set(entries.map(({ path }) => path))],
    methods: [...methods],
    // Generated code declares the type of the peer.
    rpc: served?.rpc as ServedRpc<Peer> | undefined,
  }
}

/** The data that generated `server.ts` passes to `createServerCore`. */
export type Service = {
  readonly http?: {
    readonly servers: readonly ServerAddress[]
    readonly limits?: Limits
    readonly operations: Readonly<Record<string, HttpOperation>>
  }
  readonly rpc?: {
    readonly servers: readonly ServerAddress[]
    readonly limits?: Limits
    /** A template: `/zgt/{apiKey}`. Its parameters are credentials. */
    readonly path: string
    readonly operations: Readonly<Record<string, RpcOperation>>
    /** What the server sends, by id. */
    readonly sent?: Readonly<Record<string, RpcOperation>>
    readonly cancel?: CancelMessage
    readonly progress?: ProgressMessage
  }
  /** The bodies that are filled in to reject requests, if the schema of an error accepts no common shape. */
  readonly errors?: ErrorSamples
  /** The exports of generated `explanations.ts`, by operation id. */
  readonly validators: Readonly<Record<string, unknown>>
  /** The codecs of bodies that are neither JSON, text, bytes nor forms. */
  readonly codecs?: ValueCodecs
  /** The result of `rpc.discover`. */
  readonly openrpc?: unknown
}

type Target = {
  readonly endpoint: (call: ServerCall) => Promise<ServerReply>
  readonly reject: (rejection: RequestRejection) => ServerReply
}

const NOT_FOUND: RequestRejection = { status: 404, message: 'Not found' }

const httpRoutes = (
  { http, validators, errors }: Service,
  handlers: AnyHandlers,
  policy: ServerPolicy,
  basePath: string | undefined,
): readonly RouteEntry<Target>[] => {
  const { operations = {} } = http ?? {}
  return Object.values(operations).flatMap((operation) => {
    const own = validatorsFor<HttpValidators>(validators, operation.id)
    const samples = errors && Object.hasOwn(errors, operation.id) ? errors[operation.id] : undefined
    const limited = { ...limit(policy, operation.limits, http?.limits), samples }
    reportUnmade(operation, own, limited)
    const handler = handlerOf(handlers, operation.id)
    const target = {
      endpoint: announceLife(
        createHttpEndpoint(operation, own, handler, limited),
        operation,
        operations,
      ),
      reject: (rejection: RequestRejection) => rejectHttp(rejection, operation, own, {}, limited),
    }
    const bases = basePath === undefined ? basePaths(operation.servers) : [basePath]
    const { method, path } = operation
    return bases.map((base) => ({ method, path: `${base}${path}`, target }))
  })
}

/** Reports the errors whose schema accepts no body that the server can make. */
const reportUnmade = (
  operation: HttpOperation,
  validators: HttpValidators,
  policy: ServerPolicy,
): void => {
  const errors = policy.formatError ? [] : unmadeErrors(operation, validators, policy.samples)
  if (errors.length === 0) return
  const message = `${operation.id} (${operation.method} ${operation.path}): no body can be made for ${listUnmade(errors)}, so the server sends { error } as JSON: add a valid example, or pass the option formatError`
  policy.warn(message, operation)
}

/** The methods of the document with their handlers. */
const rpcMethods = (
  rpc: NonNullable<Service['rpc']>,
  validators: Service['validators'],
  handlers: AnyHandlers,
): ReadonlyMap<string, ServedMethod> => {
  const operations = Object.values(rpc.operations)
  const ends = new Set(operations.map(({ subscription }) => subscription?.unsubscribe))
  return new Map(
    operations.map((operation): [string, ServedMethod] => {
      const { id, method, isOptional } = operation
      const isUnsubscribing = ends.has(method)
      const receives =
        method === rpc.cancel?.notification
          ? 'cancel'
          : method === rpc.progress?.notification
            ? 'progress'
            : undefined
      const registered = Object.hasOwn(handlers, id) ? handlers[id] : undefined
      const isNeeded = !isUnsubscribing && !isOptional && receives === undefined
      if (typeof registered !== 'function' && (isNeeded || registered !== undefined))
        throw missing(id)
      const own = validatorsFor<RpcValidators>(validators, id)
      const unasked = isUnsubscribing
        ? () => notSubscribed(own)
        : receives
          ? () => null
          : notOfferedHandler(method)
      const handler = typeof registered === 'function' ? registered : unasked
      const hasProgress = rpc.progress !== undefined
      return [
        method,
        { operation, validators: own, handler, isUnsubscribing, receives, hasProgress },
      ]
    }),
  )
}

/** The route of JSON-RPC over HTTP, and the same methods for links. */
const rpcRoutes = (
  rpc: NonNullable<Service['rpc']>,
  { validators, openrpc }: Service,
  methods: ReadonlyMap<string, ServedMethod>,
  policy: ServerPolicy,
): { readonly routes: readonly RouteEntry<Target>[]; readonly rpc: ServedRpc } => {
  const run = createMemberRunner(methods, openrpc, policy)
  const life = createRpcLife(Object.values(rpc.operations))
  const limited = limit(policy, rpc.limits)
  const answer = createRpcAnswer(run, rpc.limits, limited)
  const served = createServedRpc(rpc, validators, answer, limited)
  const { eventStreams } = policy
  const exchanges =
    eventStreams &&
    once(async () => {
      const { createExchanges } = await import('./server/exchanges.js')
      return createExchanges(served, eventStreams)
    })
  const route = (method: string, endpoint: Target['endpoint']): RouteEntry<Target> => ({
    method,
    path: rpc.path,
    target: { endpoint, reject: rejectRpc },
  })
  const routes = [route('POST', createRpcEndpoint(answer, limited, life, exchanges))]
  if (exchanges && eventStreams.session)
    for (const [method, name] of [
      ['GET', 'get'],
      ['DELETE', 'end'],
    ] as const) {
      const serve = async (call: ServerCall, auth: RequestAuth) =>
        (await exchanges())[name](call, auth)
      routes.push(route(method, admitting(limited, serve)))
    }
  return { routes, rpc: served }
}

/** The limit of the operation, else of its document, else of the server. */
const limit = (policy: ServerPolicy, ...limits: readonly (Limits | undefined)[]): ServerPolicy => {
  const payloadBytes = limits.find((one) => one?.payloadBytes !== undefined)?.payloadBytes
  return payloadBytes === undefined ? policy : { ...policy, payloadBytes }
}

const handlerOf = (handlers: AnyHandlers, id: string): AnyHandlers[string] => {
  const handler = Object.hasOwn(handlers, id) ? handlers[id] : undefined
  if (handler === undefined) throw missing(id)
  return handler
}

const missing = (id: string): TypeError => new TypeError(`No handler for ${id}`)
