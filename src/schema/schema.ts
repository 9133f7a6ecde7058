import { HELD, mapSubschemas as replaceSubschemas } from '../runtime/validate/subschemas.js'
import type { KeywordsOf, TypeName } from '../runtime/validate.js'
import { isEqual } from './json-values.js'
import { ANNOTATIONS, ASSERTIONS } from './keywords.js'

export { HELD } from '../runtime/validate/subschemas.js'
export type { TypeName } from '../runtime/validate.js'

/**
 * A normalised JSON Schema, 2020-12, whatever its original dialect. A `$ref` is always
 * `#/components/schemas/NAME` with NAME a key of `Api.schemas`, with only annotations next to it.
 */
export type Schema = boolean | SchemaObject

export type SchemaObject = KeywordsOf<Schema> & { readonly $ref?: string }

/** Named schemas, by the names in references. */
export type Schemas = ReadonlyMap<string, { readonly schema: Schema }>

/** The same schema with each direct subschema replaced by the result of `change`. */
export const mapSubschemas: (
  schema: SchemaObject,
  change: (subschema: Schema) => unknown,
) => Record<string, unknown> = replaceSubschemas

/** The schema with only the keywords that affect validation, so that schemas with the same assertions are equal. */
export function withoutAnnotations(schema: Schema): Schema {
  if (typeof schema === 'boolean') return schema
  if (schema.$ref !== undefined) return { $ref: schema.$ref }
  const kept = Object.entries(schema).filter(
    ([key, value]) => value !== undefined && (ASSERTIONS.has(key) || key === 'x-bigint'),
  )
  return mapSubschemas(Object.fromEntries(kept), withoutAnnotations) as SchemaObject
}

/** Every direct subschema; with `in-place`, only those that apply to the same value as the schema itself. */
export function subschemas(schema: Schema, which: 'all' | 'in-place' = 'all'): readonly Schema[] {
  if (typeof schema === 'boolean') return []
  const found: Schema[] = []
  for (const key of Object.keys(schema) as (keyof SchemaObject)[]) {
    const holds = HELD.get(key)
    if (holds === undefined || (which === 'in-place' && !IN_PLACE.has(key))) continue
    const value = schema[key]
    if (holds === 'one') found.push(value as Schema)
    // A list may have more members than a call may have arguments.
    if (holds === 'list') for (const one of value as readonly Schema[]) found.push(one)
    if (holds === 'map')
      for (const one of Object.values(value as Record<string, Schema>)) found.push(one)
  }
  return found
}

/** A schema and all subschemas within it; references are not followed. */
export function everySubschema(schema: Schema): readonly Schema[] {
  const found = [schema]
  // The loop also visits elements that are added meanwhile.
  for (const one of found) for (const inner of subschemas(one)) found.push(inner)
  return found
}

/** The name that a reference refers to: a key of `Api.schemas`. */
export const referredName = (schema: Schema): string | undefined =>
  typeof schema === 'object' ? schema.$ref?.slice(REF.length) : undefined

/** The final target of a schema's references; a cycle of references accepts any value. */
export function dereference(schema: Schema, schemas: Schemas): Schema {
  let at = schema
  for (let hops = 0; hops < 100; hops++) {
    const name = referredName(at)
    if (name === undefined) return at
    at = schemas.get(name)?.schema ?? true
  }
  return true
}

/** Every schema object within schemas, and within those that they refer to. */
export function everyReached(roots: Iterable<Schema>, schemas: Schemas): ReadonlySet<SchemaObject> {
  const found = new Set<SchemaObject>()
  const waiting = [...roots]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const schema = dereference(one, schemas)
    if (typeof schema === 'boolean' || found.has(schema)) continue
    found.add(schema)
    for (const inner of subschemas(schema)) waiting.push(inner)
  }
  return found
}

/** A schema and its branches, references resolved, each of them once; without `not`, which does not describe the value. */
export function inPlace(from: Schema, schemas: Schemas): readonly SchemaObject[] {
  const found = new Set<SchemaObject>()
  const waiting = [from]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const schema = dereference(one, schemas)
    if (typeof schema === 'boolean' || found.has(schema)) continue
    found.add(schema)
    for (const inner of subschemas({ ...schema, not: false }, 'in-place')) waiting.push(inner)
  }
  return [...found]
}

/** Whether a schema accepts no value, by `false` or by `not: {}`, with or without annotations. It is the way to forbid a key. */
export const isNever = (schema: Schema): boolean => {
  if (typeof schema === 'boolean') return !schema
  const { not } = schema
  return not === true || (typeof not === 'object' && Object.keys(not).every(isAnnotation))
}

const isAnnotation = (key: string): boolean => ANNOTATIONS.has(key) || key.startsWith('x-')

/** Whether every value, or no value, that a schema describes is a text. Without a type, properties or items mean another value. */
export function describesText(schema: Schema, schemas: Schemas, which: 'every' | 'no'): boolean {
  const passed = new Set<Schema>()
  const visit = (one: Schema): boolean => {
    const real = dereference(one, schemas)
    if (typeof real === 'boolean' || passed.has(real)) return false
    passed.add(real)
    const isSo = (isText: boolean) => isText === (which === 'every')
    const values = valuesIn(real)
    if (values) return values.every((value) => isSo(typeof value === 'string'))
    const types = typesIn(real)
    if (types) return types.every((type) => isSo(type === 'string'))
    if (which === 'no' && (real.properties ?? real.items ?? real.prefixItems)) return true
    const branches = real.oneOf ?? real.anyOf
    return (branches?.every(visit) ?? false) || (real.allOf?.some(visit) ?? false)
  }
  return visit(schema)
}

export const refTo = (name: string): string => `${REF}${name}`

const REF = '#/components/schemas/'

const IN_PLACE = new Set('allOf anyOf oneOf not if then else dependentSchemas'.split(' '))

/** The types that a schema lists; undefined if it lists none. */
export const typesIn = ({ type }: SchemaObject): readonly TypeName[] | undefined =>
  typeof type === 'string' ? [type] : type

/** The values that a schema lists, a `const` included; undefined if it lists none. */
export const valuesIn = (schema: SchemaObject): readonly unknown[] | undefined =>
  Object.hasOwn(schema, 'const')
    ? (schema.enum?.filter((one) => isEqual(one, schema.const)) ?? [schema.const])
    : schema.enum

/** The keywords that a value can violate. */
export const asserted = (schema: SchemaObject): readonly string[] =>
  Object.keys(schema).filter(
    (key) => ASSERTIONS.has(key) || !(ANNOTATIONS.has(key) || key.startsWith('x-')),
  )

/** Whether a schema without a reference accepts every text: it has no keyword but its type. */
export const acceptsAnyText = (schema: Schema): boolean =>
  schema === true ||
  (typeof schema === 'object' &&
    asserted(schema).every((key) => key === 'type') &&
    (typesIn(schema)?.includes('string') ?? true))
