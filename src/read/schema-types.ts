import { DocumentError } from '../model/finding.js'
import { isObject, isReference } from '../model/json.js'
import { isBinaryType } from '../runtime/shared/codecs.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { ANNOTATIONS, ASSERTIONS, JSON_TYPES } from '../schema/keywords.js'
import type { Schema, SchemaObject, TypeName } from '../schema/schema.js'
import { locate } from './document.js'
import { pick, type SchemaReader } from './keyword-shapes.js'

/**
 * Whether a schema describes bytes, in any version. OpenAPI 3.0.3 has `format: binary` (Data Types). 3.1 has
 * `contentEncoding: binary`, or a media type of bytes without an encoding (Considerations for File Uploads).
 */
export function meansBytes({
  type,
  format,
  contentEncoding,
  contentMediaType,
}: JsonObject): boolean {
  const types = [type ?? 'string'].flat()
  if (!types.every((one) => one === 'string' || one === 'null')) return false
  if (contentEncoding === undefined && format === 'binary') return true
  if (typeof contentEncoding === 'string') return contentEncoding.toLowerCase() === 'binary'
  return typeof contentMediaType === 'string' && isBinaryType(contentMediaType)
}

/** Keywords that count or match characters, which bytes do not have. */
export const OF_TEXT: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'pattern'])

/**
 * Adds null to a schema with `nullable` next to a $ref, an enum or branches: by OpenAPI 3.0.3, it applies only to a `type` next
 * to it. Real documents use it there as well, also in 3.1, and their servers send null: lint warns, and null is accepted.
 */
export function orNull(schema: SchemaObject, raw: JsonObject, reader: SchemaReader): SchemaObject {
  if (!isNullable(raw)) return schema
  const hasBranches = ['allOf', 'anyOf', 'oneOf'].some((key) => Array.isArray(raw[key]))
  const isReferred = isReference(raw) && (schema.$ref ?? schema.allOf) !== undefined
  const hasValues =
    (Array.isArray(raw.enum) && !raw.enum.includes(null)) || (raw.const ?? null) !== null
  if (!hasBranches && !isReferred && !hasValues) return schema
  const branches = raw.discriminator === undefined ? alternatives(schema) : [schema]
  const annotations = pick({ ...schema }, ANNOTATIONS)
  // The default and the examples are of the whole, which accepts null.
  if (branches.includes(schema)) {
    for (const key of OF_THE_WHOLE) delete (schema as Record<string, unknown>)[key]
  }
  const none: SchemaObject = { type: 'null' }
  const either: SchemaObject = { ...annotations, anyOf: [...branches, none] }
  // A finding about null is at the place where the document says that null is allowed.
  for (const one of [either, none]) reader.record(one, reader.here)
  return either
}

const OF_THE_WHOLE = ['default', 'examples']

/** The branches of a schema that has no other assertions, to which null can be added as one more. */
function alternatives(schema: SchemaObject): readonly Schema[] {
  const [keyword, ...more] = Object.keys(schema).filter((key) => ASSERTIONS.has(key))
  if (more.length > 0) return [schema]
  if (schema.$ref !== undefined) return [{ $ref: schema.$ref }]
  if (keyword === 'anyOf' && schema.anyOf) return schema.anyOf
  const branches = keyword === 'oneOf' || keyword === 'allOf' ? schema[keyword] : undefined
  return branches?.length === 1 ? branches : [schema]
}

/** `x-nullable` is what Swagger 2.0 has in the place of `nullable`. */
const isNullable = (raw: JsonObject): boolean => raw.nullable === true || raw['x-nullable'] === true

/** Among other alternatives, `{ nullable: true }` means null: literally, it would accept every value. */
export const withNull = (schemas: readonly Schema[], raw: readonly unknown[]): readonly Schema[] =>
  schemas.map((schema, index) => {
    const one = raw[index]
    const isAlone =
      isObject(one) && !Object.keys(one).some((key) => key === '$ref' || ASSERTIONS.has(key))
    return schemas.length > 1 && isAlone && isNullable(one) && typeof schema === 'object'
      ? Object.assign(schema, { type: 'null' })
      : schema
  })

/** The keyword `type`, with null for `nullable`. */
export function types(
  value: unknown,
  raw: JsonObject,
  reader: SchemaReader,
): Pick<SchemaObject, 'type'> {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value]
  const wrong = names.filter((name) => !isTypeName(name))
  if (wrong.length > 0 || names.length === 0) {
    const shown = JSON.stringify(wrong.length > 0 ? wrong[0] : names)
    throw new DocumentError({
      rule: 'schema-type-is-unknown',
      level: 'warning',
      location: locate(reader.here, 'type'),
      message: `${shown} is not a type: write one of ${[...JSON_TYPES].join(', ')}`,
    })
  }
  const all = [...new Set([...names.filter(isTypeName), ...(isNullable(raw) ? NULL : [])])]
  const [first = 'null'] = all
  return { type: all.length === 1 ? first : all }
}

const NULL = ['null'] as const

const isTypeName = (name: unknown): name is TypeName =>
  typeof name === 'string' && JSON_TYPES.has(name)
