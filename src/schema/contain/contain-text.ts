import { escaping } from '../patterns/language.js'
import type { StringTerms } from '../patterns/string-terms.js'
import { ANY_STRING } from './contain-string.js'
import type { Gap } from './gap.js'
import { typesIn } from './lists.js'
import { keywordsOf, type Terms } from './node.js'
import { isWhole, type NumberRange, numbersIn, numbersNear, rangeOf } from './number-range.js'
import type { Shape } from './shape.js'
import { stringTerms } from './string-view.js'
import type { Work } from './work.js'

/**
 * Parameters, headers and the fields of a form are texts on the wire: `5` is a string and a number. A type is only narrowed
 * where some text of the shape is no text of any type that the other schema accepts. Returns undefined where types decide as
 * they do in JSON.
 */
export function containText(work: Work): { readonly gap: Gap | undefined } | undefined {
  const names = typesIn(work.schema)
  if (names === undefined || names.includes(work.shape.type)) return undefined
  if (work.shape.type === 'string') return stringAs(work, names)
  if (work.shape.type === 'number' && names.includes('string')) return numberAsString(work)
  return undefined
}

/** Strings where numbers or booleans are accepted. */
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

/** Numbers where strings of some form are accepted. */
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
 * Whether every value of a shape, read as the type of another one, is of that one. Where the types are the same, or where more
 * would have to be known, the answer is false.
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

/** What holds of a number that is written as a text. */
function textTerms(parts: Terms): StringTerms {
  const { maxLength = LONGEST_NUMBER, ...terms } = stringTerms(parts)
  return { ...terms, maxLength: maxLength < LONGEST_NUMBER ? maxLength : undefined }
}

/** No number of a program is written with more characters. */
const LONGEST_NUMBER = 25

const matching = (pattern: string): StringTerms => ({ ...ANY_STRING, patterns: [pattern] })

/** How servers read numbers and booleans: leading zeros do no harm. */
const FORMS = {
  integer: '^[+-]?[0-9]+$',
  number: '^[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$',
  boolean: '^(true|false)$',
} as const

/** How callers write a number of a range. */
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
