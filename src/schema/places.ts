import { pointerStep } from '../runtime/shared/pointer.js'
import { isObject } from '../runtime/validate/json-value.js'
import { matchesPattern } from '../runtime/validate/pattern.js'
import { type Making, samplesOf } from './random.js'
import { isNever, referredName, type Schema, type SchemaObject, type Schemas } from './schema.js'

/** One step of a value: a property's name or an item's index. */
export type Step = string | number

/** A schema inside another, and the part of a value that it applies to. */
export type Part = {
  /** Relative to the schema that contains it: `/properties/to`. */
  readonly pointer: string
  readonly schema: Schema
  readonly about:
    | { readonly kind: 'the same' }
    /** The same value, if it has this alternative form. */
    | { readonly kind: 'a form' }
    | { readonly kind: 'at'; readonly step: Step }
    | { readonly kind: 'other items'; readonly from: number }
    | { readonly kind: 'other properties'; readonly takes: (name: string) => boolean }
}

/** All subschemas that constrain the parts of a value; forbidden parts are omitted. */
export const partsOf = (schema: SchemaObject): readonly Part[] => {
  const properties = Object.entries(schema.properties ?? {})
  const patterned = Object.entries(schema.patternProperties ?? {})
  const prefix = schema.prefixItems ?? []
  const takesOther = (name: string) =>
    !Object.hasOwn(schema.properties ?? {}, name) &&
    !patterned.some(([pattern]) => matchesPattern(pattern, name))
  const part = (about: Part['about'], inner: Schema | undefined, ...steps: Step[]): Part[] =>
    inner === undefined || typeof inner === 'boolean' || isNever(inner)
      ? []
      : [{ pointer: steps.map(pointerStep).join(''), schema: inner, about }]
  return [
    ...(schema.allOf ?? []).flatMap((one, at) => part({ kind: 'the same' }, one, 'allOf', at)),
    ...(schema.oneOf ?? []).flatMap((one, at) => part({ kind: 'a form' }, one, 'oneOf', at)),
    ...(schema.anyOf ?? []).flatMap((one, at) => part({ kind: 'a form' }, one, 'anyOf', at)),
    ...(schema.if === undefined
      ? []
      : [
          ...part({ kind: 'a form' }, schema.then, 'then'),
          ...part({ kind: 'a form' }, schema.else, 'else'),
        ]),
    ...properties.flatMap(([name, one]) =>
      part({ kind: 'at', step: name }, one, 'properties', name),
    ),
    ...patterned.flatMap(([pattern, one]) =>
      part(
        { kind: 'other properties', takes: (name) => matchesPattern(pattern, name) },
        one,
        'patternProperties',
        pattern,
      ),
    ),
    ...part(
      { kind: 'other properties', takes: takesOther },
      schema.additionalProperties,
      'additionalProperties',
    ),
    ...prefix.flatMap((one, at) => part({ kind: 'at', step: at }, one, 'prefixItems', at)),
    ...part({ kind: 'other items', from: prefix.length }, schema.items, 'items'),
  ]
}

/** The steps into a value to which a part of its schema applies; empty if the value has no such part. */
export const stepsInto = (value: unknown, { about }: Part): readonly Step[] => {
  if (about.kind === 'at') {
    const { step } = about
    const isThere =
      typeof step === 'number'
        ? Array.isArray(value) && step < value.length
        : isObject(value) && Object.hasOwn(value, step)
    return isThere ? [step] : []
  }
  if (about.kind === 'other items')
    return Array.isArray(value) ? [...value.keys()].filter((at) => at >= about.from) : []
  if (about.kind === 'other properties')
    return isObject(value) ? Object.keys(value).filter(about.takes) : []
  return []
}

/** The value at the end of a path; undefined if the path does not exist. */
export const valueAt = (value: unknown, path: readonly Step[]): unknown =>
  path.reduce<unknown>((at, step) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    return (at as Readonly<Record<Step, unknown>>)[step]
  }, value)

/** The same value with `put` at the end of a path; undefined removes the value there. */
export const withValueAt = (value: unknown, path: readonly Step[], put: unknown): unknown => {
  const [step, ...rest] = path
  if (step === undefined) return put
  if (Array.isArray(value)) {
    const items = [...value]
    const inner = withValueAt(items[Number(step)], rest, put)
    if (inner === undefined) items.splice(Number(step), 1)
    else items[Number(step)] = inner
    return items
  }
  const record = isObject(value) ? value : {}
  const inner = withValueAt(record[step], rest, put)
  const others = Object.entries(record).filter(([name]) => name !== String(step))
  if (inner === undefined) return Object.fromEntries(others)
  // A replaced member keeps its position, so that two requests differ in nothing else.
  return Object.hasOwn(record, step)
    ? Object.fromEntries(
        Object.entries(record).map(([name, old]) => [name, name === String(step) ? inner : old]),
      )
    : Object.fromEntries([...others, [step, inner]])
}

