import { ANNOTATIONS, ASSERTIONS } from '../schema/keywords.js'
import type { Schema } from '../schema/schema.js'
import type { JsonObject } from './api.js'
import { locate } from './document.js'
import type { Finding } from './finding.js'
import { isObject, isReference } from './json.js'
import { readOver, type SchemaReader, unknown } from './keyword-shapes.js'
import { schemaNamed, textSchema } from './schema-types.js'

/**
 * A schema with the keywords that its author meant. Each difference is reported. The object itself if there is none.
 */
export function meantKeywords(raw: JsonObject, reader: SchemaReader): JsonObject {
  const entries = Object.entries(raw).map(([written, value]) => {
    const key = meantKey(written, raw)
    if (key !== written) {
      const message = `${written} is not a keyword of JSON Schema: it is read as ${key}; write that`
      reader.report({ ...unknown(written, reader), level: 'warning', message })
    }
    const meant = meantValue(key, value, raw, reader)
    if (meant !== value && key !== 'type') {
      const { finding, message } = misread(written, value, meant, reader)
      reader.report({ ...finding, message })
    }
    return [key, meant] as const
  })
  const isSame = entries.every(([key, value]) => Object.is(raw[key], value))
  return named(isSame ? raw : Object.fromEntries(entries), reader)
}

/** The keyword that `maxlength`, `Enum` or `read_only` means, unless that one is written too. */
function meantKey(key: string, raw: JsonObject): string {
  if (KEYWORDS.has(key) || key.startsWith('$') || Object.hasOwn(raw, 'propertyName')) return key
  if (key === 'x-nullable') return key
  const meant = BY_LETTERS.get(key.replace(/[-_]/g, '').toLowerCase())
  return meant === undefined || Object.hasOwn(raw, meant) ? key : meant
}

const KEYWORDS = new Set([...ASSERTIONS, ...ANNOTATIONS, 'nullable', 'discriminator', 'example'])

const BY_LETTERS: ReadonlyMap<string, string> = new Map(
  [...KEYWORDS].map((key) => [key.toLowerCase(), key]),
)

function meantValue(key: string, value: unknown, raw: JsonObject, reader: SchemaReader): unknown {
  if (key === 'type') return meantType(value, raw, reader)
  if (LISTS.has(key)) return isSchema(value) ? [value] : value
  if (typeof value !== 'string') return value
  if (FLAGS.has(key) && /^(true|false)$/.test(value)) return value === 'true'
  return NUMBERS.has(key) && NUMBER.test(value) ? Number(value) : value
}

/** YAML reads null without quotes as no value. With other keywords, `type:` may be a line that was not completed. */
function meantType(value: unknown, raw: JsonObject, reader: SchemaReader): unknown {
  const isMeant = Array.isArray(value)
    ? value.includes(null)
    : value === null && !isConstrained(raw) && reader.dialect !== 'openapi-3.0'
  if (!isMeant) return value
  const message = "null without quotes is not a type: it is read as the type null; write 'null'"
  reader.report(typeFinding(message, reader))
  return Array.isArray(value) ? value.map((name: unknown) => name ?? 'null') : 'null'
}

const isConstrained = (raw: JsonObject): boolean =>
  Object.keys(raw).some((key) => key === 'format' || (key !== 'type' && ASSERTIONS.has(key)))

/** `type: Err` is a reference if there is a schema `Err`. Next to other keywords, it may only be the title of the schema. */
function named(raw: JsonObject, reader: SchemaReader): JsonObject {
  const { type, ...others } = raw
  if (typeof type !== 'string' || isReference(raw) || isConstrained(raw)) return raw
  const known = schemaNamed(type, reader)
  if (!known || known.written === `#${reader.here.pointer}`) return raw
  const message = `${JSON.stringify(type)} is not a type: it is read as a reference to the schema ${type}; write $ref: '${known.written}'`
  reader.report(typeFinding(message, reader))
  return { $ref: known.written, ...others }
}

const typeFinding = (message: string, reader: SchemaReader): Finding => ({
  rule: 'schema-type-is-unknown',
  level: 'warning',
  location: locate(reader.here, 'type'),
  message,
})

function misread(key: string, value: unknown, meant: unknown, reader: SchemaReader) {
  const finding = readOver(key, '', reader)
  const message = Array.isArray(meant)
    ? `${key} must be a list of schemas: the schema is read as a list of one; write [ ] around it`
    : `${key} must be ${typeof meant === 'number' ? 'a number' : 'true or false'}, not the string ${JSON.stringify(value)}: it is read as ${meant}; remove the quotes`
  return { finding, message }
}

const LISTS = new Set(['allOf', 'anyOf', 'oneOf'])

/** One schema, and not a map of schemas. */
const isSchema = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).some((key) => key === '$ref' || ASSERTIONS.has(key))

const FLAGS = new Set(
  `nullable uniqueItems readOnly writeOnly deprecated exclusiveMinimum exclusiveMaximum additionalProperties
  additionalItems unevaluatedProperties unevaluatedItems`.split(/\s+/),
)

const NUMBERS = new Set(
  `minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems
  minProperties maxProperties minContains maxContains`.split(/\s+/),
)

/** RFC 8259, 6. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** A value in the place of a schema that is neither an object nor a boolean. */
export function misplaced(raw: unknown, reader: SchemaReader): Schema {
  const finding = { level: 'warning', location: locate(reader.here) } as const
  if (raw === null) {
    // Some generators write null for an unknown schema.
    const message =
      'the schema is null, which is not a schema: it is read as one that accepts every value'
    reader.report({ ...finding, rule: 'schema-is-null', message })
    return true
  }
  const read = typeof raw === 'string' ? textSchema(raw, reader) : undefined
  const what = Array.isArray(raw) ? 'a list' : `the ${typeof raw} ${JSON.stringify(raw)}`
  const message = `a schema must be an object or a boolean, not ${what}: it is read as ${read?.words ?? 'one that accepts every value'}`
  reader.report({ ...finding, rule: 'schema-is-no-object', message })
  return read?.schema ?? true
}
