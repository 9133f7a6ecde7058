import { pointerStep } from '../shared/pointer.js'
import type { Fault, Validator } from '../validate.js'
import { LOSS_MESSAGES } from './exact-json.js'
import { explainFaults } from './faults.js'
import { exactNumber, isNumberToken } from './json-number.js'

/**
 * What texts from a URL, a header or a form mean: the first of the readings that the schema accepts, its strings read as
 * numbers and booleans first where the schema complains and then everywhere. Else the faults of the nearest reading.
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
  const candidates = readings.flatMap((reading) => {
    if (validator.check(reading)) return [reading]
    const pointers = new Set(validator.explain(reading).map((fault) => fault.pointer))
    return [reading, coerce(reading, (at) => pointers.has(at)), coerce(reading, () => true)]
  })
  for (const value of candidates) if (validator.check(value)) return { value }
  const [text] = readings
  if (typeof text === 'string' && isNumberToken(text) && exactNumber(text) === undefined)
    return { faults: [{ pointer: '', keyword: 'precision', message: LOSS_MESSAGES.precision }] }
  const all = candidates.map((candidate) => explainFaults(validator, candidate))
  return {
    faults: all.reduce((best, faults) => (distance(faults) < distance(best) ? faults : best)),
  }
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
