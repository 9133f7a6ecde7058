import type { HttpOperation as HttpRecord, StreamContent } from '../runtime/operation.js'
import { parseJson } from '../runtime/shared/json.js'
import {
  isJson,
  isPartList,
  type SequentialFormat,
  streamFormat,
} from '../runtime/shared/media-type.js'
import { framed, sequentialFormat, splitItems } from '../runtime/streams/pieces.js'
import {
  dereference,
  inPlace,
  referredName,
  type Schema,
  type SchemaObject,
  type Schemas,
  typesIn,
  valuesIn,
} from '../schema/schema.js'
import { inheritSource } from '../schema/source.js'
import type { HttpOperation, Operation } from './api.js'
import type { HttpBody, MediaType } from './http-content.js'

/**
 * Adds the streams of operations. In a response, the schema of a media type that is a stream becomes that of one item; in a
 * request body, that of the list of items. `itemSchema` describes an item, else a list in `schema` describes its members,
 * else `schema` itself does.
 */
export const readStreams = (
  operations: readonly Operation[],
  schemas: Schemas,
): readonly Operation[] =>
  operations.map((operation) => {
    if (operation.kind === 'rpc') return operation
    const responses = operation.responses.map((response) => ({
      ...response,
      content: response.content.map((media) => streamed(media, schemas)),
    }))
    const described = withItems({ ...operation, responses }, schemas)
    return { ...described, streamDefault: streamDefault(described, schemas) }
  })

/** A request whose body in JSON Lines or json-seq is described as a list of items. */
export const withItems = <Request extends { readonly body: HttpBody | undefined }>(
  request: Request,
  schemas: Schemas,
): Request => {
  const { body } = request
  const content = body?.content.map((media) => sequential(media, schemas)) ?? []
  return { ...request, body: body && { ...body, content } }
}

function streamed(media: MediaType, schemas: Schemas): MediaType {
  const format = streamFormat(media.type)
  if (format === undefined) return withParts(media)
  const { streamEnd: end, itemSchema } = media
  const schema = itemSchema ?? memberOf(media.schema, schemas) ?? media.schema
  const isDescribed = schema !== true
  const isList = inPlace(schema, schemas).some((one) => typesIn(one)?.includes('array') === true)
  const known = { isDescribed, isList, ...(end !== undefined && { end }) }
  if (format !== 'events')
    return { ...media, schema, stream: { item: 'data', data: 'json', ...known } }
  if (!isDescribed)
    return { ...media, schema: EVENT, stream: { item: 'event', data: 'text', ...known } }
  const data = dataOfEvent(schema, itemSchema !== undefined, schemas)
  if (data?.some((one) => contentOf(one) !== undefined)) {
    const parsed = withContent(schema, schemas)
    const kinds = new Set(data.map((one) => kindOf([contentOf(one) ?? one], schemas)))
    const [kind = 'either'] = kinds.size === 1 ? kinds : []
    return { ...media, schema: parsed, stream: { item: 'event', data: kind, ...known } }
  }
  const item = data === undefined ? 'data' : 'event'
  const kind = kindOf(data ?? [schema], schemas)
  return { ...media, schema, stream: { item, data: kind, ...known } }
}

/** The list of the items of a request body. A body of texts, or without a description, is sent as bytes instead. */
function sequential(media: MediaType, schemas: Schemas): MediaType {
  const format = sequentialFormat(media.type)
  if (format === undefined) return withParts(media)
  const { itemSchema, schema: whole } = media
  const isWhole = itemSchema === undefined && memberOf(whole, schemas) !== undefined
  const item = itemSchema ?? (kindOf([whole], schemas) === 'json' ? whole : undefined)
  const schema = isWhole ? whole : item !== undefined && listOf(item)
  if (schema === false) return media
  const each = memberOf(schema, schemas) ?? true
  const isList = inPlace(each, schemas).some((one) => typesIn(one)?.includes('array') === true)
  const examples = media.examples.map((example) => ({
    ...example,
    value: itemsOfText(example.value, format) ?? itemsOf(example.value, isList),
  }))
  return { ...media, schema, examples, isSequential: true }
}

