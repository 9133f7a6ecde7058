import { checkArray, checkUnevaluatedItems } from './arrays.js'
import { follow } from './check-run.js'
import { isObject } from './json-value.js'
import {
  allChecks,
  type Check,
  checkLiterals,
  checkNumber,
  checkString,
  pass,
} from './keyword-checks.js'
import { checkObject, checkUnevaluatedProperties } from './objects.js'
import { complain, reportWrong } from './report.js'
import { checkUnion } from './unions.js'
import {
  type FaultParams,
  followReading,
  isValidator,
  type Reading,
  resolvedKeywords,
  type SchemaKeywords,
  type TypeName,
  type Validator,
  type ValidatorSchema,
  validatorSource,
  writtenCheck,
} from './validator.js'
import { describe, list, nameTypes, property, quote } from './wording.js'

/**
 * Compiles the check of one schema, once per schema and reading. A recursive schema gets a check that looks up the finished
 * one. A deeply nested schema gets its check when a value reaches it.
 */
export const compile = (schema: ValidatorSchema, reading: Reading): Check => {
  if (typeof schema === 'boolean') return schema ? pass : reject
  const known = compiled[reading].get(schema)
  if (known) {
    size += sizes.get(known) ?? 1
    return known
  }
  let made: Check | undefined
  const later: Check = (value, report) => {
    made ??= compile(schema, reading)
    return report === undefined ? follow(made, value) : made(value, report)
  }
  if (nesting >= DEEPEST_NESTING) return later
  compiled[reading].set(schema, later)
  nesting++
  const outerSize = size
  size = 1
  let ownSize = 1
  try {
    made = isValidator(schema) ? checkValidator(schema, reading) : checkKeywords(schema, reading)
    ownSize = size
  } catch (cause) {
    compiled[reading].delete(schema)
    throw cause
  } finally {
    nesting--
    size = outerSize
  }
  if (ownSize > MOST_UNFOLDED) {
    const whole = made
    made = (value, report) =>
      report === undefined ? follow(whole, value, true) : whole(value, report)
    ownSize = 1
  }
  sizes.set(made, ownSize)
  size += ownSize
  compiled[reading].set(schema, made)
  return made
}

/** The check of a subschema that applies to the same value. */
export const checkInPlace = (schema: ValidatorSchema, reading: Reading): Check => {
  const check = compile(schema, reading)
  return (value, report) =>
    check(value) || (report !== undefined && reportWrong(check, value, report))
}

const reject: Check = (_, report) =>
  report !== undefined && complain(report, { keyword: 'false', need: 'not be present' })

/**
 * The nesting depth of calls of `compile`. It is limited, so that nested calls of the resulting checks, as deep as `follow`
 * allows, fit the stack too.
 */
let nesting = 0
const DEEPEST_NESTING = 40

/**
 * The number of checks that the current one calls, including those of references. Schemas that each reference the next one
 * twice would check a value 2, 4, 8 … times. So a check with very many others caches its results during a run.
 */
let size = 0
const sizes = new WeakMap<Check, number>()
const MOST_UNFOLDED = 1_000

const compiled = { strict: new WeakMap<object, Check>(), open: new WeakMap<object, Check>() }

const checkValidator = (validator: Validator, reading: Reading): Check => {
  const source = validatorSource(validator)
  if (source === undefined) return checkByHand(validator)
  const written = writtenCheck(source, reading)
  const interpret = (): Check => compile(source.schema(), followReading(source, reading))
  if (written === undefined) return interpret()
  return (value, report) => (report === undefined ? written(value) : interpret()(value, report))
}

const checkByHand =
  (validator: Validator): Check =>
  (value, report) => {
    if (report === undefined) return validator.check(value)
    const { most, options } = report.sink
    for (const { pointer, message, ...fault } of validator.explain(value, most, options)) {
      const at = pointer === '' ? report : { ...report, rest: pointer }
      complain(at, { ...fault, need: message.replace(/^must /, '') })
    }
    return false
  }

/**
 * One branch per JSON type, so that a value is checked only against the keywords of its type. For a wrong type nothing else is
 * reported.
 */
