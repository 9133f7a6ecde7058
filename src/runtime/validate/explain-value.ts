import type { Fault, Reading, SchemaKeywords, Validator, ValidatorSchema } from '../validate.js'
import { shareAnswers } from './check-run.js'
import {
  type Complaint,
  type Complaints,
  compareComplaints,
  holds,
  type Place,
  root,
  takeDistinct,
  toFault,
} from './complaint.js'
import { explainArray, explainUnevaluatedItems } from './explain-array.js'
import { explainObject, explainUnevaluatedProperties } from './explain-object.js'
import { explainUnion } from './explain-union.js'
import { compilePattern, countCharacters, isMultiple, isObject, isOfType } from './json-value.js'
import { followReading, isValidator, keywordsOf, sourceOf } from './schema-source.js'
import { count, describe, list, nameTypes, property, quote, spell } from './wording.js'

/**
 * Says what is wrong with a value that a check has refused. Only the parts that fail are entered, so a
 * single fault in a large value is found at little more than the cost of checking it.
 */
export const explainValue = (
  schema: ValidatorSchema,
  reading: Reading,
  value: unknown,
): readonly Fault[] => {
  const complaints = shareAnswers(() => explainSafely(schema, reading, value))
  return [...complaints].sort(compareComplaints).map(toFault)
}

const mostFaults = 100
const deepestPlace = 100

const explainSafely = (
  schema: ValidatorSchema,
  reading: Reading,
  value: unknown,
): readonly Complaint[] => {
  try {
    const found = takeDistinct(explain(schema, reading, value, root), mostFaults)
    return found.length > 0 ? found : [unbounded(root)]
  } catch (cause) {
    if (cause instanceof RangeError) return [unbounded(root)]
    throw cause
  }
}

/** What is left to say of a value on which the check ran out of stack or went in circles. */
const unbounded = (place: Place): Complaint => ({
  place,
  keyword: '',
  need: 'not contain itself, nor be nested as deeply as this',
})

function* explain(
  schema: ValidatorSchema,
  reading: Reading,
  value: unknown,
  place: Place,
): Complaints {
  if (value === undefined) {
    yield { place, keyword: 'type', need: 'be a JSON value', actual: 'is undefined' }
  } else if (holds(schema, reading, value)) {
    return
  } else if (typeof schema === 'boolean') {
    yield { place, keyword: 'false', need: 'not be here' }
  } else if (place.path.length > deepestPlace) {
    const actual = 'is wrong deeper inside than can be shown'
    yield { place, keyword: '', need: 'be right all the way down', actual }
  } else if (isValidator(schema)) {
    yield* explainValidator(schema, reading, value, place)
  } else {
    const steps = [explainKeywords, explainUnevaluated, explainNothing]
    for (const step of steps) {
      let silent = true
      for (const complaint of step(schema, reading, value, place)) {
        silent = false
        yield complaint
      }
      if (!silent) return
    }
  }
}

/** Only asked where nothing else is wrong: what a schema has seen to is known of valid values only. */
function* explainUnevaluated(
  schema: SchemaKeywords,
  reading: Reading,
  value: unknown,
  place: Place,
): Complaints {
  if (Array.isArray(value)) yield* explainUnevaluatedItems(schema, reading, value, place, explain)
  if (isObject(value)) yield* explainUnevaluatedProperties(schema, reading, value, place, explain)
}

function* explainNothing(_s: SchemaKeywords, _r: Reading, _v: unknown, place: Place): Complaints {
  yield unbounded(place)
}

function* explainValidator(
  validator: Validator,
  reading: Reading,
  value: unknown,
  place: Place,
): Complaints {
  const source = sourceOf(validator)
  if (source !== undefined) {
    yield* explain(source.schema(), followReading(source, reading), value, place)
    return
  }
  for (const { pointer, keyword, message } of validator.explain(value)) {
    const at = { ...place, pointer: place.pointer + pointer }
    yield { place: at, keyword, need: message.replace(/^must /, '') }
  }
}

