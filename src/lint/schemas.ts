import type { Api } from '../model/api.js'
import type { FindingDetails } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { valueAs } from '../read/keyword-shapes.js'
import { cached } from '../runtime/shared/cached.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { NAMING, namedValues } from '../schema/enum-names.js'
import { ASSERTIONS } from '../schema/keywords.js'
import { createSide, nodeOf } from '../schema/node.js'
import { isEmptyRange, rangeOf } from '../schema/number-range.js'
import { dereference, type Schema, type SchemaObject, typesIn } from '../schema/schema.js'
import { type LintRule, locationOf, type Survey, schemasIn } from './survey.js'

/** Rules for schemas as written: keywords that their dialect ignores, and constraints that no value satisfies. */
export const LINT_SCHEMA_RULES: readonly LintRule[] = [
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
    purpose:
      'The type next to an enum or const value rejects it. Such a value is ignored; if no other is left, the type is.',
    find: wrongValues,
  },
  {
    id: 'enum-value-is-duplicate',
    level: 'warning',
    purpose: 'A value that is listed twice is probably a typo of another value.',
    find: twinValues,
  },
  {
    id: 'enum-names-do-not-fit',
    level: 'warning',
    purpose:
      'Code gets a constant for the values of an enum if x-enum-varnames or x-enumNames has one name for each of them.',
    find: unfitNames,
  },
  {
    id: 'bounds-contradict',
    level: 'error',
    purpose:
      'If the lower bound excludes every value that the upper bound allows, no value is valid.',
    find: contradictions,
  },
  {
    id: 'types-contradict',
    level: 'error',
    purpose:
      'If the type and the parts or alternatives of a schema allow no common type, no value is valid.',
    find: contradictingTypes,
  },
  {
    id: 'required-property-is-undeclared',
    level: 'warning',
    purpose:
      'A required name that is not among the properties is probably mistyped, and its value can have any type.',
    find: undeclaredNames,
  },
  {
    id: 'property-name-is-unsafe',
    level: 'warning',
    purpose:
      'JavaScript objects inherit some names, and libraries drop them from data to prevent prototype pollution.',
    find: unsafeNames,
  },
]

function* ignoredSiblings(survey: Survey): Generator<FindingDetails> {
  for (const one of schemasIn(survey)) {
    if (typeof one.node.$ref !== 'string' || one.document.dialect === '2020-12') continue
    const [ignored] = Object.keys(one.node).filter((key) => ASSERTIONS.has(key))
    if (ignored === undefined) continue
    yield {
      location: locationOf(one, ignored),
      message: `${ignored} is ignored next to a $ref: put the $ref under allOf`,
    }
  }
}

function* vainNullable(survey: Survey): Generator<FindingDetails> {
  for (const one of schemasIn(survey)) {
    const { node, document } = one
    if (node.nullable !== true) continue
    const report = (message: string): FindingDetails => ({
      location: locationOf(one, 'nullable'),
      message,
    })
    if (typeof node.$ref === 'string') {
      yield report(
        'Twinspec accepts null here, but other tools ignore nullable next to a $ref: write anyOf with the $ref and a branch that accepts null',
      )
    } else if (document.dialect !== 'openapi-3.0') {
      yield report(
        'Twinspec accepts null here, but other tools ignore nullable, which is a keyword of OpenAPI 3.0: remove it, and add "null" to the type',
      )
    } else if (Array.isArray(node.enum) && !node.enum.includes(null)) {
      yield report(
        'Twinspec accepts null here, but other tools reject it, because nullable does not add it to an enum: add null to the enum',
      )
    } else if (node.type === undefined) {
      yield report(
        'Twinspec accepts null here, but other tools reject it, because nullable needs a type next to it: add a type, or an anyOf branch for null',
      )
    }
  }
}

/** Keywords that apply only to values of one type (JSON Schema Validation, 6). */
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: [
    'items',
    'prefixItems',
    'minItems',
    'maxItems',
    'uniqueItems',
    'contains',
    'minContains',
    'maxContains',
  ],
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'minProperties',
    'maxProperties',
    'propertyNames',
    'dependentRequired',
  ],
}

function* vainKeywords(survey: Survey): Generator<FindingDetails> {
  for (const one of schemasIn(survey)) {
    const { type } = one.node
    if (type === undefined) continue
    const types = new Set([type].flat().map((one) => (one === 'integer' ? 'number' : one)))
    for (const [wanted, keywords] of Object.entries(OF_TYPE)) {
      if (types.has(wanted)) continue
      for (const keyword of keywords) {
        const value = one.node[keyword]
        if (value === undefined) continue
        yield {
          location: locationOf(one, keyword),
          message: `${keyword} applies only to ${wanted}s, and the type is ${[type].flat().join(' or ')}: correct one of them`,
        }
      }
    }
  }
}

