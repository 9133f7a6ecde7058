import type { Reading, SchemaKeywords, ValidatorSchema } from '../validate.js'
import {
  type Complaints,
  type Explain,
  holds,
  inside,
  type Place,
  takeDistinct,
} from './complaint.js'
import { evaluatedBy } from './evaluated.js'
import { compilePattern, has, type JsonObject, presentKeys } from './json-value.js'
import { isSkipped, keywordsOf } from './schema-source.js'
import { count, property, quote } from './wording.js'

export function* explainObject(
  schema: SchemaKeywords,
  reading: Reading,
  value: JsonObject,
  place: Place,
  explain: Explain,
): Complaints {
  for (const name of schema.required ?? []) {
    if (has(value, name)) continue
    yield { place, keyword: 'required', need: `have the property ${property(name)}` }
  }
  yield* explainSize(schema, value, place)
  yield* explainProperties(schema, reading, value, place, explain)
  yield* explainNames(schema, value, place, explain)
  for (const [key, needed] of Object.entries(schema.dependentRequired ?? {})) {
    if (!has(value, key)) continue
    for (const name of needed.filter((name) => !has(value, name))) {
      const need = `have the property ${property(name)}`
      const actual = `as it has ${property(key)}`
      yield { place, keyword: 'dependentRequired', need, actual }
    }
  }
  for (const [key, each] of Object.entries(schema.dependentSchemas ?? {})) {
    if (has(value, key)) yield* explain(each, reading, value, place)
  }
}

export function* explainUnevaluatedProperties(
  schema: SchemaKeywords,
  reading: Reading,
  value: JsonObject,
  place: Place,
  explain: Explain,
): Complaints {
  const { unevaluatedProperties: rest = true } = schema
  if (isSkipped(rest, reading)) return
  const seen = evaluatedBy(schema, reading, value)
  for (const [at, key] of Object.keys(value).entries()) {
    if (seen.has(key) || !has(value, key)) continue
    const keyword = rest === false ? 'unevaluatedProperties' : forbiddenBy(rest)
    if (keyword !== undefined) yield { place, keyword, need: needWithout(key) }
    else yield* explain(rest, reading, value[key], inside(place, key, at))
  }
}

function* explainSize(schema: SchemaKeywords, value: JsonObject, place: Place): Complaints {
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema
  const size = presentKeys(value).length
  if (size < minProperties) {
    const need = `have at least ${count(minProperties, 'property')}`
    yield { place, keyword: 'minProperties', need, actual: `has ${size}` }
  }
  if (size > maxProperties) {
    const need = `have at most ${count(maxProperties, 'property')}`
    yield { place, keyword: 'maxProperties', need, actual: `has ${size}` }
  }
}

function* explainProperties(
  schema: SchemaKeywords,
  reading: Reading,
  value: JsonObject,
  place: Place,
  explain: Explain,
): Complaints {
  const { properties = {}, additionalProperties: rest } = schema
  const patterns = Object.entries(schema.patternProperties ?? {}).map(
    ([source, each]) => [compilePattern(source), each] as const,
  )
  for (const [at, key] of Object.keys(value).entries()) {
    if (!has(value, key)) continue
    const asked = patterns.filter(([pattern]) => pattern.test(key)).map(([, each]) => each)
    const own = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (own !== undefined) asked.unshift(own)
    if (asked.length === 0 && rest !== undefined && !isSkipped(rest, reading)) {
      if (rest === false) yield { place, keyword: 'additionalProperties', need: needWithout(key) }
      else asked.push(rest)
    }
    for (const each of asked) {
      const keyword = forbiddenBy(each)
      if (keyword !== undefined) yield { place, keyword, need: needWithout(key) }
      else yield* explain(each, reading, value[key], inside(place, key, at))
    }
  }
}

function* explainNames(
  schema: SchemaKeywords,
  value: JsonObject,
  place: Place,
  explain: Explain,
): Complaints {
  const { propertyNames: names } = schema
  if (names === undefined) return
  for (const key of presentKeys(value)) {
    if (holds(names, 'strict', key)) continue
    const [why] = takeDistinct(explain(names, 'strict', key, place), 1)
    const need = `not have a property named ${quote(key)}`
    const actual = why && `as a name must ${why.need}`
    yield { place, keyword: 'propertyNames', need, ...(actual && { actual }) }
  }
}

const needWithout = (key: string): string => `not have the property ${property(key)}`

/** The keyword of a schema that nothing matches, which is how a request form forbids a property. */
const forbiddenBy = (schema: ValidatorSchema): string | undefined => {
  if (schema === false) return 'properties'
  const { not } = keywordsOf(schema) ?? {}
  if (not === undefined) return undefined
  const anything = not === true || (typeof not === 'object' && Object.keys(not).length === 0)
  return anything ? 'not' : undefined
}
