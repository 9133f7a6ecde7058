import type { ClientOptions, ClientSettings, Validation } from '../client-options.js'
import type { HttpError } from '../errors.js'
import type { HttpOperation, Limits, Server } from '../operation.js'
import type { FindAddress } from '../shared/address.js'
import type { Auth } from '../shared/credentials.js'
import type { PageItem } from '../shared/pages.js'
import type { Retry } from '../shared/retry.js'
import type { Input, Sent } from './input.js'
import type { ItemStream, OpenStream } from './item-stream.js'
import type { HttpChecks } from './request.js'
import type {
  Answer,
  AnswerAs,
  AnswerType,
  Exchange,
  Exchanged,
  OkStatusOf,
  Plain,
  Refused,
  Streamed,
} from './status.js'

/**
 * One operation of a generated client: call it for the body of its 2xx answer, `exchange` for status, headers and body
 * of every documented answer, `poll` for the changes of a record until it is final.
 */
export type Call<O, Extra extends CallExtra = NoExtra> = (Extra extends {
  readonly variants: infer F extends VariantTypes
}
  ? VariantCall<O, F, SecretOf<Extra>>
  : Extra extends { readonly stream: infer Default extends boolean }
    ? StreamCall<O, Default, SecretOf<Extra>> & PlainCall<O, SecretOf<Extra>>
    : AcceptCall<O, SecretOf<Extra>> & PlainCall<O, SecretOf<Extra>>) &
  (Extra extends { readonly poll: true } ? PollCall<O, SecretOf<Extra>> : unknown) &
  (Extra extends { readonly pages: infer Path extends readonly string[] }
    ? PagesCall<O, Path, SecretOf<Extra>>
    : unknown) &
  Typed<O, Extra>

/** What the documents say about an operation beyond openapi-typescript's types. */
export type CallExtra = {
  /** Names of secret parameters: the client holds them, a call need not. */
  readonly secret?: string
  /** Request variant -> what it sends and may receive. */
  readonly variants?: VariantTypes
  readonly poll?: true
  /** The keys that lead to the items of a page. */
  readonly pages?: readonly string[]
  /** The property `stream` of the request chooses between JSON and a stream; this is its default. */
  readonly stream?: boolean
}

export type VariantTypes = Readonly<
  Record<
    string,
    {
      readonly request: unknown
      readonly answer: unknown
      readonly refusal: unknown
      /** One item of the stream that it may be answered with. */
      readonly item?: unknown
    }
  >
>

export type CallOptions = {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for the whole call, retries included; Infinity for no end. */
  readonly timeout?: number | undefined
  /** Sent beside the documented headers, which win. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly retry?: Retry | undefined
  readonly validate?: Validation | undefined
}

export type PollOptions = Omit<CallOptions, 'timeout'> & {
  /** Milliseconds between two questions, or a function of how many were asked; 500, growing to 5,000. */
  readonly interval?: number | ((asked: number) => number) | undefined
  /** Milliseconds for the whole wait; no end by default. Each question keeps the client's own timeout. */
  readonly timeout?: number | undefined
}

/**
 * Narrows what a call threw: `isHttpError(error)`, by operation `isHttpError(error, 'submit')`, by status too
 * `isHttpError(error, 'submit', 400)`. The last two are false for a body that does not fit the document.
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

type NoExtra = Readonly<Record<never, never>>
type SecretOf<Extra> = Extra extends { readonly secret: infer Name extends string } ? Name : never

type Arguments<I, Options = CallOptions> = NoExtra extends I
  ? [input?: I, options?: Options]
  : [input: I, options?: Options]

type PlainCall<O, Secret extends string> = {
  (...args: Arguments<Input<O, Secret>>): Promise<Answer<O>>
  /** Every documented answer, errors too, distinguished by `status`; throws only for what no document says. */
  readonly exchange: (...args: Arguments<Input<O, Secret>>) => Promise<Exchange<O>>
  /** The response as it comes, of any status and not validated; the caller reads its body. */
  readonly raw: (...args: Arguments<Input<O, Secret>>) => Promise<Response>
}

/** Of an answer that has several media types, `accept` chooses one. */
type AcceptCall<O, Secret extends string> =
  IsUnion<AnswerType<O>> extends true
    ? <Type extends AnswerType<O>>(
        input: Input<O, Secret> & { readonly accept: Type },
        options?: CallOptions,
      ) => Promise<AnswerAs<O, Type>>
    : unknown

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never

/** The answer's type follows from the property `stream` of the request. */
type StreamCall<O, Default extends boolean, Secret extends string> = {
  (input: Input<O, Secret> & Streams<true, Default>, options?: CallOptions): Promise<Streamed<O>>
  (input: Input<O, Secret> & Streams<false, Default>, options?: CallOptions): Promise<Plain<O>>
}

