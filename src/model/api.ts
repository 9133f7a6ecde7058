import type {
  CancelMessage,
  CommonFields,
  HttpBigints,
  HttpOperation as HttpRecord,
  Limits,
  Link,
  ProgressMessage,
  RpcParam as RpcParamRecord,
  RpcOperation as RpcRecord,
  Server,
  Variant as VariantRecord,
} from '../runtime/operation.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import type { DirectionMark } from '../schema/direction-marks.js'
import type { Schema } from '../schema/schema.js'
import type { Source } from '../schema/source.js'
import type { Finding } from './finding.js'
import type { Holder, HttpBody, HttpParameter, HttpResponse } from './http-content.js'
import type { Workflow } from './workflow.js'

/** Both documents, read, resolved and normalised. Plain data: every consumer is a switch over `kind`. */
export type Api = {
  readonly title: string
  readonly version: string
  readonly description: string | undefined
  /** Undefined where no OpenAPI document was given. */
  readonly http: HttpDocument | undefined
  /** Undefined where no OpenRPC document was given. */
  readonly rpc: RpcDocument | undefined
  /** HTTP operations, then methods, each in the order of its document. Ids are unique over both. */
  readonly operations: readonly Operation[]
  /** Webhooks, then callbacks, each in the order of the OpenAPI document. */
  readonly outgoing: readonly OutgoingRequest[]
  /**
   * Methods that the server calls (`x-direction`), in the order of the OpenRPC document: notifications, and requests that
   * clients respond to. Those that both sides send are among `operations` as well.
   */
  readonly serverMethods: readonly RpcOperation[]
  /** Sorted by name; a schema that both documents use is here once. */
  readonly schemas: ReadonlyMap<string, NamedSchema>
  readonly workflows: readonly Workflow[]
  /** Schemas and paths that no document refers to, in files to which the documents do refer. */
  readonly leftovers: readonly Leftover[]
  /** Problems that do not stop generation. */
  readonly findings: readonly Finding[]
}

/** The dialect of JSON Schema that a document's schemas are written in. */
export type Dialect = 'openapi-3.0' | 'draft-07' | '2020-12'

type DocumentCommon = {
  readonly title: string
  readonly version: string
  readonly description: string | undefined
  readonly servers: readonly Server[]
  /** The tags that the document describes: OpenAPI's own list, and of OpenRPC the tags of its methods. */
  readonly tags: readonly Tag[]
  readonly limits: Limits
  /** One self-contained document in its own dialect; its references all begin with `#/components/`. */
  readonly bundled: JsonObject
  readonly source: Source
  /** The dialect in which its schemas were read. */
  readonly dialect: Dialect
  /** Where an object or a list of `bundled` was written. */
  readonly sourceOf: (node: object) => Source
  /** The components to which an object of `bundled` referred before aliases and pointers into components were resolved. */
  readonly passedBy: (node: object) => readonly string[]
  /**
   * A number in an object or a list of `bundled`, as written; undefined where a double represents every number exactly, unless
   * `any` number is wanted.
   */
  readonly numberText: (
    node: object,
    key: string | number,
    which?: 'long' | 'any',
  ) => string | undefined
}

/** OpenAPI 3.2, Tag Object. */
export type Tag = {
  readonly name: string
  /** A short title, for lists. */
  readonly summary: string | undefined
  readonly description: string | undefined
  /** The name of the parent tag. */
  readonly parent: string | undefined
  /** The purpose of the tag, such as `nav`. */
  readonly kind: string | undefined
}

export type Leftover = { readonly name: string; readonly source: Source }

export type HttpDocument = DocumentCommon & { readonly kind: 'http' }
export type RpcDocument = DocumentCommon & {
  readonly kind: 'rpc'
  /** The path of the first server's URL, `/zgt/{apiKey}`: the endpoint of the methods. */
  readonly path: string
  /** `x-cancel` */
  readonly cancel?: CancelMessage
  /** `x-progress` */
  readonly progress?: ProgressMessage
}

/** An operation that clients can call. */
export type Operation = HttpOperation | RpcOperation

/** What the documents say of an operation beside the data that generated code has. */
type OperationCommon = CommonFields & {
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly tags: readonly string[]
  readonly idempotent: boolean
  readonly deprecated: boolean
  readonly limits: Limits
  readonly notShown: string | undefined
  readonly assumption: string | undefined
  readonly source: Source
}

