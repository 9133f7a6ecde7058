import { pointerStep } from '../shared/pointer.js'
import type { Fault, Validator } from '../validate.js'
import { LOSS_MESSAGES, parseExact } from './exact-json.js'
import { exactNumber, isNumberToken } from './exact-number.js'
import { explainFaults } from './reply.js'

/**
 * What texts from a URL, a header or a form mean: the first of the readings that the schema accepts. Each is tried as it is,
 * then with the strings that have faults read as numbers and booleans, then with all strings read so. Where none is
 * accepted: the faults of the nearest reading.
 */
export const fitReading = (
  readings: readonly unknown[],
  validator: Validator | undefined,
): { readonly value: unknown } | { readonly faults: readonly Fault[] } => {
  if (validator === undefined) return { value: readings[0] }
  if (readings.length === 0) {
    const message = 'cannot be read in the style of the parameter'
    return { faults: [{ pointer: '', keyword: 'type', message }] }
  }
  const tried: unknown[] = []
  for (const reading of readings) {
    for (const value of variantsOf(reading, validator)) {
      if (validator.check(value)) return { value }
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
function* variantsOf(reading: unknown, validator: Validator): Generator<unknown> {
  yield reading
  if (typeof reading === 'string') {
    // All faults of a string are at the string itself, so both variants are the same value.
    const value = scalarOf(reading)
    if (value !== reading) yield value
    return
  }
  const pointers = new Set(validator.explain(reading).map((fault) => fault.pointer))
  yield coerce(reading, (at) => pointers.has(at))
  yield coerce(reading, () => true)
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

const scalarOf = (text: string): unknown => {
  if (text === 'true') return true
  if (text === 'false') return false
  return exactNumber(text) ?? text
}

/** What JSON says, or the text itself where it is none or would be rounded. */
export const readMedia = (text: string): readonly unknown[] => {
  try {
    const { value, odd } = parseExact(text)
    return odd.some((token) => token.loss) ? [text] : [value]
  } catch {
    return [text]
  }
}

/** The fields of a url-encoded form as its schema reads their texts, or what is wrong with them. */
export const readForm = (
  text: string,
  validator: Validator | undefined,
): ReturnType<typeof fitReading> => {
  const read = (fields: Fields, rounds: number): ReturnType<typeof fitReading> => {
    const fitted = fitReading([fields], validator)
    return 'value' in fitted || rounds === 0
      ? fitted
      : read(reshape(fields, fitted.faults), rounds - 1)
  }
  // A list of one record takes both: it is JSON first, and then a list.
  return read(formFields(text), 2)
}

type Fields = Readonly<Record<string, unknown>>

/** A name that comes twice holds a list. */
const formFields = (text: string): Fields => {
  const fields = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const all = fields.getAll(name)
      return [name, all.length === 1 ? all[0] : all]
    }),
  )
}

/** The fields that are of a wrong type, read as the JSON that their text is, else as a list of one. */
const reshape = (fields: Fields, faults: readonly Fault[]): Fields => {
  const wrong = new Set(
    faults.filter(({ keyword }) => TYPING.has(keyword)).map(({ pointer }) => pointer),
  )
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const at = pointerStep(name)
      if (Array.isArray(value))
        return [
          name,
          value.map((item, index) => (wrong.has(`${at}/${index}`) ? parse(item) : item)),
        ]
      if (!wrong.has(at)) return [name, value]
      const parsed = parse(value)
      return [name, parsed === value ? [value] : parsed]
    }),
  )
}

const TYPING = new Set(['type', 'anyOf', 'oneOf'])

/** OpenAPI 3.0.3, "Support for x-www-form-urlencoded Request Bodies": a complex value is JSON. */
const parse = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*[[{]/.test(value) ? readMedia(value)[0] : value
