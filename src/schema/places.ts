import { pointerStep } from '../runtime/shared/pointer.js'
import { isObject } from '../runtime/validate/json-value.js'
import { matchesPattern } from '../runtime/validate/pattern.js'
import { type DirectionMark, hasDirectionMark } from './direction-marks.js'
import { type Making, samplesOf } from './random.js'
import { isNever, referredName, type Schema, type SchemaObject, type Schemas } from './schema.js'

/** One step of a value: a property's name or an item's index. */
export type ValueStep = string | number

/** A schema inside another, and the part of a value that it applies to. */
export type Subschema = {
  /** Relative to the schema that contains it: `/properties/to`. */
  readonly pointer: string
  readonly schema: Schema
  readonly about:
    | { readonly kind: 'the same' }
    /** The same value, if it has this alternative form. */
    | { readonly kind: 'a form' }
    | { readonly kind: 'at'; readonly step: ValueStep }
    | { readonly kind: 'other items'; readonly from: number }
    | { readonly kind: 'other properties'; readonly takes: (name: string) => boolean }
}

/** All subschemas that constrain the parts of a value; forbidden parts are omitted. */
export const subschemasOf = (schema: SchemaObject): readonly Subschema[] => {
  const properties = Object.entries(schema.properties ?? {})
  const patterned = Object.entries(schema.patternProperties ?? {})
  const prefix = schema.prefixItems ?? []
  const takesOther = (name: string) =>
    !Object.hasOwn(schema.properties ?? {}, name) &&
    !patterned.some(([pattern]) => matchesPattern(pattern, name))
  const part = (
    about: Subschema['about'],
    inner: Schema | undefined,
    ...steps: ValueStep[]
  ): Subschema[] =>
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
export const stepsInto = (value: unknown, { about }: Subschema): readonly ValueStep[] => {
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
export const valueAtPath = (value: unknown, path: readonly ValueStep[]): unknown =>
  path.reduce<unknown>((at, step) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    return (at as Readonly<Record<ValueStep, unknown>>)[step]
  }, value)

/** The same value with `put` at the end of a path; undefined removes the value there. */
export const withValueAt = (value: unknown, path: readonly ValueStep[], put: unknown): unknown => {
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
export type SchemaPlace = {
  /** Relative to the outermost schema, with references followed: `/prefixItems/0/properties/to`. */
  readonly pointer: string
  readonly schema: SchemaObject
  /** The path in each of `bases`. */
  readonly path: readonly ValueStep[]
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
): Generator<SchemaPlace> {
  const takes = making.checker.schema(root).check
  /** A valid value with a value of the schema at the end of the path. */
  const made = (from: readonly unknown[], path: readonly ValueStep[], schema: Schema) => {
    for (const base of from.slice(0, 3))
      for (const sample of samplesFor(schema).slice(0, 12)) {
        const whole = withValueAt(base, path, sample)
        if (takes(whole)) return [whole]
      }
    return []
  }

  const enter = (at: At) => {
    let before = at.bases
    return (part: Subschema): At | undefined => {
      const inner = inside(part, at, before)
      if (inner.bases.length === 0) return undefined
      if (part.about.kind === 'at' && typeof part.about.step === 'number') before = inner.bases
      return { ...inner, pointer: at.pointer + part.pointer }
    }
  }

  const inside = (
    part: Subschema,
    { path, bases }: At,
    before: readonly unknown[],
  ): Pick<SchemaPlace, 'path' | 'bases'> => {
    const { about, schema } = part
    if (about.kind === 'the same') return { path, bases }
    if (about.kind === 'a form') {
      const { check } = making.checker.schema(schema)
      const own = bases.filter((base) => check(valueAtPath(base, path)))
      return { path, bases: own.length > 0 ? own : made(bases, path, schema) }
    }
    for (const base of bases) {
      const [step] = stepsInto(valueAtPath(base, path), part)
      if (step === undefined) continue
      const there = bases.filter((one) => valueAtPath(one, [...path, step]) !== undefined)
      return { path: [...path, step], bases: there }
    }
    const steps =
      about.kind === 'at'
        ? [about.step]
        : about.kind === 'other items'
          ? [about.from]
          : namesFor(part, valueAtPath(bases[0], path))
    for (const step of steps) {
      const bases = made(before, [...path, step], schema)
      if (bases.length > 0) return { path: [...path, step], bases }
    }
    return { path, bases: [] }
  }

  /** Names for a further property of a value; names in examples are not used, because their kind is unknown. */
  const namesFor = ({ about }: Subschema, value: unknown): readonly string[] =>
    about.kind !== 'other properties' || !isObject(value) ? [] : PLAIN_NAMES.filter(about.takes)

  const [...valid] = bases.filter((base) => takes(base))
  const known = valid.length > 0 ? valid : samplesFor(root).filter((base) => takes(base))
  if (known.length === 0) return
  yield* walk(root, { pointer: '', path: [], bases: known.slice(0, MOST) }, making.schemas, enter)
}

type At = Omit<SchemaPlace, 'schema'>

const MOST = 24

const PLAIN_NAMES = ['name', 'x-name', '0', '_']

/**
 * Whether a schema marks the value at the end of a path, or one around it, as `readOnly` or `writeOnly`. One alternative that
 * does is enough.
 */
export const isMarkedOnPath = (
  root: Schema,
  path: readonly ValueStep[],
  mark: DirectionMark,
  schemas: Schemas,
): boolean =>
  declarationsAlong(root, path, schemas).some((all) =>
    all.some((same) => same.some((one) => one[mark] === true)),
  )

/** The same, if every declaration of a value on the path marks all of its values: a value of any alternative is of one direction only. */
export const isAlwaysMarked = (
  root: Schema,
  path: readonly ValueStep[],
  mark: DirectionMark,
  schemas: Schemas,
): boolean =>
  declarationsAlong(root, path, schemas).some(
    (all) =>
      all.length > 0 &&
      all.every(([one]) => one !== undefined && hasDirectionMark(one, schemas, mark)),
  )

/** For each step of a path, the declarations of the value there, each with all that constrain the same value. */
function declarationsAlong(
  root: Schema,
  path: readonly ValueStep[],
  schemas: Schemas,
): readonly (readonly (readonly SchemaObject[])[])[] {
  let here = withSame(root, schemas)
  return path.map((step) => {
    const inside = here.flatMap(subschemasOf).filter((part) => appliesTo(part, step))
    const all = inside.map(({ schema }) => withSame(schema, schemas))
    here = all.flat()
    return all
  })
}

const appliesTo = ({ about }: Subschema, step: ValueStep): boolean => {
  if (about.kind === 'at') return about.step === step
  if (about.kind === 'other items') return typeof step === 'number' && step >= about.from
  return about.kind === 'other properties' && typeof step === 'string' && about.takes(step)
}

/** A schema and all that constrain the same value: references followed, with each alternative. */
const withSame = (schema: Schema, schemas: Schemas): readonly SchemaObject[] => {
  const found = new Set<SchemaObject>()
  const add = (one: Schema): void => {
    if (typeof one === 'boolean' || found.has(one)) return
    found.add(one)
    const name = referredName(one)
    if (name !== undefined) add(schemas.get(name)?.schema ?? true)
    for (const part of subschemasOf(one))
      if (part.about.kind === 'the same' || part.about.kind === 'a form') add(part.schema)
  }
  add(schema)
  return [...found]
}

/** Every place that a schema declares, even if no value is found for it: for the coverage figure. */
export const declaredPlaces = (
  root: Schema,
  schemas: Schemas,
): Generator<Marked & Pick<SchemaPlace, 'schema'>> =>
  walk<Marked>(root, { pointer: '', isReadOnly: false }, schemas, (at) => (part) => {
    const isOwn = withSame(part.schema, schemas).some(({ readOnly }) => readOnly === true)
    const isReadOnly = at.isReadOnly || (isOwn && part.about.kind !== 'a form')
    return { pointer: at.pointer + part.pointer, isReadOnly }
  })

type Marked = Pick<SchemaPlace, 'pointer'> & { readonly isReadOnly: boolean }

/** Each schema within a schema; a named one is entered once on each path. `enter` locates a part; undefined omits it. */
function* walk<Where>(
  schema: Schema,
  at: Where,
  schemas: Schemas,
  enter: (at: Where) => (part: Subschema) => Where | undefined,
  above: ReadonlySet<string> = new Set(),
): Generator<Where & { readonly schema: SchemaObject }> {
  const name = referredName(schema)
  if (name !== undefined) {
    const target = schemas.get(name)?.schema ?? true
    if (!above.has(name)) yield* walk(target, at, schemas, enter, new Set([...above, name]))
  } else if (typeof schema === 'object') {
    yield { ...at, schema }
    const into = enter(at)
    for (const part of subschemasOf(schema)) {
      const inner = into(part)
      if (inner !== undefined) yield* walk(part.schema, inner, schemas, enter, above)
    }
  }
}
