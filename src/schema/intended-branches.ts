import { cached } from '../runtime/shared/cached.js'
import { matchesPattern } from '../runtime/validate/pattern.js'
import { isEqual } from './json-values.js'
import {
  dereference,
  mapSubschemas,
  type Schema,
  type SchemaObject,
  type Schemas,
  typesIn,
  valuesIn,
} from './schema.js'

/**
 * A client ignores undeclared properties. In a union it does not ignore properties that another alternative declares: a value is
 * read by the alternative that declares its properties. So an alternative that ignores a property
 * 1. is not intended if a sibling declares more of the properties that are present, and
 * 2. is only intended if the value of the property fulfils some alternative that declares it.
 * Without this, one alternative without requirements would accept every object. The rules are expressed as schemas
 * next to an alternative. `closed` adds them to alternatives that JSON Schema does not let ignore properties: a value that
 * violates them is invalid. `all` adds them to open alternatives too, where a violation is a warning.
 */
export function createMeaning(schemas: Schemas): Meaning {
  const unions = new WeakMap<SchemaObject, Map<string, readonly Schema[]>>()
  const wholes = { closed: new WeakMap<object, Schema>(), all: new WeakMap<object, Schema>() }

  const branches: Meaning['branches'] = (union, keyword, which) => {
    if (RULES.has(union)) return union[keyword] ?? []
    const known = cached(unions, union, () => new Map<string, readonly Schema[]>())
    return cached(known, `${keyword} ${which}`, () => withRules(union[keyword] ?? [], which))
  }

  const withRules = (list: readonly Schema[], which: Overlooking): readonly Schema[] => {
    const read = list.map(reading)
    return list.map((branch, index) => {
      const own = read[index] as BranchReading
      if (own.names.size === 0 && !own.isObject) return branch
      if (which === 'closed' && !own.isClosed) return branch
      const others = read.filter((one, at) => at !== index && !areApart(own, one))
      const rules =
        others.length > MOST_SIBLINGS ? [] : others.flatMap((one) => moreKnown(own, one))
      const values = valuesKnown(own, others)
      const all = [...rules, ...(values ? [values] : [])]
      return all.length === 0 ? branch : { allOf: [branch, ...all] }
    })
  }

  /** The names that a branch declares, in all schemas that apply to the same value. */
  const reading = (branch: Schema): BranchReading => {
    const names = new Map<string, Schema[]>()
    const found = { required: new Set<string>(), patterns: new Set<string>() }
    let [isClosed, isObject] = [false, false]
    const seen = new Set<Schema>()
    const waiting: Schema[] = [branch]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const schema = target(next)
      if (seen.has(schema) || typeof schema === 'boolean') continue
      seen.add(schema)
      for (const [name, one] of Object.entries(schema.properties ?? {})) {
        cached(names, name, () => []).push(one)
      }
      for (const name of schema.required ?? []) found.required.add(name)
      for (const one of Object.keys(schema.patternProperties ?? {})) found.patterns.add(one)
      isClosed ||= schema.additionalProperties === false || schema.unevaluatedProperties === false
      isObject ||= typesIn(schema)?.includes('object') ?? false
      const { allOf = [], anyOf = [], oneOf = [], then, else: otherwise } = schema
      for (const one of [...allOf, ...anyOf, ...oneOf, then, otherwise]) {
        if (one !== undefined) waiting.push(one)
      }
    }
    return { names, ...found, isClosed, isObject }
  }

  const target = (schema: Schema): Schema => dereference(schema, schemas)

  /** Whether a property that both declare makes them disjoint: no value fulfils both declarations. */
  const areApart = (one: BranchReading, other: BranchReading): boolean =>
    [...one.names].some(([name, own]) => {
      const others = other.names.get(name)
      if (!others || !(one.required.has(name) || other.required.has(name))) return false
      return own.some((a) => others.some((b) => areDifferent(target(a), target(b))))
    })

  const whole: Meaning['whole'] = (schema, which) => {
    // A rule contains schemas of other alternatives, which may refer back to this one without end.
    if (typeof schema === 'boolean' || RULES.has(schema)) return schema
    const known = wholes[which].get(schema)
    if (known !== undefined) return known
    let isChanged = false
    const change = (one: Schema): Schema => {
      const made = whole(one, which)
      isChanged ||= made !== one
      return made
    }
    const ruled: SchemaObject = {
      ...schema,
      ...(schema.anyOf && { anyOf: branches(schema, 'anyOf', which) }),
      ...(schema.oneOf && { oneOf: branches(schema, 'oneOf', which) }),
    }
    isChanged = ['anyOf' as const, 'oneOf' as const].some((keyword) =>
      schema[keyword]?.some((one, index) => one !== ruled[keyword]?.[index]),
    )
    const made = mapSubschemas(ruled, change) as SchemaObject
    const result = isChanged ? made : schema
    wholes[which].set(schema, result)
    return result
  }

  return { branches, whole }
}

