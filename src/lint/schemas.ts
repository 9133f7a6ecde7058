import type { JsonObject } from '../model/api.js'
import type { Said } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { compilePattern } from '../runtime/validate.js'
import { ASSERTIONS } from '../schema/keywords.js'
import { patternGrowth } from '../schema/patterns/growth.js'
import { findUnportable } from '../schema/patterns/portable.js'
import type { Rule, Survey, Written } from './survey.js'

/** Rules for schemas as written: keywords that their dialect ignores, and constraints that no value satisfies. */
export const SCHEMA_RULES: readonly Rule[] = [
  {
    id: 'reference-has-ignored-siblings',
    level: 'warning',
    purpose: 'OpenAPI 3.0 and draft-07 ignore keywords next to a $ref.',
    find: ignoredSiblings,
  },
  {
    id: 'nullable-has-no-effect',
    level: 'warning',
    purpose:
      'In OpenAPI 3.0, nullable adds null only to the type next to it, not to an enum or to branches; tools differ.',
    find: vainNullable,
  },
  {
    id: 'keyword-has-no-effect',
    level: 'warning',
    purpose:
      'A keyword for another type does not constrain the value, so the intended constraint has no effect.',
    find: vainKeywords,
  },
  {
    id: 'enum-value-has-wrong-type',
    level: 'warning',
    purpose: 'An enum value that the type next to it rejects can never be sent.',
    find: wrongValues,
  },
  {
    id: 'enum-value-is-duplicate',
    level: 'warning',
    purpose: 'A value that is listed twice is probably a typo of another value.',
    find: twinValues,
  },
  {
    id: 'bounds-contradict',
    level: 'error',
    purpose: 'If the lower bound is above the upper bound, no value is valid.',
    find: contradictions,
  },
  {
    id: 'pattern-is-unportable',
    level: 'warning',
    purpose:
      'Clients validate in other languages, whose regular expression engines interpret some constructs differently.',
    find: unportable,
  },
  {
    id: 'pattern-takes-too-long',
    level: 'warning',
    purpose:
      'One request can stop a server that matches a pattern in exponential time; generated code is safe, but other tools are not.',
    find: slowPatterns,
  },
  {
    id: 'required-property-is-undeclared',
    level: 'warning',
    purpose:
      'A required name that is not among the properties is probably mistyped, and its value can have any type.',
    find: undeclaredNames,
  },
]

function* schemasIn({ written }: Survey): Generator<Written> {
  for (const one of written) {
    if (one.section === 'schemas' && one.kind === 'object') yield one
  }
}

const placeOf = ({ node, document }: Written, ...members: readonly (string | number)[]) =>
  document.sourceOf(node).locate(...members)

function* ignoredSiblings(survey: Survey): Generator<Said> {
  for (const one of schemasIn(survey)) {
    if (typeof one.node.$ref !== 'string' || one.document.dialect === '2020-12') continue
    const [ignored] = Object.keys(one.node).filter((key) => ASSERTIONS.has(key))
    if (ignored === undefined) continue
    yield {
      location: placeOf(one, ignored),
      message: `${ignored} is ignored next to a $ref: put the $ref under allOf`,
    }
  }
}

function* vainNullable(survey: Survey): Generator<Said> {
  for (const one of schemasIn(survey)) {
    const { node, document } = one
    if (node.nullable !== true) continue
    const report = (message: string): Said => ({ location: placeOf(one, 'nullable'), message })
    if (typeof node.$ref === 'string') {
      yield report('nullable is beside a $ref, where it is not read: write anyOf with a null')
    } else if (document.dialect !== 'openapi-3.0') {
      yield report('nullable is of OpenAPI 3.0 only: add "null" to the type')
    } else if (Array.isArray(node.enum) && !node.enum.includes(null)) {
      yield report(
        'the enum has no null in it: null is accepted here, and other tools reject it, so add null to the enum',
      )
    } else if (node.type === undefined) {
      yield report(
        'nullable adds null to a type, and none is beside it: null is accepted here, and other tools reject it, so write anyOf with a type that has it',
      )
    }
  }
}

/** Keywords that apply only to values of one type (JSON Schema Validation, 6). */
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'minProperties',
    'maxProperties',
    'propertyNames',
  ],
}

function* vainKeywords(survey: Survey): Generator<Said> {
  for (const one of schemasIn(survey)) {
    const { type } = one.node
    if (type === undefined) continue
    const types = new Set(typesOf(type))
    for (const [wanted, keywords] of Object.entries(OF_TYPE)) {
      if (types.has(wanted)) continue
      for (const keyword of keywords) {
        // OpenAPI documents from the time of Swagger write `required: true` in a property.
        if (one.node[keyword] === undefined || one.node[keyword] === true) continue
        yield {
          location: placeOf(one, keyword),
          message: `${keyword} applies only to ${wanted === 'string' ? 'texts' : `${wanted}s`}, and the type is ${[type].flat().join(' or ')}: correct one of them`,
        }
      }
    }
  }
}

const typesOf = (type: unknown): readonly string[] =>
  (Array.isArray(type) ? type : [type]).map((one) => (one === 'integer' ? 'number' : String(one)))

