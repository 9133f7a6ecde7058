import type { JsonObject } from './api.js'
import { type Context, enter, itemKind } from './context.js'
import { changed, isObject } from './json.js'

/** Keywords that list what a schema accepts. An empty list accepts nothing. */
export const CHOICES = ['enum', 'oneOf', 'anyOf'] as const

/**
 * The document with `not: {}` where a schema has an empty `enum`, `oneOf` or `anyOf`: both accept no value, and a validator
 * that follows the meta-schema rejects the empty list. What nothing changes is the document's own, not a copy.
 */
export function withoutEmptyChoices(document: JsonObject): JsonObject {
  const visit = (value: unknown, context: Context): unknown => {
    if (Array.isArray(value)) {
      const inner = { ...context, kind: itemKind(context) }
      const list = value.map((item) => visit(item, inner))
      return list.every((item, index) => item === value[index]) ? value : list
    }
    if (!isObject(value) || context.kind === 'data') return value
    const made = changed(value, (member, key) => visit(member, enter(context, key, member)))
    if (context.section !== 'schemas' || context.kind !== 'object') return made
    if (!CHOICES.some((key) => isEmptyList(value[key]))) return made
    const kept = Object.entries(made).filter(
      ([key, member]) => !(CHOICES.some((one) => one === key) && isEmptyList(member)),
    )
    return { ...Object.fromEntries(kept), not: {} }
  }
  return visit(document, { kind: 'object', section: undefined }) as JsonObject
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
