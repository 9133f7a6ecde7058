import type { Parameter } from '../operation.js'
import { readBigints } from '../shared/bigints.js'
import { type BigintTerms, readExactly } from '../shared/exact-integers.js'
import { LOSS_MESSAGES, parseExact } from '../shared/exact-json.js'
import { exactNumber, isNumberToken, toBigint } from '../shared/exact-number.js'
import { pointerStep } from '../shared/pointer.js'
import type { Fault, Validator } from '../validate.js'
import { explainFaults, MOST_FAULTS } from './faults.js'

/**
 * The value of texts from a URL, a header or a form: the first of `readings` that the schema accepts. Each is tried unchanged,
 * then with its invalid strings converted to numbers and booleans, then with all its strings converted. If none is valid, the
 * result is the faults of the nearest one. A string below an exact pointer was a JSON string, and is not converted.
 */
export const fitReading = (
  readings: readonly unknown[],
  validator: Validator | undefined,
  bigints: BigintTerms = {},
  isExact: (pointer: string) => boolean = () => false,
  mostFaults = MOST_FAULTS + 1,
): Fitted => {
  if (validator === undefined) return { value: readings[0], written: readings[0] }
  const tried: Tried[] = []
  for (const reading of readings) {
    for (const { variant, isRepaired } of variantsOf(reading, validator, isExact)) {
      // Most parameters are texts, which contain no integers.
      const isText = typeof variant === 'string'
      const { value, faults } = isText
        ? { value: variant, faults: [] }
        : readBigints(variant, { ...bigints, keepsTexts: true })
      if (validator.check(value))
        return faults.length > 0
          ? { faults, written: reading }
          : { value: bigints.places ? readBigints(value, bigints).value : value, written: reading }
      tried.push({ value, reading, isRepaired })
    }
  }
  const [text] = readings
  if (typeof text === 'string' && isNumberToken(text) && exactNumber(text) === undefined)
    return {
      faults: [{ pointer: '', keyword: 'precision', message: LOSS_MESSAGES.precision }],
      written: text,
    }
  // A list of 10,000 wrong items must not be explained item by item for each variant.
  const all = tried.map((one) => ({
    ...one,
    faults: explainFaults(validator, one.value, mostFaults),
  }))
  const isNearer = (one: Explained, best: Explained): boolean => {
    const difference = distance(one.faults) - distance(best.faults)
    // The numbers of faults are not known if both have more than are explained.
    const isUnknown = difference === 0 && one.faults.length >= mostFaults
    return difference < 0 || (isUnknown && one.isRepaired && !best.isRepaired)
  }
  const nearest = all.reduce((best, one) => (isNearer(one, best) ? one : best))
  return { faults: nearest.faults, written: nearest.reading, nearest: nearest.value }
}

/** A value of a reading that the schema does not accept. */
type Tried = {
  readonly value: unknown
  readonly reading: unknown
  /** Only its invalid strings were converted, so it has no fault that a conversion would remove. */
  readonly isRepaired: boolean
}

type Explained = Tried & { readonly faults: readonly Fault[] }

/** The value, or why the schema accepts none. `written` is the reading itself, whose scalars are texts. */
export type Fitted =
  | { readonly value: unknown; readonly written: unknown }
  | {
      readonly faults: readonly Fault[]
      readonly written: unknown
      /** The value with these faults, of which `faults` may be only the first. */
      readonly nearest?: unknown
    }

/**
 * Whether a value was read as something that the schema never accepts: a text for an object, or a list for one value. Its style
 * or its media type was not understood. A wrong text for a number is understood. `at` is the pointer of a field, and `replace`
 * returns the value with another one there.
 */
export const isOtherShape = (
  written: unknown,
  validator: Validator,
  at = '',
  replace: (other: unknown) => unknown = (other) => other,
): boolean => {
  const isOther = (value: unknown) =>
    validator
      .explain(replace(value))
      .some(({ keyword, pointer }) => pointer === at && TYPING.has(keyword))
  const isComposite = typeof written === 'object' && written !== null
  return isOther(written) && (isComposite || ['', 0, true].every(isOther))
}

/** The keywords that reject a value for its type. */
export const TYPING: ReadonlySet<string> = new Set(['type', 'anyOf', 'oneOf'])

/** Generated one by one, because most requests need only the first or second. */
function* variantsOf(
  reading: unknown,
  validator: Validator,
  isExact: (pointer: string) => boolean,
): Generator<{ readonly variant: unknown; readonly isRepaired: boolean }> {
  yield { variant: reading, isRepaired: false }
  if (typeof reading === 'string') {
    // All faults of a string are at the string itself, so both variants are the same value.
    const value = isExact('') ? reading : scalarOf(reading)
    if (value !== reading) yield { variant: value, isRepaired: true }
    return
  }
  const faults = validator.explain(reading, Number.POSITIVE_INFINITY)
  const pointers = new Set(faults.map((fault) => fault.pointer))
  const repaired = coerce(reading, (at) => pointers.has(at) && !isExact(at))
  yield { variant: repaired, isRepaired: true }
  yield { variant: coerce(reading, (at) => !isExact(at)), isRepaired: false }
}

/** A wrong type counts more than any number of other faults. */
const distance = (faults: readonly Fault[]): number =>
  faults.length +
  (faults.some((fault) => fault.keyword === 'type' && fault.pointer === '') ? 1e6 : 0)