function* wrongValues(survey: Survey): Generator<Said> {
  for (const one of schemasIn(survey)) {
    const { type, enum: values, nullable } = one.node
    if (type === undefined || !Array.isArray(values)) continue
    const types = new Set([...typesOf(type), ...(nullable === true ? ['null'] : [])])
    for (const [index, value] of values.entries()) {
      if (types.has(typeOf(value))) continue
      yield {
        location: placeOf(one, 'enum', index),
        message: `the enum lists ${JSON.stringify(value)}, and the type allows only ${[type].flat().join(' or ')}: correct one of them`,
      }
    }
  }
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function* twinValues(survey: Survey): Generator<Said> {
  for (const one of schemasIn(survey)) {
    if (!Array.isArray(one.node.enum)) continue
    const seen = new Set<string>()
    for (const [index, value] of one.node.enum.entries()) {
      const key = JSON.stringify(value)
      if (seen.has(key)) {
        yield { location: placeOf(one, 'enum', index), message: `${key} is listed a second time` }
      }
      seen.add(key)
    }
  }
}

const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const

function* contradictions({ schemas }: Survey): Generator<Said> {
  for (const { schema, source } of schemas) {
    for (const [low, high] of BOUNDS) {
      const [least, most] = [schema[low], schema[high]]
      if (least === undefined || most === undefined || least <= most) continue
      yield {
        location: source.locate(low),
        message: `${low} is ${least} and ${high} is ${most}, so no value is accepted: exchange or correct them`,
      }
    }
  }
}

type WrittenPattern = readonly [text: string, ...members: string[]]

const patternsOf = ({ pattern, patternProperties }: Written['node']): readonly WrittenPattern[] => [
  ...(typeof pattern === 'string' ? [[pattern, 'pattern'] as const] : []),
  ...Object.keys(isObject(patternProperties) ? patternProperties : {}).map(
    (name) => [name, 'patternProperties', name] as const,
  ),
]

function* slowPatterns(survey: Survey): Generator<Said> {
  for (const one of schemasIn(survey)) {
    const { maxLength } = one.node
    for (const [text, ...members] of patternsOf(one.node)) {
      const longest = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY
      const message = saysSlow(text, members[0] === 'pattern' ? longest : Number.POSITIVE_INFINITY)
      if (message !== undefined) yield { location: placeOf(one, ...members), message }
    }
  }
}

const saysSlow = (pattern: string, maxLength: number): string | undefined => {
  if (!isExpression(pattern)) return undefined
  const growth = patternGrowth(pattern)
  if (growth.kind === 'linear' || (growth.kind === 'unknown' && growth.why === 'large')) return
  if (growth.kind === 'unknown') {
    return `it is not known how long a regular expression takes for ${pattern}, so generated code rejects a text of more than 25 characters: write it without modifiers and octal escapes`
  }
  const isExponential = growth.kind === 'exponential'
  if (!isExponential && growth.degree < LEAST_DEGREE) return undefined
  const steps = isExponential ? 2 ** maxLength : maxLength ** growth.degree
  if (steps <= MOST_STEPS) return undefined
  const time = isExponential
    ? 'exponential time'
    : `time that grows with the power of ${growth.degree}`
  return `${pattern} takes ${time} for a text that repeats ${JSON.stringify(growth.repeated)} and does not match: write it so that each text can match in one way only, or add a maxLength of ${isExponential ? Math.floor(Math.log2(MOST_STEPS)) : Math.floor(MOST_STEPS ** (1 / growth.degree))} or less`
}

/** Quadratic patterns are common, and slow only for long texts. */
const LEAST_DEGREE = 3
const MOST_STEPS = 1_000_000

const isExpression = (source: string): boolean => {
  try {
    compilePattern(source)
    return true
  } catch {
    return false
  }
}

function* unportable(survey: Survey): Generator<Said> {
  for (const one of schemasIn(survey)) {
    for (const [text, ...members] of patternsOf(one.node)) {
      for (const { says } of findUnportable(text)) {
        yield { location: placeOf(one, ...members), message: `in ${text}, ${says}` }
      }
    }
  }
}

/** Reported only for a complete schema: within a combination, another branch may declare the name. */
function* undeclaredNames(survey: Survey): Generator<Said> {
  const combined = new WeakSet<object>()
  for (const { node } of schemasIn(survey)) {
    for (const key of COMBINING) for (const branch of branchesOf(node[key])) combined.add(branch)
  }
  for (const one of schemasIn(survey)) {
    const { properties, required, additionalProperties, patternProperties } = one.node
    const isAlone = !combined.has(one.node) && !COMBINING.some((key) => key in one.node)
    if (!isAlone || !isObject(properties) || !Array.isArray(required)) continue
    if (isObject(additionalProperties) || patternProperties !== undefined) continue
    for (const [index, name] of required.entries()) {
      if (typeof name !== 'string' || Object.hasOwn(properties, name)) continue
      yield {
        location: placeOf(one, 'required', index),
        message: `${name} is required and not among the properties: declare it, or correct the name`,
      }
    }
  }
}

const COMBINING = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'] as const

const branchesOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : []
