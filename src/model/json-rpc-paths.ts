import type { JsonObject } from './api.js'
import type { Document } from './document.js'
import type { Finding } from './finding.js'
import { entriesOf, isObject } from './json.js'
import { pointerOf, segmentsOf } from './pointer.js'

/**
 * An OpenAPI document that has one path for each method of a JSON-RPC service, as OpenRPC, with the places of what was
 * written; undefined for any other document. Each operation of such a document is a POST whose body is a JSON-RPC request of
 * one method.
 */
export function importRpcPaths(
  document: Document,
  tell: (finding: Finding) => void,
): Document | undefined {
  const { value } = document
  if (!isObject(value) || !isObject(value.paths)) return undefined
  const known: Call[] = []
  for (const [path, item] of entriesOf(value.paths)) {
    const call = callOf(value, path, item)
    if (call === undefined) return undefined
    known.push(call)
  }
  if (known.length === 0) return undefined
  const location = document.locate('/paths')
  const message = `every path is a method of JSON-RPC: the document is read as OpenRPC, with ${known.length} methods at one address`
  tell({ rule: 'document-is-converted', level: 'note', location, message })
  const { components, info, servers } = value
  const schemas = isObject(components) ? components.schemas : undefined
  const converted = {
    openrpc: '1.3.2',
    info,
    ...(servers !== undefined && { servers }),
    // No object is in two places of a document.
    methods: structuredClone(known.map((call) => methodOf(call, value))),
    components: { schemas: withoutEnvelopes(value, schemas, known) },
  }
  const placeOf = (pointer: string) => {
    const [first = '', index = '', ...rest] = segmentsOf(pointer)
    if (first === 'openrpc') return '/openapi'
    if (first !== 'methods') return pointer
    const call = known[Number(index)]
    return call ? pointerOf('paths', call.path, 'post', ...rest) : '/paths'
  }
  return {
    ...document,
    value: converted,
    locate: (pointer, part) => document.locate(placeOf(pointer), part),
    numberText: (pointer) => document.numberText(placeOf(pointer)),
  }
}

/** The schemas without those of whole requests and responses, which no params and no result refers to. */
function withoutEnvelopes(root: JsonObject, schemas: unknown, calls: readonly Call[]) {
  const envelopes = calls.flatMap(({ operation: { requestBody, responses } }) => [
    schemaOf(root, requestBody),
    ...entriesOf(responses).map(([, response]) => schemaOf(root, response)),
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

function callOf(root: JsonObject, path: string, item: unknown): Call | undefined {
  if (!isObject(item) || !isObject(item.post)) return undefined
  if (OTHER_METHODS.some((name) => name in item)) return undefined
  const { properties } = flattened(root, schemaOf(root, item.post.requestBody))
  const method = isObject(properties.method) ? nameOf(properties.method) : undefined
  if (method === undefined || !('jsonrpc' in properties)) return undefined
  return { path, operation: item.post, method, params: properties.params }
}

const OTHER_METHODS = ['get', 'put', 'delete', 'patch', 'head', 'options', 'trace']

const nameOf = ({ const: only, enum: values }: JsonObject): string | undefined => {
  const name = only ?? (Array.isArray(values) && values.length === 1 ? values[0] : undefined)
  return typeof name === 'string' ? name : undefined
}

function methodOf({ operation, method, params }: Call, root: JsonObject): JsonObject {
  const { summary, description, deprecated, tags, responses } = operation
  const ok = isObject(responses) ? (responses['200'] ?? responses.default) : undefined
  const response = flattened(root, schemaOf(root, ok))
  return {
    name: method,
    ...(typeof summary === 'string' && { summary }),
    ...(typeof description === 'string' && { description }),
    ...(deprecated === true && { deprecated }),
    ...(Array.isArray(tags) && { tags: tags.map((name) => ({ name })) }),
    ...paramsOf(root, params),
    result: { name: 'result', schema: response.properties.result ?? {} },
  }
}

/** Params by name are the properties of their schema, by position its items. */
function paramsOf(root: JsonObject, schema: unknown): JsonObject {
  const resolved = resolve(root, schema)
  const items = resolved.prefixItems ?? resolved.items
  if (resolved.type === 'array') {
    const least = Number(resolved.minItems ?? 0)
    const list = Array.isArray(items) ? items : []
    const params = list.map((one, at) => ({
      name: `param${at + 1}`,
      required: at < least,
      schema: one,
    }))
    return { paramStructure: 'by-position', params }
  }
  const { properties, required } = flattened(root, schema)
  const params = entriesOf(properties).map(([name, one]) => ({
    name,
    required: required.includes(name),
    schema: one,
  }))
  return { paramStructure: 'by-name', params }
}

/** The properties of an object and of the alternatives and parts of its schema; required is what all of them require. */
export function flattened(root: JsonObject, schema: unknown, depth = 0): Flat {
  const resolved = resolve(root, schema)
  const own: Flat = {
    properties: isObject(resolved.properties) ? resolved.properties : {},
    required: Array.isArray(resolved.required) ? resolved.required : [],
  }
  if (depth > MOST_DEPTH) return own
  const within = (list: unknown) =>
    (Array.isArray(list) ? list : []).map((one) => flattened(root, one, depth + 1))
  const parts = within(resolved.allOf)
  const alternatives = [...within(resolved.oneOf), ...within(resolved.anyOf)]
  const [first, ...others] = alternatives
  const common = first?.required.filter((name) =>
    others.every((one) => one.required.includes(name)),
  )
  const properties = new Map<string, unknown[]>()
  for (const one of [own, ...parts, ...alternatives])
    for (const [name, value] of entriesOf(one.properties)) {
      const known = properties.get(name) ?? []
      const isKnown = known.some((other) => JSON.stringify(other) === JSON.stringify(value))
      properties.set(name, isKnown ? known : [...known, value])
    }
  return {
    properties: Object.fromEntries(
      [...properties].map(([name, all]) => [name, all.length === 1 ? all[0] : { anyOf: all }]),
    ),
    required: [...own.required, ...parts.flatMap((one) => one.required), ...(common ?? [])],
  }
}

const MOST_DEPTH = 10

type Flat = { readonly properties: JsonObject; readonly required: readonly unknown[] }

/** The JSON schema of a request body or a response. */
function schemaOf(root: JsonObject, holder: unknown): unknown {
  const { content } = resolve(root, holder)
  const media = isObject(content) ? content['application/json'] : undefined
  return isObject(media) ? media.schema : undefined
}

function resolve(root: JsonObject, value: unknown): JsonObject {
  let found = value
  for (let depth = 0; depth < MOST_DEPTH && isObject(found) && '$ref' in found; depth++) {
    const ref = String(found.$ref)
    let target: unknown = ref.startsWith('#/') ? root : undefined
    for (const segment of segmentsOf(ref.slice(1)))
      target = isObject(target) ? target[segment] : undefined
    found = target
  }
  return isObject(found) ? found : {}
}
