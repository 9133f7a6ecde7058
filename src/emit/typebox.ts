import { isOfType } from '../runtime/validate/json-value.js'
import { CONTENT } from '../schema/keywords.js'
import {
  asserted,
  isNever,
  mapSubschemas,
  referredName,
  type Schema,
  type SchemaObject,
  type TypeName,
} from '../schema/schema.js'
import { keyText, memberName } from '../text/escape.js'
import {
  code,
  commented,
  declared,
  doc,
  type Fragment,
  imported,
  importedType,
  join,
  literal,
  type Printable,
  raw,
} from './file.js'
import { isBinary, isHexPattern, typeExpression } from './type-expression.js'

/** Builders of TypeBox, and the two that a file declares if its schemas call them. */
export const TYPE = imported('Type', 'typebox')
export const STATIC = importedType('Static', 'typebox')

export const ONE_OF = code`/** A union of which exactly one branch matches, \`oneOf\`. TypeBox's Union is \`anyOf\`. */
const OneOf = <Types extends ${importedType('TSchema', 'typebox')}[]>(types: [...Types], options = {}) =>
  ${TYPE}.Unsafe<${STATIC}<${importedType('TUnion', 'typebox')}<Types>>>({ ...options, oneOf: types })`

export const MAP_OF = code`/** A map of any keys. The pattern of TypeBox's Record matches no key with a line break. */
const MapOf = <Value extends ${importedType('TSchema', 'typebox')}>(value: Value, options = {}) =>
  ${TYPE}.Unsafe<{ [key: string]: ${STATIC}<Value> }>({ ...options, type: 'object', additionalProperties: value })`

/** The builder call of a schema, and the type of what it returns, which declarations state. */
export type Built = { readonly value: Fragment; readonly type: Fragment }

type Build = (inner: Schema) => Built

/** A schema of TypeBox; `refer` prints a named one. */
export function typebox(schema: Schema, refer: (name: string) => Built): Built {
  if (schema === false || isNever(schema)) return call('Never', [], {})
  if (schema === true) return call('Unknown', [], {})
  const name = referredName(schema)
  if (name !== undefined) return refer(name)
  const build: Build = (inner) => typebox(inner, refer)
  const notes = annotations(schema)
  if (!isDivisible(schema)) return unsafe(schema, build)
  if ('const' in schema) return constant(schema.const, notes)
  if (schema.enum) return enumeration(schema.enum, notes)

  const { allOf, anyOf, oneOf, ...own } = schema
  const parts = [
    ...(asserted(own).length > 0 ? [ownType(own, build)] : []),
    ...(allOf ?? []).map(build),
    ...(anyOf ? [union('Union', anyOf.map(build))] : []),
    ...(oneOf ? [union('OneOf', oneOf.map(build))] : []),
  ]
  if (parts.length === 0) return call('Unknown', [], notes)
  if (parts.length === 1 && parts[0]) return parts[0]
  return call('Intersect', [listOfCode(values(parts))], {}, tuple('TIntersect', parts))
}

function ownType(schema: SchemaObject, build: Build): Built {
  if (schema.type === undefined) return unsafe(schema, build)
  const names = [schema.type].flat()
  const members = names.map((name) => ofType(name, { ...schema, type: name }, build))
  return members.length === 1 && members[0] ? members[0] : union('Union', members)
}

function ofType(name: TypeName, schema: SchemaObject, build: Build): Built {
  const only = (keys: ReadonlySet<string>) =>
    mapSubschemas(
      filtered(schema, (key) => keys.has(key)),
      (inner) => build(inner).value,
    )
  switch (name) {
    case 'null':
    case 'boolean':
      return call(name === 'null' ? 'Null' : 'Boolean', [], only(COMMON))
    case 'string':
      if (isBinary(schema) || isHexPattern(schema)) return unsafe(schema, build)
      return call('String', [], only(STRING))
    case 'number':
    case 'integer':
      return call(name === 'number' ? 'Number' : 'Integer', [], only(NUMBER))
    case 'array': {
      if (schema.prefixItems) return unsafe(schema, build)
      const inner = build(schema.items ?? true)
      const type = code`${typeOfTypebox('TArray')}<${inner.type}>`
      return call('Array', [inner.value], only(ARRAY), type)
    }
    case 'object':
      return object(schema, only(OBJECT), build)
  }
}

function object(schema: SchemaObject, options: Record<string, unknown>, build: Build): Built {
  const { properties = {}, required = [], additionalProperties: extra } = schema
  const needed = new Set(required)
  const entries = Object.entries(properties)
  const typed = typeof extra === 'object' || extra === true
  const undeclared = required.some((key) => !Object.hasOwn(properties, key))
  if (schema.patternProperties || undeclared || (typed && entries.length > 0)) {
    return unsafe(schema, build)
  }
  if (entries.length === 0 && extra !== false) {
    const { value, type } = build(typed ? extra : true)
    if (value.text === 'Type.Unknown()') {
      const record = code`${typeOfTypebox('TRecord')}<'^.*$', ${type}>`
      return call('Record', [code`${TYPE}.String()`, value], options, record)
    }
    return {
      value: called(declared('MapOf'), [value], options),
      type: code`${typeOfTypebox('TUnsafe')}<{ [key: string]: ${STATIC}<${type}> }>`,
    }
  }
  const members = entries.map(([key, value]) => {
    const built = build(value)
    const isNeeded = needed.has(key)
    const shown = isNeeded ? built.value : code`${TYPE}.Optional(${built.value})`
    const comment = typeof value === 'object' ? doc(value.description) : raw('')
    return {
      value: commented(comment, code`${memberName(key)}: ${shown},`),
      type: code`${keyText(key)}: ${isNeeded ? built.type : code`${typeOfTypebox('TOptional')}<${built.type}>`}`,
    }
  })
  const shape = block(members.map((one) => one.value))
  const type = code`${typeOfTypebox('TObject')}<${block(members.map((one) => one.type))}>`
  return call('Object', [shape], { ...options, additionalProperties: extra }, type)
}

