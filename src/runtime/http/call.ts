import type { ClientOptions, ClientSettings, Validation } from '../client-options.js'
import type { HttpError } from '../errors.js'
import type { FetchOptions } from '../link/transport.js'
import type { HttpOperation, Limits, Server } from '../operation.js'
import type { FindAddress } from '../shared/address.js'
import type { ValueCodecs } from '../shared/codecs.js'
import type { Auth } from '../shared/credentials.js'
import type { PageItem } from '../shared/pages.js'
import type { Retry } from '../shared/retry.js'
import type { ReadonlyInput } from './input.js'
import type { ItemStream, OpenStream } from './item-stream.js'
import type { HttpChecks } from './request.js'
import type {
  AnswerAs,
  AnswerType,
  DocumentedExchange,
  ErrorResponses,
  Exchanged,
  OkStatusOf,
  Plain,
  Streamed,
} from './status.js'

/**
 * One operation of a generated client. A call resolves with the body of the 2xx response, `exchange` with status, headers and
 * body of every documented response. `poll` iterates over the changes of a record until it is final. `O` is the entry of the
 * operation in openapi-typescript's `operations`.
 */
export type Call<O, Types extends CallTypes> = (Types extends {
  readonly variants: infer F extends VariantTypes
}
  ? VariantCall<O, F, Types['input']>
  : Types extends { readonly stream: infer Default extends boolean }
    ? StreamCall<O, Default, Types['input'], Types['result']> & Untyped<O, Types['input']>
    : PlainCall<O, Types['input'], Types['result']> & Untyped<O, Types['input']>) &
  (Types extends { readonly poll: true } ? PollCall<Types['input'], Types['result']> : unknown) &
  (Types extends { readonly pages: infer Path extends readonly string[] }
    ? PagesCall<Types['input'], Types['result'], Path>
    : unknown) &
  Typed<Types['error']>

/** The types of a call, which generated code exports by name, and what openapi-typescript's types do not have. */
export type CallTypes = {
  /** The argument of the call: `InputOf`. */
  readonly input: unknown
  /** What the call resolves with: `ResultOf`. */
  readonly result: unknown
  /** The documented errors: `ErrorOf`. */
  readonly error: unknown
  /** Request variant -> the types of its request and responses. */
  readonly variants?: VariantTypes
  readonly poll?: true
  /** The path of keys to the items of a page. */
  readonly pages?: readonly string[]
  /** The property `stream` of the request chooses between JSON and a stream; this is its default. */
  readonly stream?: boolean
}

export type VariantTypes = Readonly<
  Record<
    string,
    {
      /** The argument of the call; the type of its body is that of the schema. */
      readonly input: { readonly body: unknown }
      readonly result: unknown
      readonly error: unknown
      /** One item of the stream, if the response may be one. */
      readonly item?: unknown
    }
  >
>

/** What a call of an operation with variants resolves with, whichever is sent. */
export type VariantResultOf<F extends VariantTypes> = F[keyof F]['result'] | StreamOf<F[keyof F]>

/** The input of a call with another body: that of a variant. */
export type WithBody<I, Body> = Omit<I, 'body' | 'contentType'> & { readonly body: Body }

export type CallOptions = {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for the whole call, retries included; Infinity for no timeout. */
  readonly timeout?: number | undefined
  /** Additional headers; documented headers take precedence. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly retry?: Retry | undefined
  readonly validate?: Validation | undefined
  /** Fields of `fetch`, such as `{ cache: 'no-store' }`; they take precedence over those of the client. */
  readonly fetchOptions?: FetchOptions | undefined
}

export type PollOptions = Omit<CallOptions, 'timeout'> & {
  /** Milliseconds between two requests, or a function of the number of requests so far; 500, growing to 5,000. */
  readonly interval?: number | ((asked: number) => number) | undefined
  /** Milliseconds for the whole wait; no timeout by default. Each request keeps the client's own timeout. */
  readonly timeout?: number | undefined
}

/**
 * Narrows the error of a call: `isHttpError(error)`, by operation `isHttpError(error, 'submit')`, by operation and status
 * `isHttpError(error, 'submit', 400)`. The last two are false for a body that does not match the document.
 */
export type ErrorGuard<Client> = {
  (error: unknown): error is HttpError
  <Id extends keyof Client & string>(error: unknown, operation: Id): error is ErrorsOf<Client[Id]>
  <Id extends keyof Client & string, Status extends ErrorsOf<Client[Id]>['status']>(
    error: unknown,
    operation: Id,
    status: Status,
  ): error is HttpError<Status, BodyAt<ErrorsOf<Client[Id]>, Status>>
}

type Nothing = Readonly<Record<never, never>>

type Arguments<I, Options = CallOptions> = Nothing extends I
  ? [input?: I, options?: Options]
  : [input: I, options?: Options]

type Untyped<O, I> = {
  /** Resolves with every documented response, errors too, distinguished by `status`; throws only for undocumented ones. */
  readonly exchange: (...args: Arguments<I>) => Promise<DocumentedExchange<O>>
  /** Resolves with the unvalidated response of any status; the caller reads its body. */
  readonly raw: (...args: Arguments<I>) => Promise<Response>
}

/** One signature for each operation: of several, editors show no comment of the operation. */
type PlainCall<O, I, R> =
  true extends IsUnion<AnswerType<O>> ? AcceptCall<O, I, R> : (...args: Arguments<I>) => Promise<R>

/** Selects one of several media types of the response with `accept`. */
type AcceptCall<O, I, R> = Nothing extends I
  ? <Type extends AnswerType<O> = never>(
      input?: Accepting<I, Type>,
      options?: CallOptions,
    ) => Promise<Accepted<O, Type, R>>
  : <Type extends AnswerType<O> = never>(
      input: Accepting<I, Type>,
      options?: CallOptions,
    ) => Promise<Accepted<O, Type, R>>

