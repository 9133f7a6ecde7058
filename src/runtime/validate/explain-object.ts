import type { Reading, SchemaKeywords, ValidatorSchema } from '../validate.js'
import { type Complaints, complain, type Explain, isFull, type Place } from './complaint.js'
import { evaluatedBy } from './evaluated.js'
import {
  type Explainer,
  explainerOf,
  explainPart,
  explainRefused,
  toldOf,
} from './explain-value.js'
import { type Holds, holdsOf } from './holds.js'
import { compilePattern, has, isObject, type JsonObject, presentKeys } from './json-value.js'
import { isSkipped, keywordsOf } from './schema-source.js'
import { count, property, quote } from './wording.js'

export const explainObject = (schema: SchemaKeywords, reading: Reading): readonly Explain[] =>
  ofObjects([
    ...explainRequired(schema),
    ...explainSize(schema),
    ...explainProperties(schema, reading),
    ...explainNames(schema),
    ...explainDependents(schema, reading),
  ])

export const explainUnevaluatedProperties = (
  schema: SchemaKeywords,
  reading: Reading,
): readonly Explain[] => {
  const { unevaluatedProperties: rest = true } = schema
  if (isSkipped(rest, reading) || rest === true) return []
  const other: Asked = {
    ...askedBy(rest, reading),
    ...(rest === false && { forbidden: 'unevaluatedProperties' }),
  }
  const step: ExplainProperties = (value, place, out) => {
    const seen = evaluatedBy(schema, reading, value)
    for (const key of presentKeys(value)) if (!seen.has(key)) ask(other, value, key, place, out)
  }
  return ofObjects([step])
}

type ExplainProperties = (value: JsonObject, place: Place, out: Complaints) => void

const ofObjects = (steps: readonly ExplainProperties[]): readonly Explain[] => {
  const [first, second, ...others] = steps
  if (first === undefined) return []
  return [
    (value, place, out) => {
      if (!isObject(value)) return
      first(value, place, out)
      second?.(value, place, out)
      for (const step of others) step(value, place, out)
    },
  ]
}

/** What is asked of a property: to fit, or not to be there at all, by a keyword. */
type Asked = {
  readonly forbidden: string | undefined
  /** What is asked where it is forbidden and its name is known. */
  readonly need?: string
  readonly part: Explainer
  /** Whether nothing need be told, where that is quick to say. */
  readonly holds: Holds | undefined
}

const ask = (
  asked: Asked,
  object: JsonObject,
  key: string,
  place: Place,
  out: Complaints,
): void => {
  if (!asked.holds?.(object[key])) refuse(asked, object, key, place, out)
}

/** What is to say of a property that is forbidden, or that did not hold where that was asked. */
const refuse = (
  { forbidden, need, part }: Asked,
  object: JsonObject,
  key: string,
  place: Place,
  out: Complaints,
): void => {
  if (forbidden !== undefined) {
    complain(out, { place, keyword: forbidden, need: need ?? needWithout(key) })
  } else {
    explainRefused(part, object, key, object[key], place, out)
  }
}

const explainRequired = ({ required = [] }: SchemaKeywords): readonly ExplainProperties[] => {
  if (required.length === 0) return []
  return [
    (value, place, out) => {
      for (const name of required) {
        if (has(value, name)) continue
        complain(out, { place, keyword: 'required', need: needProperty(name) })
      }
    },
  ]
}

const explainSize = (schema: SchemaKeywords): readonly ExplainProperties[] => {
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema
  if (minProperties <= 0 && maxProperties === Number.POSITIVE_INFINITY) return []
  return [
    (value, place, out) => {
      const size = presentKeys(value).length
      const actual = `has ${size}`
      if (size < minProperties) {
        const need = `have at least ${count(minProperties, 'property')}`
        complain(out, { place, keyword: 'minProperties', need, actual })
      }
      if (size > maxProperties) {
        const need = `have at most ${count(maxProperties, 'property')}`
        complain(out, { place, keyword: 'maxProperties', need, actual })
      }
    },
  ]
}

