import {
  ANNOTATIONS,
  ASSERTIONS,
  OUTDATED,
  SILENT,
  TYPES,
  UNSUPPORTED,
} from '../schema/keywords.js'
import type { Schema, SchemaObject, TypeName } from '../schema/schema.js'
import { recordDiscriminator } from '../schema/source.js'
import type { JsonObject } from './api.js'
import { DocumentError, type Finding } from './finding.js'
import { entriesOf, isObject, isReference } from './json.js'
import {
  at,
  declaredIn,
  emptyChoices,
  expectFlag,
  expectList,
  expectMap,
  expectNames,
  expectNumber,
  invalidKeyword,
  misshapenBeside,
  narrowed,
  outdated,
  readOver,
  regex,
  type SchemaReader,
  unknown,
  unsupported,
  withRequiredNames,
  wrapped,
} from './keyword-shapes.js'
import { locate } from './origin.js'

/**
 * Translates a schema of any dialect we read (OpenAPI 3.0, draft-07, 2020-12) into 2020-12.
 * What no generator could honour is reported as an error, and replaced by a schema that allows everything.
 */
export function normalise(raw: unknown, reader: SchemaReader): Schema {
  try {
    return readSchema(raw, reader)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    for (const finding of error.findings) reader.tell(finding)
    return true
  }
}

function readSchema(raw: unknown, reader: SchemaReader): Schema {
  if (typeof raw === 'boolean') return raw
  if (raw === null) {
    // Written by generators that found nothing to say.
    reader.tell({
      rule: 'schema-is-null',
      level: 'warning',
      location: locate(reader.here),
      message: 'the schema is null, which is none: it is read as one that allows everything',
    })
    return true
  }
  if (!isObject(raw)) {
    const type = typeNamed(raw)
    reader.tell({
      rule: 'schema-is-no-object',
      level: 'warning',
      location: locate(reader.here),
      message: `a schema must be an object or a boolean, not ${Array.isArray(raw) ? 'a list' : `the ${typeof raw} ${JSON.stringify(raw)}`}: it is read as ${type === undefined ? 'one that allows everything' : `the type ${type}`}`,
    })
    return type === undefined ? true : { type }
  }
  const origin = reader.originOf(raw)
  const inner = { ...reader, here: origin }
  if (isWrapped(raw)) {
    reader.tell(wrapped(inner))
    return normalise(raw.schema, { ...inner, here: at(inner, 'schema') })
  }
  const schema = isReference(raw) ? referred(raw, inner) : translated(raw, inner)
  reader.record(schema, origin)
  if (raw.discriminator !== undefined) recordDiscriminator(schema, raw)
  if (!isNullableChoice(raw, reader)) return schema
  const annotations = pick({ ...schema }, ANNOTATIONS)
  const either: SchemaObject = { ...annotations, anyOf: [schema, { type: 'null' as const }] }
  reader.record(either, origin)
  return either
}

/** A content descriptor or media type where a schema is due: it asserts nothing but for its `schema`. */
const isWrapped = (raw: Readonly<Record<string, unknown>>): boolean =>
  isObject(raw.schema) && !isReference(raw) && !Object.keys(raw).some((key) => ASSERTIONS.has(key))

function referred(raw: { readonly $ref: string }, reader: SchemaReader): SchemaObject {
  const { $ref, ...siblings } = raw
  const target = reader.refer($ref, reader.here)
  const annotations = pick(siblings, ANNOTATIONS)
  // Beside a $ref, OpenAPI 3.0.3 and draft-07 read nothing; 2020-12 reads both.
  const assertions = Object.keys(siblings).some((key) => ASSERTIONS.has(key))
  if (reader.dialect !== '2020-12' || !assertions) return { $ref: target, ...annotations }
  const { allOf = [], ...rest } = translated(siblings, reader)
  return { ...rest, allOf: [{ $ref: target }, ...allOf] }
}

