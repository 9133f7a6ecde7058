import type { JsonObject } from '../validate/json-value.js'
import type { Fault } from '../validate/validator.js'
import { pointerStep } from './pointer.js'

export { isObject, type JsonObject } from '../validate/json-value.js'

/**
 * The value as JSON represents it, and a fault for each part that JSON cannot represent. As in `JSON.stringify`, `undefined`
 * properties are omitted and `toJSON` is called. A value that `JSON.stringify` would turn into `null`, omit or throw on is a
 * fault with its place. A bigint is a fault unless `integers` allows it.
 */
export const jsonCopy = (value: unknown, integers: 'number' | 'bigint' = 'number'): JsonCopy => {
  const copying: Copying = { integers, hasBigint: false, faults: [], path: [], above: [] }
  const exact = copy(value, copying)
  const { hasBigint, faults } = copying
  const isRounded = hasBigint && faults.length === 0
  return { value: isRounded ? JSON.parse(writeBigints(exact)) : exact, exact, faults }
}

type Copying = {
  readonly integers: 'number' | 'bigint'
  hasBigint: boolean
  readonly faults: Fault[]
  /** The place of the current value: its path, and its ancestor objects. */
  readonly path: (string | number)[]
  readonly above: object[]
}

const copy = (value: unknown, copying: Copying): unknown => {
  if (typeof value === 'bigint' && copying.integers === 'bigint') {
    copying.hasBigint = true
    return value
  }
  if (typeof value !== 'object') {
    const objection = scalarObjection(value)
    return objection === undefined ? value : reject(copying, objection)
  }
  if (value === null) return null
  const { above } = copying
  if (above.includes(value)) return reject(copying, 'refers back to itself')
  if (above.length >= deepest) return reject(copying, `is nested deeper than ${deepest} levels`)
  above.push(value)
  const copied = hasToJson(value)
    ? copy(value.toJSON(), copying)
    : Array.isArray(value)
      ? copyItems(value, copying)
      : copyMembers(value as JsonObject, copying)
  above.pop()
  return copied
}

const copyItems = (items: readonly unknown[], copying: Copying): unknown => {
  const copied: unknown[] = []
  for (let at = 0; at < items.length; at += 1) copied.push(copyAt(at, items[at], copying))
  return copied
}

const copyMembers = (members: JsonObject, copying: Copying): unknown => {
  const pairs: [string, unknown][] = []
  for (const key of Object.keys(members)) {
    const value = members[key]
    if (value !== undefined) pairs.push([key, copyAt(key, value, copying)])
  }
  return Object.fromEntries(pairs)
}

const copyAt = (step: string | number, value: unknown, copying: Copying): unknown => {
  if (typeof value === 'string') return value
  copying.path.push(step)
  const copied = copy(value, copying)
  copying.path.pop()
  return copied
}

const reject = ({ faults, path }: Copying, message: string): undefined => {
  faults.push({ pointer: path.map(pointerStep).join(''), keyword: 'json', message })
}

/** `value` has numbers instead of bigints, for checks; `exact` is the value to send. */
type JsonCopy = {
  readonly value: unknown
  readonly exact: unknown
  readonly faults: readonly Fault[]
}

/** `JSON.stringify`, which writes a bigint with all its digits. */
export const writeJson = (value: unknown, indent?: number): string => {
  try {
    return JSON.stringify(value, null, indent)
  } catch {
    return writeBigints(value, indent)
  }
}

const writeBigints = (value: unknown, indent?: number): string => {
  // Random, so that no text can contain it on purpose.
  const mark = `bigint${Math.random().toString(36).slice(2)}`
  const write = (bigint: (value: bigint) => string): string =>
    JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? bigint(item) : item), indent)
  if (write(() => '').includes(mark)) return writeBigints(value, indent)
  return write((item) => mark + item).replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
}

/** Much deeper values overflow the stack of `JSON.stringify`. */
const deepest = 1_000

const scalarObjection = (value: unknown): string | undefined => {
  const type = typeof value
  if (type === 'string' || type === 'boolean' || Number.isFinite(value)) return undefined
  const isNamed = type === 'number' || value === undefined
  const hint = type === 'bigint' ? ': write it as a string' : ''
  return `is ${isNamed ? value : `a ${type}`}, which JSON cannot represent${hint}`
}

const hasToJson = (value: object): value is { toJSON: () => unknown } =>
  typeof (value as { readonly toJSON?: unknown }).toJSON === 'function'

/**
 * The value of a JSON text, or its error. The platform's error quotes a part of the text, so it is created from `clean(text)`.
 */
export const parseJson = (text: string, clean: (text: string) => string): ParsedJson => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { cause: errorOf(clean(text)) }
  }
}

/** Whether a JSON text may have a number that a double rounds: of 16 digits, or with an exponent of three. */
export const hasLongNumber = (text: string): boolean =>
  /(?:^|[\s:,[])-?\d(?:[\d.]{15}|[\d.]*e[-+]?\d{3})/i.test(text)

export type ParsedJson = { readonly value: unknown } | { readonly cause: unknown }

const errorOf = (text: string): unknown => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error
  }
}
