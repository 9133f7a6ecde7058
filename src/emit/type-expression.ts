import { isBigint, isDateObject } from '../schema/bigints.js'
import {
  dereference,
  isNever,
  referredName,
  type Schema,
  type SchemaObject,
  type Schemas,
  type TypeName,
  valuesIn,
} from '../schema/schema.js'
import { keyText } from '../text/escape.js'
import { code, commented, doc, type Fragment, join, raw, string } from './file.js'
import { schemaComment } from './schema-comment.js'

/**
 * The TypeScript type of a schema, written as openapi-typescript writes it, so that both describe
 * one shape. `refer` prints a named schema.
 */
export const typeExpression = (
  schema: Schema,
  refer: (name: string) => Fragment,
  { blob = 'Blob', schemas = new Map() }: Partial<Omit<Names, 'refer'>> = {},
): Fragment => printed(schema, { refer, blob, schemas }).text

/** How a named schema and the global `Blob` are written; and the named schemas, for those that list the keys of an object. */
type Names = {
  readonly refer: (name: string) => Fragment
  readonly blob: string
  readonly schemas: Schemas
}

/** A type and its outermost operator, which decides on parentheses. */
type Type = { readonly text: Fragment; readonly operator: '|' | '&' | undefined }

type Print = ((schema: Schema) => Type) & Names

const single = (text: Fragment | string): Type => ({
  text: typeof text === 'string' ? raw(text) : text,
  operator: undefined,
})

function printed(written: Schema, names: Names): Type {
  if (typeof written === 'boolean') return single(written ? 'unknown' : 'never')
  const name = referredName(written)
  if (name !== undefined) return single(names.refer(name))
  const schema = withKnownKeys(withItemsInBranches(written), names.schemas)
  if (isNever(schema)) return single('never')
  if ('const' in schema) return single(valueType(schema.const))
  if (schema.enum) return union(schema.enum.map((value) => single(valueType(value))))
  const print: Print = Object.assign((inner: Schema) => printed(inner, names), names)

  const branches = [schema.oneOf, schema.anyOf].flatMap((list) =>
    list ? [union(list.map(print))] : [],
  )
  const all = (schema.allOf ?? []).map(print)
  const own = ownType(schema, print)
  const parts = [...(own ? [own] : []), ...all, ...branches].filter((part) => !isUnknown(part))
  if (parts.length === 0) return own ?? single('unknown')
  return intersection(parts)
}

/** The type that `type` and its keywords declare; undefined if they declare none. */
function ownType(schema: SchemaObject, print: Print): Type | undefined {
  const names = schema.type === undefined ? guessed(schema) : [schema.type].flat()
  if (names.length === 0) return undefined
  return union(names.map((name) => ofType(name, schema, print)))
}

const guessed = (schema: SchemaObject): readonly TypeName[] =>
  schema.properties || schema.patternProperties || schema.additionalProperties !== undefined
    ? ['object']
    : []

function ofType(name: TypeName, schema: SchemaObject, print: Print): Type {
  switch (name) {
    case 'null':
    case 'boolean':
      return single(name)
    case 'string':
      if (isBinary(schema)) return single(print.blob)
      if (isDateObject(schema)) return single('globalThis.Date')
      return single(isHexPattern(schema) ? HEX : name)
    case 'number':
    case 'integer':
      return single(name === 'integer' && isBigint(schema) ? 'bigint' : 'number')
    case 'array':
      return single(arrayType(schema, print))
    case 'object':
      return objectType(schema, print)
  }
}

/** An object whose `propertyNames` lists its keys has these as properties, and no others. */
export function withKnownKeys(schema: SchemaObject, schemas: Schemas): SchemaObject {
  const { propertyNames, additionalProperties = true, ...others } = schema
  if (propertyNames === undefined || schema.patternProperties !== undefined) return schema
  const named = dereference(propertyNames, schemas)
  const keys = typeof named === 'object' ? valuesIn(named) : undefined
  if (keys === undefined || additionalProperties === false) return schema
  const properties = Object.fromEntries(keys.map((key) => [String(key), additionalProperties]))
  return { ...others, properties: { ...properties, ...schema.properties } }
}

/** `items` beside a union without a type is about the arrays among its branches. */
export function withItemsInBranches(schema: SchemaObject): SchemaObject {
  const { type, items, oneOf, anyOf } = schema
  if (items === undefined || type !== undefined) return schema
  const branch = (one: Schema): Schema =>
    typeof one === 'object' && one.type === 'array' && !one.items && !one.prefixItems
      ? { ...one, items }
      : one
  return {
    ...schema,
    ...(oneOf && { oneOf: oneOf.map(branch) }),
    ...(anyOf && { anyOf: anyOf.map(branch) }),
  }
}

function arrayType(schema: SchemaObject, print: Print): Fragment {
  const { members, rest } = tupleParts(schema)
  if (!members) return code`${enclosed(print(rest))}[]`
  const texts = members.map(({ item, isOptional }) =>
    isOptional ? code`${enclosed(print(item))}?` : print(item).text,
  )
  const tail = rest === false ? [] : [code`...${enclosed(print(rest))}[]`]
  return code`[${join([...texts, ...tail], ', ')}]`
}

