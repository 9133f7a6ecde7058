import type { Api } from '../model/api.js'
import { camelCase, uniqueName } from '../model/names.js'
import { TAKEN_NAMES } from '../model/naming.js'
import { ANNOTATIONS, CONTENT } from '../schema/keywords.js'
import {
  mapSubschemas,
  referredName,
  type Schema,
  type SchemaObject,
  subschemas,
  type TypeName,
} from '../schema/schema.js'
import {
  code,
  doc,
  type File,
  type Fragment,
  file,
  imported,
  importedType,
  join,
  literal,
  memberName,
  raw,
  string,
} from './file.js'
import { dependencyOrder } from './order.js'
import { isBinary, isNever, typeExpression } from './type-expression.js'

/** `schemas.ts`: one TypeBox value and its Static type per named schema. */
export function emitSchemas(api: Api): File {
  const sizes = new Map<string, number>()
  const taken = new Set<string>([...TAKEN_NAMES['schemas.ts'], ...api.schemas.keys()])
  const rows = dependencyOrder(api.schemas).flatMap(({ names, circular }) => {
    if (circular) return circleOfSchemas(names, taken, api)
    return names.map((name) => {
      const schema = api.schemas.get(name)?.schema ?? true
      const comment = commentOf(name, api)
      const size = sizeOf(schema, sizes)
      if (size > LARGEST) return largeSchema(name, schema, comment)
      sizes.set(name, size)
      return code`${comment}
export const ${name} = ${typebox(schema, raw)}
export type ${name} = ${STATIC}<typeof ${name}>`
    })
  })
  const body = join(rows, '\n\n')
  const ours = [
    ...(body.text.includes('OneOf(') ? [ONE_OF] : []),
    ...(body.text.includes('MapOf(') ? [MAP_OF] : []),
  ]
  return file('schemas.ts', join([...ours, body], '\n\n'))
}

const TYPE = imported('Type', 'typebox')
const UNKNOWN = code`${TYPE}.Unknown()`
const STATIC = importedType('Static', 'typebox')

const ONE_OF = code`/** TypeBox's Union is \`anyOf\`; this is the union of which exactly one branch fits. */
const OneOf = <Types extends ${importedType('TSchema', 'typebox')}[]>(types: [...Types], options = {}) =>
  ${TYPE}.Unsafe<${STATIC}<${importedType('TUnion', 'typebox')}<Types>>>({ ...options, oneOf: types })`

const MAP_OF = code`/** TypeBox's Record finds its keys by a pattern that a line break ends; this holds for every key. */
const MapOf = <Value extends ${importedType('TSchema', 'typebox')}>(value: Value, options = {}) =>
  ${TYPE}.Unsafe<{ [key: string]: ${STATIC}<Value> }>({ ...options, type: 'object', additionalProperties: value })`

/**
 * Schemas that refer to each other. TypeBox builds the value, but its Static would be `any`, so the types are written out.
 * The definitions are written once: in each schema, the size would be the square of the number of schemas.
 */
function circleOfSchemas(
  names: readonly string[],
  taken: Set<string>,
  api: Api,
): readonly Fragment[] {
  const inCircle = new Set(names)
  const refer = (other: string) =>
    inCircle.has(other) ? code`${TYPE}.Ref(${string(other)})` : raw(other)
  const schemaOf = (name: string) => api.schemas.get(name)?.schema ?? true
  const members = names.map((name) => code`${name}: ${typebox(schemaOf(name), refer)},`)
  const definitions = code`{\n  ${join(members)}\n}`
  const [first = ''] = names
  const shared = uniqueName(`${camelCase(first)}Circle`, taken)
  const rows = names.map(
    (name) => code`${commentOf(name, api)}
export type ${name} = ${typeExpression(schemaOf(name), raw)}
export const ${name} = ${TYPE}.Unsafe<${name}>(${TYPE}.Cyclic(${shared}, ${string(name)}))`,
  )
  const type = importedType('TSchema', 'typebox')
  return [code`const ${shared}: Record<string, ${type}> = ${definitions}`, ...rows]
}

const commentOf = (name: string, api: Api): Fragment => {
  const schema = api.schemas.get(name)?.schema
  return doc(typeof schema === 'object' ? schema.description : undefined)
}

/**
 * Schemas within one in the type that TypeBox gives it, in which each schema that it names is written out. Where schemas name the
 * one below twice, that type would double at each level.
 */
const LARGEST = 1000

