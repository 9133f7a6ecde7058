import type { JsonObject } from './api.js'
import { entriesOf, isObject } from './json.js'

/** OpenAPI 3.2, Path Item Object: the fields that are called after a method. */
export const METHODS = [
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
 * RFC 9110, 9.2.1, and for QUERY its own specification: these methods are safe, so they may be repeated unless the document says
 * otherwise. Upper case.
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
  /** As it is sent: upper case where the path item has a field for it, else as the document writes it. */
  readonly method: string
  readonly node: JsonObject
  /** Where it is in the path item: `['get']`, `['additionalOperations', 'LINK']`. */
  readonly place: readonly string[]
}

/** The operations of a path item, those of `additionalOperations` last. */
export function operationsIn(item: unknown): readonly ItemOperation[] {
  if (!isObject(item)) return []
  const own = METHODS.flatMap((field): readonly ItemOperation[] => {
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

/** Where the operation of a method is in a path item. */
export const placeOfMethod = (method: string): readonly string[] =>
  hasField(method) ? [method.toLowerCase()] : ['additionalOperations', method]

/** What a path item calls a method: its own field in lower case, any other method as it is. */
export const fieldOf = (method: string): string => {
  const field = method.toLowerCase()
  return isField(field) && method !== field ? field : method
}

/** Whether a path item has a field of its own for a method, which is written in upper case. */
export const hasField = (method: string): boolean =>
  method === method.toUpperCase() && isField(method.toLowerCase())

const isField = (name: string): boolean => METHODS.some((field) => field === name)

/** RFC 9110, 9.1: a method is a token. */
export const isMethod = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)