type Streams<Wanted extends boolean, Default> = {
  readonly body: Wanted extends Default
    ? { readonly stream?: Wanted | null | undefined }
    : { readonly stream: Wanted }
}

type PollCall<O, Secret extends string> = {
  /** Asks again until the record is final; yields it when it has changed, and the final one last. */
  readonly poll: (...args: Arguments<Input<O, Secret>, PollOptions>) => AsyncIterable<Answer<O>>
}

type PagesCall<O, Path extends readonly string[], Secret extends string> = {
  /** The response of each page, from that of this input on. */
  readonly pages: (...args: Arguments<Input<O, Secret>>) => AsyncIterable<Answer<O>>
  /** Each item of all pages. */
  readonly items: (...args: Arguments<Input<O, Secret>>) => AsyncIterable<PageItem<Answer<O>, Path>>
}

type VariantCall<O, F extends VariantTypes, Secret extends string> = {
  /** The answer's type follows from the request variant. */
  <const B extends Sent<F[keyof F]['request']>>(
    input: VariantInput<O, F, Secret, B>,
    options?: CallOptions,
  ): Promise<VariantAnswer<F, B>>
  /** Every documented answer, errors too, distinguished by `status`; throws only for what no document says. */
  readonly exchange: <const B extends Sent<F[keyof F]['request']>>(
    input: VariantInput<O, F, Secret, B>,
    options?: CallOptions,
  ) => Promise<VariantExchange<O, F, B>>
  /** The response as it comes, of any status and not validated; the caller reads its body. */
  readonly raw: <const B extends Sent<F[keyof F]['request']>>(
    input: VariantInput<O, F, Secret, B>,
    options?: CallOptions,
  ) => Promise<Response>
}

type VariantInput<O, F extends VariantTypes, Secret extends string, B> = Omit<
  Input<O, Secret>,
  'body' | 'contentType'
> & { readonly body: B & NoOtherKeys<F, B> }

/** Inference switches the check for unknown keys off; this brings it back. */
type NoOtherKeys<F extends VariantTypes, B> = B extends unknown
  ? Forbidden<Exclude<keyof B, KeyOf<F[VariantOf<F, B>]['request']>>>
  : never

type Forbidden<Key extends PropertyKey> = [Key] extends [never]
  ? unknown
  : { readonly [Name in Key]: never }

type KeyOf<T> = T extends unknown ? keyof T : never

type VariantOf<F extends VariantTypes, B> = {
  [Name in keyof F]: B extends Sent<F[Name]['request']> ? Name : never
}[keyof F]

/** Distributes: a body of several possible variants has the answers of them all. */
type VariantAnswer<F extends VariantTypes, B> = B extends unknown
  ? F[VariantOf<F, B>]['answer'] | StreamOf<F[VariantOf<F, B>]>
  : never
type StreamOf<V> = V extends { readonly item: infer Item } ? ItemStream<Item> : never
type VariantRefusal<F extends VariantTypes, B> = B extends unknown
  ? F[VariantOf<F, B>]['refusal']
  : never

/** Every documented answer of an operation with one set of variants, narrowed to the variant that was sent. */
type VariantExchange<O, F extends VariantTypes, B> =
  | Exchanged<OkStatusOf<O>, VariantAnswer<F, B> | VariantRefusal<F, B>>
  | Refused<O>

/** What is in a type only, for `ErrorGuard` to read. */
type Typed<O, Extra> = {
  readonly '~errors'?:
    | ErrorOf<Refused<O>>
    | (Extra extends { readonly variants: infer F extends VariantTypes }
        ? HttpError<OkStatusOf<O>, F[keyof F]['refusal']>
        : never)
}

type ErrorOf<E> =
  E extends Exchanged<infer Status, infer Body> ? HttpError<Status & number, Body> : never

type ErrorsOf<C> = C extends { readonly '~errors'?: infer E } ? Extract<E, HttpError> : never

type BodyAt<E, Status> =
  E extends HttpError<infer S, infer Body> ? (Status extends S ? Body : never) : never

/** The options of an HTTP client. */
export type HttpOptions<ServerName extends string = string, Secrets = Auth> = ClientOptions<
  ServerName,
  Secrets
>

/** What generated `operations.ts` holds of an HTTP document. */
export type HttpService = {
  readonly servers: readonly Server[]
  readonly limits: Limits
  readonly operations: Readonly<Record<string, HttpOperation>>
}

/** What the calls of one operation share. */
export type HttpContext = {
  readonly service: HttpService
  readonly operation: HttpOperation
  readonly validators: HttpChecks
  readonly settings: ClientSettings
  /** Undefined where only other operations have a server of the chosen name. */
  readonly findAddress: FindAddress | undefined
  /** The media types that every call accepts. */
  readonly accept: string
  /** Undefined where no operation of the client streams. */
  readonly openStream: OpenStream | undefined
}
