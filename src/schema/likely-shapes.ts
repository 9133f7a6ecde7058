import { grouped } from './grouped.js'
import type { JsonType } from './json-values.js'
import { keywordsOf, type Terms } from './node.js'
import { typesIn, valuesIn } from './schema.js'
import type { Shape } from './shape.js'

/** One alternative of a schema, with its shapes of the likely types, the most usual first. */
type LikelyShapes = {
  readonly parts: Terms
  readonly shapes: readonly Shape[]
  /** No keyword indicates the type. */
  readonly isAnyType: boolean
}

/** Groups shapes by their alternatives. For a schema without `type`, the keywords indicate the likely types. */
export function likelyShapes(shapes: readonly Shape[]): readonly LikelyShapes[] {
  const groups = grouped(shapes, ({ parts }) => parts.map(({ id }) => id).join(' '))
  return [...groups.values()].map((group) => {
    const parts = group[0]?.parts ?? []
    if (parts.some((part) => valuesIn(keywordsOf(part)))) {
      return { parts, shapes: nullLast(group, (one) => one.type), isAnyType: false }
    }
    const types = likelyTypes(parts)
    const likely = types?.flatMap((type) => group.filter((shape) => shape.type === type))
    return { parts, shapes: likely ?? group, isAnyType: types === undefined }
  })
}

function likelyTypes(parts: Terms): readonly JsonType[] | undefined {
  const schemas = parts.map(keywordsOf)
  const listed = schemas.flatMap((schema) => typesIn(schema) ?? [])
  if (listed.length > 0) {
    const types = listed.map((type) => (type === 'integer' ? 'number' : type) as JsonType)
    return nullLast([...new Set(types)], (type) => type)
  }
  const written = new Set(schemas.flatMap((schema) => Object.keys(schema)))
  const types = ABOUT.filter(([, keywords]) => keywords.some((one) => written.has(one)))
  return types.length === 0 ? undefined : types.map(([type]) => type)
}

const ABOUT: readonly (readonly [JsonType, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'propertyNames', 'minProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'contains']],
  ['string', ['pattern', 'minLength', 'maxLength', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

export const nullLast = <One>(
  all: readonly One[],
  typeOf: (one: One) => JsonType,
): readonly One[] => [
  ...all.filter((one) => typeOf(one) !== 'null'),
  ...all.filter((one) => typeOf(one) === 'null'),
]
