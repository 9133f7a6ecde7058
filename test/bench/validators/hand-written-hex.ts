export type Fields = { readonly [name: string]: unknown }

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isHash = (value: unknown): value is string => isDigits(value, 64)

export const isAddress = (value: unknown): value is string => isDigits(value, 40)

export const isNonce = (value: unknown): value is string => isDigits(value, 16)

export const isBloom = (value: unknown): value is string =>
  typeof value === 'string' && value.length === 514 && isLongHexText(value)

export const isBytes = (value: unknown): value is string =>
  typeof value === 'string' && value.length % 2 === 0 && isHexText(value)

/** The same for a block's call data, which no processor can guess; of a batch that is asked over and over it learns it. */
export const isCallData = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length % 2 === 0 &&
  (value.length > 66 ? isLongHexText(value) : isHexText(value))

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

/** `0x` and digits alone. Up to a hash, and on text that repeats, an expression is quicker than a loop over a table. */
const isHexText = (text: string): boolean => HEX.test(text)

const HEX = /^0x[0-9a-fA-F]*$/

/** The same for long text that is new each time, where it is the other way round: by expressions alone a block takes 1.3 of the time. */
function isLongHexText(text: string): boolean {
  if (text.charCodeAt(0) !== ZERO || text.charCodeAt(1) !== SMALL_X) return false
  for (let index = 2; index < text.length; index++) {
    if (IS_DIGIT[text.charCodeAt(index)] !== 1) return false
  }
  return true
}

const SMALL_X = 120

/** 1 where the character of that code is a digit; characters past it are none. */
const IS_DIGIT = new Uint8Array(128)
for (const digit of '0123456789abcdefABCDEF') IS_DIGIT[digit.charCodeAt(0)] = 1
