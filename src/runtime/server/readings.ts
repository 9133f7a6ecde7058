import type { Parameter } from '../operation.js'
import { type BigintTerms, parseExactly } from '../shared/exact-integers.js'
import { pointerStep } from '../shared/pointer.js'
import type { Fault, Validator } from '../validate.js'
import { isInteger, readBigints } from './bigints.js'
import { LOSS_MESSAGES, parseExact } from './exact-json.js'
import { exactNumber, isNumberToken } from './exact-number.js'
import { explainFaults } from './reply.js'

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
  mostFaults?: number,
): { readonly value: unknown } | { readonly faults: readonly Fault[] } => {
  if (validator === undefined) return { value: readings[0] }
  if (readings.length === 0) {
    const message = 'cannot be read in the style of the parameter'
    return { faults: [{ pointer: '', keyword: 'type', message }] }
  }
  const tried: unknown[] = []
  for (const reading of readings) {
    for (const variant of variantsOf(reading, validator, isExact)) {
      // Most parameters are texts, which contain no integers.
      const isText = typeof variant === 'string'
      const { value, faults } = isText
        ? { value: variant, faults: [] }
        : readBigints(variant, [], bigints)
      if (validator.check(value)) return faults.length > 0 ? { faults } : { value }
      tried.push(value)
    }
  }
  const [text] = readings
  if (typeof text === 'string' && isNumberToken(text) && exactNumber(text) === undefined)
    return { faults: [{ pointer: '', keyword: 'precision', message: LOSS_MESSAGES.precision }] }
  const all = tried.map((value) => explainFaults(validator, value, mostFaults))
  return {
    faults: all.reduce((best, faults) => (distance(faults) < distance(best) ? faults : best)),
  }
}

/** Generated one by one, because most requests need only the first or second. */
function* variantsOf(
  reading: unknown,
  validator: Validator,
  isExact: (pointer: string) => boolean,
): Generator<unknown> {
  yield reading
  if (typeof reading === 'string') {
    // All faults of a string are at the string itself, so both variants are the same value.
    const value = isExact('') ? reading : scalarOf(reading)
    if (value !== reading) yield value
    return
  }
  const faults = validator.explain(reading, Number.POSITIVE_INFINITY)
  const pointers = new Set(faults.map((fault) => fault.pointer))
  yield coerce(reading, (at) => pointers.has(at) && !isExact(at))
  yield coerce(reading, (at) => !isExact(at))
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

/** An integer that a number rounds is a bigint. */
const scalarOf = (text: string): unknown => {
  if (text === 'true') return true
  if (text === 'false') return false
  const isBig = () => isNumberToken(text) && isInteger(text)
  return exactNumber(text) ?? (isBig() ? BigInt(text) : text)
}

/**
 * The value of a JSON text, with bigints for integers that a number rounds; the text itself if it is not JSON or loses anything
 * else.
 */
export const readMedia = (text: string): readonly unknown[] => {
  try {
    const { value, odd } = parseExact(text)
    const lost = odd().filter((token) => token.loss)
    if (lost.length === 0) return [value]
    return [lost.every((token) => isInteger(token.text)) ? parseExactly(text) : text]
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
      const [, name = '', equals, raw = ''] = /^([^=]*)(=?)(.*)$/s.exec(part) ?? []
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
