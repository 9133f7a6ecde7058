import type { StreamContent } from '../runtime/operation.js'
import { codecOf, holdsItems, isSequential } from '../runtime/shared/codecs.js'
import { parseJson } from '../runtime/shared/json.js'
import type { SequentialFormat } from '../runtime/shared/media-type.js'
import { framedJson, itemOf, splitItems } from '../runtime/streams/pieces.js'
import { successResponses } from '../runtime/wire/status.js'
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
import { withEncoding } from './form-encoding.js'
import type { HttpBody, MediaType } from './http-content.js'
import { defined, isObject } from './json.js'

/**
 * Adds the streams of operations. In a response, the schema of a media type that is a stream becomes that of one item; in a
 * request body, that of the list of items. `itemSchema` describes an item (OpenAPI 3.2, Media Type Object). `schema` describes the
 * whole body: as a list, whose members are the items, or as its text, which says nothing about them. An object can only describe an
 * item, as in documents before 3.2.
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
    return { ...described, ...defined({ streamDefault: streamDefault(described, schemas) }) }
  })

/** A request whose body in JSON Lines or json-seq is described as a list of items. */
export const withItems = <Request extends { readonly body: HttpBody | undefined }>(
  request: Request,
  schemas: Schemas,
): Request => {
  const { body } = request
  const content =
    body?.content.map((media) => withEncoding(sequential(media, schemas), schemas)) ?? []
  return { ...request, body: body && { ...body, content } }
}

function streamed(media: MediaType, schemas: Schemas): MediaType {
  const { codec: format, streamEnd: end, itemSchema } = media
  if (!holdsItems(format)) return withParts(media)
  const isText = format !== 'events' && kindOf([media.schema], schemas) === 'text'
  const whole = isText || memberOf(media.schema, schemas)
  const schema = itemSchema ?? (whole === false ? media.schema : whole)
  const isDescribed = schema !== true
  const isList = inPlace(schema, schemas).some((one) => typesIn(one)?.includes('array') === true)
  const ending = end !== undefined && { end }
  const found = { ...media, items: { isDescribed, isList } }
  if (format !== 'events')
    return { ...found, schema, stream: { item: 'data', data: 'json', ...ending } }
  if (!isDescribed)
    return { ...found, schema: EVENT, stream: { item: 'event', data: 'text', ...ending } }
  const data = dataOfEvent(schema, itemSchema !== undefined, schemas)
  if (data?.some((one) => contentOf(one) !== undefined)) {
    const parsed = withContent(schema, schemas)
    const kinds = new Set(data.map((one) => kindOf([contentOf(one) ?? one], schemas)))
    const [kind = 'either'] = kinds.size === 1 ? kinds : []
    const examples = media.examples.map((one) => ({ ...one, value: withParsedData(one.value) }))
    return { ...found, schema: parsed, examples, stream: { item: 'event', data: kind, ...ending } }
  }
  const item = data === undefined ? 'data' : 'event'
  const kind = kindOf(data ?? [schema], schemas)
  return { ...found, schema, stream: { item, data: kind, ...ending } }
}

/** The list of the items of a request body. A body of texts, or without a description, is sent as bytes instead. */
function sequential(media: MediaType, schemas: Schemas): MediaType {
  const format = codecOf(media.type)
  if (!isSequential(format)) return withParts(media)
  const { itemSchema, schema: whole } = media
  const isWhole = itemSchema === undefined && memberOf(whole, schemas) !== false
  const item = itemSchema ?? (kindOf([whole], schemas) === 'json' ? whole : undefined)
  const schema = isWhole ? whole : item !== undefined && listOf(item)
  if (schema === false) return media
  const each = memberOf(schema, schemas)
  const isList = inPlace(each, schemas).some((one) => typesIn(one)?.includes('array') === true)
  const examples = media.examples.map((example) => ({
    ...example,
    value: itemsOfText(example.value, format) ?? itemsOf(example.value, isList),
  }))
  return { ...media, codec: format, schema, examples }
}

/** OpenAPI 3.2, Media Type Object: `itemSchema` alone describes each part of a multipart body. */
const withParts = (media: MediaType): MediaType =>
  media.schema === true && media.itemSchema !== undefined && codecOf(media.type) === 'parts'
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

