import type {
  ContractFields,
  Limits,
  Link,
  Pages,
  Poll,
  SecurityScheme,
  Server,
} from '../runtime/operation.js'
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
  /** A number in an object or a list of `bundled`, as written; undefined where a double represents every number exactly. */
  readonly numberText: (node: object, key: string | number) => string | undefined
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
}

export type JsonObject = { readonly [key: string]: unknown }

/** An operation that clients can call. */
export type Operation = HttpOperation | RpcOperation

type OperationCommon = {
  /** A TypeScript identifier, unique over both documents: `ethGetBalance`. */
  readonly id: string
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly tags: readonly string[]
  readonly stability: 'draft' | 'alpha' | 'beta' | 'stable' | undefined
  readonly access: 'public' | 'key' | undefined
  readonly idempotent: boolean
  readonly pages: Pages | undefined
  readonly deprecated: boolean
  /** `x-deprecated-at`, `x-sunset`, `x-replaced-by`, as written. */
  readonly deprecatedAt: string | undefined
  readonly sunset: string | undefined
  readonly replacedBy: string | undefined
  readonly limits: Limits
  readonly notShown: string | undefined
  readonly assumption: string | undefined
  readonly source: Source
}

export type HttpOperation = OperationCommon & {
  readonly kind: 'http'
  /** As sent: `GET`; a method of `additionalOperations` as written. */
  readonly method: string
  readonly path: string
  readonly servers: readonly Server[]
  readonly parameters: readonly HttpParameter[]
  /** Path parameters that the path template does not contain. Requests cannot carry them, but `diff` compares them. */
  readonly unusedPathParameters: readonly HttpParameter[]
  readonly body: HttpBody | undefined
  readonly responses: readonly HttpResponse[]
  readonly security: readonly (readonly string[])[]
  readonly schemes: Readonly<Record<string, SecurityScheme>>
  readonly variants: readonly Variant[]
  readonly poll: Poll | undefined
  /** The header that makes a repeated request safe. */
  readonly idempotencyKey: string | undefined
  /** The default of the request property `stream`, which selects between JSON and a stream. */
  readonly streamDefault?: boolean | undefined
  readonly links: readonly WrittenLink[]
}

/** Until ids are final, `isMethod` marks a link to a method of JSON-RPC, which may have the name of an HTTP operation. */
export type WrittenLink = Link & { readonly isMethod?: true }

/** A request from the server to a subscriber: a webhook, or a callback of an operation. Clients do not call it. */
export type OutgoingRequest = {
  readonly kind: 'webhook' | 'callback'
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
  readonly stability: Operation['stability']
  readonly deprecated: boolean
  readonly sunset: string | undefined
  readonly source: Source
}

/** A row of `x-variants`; the names are keys of `Api.schemas`, `example` one of the request's examples. */
export type Variant = {
  readonly name: string
  readonly request: string
  readonly responses: readonly string[]
  readonly errors: readonly string[]
  readonly example: string | undefined
  readonly contractCall?: ContractFields
}

export type RpcOperation = OperationCommon & {
  readonly kind: 'rpc'
  /** The wire name. */
  readonly method: string
  readonly params: readonly RpcParam[]
  readonly paramStructure: 'by-position' | 'by-name' | 'either'
  readonly result: RpcResult
  /** The document declares no result: the request has no id. */
  readonly isNotification?: true
  readonly errors: readonly RpcDeclaredError[]
  readonly examples: readonly RpcExample[]
}

export type RpcParam = {
  readonly name: string
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly required: boolean
  readonly deprecated: boolean
  readonly schema: Schema
  /** The param is optional and its schema allows `null`, so `null` does not skip it. */
  readonly acceptsNull?: true
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
  readonly schema: Schema
  /** Which documents use it. */
  readonly usedBy: 'http' | 'rpc' | 'both'
  readonly source: Source
  /** The schema without the values of mappings, and these values by property, if `schema` has them. */
  readonly discriminated?: {
    readonly schema: Schema
    readonly values: Readonly<Record<string, readonly string[]>>
  }
}
