import type { TypeName } from './validator.js'

/**
 * Compiles a regular expression of JSON Schema: with `u` if the source allows it. Many patterns are invalid with `u` (`[\w-.]`)
 * and are compiled without it. Throws a SyntaxError for an invalid pattern.
 */
export const compilePattern = (source: string): RegExp => {
  try {
    return new RegExp(source, 'u')
  } catch {
    return new RegExp(source)
  }
}

/** Whether a value has an own property; an undefined one is not sent, so it is absent. */
export const has = (value: JsonObject, key: string): boolean =>
  value[key] !== undefined && Object.hasOwn(value, key)

/** 2020-12 validation 6.1.1: an integer is a number without fraction, in any notation. */
export const isOfType = (value: unknown, type: TypeName): boolean => {
  switch (type) {
    case 'null':
      return value === null
    case 'object':
      return isObject(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    default:
      return typeof value === type
  }
}

/** Whether a Set or Map compares a value like JSON; other values are compared by their canonical text. */
export const isPrimitive = (value: unknown): boolean => typeof value !== 'object' || value === null

/** The two positions of the first repeated item. */
export const findRepeat = (items: readonly unknown[]): readonly [number, number] | undefined => {
  const primitives = new Map<unknown, number>()
  const structures = new Map<string, number>()
  for (let at = 0; at < items.length; at++) {
    const item = items[at]
    const first = isPrimitive(item) ? primitives.get(item) : structures.get(canonicalText(item))
    if (first !== undefined) return [first, at]
    if (isPrimitive(item)) primitives.set(item, at)
    else structures.set(canonicalText(item), at)
  }
  return undefined
}

export const presentKeys = (value: JsonObject): string[] =>
  Object.keys(value).filter((key) => value[key] !== undefined)

/** A text that is the same for equal values, in any order of keys. */
export const canonicalText = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  if (!isObject(value)) return String(value)
  const entries = presentKeys(value).sort()
  return `{${entries.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`).join()}}`
}

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
