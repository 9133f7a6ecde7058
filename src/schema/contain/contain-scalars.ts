import { formedTerms } from '../formats.js'
import { isEqual } from '../json-values.js'
import { accepts, keywordsOf, type Terms } from '../node.js'
import {
  commonStep,
  hasStep,
  isWhole,
  type NumberRange,
  numbersIn,
  numbersNear,
  rangeOf,
  reachesAbove,
  reachesBelow,
} from '../number-range.js'
import { escaping } from '../patterns/language.js'
import type { StringTerms } from '../patterns/search.js'
import { typesIn, valuesIn } from '../schema.js'
import { fulfils, type Shape } from '../shape.js'
import { stringTerms } from '../views.js'
import type { Gap, GapKind } from './gap.js'
import type { Work } from './work.js'

export function containNumber({ shape, schema, gap }: Work): readonly Gap[] {
  const range = rangeOf(shape.parts)
  const bounds = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'] as const
  const gaps = bounds.flatMap((keyword) => {
    const bound = schema[keyword]
    if (bound === undefined) return []
    const isLow = keyword.endsWith('inimum')
    const isOpen = keyword.startsWith('exclusive')
    const reaches = isLow ? reachesBelow : reachesAbove
    if (!reaches(range, bound, isOpen)) return []
    const inner = isLow ? range.low : range.high
    return gap(isLow ? 'minimum' : 'maximum', {
      keyword,
      inner: Number.isFinite(inner) ? inner : undefined,
      outer: bound,
      candidates: numbersNear(range, [bound]),
    })
  })
  const { multipleOf } = schema
  if (multipleOf === undefined || hasStep(range, multipleOf)) return gaps
  const few = numbersIn(range)
  const found = gap('step', {
    keyword: 'multipleOf',
    inner: range.steps[0],
    outer: multipleOf,
    candidates: few ?? numbersNear(range, [multipleOf, multipleOf / 2, 3 * multipleOf]),
    // For two consecutive multiples, at most one is a multiple of a larger step.
    isCertain:
      few === undefined && (range.steps.length < 2 || commonStep(range.steps) !== undefined),
  })
  return few && !found.witness ? gaps : [...gaps, found]
}

export function containString({ shape, schema, gap }: Work): readonly Gap[] {
  const inner = stringTerms(shape.parts)
  const formed = formedTerms(shape.parts)
  const { minLength, maxLength, pattern } = schema
  const check = (
    kind: GapKind,
    keyword: string,
    says: readonly [unknown, unknown],
    outer: StringTerms,
  ): readonly Gap[] => {
    const escaped = escaping(inner, [outer])
    if (escaped.kind === 'none') return []
    const shown = formed && escaping(formed, [outer])
    const words = [shown, escaped].flatMap((one) => (one?.kind === 'word' ? [one.word] : []))
    const found = gap(kind, {
      keyword,
      inner: says[0],
      outer: says[1],
      candidates: words,
      isCertain: escaped.kind !== 'unknown' && shape.nots.length === 0,
    })
    return [found]
  }
  return [
    ...(minLength === undefined
      ? []
      : check('shortest', 'minLength', [inner.minLength, minLength], { ...ANY_STRING, minLength })),
    ...(maxLength === undefined
      ? []
      : check('longest', 'maxLength', [inner.maxLength, maxLength], { ...ANY_STRING, maxLength })),
    ...(pattern === undefined
      ? []
      : check('pattern', 'pattern', [inner.patterns[0], pattern], {
          ...ANY_STRING,
          patterns: [pattern],
        })),
  ]
}

export const ANY_STRING: StringTerms = { patterns: [], minLength: 0, maxLength: undefined }

/**
 * Parameters, headers and form fields are texts on the wire: `5` is a string and a number. A type is narrowed only
 * if some text of the shape cannot be read as any type that the other schema accepts. Returns undefined if types are compared as
 * in JSON.
 */
export function containText(work: Work): { readonly gap: Gap | undefined } | undefined {
  const names = typesIn(work.schema)
  if (names === undefined || names.includes(work.shape.type)) return undefined
  if (work.shape.type === 'string') return stringAs(work, names)
  if (work.shape.type === 'number' && names.includes('string')) return numberAsString(work)
  return undefined
}

/** Compares strings with accepted numbers or booleans. */
function stringAs({ shape, schema, gap, samples }: Work, names: readonly string[]) {
  const forms = Object.entries(FORMS).flatMap(([name, form]) =>
    names.includes(name) ? [form] : [],
  )
  if (forms.length === 0) return undefined
  const escaped = escaping(stringTerms(shape.parts), forms.map(matching))
  const isBounded = BOUNDS.some((keyword) => schema[keyword] !== undefined)
  if (escaped.kind === 'none' && !isBounded) return { gap: undefined }
  const words = escaped.kind === 'word' ? [escaped.word] : []
  const numbers = isBounded ? numbersNear(rangeOf([])).map(String) : []
  const found = gap('type', {
    ...{ keyword: 'type', inner: 'string', outer: schema.type },
    candidates: [...words, ...samples.of(shape), ...numbers],
    isCertain: words.length > 0,
  })
  return { gap: found }
}

