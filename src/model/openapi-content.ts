import { isJson, isPartList } from '../runtime/shared/media-type.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { decodePercent } from '../runtime/shared/template.js'
import { ASSERTIONS } from '../schema/keywords.js'
import type { Schema } from '../schema/schema.js'
import type { Source } from '../schema/source.js'
import type { JsonObject, WrittenLink } from './api.js'
import type { Example, HttpBody, HttpResponse, MediaType, PartEncoding } from './http-content.js'
import { entriesOf, isObject, isReference } from './json.js'
import { flag, flagOf, type Reading, text } from './reading.js'
import { typeNamed } from './schema-types.js'
import { meantTypes } from './structure-rules.js'

/** The media types of a request body or a response. */
function readContent(
  holder: JsonObject,
  reading: Reading,
  operation: JsonObject = {},
): readonly MediaType[] {
  // Swagger 2.0 has the schema in the response.
  const content = holder.content ?? (holder.schema === undefined ? {} : { [JSON_TYPE]: holder })
  return entriesOf(withMediaType(content)).flatMap(([key, value]) => {
    const media = reading.resolve(value ?? {})
    if (!media) return []
    const source = value === null ? reading.source(holder, 'content', key) : reading.source(media)
    return meantTypes(key).map((type) => mediaTypeOf(type, media, source))
  })

  function mediaTypeOf(type: string, media: JsonObject, source: Source): MediaType {
    const streamEnd = text(media['x-stream-end'] ?? operation['x-stream-end'])
    return {
      type,
      schema: schemaOfMedia(media, reading),
      itemSchema:
        media.itemSchema === undefined
          ? undefined
          : reading.schema(media.itemSchema, media, 'itemSchema'),
      encodings: readEncodings(media, reading, type),
      examples: readExamples(media, reading, type),
      source,
      ...(streamEnd !== undefined && { streamEnd }),
    }
  }
}

/** Some documents omit the media type, so that `content` has the schema. */
const withMediaType = (content: unknown): unknown =>
  isObject(content) && 'schema' in content && !Object.keys(content).some((key) => /\//.test(key))
    ? { [JSON_TYPE]: content }
    : content

const JSON_TYPE = 'application/json'

/** The schema of a media type, which some documents write in its place. */
function schemaOfMedia(media: JsonObject, reading: Reading): Schema {
  if (media.schema !== undefined) return reading.schema(media.schema, media, 'schema')
  return Object.keys(media).some((key) => ASSERTIONS.has(key))
    ? reading.schema(media, media, '')
    : true
}

/** The encodings of the parts of a form, or of a multipart body whose parts have positions. */
function readEncodings(media: JsonObject, reading: Reading, type: string): readonly PartEncoding[] {
  const { prefixEncoding, itemEncoding } = isPartList(type) ? media : {}
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
      allowReserved: typeof node.allowReserved === 'boolean' ? node.allowReserved : undefined,
      headers: readHeaders(node, reading),
      source: reading.source(node),
    }
  })
}

/** The headers of a response, or of a part of a form. */
const readHeaders = (holder: JsonObject, reading: Reading): HttpResponse['headers'] =>
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
      description: text(known.description),
      schema:
        holder.schema === undefined
          ? bareSchema(holder, reading)
          : reading.schema(holder.schema, holder, 'schema'),
      examples: readExamples(holder, reading, mediaType),
    }
  })

/** The schema of a parameter or header that is written as in Swagger 2.0: its keywords are fields of the object. */
export function bareSchema(node: JsonObject, reading: Reading): Schema {
  const type = typeNamed(node.type)
  if (type === undefined) return true
  return {
    type,
    ...(typeof node.format === 'string' && { format: node.format }),
    ...(Array.isArray(node.enum) && { enum: node.enum }),
    ...(isObject(node.items) && { items: reading.schema(node.items, node, 'items') }),
  }
}

/** The keywords that are read there. */
export const BARE: ReadonlySet<string> = new Set(['type', 'format', 'enum', 'items'])

