import type { Fault } from '../validate/validator.js'
import { pointerStep } from './pointer.js'

export { isObject, type JsonObject } from './json-object.js'

/**
 * The value as JSON will carry it, and what JSON cannot carry: `undefined` properties are dropped and
 * `toJSON` is followed, as `JSON.stringify` does; what that function would turn into `null`, lose or
 * throw on is a fault with its place.
 */
export const jsonCopy = (value: unknown): JsonCopy => {
  const faults: Fault[] = []
  // The place of the value that is being copied: steps, and the objects above it.
  const path: (string | number)[] = []
  const above: object[] = []

  const copy = (value: unknown): unknown => {
    const reject = (message: string): undefined => {
      faults.push({ pointer: path.map(pointerStep).join(''), keyword: 'json', message })
    }
    if (typeof value !== 'object') {
      const objection = scalarObjection(value)
      return objection === undefined ? value : reject(objection)
    }
    if (value === null) return null
    if (above.includes(value)) return reject('refers back to itself')
    if (above.length >= deepest) return reject(`is nested deeper than ${deepest} levels`)
    above.push(value)
    const copied = hasToJson(value) ? copy(value.toJSON()) : copyMembers(value)
    above.pop()
    return copied
  }

  const copyMembers = (value: object): unknown => {
    if (Array.isArray(value)) return Array.from(value, (item, index) => copyAt(index, item))
    const members = Object.entries(value).filter(([, item]) => item !== undefined)
    return Object.fromEntries(members.map(([key, item]) => [key, copyAt(key, item)]))
  }

  const copyAt = (step: string | number, value: unknown): unknown => {
    path.push(step)
    const copied = copy(value)
    path.pop()
    return copied
  }

  return { value: copy(value), faults }
}

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

/** Whether a JSON text may have an integer that a double rounds. */
export const hasLongNumber = (text: string): boolean => /(?:^|[\s:,[])-?\d{16}/.test(text)

export type ParsedJson = { readonly value: unknown } | { readonly cause: unknown }

const errorOf = (text: string): unknown => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error
  }
}
