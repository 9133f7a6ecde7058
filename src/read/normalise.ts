import { DocumentError } from '../model/finding.js'
import { entriesOf, isObject, isReference } from '../model/json.js'
import { cached } from '../runtime/shared/cached.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { ANNOTATIONS, ASSERTIONS, OUTDATED, SILENT } from '../schema/keywords.js'
import { type Schema, type SchemaObject, subschemas } from '../schema/schema.js'
import { isUnread, recordDiscriminator, recordUnread, unreadOf } from '../schema/source.js'
import {
  at,
  declaring,
  emptyChoices,
  expectFlag,
  expectList,
  expectMap,
  expectNames,
  expectNumber,
  invalidKeyword,
  misplaced,
  misshapenBeside,
  narrowed,
  outdated,
  pick,
  readOver,
  regex,
  type SchemaReader,
  texts,
  undecided,
  unknown,
  withRequiredNames,
} from './keyword-shapes.js'
import { meansBytes, OF_TEXT, orNull, types, withNull } from './schema-types.js'

/**
 * Translates a schema of any supported dialect (OpenAPI 3.0, draft-07, 2020-12) into 2020-12. An unsupported schema is reported
 * as an error and replaced by a schema that accepts every value.
 */
export function normalise(raw: unknown, reader: SchemaReader): Schema {
  try {
    return readSchema(raw, reader)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    for (const finding of error.findings) reader.report(finding)
    return true
  }
}

function readSchema(raw: unknown, reader: SchemaReader): Schema {
  if (typeof raw === 'boolean') return raw
  if (!isObject(raw)) {
    reader.report(misplaced(raw, reader))
    return true
  }
  const origin = reader.originOf(raw)
  const inner = { ...reader, here: origin }
  const schema = isReference(raw) ? referred(raw, inner) : translated(raw, inner)
  reader.record(schema, origin)
  if (raw.discriminator !== undefined) {
    const refer = (ref: string) => reader.named(segmentsOf(ref).at(-1) ?? '')
    recordDiscriminator(schema, raw, refer)
  }
  return orNull(schema, raw, inner)
}

function referred(raw: { readonly $ref: string }, reader: SchemaReader): SchemaObject {
  const { $ref, ...siblings } = raw
  const target = reader.refer($ref, reader.here)
  if (target === undefined) return translated(siblings, reader)
  const annotations = pick(siblings, ANNOTATIONS)
  // OpenAPI 3.0.3 and draft-07 ignore keywords next to a $ref; 2020-12 reads both.
  const assertions = Object.keys(siblings).some((key) => ASSERTIONS.has(key))
  if (reader.dialect !== '2020-12' || !assertions) return { $ref: target, ...annotations }
  // As in an allOf, a required name may be a property of the target.
  const declared = declaring({ $ref }, reader)
  const { allOf = [], ...rest } = translated(siblings, { ...reader, declared })
  return { ...rest, allOf: [{ $ref: target }, ...allOf] }
}

function translated(raw: Readonly<Record<string, unknown>>, outer: SchemaReader): SchemaObject {
  const declared = Array.isArray(raw.allOf) ? declaring(raw, outer) : outer.declared
  // A property or an item is a separate value, to which the branches around it do not apply.
  const { declared: _, ...reader } = outer
  const out: Record<string, unknown> = texts(pick(raw, ANNOTATIONS))
  for (const finding of misshapenBeside(raw, reader)) {
    reader.report(finding)
    const key = finding.location.pointer.split('/').at(-1) ?? ''
    delete out[key]
  }
  const unread: Record<string, unknown> = { ...unreadOf(raw) }
  const isFile = meansBytes(raw)
  if (isFile) out.format = 'binary'
  for (const [key, value] of Object.entries(raw)) {
    if (key.startsWith('x-') || (isFile && OF_TEXT.has(key))) continue
    if (ASSERTIONS.has(key)) {
      const found = readIfValid(key, value, raw, key === 'allOf' ? { ...reader, declared } : reader)
      // A part that was not read accepts everything, so that its negation would accept nothing.
      const isNegated =
        (key === 'not' || key === 'if') && found && holdsUnread(found[key] as Schema)
      if (found && !isNegated) Object.assign(out, found)
      else unread[key] = value
    } else if (key === '$dynamicRef' || OUTDATED.has(key)) {
      reader.report(OUTDATED.has(key) ? outdated(key, reader) : undecided(value, reader))
      // Without a reference, the anchor demands nothing.
      if (key !== '$recursiveAnchor') unread[key] = value
    } else if (!ANNOTATIONS.has(key) && !SILENT.has(key)) reader.report(unknown(key, reader))
  }
  if (raw.contentSchema !== undefined && reader.dialect === '2020-12')
    out.contentSchema = normalise(raw.contentSchema, {
      ...reader,
      here: at(reader, 'contentSchema'),
    })
  if (raw.example !== undefined && !Array.isArray(out.examples)) out.examples = [raw.example]
  const empty = emptyChoices(raw, reader)
  if (empty.length > 0) {
    for (const finding of empty) reader.report(finding)
    return { ...pick(out, ANNOTATIONS), not: true }
  }
  const inherit = (name: string) => {
    const node = declared?.(name)
    return node === undefined ? undefined : normalise(node, reader)
  }
  const made = narrowed(withRequiredNames(out, { counting: reader.counting, inherit }), reader)
  recordUnread(made, unread)
  return made
}

