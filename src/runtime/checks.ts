import { canonicalText } from './validate/json-value.js'

/** The functions that generated checks call. A bundle contains only those that its schemas need. */
export { follow } from './validate/check-run.js'
export {
  isDateText,
  isDateTimeText,
  isIpv4Text,
  isIpv6Text,
  isUriText,
  isUuidText,
} from './validate/formats.js'
export {
  isHex,
  isHexNumber,
  isLongHex,
  isLongLowerHex,
  isLongUpperHex,
  isLowerHex,
  isLowerHexNumber,
  isUpperHex,
  isUpperHexNumber,
} from './validate/hex.js'
export { isMultiple } from './validate/multiples.js'
export { countCharacters, hasAtLeast, hasAtMost } from './validate/text-length.js'

/** Reads an own property; inherited ones such as `toString` are ignored. */
export const own = (value: object, key: string): unknown =>
  Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined

/** Whether a value is an integer, as the document marks with `x-bigint`: a number or a bigint. */
export const isAnyInteger = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' || Number.isInteger(value)

/** The number of properties. One that is undefined is not sent, so it does not count. */
export const countKeys = (value: Readonly<Record<string, unknown>>): number => {
  let count = 0
  for (const key in value) if (value[key] !== undefined) count++
  return count
}

/** Whether two items are equal as JSON values. A list with an item that is nested too deeply counts as one with repeats. */
export const hasRepeats = (items: readonly unknown[]): boolean => {
  const texts = new Set(items.map(canonical))
  return texts.size < items.length || texts.has(undefined)
}

/** A text that is the same for equal values, in any order of keys; undefined for a value that is too deep. */
export const canonical = (value: unknown): string | undefined => {
  try {
    return canonicalText(value)
  } catch {
    return undefined
  }
}
