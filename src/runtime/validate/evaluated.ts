import { compile } from './compile.js'
import { has, isObject, type JsonObject } from './json-value.js'
import { createPatternTest } from './pattern.js'
import type { Reading, SchemaKeywords, ValidatorSchema } from './validator.js'
import { followReading, isSkipped, isValidator, validatorSource } from './validator.js'

/**
 * The property names or item positions that a schema and its in-place subschemas have evaluated (2020-12 core 11.2 and 11.3).
 * `unevaluatedProperties` and `unevaluatedItems` check the others. All other keywords have accepted the value.
 */
export const evaluatedBy = (
  schema: SchemaKeywords,
  reading: Reading,
  value: JsonObject | readonly unknown[],
): ReadonlySet<string | number> => {
  const seen = new Seen()
  collect(schema, reading, value, seen)
  return seen
}

type Value = JsonObject | readonly unknown[]

/** Names or positions, and the visited schemas, because several paths may lead to one. */
class Seen extends Set<string | number> {
  readonly strict = new Set<SchemaKeywords>()
  readonly open = new Set<SchemaKeywords>()
}

const collect = (schema: SchemaKeywords, reading: Reading, value: Value, seen: Seen): void => {
  if (seen[reading].has(schema)) return
  seen[reading].add(schema)
  if (isObject(value)) collectKeys(schema, reading, value, seen)
  else collectPositions(schema, reading, value as readonly unknown[], seen)

  const follow = (each: ValidatorSchema): void => collectNested(each, reading, value, seen)
  const followMatches = (each: ValidatorSchema): void => {
    if (compile(each, reading)(value)) follow(each)
  }
  schema.allOf?.forEach(follow)
  schema.anyOf?.forEach(followMatches)
  schema.oneOf?.forEach(followMatches)
  if (schema.if !== undefined) {
    const holds = compile(schema.if, 'strict')(value)
    if (holds) collectNested(schema.if, 'strict', value, seen)
    const chosen = holds ? schema.then : schema.else
    if (chosen !== undefined) follow(chosen)
  }
  if (schema.dependentSchemas !== undefined && isObject(value)) {
    for (const [key, each] of Object.entries(schema.dependentSchemas)) {
      if (has(value, key)) follow(each)
    }
  }
}

const collectNested = (
  schema: ValidatorSchema,
  reading: Reading,
  value: Value,
  seen: Seen,
): void => {
  if (typeof schema === 'boolean') return
  if (isValidator(schema)) {
    const source = validatorSource(schema)
    if (source) collectNested(source.schema(), followReading(source, reading), value, seen)
    return
  }
  collect(schema, reading, value, seen)
  if (isObject(value)) {
    if (!isSkipped(schema.unevaluatedProperties, reading)) addAll(Object.keys(value), seen)
  } else if (schema.unevaluatedItems !== undefined) addAll(value.keys(), seen)
}

const collectKeys = (
  schema: SchemaKeywords,
  reading: Reading,
  value: JsonObject,
  seen: Seen,
): void => {
  const keys = Object.keys(value)
  if (!isSkipped(schema.additionalProperties, reading)) addAll(keys, seen)
  if (schema.properties) addAll(Object.keys(schema.properties), seen)
  for (const source of Object.keys(schema.patternProperties ?? {})) {
    const matches = createPatternTest(source)
    for (const key of keys) if (matches(key)) seen.add(key)
  }
}

const collectPositions = (
  schema: SchemaKeywords,
  reading: Reading,
  value: readonly unknown[],
  seen: Seen,
): void => {
  if (schema.items !== undefined) addAll(value.keys(), seen)
  if (schema.prefixItems) addAll(schema.prefixItems.keys(), seen)
  const contains = compile(schema.contains ?? false, reading)
  for (const [at, item] of value.entries()) if (contains(item)) seen.add(at)
}

const addAll = (names: Iterable<string | number>, seen: Seen): void => {
  for (const name of names) seen.add(name)
}
