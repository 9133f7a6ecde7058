import { changed, isObject } from '../model/json.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { enter, itemKind, type NodeContext } from './context.js'

/** The document with each schema replaced by the result of `change`, inner schemas first. Unchanged nodes are not copied. */
export function mapSchemas(
  document: JsonObject,
  change: (schema: JsonObject) => JsonObject,
): JsonObject {
  const visit = (value: unknown, context: NodeContext): unknown => {
    if (Array.isArray(value)) {
      const inner = { ...context, kind: itemKind(context) }
      const list = value.map((item) => visit(item, inner))
      return list.every((item, index) => item === value[index]) ? value : list
    }
    if (!isObject(value) || context.kind === 'data') return value
    const made = changed(value, (member, key) => visit(member, enter(context, key, member)))
    return context.section === 'schemas' && context.kind === 'object' ? change(made) : made
  }
  return visit(document, { kind: 'object', section: undefined }) as JsonObject
}

/** Keywords that list what a schema accepts. An empty list accepts nothing. */
export const CHOICES = ['enum', 'oneOf', 'anyOf'] as const

/**
 * Replaces an empty `enum`, `oneOf` or `anyOf` by `not: {}`: both accept no value. A validator that follows the
 * meta-schema of JSON Schema rejects the empty list.
 */
export const withoutEmptyChoice = (schema: JsonObject): JsonObject => {
  if (!CHOICES.some((key) => isEmptyList(schema[key]))) return schema
  const kept = Object.entries(schema).filter(
    ([key, member]) => !(CHOICES.some((one) => one === key) && isEmptyList(member)),
  )
  return { ...Object.fromEntries(kept), not: {} }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
