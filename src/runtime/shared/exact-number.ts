/** The value of a JSON number token; undefined if a double would change the value, or the token is not a number. */
export const exactNumber = (token: string): number | undefined => {
  const value = JSON_NUMBER.test(token) ? Number(token) : undefined
  return value !== undefined && !losesDigits(token) ? value : undefined
}

export const isNumberToken = (token: string): boolean => JSON_NUMBER.test(token)

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Whether the double of a number token has another value than the token. */
export const losesDigits = (token: string): boolean => {
  const value = String(Number(token))
  return value !== token && !sameDecimal(token, value)
}

/** Whether two JSON number tokens have the same value, with any number of digits. */
export const sameDecimal = (left: string, right: string): boolean =>
  decimal(left) === decimal(right)

/** The canonical form of a JSON number token: sign, digits without zeros at either end, exponent. */
export const decimal = (token: string): string => {
  const parts = decimalParts(token)
  if (parts === undefined) return token
  const { sign, digits, power } = parts
  return digits === '0' ? digits : `${sign}${digits}e${power}`
}

/** Loops, because `/0+$/` is quadratic. Undefined if the token has no digits. */
const decimalParts = (token: string) => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)(?:\.(\d*))?(?:[eE](.*))?$/.exec(token) ?? []
  const digits = whole + fraction
  let first = 0
  let last = digits.length
  while (first < last && digits.charCodeAt(first) === ZERO) first += 1
  while (last > first && digits.charCodeAt(last - 1) === ZERO) last -= 1
  if (digits === '') return undefined
  if (first === last) return { sign: '', digits: '0', power: 0 }
  const power = Number(exponent) - fraction.length + digits.length - last
  return { sign, digits: digits.slice(first, last), power }
}

/** Whether a number token is written as an integer: digits without a fraction or exponent. */
export const isIntegerToken = (token: string): boolean => /^-?\d+$/.test(token)

/** The exact value of a number token in any notation; undefined if it is no integer. */
export const toBigint = (token: string): bigint | 'too-long' | undefined => {
  if (isIntegerToken(token)) {
    const digits = token.startsWith('-') ? token.length - 1 : token.length
    return digits > MOST_DIGITS ? 'too-long' : BigInt(token)
  }
  const parts = decimalParts(token)
  if (parts === undefined || parts.power < 0) return undefined
  const { sign, digits, power } = parts
  if (digits.length + power > MOST_DIGITS) return 'too-long'
  return BigInt(sign + digits + '0'.repeat(power))
}

/** The time for a bigint grows faster than its digits. With this limit, which Python has too, it is linear in a text. */
export const MOST_DIGITS = 4_300

/** A double keeps 15 digits with exponents of up to two digits. True for nearly every number. */
export const isSurelyExact = (text: string, start: number, end: number): boolean => {
  if (end - start > SAFE_DIGITS) return false
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code !== SMALL_E && code !== LARGE_E) continue
    const sign = text.charCodeAt(at + 1)
    return end - at <= (sign >= ZERO && sign <= NINE ? 3 : 4)
  }
  return true
}

/** A double keeps every integer with this number of digits. */
export const SAFE_DIGITS = 15

/** The index of the closing quote of the string that begins at `start`; the end of the text if there is none. */
export const endOfString = (text: string, start: number): number => {
  // Most strings are short; for them a loop is faster than the start of a search.
  const near = Math.min(start + NEAR, text.length)
  let from = start + 1
  for (; from < near; from += 1) {
    const code = text.charCodeAt(from)
    if (code === QUOTE) return from
    if (code === BACKSLASH) from += 1
  }
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}

const NEAR = 24

/** The end of a number whose characters before `from` are known. */
export const endOfNumber = (text: string, from: number): number => {
  let end = from
  while (isOfNumber(text.charCodeAt(end))) end += 1
  return end
}

/** False at the end of the text, where the code is NaN. */
const isOfNumber = (code: number): boolean =>
  (code >= ZERO && code <= NINE) ||
  code === POINT ||
  code === SMALL_E ||
  code === LARGE_E ||
  code === PLUS ||
  code === MINUS

const QUOTE = 0x22
const PLUS = 0x2b
const MINUS = 0x2d
const POINT = 0x2e
const BACKSLASH = 0x5c
const ZERO = 0x30
const NINE = 0x39
const SMALL_E = 0x65
const LARGE_E = 0x45