/** The data of generated code with schemas, examples and sources; an id is a TypeScript identifier, unique over both documents. */
export type HttpOperation = OperationCommon &
  Omit<HttpRecord, 'parameters' | 'body' | 'responses' | 'variants' | 'links'> & {
    readonly parameters: readonly HttpParameter[]
    /** Path parameters that the path template does not contain. Requests cannot carry them, but `diff` compares them. */
    readonly unusedPathParameters: readonly HttpParameter[]
    readonly body: HttpBody | undefined
    readonly responses: readonly HttpResponse[]
    readonly variants: readonly Variant[]
    readonly links: readonly WrittenLink[]
    /** The operationId as the document has it, of which `id` is an identifier: `orders/list-all`. */
    readonly operationId: string
  }

/** Until ids are final, `isMethod` marks a link to a method of JSON-RPC, which may have the name of an HTTP operation. */
export type WrittenLink = Link & { readonly isMethod?: true }

/** A request from the server to a subscriber: a webhook, or a callback of an operation. Clients do not call it. */
export type OutgoingRequest = {
  readonly kind: 'webhook' | 'callback'
  /** Its name in generated code, unique among them: `orderCreated`, or `createOrderPaid` of an operation's callback. */
  readonly id: string
  /** Its key in the document: `orderCreated`. */
  readonly name: string
  /** For a callback: the operation that declares it, and the expression of its URL. */
  readonly callback:
    | { readonly method: string; readonly path: string; readonly url: string }
    | undefined
  /** As sent. */
  readonly method: string
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly parameters: readonly HttpParameter[]
  readonly body: (HttpBody & { readonly source: Source }) | undefined
  readonly responses: readonly HttpResponse[]
  readonly bigints?: HttpBigints
  readonly stability: Operation['stability']
  readonly deprecated: boolean
  readonly sunset: Operation['sunset']
  readonly source: Source
}

/** A row of `x-variants`; the names are keys of `Api.schemas`, `example` one of the request's examples. */
export type Variant = VariantRecord & { readonly example: string | undefined }

export type RpcOperation = OperationCommon &
  Omit<RpcRecord, 'params' | 'errors'> & {
    /** `x-variants`: what each form of the params leads to. */
    readonly variants?: readonly RpcVariant[]
    /** Only the server sends it (`x-direction: server`). */
    readonly isSent?: true
    readonly params: readonly RpcParam[]
    /** The schema of params by name that `params` does not list; without it there are none. */
    readonly otherParams?: Schema
    readonly result: RpcResult
    readonly errors: readonly RpcDeclaredError[]
    readonly examples: readonly RpcExample[]
  }

/** A row of `x-variants` of a method. */
export type RpcVariant = {
  readonly name: string
  /** The params of the method, with narrower schemas. */
  readonly params: readonly RpcParam[]
  readonly result: Schema
  /** Of the items of the subscription that the method begins. */
  readonly item?: Schema
  readonly source: Source
}

export type RpcParam = RpcParamRecord & {
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly deprecated: boolean
  readonly schema: Schema
  readonly source: Source
}

type RpcResult = {
  readonly name: string
  readonly description: string | undefined
  readonly schema: Schema
  readonly source: Source
}

export type RpcDeclaredError = {
  readonly code: number
  readonly message: string
  readonly data: unknown
  readonly source: Source
}

/** An example pairing; `error` (from `x-error`) is there where the method responds with an error. */
export type RpcExample = {
  readonly name: string
  readonly summary: string | undefined
  readonly params: readonly unknown[]
  /** The source of each of the values, and of the result. */
  readonly places: { readonly params: readonly Source[]; readonly result: Source }
  /** The objects that contain the values. */
  readonly holders?: readonly Holder[]
  /** The same values by param name, as in a call by name. */
  readonly namedParams: JsonObject
  readonly outcome:
    | { readonly kind: 'result'; readonly value: unknown; readonly holder?: Holder }
    | {
        readonly kind: 'error'
        readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
      }
    /** A notification, or a pairing with params only. */
    | { readonly kind: 'none' }
  readonly source: Source
}

export type NamedSchema = {
  /** The component key; changed only if it is not an identifier, or if two documents disagree. */
  readonly name: string
  /** The component key of its document, where the name differs. */
  readonly key?: string
  readonly schema: Schema
  /** Which documents use it. */
  readonly usedBy: 'http' | 'rpc' | 'both'
  readonly source: Source
  /** The properties with this mark, which its type does not have: it is the form of a schema for requests, or for responses. */
  readonly omits?: DirectionMark | undefined
  /** The schema without the values of discriminators, and these values by property, if `schema` has them. */
  readonly discriminated?: {
    readonly schema: Schema
    readonly values: Readonly<Record<string, readonly unknown[]>>
  }
}