function* explainKeywords(
  schema: SchemaKeywords,
  reading: Reading,
  value: unknown,
  place: Place,
): Complaints {
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type
  if (types && !types.some((type) => isOfType(value, type))) {
    yield {
      place,
      keyword: 'type',
      need: `be ${nameTypes(types)}`,
      actual: `is ${describe(value)}`,
    }
    return
  }
  for (const keyword of ['const', 'enum'] as const) {
    if (!(keyword in schema) || holds({ [keyword]: schema[keyword] }, reading, value)) continue
    const values = keyword === 'const' ? [schema.const] : (schema.enum ?? [])
    yield { place, keyword, need: needOneOf(values), actual: `is ${quote(value)}` }
  }
  if (typeof value === 'string') yield* explainString(schema, value, place)
  if (typeof value === 'number') yield* explainNumber(schema, value, place)
  if (Array.isArray(value)) yield* explainArray(schema, reading, value, place, explain)
  if (isObject(value)) yield* explainObject(schema, reading, value, place, explain)
  for (const part of schema.allOf ?? []) yield* explain(part, reading, value, place)
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = schema[keyword]
    if (!branches || holds({ [keyword]: branches }, reading, value)) continue
    yield* explainUnion(keyword, branches, reading, value, place, explain)
  }
  if (schema.not !== undefined && holds(schema.not, 'strict', value)) {
    yield { place, keyword: 'not', need: needNot(schema.not, value) }
  }
  if (schema.if !== undefined) {
    const chosen = holds(schema.if, 'strict', value) ? schema.then : schema.else
    if (chosen !== undefined) yield* explain(chosen, reading, value, place)
  }
}

function* explainString(schema: SchemaKeywords, value: string, place: Place): Complaints {
  const { minLength, maxLength, pattern } = schema
  const length = countCharacters(value)
  if (minLength !== undefined && length < minLength) {
    const need = `have at least ${count(minLength, 'character')}`
    yield { place, keyword: 'minLength', need, actual: `has ${length}` }
  }
  if (maxLength !== undefined && length > maxLength) {
    const need = `have at most ${count(maxLength, 'character')}`
    yield { place, keyword: 'maxLength', need, actual: `has ${length}` }
  }
  if (pattern !== undefined && !compilePattern(pattern).test(value)) {
    yield { place, keyword: 'pattern', need: `match ${pattern}`, actual: `is ${quote(value)}` }
  }
}

function* explainNumber(schema: SchemaKeywords, value: number, place: Place): Complaints {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const actual = `is ${value}`
  if (minimum !== undefined && !(value >= minimum)) {
    yield { place, keyword: 'minimum', need: `be at least ${minimum}`, actual }
  }
  if (maximum !== undefined && !(value <= maximum)) {
    yield { place, keyword: 'maximum', need: `be at most ${maximum}`, actual }
  }
  if (exclusiveMinimum !== undefined && !(value > exclusiveMinimum)) {
    yield { place, keyword: 'exclusiveMinimum', need: `be more than ${exclusiveMinimum}`, actual }
  }
  if (exclusiveMaximum !== undefined && !(value < exclusiveMaximum)) {
    yield { place, keyword: 'exclusiveMaximum', need: `be less than ${exclusiveMaximum}`, actual }
  }
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    yield { place, keyword: 'multipleOf', need: `be a multiple of ${multipleOf}`, actual }
  }
}

const needOneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? `be ${spell(values[0])}` : `be one of ${list(values.map(spell), 'or')}`

/** What a `not` forbids, where it is one of the few things that people write; else its title. */
const needNot = (schema: ValidatorSchema, value: unknown): string => {
  const keywords = keywordsOf(schema)
  if (keywords === undefined) return 'not be here'
  if (keywords.title !== undefined) return `not be ${keywords.title}`
  const used = Object.keys(keywords)
  if (used.length === 0) return 'not be here'
  const branch = keywords.anyOf?.find((each) => holds(each, 'strict', value))
  if (used.length === 1 && branch !== undefined) return needNot(branch, value)
  const { type, required = [] } = keywords
  if (required.length === 1 && used.every((key) => key === 'required' || key === 'type')) {
    return `not have the property ${property(required[0] ?? '')}`
  }
  if (required.length > 1 && used.length === 1) {
    return `not have the properties ${list(required.map(property), 'and')} together`
  }
  if ('const' in keywords || keywords.enum) return `not be ${quote(value)}`
  if (type !== undefined && used.length === 1) {
    return `not be ${nameTypes(typeof type === 'string' ? [type] : type)}`
  }
  return 'not match what `not` describes'
}