function* wrongValues(survey: Survey): Generator<FindingDetails> {
  for (const one of schemasIn(survey)) {
    const { type, enum: values, nullable } = one.node
    if (type === undefined) continue
    const types = new Set<unknown>([type, nullable === true ? 'null' : []].flat())
    const listed = Array.isArray(values) ? [...values.entries()] : []
    const rows = [
      ...listed.map(([index, value]) => {
        const written = one.document.numberText(values as JsonObject, index, 'any')
        return { value, written, says: 'the enum lists', at: ['enum', index] }
      }),
      ...('const' in one.node
        ? [
            {
              value: one.node.const,
              written: one.document.numberText(one.node, 'const', 'any'),
              says: 'the const is',
              at: ['const'],
            },
          ]
        : []),
    ]
    for (const { value, written, says, at } of rows) {
      const location = locationOf(one, ...at)
      const read = valueAs(value, types, written)
      if (read === value) continue
      const remedy =
        read === undefined
          ? 'correct one of them'
          : `it is read as ${JSON.stringify(read)}; write that`
      yield {
        location,
        message: `${says} ${JSON.stringify(value)}, and the type allows only ${[type].flat().join(' or ')}: ${remedy}`,
      }
    }
  }
}

function* twinValues(survey: Survey): Generator<FindingDetails> {
  for (const one of schemasIn(survey)) {
    if (!Array.isArray(one.node.enum)) continue
    const seen = new Set<string>()
    for (const [index, value] of one.node.enum.entries()) {
      const key = JSON.stringify(value)
      if (seen.has(key)) {
        yield {
          location: locationOf(one, 'enum', index),
          message: `the enum lists ${key} again: remove it, or correct it if another value is meant`,
        }
      }
      seen.add(key)
    }
  }
}

function* unfitNames(survey: Survey): Generator<FindingDetails> {
  for (const one of schemasIn(survey)) {
    const found = namedValues(one.node)
    const key = NAMING.find((name) => name in one.node)
    if (typeof found === 'string' && key !== undefined)
      yield {
        location: locationOf(one, key),
        message: `${found}: give each value a name of its own`,
      }
  }
}

const BOUNDS = [
  ['number', 'minimum', 'maximum'],
  ['number', 'minimum', 'exclusiveMaximum'],
  ['number', 'exclusiveMinimum', 'maximum'],
  ['number', 'exclusiveMinimum', 'exclusiveMaximum'],
  ['string', 'minLength', 'maxLength'],
  ['array', 'minItems', 'maxItems'],
  ['array', 'minContains', 'maxContains'],
  ['object', 'minProperties', 'maxProperties'],
] as const

function* contradictions({ schemas }: Survey): Generator<FindingDetails> {
  for (const { schema, source } of schemas) {
    // JSON Schema Validation, 6.4.5: without contains, minContains has no effect; with it, the default is 1.
    const minContains = schema.contains === undefined ? undefined : (schema.minContains ?? 1)
    const bounds = { ...schema, minContains }
    for (const [type, low, high] of BOUNDS) {
      const [least, most] = [bounds[low], bounds[high]]
      if (least === undefined || most === undefined) continue
      const kind = type === 'number' ? numberKind(schema) : type
      const isPossible =
        type === 'number'
          ? !isEmptyRange(
              rangeOf([nodeOf(NO_SCHEMAS, { ...kindOnly(schema), [low]: least, [high]: most })]),
            )
          : least <= most
      if (isPossible) continue
      yield {
        location: source.locate(low),
        message: `${boundName(low)} is ${least} and ${boundName(high)} is ${most}, so no ${kind} is valid: correct one of them`,
      }
    }
  }
}

function* contradictingTypes({ api, schemas }: Survey): Generator<FindingDetails> {
  const known = new Map<Schema, Kinds>()
  for (const { schema, source } of schemas) {
    let before: { readonly kinds: Kinds; readonly words: string } | undefined
    for (const [keyword, kinds] of kindsByKeyword(schema, api.schemas, known)) {
      // A part that no value fulfils is reported itself.
      if (kinds.size === 0) break
      const words = listOfKinds(kinds)
      const both = before === undefined ? kinds : common(before.kinds, kinds)
      if (before !== undefined && both.size === 0) {
        yield {
          location: source.locate(keyword),
          message: `${keyword} allows only ${words}, and the keywords beside it only ${before.words}, so no value is valid: correct one of them`,
        }
        break
      }
      before = { kinds: both, words: listOfKinds(both) }
    }
  }
}

type Kinds = ReadonlySet<string>

/** The types of JSON; a number with a fraction is no integer. */
const KINDS: Kinds = new Set([
  'null',
  'boolean',
  'integer',
  'fraction',
  'string',
  'array',
  'object',
])

/** The types that each keyword of a schema allows; of `allOf`, each part by itself. */
function* kindsByKeyword(
  schema: SchemaObject,
  schemas: Api['schemas'],
  known: Map<Schema, Kinds>,
  depth = 0,
): Generator<readonly [keyword: string, kinds: Kinds]> {
  const types = typesIn(schema)
  if (types !== undefined)
    yield ['type', new Set(types.flatMap((one) => (one === 'number' ? NUMBERS : [one])))]
  for (const part of schema.allOf ?? []) yield ['allOf', kindsOf(part, schemas, known, depth)]
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = schema[keyword]
    if (branches === undefined) continue
    yield [keyword, new Set(branches.flatMap((one) => [...kindsOf(one, schemas, known, depth)]))]
  }
}

