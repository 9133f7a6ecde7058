import type { HttpOperation, Operation, RpcOperation } from '../operation.js'
import type { ValueCodecs } from '../shared/codecs.js'
import { redactor } from '../shared/redact.js'
import { redactCause } from '../shared/redact-value.js'
import type { ErrorSample } from '../wire/error-body.js'
import type { HeaderRecord } from '../wire/headers.js'
import { type Authenticate, readAuthenticate } from './authenticate.js'
import type {
  AdmittedRequest,
  Identities,
  RequestAuth,
  Context as ServerContext,
} from './handlers.js'
import { type ShapedError, secretsOf } from './reply.js'
import type { ServerReply, ServerRequest } from './request.js'
import type { ServerConnection } from './subscriptions.js'
import type { UploadLimits } from './uploads.js'

/** A request with its route. */
export type ServerCall = {
  readonly request: ServerRequest
  readonly headers: HeaderRecord
  /** Path parameters, still percent-encoded. */
  readonly path: Readonly<Record<string, string>>
  readonly query: string
  readonly remoteAddress: string | undefined
  readonly state: unknown
  /** The connection of the call, if both sides may send at any time. */
  readonly connection?: ServerConnection | undefined
  /** The only signal of the call, created by `callSignal` at its first use. */
  signal: AbortSignal | undefined
}

export const callSignal = (call: ServerCall): AbortSignal => {
  const { signal } = call.request
  call.signal ??= typeof signal === 'function' ? signal() : (signal ?? new AbortController().signal)
  return call.signal
}

/** The context of a handler. */
export const handlerContext = <O>(
  operation: O,
  call: ServerCall,
  auth: RequestAuth,
): Context<O> => {
  const { headers, remoteAddress, signal, state } = call
  if (call.connection) {
    const context = { operation, auth, headers, signal: callSignal(call), remoteAddress, state }
    return { ...context, peer: call.connection.peer() }
  }
  if (signal) return { operation, auth, headers, signal, remoteAddress, state }
  const context = { operation, auth, headers, remoteAddress, state, [CALL]: call }
  return Object.defineProperty(context, 'signal', SIGNAL) as typeof context & Holder
}

type Holder = { readonly signal: AbortSignal; readonly [CALL]: ServerCall }

const CALL = Symbol('call')

/**
 * An AbortSignal costs more than most calls, so it is created when a handler reads it. One accessor for all contexts: a getter
 * in each literal doubles the time of a call. It is an own property, so that copies have it.
 */
const SIGNAL: PropertyDescriptor & ThisType<Holder> = {
  enumerable: true,
  configurable: true,
  get() {
    return callSignal(this[CALL])
  },
}

type Context<O> = ServerContext & { readonly operation: O; readonly peer?: unknown }

