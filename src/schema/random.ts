import fc, { type Arbitrary } from 'fast-check'
import { cached } from '../runtime/shared/cached.js'
import { compilePattern } from '../runtime/validate.js'
import type { Checker } from './check.js'
import { createLooseShaping, unlessTooMany } from './flatten.js'
import { likelyShapes } from './likely-shapes.js'
import { childOf, createSide, keywordsOf, madeNode, nodeOf, type Terms, termsKey } from './node.js'
import { commonStep, rangeOf, tidyNumber } from './number-range.js'
import { dereference, type Schema, type Schemas } from './schema.js'
import type { Shape } from './shape.js'
import { arrayView, objectView, stringTerms } from './views.js'

/** The context in which values are made and validated. */
export type Making = {
  readonly schemas: Schemas
  readonly checker: Checker
  /** Valid values in the documents for a schema; references of the schema are already resolved. */
  readonly shown: (schema: Schema) => readonly unknown[]
}

/**
 * Random values of a schema, all of them validated; examples of the documents are included. Undefined if no value is
 * found: nothing fulfils the schema, or a pattern with lookarounds has no example.
 */
export const arbitraryOf = (schema: Schema, making: Making): Arbitrary<unknown> | undefined => {
  const { check } = making.checker.schema(schema)
  const raw = builderOf(making)(schema)
  // A filter that rejects almost all values would never end, so the accepted ones are counted first.
  if (raw !== undefined && passing(raw, check) >= LEAST) return raw.filter(check)
  const shown = making.shown(dereference(schema, making.schemas)).filter((value) => check(value))
  return shown.length === 0 ? undefined : fc.constantFrom(...shown)
}

/** A few values, the same for each call; examples of the documents are first. */
export const samplesOf = (schema: Schema, making: Making): readonly unknown[] => {
  const real = dereference(schema, making.schemas)
  const known = cached(sampled, making, () => new Map<Schema, readonly unknown[]>())
  return cached(known, real, () => {
    const made = arbitraryOf(real, making)
    const drawn = made === undefined ? [] : fc.sample(made, { seed: 1, numRuns: 8 })
    return made === undefined ? [] : [...making.shown(real), ...drawn]
  })
}

const sampled = new WeakMap<Making, Map<Schema, readonly unknown[]>>()

const TRIED = 40
const LEAST = 3

const passing = (raw: Arbitrary<unknown>, check: (value: unknown) => boolean): number =>
  fc.sample(raw, { seed: 1, numRuns: TRIED }).filter(check).length

type Builder = (schema: Schema) => Arbitrary<unknown> | undefined

const builders = new WeakMap<Making, Builder>()

const builderOf = (making: Making): Builder => cached(builders, making, () => createBuilder(making))

/** The maximum number of alternatives; values are drawn from the first ones. */
const MOST_SHAPES = 256

/** At a greater depth, optional members are omitted. */
const DEEP = 7
const DEEPEST = 14