const coerce = (value: unknown, chosen: (pointer: string) => boolean, pointer = ''): unknown => {
  if (typeof value === 'string') return chosen(pointer) ? scalarOf(value) : value
  if (Array.isArray(value))
    return value.map((item, index) => coerce(item, chosen, `${pointer}/${index}`))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => {
    const at = pointer + pointerStep(key)
    return [key, coerce(item, chosen, at)] as const
  })
  return Object.fromEntries(entries)
}

/** An integer that a number rounds is a bigint; one that is too long remains a text. */
const scalarOf = (text: string): unknown => {
  if (text === 'true') return true
  if (text === 'false') return false
  const number = exactNumber(text)
  if (number !== undefined) return number
  const exact = isNumberToken(text) ? toBigint(text) : undefined
  return typeof exact === 'bigint' ? exact : text
}

/**
 * The value of a JSON text, with bigints for integers that a number rounds; the text itself if it is not JSON or loses anything
 * else.
 */
export const readMedia = (text: string): readonly unknown[] => {
  try {
    const { value, odd } = parseExact(text)
    if (!odd().some(({ loss }) => loss)) return [value]
    const exact = readExactly(text, value, { keepsAll: true }, pointerStep)
    const isWhole = exact.faults.length === 0 && !odd().some(({ loss }) => loss === 'unicode')
    return [isWhole ? exact.value : text]
  } catch {
    return [text]
  }
}

/**
 * All possible values of a parameter's text in its style: one value, a list, an object, in this order. There is none if the
 * text does not begin as its style requires. Percent-encoding is decoded after splitting. Throws URIError for invalid encoding.
 */
export const readStyled = (
  parameter: Parameter,
  raw: string,
  decode: Decode,
): readonly unknown[] => {
  const { style, explode, name } = parameter
  if (style === 'label') return readLabel(raw, explode, decode)
  if (style === 'matrix') return readMatrix(raw, name, explode, decode)
  return readDelimited(raw, DELIMITERS[style] ?? ',', explode, decode)
}

type Decode = (raw: string) => string

/** A decoded name with the raw text of its value. */
export type QueryPair = {
  readonly name: string
  readonly raw: string
  /** Whether it has an equals sign. */
  readonly isPair: boolean
}

/** The pairs of a query; a name with invalid encoding is unchanged, and matches no parameter. */
export const readQuery = (query: string): readonly QueryPair[] =>
  query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [, name = '', equals, raw = ''] = /^([^=]*)(=?)(.*)/s.exec(part) ?? []
      const isPair = equals !== ''
      try {
        return { name: decodeQuery(name), raw, isPair }
      } catch {
        return { name, raw, isPair }
      }
    })

/** Decodes a part of a query, in which a plus is a blank (as in URLSearchParams). */
export const decodeQuery: Decode = (raw) => decodeURIComponent(raw.replaceAll('+', '%20'))

const DELIMITERS: Readonly<Partial<Record<Parameter['style'], RegExp>>> = {
  spaceDelimited: /%20|\+| /,
  pipeDelimited: /%7[Cc]|\|/,
}

/** One value, a list, or an object: `R=100,G=200` exploded, `R,100,G,200` not. */
const readDelimited = (
  raw: string,
  delimiter: string | RegExp,
  explode: boolean,
  decode: Decode,
): readonly unknown[] => {
  const parts = raw.split(delimiter)
  const items = parts.map(decode)
  const object = explode ? pairsOf(parts, decode) : alternating(items)
  return [decode(raw), items, ...(raw === '' ? [[]] : []), ...(object ? [object] : [])]
}

/** RFC 6570 §3.2.5: `.blue`, `.R.100.G.200`; OpenAPI 3.0's own table joins lists by full stops either way. */
const readLabel = (raw: string, explode: boolean, decode: Decode): readonly unknown[] => {
  if (!raw.startsWith('.')) return []
  const body = raw.slice(1)
  const byComma = readDelimited(body, ',', false, decode)
  const byStop = readDelimited(body, '.', explode, decode)
  // The first valid list is used, and a list of texts accepts everything.
  return explode ? [...byStop, ...byComma] : [...byComma, ...byStop]
}

/** RFC 6570 §3.2.7: `;color=blue,black`, exploded `;color=blue;color=black` and `;R=100;G=200`. */
const readMatrix = (
  raw: string,
  name: string,
  explode: boolean,
  decode: Decode,
): readonly unknown[] => {
  if (!raw.startsWith(';')) return []
  const parts = raw.slice(1).split(';')
  const own = parts.flatMap((part) => {
    const [key = '', ...rest] = part.split('=')
    return decode(key) === name ? [rest.join('=')] : []
  })
  const object = explode ? pairsOf(parts, decode) : undefined
  const objects = object ? [object] : []
  const [only] = own
  if (only !== undefined && own.length === 1 && parts.length === 1)
    return [...readDelimited(only, ',', false, decode), ...objects]
  return [...(own.length > 0 ? [own.map(decode)] : []), ...objects]
}

const alternating = (items: readonly string[]): Record<string, string> | undefined => {
  if (items.length % 2 !== 0) return undefined
  const keys = items.filter((_, index) => index % 2 === 0)
  return Object.fromEntries(keys.map((key, index) => [key, items[index * 2 + 1] ?? '']))
}

const pairsOf = (parts: readonly string[], decode: Decode): Record<string, string> | undefined => {
  if (!parts.every((part) => part.includes('='))) return undefined
  const entries = parts.map((part) => {
    const [key = '', ...rest] = part.split('=')
    return [decode(key), decode(rest.join('='))] as const
  })
  return Object.fromEntries(entries)
}
