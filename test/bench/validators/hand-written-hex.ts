export type Fields = { readonly [name: string]: unknown }

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isHash = (value: unknown): value is string => isDigits(value, 64)

export const isAddress = (value: unknown): value is string => isDigits(value, 40)

export const isNonce = (value: unknown): value is string => isDigits(value, 16)

export const isBloom = (value: unknown): value is string => isDigits(value, 512)

export const isBytes = (value: unknown): value is string =>
  typeof value === 'string' && value.length % 2 === 0 && isHexText(value)

/** A storage slot: at most 64 digits. */
export const isSlot = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 66 && isHexText(value)

export const isUint64 = (value: unknown): value is string => isQuantity(value, 16)

export const isUint256 = (value: unknown): value is string => isQuantity(value, 64)

const isDigits = (value: unknown, digits: number): value is string =>
  typeof value === 'string' && value.length === digits + 2 && isHexText(value)

/** Without leading zeros, but for zero itself. */
const isQuantity = (value: unknown, mostDigits: number): value is string =>
  typeof value === 'string' &&
  value.length >= 3 &&
  value.length <= mostDigits + 2 &&
  (value.charCodeAt(2) !== ZERO || value.length === 3) &&
  isHexText(value)

const ZERO = 48

/** `0x` and digits alone. With the length looked at before, that is quicker than a count in the pattern, and than a loop. */
const isHexText = (text: string): boolean => HEX.test(text)

const HEX = /^0x[0-9a-fA-F]*$/
