import type { Codec } from './shared/codecs.js'
import type { Checks, Validator } from './validate.js'

/** The records of generated `operations.ts`: the content of a document apart from its schemas. */
export type Operation = HttpOperation | RpcOperation

export type HttpOperation = CommonFields & {
  readonly kind: 'http'
  readonly id: string
  /** The method on the wire: `GET`. */
  readonly method: string
  /** The template as documented: `/orders/{id}`. */
  readonly path: string
  readonly servers: readonly Server[]
  readonly parameters: readonly Parameter[]
  readonly body?: RequestBody
  readonly responses: readonly DeclaredResponse[]
  /** The property `stream` of the request chooses between JSON and a stream; this is its default. */
  readonly streamDefault?: boolean
  /** Alternatives, each a list of the schemes that it requires; empty if no scheme is declared. */
  readonly security: readonly (readonly string[])[]
  /** Every scheme in `security`. */
  readonly schemes: Readonly<Record<string, SecurityScheme>>
  /** `x-variants`. */
  readonly variants?: readonly Variant[]
  readonly poll?: Poll
  /** `x-idempotency-key`: the header that makes a repeated request safe. */
  readonly idempotencyKey?: string
  /** Pairs of properties of a 2xx body that may carry the same value (`x-same-as`). */
  readonly sameAs?: readonly (readonly [string, string])[]
  readonly links?: readonly Link[]
  readonly bigints?: HttpBigints
  /** What clients fill in. */
  readonly defaults?: HttpDefaults
}

/** The defaults of parameters, and of bodies by media type. */
export type HttpDefaults = {
  readonly parameters?: readonly {
    readonly in: Parameter['in']
    readonly name: string
    readonly value: unknown
  }[]
  readonly bodies?: Readonly<Record<string, DefaultPlaces>>
  /** The places of named schemas, for `refs`. */
  readonly named?: Readonly<Record<string, DefaultPlaces>>
}

/** Where values have defaults. */
export type DefaultPlaces = {
  /** The default of the value itself. */
  readonly value?: unknown
  readonly properties?: Readonly<Record<string, DefaultPlaces>>
  readonly items?: DefaultPlaces
  /** The places in every other property. */
  readonly others?: DefaultPlaces
  /** Names in `named`, whose places also apply to this value. */
  readonly refs?: readonly string[]
}

export type RequestBody<Media extends Content = Content> = {
  readonly required: boolean
  readonly content: readonly Media[]
}

export type DeclaredResponse<Media extends Content = Content> = {
  /** `200`, `4XX` or `default`. */
  readonly status: string
  /** Empty without a body. */
  readonly content: readonly Media[]
}

/** One media type of a body. */
export type Content = {
  /** As documented: `application/json`, `text/*`. */
  readonly type: string
  /** How the body is written and read. */
  readonly codec: Codec
  /** Of a form or another multipart body: the encoding of its parts, unless it is the default. */
  readonly encoding?: FormEncoding
  /** A response whose body is a stream: the kind of its items. */
  readonly stream?: StreamContent
}

/** The places in a value of integers that code reads and writes as bigint (`x-bigint`), and of texts that it reads as dates. */
export type BigintPlaces = {
  /** The value itself is a bigint. */
  readonly isBigint?: true
  /** The value itself is a Date, if it is a text with a date and a time. */
  readonly isDate?: true
  /** Property, or index of a list -> the places in it. */
  readonly properties?: Readonly<Record<string, BigintPlaces>>
  /** The places in every other property or item. */
  readonly others?: BigintPlaces
  /** Names in `named`, whose places also apply to this value. */
  readonly refs?: readonly string[]
}

type Bigints = { readonly named?: Readonly<Record<string, BigintPlaces>> }

/** Parameters by location and name, `query.after`; responses and items of streams by status. */
export type HttpBigints = Bigints & {
  readonly parameters?: Readonly<Record<string, BigintPlaces>>
  readonly request?: BigintPlaces
  readonly responses?: Readonly<Record<string, BigintPlaces>>
  readonly items?: Readonly<Record<string, BigintPlaces>>
}

/** Params by index and by name. */
export type RpcBigints = Bigints & {
  readonly params?: BigintPlaces
  readonly result?: BigintPlaces
}

/** The kind of the items of a stream. */
export type StreamContent = {
  /** `event`: an object with `data`, `event`, `id` and `retry` of an event. `data`: only the data. */
  readonly item: 'data' | 'event'
  /** `either`: JSON if the text is an object or a list, else the text. */
  readonly data: 'json' | 'text' | 'either'
  /** `x-stream-end`: the text that ends the stream in place of an item. */
  readonly end?: string
}

