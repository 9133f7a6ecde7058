import type { JsonObject } from './api.js'
import { mapSchemas } from './map-schemas.js'

/** Keywords that list what a schema accepts. An empty list accepts nothing. */
export const CHOICES = ['enum', 'oneOf', 'anyOf'] as const

/**
 * The document with `not: {}` where a schema has an empty `enum`, `oneOf` or `anyOf`: both accept no value, and a validator
 * that follows the meta-schema rejects the empty list. What nothing changes is the document's own, not a copy.
 */
export const withoutEmptyChoices = (document: JsonObject): JsonObject =>
  mapSchemas(document, withoutEmptyChoice)

/** The same of one schema. */
export const withoutEmptyChoice = (schema: JsonObject): JsonObject => {
  if (!CHOICES.some((key) => isEmptyList(schema[key]))) return schema
  const kept = Object.entries(schema).filter(
    ([key, member]) => !(CHOICES.some((one) => one === key) && isEmptyList(member)),
  )
  return { ...Object.fromEntries(kept), not: {} }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
