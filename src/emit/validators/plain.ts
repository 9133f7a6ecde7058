import { DocumentError, type Location } from '../../model/finding.js'
import { joinPointer } from '../../model/pointer.js'
import { ASSERTIONS, UNSUPPORTED } from '../../schema/keywords.js'
import { mapSubschemas, type Schema } from '../../schema/schema.js'

/**
 * A schema with what a check asks and nothing else, so that those that ask the same are the same. Throws a DocumentError
 * for a keyword that no check is written for: what checks less than it says would be worse than nothing.
 */
export function plainSchema(schema: Schema, where: Where, path: Path = () => []): Schema {
  if (typeof schema === 'boolean') return schema
  if (schema.$ref !== undefined) return { $ref: schema.$ref }
  const kept = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (value === undefined || !(ASSERTIONS.has(key) || UNSUPPORTED.has(key))) return []
    if (!WRITTEN.has(key)) throw unsupported(key, path(), where)
    if (typeof value !== 'object') return [[key, value]]
    const change = (part: Schema) =>
      plainSchema(part, where, () => [...path(), key, ...placeOf(part, value)])
    return Object.entries(mapSubschemas({ [key]: value }, change))
  })
  return Object.fromEntries(kept)
}

/** Asked for only where something is refused: a union of a thousand would be searched a thousand times. */
type Path = () => readonly string[]

/** The key or position of a subschema within a keyword that holds several. */
const placeOf = (part: Schema, value: unknown): readonly string[] =>
  Object.entries(value as object).flatMap(([key, one]) => (one === part ? [key] : []))

/** What a schema belongs to, for the message, and where that was written. */
export type Where = {
  readonly of: string
  readonly locate: (...path: readonly string[]) => Location
}

const WRITTEN = new Set(
  `type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength
  pattern prefixItems items contains maxContains minContains maxItems minItems uniqueItems
  maxProperties minProperties required properties patternProperties additionalProperties propertyNames
  dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties
  allOf anyOf oneOf not if then else`.split(/\s+/),
)

const unsupported = (key: string, path: readonly string[], { of, locate }: Where): DocumentError =>
  new DocumentError({
    rule: 'schema-keyword-is-not-supported',
    level: 'error',
    location: locate(...path, key),
    message: `no check can be written for ${key} at ${joinPointer('', ...path, key)} of ${of}: write the schema without it`,
  })
