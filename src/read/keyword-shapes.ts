import type { Dialect } from '../model/api.js'
import { DocumentError, type Finding } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { joinPointer } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { compilePattern } from '../runtime/validate.js'
import type { Schema, SchemaObject, TypeName } from '../schema/schema.js'
import { locate, type Origin } from './document.js'
import { CHOICES } from './map-schemas.js'

export function regex(value: unknown, place: Origin): string {
  try {
    if (typeof value !== 'string') throw new TypeError('it is not a string')
    compilePattern(value)
    return value
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DocumentError(
      {
        rule: 'pattern-does-not-compile',
        level: 'error',
        location: locate(place),
        message: `${JSON.stringify(value)} is not a valid ECMAScript regular expression: ${reason.replace(/^Invalid regular expression: /, '')}`,
      },
      { cause },
    )
  }
}

export function expectList(key: string, value: unknown, reader: SchemaReader): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw invalidKeyword(key, 'a list', reader)
}

export function expectMap(key: string, value: unknown, reader: SchemaReader) {
  if (isObject(value)) return value
  throw invalidKeyword(key, 'an object', reader)
}

export function expectNumber(key: string, value: unknown, reader: SchemaReader): number {
  if (typeof value === 'number') return value
  throw invalidKeyword(key, 'a number', reader)
}

export const invalidKeyword = (key: string, due: string, reader: SchemaReader) =>
  new DocumentError({
    rule: 'schema-keyword-invalid',
    level: 'error',
    location: locate(reader.here, key),
    message: `${key} must be ${due}`,
  })

/** An invalid keyword that is read as intended or ignored: generation continues. */
export const readOver = (key: string, due: string, reader: SchemaReader): Finding => ({
  ...invalidKeyword(key, due, reader).finding,
  level: 'warning',
})

export function expectNames(key: string, value: unknown, reader: SchemaReader): readonly string[] {
  const names = expectList(key, value, reader)
  if (names.every((name) => typeof name === 'string')) return names
  throw invalidKeyword(key, 'a list of names', reader)
}

export const expectFlag = (key: string, value: unknown, reader: SchemaReader): boolean => {
  if (typeof value === 'boolean') return value
  throw invalidKeyword(key, 'true or false', reader)
}

/**
 * Keywords with an empty list of choices. Such a schema accepts no value (JSON Schema Validation, 6.1.2: an enum SHOULD have an
 * element). The rest of the document is still usable.
 */
export const emptyChoices = (
  raw: Readonly<Record<string, unknown>>,
  reader: SchemaReader,
): readonly Finding[] =>
  CHOICES.flatMap((key): readonly Finding[] => {
    const list = raw[key]
    if (!Array.isArray(list) || list.length > 0) return []
    const missing = key === 'enum' ? 'values' : 'alternatives'
    return [
      {
        rule: 'schema-accepts-nothing',
        level: 'warning',
        location: locate(reader.here, key),
        message: `${key} is an empty list, so no value is valid: list the ${missing}, or remove ${key}`,
      },
    ]
  })

/** Invalid values of keywords that do not constrain a value; generators still read the schema. */
export function* misshapenBeside(
  raw: Readonly<Record<string, unknown>>,
  reader: SchemaReader,
): Generator<Finding> {
  for (const { key, is, due } of BESIDE_ROWS) {
    if (raw[key] !== undefined && !is(raw[key])) yield readOver(key, due, reader)
  }
}

const isFlag = (value: unknown) => typeof value === 'boolean'

const BESIDE: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  readOnly: [isFlag, 'true or false'],
  writeOnly: [isFlag, 'true or false'],
  deprecated: [isFlag, 'true or false'],
  nullable: [isFlag, 'true or false'],
  examples: [Array.isArray, 'a list of values'],
  $defs: [isObject, 'an object of schemas'],
  definitions: [isObject, 'an object of schemas'],
  discriminator: [
    (value) => isObject(value) && typeof value.propertyName === 'string',
    'an object with a propertyName',
  ],
}

