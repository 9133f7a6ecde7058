import fc, { type Arbitrary } from 'fast-check'
import type { Schema, SchemaObject, TypeName } from '../../schema/schema.js'
import { arrayOf } from './arbitrary-array.js'
import { objectOf } from './arbitrary-object.js'
import { anyJson, numberOf, textOf } from './arbitrary-scalar.js'
import { joined } from './joined-schemas.js'
import { behind, type Making } from './schema-parts.js'

/**
 * Values that a schema takes, every one of them checked; what the documents show for it comes now and then. Undefined where none
 * can be found, as for a schema that takes nothing, or a pattern that looks ahead and of which no example is shown.
 */
export const valuesOf = (schema: Schema, making: Making): Arbitrary<unknown> | undefined => {
  const { check } = making.checker.schema(schema)
  const raw = builderOf(making)([schema], 0)
  // A filter that lets next to nothing through would never end: what passes is counted first.
  if (raw !== undefined && passing(raw, check) >= LEAST) return raw.filter(check)
  const shown = making.shown(behind(schema, making.schemas)).filter((value) => check(value))
  return shown.length === 0 ? undefined : fc.constantFrom(...shown)
}

/** The same few values each time, those that the documents show first. */
export const samplesOf = (schema: Schema, making: Making): readonly unknown[] => {
  const real = behind(schema, making.schemas)
  const known = sampled.get(making) ?? new Map<Schema, readonly unknown[]>()
  sampled.set(making, known)
  const before = known.get(real)
  if (before !== undefined) return before
  const made = valuesOf(real, making)
  const drawn = made === undefined ? [] : fc.sample(made, { seed: 1, numRuns: 8 })
  const samples = made === undefined ? [] : [...making.shown(real), ...drawn]
  known.set(real, samples)
  return samples
}

const sampled = new WeakMap<Making, Map<Schema, readonly unknown[]>>()

/** Makes values of all schemas of a list at once; `depth` counts properties and items. */
export type Build = (schemas: readonly Schema[], depth: number) => Arbitrary<unknown> | undefined

/** Deeper, nothing is made that may be left out. */
export const isDeep = (depth: number): boolean => depth > 7
const DEEPEST = 14

const TRIED = 40
const LEAST = 3

const passing = (raw: Arbitrary<unknown>, check: (value: unknown) => boolean): number =>
  fc.sample(raw, { seed: 1, numRuns: TRIED }).filter(check).length

const builders = new WeakMap<Making, Build>()

const builderOf = (making: Making): Build => {
  const build = builders.get(making) ?? createBuilder(making)
  builders.set(making, build)
  return build
}

const createBuilder = (making: Making): Build => {
  const { schemas, checker } = making
  const known = new Map<Schema, (Arbitrary<unknown> | undefined)[]>()

  const build: Build = (wanted, depth) => {
    const [only] = wanted
    if (wanted.length !== 1 || only === undefined) return make(wanted, depth)
    const real = behind(only, schemas)
    const byDepth = known.get(real) ?? []
    known.set(real, byDepth)
    if (!(depth in byDepth)) byDepth[depth] = withShown(real, make([real], depth))
    return byDepth[depth]
  }

  const withShown = (real: Schema, made: Arbitrary<unknown> | undefined) => {
    const [first, ...others] = making.shown(real)
    if (first === undefined) return made
    const shown = fc.constantFrom(first, ...others)
    return made === undefined ? shown : fc.oneof({ weight: 3, arbitrary: made }, shown)
  }

  const make: Build = (wanted, depth) => {
    if (depth > DEEPEST) return undefined
    const simple = flattened(wanted, schemas)
    if (simple === undefined) return undefined
    const union = simple.findIndex((one) => one.oneOf ?? one.anyOf ?? one.if !== undefined)
    if (union === -1) return ofTypes(simple, depth)
    const chosen = simple[union] as SchemaObject
    const rest = simple.filter((_, at) => at !== union)
    const made = formsOf(chosen).flatMap((form) => build([...rest, ...form], depth) ?? [])
    return made.length === 0 ? undefined : fc.oneof(...made)
  }

  const ofTypes = (simple: readonly SchemaObject[], depth: number) => {
    const whole = joined(simple)
    const listed = simple.flatMap((one) =>
      'const' in one ? [[one.const]] : one.enum === undefined ? [] : [one.enum],
    )
    const [first] = listed
    if (first !== undefined) {
      const taken = first.filter((value) => simple.every((one) => checker.schema(one).check(value)))
      return taken.length === 0 ? undefined : fc.constantFrom(...taken)
    }
    const made = whole.types.flatMap((type) => ofType(type, whole, depth) ?? [])
    return made.length === 0 ? undefined : fc.oneof(...made)
  }

  const ofType = (type: TypeName | 'any', whole: ReturnType<typeof joined>, depth: number) => {
    switch (type) {
      case 'any':
        return anyJson
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'string':
        return textOf(whole)
      case 'array':
        return arrayOf(whole, depth, build)
      case 'object':
        return objectOf(whole, depth, build)
      default:
        return numberOf(whole, type)
    }
  }

  return build
}

/** The schemas without references and `allOf`; undefined where one of them takes nothing. */
const flattened = (
  wanted: readonly Schema[],
  schemas: Making['schemas'],
): readonly SchemaObject[] | undefined => {
  const flat: SchemaObject[] = []
  for (const one of wanted) {
    const real = behind(one, schemas)
    if (real === false) return undefined
    if (real === true) continue
    const { allOf = [], ...own } = real
    const inner = flattened(allOf, schemas)
    if (inner === undefined) return undefined
    flat.push(own, ...inner)
  }
  return flat
}

/** The ways in which one union, or one condition, of a schema can hold. */
const formsOf = (schema: SchemaObject): readonly (readonly Schema[])[] => {
  if (schema.oneOf !== undefined) {
    const { oneOf, ...rest } = schema
    return oneOf.map((form) => [rest, form])
  }
  if (schema.anyOf !== undefined) {
    const { anyOf, ...rest } = schema
    return anyOf.map((form) => [rest, form])
  }
  const { if: condition = true, then: met = true, else: unmet = true, ...rest } = schema
  return [
    [rest, condition, met],
    [rest, unmet],
  ]
}
