import { isObject } from './json-value.js'
import type { TypeName } from './validator.js'

/** A value in a message, shortened: `"0x12…"`, `3`, `an array of 2 items`, `an object`. */
export const quote = (value: unknown): string => {
  if (typeof value === 'string') return quoteText(shorten(value))
  if (Array.isArray(value))
    return value.length ? `an array of ${count(value.length, 'item')}` : 'an empty array'
  if (isObject(value)) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}

/** A value with its type, for messages about a wrong type: `the number 3`. */
export const describe = (value: unknown): string =>
  ['string', 'number', 'bigint'].includes(typeof value)
    ? `the ${typeof value} ${quote(value)}`
    : quote(value)

/** A value of the schema itself, in full if it is short. */
export const spell = (value: unknown): string =>
  isObject(value) || Array.isArray(value) ? shorten(JSON.stringify(value)) : quote(value)

export const nameTypes = (types: readonly TypeName[]): string =>
  list(
    types.map((type) => typeNames[type]),
    'or',
  )

export const count = (amount: number, noun: string): string =>
  `${amount} ${amount === 1 ? noun : (nounsMany[noun] ?? `${noun}s`)}`

/** `a, b or c`; a long list is truncated. */
export const list = (words: readonly string[], last: 'and' | 'or'): string => {
  const shown = words.length > 12 ? [...words.slice(0, 10), `${words.length - 10} more`] : words
  return shown.length < 2
    ? shown.join()
    : `${shown.slice(0, -1).join(', ')} ${last} ${shown[shown.length - 1]}`
}

export const property = (name: string): string => `\`${shorten(name)}\``

/** Whether a message contains a text in full. */
const isShownWhole = (text: string): boolean => text.length <= longest

const shorten = (text: string): string => {
  if (isShownWhole(text)) return text
  return `${[...text.slice(0, longest)].slice(0, -1).join('')}…`
}

const longest = 60

/** Most texts contain nothing that JSON escapes, and many are a single word, which is the fastest test. */
const quoteText = (text: string): string =>
  /^\w*$/.test(text) || /^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : JSON.stringify(text)

const nounsMany: Readonly<Record<string, string>> = { property: 'properties' }

const typeNames: Readonly<Record<TypeName, string>> = {
  null: 'null',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  number: 'a number',
  integer: 'an integer',
  string: 'a string',
}