const BESIDE_ROWS = Object.entries(BESIDE).map(([key, [is, due]]) => ({ key, is, due }))

/** A `$dynamicRef` that a bundle still contains. */
export const undecided = (value: unknown, reader: SchemaReader): Finding => ({
  rule: 'schema-keyword-is-not-supported',
  level: 'warning',
  location: locate(reader.here, '$dynamicRef'),
  message: `the schema that $dynamicRef ${JSON.stringify(value)} refers to is not determined here, so it accepts any value: write a $dynamicAnchor of this name in $defs of this schema, or $ref`,
})

export const outdated = (key: string, reader: SchemaReader): Finding => ({
  rule: 'schema-keyword-is-outdated',
  level: 'warning',
  location: locate(reader.here, key),
  message: `${key} is a keyword of JSON Schema 2019-09 that 2020-12 does not have, so it is ignored: for recursion, write a $ref to the schema`,
})

export const unknown = (key: string, reader: SchemaReader): Finding => ({
  rule: 'schema-keyword-is-unknown',
  level: 'note',
  location: locate(reader.here, key),
  message: `${key} is not a keyword of JSON Schema and is ignored; an extension begins with x-`,
})

/** A value in the place of a schema that is neither an object nor a boolean: it accepts every value. */
export function misplaced(raw: unknown, reader: SchemaReader): Finding {
  const finding = { level: 'warning', location: locate(reader.here) } as const
  // Some generators write null for an unknown schema.
  if (raw === null) {
    const message =
      'the schema is null, which is not a schema: it is read as one that accepts every value'
    return { ...finding, rule: 'schema-is-null', message }
  }
  const what = Array.isArray(raw) ? 'a list' : `the ${typeof raw} ${JSON.stringify(raw)}`
  const message = `a schema must be an object or a boolean, not ${what}: it is read as one that accepts every value`
  return { ...finding, rule: 'schema-is-no-object', message }
}

export function at(reader: SchemaReader, ...path: readonly (string | number)[]): Origin {
  const { document, pointer } = reader.here
  return { document, pointer: joinPointer(pointer, ...path) }
}

export type SchemaReader = {
  readonly dialect: Dialect
  /** The origin of the schema, for a node without an origin. */
  readonly here: Origin
  readonly originOf: (node: object) => Origin
  /** Stores the origin of a normalised schema. */
  readonly record: (schema: object, origin: Origin) => void
  /** `#/components/schemas/X` as written -> the same with the name of X in the Api; undefined if it is no schema. */
  readonly refer: (ref: string, origin: Origin) => string | undefined
  /** The reference in the Api to the schema with a name in `components.schemas`. */
  readonly named: (name: string) => string | undefined
  readonly report: (finding: Finding) => void
  /** The object itself, or the target of its reference, as written. */
  readonly resolve: (raw: unknown) => Readonly<Record<string, unknown>> | undefined
  /** Whether the document uses `unevaluatedProperties` anywhere: an added property would count as evaluated. */
  readonly counting: boolean
  /** The property that another branch of an `allOf` declares, by name, as written. */
  readonly declared?: ((name: string) => unknown) | undefined
}

/**
 * Adds a property for each `required` name that is not among the properties, so that every generator prints the same
 * shape. Its schema is that of another branch of an `allOf`, or of `additionalProperties`. A schema under
 * `additionalProperties` also applies to such a name (JSON Schema Core, 10.3.2.3), even if another branch declares
 * it.
 */
export function withRequiredNames(
  out: Record<string, unknown>,
  { counting, inherit }: KeywordContext,
): Record<string, unknown> {
  const { properties, required, additionalProperties = true } = out as SchemaObject
  if (!required || out.patternProperties) return out
  const describesObject = out.type === 'object' || properties !== undefined
  const added = required.flatMap((name) => {
    if (Object.hasOwn(properties ?? {}, name)) return []
    const schema = additionalProperties === true ? inherit(name) : undefined
    if (schema === undefined && (counting || !describesObject)) return []
    return [[name, schema ?? additionalProperties] as const]
  })
  if (added.length === 0) return out
  return { ...out, properties: { ...properties, ...Object.fromEntries(added) } }
}

