import { ANNOTATIONS, ASSERTIONS, SILENT, TYPES } from '../schema/keywords.js'
import type { Schema, SchemaObject, TypeName } from '../schema/schema.js'
import type { JsonObject } from './api.js'
import { locate } from './document.js'
import { DocumentError, type Finding } from './finding.js'
import { isObject, isReference } from './json.js'
import { pick, type SchemaReader, unknown } from './keyword-shapes.js'

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
  // Swagger 2.0, 5: its type of an uploaded file.
  if (type === 'file') return true
  const types = [type ?? 'string'].flat()
  if (!types.every((one) => one === 'string' || one === 'null')) return false
  if (contentEncoding === undefined && format === 'binary') return true
  if (typeof contentEncoding === 'string') return contentEncoding.toLowerCase() === 'binary'
  return typeof contentMediaType === 'string' && BYTES.test(contentMediaType.trim())
}

/** XML, a token or a page may be the text of a JSON string; these cannot. */
const BYTES = /^(image\/(?!svg)|audio\/|video\/|application\/(octet-stream|pdf|zip|gzip))/i

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
  const either: SchemaObject = { ...annotations, anyOf: [...branches, { type: 'null' }] }
  reader.record(either, reader.here)
  return either
}

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

/** The keywords for `type`. `string[]` is the type of a list and that of its items. */
export function types(value: unknown, raw: JsonObject, reader: SchemaReader): Types {
  const written: readonly unknown[] = Array.isArray(value) ? value : [value]
  const isList = typeof value === 'string' && LIST.test(value) && raw.items === undefined
  const list = isList ? textSchema(value, reader) : undefined
  const names = list ? [] : written.flatMap((name) => typeNamed(name) ?? [])
  const wrong = written.filter((name) => typeof name !== 'string' || !TYPES.has(name))
  if (wrong.length > 0 || written.length === 0) {
    const isMeant = list !== undefined || (names.length === written.length && names.length > 0)
    const words = list?.words ?? names.join(', ')
    const shown = JSON.stringify(wrong.length > 0 ? wrong[0] : written)
    const finding: Finding = {
      rule: 'schema-type-is-unknown',
      level: 'warning',
      location: locate(reader.here, 'type'),
      message: `${shown} is not a type: write one of ${[...TYPES].join(', ')}`,
    }
    if (!isMeant) throw new DocumentError(finding)
    reader.report({ ...finding, message: `${finding.message}; it is read as ${words}` })
  }
  const { type = names, ...items } = typeof list?.schema === 'object' ? list.schema : {}
  const all = [...new Set<TypeName>([type, isNullable(raw) ? ('null' as const) : []].flat())]
  return { ...items, type: all.length === 1 ? all[0] : all }
}

type Types = Readonly<Record<string, unknown>>

/** The schema that a text means: the name of a type or of a schema, or a list of either, as `Order[]`. */
export function textSchema(text: string, reader: SchemaReader): Read | undefined {
  const inner = LIST.exec(text)
    ?.slice(1)
    .find((one) => one !== undefined)
  if (inner !== undefined) {
    const items = textSchema(inner, reader)
    return (
      items && {
        schema: { type: 'array', items: items.schema },
        words: `an array of ${items.words}`,
      }
    )
  }
  const known = schemaNamed(text, reader)
  if (known) return { schema: { $ref: known.$ref }, words: `a reference to ${known.written}` }
  const type = typeNamed(text)
  return type && { schema: { type }, words: `the type ${type}` }
}

/** A schema of the document; `int` and `date` are types, even if a schema has this name. */
export const schemaNamed = (text: string, reader: SchemaReader) =>
  OTHER_NAMES.has(text) ? undefined : reader.named(text)

type Read = { readonly schema: Schema; readonly words: string }

const LIST = /^(?:(.+)\[\]|(?:array|list)\[(.+)\]|(?:array|list)<(.+)>)$/i

/** The type with a name; some names are those of other languages. */
export const typeNamed = (name: unknown): TypeName | undefined => {
  if (typeof name !== 'string') return undefined
  if (TYPES.has(name)) return name as TypeName
  return LIST.test(name) ? 'array' : OTHER_NAMES.get(name.toLowerCase())
}

/** Names of other languages. Formats are included if all their values have one type: a timestamp may be a string or a number. */
const OTHER_NAMES: ReadonlyMap<string, TypeName> = new Map([
  ...Object.entries({
    string: 'str text char date datetime date-time time uuid guid email uri url file',
    integer: 'int int32 int64 uint uint32 uint64 long short',
    number: 'float double decimal',
    boolean: 'bool',
    array: 'list',
    object: 'dict map',
  }).flatMap(([type, names]) => names.split(' ').map((name) => [name, type as TypeName] as const)),
  ...[...TYPES].map((name) => [name, name as TypeName] as const),
])

/**
 * The finding of a schema whose keys are names of properties: `{ id: { type: integer } }` instead of
 * `{ properties: { id: { type: integer } } }`. The value of each is a schema, and none is a keyword that holds one.
 */
export function bareProperties(raw: JsonObject, reader: SchemaReader): Finding | undefined {
  const keys = Object.keys(raw)
  const isProperty = (key: string): boolean => {
    const value = raw[key]
    if (ASSERTIONS.has(key) || /^([$]|x-)/.test(key) || HOLDS_DATA.has(key)) return false
    return isObject(value) && (isReference(value) || typeNamed(value.type) !== undefined)
  }
  const name = keys.find((key) => !ANNOTATIONS.has(key) && !SILENT.has(key))
  if (name === undefined || !keys.every(isProperty)) return undefined
  const message = `${name} is not a keyword of JSON Schema but has a schema, so it is read as a property: write it under properties`
  return { ...unknown(name, reader), level: 'warning', message }
}

const HOLDS_DATA = new Set([
  'default',
  'example',
  'examples',
  'definitions',
  'discriminator',
  'xml',
])