/** Compares numbers with accepted strings. */
function numberAsString({ shape, outer, schema, gap, samples }: Work) {
  const range = rangeOf(shape.parts)
  const few = numbersIn(range)
  const wanted = textTerms([outer])
  const inner = isWhole(range) ? 'integer' : 'number'
  const escaped = escaping(matching(formOf(range)), [wanted])
  if (!few && escaped.kind === 'none') return { gap: undefined }
  const shown = escaped.kind === 'word' ? [Number(escaped.word)] : []
  const long = wanted.maxLength === undefined ? [] : [10 ** Math.min(20, wanted.maxLength)]
  const found = gap('type', {
    ...{ keyword: 'type', inner, outer: keywordsOf(outer).type ?? schema.type },
    candidates: few ?? [...shown, ...long, ...numbersNear(range), ...samples.of(shape)],
    isCertain: false,
  })
  return { gap: few && !found.witness ? undefined : found }
}

/**
 * Whether every value of a shape fulfils another shape when its text is read as the type of that shape. Returns false for equal
 * types, and if this cannot be proved.
 */
export function readsAs({ type, parts }: Shape, other: Shape): boolean {
  if (other.nots.length > 0) return false
  const inner = stringTerms(parts)
  if (type === 'string' && other.type === 'boolean') {
    const isWhole = other.values?.length === 2
    return isWhole && isIn(inner, matching(FORMS.boolean))
  }
  if (other.values) return false
  if (type === 'string' && other.type === 'number') {
    const { low, high, steps } = rangeOf(other.parts)
    const isAny = low === Number.NEGATIVE_INFINITY && high === Number.POSITIVE_INFINITY
    if (!isAny || steps.some((step) => step !== 1)) return false
    return isIn(inner, matching(steps.length > 0 ? FORMS.integer : FORMS.number))
  }
  if (type !== 'number' || other.type !== 'string') return false
  return isIn(matching(formOf(rangeOf(parts))), textTerms(other.parts))
}

const isIn = (inner: StringTerms, outer: StringTerms): boolean =>
  escaping(inner, [outer]).kind === 'none'

/** The constraints on a number that is serialized as a text. */
function textTerms(parts: Terms): StringTerms {
  const { maxLength = LONGEST_NUMBER, ...terms } = stringTerms(parts)
  return { ...terms, maxLength: maxLength < LONGEST_NUMBER ? maxLength : undefined }
}

/** No serialized double is longer. */
const LONGEST_NUMBER = 25

const matching = (pattern: string): StringTerms => ({ ...ANY_STRING, patterns: [pattern] })

/** The syntax of numbers and booleans that servers accept; leading zeros are allowed. */
const FORMS = {
  integer: '^[+-]?[0-9]+$',
  number: '^[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$',
  boolean: '^(true|false)$',
} as const

/** The syntax in which callers serialize a number of a range. */
function formOf(range: NumberRange): string {
  const sign = range.low >= 0 ? '' : range.high < 0 ? '-' : '-?'
  const whole = `${sign}(0|[1-9][0-9]*)`
  return isWhole(range) ? `^${whole}$` : `^${whole}([.][0-9]+)?(e[+-][0-9]+)?$`
}

const BOUNDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'enum',
  'const',
] as const

/** The gap of a shape with listed values: each value is checked. */
export function listedValues(
  values: readonly unknown[],
  { shape, outer, schema, reading, gap }: Work,
): readonly Gap[] {
  const rejected = values.filter(
    (value) => fulfils(shape, value) && !accepts(outer, value, reading),
  )
  if (rejected.length === 0) return []
  const types = typesIn(schema)
  const isNull = shape.type === 'null'
  const isOfType = types === undefined || types.some((name) => name === shape.type)
  const kind = isNull ? 'null' : isOfType || shape.type === 'number' ? 'value' : 'type'
  const lists = shape.parts.find((part) => Object.hasOwn(keywordsOf(part), 'enum'))
  const keyword = kind === 'value' ? (lists ? 'enum' : 'const') : 'type'
  return [
    gap(kind, {
      keyword,
      inner: kind === 'value' ? rejected : shape.type,
      outer: kind === 'value' ? valuesIn(schema) : schema.type,
      candidates: rejected,
    }),
  ]
}

/** The gap if only the other schema lists values: whether the shape has others. */
export function listedElsewhere(work: Work): Gap | undefined {
  const { shape, schema, gap, samples } = work
  const listed = valuesIn(schema)
  if (!listed) return undefined
  const others = samples
    .of(shape, listed)
    .filter((value) => !listed.some((one) => isEqual(one, value)))
  const beyond = others.length > 0 ? { values: others, isCertain: true } : beyondList(work, listed)
  if (beyond === undefined) return undefined
  return gap('value', {
    keyword: Object.hasOwn(schema, 'const') ? 'const' : 'enum',
    outer: listed,
    candidates: beyond.values,
    isCertain: beyond.isCertain && shape.nots.length === 0,
  })
}

/** The known values of a shape that are not in a list; undefined if there are none. */
function beyondList(
  { shape: { type, parts } }: Work,
  listed: readonly unknown[],
): { readonly values: readonly unknown[]; readonly isCertain: boolean } | undefined {
  if (type === 'number') {
    const few = numbersIn(rangeOf(parts))
    const values = few?.filter((value) => !listed.includes(value)) ?? []
    return few && values.length === 0 ? undefined : { values, isCertain: true }
  }
  if (type !== 'string') return { values: [], isCertain: false }
  const words = listed.filter((value) => typeof value === 'string')
  const found = escaping(stringTerms(parts), [{ ...ANY_STRING, patterns: [anyOf(words)] }])
  if (found.kind === 'none') return undefined
  return {
    values: found.kind === 'word' ? [found.word] : [],
    isCertain: found.kind !== 'unknown',
  }
}

/** The pattern that matches exactly these words. */
const anyOf = (words: readonly string[]): string =>
  `^(?:${words.map((word) => word.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')).join('|')})$`
