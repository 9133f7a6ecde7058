import type { WrittenLink } from '../model/api.js'
import type {
  Example,
  HttpBody,
  HttpResponse,
  MediaType,
  PartEncoding,
} from '../model/http-content.js'
import { entriesOf, isObject } from '../model/json.js'
import { codecOf, requestCodec, responseCodec } from '../runtime/shared/codecs.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { decodePercent } from '../runtime/shared/template.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import type { Schema } from '../schema/schema.js'
import { flag, flagOf, type ReadContext, text } from './reading.js'
import { isStatus } from './structure-rules.js'

/** The media types of a request body or a response. */
function readContent(
  holder: JsonObject,
  reading: ReadContext,
  codecFor: typeof requestCodec,
  operation: JsonObject = {},
): readonly MediaType[] {
  return entriesOf(holder.content).flatMap(([type, value]) => {
    const media = reading.resolve(value)
    if (!media) return []
    const streamEnd = text(media['x-stream-end'] ?? operation['x-stream-end'])
    return {
      type,
      codec: codecFor(type),
      schema: schemaIn(media, reading),
      itemSchema:
        media.itemSchema === undefined
          ? undefined
          : reading.schema(media.itemSchema, media, 'itemSchema'),
      encodings: readEncodings(media, reading, type),
      examples: readExamples(media, reading, type),
      source: reading.source(media),
      ...(streamEnd !== undefined && { streamEnd }),
    }
  })
}

/** The schema of a media type, a parameter or a header; without one, every value is valid. */
export const schemaIn = (holder: JsonObject, reading: ReadContext): Schema =>
  holder.schema === undefined ? true : reading.schema(holder.schema, holder, 'schema')

/** The encodings of the parts of a form, or of a multipart body whose parts have positions. */
function readEncodings(
  media: JsonObject,
  reading: ReadContext,
  type: string,
): readonly PartEncoding[] {
  const { prefixEncoding, itemEncoding } = codecOf(type) === 'parts' ? media : {}
  const byPosition = Array.isArray(prefixEncoding) ? Object.entries(prefixEncoding) : []
  const others = itemEncoding === undefined ? [] : [['*', itemEncoding] as const]
  return [...entriesOf(media.encoding), ...byPosition, ...others].flatMap(([property, value]) => {
    const node = reading.resolve(value)
    if (!node) return []
    return {
      property,
      contentType: text(node.contentType),
      style: text(node.style),
      explode: flagOf(node.explode),
      allowReserved: flagOf(node.allowReserved),
      headers: readHeaders(node, reading),
      source: reading.source(node),
    }
  })
}

/** The headers of a response, or of a part of a form. */
const readHeaders = (holder: JsonObject, reading: ReadContext): HttpResponse['headers'] =>
  entriesOf(holder.headers).flatMap(([name, header]) => {
    const known = reading.resolve(header)
    // OpenAPI 3.0.3, Response Object and Encoding Object: this header "SHALL be ignored".
    if (!known || name.toLowerCase() === 'content-type') return []
    // OpenAPI 3.1, Header Object: `content` has one media type.
    const [mediaType, content] = entriesOf(known.content)[0] ?? []
    const holder = reading.resolve(content) ?? known
    return {
      name,
      required: flag(known.required),
      ...(flag(known.explode) && { explode: true }),
      ...(mediaType !== undefined && { codec: codecOf(mediaType) }),
      description: text(known.description),
      schema: schemaIn(holder, reading),
      examples: readExamples(holder, reading, mediaType),
    }
  })

/** The examples next to a schema, one or named; those of a body with its media type. */
export function readExamples(
  holder: JsonObject,
  reading: ReadContext,
  mediaType?: string,
): readonly Example[] {
  if (holder.example !== undefined) {
    const source = reading.source(holder, 'example')
    const place = [holder, 'example'] as const
    return [{ name: 'example', summary: undefined, value: holder.example, holder: place, source }]
  }
  return entriesOf(holder.examples).flatMap(([name, entry]) => {
    const example = reading.resolve(entry)
    // An externalValue is a URL, which is never fetched.
    const field = EXAMPLE_FIELDS.find((key) => example?.[key] !== undefined)
    if (!example || field === undefined) return []
    const written = example[field]
    const isSerialized = field === 'serializedValue'
    // The style of a parameter serializes its value, which only a client could parse.
    if (isSerialized && mediaType === undefined) return []
    const isText = isSerialized && mediaType !== undefined && codecOf(mediaType) === 'json'
    const value = isText ? parsed(String(written)) : written
    const source = reading.source(example, field)
    return {
      name,
      summary: text(example.summary),
      value,
      holder: [example, field] as const,
      source,
    }
  })
}

/** OpenAPI 3.2, Example Object: `value` is either the data or its serialization, `serializedValue` is the serialization. */
const EXAMPLE_FIELDS = ['value', 'dataValue', 'serializedValue'] as const

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

/** Reads the body of a request, a webhook or a callback. */
export function readHttpBody(node: JsonObject, reading: ReadContext): HttpBody | undefined {
  const body = reading.resolve(node.requestBody)
  if (!body) return undefined
  return {
    required: flag(body.required),
    description: text(body.description),
    content: readContent(body, reading, requestCodec),
  }
}

/** Reads the responses of an operation, a webhook or a callback. */
export function readHttpResponses(node: JsonObject, reading: ReadContext): readonly HttpResponse[] {
  return entriesOf(node.responses).flatMap(([status, value]) => {
    const response = reading.resolve(value)
    if (!response || !isStatus(status)) return []
    return {
      status,
      // OpenAPI 3.2, Response Object: a response may have only a summary.
      description: text(response.description) ?? text(response.summary) ?? '',
      headers: readHeaders(response, reading),
      content: readContent(response, reading, responseCodec, node),
      source: reading.source(response),
    }
  })
}

/**
 * The links of the responses. `idAt` finds an operation by its method and path. A target that does not exist remains as it was
 * written, without one it is empty.
 */
export function readLinks(
  node: JsonObject,
  reading: ReadContext,
  idAt: (method: string, path: string) => string | undefined,
): readonly WrittenLink[] {
  const byReference = (reference: string | undefined): string | undefined => {
    const [file, fragment = ''] = reference?.split('#') ?? []
    const [root, path = '', ...place] = segmentsOf(decodePercent(fragment) ?? fragment)
    const method = place.length === 1 ? place[0]?.toUpperCase() : place[1]
    return file === '' && root === 'paths' ? idAt(method ?? '', path) : undefined
  }
  return entriesOf(node.responses).flatMap(([status, value]) =>
    entriesOf(reading.resolve(value)?.links).flatMap(([name, entry]) => {
      const link = reading.resolve(entry)
      if (!link || !isStatus(status)) return []
      const id = text(link.operationId)
      const method = text(link['x-rpc-method'])
      const reference = text(link.operationRef)
      const parameters = isObject(link.parameters) ? link.parameters : {}
      return {
        ...{ name, status },
        operation: id ?? method ?? byReference(reference) ?? reference ?? '',
        parameters,
        ...(id === undefined && method !== undefined && { isMethod: true }),
      }
    }),
  )
}