export type RpcOperation = CommonFields & {
  readonly kind: 'rpc'
  readonly id: string
  /** The wire name: `eth_getBalance`. */
  readonly method: string
  readonly params: readonly RpcParam[]
  readonly paramStructure: 'by-position' | 'by-name' | 'either'
  readonly errors: readonly { readonly code: number; readonly message: string }[]
  /** The document declares no result: the method is sent without an id, and has no response. */
  readonly isNotification?: boolean
  /** The document does not say who sends the notification, so a server needs no handler for it. */
  readonly isOptional?: boolean
  /** `x-subscription`: the result is the id of a subscription. */
  readonly subscription?: Subscription
  readonly bigints?: RpcBigints
}

/** Of a method that begins a subscription. Pointers lead into the params of its notifications; the first step names a param. */
export type Subscription = {
  /** The method that ends it, and takes the id. */
  readonly unsubscribe: string
  /** Where the id of the subscription is. */
  readonly id: string
  /** What the server sends, and where the item is. */
  readonly notifications: readonly { readonly method: string; readonly item: string }[]
}

/** `x-cancel` of a document: the notification that cancels a request, and where in its params the id of the request is. */
export type CancelMessage = { readonly notification: string; readonly id: string }

/** `x-progress` of a document: the notification of the progress of a request. All but its name are pointers into params. */
export type ProgressMessage = {
  readonly notification: string
  /** Where in the notification the token of the request is. */
  readonly token: string
  /** Where in the notification the value is. */
  readonly value: string
  /** Where in a request its token is. */
  readonly request: string
}

export type RpcParam = {
  readonly name: string
  readonly required: boolean
  /** The param is optional and its schema allows `null`, so that `null` does not mean an omitted param. */
  readonly acceptsNull?: boolean
}

/** The common fields of both kinds of operations; every field is from an extension that the reference describes. */
export type CommonFields = {
  readonly stability?: 'draft' | 'alpha' | 'beta' | 'stable'
  readonly access?: 'public' | 'key'
  readonly idempotent?: boolean
  readonly pages?: Pages
  readonly limits?: Limits
  readonly deprecated?: boolean
  /** ISO 8601 date from `x-deprecated-at`. */
  readonly deprecatedAt?: string
  /** ISO 8601 date from `x-sunset`. */
  readonly sunset?: string
  /** The replacement (`x-replaced-by`): the id of an operation, or a URL. */
  readonly replacedBy?: string
}

/** `x-limits`: requests per minute, items per batch, bytes of body. */
export type Limits = {
  readonly requestsPerMinute?: number
  readonly batchSize?: number
  readonly payloadBytes?: number
}

export type Server = {
  /** The name by which a client selects the server: `testnet`. */
  readonly name: string
  /** With `{variables}`. */
  readonly url: string
  readonly variables: Readonly<Record<string, ServerVariable>>
  readonly chainId?: number
  /** `x-native-currency`: the currency of the fees and balances of the chain. */
  readonly nativeCurrency?: NativeCurrency
}

/** As in EIP-3085; `decimals` is the number of decimal places of a balance. */
export type NativeCurrency = {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

export type ServerVariable = {
  readonly default: string
  readonly enum?: readonly string[]
  readonly secret?: boolean
}

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly style:
    | 'simple'
    | 'label'
    | 'matrix'
    | 'form'
    | 'spaceDelimited'
    | 'pipeDelimited'
    | 'deepObject'
    | 'cookie'
  readonly explode: boolean
  readonly allowReserved?: boolean
  /** Of a parameter with `content` instead of `schema`: the codec of its media type. */
  readonly codec?: Codec
  /** OpenAPI 3.2, `in: querystring`: the value is the whole query, without a name before it. */
  readonly isWholeQuery?: boolean
  /** `x-secret`: passed once to the client, redacted everywhere. */
  readonly secret?: boolean
}

/** Property, or position of a part -> its encoding; `*` applies to the others. */
export type FormEncoding = Readonly<Record<string, FieldEncoding>>

/** OpenAPI, Encoding Object. With a style, the content type is ignored. */
export type FieldEncoding = {
  readonly style?: Parameter['style']
  readonly explode?: boolean
  readonly allowReserved?: boolean
  readonly contentType?: string
  /** Headers of the part with values that the document fixes. */
  readonly headers?: Readonly<Record<string, string>>
  /** A file, or a list of files. */
  readonly isFile?: true
}

