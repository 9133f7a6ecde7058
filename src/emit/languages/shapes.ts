import type { Api } from '../../model/api.js'
import { pointerStep, segmentsOf } from '../../runtime/shared/pointer.js'
import { type DirectionMark, hasDirectionMark } from '../../schema/direction-marks.js'
import {
  dereference,
  isNever,
  referredName,
  type Schema,
  type SchemaObject,
  type Schemas,
} from '../../schema/schema.js'

/** A schema, and where it is in operations.json. */
export type PlacedSchema = { readonly schema: Schema; readonly place: string }

/** A property of an object, in the alternatives of one schema. */
export type ObjectProperty = PlacedSchema & { readonly name: string; readonly required: boolean }

/** The schema that a reference leads to, at its own place. */
export const resolvedPlace = (placed: PlacedSchema, schemas: Schemas): PlacedSchema => {
  let at = placed
  for (let hops = 0; hops < 100; hops++) {
    const name = referredName(at.schema)
    if (name === undefined) return at
    at = placedName(name, schemas)
  }
  return at
}

/** A named schema, at its place. */
export const placedName = (name: string, schemas: Schemas): PlacedSchema => ({
  schema: schemas.get(name)?.schema ?? true,
  place: `/schemas${pointerStep(name)}`,
})

/** Whether a schema with a reference says more than annotations. */
export const hasShape = (schema: SchemaObject): boolean =>
  ['properties', 'allOf', 'oneOf', 'anyOf', 'items', 'type', 'enum', 'const'].some(
    (key) => key in schema,
  )

/** The types of a schema that states none, by its other keywords. */
export const guessedTypes = (schema: SchemaObject): readonly string[] =>
  schema.properties || schema.patternProperties || schema.additionalProperties !== undefined
    ? ['object']
    : schema.items !== undefined || schema.prefixItems !== undefined
      ? ['array']
      : []

/** The branches of a union, and their keyword. */
export const unionOf = (schema: SchemaObject) =>
  schema.oneOf !== undefined
    ? ({ key: 'oneOf', branches: schema.oneOf } as const)
    : schema.anyOf !== undefined
      ? ({ key: 'anyOf', branches: schema.anyOf } as const)
      : undefined

/** One object of a union, and the schema that tells it from the others. */
export type Alternative = {
  readonly properties: readonly ObjectProperty[]
  readonly at: PlacedSchema
}

/** Whether a union is next to properties or `allOf`, so that each branch has them too. */
export const mergesObjects = ({ schema }: PlacedSchema, schemas: Schemas): boolean => {
  if (typeof schema === 'boolean') return false
  return (
    schema.properties !== undefined ||
    (schema.allOf ?? []).some((one) => hasProperties(one, schemas, 0))
  )
}

const hasProperties = (schema: Schema, schemas: Schemas, depth: number): boolean => {
  const real = dereference(schema, schemas)
  if (typeof real === 'boolean' || depth > 20) return false
  return (
    real.properties !== undefined ||
    [real.allOf, real.oneOf, real.anyOf].some((list) =>
      list?.some((one) => hasProperties(one, schemas, depth + 1)),
    )
  )
}

/**
 * The objects that a schema describes, each with all of its properties; undefined if it does not describe properties, or more
 * alternatives than a reader of the code could use.
 */
export const objectAlternatives = (
  placed: PlacedSchema,
  schemas: Api['schemas'],
  depth = 0,
): readonly Alternative[] | undefined => {
  const { schema, place } = resolvedPlace(placed, schemas)
  if (typeof schema === 'boolean' || depth > 20) return undefined
  const kinds = schema.type === undefined ? ['object'] : [schema.type].flat()
  if (!kinds.includes('object') || kinds.length > 1) return undefined
  const omitted = omittedAt(place, schemas)
  const own = Object.entries(schema.properties ?? {}).flatMap(
    ([name, one]): readonly ObjectProperty[] =>
      omitted !== undefined && hasDirectionMark(one, schemas, omitted)
        ? []
        : [
            {
              name,
              schema: one,
              place: `${place}/properties${pointerStep(name)}`,
              required: false,
            },
          ],
  )
  const parts = (schema.allOf ?? []).flatMap((one, at) => {
    const found = objectAlternatives(
      { schema: one, place: `${place}/allOf/${at}` },
      schemas,
      depth + 1,
    )
    return found === undefined ? [] : [found]
  })
  const union = unionOf(schema)
  const branches = union?.branches.flatMap((one, at) => {
    const found = objectAlternatives(
      { schema: one, place: `${place}/${union.key}/${at}` },
      schemas,
      depth + 1,
    )
    return found ?? []
  })
  const whole: PlacedSchema = { schema, place }
  const required = new Set(schema.required ?? [])
  let found: readonly Alternative[] = [{ properties: own, at: whole }]
  for (const part of [...parts, ...(branches?.length ? [branches] : [])]) {
    const isChoice = part.length > 1
    if (found.length * part.length > MOST_ALTERNATIVES) {
      // One object that may have the properties of all.
      const all = part.map(({ properties }) =>
        properties.map((one) => ({ ...one, required: false })),
      )
      found = found.map((one) => ({ ...one, properties: merged(one.properties, all.flat()) }))
      continue
    }
    found = found.flatMap((one) =>
      part.map((other) => ({
        properties: merged(one.properties, other.properties),
        at: isChoice ? other.at : one.at,
      })),
    )
  }
  if (found.every(({ properties }) => properties.length === 0)) return undefined
  return found.map(({ properties, at }) => ({
    // A property that accepts no value is forbidden.
    properties: properties
      .filter((one) => !isNever(one.schema))
      .map((one) => ({ ...one, required: one.required || required.has(one.name) })),
    at,
  }))
}

const MOST_ALTERNATIVES = 40

/**
 * The properties that the type of a schema does not have: in requests those with `readOnly`, in responses those with `writeOnly`. A
 * named schema that differs is there once for each direction. Params and results of methods have all.
 */
const omittedAt = (place: string, schemas: Api['schemas']): DirectionMark | undefined => {
  const [document, name = '', part] = segmentsOf(place)
  if (document === 'schemas') return schemas.get(name)?.omits
  if (document !== 'http') return undefined
  return part === 'responses' ? 'writeOnly' : 'readOnly'
}

/** The later declaration of a property is the narrower one, unless it accepts everything. */
const merged = (
  left: readonly ObjectProperty[],
  right: readonly ObjectProperty[],
): readonly ObjectProperty[] => {
  const all = new Map(left.map((one) => [one.name, one]))
  for (const one of right) {
    const before = all.get(one.name)
    const isEmpty = one.schema === true || Object.keys(Object(one.schema)).length === 0
    const kept = before !== undefined && isEmpty ? before : one
    all.set(one.name, { ...kept, required: one.required || (before?.required ?? false) })
  }
  return [...all.values()]
}
