import type { Content, DeclaredResponse, Parameter, RequestBody } from '../runtime/operation.js'
import { holdsItems, holdsValue, type ImportedCodec, isImported } from '../runtime/shared/codecs.js'
import type { HeaderTerms } from '../runtime/wire/parameters.js'
import type { Schema } from '../schema/schema.js'
import type { Source } from '../schema/source.js'

export type HttpParameter = Parameter & {
  /** The media type of `content`. */
  readonly mediaType?: string
  readonly description: string | undefined
  readonly deprecated: boolean
  readonly schema: Schema
  readonly examples: readonly Example[]
  readonly source: Source
}

export type HttpBody = RequestBody<MediaType> & { readonly description: string | undefined }

export type HttpResponse = DeclaredResponse<MediaType> & {
  readonly description: string
  readonly headers: readonly (HeaderTerms & {
    readonly required: boolean
    readonly description: string | undefined
    readonly schema: Schema
    readonly examples: readonly Example[]
  })[]
  readonly source: Source
}

/**
 * Whether a client that receives the status relies on it: no 4xx, no 5xx, and not `default`. A client that expects 304 accepts
 * 200 as well (RFC 9110, 15.4.5).
 */
export const isSuccess = (status: string): boolean => /^[123]/.test(status) && status !== '304'

export type MediaType = Content & {
  /** For a body that is a list of items, the schema of the list; for a response that is a stream, that of one item. */
  readonly schema: Schema
  /** OpenAPI 3.2, Media Type Object: the schema of each item of a stream, such as one event or one line; else undefined. */
  readonly itemSchema: Schema | undefined
  /** The encodings of the properties of a variant, where the document declares them. */
  readonly encodings: readonly PartEncoding[]
  readonly examples: readonly Example[]
  readonly source: Source
  /** `x-stream-end` of the media type or else of the operation: the text that ends a stream in place of an item. */
  readonly streamEnd?: string
  /** The items of a stream: whether the document describes them, and whether each of them is a list. */
  readonly items?: { readonly isDescribed: boolean; readonly isList: boolean }
}

/** Whether a request body of the media type is a JSON value, or a list of JSON values that are sent one by one. */
export const hasJsonValue = ({ codec, stream }: Content): boolean =>
  holdsValue(codec) || (holdsItems(codec) && stream === undefined)

/** The codecs that the bodies of operations need and that are not built in. */
export const importedCodecs = (operations: readonly Bodies[]): readonly ImportedCodec[] => {
  const content = operations.flatMap(({ body, responses = [] }) =>
    [body ?? [], ...responses].flat().flatMap((one) => one.content),
  )
  return [...new Set(content.map(({ codec }) => codec).filter(isImported))].sort()
}

type Bodies = {
  readonly body?: HttpBody | undefined
  readonly responses?: readonly HttpResponse[]
}

/** OpenAPI 3.1, Encoding Object, as written; an undefined member has its default. */
export type PartEncoding = {
  /** The name of the property, or the position of the part; `*` for the parts after those with a position. */
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

/** The object of a document that contains a value, and its key there. */
export type Holder = readonly [node: object, key: string]