export type Meaning = {
  /** The alternatives of a union with their rules, in the order of the union. */
  readonly branches: (
    union: SchemaObject,
    keyword: 'anyOf' | 'oneOf',
    which: Overlooking,
  ) => readonly Schema[]
  /** The same schema with the rules in every union within it, except in referenced schemas and within a rule. */
  readonly whole: (schema: Schema, which: Overlooking) => Schema
}

/** The alternatives that get the rules. */
export type Overlooking = 'closed' | 'all'

type BranchReading = {
  readonly names: ReadonlyMap<string, readonly Schema[]>
  readonly required: ReadonlySet<string>
  readonly patterns: ReadonlySet<string>
  readonly isClosed: boolean
  readonly isObject: boolean
}

/** For more alternatives that are not disjoint, only the values of properties are compared. */
const MOST_SIBLINGS = 12

const overlooked = (own: BranchReading, other: BranchReading): readonly string[] =>
  [...other.names.keys()].filter(
    (name) => !own.names.has(name) && ![...own.patterns].some((one) => matchesPattern(one, name)),
  )

/** Rule 1. */
function moreKnown(own: BranchReading, other: BranchReading): readonly Schema[] {
  const extra = overlooked(own, other)
  if (extra.length === 0) return []
  const alone = [...own.names.keys()].filter((name) => !other.names.has(name))
  const none: Schema = { properties: Object.fromEntries(extra.map((name) => [name, false])) }
  const present = alone.map((name): Schema => ({ type: 'object', required: [name] }))
  return [ruleOf([none, ...present])]
}

/** Rule 2. */
function valuesKnown(own: BranchReading, others: readonly BranchReading[]): Schema | undefined {
  const declared = new Map<string, Schema[]>()
  for (const other of others) {
    for (const name of overlooked(own, other)) {
      cached(declared, name, () => []).push(...(other.names.get(name) ?? []))
    }
  }
  if (declared.size === 0) return undefined
  const entries = [...declared].map(([name, anyOf]): [string, Schema] => [name, ruleOf(anyOf)])
  return { properties: Object.fromEntries(entries) }
}

/** A rule, whose alternatives get no rules themselves. */
const ruleOf = (anyOf: readonly Schema[]): Schema => {
  const rule = { anyOf }
  RULES.add(rule)
  return rule
}

const RULES = new WeakSet<SchemaObject>()

const areDifferent = (a: Schema, b: Schema): boolean => {
  if (typeof a === 'boolean' || typeof b === 'boolean') return false
  const [values, others] = [valuesIn(a), valuesIn(b)]
  if (values && others) return !values.some((one) => others.some((other) => isEqual(one, other)))
  const [types, rest] = [typesIn(a), typesIn(b)]
  if (!types || !rest) return false
  const numeric = (names: readonly string[]) =>
    names.map((name) => (name === 'integer' ? 'number' : name))
  return !numeric(types).some((name) => numeric(rest).includes(name))
}