const checkKeywords = (schema: SchemaKeywords, reading: Reading): Check => {
  const { type } = schema
  const types = typeof type === 'string' ? [type] : type
  const wrongType: Check = (value, report) =>
    report !== undefined &&
    complain(report, {
      keyword: 'type',
      need: `be ${nameTypes(types ?? [])}`,
      shown: describe(value),
    })
  const literals = checkLiterals(schema)
  const inPlace = checkSameValue(schema, reading)
  const arm = <V>(name: TypeName, own: readonly Check<V>[], last?: Check<V>): Check<V> => {
    if (types !== undefined && !types.includes(name)) return wrongType
    const check = allChecks([...literals, ...own, ...inPlace])
    return last ? (value, report) => check(value, report) && last(value, report) : check
  }
  const isOnly = (name: TypeName): boolean => types?.length === 1 && types[0] === name

  const text = arm('string', checkString(schema))
  if (isOnly('string'))
    return (value, report) =>
      typeof value === 'string' ? text(value, report) : wrongType(value, report)
  const object = arm(
    'object',
    checkObject(schema, reading),
    checkUnevaluatedProperties(schema, reading),
  )
  if (isOnly('object'))
    return (value, report) => (isObject(value) ? object(value, report) : wrongType(value, report))
  const array = arm('array', checkArray(schema, reading), checkUnevaluatedItems(schema, reading))
  if (isOnly('array'))
    return (value, report) =>
      Array.isArray(value) ? array(value, report) : wrongType(value, report)
  const isInteger = types?.includes('integer') && !types.includes('number')
  const number = arm(isInteger ? 'integer' : 'number', checkNumber(schema))
  const isNumber = isInteger ? Number.isInteger : types ? Number.isFinite : pass
  const takesBigint = types === undefined || schema['x-bigint'] === true
  const boolean = arm('boolean', [])
  const nothing = arm('null', [])
  const other = types === undefined ? allChecks([...literals, ...inPlace]) : wrongType
  return (value, report) => {
    switch (typeof value) {
      case 'string':
        return text(value, report)
      case 'object':
        if (value === null) return nothing(value, report)
        return isObject(value) ? object(value, report) : array(value as unknown[], report)
      case 'number':
        return isNumber(value) ? number(value, report) : wrongType(value, report)
      case 'boolean':
        return boolean(value, report)
      case 'bigint':
        return takesBigint ? number(value, report) : wrongType(value, report)
      default:
        return other(value, report)
    }
  }
}

const checkSameValue = (schema: SchemaKeywords, reading: Reading): readonly Check[] => [
  ...(schema.allOf ?? []).map((part) => checkInPlace(part, reading)),
  ...(schema.anyOf ? [checkUnion('anyOf', schema.anyOf, reading)] : []),
  ...(schema.oneOf ? [checkUnion('oneOf', schema.oneOf, reading)] : []),
  ...(schema.not === undefined ? [] : [checkNot(schema.not)]),
  ...checkConditions(schema, reading),
]

const checkConditions = (schema: SchemaKeywords, reading: Reading): readonly Check[] => {
  if (schema.if === undefined) return []
  if ((schema.then ?? true) === true && (schema.else ?? true) === true) return []
  const condition = compile(schema.if, 'strict')
  const then = checkInPlace(schema.then ?? true, reading)
  const otherwise = checkInPlace(schema.else ?? true, reading)
  return [(value, report) => (condition(value) ? then : otherwise)(value, report)]
}

/** An open reading under `not` would reject more values, so `not` is always strict. */
const checkNot = (not: ValidatorSchema): Check => {
  const check = compile(not, 'strict')
  return (value, report) =>
    !check(value) ||
    (report !== undefined && complain(report, { keyword: 'not', ...needNot(not, value) }))
}

/** The message for a `not`: its title, else a description of a common case. */
const needNot = (
  schema: ValidatorSchema,
  value: unknown,
): { readonly need: string; readonly params?: FaultParams } => {
  const keywords = resolvedKeywords(schema)
  if (keywords === undefined) return { need: 'not be present' }
  if (keywords.title !== undefined) return { need: `not be ${keywords.title}` }
  const used = Object.keys(keywords)
  if (used.length === 0) return { need: 'not be present' }
  const branch = keywords.anyOf?.find((each) => compile(each, 'strict')(value))
  if (used.length === 1 && branch !== undefined) return needNot(branch, value)
  const { type, required = [] } = keywords
  if (required.length === 1 && used.every((key) => key === 'required' || key === 'type')) {
    const [name = ''] = required
    return { need: `not have the property ${property(name)}`, params: { property: name } }
  }
  if (required.length > 1 && used.length === 1) {
    return { need: `not have the properties ${list(required.map(property), 'and')} together` }
  }
  if ('const' in keywords || keywords.enum) return { need: `not be ${quote(value)}` }
  if (type !== undefined && used.length === 1) {
    return { need: `not be ${nameTypes(typeof type === 'string' ? [type] : type)}` }
  }
  return { need: 'not match the schema in `not`' }
}
