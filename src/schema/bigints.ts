import type { BigintPlaces } from '../runtime/operation.js'
import { cached } from '../runtime/shared/cached.js'
import {
  everySubschema,
  mapSubschemas,
  referredName,
  type Schema,
  type SchemaObject,
  type Schemas,
  subschemas,
} from './schema.js'

/** Whether `x-bigint` applies: code reads and writes an integer, or null, as bigint. Listed values stay numbers. */
export const isBigint = (schema: SchemaObject): boolean => {
  if (schema['x-bigint'] !== true || schema.enum || 'const' in schema) return false
  const types = [schema.type].flat()
  return types.includes('integer') && types.every((one) => one === 'integer' || one === 'null')
}

/** Whether code reads and writes a text, or null, as a Date. Listed values stay texts. */
export const isDateObject = (schema: SchemaObject): boolean => {
  if (schema['x-date-object'] !== true || schema.enum || 'const' in schema) return false
  return [schema.type].flat().every((one) => one === 'string' || one === 'null')
}

/** The schemas of an Api as validators of JSON read them: dates are texts. */
export const withTextDates = <Named extends { readonly schema: Schema }>(
  schemas: ReadonlyMap<string, Named>,
): ReadonlyMap<string, Named> =>
  new Map([...schemas].map(([name, one]) => [name, { ...one, schema: withoutDates(one.schema) }]))

const withoutDates = (schema: Schema): Schema => {
  if (typeof schema === 'boolean') return schema
  const { 'x-date-object': _, ...others } = schema
  return mapSubschemas(others, withoutDates) as SchemaObject
}

/** Why an Api whose dates are objects does not fit what reads JSON by itself; undefined without such dates. */
export const whyNoDates = (schemas: Schemas): string | undefined =>
  [...schemas.values()].some(({ schema }) =>
    everySubschema(schema).some((one) => typeof one === 'object' && isDateObject(one)),
  )
    ? 'its values are JSON, in which a date is a text: leave out --dates'
    : undefined

/** The names of the schemas that contain or refer to a schema whose values code reads as bigints or dates. */
const markedNames = (schemas: Schemas): ReadonlySet<string> => {
  const marked = new Set<string>()
  const usedBy = new Map<string, Set<string>>()
  for (const [name, { schema }] of schemas) {
    for (const one of everySubschema(schema)) {
      if (typeof one === 'boolean') continue
      if (isBigint(one) || isDateObject(one)) marked.add(name)
      const used = referredName(one)
      if (used !== undefined) cached(usedBy, used, () => new Set()).add(name)
    }
  }
  // The loop also visits elements that are added meanwhile.
  for (const name of marked) for (const user of usedBy.get(name) ?? []) marked.add(user)
  return marked
}

/** The places of bigints and dates in the values of a schema; undefined if there are none. */
export const bigintPlaces = (
  schema: Schema | undefined,
  marked: ReadonlySet<string>,
): BigintPlaces | undefined => {
  if (schema === undefined || typeof schema === 'boolean') return undefined
  const name = referredName(schema)
  if (name !== undefined) return marked.has(name) ? { refs: [name] } : undefined
  const inner = (one: Schema | undefined) => bigintPlaces(one, marked)
  const members = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.prefixItems ?? []).map((one, index): [string, Schema] => [`${index}`, one]),
  ].flatMap(([key, one]) => {
    const places = inner(one)
    return places === undefined ? [] : [[key, places] as const]
  })
  const rest = [schema.items, schema.additionalProperties, schema.unevaluatedProperties]
  const own: BigintPlaces = {
    ...(isBigint(schema) && { isBigint: true }),
    ...(isDateObject(schema) && { isDate: true }),
    ...(members.length > 0 && { properties: Object.fromEntries(members) }),
    ...others([...rest, ...Object.values(schema.patternProperties ?? {})].map(inner)),
  }
  return together([own, ...subschemas(schema, 'in-place').map(inner)])
}

const others = (all: readonly (BigintPlaces | undefined)[]): Pick<BigintPlaces, 'others'> => {
  const places = together(all)
  return places === undefined ? {} : { others: places }
}

/** Merges the places of several schemas for one value. */
export const together = (all: readonly (BigintPlaces | undefined)[]): BigintPlaces | undefined => {
  const present = all.filter((one) => one !== undefined && Object.keys(one).length > 0)
  if (present.length < 2) return present[0]
  const keys = new Set(present.flatMap((one) => Object.keys(one?.properties ?? {})))
  const properties = [...keys].map((key) => [
    key,
    together(present.map((one) => one?.properties?.[key])),
  ])
  const refs = [...new Set(present.flatMap((one) => one?.refs ?? []))]
  return {
    ...(present.some((one) => one?.isBigint) && { isBigint: true }),
    ...(present.some((one) => one?.isDate) && { isDate: true }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...others(present.map((one) => one?.others)),
    ...(refs.length > 0 && { refs }),
  }
}

/** The places of the named schemas that `found` refers to; undefined if there are none. */
export const namedPlaces = (
  found: unknown,
  schemas: Schemas,
): Readonly<Record<string, BigintPlaces>> | undefined => {
  const named: [string, BigintPlaces][] = []
  const names = new Set(refsIn(found))
  // The loop also visits elements that are added meanwhile.
  for (const name of names) {
    const places = bigintPlaces(schemas.get(name)?.schema, markedIn(schemas))
    if (places !== undefined) named.push([name, places])
    for (const ref of refsIn(places)) names.add(ref)
  }
  return named.length === 0 ? undefined : Object.fromEntries(named)
}

/** The names of schemas anywhere in places. */
const refsIn = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, one]) =>
        key === 'refs' && Array.isArray(one) ? one : refsIn(one),
      )

/** `markedNames`, cached, because each operation of an Api needs it. */
export const markedIn = (schemas: Schemas): ReadonlySet<string> =>
  cached(MARKED, schemas, () => markedNames(schemas))

const MARKED = new WeakMap<Schemas, ReadonlySet<string>>()
