import type { BigintPlaces } from '../operation.js'
import type { Fault } from '../validate/validator.js'
import type { pointerStep } from './pointer.js'

/**
 * The value of a JSON text. The integers at `places` are bigints, and with `keepsAll` those beyond 2^53 - 1, too; `faults`
 * lists those that became a number with another value. `step` is `pointerStep`: this module is loaded on demand, and bundlers
 * would split its imports from the rest of a client.
 */
export const readExactly = (
  text: string,
  { places, named = {}, keepsAll = false }: BigintTerms,
  step: typeof pointerStep,
): { readonly value: unknown; readonly faults: readonly Fault[] } =>
  convert(parseExactly(text), { places, named, keepsAll }, step)

export type BigintTerms = {
  readonly places?: BigintPlaces | undefined
  readonly named?: Readonly<Record<string, BigintPlaces>> | undefined
  readonly keepsAll?: boolean
}

/** The same for a value in which integers beyond 2^53 - 1 are bigints. */
export const convert = (
  from: unknown,
  { places, named = {}, keepsAll = false }: BigintTerms,
  step: typeof pointerStep,
): { readonly value: unknown; readonly faults: readonly Fault[] } => {
  const faults: Fault[] = []
  const read = (value: unknown, here: readonly BigintPlaces[], pointer: string): unknown => {
    if (typeof value === 'number')
      return Number.isInteger(value) && here.some(isBigint) ? BigInt(value) : value
    if (typeof value === 'bigint') {
      if (keepsAll || here.some(isBigint)) return value
      const rounded = Number(value)
      const message = `is ${value}, which a number rounds: ${KEEPS}`
      if (rounded < value || rounded > value)
        faults.push({ pointer, keyword: 'precision', message })
      return rounded
    }
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
      const within = here.flatMap(({ properties, others }) =>
        properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : others,
      )
      return [key, read(item, placesOf(within, named), pointer + step(key))]
    })
    return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries)
  }
  return { value: read(from, placesOf([places], named), ''), faults }
}

const KEEPS = "x-bigint in the document, or the client option integers: 'bigint', keeps it exact"

const isBigint = ({ isBigint }: BigintPlaces): boolean => isBigint === true

/** The places, with those of the schemas in their `refs`. */
const placesOf = (
  places: readonly (BigintPlaces | undefined)[],
  named: Readonly<Record<string, BigintPlaces>>,
): readonly BigintPlaces[] => {
  const found = new Set<BigintPlaces>(places.filter((one) => one !== undefined))
  // The iteration of a set includes members that are added during it.
  for (const { refs = [] } of found)
    for (const name of refs) if (named[name] !== undefined) found.add(named[name])
  return [...found]
}

/** The value of a JSON text, in which each integer beyond 2^53 - 1 is a bigint. */
export const parseExactly = (text: string): unknown => {
  const mark = freeMark(text)
  let isInString = false
  const marked = text.replace(TOKEN, (token) => {
    if (token === '"') isInString = !isInString
    return !isInString && isUnsafe(token) ? `{"${mark}":"${token}"}` : token
  })
  return JSON.parse(marked, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, mark)) return value
    return BigInt((value as Readonly<Record<string, string>>)[mark] ?? '')
  })
}

/** An escape, a quote, or a number that may be unsafe. A pattern for whole strings would exhaust the stack on long ones. */
const TOKEN = /\\.|"|[-+.\deE]{16,}/g

const isUnsafe = (token: string): boolean =>
  /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))

/** A name that the text does not contain. It is random, so that no text can contain many candidates. */
const freeMark = (text: string): string => {
  const mark = `integer${Math.random()}`
  return text.includes(mark) ? freeMark(text) : mark
}
