import fc from 'fast-check'
import type { Schema } from '../../../src/schema/schema.js'
import { ref, type Version } from './containing.js'
import type { Plain } from './declared-only.js'
import { NAMES, schemas } from './random-schemas.js'

/** A schema, and the same with one to three small changes such as people make. */
export const nearPairs = (
  given: fc.Arbitrary<Plain> = schemas(),
  others: fc.Arbitrary<Plain> = schemas(),
): fc.Arbitrary<readonly [Plain, Plain]> =>
  fc
    .tuple(given, fc.array(fc.tuple(choices(), others), { minLength: 1, maxLength: 3 }))
    .map(([schema, steps]) => [
      schema,
      steps.reduce<Plain>((made, [picks, other]) => changed(made, picker(picks), other), schema),
    ])

/** A schema and the versions after it, each with one such change more. */
export const nearHistories = (
  versions: number,
  given: fc.Arbitrary<Plain> = schemas(),
  others: fc.Arbitrary<Plain> = schemas(),
): fc.Arbitrary<readonly Plain[]> =>
  fc
    .tuple(
      given,
      fc.array(fc.tuple(choices(), others), { minLength: versions - 1, maxLength: versions - 1 }),
    )
    .map(([schema, steps]) => {
      const made: Plain[] = [schema]
      for (const [picks, other] of steps)
        made.push(changed(made.at(-1) ?? schema, picker(picks), other))
      return made
    })

/** A schema, and the same in other words: what it lets through is not changed. */
export const respelledPairs = (): fc.Arbitrary<readonly [Version, Version]> =>
  fc
    .tuple(schemas(), fc.array(choices(), { minLength: 1, maxLength: 4 }))
    .map(([schema, steps]) => [
      { schema: schema as Schema },
      steps.reduce<Version>((made, picks) => respelled(made, picker(picks)), {
        schema: schema as Schema,
      }),
    ])

type Picker = <T>(list: readonly T[]) => T

type PlainObject = Exclude<Plain, boolean>

const choices = () => fc.array(fc.nat(10_000), { minLength: 6, maxLength: 6 })

const picker = (numbers: readonly number[]): Picker => {
  let next = 0
  return (list) => {
    const at = (numbers[next++ % numbers.length] ?? 0) % list.length
    return list[at] as (typeof list)[number]
  }
}

function changed(schema: Plain, pick: Picker, other: Plain): Plain {
  const path = pick(pathsOf(schema))
  const here = lookUp(schema, path)
  const change = pick(CHANGES)
  return replaced(schema, path, change(here, pick, other))
}

type Change = (schema: Plain, pick: Picker, other: Plain) => Plain

/** Of a schema that a change does not fit, nothing is changed. */
const CHANGES: readonly Change[] = [
  (_, __, other) => other,
  (schema) => ({ anyOf: [schema, { type: 'null' }] }),
  (schema, pick) => without(schema, pick(Object.keys(schema).concat('none'))),
  (schema, pick) => without(schema, pick(Object.keys(schema).concat('none'))),
  bumped,
  bumped,
  (schema, pick) => ({ ...objectOf(schema), ...pick(ADDITIONS) }),
  (schema, pick) => ({ ...objectOf(schema), ...pick(ADDITIONS) }),
  (schema, pick, other) => {
    const { properties = {} } = objectOf(schema) as { properties?: object }
    return { ...objectOf(schema), properties: { ...properties, [pick(NAMES)]: other } }
  },
  (schema, pick) => {
    const { required = [] } = objectOf(schema) as { required?: readonly string[] }
    const name = pick(NAMES)
    const rest = required.filter((one) => one !== name)
    const changed = rest.length < required.length ? rest : [...required, name]
    return { ...objectOf(schema), required: changed }
  },
  (schema, pick, other) => {
    const keyword = pick(['anyOf', 'oneOf', 'allOf', 'enum'] as const)
    const given = objectOf(schema)[keyword]
    if (!Array.isArray(given)) return schema
    const isMore = given.length < 2 || pick([true, false])
    const added = keyword === 'enum' ? pick([0, 2, 'b', false]) : other
    return { ...objectOf(schema), [keyword]: isMore ? [...given, added] : given.slice(1) }
  },
]

const ADDITIONS: readonly PlainObject[] = [
  ...[{ minimum: 1 }, { maximum: 2 }, { exclusiveMaximum: 2 }, { multipleOf: 2 }],
  ...[{ minLength: 1 }, { maxLength: 2 }, { pattern: '^a' }, { pattern: '^[ab]*$' }],
  ...[{ additionalProperties: false }, { additionalProperties: { type: 'string' } }],
  ...[{ minProperties: 1 }, { maxProperties: 1 }, { propertyNames: { maxLength: 1 } }],
  ...[{ patternProperties: { '^a': { type: 'integer' } } }, { dependentRequired: { a: ['b'] } }],
  ...[{ minItems: 1 }, { maxItems: 1 }, { uniqueItems: true }, { items: { type: 'integer' } }],
  ...[{ contains: { type: 'integer' } }, { prefixItems: [{ type: 'string' }] }],
  ...[{ not: { const: 'a' } }, { not: { required: ['a'] } }, { unevaluatedProperties: false }],
  ...[{ const: 'a' }, { enum: [0, 'a', null] }, { type: ['string', 'integer'] }],
]

