import { escaping, type StringTerms } from '../strings/language.js'
import { ANY_STRING } from './contain-string.js'
import type { Gap } from './gap.js'
import { typesIn } from './lists.js'
import { keywordsOf } from './node.js'
import { isWhole, type NumberRange, numbersIn, numbersNear, rangeOf } from './number-range.js'
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
  const forms = names.flatMap((name) => FORMS[name] ?? [])
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
  const { maxLength = LONGEST_NUMBER, ...terms } = stringTerms([outer])
  const wanted = { ...terms, maxLength: maxLength < LONGEST_NUMBER ? maxLength : undefined }
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

/** No number of a program is written with more characters. */
const LONGEST_NUMBER = 25

const matching = (pattern: string): StringTerms => ({ ...ANY_STRING, patterns: [pattern] })

/** How servers read numbers and booleans: leading zeros do no harm. */
const FORMS: Readonly<Record<string, string>> = {
  integer: '^[+-]?[0-9]+$',
  number: '^[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$',
  boolean: '^(true|false)$',
}

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