const block = (members: readonly Fragment[]): Fragment =>
  members.length === 0 ? raw('{}') : code`{\n  ${join(members)}\n}`

/** The type of a schema in this file, where `Blob` may be another schema. */
export const staticType = (schema: Schema): Fragment =>
  typeExpression(schema, raw, { blob: 'globalThis.Blob' })

/** A schema that TypeBox has no builder for: unchanged, with its type. */
function unsafe(schema: SchemaObject, build: Build): Built {
  const value = mapSubschemas(
    filtered(schema, (key) => !isNote(key)),
    (inner) => build(inner).value,
  )
  return unsafeOf(staticType(schema), literal(value))
}

/** A schema of a type that TypeBox does not know. */
export const unsafeOf = (type: Fragment, schema: Fragment): Built => ({
  value: code`${TYPE}.Unsafe<${type}>(${schema})`,
  type: code`${typeOfTypebox('TUnsafe')}<${type}>`,
})

const typeOfTypebox = (name: string): Fragment => importedType(name, 'typebox')

const filtered = (schema: SchemaObject, isKept: (key: string) => boolean): SchemaObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => isKept(key)))

const isNote = (key: string) => key.startsWith('x-') || NOTES.has(key)

const NOTES = new Set([
  ...'description examples deprecated readOnly writeOnly'.split(' '),
  ...CONTENT,
])

function constant(value: unknown, notes: Record<string, unknown>): Built {
  if (value === null) return call('Null', [], notes)
  if (['string', 'number', 'boolean'].includes(typeof value)) {
    const type = code`${typeOfTypebox('TLiteral')}<${literal(value)}>`
    return call('Literal', [literal(value)], notes, type)
  }
  return unsafeOf(typeExpression({ const: value }, raw), literal({ const: value }))
}

function enumeration(values: readonly unknown[], notes: Record<string, unknown>): Built {
  if (values.length === 1) return constant(values[0], notes)
  if (values.every((value) => typeof value === 'string')) {
    const type = code`${typeOfTypebox('TEnum')}<${literal(values)}>`
    return call('Enum', [literal(values)], notes, type)
  }
  return unsafeOf(typeExpression({ enum: values }, raw), literal({ enum: values }))
}

const union = (builder: 'Union' | 'OneOf', members: readonly Built[]): Built => {
  const type = tuple('TUnion', members)
  if (builder === 'Union') return call('Union', [listOfCode(values(members))], {}, type)
  return {
    value: code`${declared('OneOf')}(${listOfCode(values(members))})`,
    type: code`${typeOfTypebox('TUnsafe')}<${STATIC}<${type}>>`,
  }
}

const values = (members: readonly Built[]): readonly Fragment[] => members.map(({ value }) => value)

const tuple = (name: 'TUnion' | 'TIntersect', members: readonly Built[]): Fragment =>
  code`${typeOfTypebox(name)}<${listOfCode(members.map(({ type }) => type))}>`

/** Schemas as a list of code, on one line if they fit. */
export function listOfCode(members: readonly Fragment[]): Fragment {
  const flat = code`[${join(members, ', ')}]`
  if (flat.text.length <= 90 && !flat.text.includes('\n')) return flat
  return code`[\n  ${join(members.map((member) => code`${member},`))}\n]`
}

const call = (
  builder: string,
  args: readonly Fragment[],
  options: Record<string, unknown>,
  type: Fragment = typeOfTypebox(`T${builder}`),
): Built => ({ value: code`${TYPE}.${called(builder, args, options)}`, type })

function called(
  builder: Printable,
  args: readonly Fragment[],
  options: Record<string, unknown>,
): Fragment {
  const present = Object.values(options).some((value) => value !== undefined)
  const all = [...args, ...(present ? [literal(options, 40)] : [])]
  return code`${builder}(${join(all, ', ')})`
}

/**
 * `title` and `default` are useful at run time; the description is in the comment. TypeBox would
 * assert a `format`, which is an annotation here.
 */
const annotations = ({ title, default: value }: SchemaObject): Record<string, unknown> => ({
  title,
  default: value,
})

const COMMON = new Set('title default not if then else'.split(' '))
const besides = (keys: string) => new Set([...COMMON, ...keys.split(/\s+/)])
const STRING = besides('minLength maxLength pattern')
const NUMBER = besides('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf')
const ARRAY = besides('minItems maxItems uniqueItems contains minContains maxContains')
const OBJECT = besides(
  'minProperties maxProperties propertyNames dependentRequired dependentSchemas',
)

/**
 * Whether builders of a library, one for each part of a schema, express the whole schema. They do not with `const`
 * and `enum`, which allow no other keyword, nor with `unevaluatedProperties`, which applies to all parts together.
 */
export function isDivisible(schema: SchemaObject): boolean {
  const keywords = asserted(schema).filter((key) => key !== 'type')
  if (keywords.includes('unevaluatedProperties') || keywords.includes('unevaluatedItems'))
    return false
  if (!keywords.includes('const') && !keywords.includes('enum')) return true
  const values = keywords.includes('const') ? [schema.const] : (schema.enum ?? [])
  const types = schema.type === undefined ? undefined : [schema.type].flat()
  const isOfOwnType = (value: unknown) => types?.some((type) => isOfType(value, type)) ?? true
  return keywords.length === 1 && values.every(isOfOwnType)
}
