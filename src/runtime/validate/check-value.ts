import type { Reading, SchemaKeywords, TypeName, Validator, ValidatorSchema } from '../validate.js'
import { checkArray, checkUnevaluatedItems } from './check-array.js'
import { checkObject, checkUnevaluatedProperties } from './check-object.js'
import { follow } from './check-run.js'
import { checkConditions, checkNot, checkUnions } from './check-unions.js'
import {
  canonical,
  compilePattern,
  countCharacters,
  isMultiple,
  isObject,
  isPrimitive,
  type JsonObject,
} from './json-value.js'
import { followReading, isValidator, sourceOf, writtenCheck } from './schema-source.js'

/**
 * The check of one schema, made once per schema and reading. A schema that is met again while its own
 * check is being made gets a check that looks the finished one up, which is all that a cycle needs;
 * one far down a chain of schemas gets its check when a value comes that far.
 */
export const compile = (schema: ValidatorSchema, reading: Reading): Check => {
  if (typeof schema === 'boolean') return schema ? pass : refuse
  const known = compiled[reading].get(schema)
  if (known) {
    size += sizes.get(known) ?? 1
    return known
  }
  let made: Check | undefined
  const later: Check = (value) => {
    made ??= compile(schema, reading)
    return follow(made, value)
  }
  if (nesting >= deepestNesting) return later
  compiled[reading].set(schema, later)
  nesting++
  const outerSize = size
  size = 1
  let ownSize = 1
  try {
    made = isValidator(schema) ? compileValidator(schema, reading) : checkType(schema, reading)
    ownSize = size
  } catch (cause) {
    compiled[reading].delete(schema)
    throw cause
  } finally {
    nesting--
    size = outerSize
  }
  if (ownSize > mostUnfolded) {
    const whole = made
    made = (value) => follow(whole, value, true)
    ownSize = 1
  }
  sizes.set(made, ownSize)
  size += ownSize
  compiled[reading].set(schema, made)
  return made
}

export type Check = (value: unknown) => boolean

export const pass: Check = () => true
export const refuse: Check = () => false

/** One check of several; the order is kept. */
export const all = <V>(checks: readonly ((value: V) => boolean)[]): ((value: V) => boolean) => {
  const [first, second, ...others] = checks
  if (first === undefined) return () => true
  if (second === undefined) return first
  if (others.length === 0) return (value) => first(value) && second(value)
  const rest = all([second, ...others])
  return (value) => first(value) && rest(value)
}

/**
 * Calls of `compile` within each other. Few enough that the checks made in them, called within each
 * other as often as `follow` lets them, stay on the stack too.
 */
let nesting = 0
const deepestNesting = 40

/**
 * How many checks the one that is being made calls, where each reference counts as all that is behind it. Schemas that each
 * name the next one twice would check a value 2, 4, 8 … times: a check of so many others remembers its answers in a run.
 */
let size = 0
const sizes = new WeakMap<Check, number>()
const mostUnfolded = 1_000

const compiled = { strict: new WeakMap<object, Check>(), open: new WeakMap<object, Check>() }

const compileValidator = (validator: Validator, reading: Reading): Check => {
  const source = sourceOf(validator)
  if (source === undefined) return (value) => validator.check(value)
  const written = writtenCheck(source, reading)
  if (written !== undefined) return written
  return compile(source.schema(), followReading(source, reading))
}

/** One arm per JSON type, so that a value meets only the keywords that speak of its type. */
const checkType = (schema: SchemaKeywords, reading: Reading): Check => {
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type
  const shared = checkAnyType(schema, reading)
  const arm = <V>(type: TypeName, own: Checks<V>, last: Checks<V> = []): ((value: V) => boolean) =>
    types === undefined || types.includes(type) ? all([...own, ...shared, ...last]) : refuse

  const text = arm('string', checkString(schema))
  if (types?.length === 1 && types[0] === 'string') {
    return (value) => typeof value === 'string' && text(value)
  }
  const object = arm(
    'object',
    checkObject(schema, reading),
    checkUnevaluatedProperties(schema, reading),
  )
  if (types?.length === 1 && types[0] === 'object') {
    return (value) => isObject(value) && object(value)
  }
  const array = arm('array', checkArray(schema, reading), checkUnevaluatedItems(schema, reading))
  if (types?.length === 1 && types[0] === 'array') {
    return (value) => Array.isArray(value) && array(value)
  }
  const numbers = checkNumber(schema)
  const number =
    types?.includes('integer') && !types.includes('number')
      ? arm('integer', [Number.isInteger, ...numbers])
      : arm('number', types ? [Number.isFinite, ...numbers] : numbers)
  const boolean = arm('boolean', [])
  const nothing = arm('null', [])
  const other = types === undefined ? all(shared) : refuse
  return (value) => {
    switch (typeof value) {
      case 'string':
        return text(value)
      case 'object':
        if (value === null) return nothing(value)
        return Array.isArray(value) ? array(value) : object(value as JsonObject)
      case 'number':
        return number(value)
      case 'boolean':
        return boolean(value)
      default:
        return other(value)
    }
  }
}

type Checks<V> = readonly ((value: V) => boolean)[]

const checkAnyType = (schema: SchemaKeywords, reading: Reading): readonly Check[] => [
  ...('const' in schema ? [checkAmong([schema.const])] : []),
  ...(schema.enum ? [checkAmong(schema.enum)] : []),
  ...(schema.allOf ?? []).map((part) => compile(part, reading)),
  ...checkUnions(schema, reading),
  ...checkNot(schema),
  ...checkConditions(schema, reading),
]

/** Whether a value is one of these; the order of keys does not matter. */
export const checkAmong = (values: readonly unknown[]): Check => {
  const primitives = new Set(values.filter(isPrimitive))
  const structures = new Set(values.filter((value) => !isPrimitive(value)).map(canonical))
  if (structures.size === 0) {
    const [only] = values
    return values.length === 1 && typeof only === 'string'
      ? (value) => value === only
      : (value) => primitives.has(value)
  }
  return (value) => (isPrimitive(value) ? primitives.has(value) : structures.has(canonical(value)))
}

const checkString = (schema: SchemaKeywords): Checks<string> => {
  const { minLength: least = 0, maxLength: most = Number.POSITIVE_INFINITY, pattern } = schema
  const checks: ((value: string) => boolean)[] = []
  if (least > 0) {
    checks.push((v) => v.length >= least && (v.length >= 2 * least || countCharacters(v) >= least))
  }
  if (most < Number.POSITIVE_INFINITY) {
    checks.push((v) => v.length <= most || (v.length <= 2 * most && countCharacters(v) <= most))
  }
  if (pattern !== undefined) {
    const expression = compilePattern(pattern)
    checks.push((value) => expression.test(value))
  }
  return checks
}

const checkNumber = (schema: SchemaKeywords): Checks<number> => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const checks: ((value: number) => boolean)[] = []
  if (minimum !== undefined) checks.push((value) => value >= minimum)
  if (maximum !== undefined) checks.push((value) => value <= maximum)
  if (exclusiveMinimum !== undefined) checks.push((value) => value > exclusiveMinimum)
  if (exclusiveMaximum !== undefined) checks.push((value) => value < exclusiveMaximum)
  if (multipleOf !== undefined) checks.push((value) => isMultiple(value, multipleOf))
  return checks
}
