import type { Checks, Validator } from './validate.js'

/** The records that generated `operations.ts` consists of: what a document says beyond its schemas. */
export type Operation = HttpOperation | RpcOperation

export type HttpOperation = Promises & {
  readonly kind: 'http'
  readonly id: string
  /** As it is sent: `GET`. */
  readonly method: string
  /** The template as documented: `/orders/{id}`. */
  readonly path: string
  readonly servers: readonly Server[]
  readonly parameters: readonly Parameter[]
  readonly body?: {
    readonly required: boolean
    readonly mediaTypes: readonly string[]
    /** Media type of a form -> how its properties are written, where that is not the default. */
    readonly forms?: Readonly<Record<string, FormEncoding>>
  }
  /** Status (`200`, `4XX`, `default`) -> the media types of its body, none where it has no body. */
  readonly responses: Readonly<Record<string, readonly string[]>>
  /** Status -> media type -> what the items of a stream are; only for media types that are streams. */
  readonly streams?: Readonly<Record<string, Readonly<Record<string, StreamContent>>>>
  /** The property `stream` of the request chooses between JSON and a stream; this is its default. */
  readonly streamDefault?: boolean
  /** Alternatives, each a list of scheme names that must all be met; empty where no scheme is declared. */
  readonly security: readonly (readonly string[])[]
  /** Every scheme that `security` names. */
  readonly schemes: Readonly<Record<string, SecurityScheme>>
  /** Variant name -> the named schemas of its request, its answers and its errors under a 2xx (`x-variants`). */
  readonly variants?: Readonly<Record<string, Variant>>
  readonly poll?: Poll
  /** `x-idempotency-key`: the header that makes a repeated request safe. */
  readonly idempotencyKey?: string
  /** Pairs of properties of a 2xx body that may carry the same value (`x-same-as`). */
  readonly sameAs?: readonly (readonly [string, string])[]
  readonly links?: readonly Link[]
  readonly bigints?: HttpBigints
}

/** `x-bigint`: where the integers of a value are that code reads and writes as bigint. */
export type BigintPlaces = {
  /** The value itself. */
  readonly isBigint?: true
  /** Property, or index of a list -> the places in it. */
  readonly properties?: Readonly<Record<string, BigintPlaces>>
  /** The places in every other property or item. */
  readonly others?: BigintPlaces
  /** Names in `named`, whose places are places of this value, too. */
  readonly refs?: readonly string[]
}

type Bigints = { readonly named?: Readonly<Record<string, BigintPlaces>> }

/** Parameters by place and name, `query.after`; responses, and items of streams, by status. */
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

/** What the items of a stream are. */
export type StreamContent = {
  /** `event`: an object with `data`, `event`, `id` and `retry` of an event. `data`: what the data is alone. */
  readonly item: 'data' | 'event'
  /** `either`: JSON where the text is an object or a list, else the text. */
  readonly data: 'json' | 'text' | 'either'
  /** `x-stream-end`: the text that ends the stream in place of an item. */
  readonly end?: string
}

export type RpcOperation = Promises & {
  readonly kind: 'rpc'
  readonly id: string
  /** The wire name: `eth_getBalance`. */
  readonly method: string
  readonly params: readonly RpcParam[]
  readonly paramStructure: 'by-position' | 'by-name' | 'either'
  readonly errors: readonly { readonly code: number; readonly message: string }[]
  /** The document gives the method no result: it is sent without an id, and has no response. */
  readonly isNotification?: boolean
  readonly bigints?: RpcBigints
}

export type RpcParam = {
  readonly name: string
  readonly required: boolean
  /** It is optional, and its schema allows `null`: `null` does not mean that the param is skipped. */
  readonly acceptsNull?: boolean
}

/** What both kinds promise; every field comes from an extension that the reference describes. */
export type Promises = {
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
  /** What to call instead (`x-replaced-by`): the id of an operation, or a URL. */
  readonly replacedBy?: string
}

/** `x-limits`: requests per minute, items per batch, bytes of body. */
export type Limits = {
  readonly requestsPerMinute?: number
  readonly batchSize?: number
  readonly payloadBytes?: number
}