/** Like `read`. A keyword with an invalid value is ignored with a warning, and undefined; the other keywords still apply. */
function readIfValid(
  key: string,
  value: unknown,
  raw: Readonly<Record<string, unknown>>,
  reader: SchemaReader,
): Record<string, unknown> | undefined {
  try {
    return read(key, value, raw, reader)
  } catch (error) {
    // Without its properties, an object that allows no other ones would reject each of them.
    const isNeeded = key === 'properties' || key === 'patternProperties'
    if (!(error instanceof DocumentError) || isNeeded) throw error
    for (const { message, ...finding } of error.findings) {
      reader.report({ ...finding, level: 'warning', message: `${message}: ${key} is ignored here` })
    }
    return undefined
  }
}

/** The keywords of 2020-12 for one keyword: none, one or several. */
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
      return types(value, raw, reader)
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
        reader.report(
          readOver(
            key,
            `a number: true and false are allowed only in OpenAPI 3.0; write the ${bound} here`,
            reader,
          ),
        )
      }
      if (value === true)
        return raw[bound] === undefined
          ? {}
          : { [key]: expectNumber(bound, raw[bound], reader), [bound]: undefined }
      return value === false ? {} : { [key]: expectNumber(key, value, reader) }
    }
    case 'minimum':
      return raw.exclusiveMinimum === true ? {} : { minimum: expectNumber(key, value, reader) }
    case 'maximum':
      return raw.exclusiveMaximum === true ? {} : { maximum: expectNumber(key, value, reader) }
    case 'items':
      if (!Array.isArray(value)) return { items: schema(value) }
      if (reader.dialect === '2020-12') {
        reader.report(
          readOver(
            key,
            'a schema: for a list of schemas, one for each position, use prefixItems',
            reader,
          ),
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
    case 'oneOf': {
      const branches = withNull(list(), expectList(key, value, reader))
      // A branch that was not read accepts everything, and would reject what another branch accepts.
      const isKnown = raw.anyOf !== undefined || !branches.some((one) => holdsUnread(one))
      return isKnown ? { oneOf: branches } : { anyOf: branches }
    }
    case 'anyOf':
      return { [key]: withNull(list(), expectList(key, value, reader)) }
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
      return { required: expectNames(key, value, reader) }
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
      // JSON Schema Validation, 6.3 to 6.5: all remaining keywords are counts.
      if (typeof value === 'number' && Number.isInteger(value) && value >= 0)
        return { [key]: value }
      throw invalidKeyword(key, 'a whole number from 0', reader)
  }
}

/** Whether a schema has a part that could not be read. What it refers to is not looked at. */
function holdsUnread(schema: Schema): boolean {
  if (typeof schema === 'boolean') return false
  return cached(
    holders,
    schema,
    () => isUnread(schema) || subschemas(schema).some((one) => holdsUnread(one)),
  )
}

const holders = new WeakMap<object, boolean>()

/** `dependencies` of draft-07 as the two keywords of 2020-12. */
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