/** OpenAPI 3.2, Media Type Object: `itemSchema` alone describes each part of a multipart body. */
const withParts = (media: MediaType): MediaType =>
  media.schema === true && media.itemSchema !== undefined && isPartList(media.type)
    ? { ...media, schema: listOf(media.itemSchema) }
    : media

/** The items in the text of a whole body; undefined for any other value. */
export function itemsOfText(value: unknown, format: SequentialFormat) {
  if (typeof value !== 'string') return undefined
  const texts = splitItems(value, format)
  const items = texts.flatMap(({ data }) => {
    const read = parseJson(data, () => '')
    return 'value' in read ? [read.value] : []
  })
  return items.length > 0 && items.length === texts.length ? items : undefined
}

/** A list is a list of items, unless an item is itself a list. */
const itemsOf = (value: unknown, isList: boolean): readonly unknown[] =>
  !Array.isArray(value) || (isList && !value.every(Array.isArray)) ? [value] : value

function listOf(items: Schema): Schema {
  const list: SchemaObject = { type: 'array', items }
  if (typeof items === 'object') inheritSource(list, items)
  return list
}

/** An event without a description. */
const EVENT: Schema = {
  type: 'object',
  required: ['data'],
  properties: {
    data: { type: 'string' },
    event: { type: 'string' },
    id: { type: 'string' },
    retry: { type: 'integer', minimum: 0 },
  },
}

const memberOf = (schema: Schema, schemas: Schemas): Schema | undefined => {
  const target = dereference(schema, schemas)
  if (typeof target === 'boolean' || !typesIn(target)?.includes('array')) return undefined
  return target.items
}

/**
 * The schemas of `data` where a schema describes a whole event (OpenAPI 3.2, Media Type Object). Such a schema has
 * only properties of events. Without `itemSchema` it must have more of them than `data`.
 */
function dataOfEvent(
  schema: Schema,
  isItemSchema: boolean,
  schemas: Schemas,
): readonly Schema[] | undefined {
  const properties = inPlace(schema, schemas).flatMap((one) => Object.entries(one.properties ?? {}))
  const names = new Set(properties.map(([name]) => name))
  const isEvent =
    names.has('data') &&
    (isItemSchema || names.size > 1) &&
    [...names].every((name) => EVENT_FIELDS.has(name))
  return isEvent ? properties.flatMap(([name, one]) => (name === 'data' ? [one] : [])) : undefined
}

/** The schema of a text that contains JSON (JSON Schema Validation, 8.5), as OpenAPI 3.2 describes the data of an event. */
const contentOf = (schema: Schema): Schema | undefined => {
  const { contentMediaType, contentSchema } = Object(schema) as Readonly<Record<string, unknown>>
  const isText = typeof contentMediaType !== 'string' || isJson(contentMediaType)
  return contentSchema !== undefined && isText ? (contentSchema as Schema) : undefined
}

/** The same event with its data parsed. If a branch describes the content, the string type that all branches share is dropped. */
function withContent(schema: Schema, schemas: Schemas, depth = 0): Schema {
  const target = dereference(schema, schemas)
  if (typeof target === 'boolean' || depth > 8) return schema
  const below = (list: readonly Schema[]) => list.map((one) => withContent(one, schemas, depth + 1))
  const { properties, anyOf, oneOf, allOf } = target
  const hasBranches = anyOf !== undefined || oneOf !== undefined || allOf !== undefined
  const data = properties?.data
  const own = data !== undefined && (contentOf(data) ?? (hasBranches ? true : data))
  const changed: SchemaObject = {
    ...target,
    ...(data !== undefined && { properties: { ...properties, data: own } }),
    ...(anyOf && { anyOf: below(anyOf) }),
    ...(oneOf && { oneOf: below(oneOf) }),
    ...(allOf && { allOf: below(allOf) }),
  }
  inheritSource(changed, target)
  return changed
}

const EVENT_FIELDS = new Set(['data', 'event', 'id', 'retry'])