export type ServerOptions<Credentials = RequestAuth, Identity = Identities> = {
  /**
   * Checks the credentials of a request, by security scheme, before `authorize`. Its results are `context.identity` of the
   * handler; `undefined` or `null` leads to a 401. A scheme without a function accepts every credential that is present.
   */
  readonly authenticate?: Authenticate<Credentials, Identity> | undefined
  /**
   * Called once for each HTTP request with a known route, before its body is read; throw HttpError or RpcError to reject it.
   * For JSON-RPC it is called for the endpoint, because the methods are in the body.
   */
  readonly admit?: (request: AdmittedRequest) => void | Promise<void>
  /** Called before a call is validated, once for each member of a batch; throw HttpError or RpcError to reject it. */
  readonly authorize?: (call: AuthorizedCall) => void | Promise<void>
  /** Creates the error responses over HTTP; by default they follow the error schemas of the document. */
  readonly formatError?: (rejection: ShapedError) => ServerReply
  /**
   * Whether a credential that was sent is removed from texts; all are by default. Return false for texts that cannot
   * be keys: `a`, sent as a key, would be removed from every word.
   */
  readonly isSecret?: (credential: string) => boolean
  /**
   * Called with every error that the client does not receive, without secrets; by default `console.error`. When the server is
   * created, it is also called for each operation whose errors cannot have a body that the document allows.
   */
  readonly onError?: (error: unknown, context: ErrorContext) => void
  /** Called for every JSON-RPC call with a method, once its response is known. */
  readonly onCall?: (call: AnsweredCall) => void
  /** Whether responses are validated before they are sent; by default outside production. */
  readonly validateOutput?: boolean
  /**
   * The prefix of the documented paths of HTTP operations, `''` for none. The default is the path of each documented server, so
   * that a client of `https://host.example/v2` reaches them.
   */
  readonly basePath?: string
  /** The maximum number of members of one batch that run concurrently; 16 by default. */
  readonly concurrency?: number
  /** The maximum number of members of one JSON-RPC batch if the document sets no limit; 10,000 by default. */
  readonly batchSize?: number
  /** The maximum number of bytes of a request body if the document sets no limit; 1,048,576 by default. */
  readonly payloadBytes?: number
  /**
   * Whether requests of JSON-RPC 1.0 are accepted too, with `"jsonrpc":"1.0"` or without it, and `text/plain` bodies, which clients
   * of bitcoind send; `false` by default.
   */
  readonly jsonRpc1?: boolean
  /**
   * The status of a response over HTTP by the code of its JSON-RPC error, such as `{ '-32601': 404 }`; 200 by default. A batch has
   * it if all its members have errors with this status.
   */
  readonly errorStatuses?: Readonly<Record<string, number>> | undefined
  /**
   * JSON-RPC over HTTP in both directions: a handler can send messages to the caller by `peer`. The response is an event stream
   * then, if the request accepts one. A notification gets 202. Without this option, a server only responds.
   */
  readonly eventStreams?: EventStreamOptions | undefined
  /** The storage of the files of a request until the response has been sent. */
  readonly uploads?: UploadOptions
  /**
   * The maximum number of members of one object of JSON or CBOR, or of fields of a urlencoded form; by default 10,000 for forms, and no
   * limit for JSON. A body with more is rejected as malformed before it is parsed. A body of 1 MB can contain 100,000 names,
   * more than any document requires. Parsing and validating them takes a hundred milliseconds as JSON, and seconds as a form.
   */
  readonly mostMembers?: number
  /**
   * The maximum number of characters of a batch's results; the remaining members are rejected without running. 25,000,000 by
   * default. A large document of `rpc.discover` is sent once in a batch.
   */
  readonly batchAnswerSize?: number
}

/** The option `eventStreams` of servers: JSON-RPC over HTTP in both directions. */
export type EventStreamOptions = {
  /**
   * The header with the id of a session, such as `Mcp-Session-Id`, and the method that begins one. The server adds the header to the
   * response of this method, and expects it in all further requests. Without sessions, handlers can only notify the caller, before
   * their result.
   */
  readonly session?: { readonly header: string; readonly begins: string } | undefined
  /** The maximum number of sessions; 1,000 by default. More get 503. */
  readonly sessions?: number | undefined
  /** The same for one caller, by its address; 100 by default. More get 429. */
  readonly sessionsPerCaller?: number | undefined
  /** Milliseconds after which a session ends that is not used; 1,800,000 (30 minutes) by default. */
  readonly idle?: number | undefined
  /** The maximum number of requests of a session that run at once; 100 by default. More get 429. */
  readonly calls?: number | undefined
  /** The maximum number of subscriptions of a session; 1,000 by default. More get the error -32005. */
  readonly subscriptions?: number | undefined
  /**
   * The maximum number of bytes that wait to be sent in a session, or in an exchange without one, and are kept to be sent again;
   * 1,048,576 (1 MiB) by default. More reject `peer.notify` and `peer.call`.
   */
  readonly maxBufferedBytes?: number | undefined
  /**
   * The origins whose pages may send requests, such as `https://app.example`, or `*` for all. By default the origin of the server
   * itself. A request without the header `Origin`, which is not from a browser, is not checked.
   */
  readonly origins?: readonly string[] | undefined
  /** Milliseconds of silence before a comment keeps an event stream alive; 30,000 by default. */
  readonly heartbeat?: number | undefined
  /** Milliseconds that clients wait before they continue an event stream that broke; 1,000 by default. */
  readonly retry?: number | undefined
}

export type UploadOptions = {
  /**
   * Bytes of the files of one request that are kept in memory; 1,048,576 by default. Others are in one temporary file, if the
   * platform has a file system.
   */
  readonly memoryBytes?: number
  /** The folder of temporary files; by default that of the system. */
  readonly folder?: string
  /** The maximum number of parts of one multipart body; 1,000 by default. */
  readonly parts?: number
}

