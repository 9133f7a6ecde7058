import type { Fault } from '../validate/validator.js'
import { pointerStep } from './pointer.js'

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The value as JSON will carry it, and what JSON cannot carry: `undefined` properties are dropped and
 * `toJSON` is followed, as `JSON.stringify` does; what that function would turn into `null`, lose or
 * throw on is a fault with its place.
 */
export const jsonCopy = (value: unknown): JsonCopy => {
  const faults: Fault[] = []

  const copy = (value: unknown, path: Path, above: readonly object[]): unknown => {
    const refuse = (message: string): undefined => {
      faults.push({ pointer: path.map(pointerStep).join(''), keyword: 'json', message })
    }
    if (typeof value !== 'object') {
      const objection = scalarObjection(value)
      return objection === undefined ? value : refuse(objection)
    }
    if (value === null) return null
    if (above.includes(value)) return refuse('refers back to itself')
    if (above.length >= deepest) return refuse(`is nested deeper than ${deepest} levels`)
    const within = [...above, value]
    if (hasToJson(value)) return copy(value.toJSON(), path, within)
    if (Array.isArray(value)) {
      return Array.from(value, (item, index) => copy(item, [...path, index], within))
    }
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => [key, copy(item, [...path, key], within)]),
    )
  }

  return { value: copy(value, [], []), faults }
}

type Path = readonly (string | number)[]

type JsonCopy = { readonly value: unknown; readonly faults: readonly Fault[] }

/** Much deeper values overflow the stack of `JSON.stringify`. */
const deepest = 1_000

const scalarObjection = (value: unknown): string | undefined => {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return `is ${value}, which JSON cannot carry`
  }
  if (typeof value === 'bigint') {
    return 'is a bigint, which JSON cannot carry: write it as a string'
  }
  if (value === undefined) return 'is undefined, which JSON cannot carry'
  if (typeof value === 'symbol' || typeof value === 'function') {
    return `is a ${typeof value}, which JSON cannot carry`
  }
  return undefined
}

const hasToJson = (value: object): value is { toJSON: () => unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function'

/** The value of a JSON text, or why it is none. The platform's error quotes a part of the text, so it is made of `clean(text)`. */
export const parseJson = (text: string, clean: (text: string) => string): ParsedJson => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { cause: errorOf(clean(text)) }
  }
}

export type ParsedJson = { readonly value: unknown } | { readonly cause: unknown }

const errorOf = (text: string): unknown => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error
  }
}