/** The schema of the members of a list; false for a schema that describes no list. */
function memberOf(schema: Schema, schemas: Schemas, depth = 0): Schema {
  const target = dereference(schema, schemas)
  if (typeof target === 'boolean' || depth > DEEPEST) return false
  const { allOf = [], items, prefixItems } = target
  const parts = allOf.map((one) => memberOf(one, schemas, depth + 1)).filter((one) => one !== false)
  if (!typesIn(target)?.includes('array') && parts.length === 0) return false
  // A first item may differ from all others, as a header does.
  const own =
    prefixItems && items !== undefined && items !== false
      ? { anyOf: [...prefixItems, items] }
      : (items ?? true)
  const all = [own, ...parts].filter((one) => one !== true)
  const [only = true, ...more] = all
  return more.length === 0 ? only : { allOf: all }
}

const DEEPEST = 8

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
  const isText = typeof contentMediaType !== 'string' || codecOf(contentMediaType) === 'json'
  return contentSchema !== undefined && isText ? (contentSchema as Schema) : undefined
}

/** The same event with its data parsed. If a branch describes the content, the string type that all branches share is dropped. */
function withContent(schema: Schema, schemas: Schemas, depth = 0): Schema {
  const target = dereference(schema, schemas)
  if (typeof target === 'boolean' || depth > DEEPEST) return schema
  const below = (list: readonly Schema[]) => list.map((one) => withContent(one, schemas, depth + 1))
  const { properties, anyOf, oneOf, allOf } = target
  const hasBranches = anyOf !== undefined || oneOf !== undefined || allOf !== undefined
  const data = properties?.data
  const own = data !== undefined && (contentOf(data) ?? (hasBranches ? true : data))
  const changed: SchemaObject = {
    ...target,
    ...(data !== undefined && { properties: { ...properties, data: own } }),
    ...(target.examples && { examples: target.examples.map(withParsedData) }),
    ...(anyOf && { anyOf: below(anyOf) }),
    ...(oneOf && { oneOf: below(oneOf) }),
    ...(allOf && { allOf: below(allOf) }),
  }
  inheritSource(changed, target)
  return changed
}

/** An example of events whose data is the text of JSON, as it is sent, with its data parsed. */
function withParsedData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withParsedData)
  if (!isObject(value) || typeof value.data !== 'string') return value
  const parsed = parseJson(value.data, () => '')
  return 'value' in parsed ? { ...value, data: parsed.value } : value
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
  const types = successResponses(responses).flatMap(({ content }) => content)
  if (!types.some(({ stream }) => stream) || !types.some(({ codec }) => codec === 'json'))
    return undefined
  const bodies = (body?.content ?? []).filter(({ codec }) => codec === 'json')
  const flags = bodies
    .flatMap(({ schema }) => inPlace(schema, schemas))
    .flatMap(({ properties = {} }) => (properties.stream === undefined ? [] : [properties.stream]))
    .flatMap((schema) => inPlace(schema, schemas))
  if (!flags.some((one) => typesIn(one)?.includes('boolean'))) return undefined
  return flags.some((one) => (one as { readonly default?: unknown }).default === true)
}

/** The text of a list of items in its media type; undefined for any other body. */
export const itemsText = (
  { codec }: MediaType,
  value: unknown,
  write: (item: unknown) => string,
): string | undefined => {
  if (!isSequential(codec) || !Array.isArray(value)) return undefined
  return value.map((item) => framedJson(write(item), codec)).join('')
}

/** The items of an example of a stream; undefined if it is the text of a whole stream. */
export const itemsOfExample = (
  { codec, items }: MediaType,
  value: unknown,
): readonly unknown[] | undefined => {
  const isWhole =
    typeof value === 'string' && (codec !== 'events' || /^(data|event|id|retry|):/m.test(value))
  return items === undefined || isWhole ? undefined : itemsOf(value, items.isList)
}

/** The items in the text of a whole stream. One whose data is no JSON, though it must be, is its text. */
export const itemsInText = ({ codec, stream }: MediaType, text: string): readonly unknown[] => {
  if (!holdsItems(codec) || stream === undefined) return []
  // Documents rarely contain the control character before each text of json-seq (RFC 7464, 2.2).
  const format = codec === 'sequence' && !text.includes('\u001e') ? 'lines' : codec
  // A text in a document may lack the blank line after its last event.
  const pieces = splitItems(format === 'events' ? `${text}\n\n` : text, format)
  return pieces
    .filter(({ data }) => data !== stream.end)
    .map((piece) => {
      try {
        return itemOf(piece, stream)
      } catch {
        return itemOf(piece, { ...stream, data: 'text' })
      }
    })
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
  const types = successResponses(responses).flatMap(({ content }) => content)
  return types.length > 0 && types.every(({ stream }) => stream !== undefined)
}