function createBuilder({ schemas, shown }: Making): Builder {
  const side = createSide(schemas)
  const { shapesOf } = createLooseShaping(MOST_SHAPES)
  const known = new Map<string, Arbitrary<unknown> | undefined>()

  /** Values of which most fulfil the terms; `depth` counts properties and items. */
  function build(terms: Terms, depth: number): Arbitrary<unknown> | undefined {
    const key = `${depth} ${termsKey(terms)}`
    if (!known.has(key)) known.set(key, withShown(terms, depth > DEEPEST ? [] : made(terms, depth)))
    return known.get(key)
  }

  function withShown(terms: Terms, made: readonly Arbitrary<unknown>[]) {
    const [only, ...others] = terms
    const values = only && others.length === 0 ? shown(dereference(only.schema, schemas)) : []
    const examples = values.length === 0 ? [] : [fc.constantFrom(...values)]
    const [one = examples[0], ...more] = made
    if (one === undefined || one === examples[0]) return one
    const all = more.length === 0 ? one : fc.oneof(one, ...more)
    return examples[0] ? fc.oneof({ weight: 3, arbitrary: all }, examples[0]) : all
  }

  function made(terms: Terms, depth: number): readonly Arbitrary<unknown>[] {
    const likely = unlessTooMany(() => likelyShapes(shapesOf(terms))) ?? []
    return likely.flatMap(({ parts, shapes, isAnyType }) => {
      if (isAnyType) return [ANY_JSON]
      return shapes.flatMap((shape) => ofShape(shape, parts, depth) ?? [])
    })
  }

  function ofShape({ type, values }: Shape, parts: Terms, depth: number) {
    if (values) return fc.constantFrom(...values)
    if (type === 'string') return textOf(parts)
    if (type === 'number') return numberOf(parts)
    return type === 'array' ? arrayOf(parts, depth) : objectOf(parts, depth)
  }

  /** Arrays up to the maximum length, starting with the items of a prefix and those that `contains` requires. */
  function arrayOf(parts: Terms, depth: number): Arbitrary<unknown[]> | undefined {
    const { least, most, places, at, isUnique } = arrayView(parts)
    if (least > most || least > MOST_ITEMS) return undefined
    const prefix: Arbitrary<unknown>[] = []
    while (prefix.length < Math.min(places, most)) {
      const item = build(at(prefix.length), depth + 1)
      if (item === undefined) break
      prefix.push(item)
    }
    const wanted = parts.flatMap((part) => {
      const { contains, minContains = 1 } = keywordsOf(part)
      if (contains === undefined || minContains > MOST_ITEMS) return []
      const item = build([childOf(part, contains)], depth + 1)
      return item && minContains > 0 ? [fc.tuple(...Array(minContains).fill(item))] : []
    })
    const fewest = Math.max(0, least - prefix.length)
    const longest = depth > DEEP ? fewest : Math.min(most - prefix.length, fewest + 3)
    // Without a schema for further items, none are needed.
    const hasMore = longest > 0 && (at(places).length > 0 || fewest > 0)
    const item = hasMore ? build(at(places), depth + 1) : undefined
    if (item === undefined && fewest > 0) return undefined
    const more =
      item === undefined || prefix.length < places
        ? fc.constant([])
        : listOf(item, fewest, longest, isUnique)
    const shortest = depth > DEEP || longest > 0 ? Math.min(least, prefix.length) : least
    const starts = lengths(shortest, prefix.length).map((length) =>
      fc.tuple(...prefix.slice(0, length)),
    )
    return fc
      .tuple(fc.oneof(...starts), more, fc.tuple(...wanted))
      .map(([start, items, must]) => [
        ...start,
        ...must.flat(),
        ...(start.length === prefix.length ? items : []),
      ])
  }

  /** Objects with the required properties, and sometimes with optional and undeclared ones. */
  function objectOf(parts: Terms, depth: number): Arbitrary<unknown> | undefined {
    const view = objectView(parts)
    const model: Record<string, Arbitrary<unknown>> = Object.create(null)
    for (const name of view.names) {
      const isRequired = view.required.has(name)
      if (!isRequired && (depth > DEEP || !view.allows(name))) continue
      const value = build(view.at(name), depth + 1)
      if (value !== undefined) model[name] = value
      else if (isRequired) return undefined
    }
    const requiredKeys = Object.keys(model).filter((name) => view.required.has(name))
    const named = fc.record(model, { requiredKeys, noNullPrototype: true })
    const missing = Math.max(0, view.least - requiredKeys.length)
    const most = depth > DEEP ? missing : Math.min(view.most - requiredKeys.length, missing + 2)
    const [pattern] = view.rest ? [] : view.patterns
    const isFree = view.freedom === 'explicit' || (view.freedom !== undefined && missing > 0)
    const others =
      pattern === undefined
        ? (view.rest ?? (isFree ? [] : undefined))
        : view.matching(new Set([pattern]))
    const value = others && most > 0 ? build(others, depth + 1) : undefined
    const nameTerms = [madeNode(side, { type: 'string' }), ...view.nameTerms]
    const own = pattern === undefined ? PLAIN_NAME : matching(pattern, Number.POSITIVE_INFINITY)
    const key = view.nameTerms.length === 0 ? own : build(nameTerms, depth + 1)
    if (value === undefined || key === undefined) return named
    const more = fc.dictionary(key as Arbitrary<string>, value, {
      minKeys: view.names.length === 0 ? missing : 0,
      maxKeys: Math.max(0, most),
      noNullPrototype: true,
    })
    return fc.tuple(more, named).map(([extra, declared]) => ({ ...extra, ...declared }))
  }

  return (schema) => build([nodeOf(side, schema)], 0)
}

const MOST_ITEMS = 200

