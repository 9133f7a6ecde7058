import type { Fault } from '../validate/validator.js'
import type { pointerStep } from './pointer.js'

/** The value of a JSON text, in which each integer beyond 2^53 - 1 is a bigint. */
export const parseExactly = (text: string): unknown => {
  const mark = freeMark(text)
  const marked = text.replace(TOKEN, (token) =>
    isUnsafe(token) ? `{"${mark}":"${token}"}` : token,
  )
  return JSON.parse(marked, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, mark)) return value
    return BigInt((value as Readonly<Record<string, string>>)[mark] ?? '')
  })
}

/**
 * A fault for each bigint in a value of `parseExactly` that a number cannot hold. `step` is `pointerStep`: this module is loaded
 * when it is needed, and bundlers split what it would import off the rest of a client.
 */
export const roundedIn = (
  value: unknown,
  step: typeof pointerStep,
  pointer = '',
): readonly Fault[] => {
  if (typeof value === 'bigint') {
    if (BigInt(Number(value)) === value) return []
    const message = `is ${value}, which a number rounds: the client option integers: 'bigint' keeps it exact`
    return [{ pointer, keyword: 'precision', message }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => roundedIn(item, step, pointer + step(key)))
}

/** A string, so that digits in it are passed over, or a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

const isUnsafe = (token: string): boolean =>
  /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))

/** A name that the text does not contain. */
const freeMark = (text: string): string => {
  let mark = 'integer'
  while (text.includes(mark)) mark += '_'
  return mark
}
