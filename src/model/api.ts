import type {
  ContractFields,
  Limits,
  Link,
  Pages,
  Parameter,
  Poll,
  SecurityScheme,
  Server,
  StreamContent,
} from '../runtime/operation.js'
import type { Schema } from '../schema/schema.js'
import type { Source } from '../schema/source.js'
import type { Finding } from './finding.js'
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
  /** What is beside schemas and paths that the documents refer to, in the same file, and is referred to by neither. */
  readonly leftovers: readonly Leftover[]
  /** What is merely wrong: reported, while generation goes on. */
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
  /** How its schemas were read. */
  readonly dialect: Dialect
  /** Where an object or a list of `bundled` was written. */
  readonly sourceOf: (node: object) => Source
  /** A number in an object or a list of `bundled`, as it was written; undefined where a double holds every number exactly. */
  readonly numberText: (node: object, key: string | number) => string | undefined
}

/** OpenAPI 3.2, Tag Object. */
export type Tag = {
  readonly name: string
  /** A short title, for lists. */
  readonly summary: string | undefined
  readonly description: string | undefined
  /** The name of the tag that this one is within. */
  readonly parent: string | undefined
  /** What the tag is for, such as `nav`. */
  readonly kind: string | undefined
}

export type Leftover = { readonly name: string; readonly source: Source }

export type HttpDocument = DocumentCommon & { readonly kind: 'http' }
export type RpcDocument = DocumentCommon & {
  readonly kind: 'rpc'
  /** The path of the first server's URL, `/zgt/{apiKey}`: where a server answers the methods. */
  readonly path: string
}

export type JsonObject = { readonly [key: string]: unknown }

/** One thing a client can call. */
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
  /** `x-deprecated-at`, `x-sunset`, `x-replaced-by`, as they are written. */
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
  /** As it is sent: `GET`; a method of `additionalOperations` as the document writes it. */
  readonly method: string
  readonly path: string
  readonly servers: readonly Server[]
  readonly parameters: readonly HttpParameter[]
  /** Of the path, whose template has no place for them: no request can carry them, but two versions are compared in them. */
  readonly unusedPathParameters: readonly HttpParameter[]
  readonly body: HttpBody | undefined
  readonly responses: readonly HttpResponse[]
  readonly security: readonly (readonly string[])[]
  readonly schemes: Readonly<Record<string, SecurityScheme>>
  readonly variants: readonly Variant[]
  readonly poll: Poll | undefined
  /** The header that makes a repeated request safe. */
  readonly idempotencyKey: string | undefined
  /** The property `stream` of the request chooses between JSON and a stream; this is its default. */
  readonly streamDefault?: boolean | undefined
  readonly links: readonly Link[]
}

/** A request that the service sends and a subscriber answers: a webhook, or a callback of an operation. No client calls it. */
export type OutgoingRequest = {
  readonly kind: 'webhook' | 'callback'
  /** Its key in the document: `orderCreated`. */
  readonly name: string
  /** Of a callback: the operation that declares it, and the expression for the address. */
  readonly callback:
    | { readonly method: string; readonly path: string; readonly url: string }
    | undefined
  /** As it is sent. */
  readonly method: string
  readonly parameters: readonly HttpParameter[]
  readonly body: (HttpBody & { readonly source: Source }) | undefined
  readonly responses: readonly HttpResponse[]
  readonly stability: Operation['stability']
  readonly deprecated: boolean
  readonly sunset: string | undefined
  readonly source: Source
}

export type HttpParameter = Parameter & {
  readonly description: string | undefined
  readonly deprecated: boolean
  readonly schema: Schema
  readonly examples: readonly Example[]
  readonly source: Source
}

export type HttpBody = {
  readonly required: boolean
  readonly description: string | undefined
  readonly content: readonly MediaType[]
}

export type HttpResponse = {
  /** `200`, `4XX` or `default`. */
  readonly status: string
  readonly description: string
  readonly headers: readonly {
    readonly name: string
    readonly required: boolean
    readonly description: string | undefined
    readonly schema: Schema
    readonly examples: readonly Example[]
  }[]
  readonly content: readonly MediaType[]
  readonly source: Source
}

export type MediaType = {
  readonly type: string
  readonly schema: Schema
  /** OpenAPI 3.2, Media Type Object: each item of a stream, such as one event or one line; undefined where the document has none. */
  readonly itemSchema: Schema | undefined
  /** How the properties of a variant are written, where the document says so. */
  readonly encodings: readonly PartEncoding[]
  readonly examples: readonly Example[]
  readonly source: Source
  /** `x-stream-end` of the media type, else of the operation: the text that ends a stream in place of an item. */
  readonly streamEnd?: string
  /** Of a response whose media type is a stream: what its items are. `schema` is that of one item. */
  readonly stream?: Stream
}

/** A media type that is a stream: what its items are, whether the document describes them, and whether each is a list. */
export type Stream = StreamContent & { readonly isDescribed: boolean; readonly isList: boolean }

/** OpenAPI 3.1, Encoding Object, as written; what is undefined has its default. */
export type PartEncoding = {
  /** The name of the property. */
  readonly property: string
  readonly contentType: string | undefined
  readonly style: string | undefined
  readonly explode: boolean | undefined
  readonly allowReserved: boolean | undefined
  readonly headers: HttpResponse['headers']
  readonly source: Source
}

export type Example = {
  readonly name: string
  readonly summary: string | undefined
  readonly value: unknown
  readonly holder?: Holder
  readonly source: Source
}

/** The object of a document in which a value was written, and its key there. */
export type Holder = readonly [node: object, key: string]

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
  /** The document declares no result: it is called without an id. */
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
  /** It is optional, and its schema allows `null`: `null` does not mean that the param is skipped. */
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

/** An example pairing; `error` (from `x-error`) is there where the method refuses instead of answering. */
export type RpcExample = {
  readonly name: string
  readonly summary: string | undefined
  readonly params: readonly unknown[]
  /** Where each of the values was written, and the result's. */
  readonly places: { readonly params: readonly Source[]; readonly result: Source }
  /** In which objects the values were written. */
  readonly holders?: readonly Holder[]
  /** The same values by the names of their params, as a call by name sends them. */
  readonly namedParams: JsonObject
  readonly outcome:
    | { readonly kind: 'result'; readonly value: unknown; readonly holder?: Holder }
    | {
        readonly kind: 'error'
        readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
      }
    /** A notification, or a pairing that shows only params. */
    | { readonly kind: 'none' }
  readonly source: Source
}

export type NamedSchema = {
  /** The component key, changed only where it was no identifier or two documents disagree. */
  readonly name: string
  readonly schema: Schema
  /** Which documents use it. */
  readonly usedBy: 'http' | 'rpc' | 'both'
  readonly source: Source
}
