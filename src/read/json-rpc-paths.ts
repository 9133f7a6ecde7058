import type { Finding } from '../model/finding.js'
import { entriesOf, isObject } from '../model/json.js'
import { pointerOf, segmentsOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { isSuccessKey } from '../runtime/wire/status.js'
import { convertedFrom, type Document } from './document.js'
import { paramsByName, propertiesOf, resolve } from './written-properties.js'

/**
 * Reads an OpenAPI document with one path for each method of a JSON-RPC service as OpenRPC, and keeps the positions. Each
 * operation is a POST whose body is a JSON-RPC request of one method. Undefined for any other document.
 */
export function importRpcPaths(
  document: Document,
  report: (finding: Finding) => void,
): Document | undefined {
  const { value } = document
  if (!isObject(value) || !isObject(value.paths)) return undefined
  const known: Call[] = []
  for (const [path, item] of entriesOf(value.paths)) {
    const call = callOf(document, path, item)
    if (call === undefined) return undefined
    known.push(call)
  }
  if (known.length === 0) return undefined
  const location = document.locate('/paths')
  const message = `every path is a JSON-RPC method: the document is read as OpenRPC, with ${known.length} methods at one address`
  report({ rule: 'document-is-converted', level: 'note', location, message })
  for (const { path, method, params } of known) {
    if (countOf(resolve(document, params)) !== undefined) continue
    report({
      rule: 'document-is-converted',
      level: 'warning',
      location: document.locate(pointerOf('paths', path, 'post', 'requestBody')),
      message: `the number of params of ${method} is not known, so it is read without params: add prefixItems, maxItems or an example to their list`,
    })
  }
  const { components, info, servers } = value
  const schemas = isObject(components) ? components.schemas : undefined
  const converted = {
    openrpc: '1.3.2',
    info,
    ...(servers !== undefined && { servers }),
    // In a document, no object occurs twice.
    methods: structuredClone(known.map((call) => methodOfPath(call, document))),
    components: { schemas: withoutEnvelopes(document, schemas, known) },
  }
  const placeOf = (pointer: string) => {
    const [first = '', index = '', ...rest] = segmentsOf(pointer)
    if (first === 'openrpc') return '/openapi'
    if (first !== 'methods') return pointer
    const call = known[Number(index)]
    return call ? pointerOf('paths', call.path, 'post', ...rest) : '/paths'
  }
  return convertedFrom(document, converted, placeOf)
}

/** The schemas without those of whole requests and responses, to which no params and no result refer. */
function withoutEnvelopes(document: Document, schemas: unknown, calls: readonly Call[]) {
  const envelopes = calls.flatMap(({ operation: { requestBody, responses } }) => [
    schemaOf(document, requestBody),
    ...entriesOf(responses).map(([, response]) => schemaOf(document, response)),
  ])
  const names = new Set(
    envelopes.flatMap((one) => (isObject(one) ? (segmentsOf(String(one.$ref)).at(-1) ?? []) : [])),
  )
  return Object.fromEntries(entriesOf(schemas).filter(([name]) => !names.has(name)))
}

/** One path: its operation, the JSON-RPC method, and the schema of the params. */
type Call = {
  readonly path: string
  readonly operation: JsonObject
  readonly method: string
  readonly params: unknown
}

function callOf(document: Document, path: string, item: unknown): Call | undefined {
  if (!isObject(item) || !isObject(item.post)) return undefined
  if (OTHER_METHODS.some((name) => name in item)) return undefined
  const { properties } = propertiesOf(document, schemaOf(document, item.post.requestBody))
  const method = isObject(properties.method) ? nameOf(properties.method) : undefined
  if (method === undefined || !('jsonrpc' in properties)) return undefined
  return { path, operation: item.post, method, params: properties.params }
}

const OTHER_METHODS = ['get', 'put', 'delete', 'patch', 'head', 'options', 'trace']

const nameOf = ({ const: only, enum: values }: JsonObject): string | undefined => {
  const name = only ?? (Array.isArray(values) && values.length === 1 ? values[0] : undefined)
  return typeof name === 'string' ? name : undefined
}

function methodOfPath({ operation, method, params }: Call, document: Document): JsonObject {
  const { summary, description, deprecated, tags, responses } = operation
  const all = entriesOf(responses)
  const [, ok] =
    all.find(([status]) => isSuccessKey(status)) ?? all.find(([key]) => key === 'default') ?? []
  const response = propertiesOf(document, schemaOf(document, ok))
  return {
    name: method,
    ...(typeof summary === 'string' && { summary }),
    ...(typeof description === 'string' && { description }),
    ...(deprecated === true && { deprecated }),
    ...(Array.isArray(tags) && { tags: tags.map((name) => ({ name })) }),
    ...paramsOf(document, params),
    result: { name: 'result', schema: response.properties.result ?? {} },
  }
}

/** Params by name are the properties of their schema, by position its items. */
function paramsOf(document: Document, schema: unknown): JsonObject {
  const resolved = resolve(document, schema)
  if (resolved.type === 'array') {
    const least = Number(resolved.minItems ?? 0)
    const items = itemsOf(resolved)
    const list = Array.isArray(items) ? items : Array(countOf(resolved) ?? 0).fill(items)
    const paramAt = (schema: unknown, at: number) => ({
      name: `param${at + 1}`,
      required: at < least,
      schema,
    })
    return { paramStructure: 'by-position', params: list.map(paramAt) }
  }
  return paramsByName(propertiesOf(document, schema))
}

/** A list of schemas, or one for all. */
const itemsOf = ({ prefixItems, items }: JsonObject): unknown => prefixItems ?? items

/** The number of params of a list by position, as far as it is declared or an example shows it; undefined if it is not known. */
function countOf(schema: JsonObject): number | undefined {
  const items = itemsOf(schema)
  if (Array.isArray(items)) return items.length
  if (schema.type !== 'array' || !isObject(items) || Object.keys(items).length === 0) return 0
  const { maxItems, minItems, example, examples, default: usual } = schema
  if (typeof maxItems === 'number' && maxItems <= MOST) return maxItems
  const shown = [example, usual, ...(Array.isArray(examples) ? examples : [])].filter(Array.isArray)
  if (shown.length === 0 && typeof minItems !== 'number') return undefined
  return Math.max(Number(minItems ?? 0), ...shown.map(({ length }) => length))
}

/** More items than this limit the length of a list and are not the number of params. */
const MOST = 20

/** The JSON schema of a request body or a response. */
function schemaOf(document: Document, holder: unknown): unknown {
  const { content } = resolve(document, holder)
  const media = isObject(content) ? content['application/json'] : undefined
  return isObject(media) ? media.schema : undefined
}
