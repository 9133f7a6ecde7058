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

/** The canonical form of a JSON number token: sign, digits without zeros at either end, exponent. Loops, because `/0+$/` is quadratic. */
export const decimal = (token: string): string => {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)(?:\.(\d*))?(?:[eE](.*))?$/.exec(token) ?? []
  const digits = whole + fraction
  let first = 0
  let last = digits.length
  while (first < last && digits.charCodeAt(first) === ZERO) first += 1
  while (last > first && digits.charCodeAt(last - 1) === ZERO) last -= 1
  if (digits === '') return token
  if (first === last) return '0'
  const power = Number(exponent) - fraction.length + digits.length - last
  return `${sign}${digits.slice(first, last)}e${power}`
}

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

const ZERO = 0x30
const NINE = 0x39
const SMALL_E = 0x65
const LARGE_E = 0x45
