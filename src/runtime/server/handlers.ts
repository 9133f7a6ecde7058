import { HttpError, RpcError } from '../errors.js'
import type { VariantTypes } from '../http/call.js'
import type { AnyType, CodecKey, ItemsKey, StreamKey, TextKey, ValueKey } from '../http/input.js'
import type { InRange, OkStatusOf } from '../http/status.js'
import type { HttpOperation, RpcOperation } from '../operation.js'
import type { Bytes } from '../shared/file.js'
import type { HeaderRecord } from '../wire/headers.js'
import type { UploadedFile } from './uploads.js'

/** Handles one HTTP operation; throw HttpError to reject a request. `O` is its entry in openapi-typescript's `operations`. */
export type HttpHandler<O, Identity = Identities> = (
  input: HttpInput<O>,
  context: HttpContext<Identity>,
) => HttpReply<O> | Promised<HttpReply<O>>

/** The members `status` and `body` make the compiler list all statuses in errors. */
type Promised<Reply> = Promise<Reply> & { readonly status?: never; readonly body?: never }

/** One handler per request variant (`x-variants`), each typed by its variant's request and responses. */
export type VariantHandlers<O, Variants, Identity = Identities> = {
  readonly [F in keyof Variants]: VariantHandler<O, Variants[F], Identity>
}

/** Handles one variant of the requests of an operation. */
export type VariantHandler<O, Variant, Identity = Identities> = (
  input: VariantInput<O, Variant>,
  context: HttpContext<Identity>,
) => VariantReply<O, Variant> | Promise<VariantReply<O, Variant>>

/**
 * Handles one JSON-RPC method; throw RpcError to reject a call. `undefined` cannot be sent; a result of `undefined` is `null`.
 */
export type RpcHandler<
  M extends { readonly params: unknown; readonly result: unknown },
  Peer = undefined,
  More = unknown,
> = (params: M['params'], context: RpcContext<Peer> & More) => M['result'] | Promise<M['result']>

export type HttpInput<O> = {
  readonly path: ParametersIn<O, 'path'>
  readonly query: ParametersIn<O, 'query'>
  readonly header: ParametersIn<O, 'header'>
  readonly cookie: ParametersIn<O, 'cookie'>
  readonly body: RequestBody<O>
}

/** One of the declared responses. `4XX` and `default` mean every status that is not declared separately. */
export type HttpReply<O> = O extends { responses: infer R }
  ? { [S in keyof R]: ReplyOf<StatusesOf<S, keyof R>, BodyOf<R[S]>> }[keyof R]
  : never

export type HttpContext<Identity = Identities> = Context & {
  readonly operation: HttpOperation
  /** Security scheme -> the result of `authenticate` for its credential. */
  readonly identity: Identity
}
export type RpcContext<Peer = undefined> = Context & {
  readonly operation: RpcOperation
  /** What the server sends to the caller; undefined over HTTP without the option `eventStreams`. */
  readonly peer?: Peer | undefined
  /** The id of the request, where there is a `peer`; undefined for a notification. */
  readonly id?: string | number | null | undefined
}

export type Context = {
  readonly auth: RequestAuth
  readonly headers: HeaderRecord
  /** Aborted when the client has disconnected, or cancels the call (`x-cancel`). */
  readonly signal: AbortSignal
  readonly remoteAddress: string | undefined
  /** The `state` that the host passed to `handle` with the request. */
  readonly state?: unknown
}

/** The results of `authenticate`, by scheme. */
export type Identities = Readonly<Record<string, unknown>>

/** A request before its body is read. */
export type AdmittedRequest = {
  /** Undefined for the endpoint of JSON-RPC. */
  readonly operation: HttpOperation | undefined
  readonly auth: RequestAuth
  readonly headers: HeaderRecord
  readonly remoteAddress: string | undefined
  readonly state?: unknown
}

/** The credentials of a request: secret parameters by name, security schemes by scheme name (basic as `user:password`). */
export type RequestAuth = Readonly<Record<string, string | undefined>>

/** Any table of handlers, such as the generated `Handlers`. */
export type AnyHandlers = Readonly<
  Record<string, AnyHandler | Readonly<Record<string, AnyHandler>> | undefined>
>
export type AnyHandler = (input: never, context: never) => unknown

type ParametersIn<O, In extends string> = O extends { parameters: infer P }
  ? In extends keyof P
    ? [Exclude<P[In], undefined>] extends [never]
      ? Nothing
      : Exclude<P[In], undefined>
    : Nothing
  : Nothing

type Nothing = Readonly<Record<never, never>>

