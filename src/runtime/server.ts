import type {
  HttpOperation,
  HttpValidators,
  Limits,
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
import type { AnyHandlers } from './server/handlers.js'
import { createHttpEndpoint, refuseHttp } from './server/http.js'
import { announceLife, createRpcLife } from './server/life.js'
import type { Server } from './server/request.js'
import {
  encoded,
  headerRecord,
  isStream,
  type Refusal,
  type ServerReply,
  type ServerRequest,
} from './server/request.js'
import { basePaths, createRoutes, type RouteEntry, splitUrl } from './server/routes.js'
import { createRpcEndpoint, refuseRpc } from './server/rpc.js'
import { createMemberRunner, type RpcMethod } from './server/rpc-member.js'
import { validatorsFor } from './shared/validators.js'

export type { Authenticate, Identified } from './server/authenticate.js'
export type {
  AnsweredCall,
  AuthorizedCall,
  ErrorContext,
  ServerOptions,
  UploadOptions,
} from './server/call.js'
export { toFetchHandler } from './server/fetch-handler.js'
export type {
  AdmittedRequest,
  Auth,
  Context,
  HttpContext,
  HttpHandler,
  HttpInput,
  HttpReply,
  Identities,
  RpcContext,
  RpcHandler,
  VariantHandler,
  VariantHandlers,
} from './server/handlers.js'
export { refuseAll } from './server/handlers.js'
export { toNodeListener } from './server/node-listener.js'
export type { ShapedError } from './server/reply.js'
export type {
  HeaderRecord,
  RefusalCause,
  ReplyStream,
  Server,
  ServerReply,
  ServerRequest,
} from './server/request.js'
export type { UploadedFile } from './server/uploads.js'
export type { StreamedFile } from './shared/file.js'

/**
 * Creates a server without a socket for the operations of one or both documents. Input is always validated, output only outside
 * production. Throws a TypeError for a missing handler or validator, and an Error if two operations have the same address.
 */
export const createServerCore = (
  service: Service,
  handlers: AnyHandlers,
  options: CoreOptions = {},
): Server => {
  const policy = createPolicy(options, Object.values(service.http?.operations ?? {}))
  const entries = [
    ...httpRoutes(service, handlers, policy, options.basePath),
    ...rpcRoutes(service, handlers, policy),
  ]
  const routes = createRoutes(entries)
  const methods = new Set(entries.map(({ method }) => method))
  const handle = async (request: ServerRequest): Promise<ServerReply> => {
    const [path, query] = splitUrl(request.url)
    // Methods are case-sensitive (RFC 9110, 9.1), but some adapters pass the usual ones in lower case.
    const method = methods.has(request.method) ? request.method : request.method.toUpperCase()
    const match = routes(method, path)
    if (match.kind === 'unknown')
      return withoutBody(method, refuseHttp(NOT_FOUND, undefined, undefined, {}, policy))
    if (match.kind === 'wrong-method') {
      const allow = match.allow.join(', ')
      const refusal = { status: 405, message: 'Method not allowed', headers: { allow } }
      return withoutBody(method, match.target.refuse(refusal))
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
  }
  /** The exports of generated `explanations.ts`, by operation id. */
  readonly validators: Readonly<Record<string, unknown>>
  /** The result of `rpc.discover`. */
  readonly openrpc?: unknown
}

type Target = {
  readonly endpoint: (call: ServerCall) => Promise<ServerReply>
  readonly refuse: (refusal: Refusal) => ServerReply
}

const NOT_FOUND: Refusal = { status: 404, message: 'Not found' }

const httpRoutes = (
  { http, validators }: Service,
  handlers: AnyHandlers,
  policy: ServerPolicy,
  basePath: string | undefined,
): readonly RouteEntry<Target>[] => {
  const { operations = {} } = http ?? {}
  return Object.values(operations).flatMap((operation) => {
    const own = validatorsFor<HttpValidators>(validators, operation.id)
    const limited = limit(policy, operation.limits, http?.limits)
    const handler = handlerOf(handlers, operation.id)
    const target = {
      endpoint: announceLife(
        createHttpEndpoint(operation, own, handler, limited),
        operation,
        operations,
      ),
      refuse: (refusal: Refusal) => refuseHttp(refusal, operation, own, {}, policy),
    }
    const bases = basePath === undefined ? basePaths(operation.servers) : [basePath]
    const { method, path } = operation
    return bases.map((base) => ({ method, path: `${base}${path}`, target }))
  })
}

const rpcRoutes = (
  { rpc, validators, openrpc }: Service,
  handlers: AnyHandlers,
  policy: ServerPolicy,
): readonly RouteEntry<Target>[] => {
  if (rpc === undefined) return []
  const methods = Object.values(rpc.operations).map((operation): [string, RpcMethod] => {
    const handler = handlerOf(handlers, operation.id)
    if (typeof handler !== 'function') throw missing(operation.id)
    const own = validatorsFor<RpcValidators>(validators, operation.id)
    return [operation.method, { operation, validators: own, handler }]
  })
  const run = createMemberRunner(new Map(methods), openrpc, policy)
  const life = createRpcLife(Object.values(rpc.operations))
  const endpoint = createRpcEndpoint(run, rpc.limits, limit(policy, rpc.limits), life)
  return [{ method: 'POST', path: rpc.path, target: { endpoint, refuse: refuseRpc } }]
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

/**
 * The response to HEAD is that to GET without its body (RFC 9110 §9.3.2). Some statuses have no body, and a `Response` of them
 * cannot be created with one.
 */
const withoutBody = (method: string, reply: ServerReply): ServerReply => {
  const isBodiless = BODILESS.has(reply.status)
  if (reply.body === undefined || !(isBodiless || method === 'HEAD')) return reply
  const { body, ...head } = reply
  if (isStream(body)) {
    body[Symbol.asyncIterator]()
      .return?.()
      .catch(() => undefined)
    return head
  }
  if (isBodiless) return head
  const bytes = encoded(body)
  return { ...head, headers: { ...head.headers, 'content-length': String(bytes.byteLength) } }
}

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])
