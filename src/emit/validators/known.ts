import type { Api } from '../../model/api.js'
import { cached } from '../../runtime/shared/cached.js'
import { createChecker } from '../../schema/check.js'
import { type JsonType, typeOf } from '../../schema/json-values.js'
import {
  typesIn as declaredTypes,
  isNever,
  referredName,
  type Schema,
  subschemas,
} from '../../schema/schema.js'
import { dependencyOrder, namesIn } from '../order.js'

/** Properties of schemas that are known without a value. */
export type Known = {
  /** The schema that references lead to. */
  readonly resolve: (schema: Schema) => Schema
  /** The name at the end of a chain of references. */
  readonly finalName: (name: string) => string
  /** A value of any other type is rejected. */
  readonly types: (schema: Schema) => ReadonlySet<JsonType>
  /** Whether a closed object in the schema makes the strict and the open reading differ. */
  readonly hasReadings: (schema: Schema) => boolean
  /** Whether a schema refers to itself, directly or through others. */
  readonly isCircular: (name: string) => boolean
  /** The length of the longest chain of references from this schema. */
  readonly heightOf: (name: string) => number
  /** Whether a check of this schema would call so many others that it must cache results. */
  readonly isLarge: (name: string) => boolean
  /** The verdict of the run-time checker on the same schemas. */
  readonly accepts: (schema: Schema, value: unknown) => boolean
}

export function readSchemas(schemas: Api['schemas']): Known {
  const checker = createChecker(schemas)
  const schemaOf = (name: string): Schema => schemas.get(name)?.schema ?? true
  const types = new Map<string, ReadonlySet<JsonType>>()
  const readings = new Set<string>()
  const inCircles = new Set<string>()
  const heights = new Map<string, number>()
  const sizes = new Map<string, number>()
  const large = new Set<string>()
  const finals = new Map<string, string>()

  const finalName = (name: string) => finals.get(name) ?? name
  const resolve = (schema: Schema): Schema => {
    const name = referredName(schema)
    return name === undefined ? schema : schemaOf(finalName(name))
  }
  const typesIn = (schema: Schema): ReadonlySet<JsonType> => {
    const name = referredName(schema)
    return name === undefined ? possibleTypes(schema, typesIn) : (types.get(name) ?? ALL_TYPES)
  }
  const hasReadings = (schema: Schema): boolean =>
    someLoosePart(schema, (part) => {
      const name = referredName(part)
      return name === undefined ? closesObject(part) : readings.has(name)
    })

  // Each group comes after those that it refers to, so their properties are already known.
  for (const { names, circular } of dependencyOrder(schemas)) {
    for (const name of names) {
      const schema = schemaOf(name)
      const next = referredName(schema)
      if (next !== undefined && !names.includes(next)) finals.set(name, finalName(next))
      types.set(name, typesIn(schema))
      if (circular) inCircles.add(name)
    }
    if (names.some((name) => hasReadings(schemaOf(name))))
      for (const one of names) readings.add(one)
    const below = names.flatMap((name) => [...namesIn(schemaOf(name))])
    const height = 1 + below.reduce((most, name) => Math.max(most, heights.get(name) ?? 0), 0)
    for (const name of names) heights.set(name, height)
    for (const name of names) {
      const size = unfoldedSize(schemaOf(name), sizes)
      if (size > MOST_UNFOLDED) large.add(name)
      sizes.set(name, size > MOST_UNFOLDED || circular ? 1 : size)
    }
  }
  return {
    resolve,
    finalName,
    types: memoized(typesIn),
    hasReadings: memoized(hasReadings),
    isCircular: (name) => inCircles.has(name),
    heightOf: (name) => heights.get(name) ?? 0,
    isLarge: (name) => large.has(name),
    accepts: (schema, value) => checker.schema(schema).check(value),
  }
}

/** Schemas that each refer to the next one twice would otherwise check a value 2, 4, 8 … times. */
const MOST_UNFOLDED = 1_000

/** The number of subschemas, where each reference counts as the size of its target. */
const unfoldedSize = (schema: Schema, sizes: ReadonlyMap<string, number>): number => {
  let size = 0
  const waiting: Schema[] = [schema]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const name = referredName(one)
    size += name === undefined ? 1 : (sizes.get(name) ?? 1)
    if (name === undefined) for (const inner of subschemas(one)) waiting.push(inner)
  }
  return size
}

export const ALL_TYPES: ReadonlySet<JsonType> = new Set<JsonType>([
  'string',
  'object',
  'array',
  'number',
  'boolean',
  'null',
])

function possibleTypes(
  schema: Schema,
  typesIn: (schema: Schema) => ReadonlySet<JsonType>,
): ReadonlySet<JsonType> {
  if (typeof schema === 'boolean') return schema ? ALL_TYPES : new Set()
  let left: ReadonlySet<JsonType> = ALL_TYPES
  const keep = (types: Iterable<JsonType>) => {
    const kept = new Set(types)
    left = new Set([...left].filter((type) => kept.has(type)))
  }
  const { required = [], properties = {} } = schema
  if (isNever(schema)) return new Set()
  const declared = declaredTypes(schema)
  if (declared) keep(declared.map((type) => (type === 'integer' ? 'number' : type)))
  if ('const' in schema) keep([typeOf(schema.const)])
  if (schema.enum) keep(schema.enum.map(typeOf))
  for (const part of schema.allOf ?? []) keep(typesIn(part))
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (branches) keep(branches.flatMap((branch) => [...typesIn(branch)]))
  }
  // A required property that allows no value leaves no object.
  const isImpossible = (name: string) =>
    Object.hasOwn(properties, name) && typesIn(properties[name] ?? true).size === 0
  if (required.some(isImpossible)) keep([...left].filter((type) => type !== 'object'))
  return left
}

const closesObject = (schema: Schema): boolean =>
  typeof schema === 'object' &&
  (schema.additionalProperties === false || schema.unevaluatedProperties === false)

/** Caches the results: they do not change, and every level above a schema needs them again. */
function memoized<T>(compute: (schema: Schema) => T): (schema: Schema) => T {
  const known = new WeakMap<object, T>()
  return (schema) =>
    typeof schema === 'boolean' ? compute(schema) : cached(known, schema, () => compute(schema))
}

/** Whether `holds` is true of a schema or a subschema, references included, except for those that are always read strictly. */
function someLoosePart(schema: Schema, holds: (part: Schema) => boolean): boolean {
  const waiting: Schema[] = [schema]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (holds(one)) return true
    if (typeof one === 'boolean' || one.$ref !== undefined) continue
    const { not: _, if: __, propertyNames: ___, ...loose } = one
    for (const inner of subschemas(loose)) waiting.push(inner)
  }
  return false
}