/** A schema within another, and the part of a value that it applies to. */
export type Place = {
  /** Relative to the outermost schema, with references followed: `/prefixItems/0/properties/to`. */
  readonly pointer: string
  readonly schema: SchemaObject
  /** The path in each of `bases`. */
  readonly path: readonly Step[]
  /** Valid values of the outermost schema with a value at the path that fulfils the schema; never empty. */
  readonly bases: readonly unknown[]
}

/**
 * Every place of a schema for which a valid value is found; a named schema is entered once on each path. Values with an
 * optional part are taken from `bases`, and made with `samplesFor` if there are none.
 */
export function* placesOf(
  root: Schema,
  bases: readonly unknown[],
  making: Making,
  samplesFor: (schema: Schema) => readonly unknown[] = (schema) => samplesOf(schema, making),
): Generator<Place> {
  const takes = making.checker.schema(root).check
  /** A valid value with a value of the schema at the end of the path. */
  const made = (from: readonly unknown[], path: readonly Step[], schema: Schema) => {
    for (const base of from.slice(0, 3))
      for (const sample of samplesFor(schema).slice(0, 12)) {
        const whole = withValueAt(base, path, sample)
        if (takes(whole)) return [whole]
      }
    return []
  }

  const enter = (at: At) => {
    let before = at.bases
    return (part: Part): At | undefined => {
      const inner = inside(part, at, before)
      if (inner.bases.length === 0) return undefined
      if (part.about.kind === 'at' && typeof part.about.step === 'number') before = inner.bases
      return { ...inner, pointer: at.pointer + part.pointer }
    }
  }

  const inside = (
    part: Part,
    { path, bases }: At,
    before: readonly unknown[],
  ): Pick<Place, 'path' | 'bases'> => {
    const { about, schema } = part
    if (about.kind === 'the same') return { path, bases }
    if (about.kind === 'a form') {
      const { check } = making.checker.schema(schema)
      const own = bases.filter((base) => check(valueAt(base, path)))
      return { path, bases: own.length > 0 ? own : made(bases, path, schema) }
    }
    for (const base of bases) {
      const [step] = stepsInto(valueAt(base, path), part)
      if (step === undefined) continue
      const there = bases.filter((one) => valueAt(one, [...path, step]) !== undefined)
      return { path: [...path, step], bases: there }
    }
    const steps =
      about.kind === 'at'
        ? [about.step]
        : about.kind === 'other items'
          ? [about.from]
          : namesFor(part, valueAt(bases[0], path))
    for (const step of steps) {
      const bases = made(before, [...path, step], schema)
      if (bases.length > 0) return { path: [...path, step], bases }
    }
    return { path, bases: [] }
  }

  /** Names for a further property of a value; names in examples are not used, because their kind is unknown. */
  const namesFor = ({ about }: Part, value: unknown): readonly string[] =>
    about.kind !== 'other properties' || !isObject(value) ? [] : PLAIN_NAMES.filter(about.takes)

  const [...valid] = bases.filter((base) => takes(base))
  const known = valid.length > 0 ? valid : samplesFor(root).filter((base) => takes(base))
  if (known.length === 0) return
  yield* walk(root, { pointer: '', path: [], bases: known.slice(0, MOST) }, making.schemas, enter)
}

type At = Omit<Place, 'schema'>

const MOST = 24

const PLAIN_NAMES = ['name', 'x-name', '0', '_']

/** Every place that a schema declares, even if no value is found for it: for the coverage figure. */
export const declaredPlaces = (
  root: Schema,
  schemas: Schemas,
): Generator<Pick<Place, 'pointer' | 'schema'>> =>
  walk(root, { pointer: '' }, schemas, (at) => (part) => ({ pointer: at.pointer + part.pointer }))

/** Each schema within a schema; a named one is entered once on each path. `enter` locates a part; undefined omits it. */
function* walk<Where>(
  schema: Schema,
  at: Where,
  schemas: Schemas,
  enter: (at: Where) => (part: Part) => Where | undefined,
  above: ReadonlySet<string> = new Set(),
): Generator<Where & { readonly schema: SchemaObject }> {
  const name = referredName(schema)
  if (name !== undefined) {
    const target = schemas.get(name)?.schema ?? true
    if (!above.has(name)) yield* walk(target, at, schemas, enter, new Set([...above, name]))
  } else if (typeof schema === 'object') {
    yield { ...at, schema }
    const into = enter(at)
    for (const part of partsOf(schema)) {
      const inner = into(part)
      if (inner !== undefined) yield* walk(part.schema, inner, schemas, enter, above)
    }
  }
}
