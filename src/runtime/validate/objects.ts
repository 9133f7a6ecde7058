import { checkInPlace, compile } from './compile.js'
import { evaluatedBy } from './evaluated.js'
import { has, type JsonObject, presentKeys } from './json-value.js'
import { allChecks, type Check, pass } from './keyword-checks.js'
import { createPatternTest } from './pattern.js'
import { complain, explore, inside, isFull, type Report, reportWrong } from './report.js'
import {
  isSkipped,
  type Reading,
  resolvedKeywords,
  type SchemaKeywords,
  type ValidatorSchema,
} from './validator.js'
import { count, property, quote } from './wording.js'

/** The keywords of objects, for own properties only. */
export const checkObject = (
  schema: SchemaKeywords,
  reading: Reading,
): readonly Check<JsonObject>[] => [
  ...checkProperties(schema, reading),
  ...checkNames(schema),
  ...Object.entries(schema.dependentRequired ?? {}).map(
    ([key, needed]): Check<JsonObject> =>
      (value, report) =>
        !has(value, key) ||
        requireAll(value, needed, report, 'dependentRequired', `as it has ${property(key)}`),
  ),
  ...Object.entries(schema.dependentSchemas ?? {}).map(([key, each]): Check<JsonObject> => {
    const check = checkInPlace(each, reading)
    return (value, report) => !has(value, key) || check(value, report)
  }),
]

/** Runs after the other keywords, which determine the unevaluated properties. */
export const checkUnevaluatedProperties = (
  schema: SchemaKeywords,
  reading: Reading,
): Check<JsonObject> | undefined => {
  const { unevaluatedProperties: rest = true } = schema
  if (isSkipped(rest, reading) || rest === true) return undefined
  const rule = ruleOf(rest, reading, 'unevaluatedProperties')
  return (object, report) => {
    const seen = evaluatedBy(schema, reading, object)
    let holds = true
    for (const key of presentKeys(object)) {
      if (seen.has(key) || rule.check(object[key])) continue
      if (report === undefined) return false
      holds = false
      reportProperty([rule], object, key, report)
    }
    return holds
  }
}

/** The keyword of a schema that accepts nothing, with which a request variant forbids a property. */
const forbiddenBy = (schema: ValidatorSchema, keyword: string): string | undefined => {
  if (schema === false) return keyword
  const { not } = resolvedKeywords(schema) ?? {}
  if (not === undefined) return undefined
  const isAnything = not === true || (typeof not === 'object' && Object.keys(not).length === 0)
  return isAnything ? 'not' : undefined
}

/** The rule for a property; `forbidden` is the keyword that forbids it entirely. */
type Rule = { readonly check: Check; readonly forbidden: string | undefined }

const ruleOf = (schema: ValidatorSchema, reading: Reading, keyword = 'properties'): Rule => ({
  check: compile(schema, reading),
  forbidden: forbiddenBy(schema, keyword),
})

/** All rules for the property of a name: by `properties` and patterns, or else as an additional one. */
type Member = {
  readonly rules: readonly Rule[]
  readonly check: Check
  /** 1 if it is required. */
  readonly counts: 0 | 1
}

/** One pass over the properties; required names are counted, not looked up. */
const checkProperties = (
  schema: SchemaKeywords,
  reading: Reading,
): readonly Check<JsonObject>[] => {
  const { minProperties: least = 0, maxProperties: most = Number.POSITIVE_INFINITY } = schema
  const { properties = {}, patternProperties = {}, additionalProperties: rest = true } = schema
  const required = new Set(schema.required)
  const isOpen = rest === true || isSkipped(rest, reading)
  const isBounded = least > 0 || most < Number.POSITIVE_INFINITY
  const own = Object.entries(properties)
  const matching = Object.entries(patternProperties)
  if (isOpen && !isBounded && own.length + matching.length + required.size === 0) return []

  const patterns = matching.map(
    ([source, each]) => [createPatternTest(source), ruleOf(each, reading)] as const,
  )
  const others = isOpen ? [] : [ruleOf(rest, reading, 'additionalProperties')]
  const memberOf = (name: string): Member => {
    const named = [
      ...(Object.hasOwn(properties, name) ? [ruleOf(properties[name] ?? true, reading)] : []),
      ...patterns.filter(([matches]) => matches(name)).map(([, rule]) => rule),
    ]
    const rules = named.length > 0 ? named : others
    const check = allChecks(rules.map((rule) => rule.check))
    return { rules, check, counts: required.has(name) ? 1 : 0 }
  }
  const known = new Map(
    [...Object.keys(properties), ...required].map((name) => [name, memberOf(name)]),
  )
  const other: Member = { rules: others, check: others[0]?.check ?? pass, counts: 0 }
  return [
    (object, report) => {
      let holds =
        report === undefined ||
        [
          requireAll(object, schema.required, report),
          reportSize(object, least, most, report),
        ].every(Boolean)
      let size = 0
      let found = 0
      for (const name in object) {
        if (!Object.hasOwn(object, name)) continue
        const value = object[name]
        if (value === undefined) continue
        size++
        const member = known.get(name) ?? (patterns.length > 0 ? memberOf(name) : other)
        found += member.counts
        if (member.check(value)) continue
        if (report === undefined) return false
        holds = false
        if (isFull(report)) break
        reportProperty(member.rules, object, name, report)
      }
      return report === undefined ? found === required.size && size >= least && size <= most : holds
    },
  ]
}

const checkNames = ({ propertyNames: names }: SchemaKeywords): readonly Check<JsonObject>[] => {
  if (names === undefined) return []
  const check = compile(names, 'strict')
  return [
    (object, report) => {
      let holds = true
      for (const key of presentKeys(object)) {
        if (check(key)) continue
        if (report === undefined) return false
        holds = false
        if (isFull(report)) break
        const [first] = explore(check, key, report, 1)
        complain(report, {
          keyword: 'propertyNames',
          need: `not have a property named ${quote(key)}`,
          actual: `as a name must ${first?.need}`,
          params: { property: key },
        })
      }
      return holds
    },
  ]
}

const requireAll = (
  object: JsonObject,
  names: readonly string[] = [],
  report: Report | undefined,
  keyword = 'required',
  actual?: string,
): boolean => {
  let holds = true
  for (const name of names) {
    if (has(object, name)) continue
    if (report === undefined) return false
    const need = `have the property ${property(name)}`
    holds = complain(report, { keyword, need, actual, params: { property: name } })
  }
  return holds
}

const reportSize = (object: JsonObject, least: number, most: number, report: Report): boolean => {
  const size = presentKeys(object).length
  const actual = `has ${size}`
  if (size < least) {
    const need = `have at least ${count(least, 'property')}`
    return complain(report, { keyword: 'minProperties', need, actual })
  }
  if (size <= most) return true
  const need = `have at most ${count(most, 'property')}`
  return complain(report, { keyword: 'maxProperties', need, actual })
}

/** A forbidden property is reported at its object, any other at its own place. */
const reportProperty = (
  rules: readonly Rule[],
  object: JsonObject,
  key: string,
  report: Report,
): void => {
  const value = object[key]
  for (const { check, forbidden } of rules) {
    if (check(value)) continue
    if (forbidden === undefined) reportWrong(check, value, inside(report, object, key))
    else {
      const need = `not have the property ${property(key)}`
      complain(report, { keyword: forbidden, need, params: { property: key } })
    }
  }
}