function translated(raw: Readonly<Record<string, unknown>>, outer: SchemaReader): SchemaObject {
  const own = Array.isArray(raw.allOf) ? declaredIn(raw, outer.resolve) : undefined
  const declared =
    own === undefined ? (outer.declared ?? NONE) : new Map([...(outer.declared ?? []), ...own])
  // A property or an item is a value of its own, of which the branches around it say nothing.
  const { declared: _, ...reader } = outer
  const out: Record<string, unknown> = texts(pick(raw, ANNOTATIONS))
  for (const finding of misshapenBeside(raw, reader)) {
    reader.tell(finding)
    const key = finding.location.pointer.split('/').at(-1) ?? ''
    delete out[key]
  }
  const isFile = meansBytes(raw)
  if (isFile) out.format = 'binary'
  for (const [key, value] of Object.entries(raw)) {
    if (key.startsWith('x-') || (isFile && OF_TEXT.has(key))) continue
    if (ASSERTIONS.has(key))
      Object.assign(
        out,
        readIfValid(key, value, raw, key === 'allOf' ? { ...reader, declared } : reader),
      )
    else if (UNSUPPORTED.has(key)) throw unsupported(key, reader)
    else if (OUTDATED.has(key)) reader.tell(outdated(key, reader))
    else if (!ANNOTATIONS.has(key) && !SILENT.has(key)) reader.tell(unknown(key, reader))
  }
  if (raw.contentSchema !== undefined && reader.dialect === '2020-12')
    out.contentSchema = normalise(raw.contentSchema, {
      ...reader,
      here: at(reader, 'contentSchema'),
    })
  if (raw.example !== undefined && !Array.isArray(out.examples)) out.examples = [raw.example]
  const empty = emptyChoices(raw, reader)
  if (empty.length > 0) {
    for (const finding of empty) reader.tell(finding)
    return { ...pick(out, ANNOTATIONS), not: true }
  }
  const inherit = (name: string) => inherited(name, declared, reader)
  return narrowed(withRequiredNames(out, { counting: reader.counting, inherit }))
}

const NONE: ReadonlyMap<string, unknown> = new Map()

/**
 * Whether a schema is one of bytes, in the words of any version: `format: binary` (OpenAPI 3.0.3, Data Types), and
 * `contentEncoding: binary`, or a media type of bytes without an encoding (3.1, Considerations for File Uploads).
 */
function meansBytes({ type, format, contentEncoding, contentMediaType }: JsonObject): boolean {
  const types = [type ?? 'string'].flat()
  if (!types.every((one) => one === 'string' || one === 'null')) return false
  if (contentEncoding === undefined && format === 'binary') return true
  if (typeof contentEncoding === 'string') return contentEncoding.toLowerCase() === 'binary'
  return typeof contentMediaType === 'string' && BYTES.test(contentMediaType.trim())
}

/** XML, a token or a page may be the text of a JSON string; these cannot. */
const BYTES = /^(image\/(?!svg)|audio\/|video\/|application\/(octet-stream|pdf|zip|gzip))/i

/** What counts and matches characters, of which bytes have none. */
const OF_TEXT: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'pattern'])

/** As `read`. A keyword whose value is not valid is ignored, with a warning: the others still say what a value is. */
function readIfValid(
  key: string,
  value: unknown,
  raw: Readonly<Record<string, unknown>>,
  reader: SchemaReader,
): Record<string, unknown> {
  try {
    return read(key, value, raw, reader)
  } catch (error) {
    // Without its properties, an object that allows no others would reject each of them.
    const isNeeded = key === 'properties' || key === 'patternProperties'
    if (!(error instanceof DocumentError) || isNeeded) throw error
    for (const { message, ...finding } of error.findings) {
      reader.tell({ ...finding, level: 'warning', message: `${message}: ${key} is ignored here` })
    }
    return {}
  }
}

/** What one keyword becomes; none, one or several keywords of 2020-12. */
function read(
  key: string,
  value: unknown,
  raw: Readonly<Record<string, unknown>>,
  reader: SchemaReader,
): Record<string, unknown> {
  const schema = (node: unknown, ...path: readonly (string | number)[]) =>
    normalise(node, { ...reader, here: at(reader, key, ...path) })
  const list = () => expectList(key, value, reader).map((node, index) => schema(node, index))
  const map = () =>
    Object.fromEntries(
      entriesOf(expectMap(key, value, reader)).map(([name, node]) => [name, schema(node, name)]),
    )
  switch (key) {
    case 'type':
      return {
        type: types(value, isNullable(raw, reader) ? ['null'] : [], reader),
      }
    case 'pattern':
      return { pattern: regex(value, at(reader, key)) }
    case 'patternProperties':
      for (const pattern of Object.keys(expectMap(key, value, reader))) {
        regex(pattern, at(reader, key, pattern))
      }
      return { patternProperties: map() }
    case 'exclusiveMinimum':
    case 'exclusiveMaximum': {
      const bound = key === 'exclusiveMinimum' ? 'minimum' : 'maximum'
      if (typeof value === 'boolean' && reader.dialect === '2020-12') {
        reader.tell(
          readOver(
            key,
            `a number: true and false are of OpenAPI 3.0, write the ${bound} here`,
            reader,
          ),
        )
      }
      if (value === true) return { [key]: raw[bound], [bound]: undefined }
      return value === false ? {} : { [key]: expectNumber(key, value, reader) }
    }
    case 'minimum':
      return raw.exclusiveMinimum === true ? {} : { minimum: expectNumber(key, value, reader) }
    case 'maximum':
      return raw.exclusiveMaximum === true ? {} : { maximum: expectNumber(key, value, reader) }
    case 'items':
      if (!Array.isArray(value)) return { items: schema(value) }
      if (reader.dialect === '2020-12') {
        reader.tell(
          readOver(key, 'a schema: a list of schemas, one for each place, is prefixItems', reader),
        )
      }
      return {
        ...(value.length > 0 && { prefixItems: list() }),
        ...(raw.additionalItems !== undefined && {
          items: normalise(raw.additionalItems, { ...reader, here: at(reader, 'additionalItems') }),
        }),
      }
    case 'additionalItems':
      return {}
    case 'dependencies':
      return dependencies(expectMap(key, value, reader), schema)
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
    case 'prefixItems':
      return { [key]: list() }
    case 'properties':
    case 'dependentSchemas':
      return { [key]: map() }
    case 'additionalProperties':
    case 'contains':
    case 'propertyNames':
    case 'not':
    case 'if':
    case 'then':
    case 'else':
    case 'unevaluatedItems':
    case 'unevaluatedProperties':
      return { [key]: schema(value) }
    case 'required':
      // OpenAPI documents of Swagger's days write `required: true` inside a property.
      if (typeof value !== 'boolean') return { required: expectNames(key, value, reader) }
      reader.tell(
        readOver(
          key,
          'a list of names, beside the properties of an object: it is read over',
          reader,
        ),
      )
      return {}
    case 'enum':
      return { enum: expectList(key, value, reader) }
    case 'dependentRequired':
      for (const [name, need] of entriesOf(expectMap(key, value, reader))) {
        if (!Array.isArray(need))
          throw invalidKeyword(key, 'lists of names', { ...reader, here: at(reader, key, name) })
      }
      return { dependentRequired: value }
    case 'const':
      return { const: value }
    case 'uniqueItems':
      return { uniqueItems: expectFlag(key, value, reader) }
    case 'multipleOf':
      if (typeof value !== 'number' || value <= 0)
        throw invalidKeyword(key, 'a number above 0', reader)
      return { multipleOf: value }
    default:
      // JSON Schema Validation, 6.3 to 6.5: all that is left counts something.
      if (typeof value === 'number' && Number.isInteger(value) && value >= 0)
        return { [key]: value }
      throw invalidKeyword(key, 'a whole number from 0', reader)
  }
}

