import {
  dereference,
  referredName,
  type Schema,
  type SchemaObject,
  subschemas,
  typesIn,
  valuesIn,
} from '../schema/schema.js'
import { inheritSource } from '../schema/source.js'
import type { Api, JsonObject, NamedSchema } from './api.js'
import { entriesOf, isObject } from './json.js'
import { mapSchemas } from './map-schemas.js'
import type { Naming } from './reading.js'

/**
 * The schemas, in which the property of a discriminator has only the values that a `mapping` states for the schema. With
 * `mapping: { cat: Cat }`, `kind: string` of Cat becomes `kind: 'cat'`. So types narrow, and a value fits only its own branch.
 * A schema stays as it is without a mapping, if its property has other values, or if another schema extends it by `allOf`.
 */
export function withDiscriminatorValues(
  schemas: Api['schemas'],
  document: JsonObject,
  naming: Naming,
): Api['schemas'] {
  const stated = statedValues(document, naming)
  if (stated.size === 0) return schemas
  const extended = new Set([...schemas.values()].flatMap(({ schema }) => parentsIn(schema)))
  const rows = [...stated].flatMap(([name, properties]) => {
    const named = schemas.get(name)
    if (!named || extended.has(name)) return []
    return [[name, restricted(named, properties, schemas)] as const]
  })
  return new Map([...schemas, ...rows])
}

type Values = ReadonlyMap<string, readonly string[]>

/** Schema -> property -> the values that the mappings of all discriminators state. */
function statedValues(document: JsonObject, naming: Naming): ReadonlyMap<string, Values> {
  const stated = new Map<string, Map<string, string[]>>()
  mapSchemas(document, (schema) => {
    const { propertyName, mapping } = isObject(schema.discriminator) ? schema.discriminator : {}
    for (const [value, target] of entriesOf(mapping)) {
      const name = naming.get(String(target))
      if (name === undefined || typeof propertyName !== 'string') continue
      const properties = stated.get(name) ?? new Map<string, string[]>()
      const values = properties.get(propertyName) ?? []
      if (!values.includes(value)) values.push(value)
      stated.set(name, properties.set(propertyName, values))
    }
    return schema
  })
  return stated
}

function parentsIn(schema: Schema): readonly string[] {
  const own = typeof schema === 'object' ? (schema.allOf ?? []) : []
  const names = own.flatMap((one) => referredName(one) ?? [])
  return [...names, ...subschemas(schema).flatMap(parentsIn)]
}

function restricted(named: NamedSchema, stated: Values, schemas: Api['schemas']): NamedSchema {
  const { schema } = named
  if (typeof schema === 'boolean' || referredName(schema) !== undefined) return named
  const properties: Record<string, Schema> = {}
  for (const [name, values] of stated) {
    const declared = declarations(schema, name, schemas).map((one) => dereference(one, schemas))
    if (declared.length === 0 || !declared.every((one) => accepts(one, values))) continue
    const own = schema.properties?.[name]
    const known = typeof own === 'object' && own.$ref === undefined ? own : {}
    properties[name] = { ...known, type: 'string', enum: values }
    inheritSource(properties[name], known)
  }
  if (Object.keys(properties).length === 0) return named
  const made = { ...schema, properties: { ...schema.properties, ...properties } }
  inheritSource(made, schema)
  return { ...named, schema: made, discriminated: { schema, values: Object.fromEntries(stated) } }
}

/** The schemas that an object of a schema has for a property, through `allOf`. */
function declarations(schema: Schema, name: string, schemas: Api['schemas']): readonly Schema[] {
  const seen = new Set<Schema>()
  const found: Schema[] = []
  const waiting = [schema]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const one = dereference(next, schemas)
    if (typeof one === 'boolean' || seen.has(one)) continue
    seen.add(one)
    if (one.properties && Object.hasOwn(one.properties, name))
      found.push(one.properties[name] ?? true)
    waiting.push(...(one.allOf ?? []))
  }
  return found
}

/** Whether a string is meant, of which these are values among others. */
function accepts(schema: Schema, values: readonly string[]): boolean {
  if (typeof schema === 'boolean' || KEYWORDS.some((key) => schema[key] !== undefined)) return false
  const known = valuesIn(schema)
  if (known) return known.length > values.length && values.every((one) => known.includes(one))
  return typesIn(schema)?.join() === 'string'
}

const KEYWORDS = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'pattern',
] as const satisfies readonly (keyof SchemaObject)[]
