import type { RpcOperation, RpcParam, RpcVariant } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { defined, entriesOf, isObject } from '../model/json.js'
import { readSubscription } from '../model/subscriptions.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import type { Schema } from '../schema/schema.js'
import { camelCase } from '../text/names.js'
import { readRpcExamples } from './openrpc-examples.js'
import { commonFields, flag, objects, type ReadContext, text } from './reading.js'

/** The methods of a bundled OpenRPC document (1.0 to 1.4), by the side that calls them. */
export function readRpcOperations(reading: ReadContext): RpcMethods {
  const methods = objects(reading.document.value.methods)
    .filter((node) => isReadable(node, reading))
    .map((node) => ({ method: readMethod(node, reading), direction: directionOf(node, reading) }))
  const directions = new Map(methods.map(({ method, direction }) => [method.method, direction]))
  return {
    operations: methods.flatMap(({ method, direction }) =>
      direction === 'server' ? [] : [withSubscription(method, directions)],
    ),
    serverMethods: methods.flatMap(({ method, direction }) =>
      direction === 'client' ? [] : [direction === 'server' ? { ...method, isSent: true } : method],
    ),
  }
}

/** The method without a subscription that no client could use; `lint` says why. */
const withSubscription = (
  method: RpcOperation,
  directions: ReadonlyMap<string, Direction>,
): RpcOperation => {
  const { subscription, ...rest } = method
  if (subscription === undefined) return method
  const isUsable =
    directions.has(subscription.unsubscribe) &&
    subscription.notifications.every((one) => (directions.get(one.method) ?? 'client') !== 'client')
  return isUsable ? method : rest
}

type RpcMethods = {
  /** Methods that clients call. */
  readonly operations: readonly RpcOperation[]
  /** Methods that the server calls; a method that both sides call is in both lists. */
  readonly serverMethods: readonly RpcOperation[]
}

/**
 * The sender of a method. Without `x-direction`, either side may send a notification: OpenRPC does not say which one does, and
 * documents differ.
 */
function directionOf(node: JsonObject, reading: ReadContext): Direction {
  if (isDirected(node)) return node['x-direction']
  if (!isNotification(node, reading)) return 'client'
  reading.report({
    rule: 'notification-direction-is-unknown',
    level: 'warning',
    location: reading.source(node).locate(),
    message: `${text(node.name)} has no result, so it is read as a notification that clients and the server may send: add x-direction: client, server or both`,
  })
  return 'both'
}

const isDirected = (node: JsonObject): node is JsonObject & { 'x-direction': Direction } =>
  DIRECTIONS.some((one) => one === node['x-direction'])

const DIRECTIONS = ['client', 'server', 'both'] as const

type Direction = (typeof DIRECTIONS)[number]

/**
 * OpenRPC 1.3, Method Object: a method without a result is a notification. Before, a result was required: one that is missing
 * there was forgotten, and so is that of a method that returns errors, unless the document says who sends the method.
 */
function isNotification(node: JsonObject, reading: ReadContext): boolean {
  const isBefore = /^1\.[0-2]\b/.test(String(reading.document.value.openrpc))
  const isCall = isBefore || objects(node.errors).length > 0
  return node.result === undefined && (!isCall || node['x-direction'] !== undefined)
}

/** Whether a method has a name and its params are available: without all params, no call is possible. Others are left out. */
function isReadable(node: JsonObject, reading: ReadContext): boolean {
  const method = text(node.name)
  const params = node.params ?? []
  if (reading.resolve(node) === undefined) return false
  const isWhole = Array.isArray(params) && params.every((one) => reading.resolve(one) !== undefined)
  const location = reading.source(node).locate()
  if (!method) {
    const message = 'a method needs a name: this one is left out'
    reading.report({ rule: 'method-has-no-name', level: 'error', location, message })
  } else if (!isWhole) {
    const message = `the method ${method} is left out, because not all of its params can be read`
    reading.report({ rule: 'method-is-left-out', level: 'warning', location, message })
  }
  return Boolean(method) && isWhole
}

function readMethod(node: JsonObject, reading: ReadContext): RpcOperation {
  const method = text(node.name) ?? ''
  const list = Array.isArray(node.params) ? node.params : []
  const params = objects(list).map((param, index) => readParam(param, index, reading))
  for (const finding of wrongIn(node, params, method, reading)) reading.report(finding)
  if (node.paramStructure !== 'by-name') reportOrder(params, method, reading)
  return {
    kind: 'rpc',
    id: camelCase(method),
    method,
    tags: (Array.isArray(node.tags) ? node.tags : []).flatMap(
      // OpenRPC 1.0, Method Object: tags are texts.
      (tag: unknown) => text(tag) ?? text(reading.resolve(tag)?.name) ?? [],
    ),
    params,
    // OpenRPC, Method Object: either is the default. Clients of documents of 1.0 and 1.1,
    // such as Starknet's SDK, send names too.
    paramStructure: STRUCTURES.find((one) => one === node.paramStructure) ?? 'either',
    ...otherParams(node, reading),
    ...defined({
      subscription: readSubscription(node['x-subscription']),
      variants: readVariants(node, params, reading),
    }),
    result: readResult(node, reading),
    ...(isNotification(node, reading) && {
      isNotification: true,
      ...(!isDirected(node) && { isOptional: true }),
    }),
    errors: objects(node.errors).flatMap((entry) => {
      const error = reading.resolve(entry)
      if (typeof error?.code !== 'number') return []
      const message = text(error.message) ?? ''
      return { code: error.code, message, data: error.data, source: reading.source(error) }
    }),
    examples: readRpcExamples(node, params, reading),
    source: reading.source(node),
    ...commonFields(node),
  }
}

/** `x-additional-params`: a schema of the params by name that the method does not list, or `true` for any, which types do not show. */
function otherParams(node: JsonObject, reading: ReadContext): Pick<RpcOperation, 'otherParams'> {
  const written = node['x-additional-params']
  const isSchema = written === true || isObject(written)
  if (node.paramStructure !== 'by-name' || !isSchema) return {}
  return { otherParams: reading.schema(written, node, 'x-additional-params') }
}

/** `x-variants` of a method; `lint` reports variants of another shape. Undefined without any. */
function readVariants(
  node: JsonObject,
  params: readonly RpcParam[],
  reading: ReadContext,
): RpcOperation['variants'] {
  const variants = entriesOf(node['x-variants']).flatMap(([name, value]): RpcVariant[] => {
    if (!isObject(value) || !isObject(value.params) || value.result === undefined) return []
    const { prefixItems, properties, required, minItems } = value.params
    const narrowed = params.map((param, index): RpcParam => {
      const isFirst = Array.isArray(prefixItems)
      const owner = isFirst ? prefixItems : isObject(properties) ? properties : {}
      const key = isFirst ? index : param.name
      const written = (owner as Readonly<Record<string, unknown>>)[key]
      const isRequired =
        param.required ||
        (Array.isArray(required) && required.includes(param.name)) ||
        (typeof minItems === 'number' && minItems > index)
      const own = written === undefined ? param.schema : reading.schema(written, owner, String(key))
      return { ...param, required: isRequired, schema: own }
    })
    const source = reading.source(node, 'x-variants', name)
    return [
      {
        name,
        params: narrowed,
        result: reading.schema(value.result, value, 'result'),
        ...(value.item !== undefined && { item: reading.schema(value.item, value, 'item') }),
        source,
      },
    ]
  })
  return variants.length === 0 ? undefined : variants
}

const STRUCTURES = ['by-position', 'by-name', 'either'] as const

/** Parts of a method that no client can use. */
function* wrongIn(
  node: JsonObject,
  params: readonly RpcParam[],
  method: string,
  reading: ReadContext,
): Generator<Finding> {
  const other = params.find(
    ({ name }, index) => params.findIndex((one) => one.name === name) < index,
  )
  if (other) {
    yield {
      rule: 'param-name-is-duplicate',
      level: 'warning',
      location: other.source.locate(),
      message: `${method} has two params called ${other.name}, and a call by name can send only one of them: rename one`,
    }
  }
  if (Array.isArray(node.servers) && node.servers.length > 0) {
    yield {
      rule: 'method-servers-ignored',
      level: 'note',
      location: reading.source(node, 'servers').locate(),
      message: `${method} has its own servers, which are ignored: clients call the servers of the document`,
    }
  }
}

/** By position, a caller cannot omit an optional param before a required one. */
function reportOrder(params: readonly RpcParam[], method: string, reading: ReadContext) {
  const last = params.findLastIndex((param) => param.required)
  for (const { name, required, source } of params.slice(0, Math.max(last, 0))) {
    if (required) continue
    reading.report({
      rule: 'required-param-after-optional',
      level: 'warning',
      location: source.locate(),
      message: `${method}: the optional param ${name} comes before a required one, so callers by position send null to omit it: put it after the required ones`,
    })
  }
}

function readParam(entry: JsonObject, index: number, reading: ReadContext): RpcParam {
  const alternatives = alternativesOf(entry, reading)
  const [node = {}] = alternatives
  const name = text(node.name) || `param${index + 1}`
  if (!text(node.name)) {
    const location = reading.source(entry).locate()
    const message = `a param needs a name: this one is called ${name}`
    reading.report({ rule: 'param-has-no-name', level: 'error', location, message })
  }
  return {
    name,
    summary: text(node.summary),
    description: text(node.description),
    required: alternatives.every((one) => flag(one.required)),
    deprecated: flag(node.deprecated),
    schema: schemaOf(alternatives, reading),
    source: reading.source(node),
  }
}

/** The alternatives of a content descriptor: several in OpenRPC 1.1 and 1.2 (OneOf Object), one in later versions. */
function alternativesOf(entry: unknown, reading: ReadContext): readonly JsonObject[] {
  const node = reading.resolve(entry)
  if (!node) return []
  const isChoice = node.schema === undefined && Array.isArray(node.oneOf)
  if (!isChoice) return [node]
  return objects(node.oneOf)
    .map((one) => reading.resolve(one))
    .filter((one) => one !== undefined)
}

function schemaOf(descriptors: readonly JsonObject[], reading: ReadContext): Schema {
  const schemas = descriptors.map((one) =>
    one.schema === undefined ? true : reading.schema(one.schema, one, 'schema'),
  )
  return schemas.length > 1 ? { anyOf: schemas } : (schemas[0] ?? true)
}

function readResult(node: JsonObject, reading: ReadContext): RpcOperation['result'] {
  const alternatives = alternativesOf(node.result, reading)
  const [result] = alternatives
  if (!result) {
    if (node.result === undefined && !isNotification(node, reading))
      reading.report(noResult(node, reading))
    return { name: 'result', description: undefined, schema: true, source: reading.source(node) }
  }
  return {
    name: text(result.name) ?? 'result',
    description: text(result.description) ?? text(result.summary),
    schema: schemaOf(alternatives, reading),
    source: reading.source(result),
  }
}

const noResult = (node: JsonObject, reading: ReadContext): Finding => ({
  rule: 'field-is-missing',
  level: 'warning',
  location: reading.source(node).locate(),
  message: `${text(node.name)} has no result, which only a notification may lack, from OpenRPC 1.3 on: it is read as a call with any result; add the result, or x-direction if it is a notification`,
})
