import { referredName, type Schema, type SchemaObject, type TypeName } from '../model/schema.js'
import { code, doc, type Fragment, join, keyText, raw, string } from './file.js'

/**
 * The TypeScript type of a schema, written as openapi-typescript writes it, so that both describe
 * one shape. `refer` prints a named schema.
 */
export function typeExpression(schema: Schema, refer: (name: string) => Fragment): Fragment {
  if (typeof schema === 'boolean') return raw(schema ? 'unknown' : 'never')
  const name = referredName(schema)
  if (name !== undefined) return refer(name)
  if (isNever(schema)) return raw('never')
  if ('const' in schema) return valueType(schema.const)
  if (schema.enum) return union(schema.enum.map(valueType))
  const print = (inner: Schema) => typeExpression(inner, refer)

  const branches = [schema.oneOf, schema.anyOf].flatMap((list) =>
    list ? [union(list.map(print))] : [],
  )
  const all = (schema.allOf ?? []).map(print)
  const own = ownType(schema, print)
  const parts = [...(own ? [own] : []), ...all, ...branches].filter(
    ({ text }) => text !== 'unknown',
  )
  if (parts.length === 0) return own ?? raw('unknown')
  return intersection(parts)
}

/** What `type` and the keywords of that type say; undefined where neither says anything. */
function ownType(schema: SchemaObject, print: (inner: Schema) => Fragment): Fragment | undefined {
  const names = schema.type === undefined ? guessed(schema) : [schema.type].flat()
  if (names.length === 0) return undefined
  return union(names.map((name) => ofType(name, schema, print)))
}

const guessed = (schema: SchemaObject): readonly TypeName[] =>
  schema.properties || schema.additionalProperties !== undefined ? ['object'] : []

function ofType(
  name: TypeName,
  schema: SchemaObject,
  print: (inner: Schema) => Fragment,
): Fragment {
  switch (name) {
    case 'null':
    case 'boolean':
      return raw(name)
    case 'string':
      return raw(isBinary(schema) ? 'Blob' : name)
    case 'number':
    case 'integer':
      return raw('number')
    case 'array':
      return arrayType(schema, print)
    case 'object':
      return objectType(schema, print)
  }
}

function arrayType(schema: SchemaObject, print: (inner: Schema) => Fragment): Fragment {
  const rest = schema.items ?? true
  if (!schema.prefixItems) return code`${parenthesised(print(rest))}[]`
  const needed = schema.minItems ?? 0
  const members = schema.prefixItems.map((item, index) =>
    index < needed ? print(item) : code`${parenthesised(print(item))}?`,
  )
  const tail = rest === false ? [] : [code`...${parenthesised(print(rest))}[]`]
  return code`[${join([...members, ...tail], ', ')}]`
}

function objectType(schema: SchemaObject, print: (inner: Schema) => Fragment): Fragment {
  const properties = Object.entries(schema.properties ?? {})
  const required = new Set(schema.required ?? [])
  const extra = schema.additionalProperties
  const index =
    extra === undefined || extra === false
      ? []
      : [code`{ [key: string]: ${extra === true ? 'unknown' : print(extra)} }`]
  if (properties.length === 0) {
    const closed = extra === false && !schema.patternProperties
    return index[0] ?? raw(closed ? 'Record<string, never>' : '{ [key: string]: unknown }')
  }
  const members = properties.map(([key, value]) => {
    const optional = required.has(key) ? '' : '?'
    const comment = typeof value === 'object' ? doc(value.description) : raw('')
    const line = code`${keyText(key)}${optional}: ${print(value)}`
    return comment.text === '' ? line : code`${comment}\n${line}`
  })
  return intersection([code`{\n  ${join(members)}\n}`, ...index])
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

/** OpenAPI 3.0.3, Data Types: any sequence of octets, which no JSON string is. */
export const isBinary = (schema: SchemaObject): boolean => schema.format === 'binary'

/** `{ not: {} }`: nothing fits, the way to forbid a key. */
export const isNever = (schema: SchemaObject): boolean =>
  schema.not === true || (typeof schema.not === 'object' && Object.keys(schema.not).length === 0)

function union(parts: readonly Fragment[]): Fragment {
  const distinct = parts.filter(
    ({ text }, index) => parts.findIndex((part) => part.text === text) === index,
  )
  if (distinct.length === 0) return raw('never')
  if (distinct.some(({ text }) => text === 'unknown')) return raw('unknown')
  return join(distinct, ' | ')
}

const intersection = (parts: readonly Fragment[]): Fragment =>
  parts.length === 1 ? (parts[0] as Fragment) : join(parts.map(parenthesised), ' & ')

/** Parentheses around a union or an intersection that an operator follows. */
function parenthesised(type: Fragment): Fragment {
  let depth = 0
  let quoted = false
  for (const char of type.text) {
    if (char === "'") quoted = !quoted
    if (quoted) continue
    if ('{[('.includes(char)) depth++
    if ('}])'.includes(char)) depth--
    if (depth === 0 && (char === '|' || char === '&')) return code`(${type})`
  }
  return type
}
