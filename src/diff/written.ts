import { isDeepStrictEqual } from 'node:util'
import type { Api, Operation, OutgoingRequest } from '../model/api.js'
import { isObject, isReference } from '../model/json.js'
import { operationIn } from '../model/path-item.js'
import { resolveIn } from '../read/reading.js'
import { cached } from '../runtime/shared/cached.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { descendantsIn, memberNames } from '../schema/hierarchy.js'
import { referredName, type Schema, type SchemaObject } from '../schema/schema.js'
import { readDiscriminator } from '../schema/source.js'
import { documentOf } from './change.js'

/** The operation in the document, with members that the Api omits; empty if it is not found. */
export const writtenOperation = (api: Api, operation: Operation): JsonObject => {
  const bundled: JsonObject = documentOf(api, operation)?.bundled ?? {}
  if (operation.kind === 'http') {
    const paths = asObject(bundled.paths)
    const item = asObject(paths[operation.path])
    return operationIn(item, operation.method)?.node ?? {}
  }
  return cached(methods, bundled, () => methodsIn(bundled)).get(operation.method) ?? {}
}

/** The webhook or callback in the document, with members that the Api omits; empty if it is not found. */
export const writtenRequest = (api: Api, request: OutgoingRequest): JsonObject => {
  const bundled: JsonObject = api.http?.bundled ?? {}
  const { name, method, callback } = request
  const holder = callback
    ? dereferenced(bundled, asObject(writtenCallbacks(bundled, callback)[name]))
    : asObject(bundled.webhooks)
  const item = dereferenced(bundled, holder[callback?.url ?? name])
  return operationIn(item, method)?.node ?? {}
}

const writtenCallbacks = (
  bundled: JsonObject,
  { path, method }: NonNullable<OutgoingRequest['callback']>,
): JsonObject => {
  const item = dereferenced(bundled, asObject(bundled.paths)[path])
  return asObject(operationIn(item, method)?.node.callbacks)
}

/** Cached per document: a search in the list for each method would take quadratic time. */
const methodsIn = (bundled: JsonObject): ReadonlyMap<unknown, JsonObject> => {
  const list = Array.isArray(bundled.methods) ? bundled.methods.filter(isObject) : []
  return new Map(list.map((method) => [method.name, method]))
}

const methods = new WeakMap<JsonObject, ReadonlyMap<unknown, JsonObject>>()

/** A parameter of an operation, a param of a method or another member of a list, as in the document. */
export const writtenMember = (
  api: Api,
  operation: Operation,
  list: string,
  isWanted: (member: JsonObject) => boolean,
): JsonObject => {
  const bundled: JsonObject = documentOf(api, operation)?.bundled ?? {}
  const own = writtenOperation(api, operation)
  const item = operation.kind === 'http' ? asObject(asObject(bundled.paths)[operation.path]) : {}
  for (const holder of [own, item]) {
    const members = Array.isArray(holder[list]) ? (holder[list] as readonly unknown[]) : []
    for (const member of members) {
      const found = dereferenced(bundled, member)
      if (isWanted(found)) return found
    }
  }
  return {}
}

/** The object itself, or the component that it refers to; empty if there is none. */
export const dereferenced = (bundled: JsonObject, value: unknown): JsonObject =>
  asObject(isReference(value) ? resolveIn(bundled, value) : value)

export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Whether two values are the same JSON, references included. */
export function isSameWritten(before: Written, after: Written): boolean {
  const passed = new Map<object, Set<object>>()
  const same = (one: unknown, other: unknown): boolean => {
    if (!isParted(one) || !isParted(other)) return one === other
    if (Array.isArray(one) !== Array.isArray(other)) return false
    const partners = passed.get(one) ?? new Set()
    if (partners.has(other)) return true
    passed.set(one, partners.add(other))
    if (isReference(one) && isReference(other)) {
      return (
        isDeepStrictEqual(one, other) &&
        same(dereferenced(before.bundled, one), dereferenced(after.bundled, other))
      )
    }
    const keys = Object.keys(one)
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]))
    )
  }
  return same(before.value, after.value)
}

type Written = { readonly bundled: JsonObject; readonly value: unknown }

const isParted = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The default that a schema, or one that it refers to, declares. */
export const defaultOf = (api: Api, schema: Schema): unknown =>
  chain(api, schema).find((one) => one.default !== undefined)?.default

/** Whether a schema, or one that it refers to, accepts only scalars. */
export const isScalar = (api: Api, schema: Schema): boolean =>
  chain(api, schema).some(({ type }) => {
    const types = [type].flat()
    return types.every((one) => one !== undefined && one !== 'array' && one !== 'object')
  })

/** The schema of a property, if the object schema declares it, directly or in an `allOf`. */
export function propertyOf(api: Api, schema: Schema, name: string): Schema | undefined {
  const waiting: Schema[] = [schema]
  const passed = new Set<Schema>()
  for (let here = waiting.shift(); here !== undefined; here = waiting.shift()) {
    for (const one of chain(api, here)) {
      if (passed.has(one)) continue
      passed.add(one)
      const { properties = {} } = one
      if (Object.hasOwn(properties, name)) return properties[name]
      waiting.push(...(one.allOf ?? []))
    }
  }
  return undefined
}

/** A schema, and its chain of references. */
const chain = (api: Api, schema: Schema) => {
  const passed = new Set<Exclude<Schema, boolean>>()
  let here: Schema | undefined = schema
  while (typeof here === 'object' && !passed.has(here)) {
    passed.add(here)
    here = api.schemas.get(referredName(here) ?? '')?.schema
  }
  return [...passed]
}

/**
 * The schemas of a document that extend a schema with a discriminator by `allOf`, or that its mapping names: values of the schema may be
 * of each of them, although nothing refers to them.
 */
export function membersIn(bundled: JsonObject, schema: object): ReadonlyMap<string, JsonObject> {
  const read = readDiscriminator(asObject(schema), (reference) => reference)
  if (!read || 'oneOf' in schema || 'anyOf' in schema) return NO_MEMBERS
  const schemas = asObject(asObject(bundled.components).schemas)
  const [own] = Object.entries(schemas).find(([, one]) => one === schema) ?? []
  if (own === undefined) return NO_MEMBERS
  const descendants = cached(extended, bundled, () => {
    const rows = Object.entries(schemas).map(
      ([name, one]) => [name, { schema: extendingOnly(one) }] as const,
    )
    return descendantsIn(new Map(rows))
  })
  return new Map(
    memberNames(own, read, descendants).flatMap((name) =>
      isObject(schemas[name]) ? [[name, schemas[name]]] : [],
    ),
  )
}

const NO_MEMBERS: ReadonlyMap<string, JsonObject> = new Map()

const extended = new WeakMap<JsonObject, ReturnType<typeof descendantsIn>>()

/** What a schema of a document, which may have errors, extends. */
function extendingOnly(written: unknown): SchemaObject {
  const { $ref, allOf } = asObject(written)
  if (typeof $ref === 'string') return { $ref }
  return Array.isArray(allOf) ? { allOf: allOf.map(extendingOnly) } : {}
}