const NUMBERS = ['integer', 'fraction']

const common = (some: Kinds, others: Kinds): Kinds =>
  new Set([...some].filter((one) => others.has(one)))

/** The types that a schema allows; all for a cycle of references, and below so many levels that the stack would overflow. */
function kindsOf(
  schema: Schema,
  schemas: Api['schemas'],
  known: Map<Schema, Kinds>,
  depth: number,
): Kinds {
  const real = dereference(schema, schemas)
  if (typeof real === 'boolean') return real ? KINDS : new Set()
  const before = known.get(real)
  if (before !== undefined) return before
  if (depth > DEEPEST) return KINDS
  known.set(real, KINDS)
  let all = KINDS
  for (const [, kinds] of kindsByKeyword(real, schemas, known, depth + 1)) all = common(all, kinds)
  known.set(real, all)
  return all
}

const DEEPEST = 200

const listOfKinds = (kinds: Kinds): string =>
  [...kinds].map((one) => (one === 'fraction' ? 'number' : one)).join(' or ')

const NO_SCHEMAS = createSide(new Map())

/** The keywords that allow only some of the numbers between two bounds. */
const kindOnly = ({ type, multipleOf }: SchemaObject): SchemaObject => ({
  ...(type !== undefined && { type }),
  ...(multipleOf !== undefined && { multipleOf }),
})

const numberKind = ({ type, multipleOf }: SchemaObject): string => {
  if (multipleOf !== undefined) return `multiple of ${multipleOf}`
  return [type].flat().includes('integer') ? 'integer' : 'number'
}

/** In OpenAPI 3.0, an exclusive bound is written as two keywords. */
const boundName = (keyword: string): string => keyword.replace(/^exclusiveM/, 'the exclusive m')

/** Reported only for a complete schema: within a combination, another branch may declare the name. */
function* undeclaredNames(survey: Survey): Generator<FindingDetails> {
  const combined = new WeakSet<object>()
  for (const { node } of schemasIn(survey)) {
    for (const key of COMBINING) for (const branch of branchesOf(node[key])) combined.add(branch)
  }
  const isDeclaredByUser = createUsers(survey)
  for (const one of schemasIn(survey)) {
    const { properties, required, additionalProperties, patternProperties } = one.node
    const isAlone = !combined.has(one.node) && !COMBINING.some((key) => key in one.node)
    if (!isAlone || !isObject(properties) || !Array.isArray(required)) continue
    if (isObject(additionalProperties) || patternProperties !== undefined) continue
    for (const [index, name] of required.entries()) {
      if (typeof name !== 'string' || Object.hasOwn(properties, name)) continue
      if (isDeclaredByUser(one.node, name)) continue
      yield {
        location: locationOf(one, 'required', index),
        message: `${name} is required and not among the properties: declare it, or correct the name`,
      }
    }
  }
}

/** Whether a schema that has another one in its allOf, by reference, at any depth, declares a property for it. */
function createUsers(survey: Survey): (node: JsonObject, name: string) => boolean {
  const users = new Map<unknown, JsonObject[]>()
  const partsOf = new Map<JsonObject, readonly JsonObject[]>()
  for (const { node, document } of schemasIn(survey)) {
    const { schemas = {} } = isObject(document.bundled.components)
      ? document.bundled.components
      : {}
    const parts = branchesOf(node.allOf).map((part) => {
      const name = typeof part.$ref === 'string' ? segmentsOf(part.$ref).at(-1) : undefined
      const target = name === undefined || !isObject(schemas) ? part : schemas[name]
      return isObject(target) ? target : part
    })
    partsOf.set(node, parts)
    for (const part of parts) cached(users, part, () => []).push(node)
  }
  return (node, name) => {
    const above = new Set(users.get(node))
    // The loop also visits those that are added meanwhile.
    for (const user of above) {
      const all = [user, ...(partsOf.get(user) ?? [])]
      if (all.some(({ properties }) => isObject(properties) && Object.hasOwn(properties, name)))
        return true
      for (const one of users.get(user) ?? []) above.add(one)
    }
    return false
  }
}

function* unsafeNames(survey: Survey): Generator<FindingDetails> {
  for (const one of schemasIn(survey)) {
    const { properties } = one.node
    for (const name of UNSAFE_NAMES) {
      if (!isObject(properties) || !Object.hasOwn(properties, name)) continue
      yield {
        location: locationOf(one, 'properties', name),
        message: `${name} has a meaning of its own in JavaScript, and many libraries drop a property of this name: choose another name`,
      }
    }
  }
}

/** The names that lodash, dot-prop and others drop. Objects inherit the first two, functions have the third. */
const UNSAFE_NAMES = ['__proto__', 'constructor', 'prototype'] as const

const COMBINING = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'] as const

const branchesOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : []
