import type { Parameter } from '../operation.js'
import { type BigintTerms, parseExactly } from '../shared/exact-integers.js'
import { pointerStep } from '../shared/pointer.js'
import type { Fault, Validator } from '../validate.js'
import { isInteger, readBigints } from './bigints.js'
import { LOSS_MESSAGES, parseExact } from './exact-json.js'
import { exactNumber, isNumberToken } from './exact-number.js'
import { explainFaults } from './reply.js'

/**
 * What texts from a URL, a header or a form mean: the first of the readings that the schema accepts. Each is tried as it is,
 * then with the strings that have faults read as numbers and booleans, then with all strings read so. Where none is
 * accepted: the faults of the nearest reading. A string below a pointer that is exact was a string of JSON, and stays one.
 */
export const fitReading = (
  readings: readonly unknown[],
  validator: Validator | undefined,
  bigints: BigintTerms = {},
  isExact: (pointer: string) => boolean = () => false,
): { readonly value: unknown } | { readonly faults: readonly Fault[] } => {
  if (validator === undefined) return { value: readings[0] }
  if (readings.length === 0) {
    const message = 'cannot be read in the style of the parameter'
    return { faults: [{ pointer: '', keyword: 'type', message }] }
  }
  const tried: unknown[] = []
  for (const reading of readings) {
    for (const variant of variantsOf(reading, validator, isExact)) {
      // Most parameters are texts, which have no integers in them.
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
  const all = tried.map((value) => explainFaults(validator, value))
  return {
    faults: all.reduce((best, faults) => (distance(faults) < distance(best) ? faults : best)),
  }
}

/** Made one by one, since most requests need the first or second only. */
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
  const pointers = new Set(validator.explain(reading).map((fault) => fault.pointer))
  yield coerce(reading, (at) => pointers.has(at) && !isExact(at))
  yield coerce(reading, (at) => !isExact(at))
}

/** A wrong type is farther off than any number of other faults. */
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

/** What JSON says, with bigints for integers that a number rounds, or the text itself where it is none or loses something else. */
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
 * All readings of the text of a parameter in its style: one value, a list, an object, in this order. There is none
 * where the text does not begin as its style does. Percent-encoding is decoded after splitting. Throws URIError where
 * it is broken.
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

/** A decoded name with the text of its value. */
export type QueryPair = {
  readonly name: string
  readonly raw: string
  /** Whether it has an equals sign. */
  readonly isPair: boolean
}

/** The pairs of a query; a name whose encoding is broken stays as it is, and will be nobody's. */
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

/** The text of a part of a query, in which a plus is a blank (as in URLSearchParams). */
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
  // The first list that fits is taken, and to a list of texts everything does.
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