export type KeywordContext = {
  /** Whether the document uses `unevaluatedProperties` anywhere: an added property would count as evaluated. */
  readonly counting: boolean
  /** The schema of a name in another branch. */
  readonly inherit: (name: string) => Schema | undefined
}

/**
 * Reduces `type` and `enum` to the values that both allow. A value of another type is read as one of the type if its text is
 * one: YAML makes a number of `1.0` without quotes.
 */
export function narrowed(out: Record<string, unknown>, reader: SchemaReader): SchemaObject {
  const isClean = Object.values(out).every((value) => value !== undefined)
  const cleaned = isClean
    ? out
    : Object.fromEntries(Object.entries(out).filter(([, value]) => value !== undefined))
  const { type, ...untyped } = cleaned as SchemaObject
  const { enum: listed = [] } = untyped
  if (type === undefined) return cleaned
  const allowed = new Set(Array.isArray(type) ? type : [type])
  const readAs = (value: unknown, ...place: readonly (string | number)[]) => {
    const { document, pointer } = at(reader, ...place)
    return valueAs(value, allowed, document.numberText(pointer, 'any'))
  }
  if ('const' in cleaned) {
    const only = readAs(cleaned.const, 'const')
    if (only !== undefined && only !== cleaned.const) return { ...cleaned, const: only }
  }
  if (listed.length === 0) return cleaned
  const values = listed.map((value, index) => readAs(value, 'enum', index) ?? value)
  const kept = [...new Set(values)].filter((value) => isAllowed(value, allowed))
  const used = [...allowed].filter((name) => kept.some((value) => valueTypes(value).includes(name)))
  // If the type and the enum contradict each other, the enum is what callers send.
  if (kept.length === 0) return untyped
  return { ...cleaned, enum: kept, type: used.length === 1 ? used[0] : used } as SchemaObject
}

/** A value as one of the allowed types; undefined if it cannot be. `written` is the text of a number in its document. */
export function valueAs(
  value: unknown,
  allowed: ReadonlySet<unknown>,
  written = String(value),
): unknown {
  if (isAllowed(value, allowed)) return value
  if (allowed.has('string') && /^(number|boolean)$/.test(typeof value)) return written
  if (typeof value !== 'string' || !SCALAR.test(value)) return undefined
  const scalar: unknown = JSON.parse(value)
  return isAllowed(scalar, allowed) ? scalar : undefined
}

/** RFC 8259, 3 and 6: a number, true or false. */
const SCALAR = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false)$/

const isAllowed = (value: unknown, allowed: ReadonlySet<unknown>): boolean =>
  valueTypes(value).some((name) => allowed.has(name))

/** The types of JSON Schema that a value has: a whole number has two. */
export function valueTypes(value: unknown): readonly TypeName[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number']
  return [typeof value as TypeName]
}

/**
 * Finds the property that a branch of an `allOf` declares, through references and nested `allOf`s, or else that of the schemas
 * around it.
 */
export const declaring =
  (raw: JsonObject, { declared, resolve }: SchemaReader) =>
  (name: string): unknown => {
    const waiting: unknown[] = [raw]
    const seen = new Set<object>()
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const target = resolve(one)
      if (!target || seen.has(target)) continue
      seen.add(target)
      const { properties, allOf } = target
      if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name]
      waiting.push(...[allOf ?? []].flat())
    }
    return declared?.(name)
  }

/** YAML reads `title: 2020` as a number, although a text is meant. */
export function texts(annotations: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(annotations).flatMap(([key, value]) => {
    if (!['title', 'description', 'format'].includes(key)) return [[key, value]]
    return typeof value === 'object' ? [] : [[key, String(value)]]
  })
  return Object.fromEntries(entries)
}

export function pick(raw: Readonly<Record<string, unknown>>, keys: ReadonlySet<string>) {
  return Object.fromEntries(
    Object.entries(raw).filter(([key]) => keys.has(key) || key.startsWith('x-')),
  )
}
