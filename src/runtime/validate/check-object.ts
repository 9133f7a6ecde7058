import type { Reading, SchemaKeywords } from '../validate.js'
import { all, type Check, compile, pass } from './check-value.js'
import { evaluatedBy } from './evaluated.js'
import { compilePattern, has, type JsonObject, presentKeys } from './json-value.js'
import { isSkipped } from './schema-source.js'

/** What the keywords of objects ask, of own properties only. */
export const checkObject = (schema: SchemaKeywords, reading: Reading): readonly CheckObject[] => [
  ...checkProperties(schema, reading),
  ...checkNames(schema),
  ...Object.entries(schema.dependentRequired ?? {}).map(
    ([key, needed]): CheckObject =>
      (value) =>
        !has(value, key) || needed.every((name) => has(value, name)),
  ),
  ...Object.entries(schema.dependentSchemas ?? {}).map(([key, each]): CheckObject => {
    const check = compile(each, reading)
    return (value) => !has(value, key) || check(value)
  }),
]

/** Runs after the in-place subschemas, which say what is left over. */
export const checkUnevaluatedProperties = (
  schema: SchemaKeywords,
  reading: Reading,
): readonly CheckObject[] => {
  if (isSkipped(schema.unevaluatedProperties, reading)) return []
  const check = compile(schema.unevaluatedProperties ?? true, reading)
  return [
    (value) => {
      const seen = evaluatedBy(schema, reading, value)
      return presentKeys(value).every((key) => seen.has(key) || check(value[key]))
    },
  ]
}

type CheckObject = (value: JsonObject) => boolean

/**
 * One pass over the keys: a known name has its check ready, any other name meets the patterns or
 * `additionalProperties`, and required names are counted rather than looked up.
 */
const checkProperties = (schema: SchemaKeywords, reading: Reading): readonly CheckObject[] => {
  const { minProperties: least = 0, maxProperties: most = Number.POSITIVE_INFINITY } = schema
  const bounds = [schema.minProperties, schema.maxProperties, schema.patternProperties]
  const isOpen =
    schema.additionalProperties === true || isSkipped(schema.additionalProperties, reading)
  if (isOpen && [...bounds, schema.properties, schema.required].every((one) => one === undefined)) {
    return []
  }
  const required = new Set(schema.required)
  const checkOf = checkByName(schema, reading)
  const names = new Set([...Object.keys(schema.properties ?? {}), ...required])
  const known = new Map(
    [...names].map((name) => [name, { check: checkOf(name), counts: required.has(name) ? 1 : 0 }]),
  )
  const { additionalProperties: additional = true } = schema
  const others = isSkipped(schema.additionalProperties, reading)
    ? pass
    : compile(additional, reading)
  const checkOther = schema.patternProperties
    ? (name: string, value: unknown) => checkOf(name)(value)
    : (_name: string, value: unknown) => others(value)
  return [
    (object) => {
      let size = 0
      let found = 0
      for (const name in object) {
        if (!Object.hasOwn(object, name)) continue
        const value = object[name]
        if (value === undefined) continue
        size++
        const property = known.get(name)
        if (property === undefined) {
          if (!checkOther(name, value)) return false
        } else {
          if (!property.check(value)) return false
          found += property.counts
        }
      }
      return found === required.size && size >= least && size <= most
    },
  ]
}

/** All that is asked of the property of a name: by `properties` and patterns, or else as an additional one. */
const checkByName = (schema: SchemaKeywords, reading: Reading): ((name: string) => Check) => {
  const { properties = {}, additionalProperties: additional } = schema
  const patterns = Object.entries(schema.patternProperties ?? {}).map(
    ([source, each]) => [compilePattern(source), compile(each, reading)] as const,
  )
  const others = isSkipped(additional, reading) ? pass : compile(additional ?? true, reading)
  return (name) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    const checks = patterns.filter(([pattern]) => pattern.test(name)).map(([, check]) => check)
    if (own !== undefined) checks.push(compile(own, reading))
    return checks.length === 0 ? others : all(checks)
  }
}

const checkNames = (schema: SchemaKeywords): readonly CheckObject[] => {
  if (schema.propertyNames === undefined) return []
  const check = compile(schema.propertyNames, 'strict')
  return [(value) => presentKeys(value).every(check)]
}