/** The options of any server; `authenticate` is validated when the server is created. */
export type CoreOptions = Omit<ServerOptions, 'authenticate'> & {
  readonly authenticate?: object | undefined
}

export type AuthorizedCall = {
  /** Undefined for a JSON-RPC method that the document does not have, `rpc.discover` among them. */
  readonly operation: Operation | undefined
  /** The operation's id (HTTP) or the wire name of the method. */
  readonly method: string
  readonly auth: RequestAuth
  readonly headers: HeaderRecord
  readonly remoteAddress: string | undefined
  readonly state?: unknown
  /** The number of calls in the request. For a batch, it includes members that are not valid calls. */
  readonly members: number
}

export type AnsweredCall = {
  readonly operation: RpcOperation | undefined
  /** As the client sent it, so it may be any text without an operation. */
  readonly method: string
  /** The code of the error; undefined for a result. */
  readonly code: number | undefined
  readonly milliseconds: number
}

export type ErrorContext = {
  readonly operation: Operation | undefined
  readonly state?: unknown
}

/** The options with their defaults. */
export type ServerPolicy = Pick<ServerOptions, 'admit' | 'authorize' | 'onCall' | 'formatError'> & {
  readonly checks: ReturnType<typeof readAuthenticate>
  /** By key of a response; of one operation. */
  readonly samples?: Readonly<Record<string, ErrorSample>> | undefined
  readonly report: (
    error: unknown,
    operation: Operation | undefined,
    auth: RequestAuth,
    state: unknown,
  ) => void
  /** Reports what a document makes impossible, when the server is created; by default as one line without a stack. */
  readonly warn: (message: string, operation: Operation) => void
  readonly validateOutput: boolean
  readonly concurrency: number
  readonly payloadBytes: number
  readonly batchSize: number
  readonly batchAnswerSize: number
  readonly jsonRpc1: boolean
  readonly errorStatuses: Readonly<Record<string, number>>
  readonly eventStreams: EventStreamOptions | undefined
  readonly mostMembers: number
  readonly uploads: UploadLimits & { readonly parts: number }
  readonly codecs: ValueCodecs
  readonly secretsOf: (auth: RequestAuth) => readonly string[]
}

export const createPolicy = (
  options: CoreOptions,
  operations: readonly HttpOperation[],
  codecs: ValueCodecs = {},
): ServerPolicy => {
  const onError = options.onError ?? ((error: unknown) => console.error(error))
  const { onCall, isSecret = () => true } = options
  const secretsIn = (auth: RequestAuth) => secretsOf(auth).filter(isSecret)
  return {
    ...(options.admit && { admit: options.admit }),
    ...(options.authorize && { authorize: options.authorize }),
    ...(onCall && { onCall: (answered: AnsweredCall) => quietly(() => onCall(answered)) }),
    ...(options.formatError && { formatError: options.formatError }),
    checks: readAuthenticate(options.authenticate, operations),
    validateOutput: options.validateOutput ?? !isProduction(),
    concurrency: options.concurrency ?? 16,
    payloadBytes: options.payloadBytes ?? 1_048_576,
    batchSize: options.batchSize ?? 10_000,
    batchAnswerSize: options.batchAnswerSize ?? 25_000_000,
    jsonRpc1: options.jsonRpc1 ?? false,
    errorStatuses: options.errorStatuses ?? {},
    eventStreams: options.eventStreams,
    mostMembers: options.mostMembers ?? Number.POSITIVE_INFINITY,
    uploads: {
      memoryBytes: options.uploads?.memoryBytes ?? 1_048_576,
      folder: options.uploads?.folder,
      parts: options.uploads?.parts ?? 1_000,
    },
    codecs,
    secretsOf: secretsIn,
    report: (error, operation, auth, state) =>
      quietly(() => onError(redactCause(error, redactor(secretsIn(auth))), { operation, state })),
    warn: (message, operation) =>
      quietly(() => {
        if (options.onError) options.onError(new Error(message), { operation })
        else console.warn(message)
      }),
  }
}

/** A log that throws must not break the response. */
const quietly = (tell: () => void): void => {
  try {
    tell()
  } catch {
    // There is no other place to report it.
  }
}

/** `process` does not exist on all platforms. */
const isProduction = (): boolean => {
  const { process } = globalThis as { process?: { env?: { NODE_ENV?: string } } }
  return process?.env?.NODE_ENV === 'production'
}
