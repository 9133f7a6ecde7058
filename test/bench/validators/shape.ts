import type { Schema, SchemaObject } from '../../../src/schema/schema.js'

/**
 * A schema in the words that all libraries share: references followed, `allOf` merged into one object, a union that one member
 * tells apart marked with its name. So each library describes as strictly as it can what it is fastest at, and none is held
 * back by the way the documents happen to be written. Throws at whatever it has no word for.
 */
export function shapeOf(schema: Schema, definitions: Readonly<Record<string, Schema>>): Shape {
  const known = new Map<string, Shape>()
  const read = (given: Schema): Shape => {
    if (given === true) return { kind: 'any' }
    if (given === false) return { kind: 'never' }
    const { $ref } = given
    if ($ref === undefined) return readObject(given, read)
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    const target = definitions[name]
    if (target === undefined) throw new Error(`${$ref} leads nowhere`)
    const shape = known.get(name) ?? read(target)
    known.set(name, shape)
    return shape
  }
  return read(schema)
}

export type Shape =
  | { readonly kind: 'any' | 'never' | 'null' | 'boolean' | 'number' }
  | { readonly kind: 'string'; readonly pattern?: string; readonly minLength?: number }
  | { readonly kind: 'literals'; readonly values: readonly (string | number | boolean | null)[] }
  | List
  | Tuple
  | ObjectShape
  | Union

type List = {
  readonly kind: 'list'
  readonly items: Shape
  readonly least: number
  readonly most?: number
}

type Tuple = { readonly kind: 'tuple'; readonly items: readonly Shape[]; readonly least: number }

export type ObjectShape = {
  readonly kind: 'object'
  readonly isClosed: boolean
  readonly members: readonly Member[]
}

export type Member = { readonly name: string; readonly shape: Shape; readonly isRequired: boolean }

type Union = {
  readonly kind: 'union'
  readonly branches: readonly Shape[]
  /** The member whose value tells the branches apart. */
  readonly tag?: string
}

type Read = (schema: Schema) => Shape

const KNOWN = new Set(
  `type enum const pattern minLength items prefixItems minItems maxItems properties required additionalProperties allOf
  anyOf oneOf not title description default examples`.split(/\s+/),
)

function readObject(schema: SchemaObject, read: Read): Shape {
  const unknown = Object.keys(schema).filter((key) => !KNOWN.has(key) && !key.startsWith('x-'))
  if (unknown.length > 0) throw new Error(`no word for ${unknown.join(', ')}`)
  const { type, allOf } = schema
  if (allOf !== undefined) return merged(allOf.map(read))
  const union = schema.anyOf ?? schema.oneOf
  if (union !== undefined) return unionOf(union.map(read))
  if (schema.not !== undefined) {
    if (Object.keys(schema.not).length > 0) throw new Error('no word for not')
    return { kind: 'never' }
  }
  if (schema.const !== undefined) return literals([schema.const])
  if (schema.enum !== undefined) return literals(schema.enum)
  if (Array.isArray(type)) return unionOf(type.map((one) => read({ type: one })))
  if (type === 'object') return objectOf(schema, read)
  if (type === 'array') return listOf(schema, read)
  if (type === 'string') {
    const { pattern, minLength } = schema
    return {
      kind: 'string',
      ...(pattern !== undefined && { pattern }),
      ...(minLength !== undefined && { minLength }),
    }
  }
  if (type === 'null' || type === 'boolean' || type === 'number') return { kind: type }
  if (type === undefined) return { kind: 'any' }
  throw new Error(`no word for type ${type}`)
}

const literals = (values: readonly unknown[]): Shape => ({
  kind: 'literals',
  values: values as readonly (string | number | boolean | null)[],
})

function listOf(schema: SchemaObject, read: Read): Shape {
  const least = schema.minItems ?? 0
  if (schema.prefixItems !== undefined) {
    if (schema.items !== false) throw new Error('no word for open tuples')
    return { kind: 'tuple', items: schema.prefixItems.map(read), least }
  }
  const most = schema.maxItems
  return {
    kind: 'list',
    items: read(schema.items ?? true),
    least,
    ...(most !== undefined && { most }),
  }
}

function objectOf(schema: SchemaObject, read: Read): ObjectShape {
  const isClosed = schema.additionalProperties === false
  const members = Object.entries(schema.properties ?? {})
    .map(([name, member]) => ({
      name,
      shape: read(member),
      isRequired: schema.required?.includes(name) ?? false,
    }))
    // What is forbidden in a closed object is merely not declared.
    .filter(({ shape }) => !(isClosed && shape.kind === 'never'))
  return { kind: 'object', isClosed, members }
}

/** One open object of the members of several. A member that two of them name keeps the narrower shape, the later one. */
function merged(shapes: readonly Shape[]): ObjectShape {
  const members = new Map<string, Member>()
  for (const shape of shapes) {
    if (shape.kind !== 'object' || shape.isClosed) throw new Error('no word for such an allOf')
    for (const member of shape.members) {
      const isRequired = member.isRequired || (members.get(member.name)?.isRequired ?? false)
      members.set(member.name, { ...member, isRequired })
    }
  }
  return { kind: 'object', isClosed: false, members: [...members.values()] }
}

function unionOf(branches: readonly Shape[]): Shape {
  const objects = branches.filter((branch): branch is ObjectShape => branch.kind === 'object')
  const tags = (objects.length === branches.length ? objects[0]?.members : [])?.filter(
    ({ name }) => {
      const values = objects.map((object) => tagValue(object, name))
      return !values.includes(undefined) && new Set(values).size === values.length
    },
  )
  const tag = tags?.[0]?.name
  return { kind: 'union', branches, ...(tag !== undefined && { tag }) }
}

function tagValue(object: ObjectShape, name: string): unknown {
  const member = object.members.find((one) => one.name === name)
  if (!member?.isRequired || member.shape.kind !== 'literals') return undefined
  return member.shape.values.length === 1 ? member.shape.values[0] : undefined
}