/** The examples next to a schema, one or named; those of a body with its media type. */
export function readExamples(
  holder: JsonObject,
  reading: Reading,
  mediaType?: string,
): readonly Example[] {
  if (holder.example !== undefined) {
    const source = reading.source(holder, 'example')
    const place = [holder, 'example'] as const
    return [{ name: 'example', summary: undefined, value: holder.example, holder: place, source }]
  }
  return entriesOfExamples(holder.examples).flatMap(([key, entry]) => {
    const name = Array.isArray(holder.examples) ? `example${Number(key) + 1}` : key
    if (!isObject(entry) || !isExampleObject(entry)) {
      const place = [holder.examples as object, key] as const
      return {
        name,
        summary: undefined,
        value: entry,
        holder: place,
        source: reading.source(...place),
      }
    }
    const example = reading.resolve(entry)
    // An externalValue is a URL, which is never fetched.
    const field = EXAMPLE_FIELDS.find((key) => example?.[key] !== undefined)
    if (!example || field === undefined) return []
    const written = example[field]
    const isSerialized = field === 'serializedValue'
    // The style of a parameter serializes its value, which only a client could parse.
    if (isSerialized && mediaType === undefined) return []
    const isText = isSerialized && mediaType !== undefined && isJson(mediaType)
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

/** Named examples; some documents have a list of them, as in JSON Schema. */
const entriesOfExamples = (examples: unknown): readonly (readonly [string, unknown])[] =>
  Array.isArray(examples) ? Object.entries(examples) : entriesOf(examples)

/** Whether a named example is an Example Object: some documents write the value in its place. */
export const isExampleObject = (node: JsonObject): boolean =>
  isReference(node) ||
  ['externalValue', ...EXAMPLE_FIELDS].some((field) => field in node) ||
  Object.keys(node).every((key) => /^(summary|description|x-.*)$/.test(key))

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
export function readBody(node: JsonObject, reading: Reading): HttpBody | undefined {
  const body = reading.resolve(node.requestBody) ?? bodyParameter(node, reading)
  if (!body) return undefined
  return {
    required: flag(body.required),
    description: text(body.description),
    content: readContent(body, reading),
  }
}

/** Swagger 2.0 has the body among the parameters. */
const bodyParameter = (node: JsonObject, reading: Reading): JsonObject | undefined =>
  (Array.isArray(node.parameters) ? node.parameters : [])
    .map((one: unknown) => reading.resolve(one))
    .find((one) => one?.in === 'body' && one.schema !== undefined)

/** Reads the responses of an operation, a webhook or a callback. */
export function readHttpResponses(node: JsonObject, reading: Reading): readonly HttpResponse[] {
  const seen = new Set<string>()
  return entriesOf(node.responses).flatMap(([key, value]) => {
    const response = reading.resolve(meantResponse(value))
    const status = statusOf(key)
    if (!response || status === undefined) return []
    if (seen.has(status)) {
      reading.report({
        rule: 'response-status-is-duplicate',
        level: 'warning',
        location: reading.source(node, 'responses').locate(key),
        message: `the response ${status} is already declared, so ${key} is ignored: keep one of them`,
      })
      return []
    }
    seen.add(status)
    return {
      status,
      // OpenAPI 3.2, Response Object: a response may have only a summary.
      description: text(response.description) ?? text(response.summary) ?? '',
      headers: readHeaders(response, reading),
      content: readContent(response, reading, node),
      source: isObject(value)
        ? reading.source(response)
        : reading.source(isObject(node.responses) ? node.responses : node, key),
    }
  })
}

/** YAML reads a response without fields as null; some documents write only its description. */
const meantResponse = (value: unknown): unknown =>
  value === null ? {} : typeof value === 'string' ? { description: value } : value

/** The key of a response, as the specification writes it; undefined for a key that is not one. */
const statusOf = (key: string): string | undefined => {
  if (/^default$/i.test(key)) return 'default'
  return /^[1-5](\d\d|XX)$/i.test(key) ? key.toUpperCase() : undefined
}

/**
 * The links of the responses. `idAt` finds an operation by its method and path. A target that does not exist remains as it was
 * written, without one it is empty.
 */
export function readLinks(
  node: JsonObject,
  reading: Reading,
  idAt: (method: string, path: string) => string | undefined,
): readonly WrittenLink[] {
  const byReference = (reference: string | undefined): string | undefined => {
    const [file, fragment = ''] = reference?.split('#') ?? []
    const [root, path = '', ...place] = segmentsOf(decodePercent(fragment) ?? fragment)
    const method = place.length === 1 ? place[0]?.toUpperCase() : place[1]
    return file === '' && root === 'paths' ? idAt(method ?? '', path) : undefined
  }
  return entriesOf(node.responses).flatMap(([key, value]) =>
    entriesOf(reading.resolve(value)?.links).flatMap(([name, entry]) => {
      const link = reading.resolve(entry)
      const status = statusOf(key)
      if (!link || status === undefined) return []
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