type Accepting<I, Type> = I & { readonly accept?: Type }

type Accepted<O, Type, R> = [Type] extends [never] ? R : AnswerAs<O, Type>

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never

/** The type of the response depends on the property `stream` of the request. */
type StreamCall<O, Default extends boolean, I, R> = <
  Wanted extends boolean | null | undefined = undefined,
>(
  input: I & { readonly body: { readonly stream?: Wanted } },
  options?: CallOptions,
) => Promise<Selected<O, Default, Wanted, R>>

type Selected<O, Default, Wanted, R> = [Wanted] extends [true]
  ? Streamed<O>
  : [Wanted] extends [false]
    ? Plain<O>
    : [Wanted] extends [null | undefined]
      ? Default extends true
        ? Streamed<O>
        : Plain<O>
      : R

type PollCall<I, R> = {
  /** Repeats the call until the record is final. Yields each changed record, and the final one last. */
  readonly poll: (...args: Arguments<I, PollOptions>) => AsyncIterable<R>
}

type PagesCall<I, R, Path extends readonly string[]> = {
  /** The response of each page, from the page of this input on. */
  readonly pages: (...args: Arguments<I>) => AsyncIterable<R>
  /** Each item of all pages. */
  readonly items: (...args: Arguments<I>) => AsyncIterable<PageItem<R, Path>>
}

type VariantCall<O, F extends VariantTypes, I> = {
  // No comment of its own, so that editors show that of the operation.
  <const B extends BodyOf<F[keyof F]>>(
    input: WithBody<I, B & NoOtherKeys<F, B>>,
    options?: CallOptions,
  ): Promise<VariantResult<F, B>>
  /** Resolves with every documented response, errors too, distinguished by `status`; throws only for undocumented ones. */
  readonly exchange: <const B extends BodyOf<F[keyof F]>>(
    input: WithBody<I, B & NoOtherKeys<F, B>>,
    options?: CallOptions,
  ) => Promise<VariantExchange<O, F, B>>
  /** Resolves with the unvalidated response of any status; the caller reads its body. */
  readonly raw: <const B extends BodyOf<F[keyof F]>>(
    input: WithBody<I, B & NoOtherKeys<F, B>>,
    options?: CallOptions,
  ) => Promise<Response>
}

type BodyOf<V extends VariantTypes[string]> = ReadonlyInput<V['input']['body']>

/** Rejects unknown keys, because inference disables the compiler's own check. */
type NoOtherKeys<F extends VariantTypes, B> = B extends unknown
  ? Forbidden<Exclude<keyof B, KeyOf<F[VariantOf<F, B>]['input']['body']>>>
  : never

type Forbidden<Key extends PropertyKey> = [Key] extends [never]
  ? unknown
  : { readonly [Name in Key]: never }

type KeyOf<T> = T extends unknown ? keyof T : never

type VariantOf<F extends VariantTypes, B> = {
  [Name in keyof F]: B extends BodyOf<F[Name]> ? Name : never
}[keyof F]

/** Distributes: a body of several possible variants has the responses of all of them. */
type VariantResult<F extends VariantTypes, B> = B extends unknown
  ? F[VariantOf<F, B>]['result'] | StreamOf<F[VariantOf<F, B>]>
  : never
type StreamOf<V> = V extends { readonly item: infer Item } ? ItemStream<Item> : never
type VariantError<F extends VariantTypes, B> = B extends unknown
  ? F[VariantOf<F, B>]['error']
  : never

/** Every documented response of an operation with variants, narrowed to the variant that was sent. */
type VariantExchange<O, F extends VariantTypes, B> =
  | Exchanged<OkStatusOf<O>, VariantResult<F, B> | VariantError<F, B>>
  | ErrorResponses<O>

/** Exists in the type only, for `ErrorGuard`. */
type Typed<E> = { readonly '~errors'?: HttpErrorOf<E> }

type HttpErrorOf<E> = E extends { readonly status: infer Status; readonly body: infer Body }
  ? HttpError<Status & number, Body>
  : never

type ErrorsOf<C> = C extends { readonly '~errors'?: infer E } ? Extract<E, HttpError> : never

type BodyAt<E, Status> =
  E extends HttpError<infer S, infer Body> ? (Status extends S ? Body : never) : never

/** The options of an HTTP client. */
export type HttpOptions<ServerName extends string = string, Secrets = Auth> = ClientOptions<
  ServerName,
  Secrets
>

/** The addresses of an HTTP service, and its limits. */
export type HttpEndpoint = {
  readonly servers: readonly Server[]
  readonly limits: Limits
}

/** The exports of generated `operations.ts` for an HTTP document. */
export type HttpService = HttpEndpoint & {
  readonly operations: Readonly<Record<string, HttpOperation>>
}

/** The data that the calls of one operation share. */
export type HttpCallContext = {
  readonly service: HttpService
  readonly operation: HttpOperation
  readonly validators: HttpChecks
  readonly settings: ClientSettings
  /** Undefined if only other operations have a server of the chosen name, or one of HTTP. */
  readonly findAddress: FindAddress | undefined
  /** The media types that every call accepts. */
  readonly accept: string
  readonly codecs: ClientCodecs
}

/** What reads and writes bodies that are neither JSON, nor text, bytes or forms; generated clients import what they need. */
export type ClientCodecs = ValueCodecs & {
  /** `openStream` of `runtime/streams`, if an operation streams. */
  readonly openStream?: OpenStream
}