export type SecurityScheme =
  | { readonly kind: 'key'; readonly in: 'header' | 'query' | 'cookie'; readonly parameter: string }
  | { readonly kind: 'basic' }
  | { readonly kind: 'bearer' }
  /** Mutual TLS and HTTP schemes with a handshake, which a request cannot contain. */
  | { readonly kind: 'outside'; readonly type: string }

/** A kind of request: the schema names of its body, its responses and its errors with a 2xx status. */
export type Variant = {
  readonly name: string
  readonly request: string
  readonly responses: readonly string[]
  readonly errors: readonly string[]
  /** `x-contract-call`: the variant calls a function of a contract. */
  readonly contractCall?: ContractFields
}

/**
 * The properties of a request with the ABI lines, the name of the function and its arguments. `output` is the property of a
 * response with its output.
 */
export type ContractFields = {
  readonly abi: string
  readonly method: string
  readonly arguments: string
  readonly output: string
}

/** `x-poll`: the call is repeated until `field` has one of the `terminal` values. */
export type Poll = {
  readonly field: string
  readonly terminal: readonly string[]
  readonly order: readonly string[]
}

/**
 * `x-pagination`, or a link of a response to its own operation: how a page determines the parameters of the next one. A place
 * in a page is a JSON pointer into its body, in which `-1` is the last item of a list, or `$response.header.NAME`.
 */
export type Pages = {
  /** The place of the items in a page; the whole body by default. */
  readonly items?: string
  /** Parameter -> the place in a page of its next value. On the last page, it is missing, null or an empty text. */
  readonly next?: Readonly<Record<string, string>>
  /** A parameter that counts pages from 1. */
  readonly page?: string
  /** A parameter that counts the items before a page. */
  readonly offset?: string
  /** The place of a value that is `true` if there is a next page. */
  readonly more?: string
}

/** OpenAPI `links`: an operation to call next, with a field of a response. */
export type Link = {
  readonly name: string
  readonly status: string
  /** The id of the operation to call. */
  readonly operation: string
  /** Parameter name or position -> runtime expression: `$response.body#/id`. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** The validators of one HTTP operation: `validators.ts` exports checks, `explanations.ts` validators that explain errors. */
export type HttpValidators<V extends Checks = Validator> = {
  /** Location and name -> validator: `path.id`. */
  readonly parameters?: Readonly<Record<string, V>>
  /** Validates the body of every JSON media type; absent if there is none, or if they have different schemas. */
  readonly request?: V
  /** Validates the fields of the body of every HTML form media type; absent if there is none, or if they have different schemas. */
  readonly fields?: V
  /** Media type -> validator of its body, where they have different schemas. */
  readonly requests?: Readonly<Record<string, V>>
  /** Status -> validator of its JSON body; status and media type (`200 application/json`) where they have different schemas. */
  readonly responses: Readonly<Record<string, V>>
  /** Status, or status and media type -> validator of one item of its stream. */
  readonly items?: Readonly<Record<string, V>>
  /** Variant name -> the validators of its request, response and error. */
  readonly variants?: Readonly<
    Record<string, { readonly request: V; readonly response: V; readonly error: V }>
  >
}

/** The validators of one method. `params` validates the positional array, or the object of named params. */
export type RpcValidators = {
  readonly params: Validator
  readonly result: Validator
  readonly variants?: MethodVariants<Validator>
}

/** The checks of a method with known types, as `validators.ts` exports them. */
export type MethodChecks<M extends MethodTypes> = {
  readonly params: Checks<M['params']>
  readonly result: Checks<M['result']>
}

/** The validators of a method with known types, as `explanations.ts` exports them to explain errors. */
export type MethodValidators<M extends MethodTypes> = {
  readonly params: Validator<M['params']>
  readonly result: Validator<M['result']>
}

/** The checks of the variants of a method; `Variants` are their types: name -> `{ params, result, item }`. */
export type VariantChecks<Variants> = {
  readonly variants: {
    readonly [Name in keyof Variants]: { readonly [Part in keyof Variants[Name]]: Checks }
  }
}

/** The validators of the variants of a method, as `explanations.ts` exports them. */
export type VariantValidators<Variants> = {
  readonly variants: {
    readonly [Name in keyof Variants]: { readonly [Part in keyof Variants[Name]]: Validator }
  }
}

/** Variant name -> what it is checked by (`x-variants` of a method). `item` is that of a subscription. */
export type MethodVariants<V extends Checks> = Readonly<
  Record<string, { readonly params: V; readonly result: V; readonly item?: V }>
>

type MethodTypes = { readonly params: unknown; readonly result: unknown }
