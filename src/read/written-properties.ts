import { entriesOf, isObject } from '../model/json.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import type { Document } from './document.js'
import { valueAt } from './document.js'

/**
 * The properties of an object as written, with those of the alternatives and parts of its schema; `required` lists what all of
 * them require. References within the document are followed.
 */
export function propertiesOf(document: Document, schema: unknown, depth = 0): WrittenProperties {
  const resolved = resolve(document, schema)
  const own: WrittenProperties = {
    properties: isObject(resolved.properties) ? resolved.properties : {},
    required: Array.isArray(resolved.required) ? resolved.required : [],
    others: othersOf(resolved),
  }
  if (depth > MOST_DEPTH) return own
  const within = (list: unknown) =>
    (Array.isArray(list) ? list : []).map((one) => propertiesOf(document, one, depth + 1))
  const parts = within(resolved.allOf)
  const alternatives = [...within(resolved.oneOf), ...within(resolved.anyOf)]
  const [first, ...others] = alternatives
  const common = first?.required.filter((name) =>
    others.every((one) => one.required.includes(name)),
  )
  const properties = new Map<string, Map<string, unknown>>()
  for (const one of [own, ...parts, ...alternatives])
    for (const [name, value] of entriesOf(one.properties)) {
      const known = properties.get(name) ?? new Map<string, unknown>()
      properties.set(name, known.set(JSON.stringify(value), value))
    }
  const either = ([name, values]: readonly [string, ReadonlyMap<string, unknown>]) => {
    const [only, ...rest] = values.values()
    return [name, rest.length === 0 ? only : { anyOf: [only, ...rest] }]
  }
  return {
    properties: Object.fromEntries([...properties].map(either)),
    required: [...own.required, ...parts.flatMap((one) => one.required), ...(common ?? [])],
    others: combined(
      [own, ...parts].map(({ others }) => others),
      alternatives.map(({ others }) => others),
    ),
  }
}

export type WrittenProperties = {
  readonly properties: JsonObject
  readonly required: readonly unknown[]
  /** The schema of all other properties; `false` if there are none, `true` if the schema does not mention them. */
  readonly others: unknown
}

/** JSON Schema Core, 10.3.2.3: an object may have other properties, unless its schema says no. */
function othersOf({ additionalProperties, unevaluatedProperties }: JsonObject): unknown {
  const written = additionalProperties ?? unevaluatedProperties
  if (written === undefined || written === false) return written ?? true
  return isObject(written) ? written : {}
}

function combined(all: readonly unknown[], either: readonly unknown[]): unknown {
  if (all.includes(false) || (either.length > 0 && either.every((one) => one === false)))
    return false
  const [only, ...more] = all.filter((one) => one !== true)
  return more.length > 0 ? { allOf: [only, ...more] } : (only ?? true)
}

/** The properties as params of a JSON-RPC method, by name. */
export const paramsByName = ({ properties, required, others }: WrittenProperties) => ({
  paramStructure: 'by-name',
  ...(others !== false && { 'x-additional-params': others }),
  params: entriesOf(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    schema,
  })),
})

/** The object itself, or the target of its reference; empty if there is none. */
export function resolve(document: Document, value: unknown, depth = 0): JsonObject {
  if (!isObject(value)) return {}
  const { $ref } = value
  if (typeof $ref !== 'string' || depth > MOST_DEPTH) return value
  const target = $ref.startsWith('#/') && valueAt({ document, pointer: $ref.slice(1) })
  return resolve(document, target, depth + 1)
}

const MOST_DEPTH = 10