const explainProperties = (
  schema: SchemaKeywords,
  reading: Reading,
): readonly ExplainProperties[] => {
  const { properties = {}, patternProperties = {}, additionalProperties: rest } = schema
  const known = new Map(
    Object.entries(properties).map(([name, each]) => [
      name,
      { ...askedBy(each, reading), need: needWithout(name) },
    ]),
  )
  const patterns = Object.entries(patternProperties).map(
    ([source, each]) => [compilePattern(source), askedBy(each, reading)] as const,
  )
  const other: Asked | undefined =
    rest === undefined || rest === true || isSkipped(rest, reading)
      ? undefined
      : {
          ...askedBy(rest, reading),
          ...(rest === false && { forbidden: 'additionalProperties' }),
        }
  if (patterns.length > 0) return [explainPatterned(known, patterns, other)]
  return known.size > 0 || other !== undefined ? [explainNamed(known, other)] : []
}

type Known = ReadonlyMap<string, Asked>

const explainNamed =
  (known: Known, other: Asked | undefined): ExplainProperties =>
  (object, place, out) => {
    for (const key in object) {
      const value = object[key]
      if (value === undefined) continue
      const asked = known.get(key) ?? other
      if (asked === undefined || asked.holds?.(value)) continue
      if (isFull(out)) return
      if (Object.hasOwn(object, key)) refuse(asked, object, key, place, out)
    }
  }

const explainPatterned =
  (
    known: Known,
    patterns: readonly (readonly [RegExp, Asked])[],
    other: Asked | undefined,
  ): ExplainProperties =>
  (object, place, out) => {
    for (const key in object) {
      if (isFull(out)) return
      if (!has(object, key)) continue
      const own = known.get(key)
      if (own !== undefined) ask(own, object, key, place, out)
      let isDeclared = own !== undefined
      for (const [pattern, each] of patterns) {
        if (!pattern.test(key)) continue
        isDeclared = true
        ask(each, object, key, place, out)
      }
      if (!isDeclared && other !== undefined) ask(other, object, key, place, out)
    }
  }

const askedBy = (schema: ValidatorSchema, reading: Reading): Asked => {
  const forbidden = forbiddenBy(schema)
  const part = explainerOf(schema, reading)
  return { forbidden, part, holds: forbidden === undefined ? part.holds : undefined }
}

const explainNames = ({ propertyNames: names }: SchemaKeywords): readonly ExplainProperties[] => {
  if (names === undefined) return []
  const holds = holdsOf(names, 'strict')
  return [
    (value, place, out) => {
      for (const key of presentKeys(value)) {
        if (holds(key)) continue
        const { found } = toldOf(explainerOf(names, 'strict'), key, place, 1)
        const need = `not have a property named ${quote(key)}`
        const actual = `as a name must ${found[0]?.need}`
        complain(out, { place, keyword: 'propertyNames', need, actual })
      }
    },
  ]
}

const explainDependents = (
  schema: SchemaKeywords,
  reading: Reading,
): readonly ExplainProperties[] => [
  ...Object.entries(schema.dependentRequired ?? {}).map(
    ([key, needed]): ExplainProperties =>
      (value, place, out) => {
        if (!has(value, key)) return
        const actual = `as it has ${property(key)}`
        for (const name of needed) {
          if (has(value, name)) continue
          complain(out, { place, keyword: 'dependentRequired', need: needProperty(name), actual })
        }
      },
  ),
  ...Object.entries(schema.dependentSchemas ?? {}).map(([key, each]): ExplainProperties => {
    const part = explainerOf(each, reading)
    return (value, place, out) => {
      if (has(value, key)) explainPart(part, value, place, out)
    }
  }),
]

const needProperty = (name: string): string => `have the property ${property(name)}`

const needWithout = (key: string): string => `not have the property ${property(key)}`

/** The keyword of a schema that nothing matches, which is how a request form forbids a property. */
export const forbiddenBy = (schema: ValidatorSchema): string | undefined => {
  if (schema === false) return 'properties'
  const { not } = keywordsOf(schema) ?? {}
  if (not === undefined) return undefined
  const anything = not === true || (typeof not === 'object' && Object.keys(not).length === 0)
  return anything ? 'not' : undefined
}
