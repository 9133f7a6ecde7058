import type { JsonObject } from '../runtime/validate/json-value.js'
import { entriesOf, isObject } from './json.js'

/** OpenAPI 3.2, Path Item Object: the fields that have the name of a method. */
export const PATH_METHODS = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
] as const

/**
 * The safe methods, in upper case: RFC 9110, 9.2.1, and the specification of QUERY. They may be repeated
 * unless the document declares otherwise.
 */
export const SAFE_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'QUERY',
])

/** One operation of a path item. */
export type ItemOperation = {
  /** Upper case if the path item has a field for the method, else as written. */
  readonly method: string
  readonly node: JsonObject
  /** Its path in the path item: `['get']`, `['additionalOperations', 'LINK']`. */
  readonly place: readonly string[]
}

/** The operations of a path item, those of `additionalOperations` last. */
export function operationsIn(item: unknown): readonly ItemOperation[] {
  if (!isObject(item)) return []
  const own = PATH_METHODS.flatMap((field): readonly ItemOperation[] => {
    const node = item[field]
    return isObject(node) ? [{ method: field.toUpperCase(), node, place: [field] }] : []
  })
  const more = entriesOf(item.additionalOperations).flatMap(
    ([method, node]): readonly ItemOperation[] => {
      const isWrittenTwice = own.some((one) => one.method === method)
      if (!isObject(node) || !isMethod(method) || isWrittenTwice) return []
      return [{ method, node, place: ['additionalOperations', method] }]
    },
  )
  return [...own, ...more]
}

/** The operation of a path item for a method, as the document writes it. */
export const operationIn = (item: unknown, method: string): ItemOperation | undefined =>
  operationsIn(item).find((one) => one.method === method)

/** The path of a method's operation in a path item. */
export const placeOfMethod = (method: string): readonly string[] =>
  hasField(method) ? [method.toLowerCase()] : ['additionalOperations', method]

/** The field of a method in a path item: lower case if it has its own field, else the method as written. */
export const fieldOf = (method: string): string => {
  const field = method.toLowerCase()
  return isField(field) && method !== field ? field : method
}

/** Whether a path item has its own field for a method, which is in upper case. */
export const hasField = (method: string): boolean =>
  method === method.toUpperCase() && isField(method.toLowerCase())

const isField = (name: string): boolean => PATH_METHODS.some((field) => field === name)

/** RFC 9110, 9.1: a method is a token. */
export const isMethod = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)
