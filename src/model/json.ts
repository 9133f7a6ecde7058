import type { JsonObject } from './api.js'

export type Reference = { readonly $ref: string; readonly [key: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isReference = (value: unknown): value is Reference =>
  isObject(value) && typeof value.$ref === 'string'

/** Whether a key stands anywhere in a document, or a text that says no more. */
export const says = (value: unknown, word: string): boolean => {
  if (typeof value !== 'object' || value === null) return value === word
  if (Array.isArray(value)) return value.some((item) => says(item, word))
  return Object.hasOwn(value, word) || Object.values(value).some((member) => says(member, word))
}

export const entriesOf = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value) : []
