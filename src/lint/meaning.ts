import type { Api } from '../model/api.js'
import { ANNOTATIONS } from '../schema/keywords.js'
import { mapSubschemas, referredName, type Schema, type SchemaObject } from '../schema/schema.js'

/**
 * A number for each meaning: annotations, order and the names of what is referred to do not count, so
 * schemas that refer to twins are twins themselves.
 */
export function meaningIn(schemas: Api['schemas']): (schema: Schema) => number {
  const told = meanings.get(schemas) ?? createMeaning(schemas)
  meanings.set(schemas, told)
  return told
}

const meanings = new WeakMap<Api['schemas'], (schema: Schema) => number>()

/**
 * Named schemas are all one at first, and are told apart until no further round tells more of them
 * apart. A chain of many that differ at its end only is given up: each name means itself then.
 */
function createMeaning(schemas: Api['schemas']): (schema: Schema) => number {
  let classes = new Map<string, unknown>()
  let numbers = new Map<string, number>()
  let known = new WeakMap<object, number>()

  const number = (text: string): number => {
    const told = numbers.get(text) ?? numbers.size
    numbers.set(text, told)
    return told
  }

  const meaning = (schema: Schema): number => {
    if (typeof schema === 'boolean') return number(String(schema))
    const told = known.get(schema)
    if (told !== undefined) return told
    const name = referredName(schema)
    const made = number(name === undefined ? spelt(schema) : `is ${classes.get(name) ?? 0}`)
    known.set(schema, made)
    return made
  }

  const spelt = (schema: SchemaObject): string => {
    const kept = Object.fromEntries(
      assertedKeys(schema).map((key) => [key, Reflect.get(schema, key)]),
    )
    const entries = Object.entries(mapSubschemas(kept, meaning)).sort(byName)
    return JSON.stringify(entries.map(([key, value]) => [key, inOrder(key, value)]))
  }

  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = new Map([...schemas.values()].map(({ name, schema }) => [name, meaning(schema)]))
    const isStable = new Set(next.values()).size === new Set(classes.values()).size
    classes = next
    if (isStable) return meaning
    numbers = new Map()
    known = new WeakMap()
  }
  classes = new Map([...schemas.keys()].map((name) => [name, name]))
  return meaning
}

const MOST_ROUNDS = 32

/** The keywords that a value can break. */
export const assertedKeys = (schema: SchemaObject): readonly string[] =>
  Object.keys(schema).filter((key) => !ANNOTATIONS.has(key) && !key.startsWith('x-'))

/** One order of what has none. */
function inOrder(key: string, value: unknown): unknown {
  if (MAPS.has(key)) return Object.entries(value as object).sort(byName)
  if (!LISTS.has(key)) return value
  return [value]
    .flat()
    .map((one) => JSON.stringify(one))
    .sort()
}

const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'required', 'type', 'enum'])

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
  a < b ? -1 : 1