const sizeOf = (schema: Schema, sizes: ReadonlyMap<string, number>): number => {
  if (typeof schema === 'boolean') return 1
  const name = referredName(schema)
  if (name !== undefined) return sizes.get(name) ?? 1
  return subschemas(schema).reduce((sum, one) => sum + sizeOf(one, sizes), 1)
}

/** The same value with the type spelled out, which refers to others by name. */
const largeSchema = (name: string, schema: Schema, comment: Fragment): Fragment => code`${comment}
export type ${name} = ${typeExpression(schema, raw)}
export const ${name} = ${TYPE}.Unsafe<${name}>(
  ${typebox(schema, raw)},
)`

/** The builder call of a schema; `refer` prints a named one. */
function typebox(schema: Schema, refer: (name: string) => Fragment): Fragment {
  if (schema === false || (typeof schema === 'object' && isNever(schema)))
    return code`${TYPE}.Never()`
  if (schema === true) return code`${TYPE}.Unknown()`
  const name = referredName(schema)
  if (name !== undefined) return refer(name)
  const build = (inner: Schema) => typebox(inner, refer)
  const notes = annotations(schema)
  if (!isDivisible(schema)) return unsafe(schema, build)
  if ('const' in schema) return constant(schema.const, notes)
  if (schema.enum) return enumeration(schema.enum, notes)

  const { allOf, anyOf, oneOf, ...own } = schema
  const parts = [
    ...(assertions(own).length > 0 ? [ownType(own, build)] : []),
    ...(allOf ?? []).map(build),
    ...(anyOf ? [union('Type.Union', anyOf.map(build))] : []),
    ...(oneOf ? [union('OneOf', oneOf.map(build))] : []),
  ]
  if (parts.length === 0) return call('Unknown', [], notes)
  if (parts.length === 1 && parts[0]) return parts[0]
  return call('Intersect', [list(parts)], {})
}

function ownType(schema: SchemaObject, build: (inner: Schema) => Fragment): Fragment {
  if (schema.type === undefined) return unsafe(schema, build)
  const names = [schema.type].flat()
  const members = names.map((name) => ofType(name, { ...schema, type: name }, build))
  return members.length === 1 && members[0] ? members[0] : union('Type.Union', members)
}

function ofType(
  name: TypeName,
  schema: SchemaObject,
  build: (inner: Schema) => Fragment,
): Fragment {
  const only = (keys: ReadonlySet<string>) => mapSubschemas(pickedOf(schema, keys), build)
  switch (name) {
    case 'null':
    case 'boolean':
      return call(name === 'null' ? 'Null' : 'Boolean', [], only(COMMON))
    case 'string':
      if (isBinary(schema)) return unsafe(schema, build)
      return call('String', [], only(STRING))
    case 'number':
    case 'integer':
      return call(name === 'number' ? 'Number' : 'Integer', [], only(NUMBER))
    case 'array': {
      if (schema.prefixItems) return unsafe(schema, build)
      const inner = schema.items === undefined ? UNKNOWN : build(schema.items)
      return call('Array', [inner], only(ARRAY))
    }
    case 'object':
      return object(schema, only(OBJECT), build)
  }
}

function object(
  schema: SchemaObject,
  options: Record<string, unknown>,
  build: (inner: Schema) => Fragment,
): Fragment {
  const { properties = {}, required = [], additionalProperties: extra } = schema
  const needed = new Set(required)
  const entries = Object.entries(properties)
  const typed = typeof extra === 'object' || extra === true
  const undeclared = required.some((key) => !Object.hasOwn(properties, key))
  if (schema.patternProperties || undeclared || (typed && entries.length > 0)) {
    return unsafe(schema, build)
  }
  if (entries.length === 0 && extra !== false) {
    const value = typed ? build(extra) : UNKNOWN
    if (value.text === UNKNOWN.text) return call('Record', [code`${TYPE}.String()`, value], options)
    return called('MapOf', [value], options)
  }
  // An array's brackets hold the comment of a property above it, as a person would write it.
  const members = entries.map(([key, value]) => {
    const built = build(value)
    const shown = needed.has(key) ? built : code`${TYPE}.Optional(${built})`
    const comment = typeof value === 'object' ? doc(value.description) : raw('')
    const line = code`${memberName(key)}: ${shown},`
    return comment.text === '' ? line : code`${comment}\n${line}`
  })
  const shape = members.length === 0 ? raw('{}') : code`{\n  ${join(members)}\n}`
  return call('Object', [shape], { ...options, additionalProperties: extra })
}

