import type { HttpOperation, Limits, RpcOperation, Server } from '../../../runtime/operation.js'
import type { Schema } from '../../../schema/schema.js'

/** What the try-it of an operation knows: written beside its page, and loaded when a reader opens it. */
export type TryData = HttpTry | RpcTry

export type HttpTry = TryCommon & {
  readonly kind: 'http'
  readonly operation: HttpOperation
  /** Those that a reader fills in: all but the secret ones. */
  readonly parameters: readonly TryParameter[]
  readonly bodies: readonly { readonly type: string; readonly schema: Schema }[]
  /** Status, `4XX` or `default` -> what the document says of it. */
  readonly responses: Readonly<Record<string, TryResponse>>
  readonly examples: readonly HttpExample[]
}

export type RpcTry = TryCommon & {
  readonly kind: 'rpc'
  readonly operation: RpcOperation
  /** Of params as a list, and as an object; absent where the method does not take them so. */
  readonly list?: Schema
  readonly object?: Schema
  readonly result: { readonly name: string; readonly schema: Schema }
  readonly errors: readonly DeclaredError[]
  /** Every code of the document with a place on the page of errors, and how it is called there. */
  readonly codes: Readonly<Record<string, string>>
  readonly examples: readonly RpcTryExample[]
}

type TryCommon = {
  readonly servers: readonly Server[]
  readonly limits: Limits
  /** Those that the schemas above refer to, however far. */
  readonly schemas: Readonly<Record<string, Schema>>
}

export type TryParameter = {
  /** `path.orderId`: what its example and its check are known by. */
  readonly key: string
  readonly name: string
  readonly place: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly schema: Schema
}

export type TryResponse = {
  /** `404 Not Found`. */
  readonly name: string
  readonly description: string
  readonly content: readonly { readonly type: string; readonly schema: Schema }[]
  readonly headers: readonly {
    readonly name: string
    readonly required: boolean
    readonly schema: Schema
  }[]
}

export type DeclaredError = {
  readonly code: number
  readonly message: string
  /** What the document calls it; absent where it is at the method alone. */
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
  /** The body, or the params, as JSON: in place of a value whose integers a number rounds. */
  readonly text?: string
}
