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
