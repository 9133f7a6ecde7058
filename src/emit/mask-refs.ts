import type { JsonObject } from '../model/api.js'
import { isObject, isReference } from '../model/json.js'
import { segmentsOf } from '../model/pointer.js'

/**
 * The document with the references between schemas written `x-ref`, so that no dereferencer follows
 * them, and every other reference replaced by what it refers to.
 */
export function maskRefs(document: JsonObject): JsonObject {
  return copy(document) as JsonObject

  function copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(copy)
    if (!isObject(value)) return value
    if (!isReference(value)) return mapped(value)
    if (!value.$ref.startsWith('#/components/schemas/')) return copy(target(value.$ref))
    const { $ref, ...siblings } = value
    return { 'x-ref': $ref, ...mapped(siblings) }
  }

  function mapped(value: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copy(member)]))
  }

  function target(ref: string): unknown {
    return segmentsOf(ref.slice(1)).reduce<unknown>(
      (value, segment) => (isObject(value) ? value[segment] : undefined),
      document,
    )
  }
}

/** What `maskRefs` was given, but for the references that it replaced. */
export function unmaskRefs(document: JsonObject): JsonObject {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key === 'x-ref' ? '$ref' : key, copy(member)]),
    )
  }
  return copy(document) as JsonObject
}