function bumped(schema: Plain, pick: Picker): Plain {
  const numbers = Object.entries(objectOf(schema)).filter(([, said]) => typeof said === 'number')
  if (numbers.length === 0) return schema
  const [keyword, said] = pick(numbers)
  const by = pick([1, -1])
  const least = keyword === 'multipleOf' ? 0.5 : /^m.*(s|Length)$/.test(keyword) ? 0 : -4
  return { ...objectOf(schema), [keyword]: Math.max(least, Number(said) + by) }
}

function respelled(version: Version, pick: Picker): Version {
  const plain = version.schema as Plain
  const path = pick(pathsOf(plain))
  const here = lookUp(plain, path)
  if (pick(['named', 'spelled'] as const) === 'named') {
    const name = `Named${Object.keys(version.named ?? {}).length}`
    return {
      schema: replaced(plain, path, ref(name) as Plain) as Schema,
      named: { ...version.named, [name]: here as Schema },
    }
  }
  return { ...version, schema: replaced(plain, path, pick(SPELLINGS)(here, pick)) as Schema }
}

const SPELLINGS: readonly ((schema: Plain, pick: Picker) => Plain)[] = [
  (schema) => ({ allOf: [schema] }),
  (schema) => ({ anyOf: [schema] }),
  (schema) => ({ oneOf: [schema] }),
  (schema) => ({ ...objectOf(schema), title: 'Another', 'x-note': 1 }),
  (schema) => (schema === true ? {} : schema === false ? { not: {} } : schema),
  (schema) => reversed(schema),
  (schema) => {
    const { const: only, ...rest } = objectOf(schema)
    return only === undefined ? schema : { ...rest, enum: [only] }
  },
  (schema) => {
    const { type } = objectOf(schema)
    return type === 'integer' && !('multipleOf' in objectOf(schema))
      ? { ...objectOf(schema), type: 'number', multipleOf: 1 }
      : schema
  },
  (schema) => {
    const { type, ...rest } = objectOf(schema)
    return Array.isArray(type) ? { anyOf: type.map((one) => ({ ...rest, type: one })) } : schema
  },
  (schema) =>
    isOfType(schema, 'boolean')
      ? { enum: [true, false] }
      : isOfType(schema, 'null')
        ? { const: null }
        : schema,
  (schema, pick) => {
    const alone = Object.keys(objectOf(schema)).filter((keyword) => ALONE.has(keyword))
    if (alone.length === 0) return schema
    const keyword = pick(alone)
    return { allOf: [without(schema, keyword), { [keyword]: objectOf(schema)[keyword] }] }
  },
]

/** Keywords that mean the same wherever they stand beside others. */
const ALONE = new Set(
  `type minimum maximum exclusiveMinimum multipleOf minLength maxLength pattern required minItems
  maxItems uniqueItems minProperties maxProperties dependentRequired propertyNames not`.split(
    /\s+/,
  ),
)

const isOfType = (schema: Plain, type: string) =>
  objectOf(schema).type === type && Object.keys(schema).length === 1

/** With all that is a set in another order. */
function reversed(schema: Plain): Plain {
  const entries = Object.entries(objectOf(schema)).map(([keyword, said]) => {
    if (SETS.has(keyword) && Array.isArray(said)) return [keyword, said.toReversed()]
    if (keyword !== 'properties') return [keyword, said]
    return [keyword, Object.fromEntries(Object.entries(said as object).reverse())]
  })
  return typeof schema === 'boolean' ? schema : Object.fromEntries(entries.reverse())
}

const SETS = new Set(['type', 'enum', 'required', 'allOf', 'anyOf', 'oneOf'])

const objectOf = (schema: Plain): PlainObject =>
  typeof schema === 'object' ? schema : schema ? {} : { not: {} }

function without(schema: Plain, keyword: string): Plain {
  if (typeof schema === 'boolean') return schema
  const { [keyword]: _, ...rest } = schema
  return rest
}

type Step = readonly (string | number)[]

/** The places of a schema and of all within it, but for what it refers to. */
function pathsOf(schema: unknown, path: Step = []): readonly Step[] {
  if (typeof schema !== 'object' || schema === null) return [path]
  const inside = Object.entries(schema).flatMap(([keyword, said]) => {
    if (ONE.has(keyword)) return pathsOf(said, [...path, keyword])
    if (!SEVERAL.has(keyword)) return []
    return Object.entries(said as object).flatMap(([key, one]) =>
      pathsOf(one, [...path, keyword, Array.isArray(said) ? Number(key) : key]),
    )
  })
  return [path, ...inside]
}

const ONE = new Set('items contains additionalProperties not if then else'.split(' '))
const SEVERAL = new Set('allOf anyOf oneOf prefixItems properties patternProperties'.split(' '))

const lookUp = (schema: Plain, path: Step): Plain =>
  path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], schema) as Plain

function replaced(schema: unknown, [key, ...rest]: Step, by: Plain): Plain {
  if (key === undefined) return by
  const holder = schema as Record<string, unknown>
  const inner = replaced(holder[key], rest, by)
  return (
    Array.isArray(schema) ? schema.with(Number(key), inner) : { ...holder, [key]: inner }
  ) as Plain
}
