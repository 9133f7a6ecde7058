import type { JsonObject } from './api.js'
import { entriesOf, isObject } from './json.js'

/** OpenAPI 3.2, Path Item Object: the fields that have the name of a method. */
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

/** An object whose members have the keys that are meant; `tell` receives each key that was written otherwise. */
export function renamed(
  node: JsonObject,
  { meant, rule }: MeantKeys,
  tell: (rule: string, key: string, name: string) => void,
): JsonObject {
  const names = new Map(
    entriesOf(node).flatMap(([key, member]) => {
      const name = meant(key)
      return isObject(member) && !Object.hasOwn(node, name) ? [[key, name]] : []
    }),
  )
  if (names.size === 0) return node
  for (const [key, name] of names) tell(rule(key), key, name)
  return Object.fromEntries(entriesOf(node).map(([key, member]) => [names.get(key) ?? key, member]))
}

export type MeantKeys = {
  readonly meant: (key: string) => string
  /** The rule that another key violates. */
  readonly rule: (key: string) => string
}

/**
 * A path as OpenAPI writes it. Some documents omit the first slash, or write parameters as a router does: `orders/:id`,
 * `/orders/{id:[0-9]+}`, `/files/{path+}` and `/users/<int:id>` are `/orders/{id}`, `/files/{path}` and `/users/{id}`.
 */
export const meantPath = (key: string): string => {
  if (key.startsWith('x-')) return key
  const path = /^([^/\s:?#]+(\/|$)|$)/.test(key) ? `/${key}` : key
  return path
    .replace(/\/:([a-z_]\w*)(?=\/|$)/gi, '/{$1}')
    .replace(/\/<(?:\w+:)?([a-z_]\w*)>(?=\/|$)/gi, '/{$1}')
    .replace(/\/{{\s*(\w+)\s*}}(?=\/|$)/g, '/{$1}')
    .replace(/{\s*[+*]?([\w.-]+?)[+*]?\s*}/g, '{$1}')
    .replace(/\/{([a-z_]\w*):[^/]*}(?=\/|$)/gi, '/{$1}')
}

export const PATH_KEYS: MeantKeys = {
  meant: meantPath,
  rule: (key) => (key.startsWith('/') ? 'path-template-is-inexact' : 'path-has-no-slash'),
}

/** The field of a method that is written in other letters: `GET` is read as `get`. */
export const ITEM_KEYS: MeantKeys = {
  meant: (key) => (isField(key.toLowerCase()) ? key.toLowerCase() : key),
  rule: () => 'field-is-unknown',
}

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

const isField = (name: string): boolean => METHODS.some((field) => field === name)

/** RFC 9110, 9.1: a method is a token. */
export const isMethod = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)