/** What TypeBox has no builder for: the schema as it is, and the type that it has. */
function unsafe(schema: SchemaObject, build: (inner: Schema) => Fragment): Fragment {
  const type = typeExpression(schema, raw)
  const value = literal(mapSubschemas(withoutNotes(schema), build))
  return code`${TYPE}.Unsafe<${type}>(${value})`
}

const withoutNotes = (schema: SchemaObject) =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !isNote(key))) as SchemaObject

const isNote = (key: string) => key.startsWith('x-') || NOTES.has(key)

const NOTES = new Set([
  ...'description examples deprecated readOnly writeOnly'.split(' '),
  ...CONTENT,
])

function constant(value: unknown, notes: Record<string, unknown>): Fragment {
  if (value === null) return call('Null', [], notes)
  if (['string', 'number', 'boolean'].includes(typeof value)) {
    return call('Literal', [literal(value)], notes)
  }
  return code`${TYPE}.Unsafe<${typeExpression({ const: value }, raw)}>(${literal({ const: value })})`
}

function enumeration(values: readonly unknown[], notes: Record<string, unknown>): Fragment {
  if (values.length === 1) return constant(values[0], notes)
  if (values.every((value) => typeof value === 'string')) {
    return call('Enum', [literal(values)], notes)
  }
  return code`${TYPE}.Unsafe<${typeExpression({ enum: values }, raw)}>(${literal({ enum: values })})`
}

const union = (builder: 'Type.Union' | 'OneOf', members: readonly Fragment[]): Fragment =>
  builder === 'OneOf' ? code`OneOf(${list(members)})` : call('Union', [list(members)], {})

function list(members: readonly Fragment[]): Fragment {
  const flat = code`[${join(members, ', ')}]`
  if (flat.text.length <= 90 && !flat.text.includes('\n')) return flat
  return code`[\n  ${join(members.map((member) => code`${member},`))}\n]`
}

const call = (
  builder: string,
  args: readonly Fragment[],
  options: Record<string, unknown>,
): Fragment => code`${TYPE}.${called(builder, args, options)}`

function called(
  builder: string,
  args: readonly Fragment[],
  options: Record<string, unknown>,
): Fragment {
  const present = Object.values(options).some((value) => value !== undefined)
  const all = [...args, ...(present ? [literal(options, 40)] : [])]
  return code`${builder}(${join(all, ', ')})`
}

/**
 * `title` and `default` are of use at run time; the description is in the comment. TypeBox would
 * assert a `format`, which is an annotation here as everywhere.
 */
const annotations = ({ title, default: value }: SchemaObject): Record<string, unknown> => ({
  title,
  default: value,
})

function pickedOf(schema: SchemaObject, keys: ReadonlySet<string>): SchemaObject {
  const picked: Record<string, unknown> = {}
  for (const key of Object.keys(schema) as (keyof SchemaObject)[])
    if (keys.has(key)) picked[key] = schema[key]
  return picked
}

const COMMON = new Set('title default not if then else'.split(' '))
const besides = (keys: string) => new Set([...COMMON, ...keys.split(/\s+/)])
const STRING = besides('minLength maxLength pattern')
const NUMBER = besides('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf')
const ARRAY = besides('minItems maxItems uniqueItems contains minContains maxContains')
const OBJECT = besides(
  'minProperties maxProperties propertyNames dependentRequired dependentSchemas',
)

/**
 * Whether builders of TypeBox, each for a part of a schema, say together what the schema says: not
 * beside `const` and `enum`, which take no other keyword, nor under `unevaluatedProperties`, which
 * no part sees whole.
 */
function isDivisible(schema: SchemaObject): boolean {
  const said = assertions(schema).filter((key) => key !== 'type')
  if (said.includes('unevaluatedProperties') || said.includes('unevaluatedItems')) return false
  if (!said.includes('const') && !said.includes('enum')) return true
  const values = said.includes('const') ? [schema.const] : (schema.enum ?? [])
  return said.length === 1 && values.every((value) => isOfType(value, schema.type))
}

export const assertions = (schema: SchemaObject): readonly string[] =>
  Object.keys(schema).filter((key) => !key.startsWith('x-') && !ANNOTATIONS.has(key))

function isOfType(value: unknown, types: SchemaObject['type']): boolean {
  if (types === undefined) return true
  return [types].flat().some((type: TypeName) => {
    if (type === 'null') return value === null
    if (type === 'integer') return Number.isInteger(value)
    if (type === 'array') return Array.isArray(value)
    if (type === 'object') {
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    }
    return typeof value === type
  })
}
