import type { AnyType, JsonKey, StreamKey, TextKey, ValueKey } from './input.js'
import type { ItemStream } from './item-stream.js'

/**
 * The body of an operation's 2xx responses, from openapi-typescript's `operations[...]`; undefined for responses without a
 * body.
 */
export type ResultOf<O> = [AnswerKey<Responses<O>>] extends [never]
  ? unknown
  : { [Key in AnswerKey<Responses<O>>]: Read<Responses<O>[Key]> }[AnswerKey<Responses<O>>]

/** The streams of items in `ResultOf`, and all other types in it. */
export type Streamed<O> = OfOk<O, 'stream'>
export type Plain<O> = OfOk<O, 'plain'>

type OfOk<O, Kind extends 'stream' | 'plain'> = {
  [Key in AnswerKey<Responses<O>>]: ReadAs<ContentOf<Responses<O>[Key]>, Kind>
}[AnswerKey<Responses<O>>]

/** The media types of an operation's 2xx responses. */
export type AnswerType<O> = {
  [Key in AnswerKey<Responses<O>>]: TypesIn<ContentOf<Responses<O>[Key]>>
}[AnswerKey<Responses<O>>]

/** No type of a response without a body: every key is one of `never`. */
type TypesIn<C> = [C] extends [never] ? never : keyof C

/** `ResultOf` for one of several media types. */
export type AnswerAs<O, Type> = {
  [Key in AnswerKey<Responses<O>>]: Type extends keyof ContentOf<Responses<O>[Key]>
    ? ReadType<ContentOf<Responses<O>[Key]>, Type>
    : Read<Responses<O>[Key]>
}[AnswerKey<Responses<O>>]

type ReadType<C, Type extends keyof C> =
  Type extends ValueKey<C>
    ? C[Type]
    : Type extends StreamKey<C>
      ? ItemStream<C[Type]>
      : ReadOther<C, Type>

/** Every documented response, distinguished by `status`. */
export type DocumentedExchange<O> = Accepted<O> | ErrorResponses<O>

export type Exchanged<Status, Body> = {
  readonly status: Status
  readonly headers: Headers
  readonly body: Body
}

/** The documented responses outside 2xx, and those in 2xx that only `default` describes beside another 2xx response. */
export type ErrorResponses<O> = {
  [Key in keyof Responses<O>]: At<
    Key extends AnswerKey<Responses<O>>
      ? Exclude<StatusesOf<Responses<O>, Key>, OkOf<StatusesOf<Responses<O>, Key>>>
      : StatusesOf<Responses<O>, Key>,
    ReadRejection<Responses<O>[Key]>
  >
}[keyof Responses<O>]

/**
 * The documented errors of an operation, distinguished by `status`. `Rejected` are bodies of a 2xx that are errors, which
 * variants of the request declare.
 */
export type ErrorOf<O, Rejected = never> =
  | Thrown<ErrorResponses<O>>
  | ([Rejected] extends [never] ? never : Failure<OkStatusOf<O>, Rejected>)

type Thrown<E> = E extends Exchanged<infer Status, infer Body> ? Failure<Status, Body> : never

type Failure<Status, Body> = { readonly status: Status; readonly body: Body }

type Accepted<O> = {
  [Key in AnswerKey<Responses<O>>]: At<OkOf<StatusesOf<Responses<O>, Key>>, Read<Responses<O>[Key]>>
}[AnswerKey<Responses<O>>]

/** The statuses of success: those within 2xx, and of `default` if nothing else describes a 2xx. */
export type OkStatusOf<O> = {
  [Key in AnswerKey<Responses<O>>]: OkOf<StatusesOf<Responses<O>, Key>>
}[AnswerKey<Responses<O>>]

type Responses<O> = O extends { responses: infer R } ? R : never

type At<Status, Body> = [Status] extends [never] ? never : Exchanged<Status, Body>

/** The keys of success: `default` describes errors where another key describes a 2xx. */
type AnswerKey<R> = [OkKey<R>] extends [never] ? keyof R & 'default' : OkKey<R>
type OkKey<R> = OkOf<keyof R>

/** Those of statuses, or of keys of responses, that begin with 2, as `isSuccessKey` has it: registered or not. */
type OkOf<Key> = Key extends number | string ? (`${Key}` extends `2${string}` ? Key : never) : never

type StatusesOf<R, Key> = Key extends number
  ? Key
  : Key extends keyof InRange
    ? Exclude<InRange[Key], keyof R>
    : Exclude<InRange[keyof InRange], keyof R | RangedBy<R>>

type RangedBy<R> = InRange[keyof R & keyof InRange]

/** JSON if it is documented, because the client requests it, else text, else bytes; and streams. */
type Read<R> = [ContentOf<R>] extends [never]
  ? undefined
  : ReadAs<ContentOf<R>, 'plain'> | ReadAs<ContentOf<R>, 'stream'>

type ReadAs<C, Kind extends 'stream' | 'plain'> = Kind extends 'stream'
  ? { [Key in Extract<keyof C, StreamKey<C>>]: ItemStream<C[Key]> }[Extract<keyof C, StreamKey<C>>]
  : [JsonKey<C>] extends [never]
    ? ReadOther<C, Exclude<keyof C, StreamKey<C>>>
    : C[JsonKey<C>]

type ReadOther<C, Key extends keyof C> = Key extends AnyType | ValueKey<C>
  ? C[Key]
  : Key extends TextKey<C>
    ? C[Key] extends string
      ? C[Key]
      : string
    : Blob

/** The body of an error is JSON or text, whatever its content type; unknown if undocumented. */
type ReadRejection<R> = [ContentOf<R>] extends [never]
  ? unknown
  : [ValueKey<ContentOf<R>>] extends [never]
    ? [keyof ContentOf<R> & AnyType] extends [never]
      ? string
      : ContentOf<R>[keyof ContentOf<R> & AnyType]
    : ContentOf<R>[ValueKey<ContentOf<R>>]

type ContentOf<R> = R extends { content: infer C } ? C : never

/** The registered statuses (RFC 9110 and related RFCs): a union that distinguishes `default` and `4XX`. */
export type InRange = {
  '1XX': 100 | 101 | 102 | 103
  '2XX': 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226
  '3XX': 300 | 301 | 302 | 303 | 304 | 305 | 307 | 308
  '4XX': ClientErrorStatus
  '5XX': 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511
}

type ClientErrorStatus =
  | (400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415)
  | (416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451)