/** The maximum first, because it shrinks least. */
const lengths = (least: number, most: number): readonly number[] =>
  Array.from({ length: Math.max(1, most - least + 1) }, (_, at) => Math.max(0, most - at))

const listOf = (
  item: Arbitrary<unknown>,
  minLength: number,
  maxLength: number,
  isUnique: boolean,
) =>
  isUnique
    ? fc.uniqueArray(item, { minLength: 0, maxLength, selector: (one) => JSON.stringify(one) })
    : fc.array(item, { minLength, maxLength })

const PLAIN_NAME = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/)

/** Small values of each JSON type, for schemas without constraints. */
const ANY_JSON: Arbitrary<unknown> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string({ maxLength: 6 }), { maxLength: 3 }),
  fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.integer({ min: 0, max: 9 }), {
    maxKeys: 2,
    noNullPrototype: true,
  }),
)

/** Texts of a pattern, a format or a length. Undefined for patterns with lookarounds or backreferences. */
function textOf(parts: Terms): Arbitrary<string> | undefined {
  const { patterns, minLength, maxLength = Number.POSITIVE_INFINITY } = stringTerms(parts)
  const [pattern] = patterns
  if (pattern !== undefined) return matching(pattern, maxLength)
  const format = parts.map((part) => keywordsOf(part).format).find((one) => one !== undefined)
  const made =
    format !== undefined && Object.hasOwn(FORMATS, format) ? FORMATS[format]?.() : undefined
  if (made !== undefined) return made
  if (minLength > maxLength || minLength > LONGEST) return undefined
  const bounds = { minLength, maxLength: Math.min(maxLength, minLength + 24) }
  const plain = fc.string(bounds)
  // `maxLength` counts code points (JSON Schema Validation, 6.3.1), and a grapheme may be several.
  const unit = Number.isFinite(maxLength) ? 'grapheme-composite' : 'grapheme'
  const any = fc.string({ ...bounds, unit })
  return fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: any })
}

const LONGEST = 20_000

function matching(pattern: string, maxLength: number): Arbitrary<string> | undefined {
  const key = `${maxLength} ${pattern}`
  if (!matched.has(key)) matched.set(key, toMatch(pattern, maxLength))
  return matched.get(key)
}

/** Documents repeat the same few patterns, and parsing each takes time. */
const matched = new Map<string, Arbitrary<string> | undefined>()

function toMatch(pattern: string, maxLength: number): Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(
      compilePattern(pattern),
      Number.isFinite(maxLength) ? { maxLength } : {},
    )
  } catch {
    return undefined
  }
}

/** Formats are annotations, but a server may validate them. */
const FORMATS: Readonly<Record<string, () => Arbitrary<string>>> = {
  uuid: () => fc.uuid(),
  'date-time': () => MOMENTS.map((date) => date.toISOString()),
  date: () => MOMENTS.map((date) => date.toISOString().slice(0, 10)),
  email: () => fc.emailAddress(),
  uri: () => fc.webUrl(),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
}

/** A year has four digits (RFC 3339, 5.6), and few servers expect other years than these. */
const MOMENTS = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })

/** Numbers within the bounds, most of them integers, or multiples of a step; undefined if there are none. */
function numberOf(parts: Terms): Arbitrary<number> | undefined {
  const { low, high, steps } = rangeOf(parts)
  const unit = commonStep(steps) ?? 1
  const bound = Number.isFinite(low) ? low : Number.isFinite(high) ? high : 0
  const around = Math.min(Math.max(bound, -BIGGEST), BIGGEST)
  const least = Math.ceil(Math.max(low, around - SPAN * unit, -BIGGEST) / unit)
  const most = Math.floor(Math.min(high, around + SPAN * unit, BIGGEST) / unit)
  const whole = least > most ? undefined : fc.integer({ min: least, max: most })
  const multiples = whole?.map((count) => tidyNumber(count * unit))
  if (steps.length > 0) return multiples
  const [min, max] = [Math.max(low, -BIGGEST), Math.min(high, BIGGEST)]
  if (min > max) return undefined
  const fractions = fc.double({ min, max, noNaN: true }).map((one) => one + 0)
  return multiples === undefined
    ? fractions
    : fc.oneof({ weight: 3, arbitrary: multiples }, fractions)
}

const SPAN = 1_000_000
const BIGGEST = Number.MAX_SAFE_INTEGER
