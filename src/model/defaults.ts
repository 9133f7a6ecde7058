import type { DefaultPlaces, HttpDefaults } from '../runtime/operation.js'
import { type Checker, createChecker } from '../schema/check.js'
import { hasDirectionMark } from '../schema/direction-marks.js'
import { dereference, referredName, type Schema, type Schemas } from '../schema/schema.js'
import type { Api, HttpOperation } from './api.js'

/** The Api with the defaults of what its HTTP operations send, for clients that fill them in. */
export const withSentDefaults = (api: Api): Api => {
  const reading = { schemas: api.schemas, checker: createChecker(api.schemas) }
  return {
    ...api,
    operations: api.operations.map((operation) => {
      const defaults = operation.kind === 'http' ? defaultsOf(operation, reading) : undefined
      return defaults === undefined ? operation : { ...operation, defaults }
    }),
  }
}

type Reading = { readonly schemas: Schemas; readonly checker: Checker }

function defaultsOf(
  { parameters, body }: HttpOperation,
  reading: Reading,
): HttpDefaults | undefined {
  const own = parameters.flatMap((parameter) => {
    const value = parameter.secret === true ? undefined : defaultOf(parameter.schema, reading)
    return value === undefined ? [] : [{ in: parameter.in, name: parameter.name, value }]
  })
  const bodies = Object.fromEntries(
    (body?.content ?? []).flatMap(({ type, schema }) => {
      const places = placesOf(schema, reading)
      return places === undefined ? [] : [[type, places]]
    }),
  )
  const named = namedIn(Object.values(bodies), reading)
  if (own.length + Object.keys(bodies).length === 0) return undefined
  return {
    ...(own.length > 0 && { parameters: own }),
    ...(Object.keys(bodies).length > 0 && { bodies }),
    ...(Object.keys(named).length > 0 && { named }),
  }
}

/** A default that its own schema rejects would make each request invalid; `default-invalid` of lint reports it. */
const defaultOf = (schema: Schema, { schemas, checker }: Reading): unknown => {
  const real = dereference(schema, schemas)
  const value =
    (typeof schema === 'object' ? schema.default : undefined) ??
    (typeof real === 'object' ? real.default : undefined)
  return value !== undefined && checker.schema(schema).check(value) ? value : undefined
}

/**
 * The defaults in the values of a schema; undefined if it has none. Those of alternatives (`oneOf`, `anyOf`, `if`) are left out,
 * because only one of them applies, and so are those of `readOnly` properties, which no request has.
 */
function placesOf(schema: Schema, reading: Reading): DefaultPlaces | undefined {
  if (typeof schema === 'boolean') return undefined
  const value = defaultOf(schema, reading)
  const name = referredName(schema)
  if (name !== undefined) {
    const isEmpty = value === undefined && !hasDefaults(name, reading)
    return isEmpty ? undefined : { ...(value !== undefined && { value }), refs: [name] }
  }
  const members = Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const places = hasDirectionMark(property, reading.schemas, 'readOnly')
      ? undefined
      : placesOf(property, reading)
    return places === undefined ? [] : [[key, places] as const]
  })
  const inner = (one: Schema | undefined) =>
    one === undefined ? undefined : placesOf(one, reading)
  const [items, others] = [
    inner(schema.prefixItems ? undefined : schema.items),
    inner(schema.additionalProperties),
  ]
  const own: DefaultPlaces = {
    ...(value !== undefined && { value }),
    ...(members.length > 0 && { properties: Object.fromEntries(members) }),
    ...(items && { items }),
    ...(others && { others }),
  }
  const all = [own, ...(schema.allOf ?? []).map(inner)].filter(
    (one) => one !== undefined && Object.keys(one).length > 0,
  )
  return all.length < 2 ? all[0] : merged(all as readonly DefaultPlaces[])
}

/** The places of several schemas for one value; the first default of a place counts. */
function merged(all: readonly DefaultPlaces[]): DefaultPlaces {
  const keys = new Set(all.flatMap(({ properties = {} }) => Object.keys(properties)))
  const properties = [...keys].map((key) => {
    const each = all.flatMap(({ properties: own }) => own?.[key] ?? [])
    return [key, merged(each)] as const
  })
  const refs = [...new Set(all.flatMap((one) => one.refs ?? []))]
  return {
    ...Object.assign({}, ...[...all].reverse()),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(refs.length > 0 && { refs }),
  }
}

/** Whether a named schema leads to a default. */
function hasDefaults(name: string, reading: Reading, seen = new Set<string>()): boolean {
  if (seen.has(name)) return false
  seen.add(name)
  const schema = reading.schemas.get(name)?.schema ?? true
  const reaches = (one: Schema): boolean => {
    if (typeof one === 'boolean') return false
    const referred = referredName(one)
    if (referred !== undefined) return hasDefaults(referred, reading, seen)
    const { properties = {}, items, additionalProperties, allOf = [] } = one
    const inner = [...Object.values(properties), items, additionalProperties, ...allOf]
    return one.default !== undefined || inner.some((each) => each !== undefined && reaches(each))
  }
  return reaches(schema)
}

/** The places of the named schemas that others refer to. */
function namedIn(
  roots: readonly DefaultPlaces[],
  reading: Reading,
): Readonly<Record<string, DefaultPlaces>> {
  const found: Record<string, DefaultPlaces> = {}
  const visit = (places: DefaultPlaces): void => {
    for (const name of places.refs ?? []) {
      if (Object.hasOwn(found, name)) continue
      found[name] = placesOf(reading.schemas.get(name)?.schema ?? true, reading) ?? {}
      visit(found[name])
    }
    const { properties = {}, items, others } = places
    for (const one of [...Object.values(properties), items, others]) if (one) visit(one)
  }
  for (const root of roots) visit(root)
  return found
}