/** The members of a tuple, undefined for other lists, and the schema of every other item. */
export function tupleParts({
  prefixItems,
  items,
  minItems = 0,
  maxItems = Infinity,
}: SchemaObject) {
  const members = prefixItems
    ?.slice(0, maxItems)
    .map((item, index) => ({ item, isOptional: index >= minItems }))
  return { members, rest: members && members.length >= maxItems ? false : (items ?? true) }
}

function objectType(written: SchemaObject, print: Print): Type {
  const schema = withPatterns(written)
  const properties = Object.entries(schema.properties ?? {})
  const required = new Set(schema.required ?? [])
  const extra = schema.additionalProperties
  const index =
    extra === undefined || extra === false
      ? []
      : [single(code`{ [key: string]: ${print(extra).text} }`)]
  if (properties.length === 0) {
    const shape = extra === false ? 'Record<string, never>' : '{ [key: string]: unknown }'
    return index[0] ?? single(shape)
  }
  const members = properties.map(([key, value]) => {
    const optional = required.has(key) ? '' : '?'
    const comment = doc(...schemaComment(value, key))
    return commented(comment, code`${keyText(key)}${optional}: ${print(value).text}`)
  })
  return intersection([single(code`{\n  ${join(members)}\n}`), ...index])
}

function valueType(value: unknown): Fragment {
  if (typeof value === 'string') return raw(string(value))
  if (value === null || typeof value !== 'object') return raw(String(value))
  if (Array.isArray(value)) return code`[${join(value.map(valueType), ', ')}]`
  const members = Object.entries(value).map(
    ([key, member]) => code`${keyText(key)}: ${valueType(member)}`,
  )
  return code`{ ${join(members, '; ')} }`
}

/** OpenAPI 3.0.3, Data Types: any sequence of octets, which a JSON string cannot be. */
export const isBinary = ({ format, type = 'string' }: SchemaObject): boolean =>
  format === 'binary' && [type].flat().every((one) => one === 'string' || one === 'null')

/** The type of hexadecimal text in viem, abitype and ethers. */
const HEX = `\`0x\${string}\``

/** Whether the pattern requires texts to begin with `0x`. Another branch of the pattern could begin with anything. */
export const isHexPattern = ({ type, pattern }: SchemaObject): boolean =>
  pattern?.startsWith('^0x') === true &&
  !/\|/.test(pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]?|\((?:[^()\\]|\\.)*\)/gs, '')) &&
  [type].flat().every((one) => one === 'string' || one === 'null')

/** An object that may have no property. */
export const isEmptyObject = ({
  type,
  properties,
  additionalProperties,
  ...schema
}: SchemaObject) =>
  [type].flat().includes('object') &&
  [type].flat().every((one) => one === 'object' || one === 'null') &&
  additionalProperties === false &&
  Object.keys(properties ?? {}).length === 0 &&
  !['enum', 'const', 'allOf', 'anyOf', 'oneOf', 'patternProperties'].some((key) => key in schema)

/**
 * Changes patterns of keys to types of additional properties, because types cannot distinguish keys by a pattern. These include
 * the types of the properties: `{ a: string } & { [key: string]: number }` has no value with `a`.
 */
export function withPatterns({ patternProperties = {}, ...schema }: SchemaObject): SchemaObject {
  const patterns = Object.values(patternProperties)
  const extra = schema.additionalProperties ?? patterns.length > 0
  const values = [...patterns, extra].filter((value) => value !== false)
  const properties = Object.values(schema.properties ?? {}).filter((value) => value !== false)
  if (values.length === 0 || patterns.length + properties.length === 0) return schema
  const typed = [...values, ...properties].map(withoutNotes)
  const distinct = [...new Map(typed.map((one) => [JSON.stringify(one), one])).values()]
  const isLarge = JSON.stringify(properties).length > LONGEST
  const [first = true, ...others] = distinct
  const union = others.length === 0 ? first : { anyOf: distinct }
  return { ...schema, additionalProperties: distinct.includes(true) || isLarge ? true : union }
}

/** The properties, as JSON, that are printed again in an index signature; nested ones would double at every level. */
const LONGEST = 2_000

const withoutNotes = (schema: Schema): Schema => {
  if (typeof schema === 'boolean') return schema
  const entries = Object.entries(schema).filter(([key]) => !NOTES.has(key))
  return entries.length === 0 || Object.fromEntries(entries)
}

const NOTES: ReadonlySet<string> = new Set(
  'title description default examples deprecated'.split(' '),
)

const isUnknown = ({ text }: Type) => text.text === 'unknown'

function union(parts: readonly Type[]): Type {
  const seen = new Set<string>()
  const distinct = parts.filter(({ text }) => seen.size < seen.add(text.text).size)
  const [first] = distinct
  if (!first) return single('never')
  if (distinct.some(isUnknown)) return single('unknown')
  if (distinct.length === 1) return first
  const text = join(
    distinct.map((part) => part.text),
    ' | ',
  )
  return { text, operator: '|' }
}

function intersection(parts: readonly Type[]): Type {
  const [first] = parts
  if (first && parts.length === 1) return first
  return { text: join(parts.map(enclosed), ' & '), operator: '&' }
}

/** Parentheses around a union or an intersection that an operator follows. */
const enclosed = ({ text, operator }: Type): Fragment =>
  operator === undefined ? text : code`(${text})`
