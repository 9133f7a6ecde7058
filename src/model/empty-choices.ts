import type { JsonObject } from './api.js'

/** Keywords that list what a schema accepts. An empty list accepts nothing. */
export const CHOICES = ['enum', 'oneOf', 'anyOf'] as const

/**
 * A schema with `not: {}` in place of an empty `enum`, `oneOf` or `anyOf`: both accept no value, and a validator that follows
 * the meta-schema of JSON Schema rejects the empty list.
 */
export const withoutEmptyChoice = (schema: JsonObject): JsonObject => {
  if (!CHOICES.some((key) => isEmptyList(schema[key]))) return schema
  const kept = Object.entries(schema).filter(
    ([key, member]) => !(CHOICES.some((one) => one === key) && isEmptyList(member)),
  )
  return { ...Object.fromEntries(kept), not: {} }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