function dependencies(
  value: Readonly<Record<string, unknown>>,
  schema: (node: unknown, name: string) => Schema,
): Record<string, unknown> {
  const rows = Object.entries(value)
  const required = rows.filter(([, need]) => Array.isArray(need))
  const schemas = rows.filter(([, need]) => !Array.isArray(need))
  return {
    ...(required.length > 0 && { dependentRequired: Object.fromEntries(required) }),
    ...(schemas.length > 0 && {
      dependentSchemas: Object.fromEntries(
        schemas.map(([name, node]) => [name, schema(node, name)]),
      ),
    }),
  }
}

/**
 * By the letter of OpenAPI 3.0.3, `nullable` adds null only to a `type` beside it, and never to an enum or to branches. Real
 * documents mean null there as well, and their servers send it: lint warns, and null is read.
 */
const isNullableChoice = (
  raw: Readonly<Record<string, unknown>>,
  reader: SchemaReader,
): boolean => {
  if (!isNullable(raw, reader) || isReference(raw)) return false
  const hasBranches = ['allOf', 'anyOf', 'oneOf'].some((key) => Array.isArray(raw[key]))
  return hasBranches || (Array.isArray(raw.enum) && !raw.enum.includes(null))
}

const isNullable = (raw: Readonly<Record<string, unknown>>, { dialect }: SchemaReader): boolean =>
  raw.nullable === true && dialect === 'openapi-3.0'

function types(value: unknown, more: readonly TypeName[], reader: SchemaReader) {
  const written: readonly unknown[] = Array.isArray(value) ? value : [value]
  const names = written.flatMap((name) => typeNamed(name) ?? [])
  const wrong = written.find((name) => !TYPES.has(String(name)))
  if (wrong !== undefined || names.length === 0) {
    const isMeant = names.length === written.length && names.length > 0
    const finding: Finding = {
      rule: 'schema-type-is-unknown',
      level: 'warning',
      location: locate(reader.here, 'type'),
      message: `${JSON.stringify(wrong ?? written)} is no type: write one of ${[...TYPES].join(', ')}`,
    }
    if (!isMeant) throw new DocumentError(finding)
    reader.tell({ ...finding, message: `${finding.message}; it is read as ${names.join(', ')}` })
  }
  const all = [...new Set<TypeName>([...names, ...more])]
  return all.length === 1 ? all[0] : all
}

/** The type that a text names; several languages have other names for some of them. */
const typeNamed = (name: unknown): TypeName | undefined => {
  if (typeof name !== 'string') return undefined
  if (TYPES.has(name)) return name as TypeName
  return OTHER_NAMES.get(name.toLowerCase())
}

const OTHER_NAMES: ReadonlyMap<string, TypeName> = new Map([
  ['str', 'string'],
  ['text', 'string'],
  ['int', 'integer'],
  ['long', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['bool', 'boolean'],
  ['list', 'array'],
  ['dict', 'object'],
  ['map', 'object'],
  ...[...TYPES].map((name) => [name, name as TypeName] as const),
])

function inherited(
  name: string,
  declared: ReadonlyMap<string, unknown>,
  reader: SchemaReader,
): Schema | undefined {
  const raw = declared.get(name)
  return raw === undefined ? undefined : normalise(raw, reader)
}

/** YAML reads `title: 2020` as a number, and it is meant as a text all the same. */
function texts(annotations: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(annotations).flatMap(([key, value]) => {
    if (!['title', 'description', 'format'].includes(key)) return [[key, value]]
    return typeof value === 'object' ? [] : [[key, String(value)]]
  })
  return Object.fromEntries(entries)
}

function pick(raw: Readonly<Record<string, unknown>>, keys: ReadonlySet<string>) {
  return Object.fromEntries(
    Object.entries(raw).filter(([key]) => keys.has(key) || key.startsWith('x-')),
  )
}
