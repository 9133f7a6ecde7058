import { pointerStep } from '../shared/pointer.js'
import type { Fault, Validator } from '../validate.js'
import { fitReading } from './fit.js'
import { readMedia } from './parameters.js'

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
