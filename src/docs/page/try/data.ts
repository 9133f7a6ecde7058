import type { HttpOperation, Limits, RpcOperation, Server } from '../../../runtime/operation.js'
import type { Codec } from '../../../runtime/shared/codecs.js'
import type { HeaderTerms } from '../../../runtime/wire/parameters.js'
import type { Schema } from '../../../schema/schema.js'

/** The data for the try-it of an operation: written next to its page, and loaded when a reader opens it. */
export type TryData = HttpTry | RpcTry

export type HttpTry = TryCommon & {
  readonly kind: 'http'
  readonly operation: HttpOperation
  /** The parameters that a reader fills in: all but secret ones. */
  readonly parameters: readonly TryParameter[]
  readonly bodies: readonly { readonly type: string; readonly schema: Schema }[]
  /** Status, `4XX` or `default` -> the declared response. */
  readonly responses: Readonly<Record<string, TryResponse>>
  readonly examples: readonly HttpExample[]
}

export type RpcTry = TryCommon & {
  readonly kind: 'rpc'
  readonly operation: RpcOperation
  /** The schemas of params as a list, and as an object; undefined if the method does not accept that form. */
  readonly list?: Schema
  readonly object?: Schema
  readonly result: { readonly name: string; readonly schema: Schema }
  readonly errors: readonly DeclaredError[]
  /** Every code of the document that the page of errors lists -> its name there. */
  readonly codes: Readonly<Record<string, string>>
  readonly examples: readonly RpcTryExample[]
  /** Of a method that begins a subscription. */
  readonly subscription?: TrySubscription
  /** By name: the schemas of the params of a variant, and of its items (`x-variants`). */
  readonly variants?: Readonly<Record<string, { readonly params: Schema; readonly item?: Schema }>>
}

export type TrySubscription = {
  readonly unsubscribe: SentMethod
  /** Where the params of a notification have the id: a JSON pointer. */
  readonly id: string
  /** `item` is where the params have the item, and `schema` that of all params. */
  readonly notifications: readonly (SentMethod & {
    readonly item: string
    readonly schema: Schema
  })[]
}

type SentMethod = Pick<RpcOperation, 'method' | 'params' | 'paramStructure'>

type TryCommon = {
  readonly servers: readonly Server[]
  readonly limits: Limits
  /** All schemas that those above refer to, directly or indirectly. */
  readonly schemas: Readonly<Record<string, Schema>>
}

export type TryParameter = {
  /** `path.orderId`: the key of its example and its validator. */
  readonly key: string
  readonly name: string
  readonly place: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly schema: Schema
  /** What its field shows while it is empty. */
  readonly hint?: string
}

export type TryResponse = {
  /** `404 Not Found`. */
  readonly name: string
  readonly description: string
  readonly content: readonly {
    readonly type: string
    readonly codec: Codec
    readonly schema: Schema
  }[]
  readonly headers: readonly (HeaderTerms & {
    readonly required: boolean
    readonly schema: Schema
  })[]
}

export type DeclaredError = {
  readonly code: number
  readonly message: string
  /** Its name in the components; undefined for an inline error. */
  readonly component?: string
  readonly anchor: string
}

export type HttpExample = Named & {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly type?: string
  readonly body?: unknown
}

export type RpcTryExample = Named & { readonly params?: unknown }

type Named = {
  readonly name: string
  readonly summary?: string
  /** The body or params as JSON text, used if a value contains integers that a number would round. */
  readonly text?: string
}