type RequestBody<O> = O extends { requestBody: infer B }
  ? ContentOf<B>
  : O extends { requestBody?: infer B }
    ? ContentOf<Exclude<B, undefined>> | undefined
    : undefined

type ContentOf<B> = B extends { content: infer C }
  ? { [Type in keyof C]: Received<C, Type> }[keyof C]
  : never

/** A body after parsing: JSON, a form with its files, text, or the bytes of any other type as a file. */
type Received<C, Type extends keyof C> = Type extends ValueKey<C> | ItemsKey<C>
  ? C[Type]
  : Type extends CodecKey<C, 'multipart'> | AnyType
    ? WithFiles<C[Type]>
    : Type extends TextKey<C>
      ? Type extends CodecKey<C, 'form'>
        ? C[Type]
        : C[Type] extends string
          ? C[Type]
          : string
      : UploadedFile

/** Values that are declared as bytes are files. */
type WithFiles<T> = T extends Blob
  ? UploadedFile
  : T extends Date
    ? T
    : T extends object
      ? { [Key in keyof T]: WithFiles<T[Key]> }
      : T

type BodyOf<R> = R extends { content: infer C }
  ? { [Type in keyof C]: CredentialOf<C, Type> }[keyof C]
  : undefined

/** A body as a handler returns it. For several types of bytes, the Blob's own type decides, or the header `content-type`. */
type CredentialOf<C, Type extends keyof C> =
  Type extends ValueKey<C>
    ? C[Type]
    : Type extends StreamKey<C>
      ? AsyncIterable<C[Type]>
      : Type extends AnyType
        ? C[Type] | Bytes
        : Type extends TextKey<C>
          ? C[Type] extends string
            ? C[Type]
            : string
          : Bytes

type ReplyOf<Status, Body> = Status extends number
  ? {
      readonly status: Status
      readonly headers?: Readonly<Record<string, string | number>>
    } & (undefined extends Body ? { readonly body?: Body } : { readonly body: Body })
  : never

type StatusesOf<S, Declared> = S extends number
  ? S
  : S extends `${infer N extends number}`
    ? N
    : S extends 'default'
      ? Exclude<Final[keyof Final], Declared | ClassesOf<Declared>>
      : Uppercase<S & string> extends infer Range extends keyof Final
        ? Exclude<Final[Range], Declared>
        : never

type ClassesOf<Declared> = Declared extends keyof Final ? Final[Declared] : never

/** The statuses that a handler may return. */
type Final = Omit<InRange, '1XX'>

type VariantParts = VariantTypes[string]

type ItemsOf<F> = F extends { readonly item: infer Item } ? AsyncIterable<Item> : never

type VariantInput<O, F> = F extends VariantParts
  ? Omit<HttpInput<O>, 'body'> & { readonly body: F['input']['body'] }
  : never

/** A variant's own bodies for every status of success, the declared bodies of the operation for all others. */
type VariantReply<O, F> = F extends VariantParts
  ?
      | Exclude<HttpReply<O>, { readonly status: OkStatusOf<O> }>
      | ReplyOf<
          Extract<HttpReply<O>, { readonly status: OkStatusOf<O> }>['status'],
          F['result'] | F['error'] | ItemsOf<F>
        >
  : never

/** Handlers for all operations of a service that reject every call. Generated code exports them as `notOfferedHandler`. */
export const rejectAll = <Handlers>(service: {
  readonly http?: { readonly operations: Readonly<Record<string, HttpOperation>> }
  readonly rpc?: { readonly operations: Readonly<Record<string, RpcOperation>> }
}): Handlers => {
  const http = Object.values(service.http?.operations ?? {}).map((operation) => {
    const reject = rejectHttp(operation.id)
    const variants = (operation.variants ?? []).map(({ name }) => [name, reject] as const)
    return [operation.id, variants.length > 0 ? Object.fromEntries(variants) : reject] as const
  })
  const rpc = Object.values(service.rpc?.operations ?? {}).map(
    ({ id, method }) => [id, notOfferedHandler(method)] as const,
  )
  // Generated code declares the types of the handlers.
  return Object.fromEntries([...http, ...rpc]) as Handlers
}

/** RFC 9110, 15.6.2: the server does not support the required functionality. */
const rejectHttp =
  (operation: string): AnyHandler =>
  () => {
    const message = `${operation} is not offered`
    // Without a body, the error gets the shape that the document declares.
    throw new HttpError({ operation, status: 501, body: undefined, message })
  }

/** JSON-RPC 2.0, 5.1: the method does not exist, or is not available. */
export const notOfferedHandler =
  (method: string): AnyHandler =>
  () => {
    throw new RpcError({ code: -32601, message: `${method} is not offered`, method })
  }