/** Whether the data of events is JSON or text, from the types that its schemas allow. */
function kindOf(all: readonly Schema[], schemas: Schemas): StreamContent['data'] {
  const types = new Set(
    all
      .flatMap((schema) => inPlace(schema, schemas))
      .flatMap((schema): readonly string[] => {
        const values = valuesIn(schema)?.map((value) => typeof value)
        const shape = schema.properties ? ['object'] : schema.items ? ['array'] : []
        return typesIn(schema) ?? values ?? shape
      }),
  )
  if (!types.has('string')) return types.size > 0 ? 'json' : 'either'
  return types.size === 1 ? 'text' : 'either'
}

/** The default of the request property `stream`, if it selects between JSON and a stream (like OpenAI's). */
function streamDefault({ body, responses }: HttpOperation, schemas: Schemas): boolean | undefined {
  const ok = responses.filter(({ status }) => status.startsWith('2'))
  const types = ok.flatMap(({ content }) => content)
  if (!types.some(({ stream }) => stream) || !types.some(({ type }) => isJson(type)))
    return undefined
  const bodies = (body?.content ?? []).filter(({ type }) => isJson(type))
  const flags = bodies
    .flatMap(({ schema }) => inPlace(schema, schemas))
    .flatMap(({ properties = {} }) => (properties.stream === undefined ? [] : [properties.stream]))
    .flatMap((schema) => inPlace(schema, schemas))
  if (!flags.some((one) => typesIn(one)?.includes('boolean'))) return undefined
  return flags.some((one) => (one as { readonly default?: unknown }).default === true)
}

/** The text of a list of items in its media type; undefined for any other body. */
export const itemsText = (
  { type, isSequential }: MediaType,
  value: unknown,
  write: (item: unknown) => string,
): string | undefined => {
  const format = isSequential ? sequentialFormat(type) : undefined
  if (format === undefined || !Array.isArray(value)) return undefined
  return value.map((item) => framed(write(item), format)).join('')
}

/** The items of an example of a stream; undefined if it is the text of a whole stream. */
export const itemsOfExample = (
  { type, stream }: MediaType,
  value: unknown,
): readonly unknown[] | undefined => {
  const isWhole =
    typeof value === 'string' &&
    (streamFormat(type) !== 'events' || /^(data|event|id|retry|):/m.test(value))
  return stream === undefined || isWhole ? undefined : itemsOf(value, stream.isList)
}

/** Whether a schema of a stream's items is the named schema, or has it as a branch. */
export const isItem = (schema: Schema, name: string, schemas: Schemas): boolean => {
  const seen = new Set<string>()
  const waiting: Schema[] = [schema]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const referred = referredName(one)
    if (referred === name) return true
    if (referred !== undefined) {
      if (seen.has(referred)) continue
      seen.add(referred)
      waiting.push(schemas.get(referred)?.schema ?? true)
    } else if (typeof one === 'object') waiting.push(...(one.anyOf ?? []), ...(one.oneOf ?? []))
  }
  return false
}

/** Whether the response to a call is a stream: there is no other success, or its property `stream` selects it. */
export const isStreamed = (
  { responses, streamDefault }: HttpOperation,
  body?: unknown,
): boolean => {
  if (streamDefault !== undefined) return (Object(body).stream ?? streamDefault) === true
  const types = responses.flatMap(({ status, content }) => (status.startsWith('2') ? content : []))
  return types.length > 0 && types.every(({ stream }) => stream !== undefined)
}

/** The streams in the record of an operation; undefined without streams. */
export function streamsOf({ responses }: HttpOperation): HttpRecord['streams'] {
  const statuses = responses.flatMap(({ status, content }) => {
    const streams = content.flatMap(({ type, stream }) => {
      if (stream === undefined) return []
      const { isDescribed: _, isList: __, ...record } = stream
      return [[type, record] as const]
    })
    return streams.length === 0 ? [] : [[status, Object.fromEntries(streams)] as const]
  })
  return statuses.length === 0 ? undefined : Object.fromEntries(statuses)
}

/** `sequential` in the record of an operation: the media types whose body is a list of described items. */
export function sequentialTypes(content: readonly MediaType[]): {
  readonly sequential?: readonly string[]
} {
  const sequential = content.flatMap(({ type, isSequential }) => (isSequential ? [type] : []))
  return sequential.length > 0 ? { sequential } : {}
}