export type Server = {
  /** What a client chooses it by: `testnet`. */
  readonly name: string
  /** With `{variables}`. */
  readonly url: string
  readonly variables: Readonly<Record<string, ServerVariable>>
  readonly chainId?: number
  /** `x-native-currency`: what the chain counts its fees and balances in. */
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
  /** A parameter with `content` instead of `schema` is serialised by its media type. */
  readonly mediaType?: string
  /** OpenAPI 3.2, `in: querystring`: the value is the whole query, without a name before it. */
  readonly isWholeQuery?: boolean
  /** `x-secret`: given once to the client, never shown. */
  readonly secret?: boolean
}

/** Property -> how it is written; `*` means those that have no name in the document. */
export type FormEncoding = Readonly<Record<string, FieldEncoding>>

/** OpenAPI, Encoding Object. With a style, the content type means nothing. */
export type FieldEncoding = {
  readonly style?: Parameter['style']
  readonly explode?: boolean
  readonly allowReserved?: boolean
  readonly contentType?: string
  /** Headers of its part whose values the document fixes. */
  readonly headers?: Readonly<Record<string, string>>
  /** A file, or a list of files. */
  readonly isFile?: true
}

export type SecurityScheme =
  | { readonly kind: 'key'; readonly in: 'header' | 'query' | 'cookie'; readonly parameter: string }
  | { readonly kind: 'basic' }
  | { readonly kind: 'bearer' }
  /** Mutual TLS and HTTP schemes that need a handshake: nothing that a request could carry. */
  | { readonly kind: 'outside'; readonly type: string }

export type Variant = {
  readonly request: string
  readonly responses: readonly string[]
  readonly errors: readonly string[]
  /** `x-contract-call`: the variant calls a function of a contract. */
  readonly contractCall?: ContractFields
}

/**
 * The properties of a request that hold the ABI lines, the name of the function and its arguments, and the property
 * of a response that holds its output.
 */
export type ContractFields = {
  readonly abi: string
  readonly method: string
  readonly arguments: string
  readonly output: string
}

/** `x-poll`: ask again until `field` has one of the `terminal` values. */
export type Poll = {
  readonly field: string
  readonly terminal: readonly string[]
  readonly order: readonly string[]
}

/**
 * `x-pagination`, or a link of a response to its own operation: how the parameters of the next page follow from a page. What is
 * read from a page is a JSON pointer into its body, in which `-1` is the last item of a list, or `$response.header.NAME`.
 */
export type Pages = {
  /** Where the items of a page are; the whole body by default. */
  readonly items?: string
  /** Parameter -> where a page has its value for the next one; the last page has none, null or an empty text there. */
  readonly next?: Readonly<Record<string, string>>
  /** A parameter that counts pages from 1. */
  readonly page?: string
  /** A parameter that counts the items before a page. */
  readonly offset?: string
  /** What is `true` where there is a next page. */
  readonly more?: string
}

/** OpenAPI's own `links`: what to call next with a field of an answer. */
export type Link = {
  readonly name: string
  readonly status: string
  /** The id of the operation to call. */
  readonly operation: string
  /** Parameter name or position -> runtime expression: `$response.body#/id`. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** The validators of one HTTP operation, as generated `validators.ts` exports them to check, and `explanations.ts` to explain. */
export type HttpValidators<V extends Checks = Validator> = {
  /** Location and name -> validator: `path.id`. */
  readonly parameters?: Readonly<Record<string, V>>
  /** The body of each media type that is JSON; absent where there is none. */
  readonly request?: V
  /** The fields of the body of each media type that is an HTML form; absent where there is none. */
  readonly fields?: V
  /** Status -> validator of its JSON body. */
  readonly responses: Readonly<Record<string, V>>
  /** Status -> validator of one item of its stream. */
  readonly items?: Readonly<Record<string, V>>
  /** Variant name -> the readings that a variant allows. */
  readonly variants?: Readonly<
    Record<string, { readonly request: V; readonly response: V; readonly error: V }>
  >
}

/** The validators of one method. `params` reads the positional array (or the object, by name). */
export type RpcValidators = { readonly params: Validator; readonly result: Validator }

/** The validators of a method whose types are known, as `validators.ts` exports them to check. */
export type MethodChecks<M extends MethodTypes> = {
  readonly params: Checks<M['params']>
  readonly result: Checks<M['result']>
}

/** The same as `explanations.ts` exports them, to explain. */
export type MethodValidators<M extends MethodTypes> = {
  readonly params: Validator<M['params']>
  readonly result: Validator<M['result']>
}

type MethodTypes = { readonly params: unknown; readonly result: unknown }
