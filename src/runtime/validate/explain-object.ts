import type { Reading, SchemaKeywords } from '../validate.js'
import { ask, askedBy, forbiddenBy } from './asked-property.js'
import { complain, type Explain, isFull } from './complaint.js'
import { evaluatedBy } from './evaluated.js'
import { type ExplainProperties, explainMembers } from './explain-members.js'
import { explainerOf, explainPart, toldOf } from './explain-value.js'
import { holdsOf } from './holds.js'
import { has, isObject, presentKeys } from './json-value.js'
import { isSkipped } from './schema-source.js'
import { count, property, quote } from './wording.js'

export const explainObject = (schema: SchemaKeywords, reading: Reading): readonly Explain[] => {
  const { required, ...others } = schema
  const size = explainSize(schema)
  return ofObjects(schema, [
    ...(size.length === 0
      ? explainMembers(schema, reading)
      : [
          ...explainMembers({ required: required ?? [] }, reading),
          ...size,
          ...explainMembers(others, reading),
        ]),
    ...explainNames(schema),
    ...explainDependents(schema, reading),
  ])
}

export const explainUnevaluatedProperties = (
  schema: SchemaKeywords,
  reading: Reading,
): readonly Explain[] => {
  const { unevaluatedProperties: rest = true } = schema
  if (isSkipped(rest, reading) || rest === true) return []
  const forbidden = rest === false ? 'unevaluatedProperties' : forbiddenBy(rest)
  const other = askedBy(rest, reading, forbidden)
  const step: ExplainProperties = (value, place, out) => {
    const seen = evaluatedBy(schema, reading, value)
    for (const key of presentKeys(value)) {
      if (isFull(out)) return
      if (!seen.has(key)) ask(other, value, key, place, out)
    }
  }
  return ofObjects(schema, [step])
}

const ofObjects = (
  { type }: SchemaKeywords,
  steps: readonly ExplainProperties[],
): readonly Explain[] => {
  const [first, ...others] = steps
  if (first === undefined) return []
  // The type has been seen to before.
  if (type === 'object' && others.length === 0) return [first as Explain]
  return [
    (value, place, out) => {
      if (isObject(value)) for (const step of steps) step(value, place, out)
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

const explainNames = ({ propertyNames: names }: SchemaKeywords): readonly ExplainProperties[] => {
  if (names === undefined) return []
  const holds = holdsOf(names, 'strict')
  return [
    (value, place, out) => {
      for (const key of presentKeys(value)) {
        if (isFull(out)) return
        if (holds(key)) continue
        const { found } = toldOf(explainerOf(names, 'strict'), key, place, 1, out.options)
        const need = `not have a property named ${quote(key)}`
        const actual = `as a name must ${found[0]?.need}`
        const params = { property: key }
        complain(out, { place, keyword: 'propertyNames', need, actual, params })
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
          complain(out, {
            place,
            keyword: 'dependentRequired',
            need: `have the property ${property(name)}`,
            actual,
            params: { property: name },
          })
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
