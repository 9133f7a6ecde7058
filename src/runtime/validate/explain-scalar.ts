import type { SchemaKeywords } from '../validate.js'
import { checkAmong } from './check-value.js'
import { type Complaints, complain, type Explain, type Place } from './complaint.js'
import { compilePattern, countCharacters, isMultiple, isObject, isOfType } from './json-value.js'
import { count, describe, list, nameTypes, quote, spell } from './wording.js'

/** Where the type is wrong nothing else is reported. */
export const explainType = ({ type }: SchemaKeywords): Explain | undefined => {
  if (type === undefined) return undefined
  const holds = typeCheck({ type })
  const need = `be ${nameTypes(typeof type === 'string' ? [type] : type)}`
  return (value, place, out) => {
    if (holds(value)) return
    complain(out, { place, keyword: 'type', need, shown: value, show: describe })
  }
}

export const typeCheck = ({ type = [] }: SchemaKeywords): ((value: unknown) => boolean) => {
  const types = typeof type === 'string' ? [type] : type
  const [only] = types
  if (only === undefined || types.length > 1)
    return (value) => types.some((each) => isOfType(value, each))
  if (only === 'object') return isObject
  return only === 'array' ? Array.isArray : (value) => isOfType(value, only)
}

export const explainLiterals = (schema: SchemaKeywords): readonly Explain[] => [
  ...('const' in schema ? [explainAmong('const', [schema.const])] : []),
  ...(schema.enum ? [explainAmong('enum', schema.enum)] : []),
]

export const explainString = (schema: SchemaKeywords): readonly Explain[] => {
  const { minLength, maxLength, pattern } = schema
  const steps: ((value: string, place: Place, out: Complaints) => void)[] = []
  if (minLength !== undefined) {
    const need = `have at least ${count(minLength, 'character')}`
    steps.push((value, place, out) => {
      const length = countCharacters(value)
      if (length >= minLength) return
      complain(out, { place, keyword: 'minLength', need, actual: `has ${length}` })
    })
  }
  if (maxLength !== undefined) {
    const need = `have at most ${count(maxLength, 'character')}`
    steps.push((value, place, out) => {
      const length = countCharacters(value)
      if (length <= maxLength) return
      complain(out, { place, keyword: 'maxLength', need, actual: `has ${length}` })
    })
  }
  if (pattern !== undefined) {
    const need = `match ${pattern}`
    const expression = compilePattern(pattern)
    steps.push((value, place, out) => {
      if (expression.test(value)) return
      complain(out, { place, keyword: 'pattern', need, shown: value, show: quote })
    })
  }
  return steps.map((step) => (value, place, out) => {
    if (typeof value === 'string') step(value, place, out)
  })
}

/** Whether a schema asks for a text of a pattern, and for nothing else. */
export const isPattern = (schema: SchemaKeywords): schema is { type: 'string'; pattern: string } =>
  schema.type === 'string' && schema.pattern !== undefined && !asksMore(schema)

const asksMore = (schema: SchemaKeywords): boolean =>
  Object.keys(schema).some((key) => !['type', 'pattern', ...ANNOTATIONS].includes(key))

const ANNOTATIONS = ['title', 'description', 'format']

/** Of a value that was refused: a text that is refused need not be matched again. */
export const explainPattern = ({ pattern }: { readonly pattern: string }): Explain => {
  const isText = `be ${nameTypes(['string'])}`
  const need = `match ${pattern}`
  const said = `must ${need}, is `
  return (value, place, out) => {
    if (typeof value === 'string') {
      complain(out, { place, keyword: 'pattern', need, shown: value, show: quote, said })
    } else complain(out, { place, keyword: 'type', need: isText, shown: value, show: describe })
  }
}

export const explainNumber = (schema: SchemaKeywords): readonly Explain[] => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const bounds: readonly Bound[] = [
    ['minimum', 'be at least', minimum, (value, bound) => value >= bound],
    ['maximum', 'be at most', maximum, (value, bound) => value <= bound],
    ['exclusiveMinimum', 'be more than', exclusiveMinimum, (value, bound) => value > bound],
    ['exclusiveMaximum', 'be less than', exclusiveMaximum, (value, bound) => value < bound],
    ['multipleOf', 'be a multiple of', multipleOf, isMultiple],
  ]
  return bounds.flatMap(([keyword, must, bound, holds]): readonly Explain[] => {
    if (bound === undefined) return []
    const need = `${must} ${bound}`
    return [
      (value, place, out) => {
        if (typeof value !== 'number' || holds(value, bound)) return
        complain(out, { place, keyword, need, shown: value, show: quote })
      },
    ]
  })
}

type Bound = readonly [
  keyword: string,
  must: string,
  bound: number | undefined,
  holds: (value: number, bound: number) => boolean,
]

const explainAmong = (keyword: 'const' | 'enum', values: readonly unknown[]): Explain => {
  const holds = checkAmong(values)
  const [first] = values
  const need =
    values.length === 1 ? `be ${spell(first)}` : `be one of ${list(values.map(spell), 'or')}`
  return (value, place, out) => {
    if (holds(value)) return
    complain(out, { place, keyword, need, shown: value, show: quote })
  }
}
