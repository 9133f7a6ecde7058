import type { Codec, CodecOf, TypesOf } from '../shared/codecs.js'
import type { Bytes as FileBytes, FileInput } from '../shared/file.js'
import type { SequentialFormat } from '../shared/media-type.js'

/**
 * The input of a call, from openapi-typescript's `operations[...]`: `path`, `query`, `header`, `cookie` and `body`, each
 * required only if a member is required. Parameters in `Secret` are optional, because the client has their values.
 */
export type InputOf<O, Secret extends string = never> = Flat<
  ParametersInput<Declared<O>, Secret> & BodyInput<O>
>

/** The parameters of an operation at a place of the request, as a call takes them. */
export type ParametersOf<O, Place extends string, Secret extends string = never> = O extends {
  parameters: infer P
}
  ? Place extends keyof P
    ? ParameterInputs<P[Place], Secret>
    : never
  : never

/** `body` and `contentType` of an operation, as a call takes them. */
export type ContentOf<O> = BodyInput<O>

/** The body of an operation with one media type. */
export type BodyOf<O> = O extends { requestBody?: infer R }
  ? NonNullable<R> extends { content: infer C }
    ? WrittenBody<C>['body']
    : never
  : never

/**
 * The same type with readonly arrays at every depth, so that `as const` values are assignable, and any file instead of a Blob.
 */
export type ReadonlyInput<T> = T extends Scalar
  ? T
  : T extends Blob
    ? FileInput
    : T extends object
      ? Sendable<T>
      : T

/** A separate type, so that compiler errors contain `Sendable<Order>` instead of all properties. */
export type Sendable<T> = { readonly [Key in keyof T]: ReadonlyInput<T[Key]> }

/** The keys of a content map whose media type is one of `Name`: in any case, and with any parameters. */
type KeyOf<C, Name extends string> = Extract<keyof C, OfName<keyof C, Name>>
type OfName<Key, Name extends string> = Key extends string
  ? Essence<Lowercase<Key>> extends Name
    ? Key
    : never
  : never
type Essence<Key extends string> = Key extends `${infer Name};${string}` ? Trimmed<Name> : Key
type Trimmed<Name extends string> = Name extends `${infer Start} ` ? Start : Name

/** The keys of a content map whose bodies have a codec. */
export type CodecKey<C, Kind extends Codec> = KeyOf<C, TypesOf<Kind>>

/** The keys that are JSON, which a client prefers. */
export type JsonKey<C> = CodecKey<C, 'json'>

/** The keys whose bodies are values of the schema. */
export type ValueKey<C> = CodecKey<C, CodecOf<'value'>>

/** The keys that are read as streams of items. */
export type StreamKey<C> = CodecKey<C, CodecOf<'items'>>

/** The keys whose bodies are text. An event stream that is sent, and a form that is received, is text. */
export type TextKey<C> = CodecKey<C, 'text' | 'events' | 'form'>

/** The keys whose request bodies are lists of described items. */
export type ItemsKey<C> = {
  [Type in SequentialKey<C>]: C[Type] extends readonly unknown[] ? Type : never
}[SequentialKey<C>]
type SequentialKey<C> = CodecKey<C, SequentialFormat>

/** The keys whose bodies are of the type that was sent. */
export type AnyType = TypesOf<'any'>

type Scalar = string | number | boolean | bigint | Date | null | undefined
/** Makes editors show the properties instead of the type expression. */
type Flat<T> = { [Key in keyof T]: T[Key] } & unknown

type Declared<O> = O extends { parameters: infer P } ? P : Nothing

type ParametersInput<P, Secret extends string> = {
  readonly [Place in RequiredPlace<P, Secret>]: ParameterInputs<P[Place], Secret>
} & {
  readonly [Place in Exclude<PlaceOf<P>, RequiredPlace<P, Secret>>]?: ParameterInputs<
    P[Place],
    Secret
  >
}

/** The locations with parameters: openapi-typescript prints the others as `?: never`. */
type PlaceOf<P> = {
  [Place in keyof P]-?: [NonNullable<P[Place]>] extends [never] ? never : Place
}[keyof P]

type RequiredPlace<P, Secret extends string> = {
  [Place in PlaceOf<P>]: Nothing extends ParameterInputs<P[Place], Secret> ? never : Place
}[PlaceOf<P>]

type Nothing = Readonly<Record<never, never>>

type ParameterInputs<Parameters, Secret extends string> = Flat<
  ReadonlyInput<Omit<NonNullable<Parameters>, Secret>> & {
    readonly [Name in keyof NonNullable<Parameters> & Secret]?: NonNullable<Parameters>[Name]
  }
>

type BodyInput<O> = O extends { requestBody: { content: infer C } }
  ? WrittenBody<C>
  : O extends { requestBody?: infer R }
    ? [Exclude<R, undefined>] extends [never]
      ? unknown
      : R extends { content: infer C }
        ? OptionalBody<WrittenBody<C>>
        : unknown
    : unknown

type OptionalBody<B> = B | { readonly [Key in keyof B]?: never }

/** JSON needs no `contentType` if it is one of several types, because it is the client's default. */
type WrittenBody<C> = [JsonKey<C>] extends [never]
  ? { readonly body: Written<C, keyof C>; readonly contentType?: Named<keyof C> }
  :
      | { readonly body: ReadonlyInput<C[JsonKey<C>]>; readonly contentType?: JsonKey<C> }
      | OtherBody<C, Exclude<keyof C, JsonKey<C>>>

type OtherBody<C, Type extends keyof C> = Type extends unknown
  ? { readonly body: Written<C, Type>; readonly contentType: Named<Type> }
  : never

/** A wildcard means any type of its kind. */
type Named<Type> = Type extends `${string}*${string}` ? string : Type

type Written<C, Type extends keyof C> =
  Type extends ValueKey<C>
    ? ReadonlyInput<C[Type]>
    : Type extends CodecKey<C, 'multipart'>
      ? ReadonlyInput<C[Type]> | FormData
      : Type extends CodecKey<C, 'form'>
        ? ReadonlyInput<C[Type]> | URLSearchParams
        : Type extends TextKey<C>
          ? string
          : Type extends ItemsKey<C> | AnyType
            ? ReadonlyInput<C[Type]> | Bytes
            : Type extends CodecKey<C, 'parts'>
              ? C[Type] extends readonly unknown[]
                ? ReadonlyInput<C[Type]> | Bytes
                : Bytes
              : Bytes

type Bytes = FileBytes | string
