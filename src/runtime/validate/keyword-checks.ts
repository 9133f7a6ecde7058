import { checkedFormat } from './formats.js'
import { canonicalText, isPrimitive } from './json-value.js'
import { isMultiple } from './multiples.js'
import { createPatternTest } from './pattern.js'
import { type Complaint, complain, type Report } from './report.js'
import { countCharacters, hasAtLeast, hasAtMost } from './text-length.js'
import type { SchemaKeywords } from './validator.js'
import { count, list, quote, spell } from './wording.js'

/**
 * Whether a value is valid. With a report, an invalid value is explained in it. Parts are first checked without a report, so a
 * valid value costs no more than its check.
 */
export type Check<V = unknown> = (value: V, report?: Report) => boolean

export const pass: Check = () => true

/** Combines several checks. Without a report the first failure decides; with one, each adds its complaints. */
export const allChecks = <V>(checks: readonly Check<V>[]): Check<V> => {
  const [first, second, ...others] = checks
  if (first === undefined) return pass
  if (second === undefined) return first
  const rest = others.length === 0 ? second : allChecks([second, ...others])
  return (value, report) => {
    if (first(value, report)) return rest(value, report)
    if (report !== undefined) rest(value, report)
    return false
  }
}

/** The check of a keyword with one condition. `found` describes the actual value. */
export const checkKeyword =
  <V>(
    keyword: string,
    need: string,
    holds: (value: V) => boolean,
    found: (value: V) => Pick<Complaint, 'actual' | 'shown'> = show,
  ): Check<V> =>
  (value, report) =>
    holds(value) || (report !== undefined && complain(report, { keyword, need, ...found(value) }))

const show = (value: unknown): Pick<Complaint, 'shown'> => ({ shown: quote(value) })

export const checkLiterals = (schema: SchemaKeywords): readonly Check[] => [
  ...('const' in schema ? [checkAmong('const', [schema.const])] : []),
  ...(schema.enum ? [checkAmong('enum', schema.enum)] : []),
]

/** Whether a value is one of `values`; the order of keys is ignored. */
const checkAmong = (keyword: 'const' | 'enum', values: readonly unknown[]): Check => {
  const primitives = new Set(values.filter(isPrimitive))
  const structures = new Set(values.filter((value) => !isPrimitive(value)).map(canonicalText))
  const holds = (value: unknown): boolean =>
    isPrimitive(value)
      ? primitives.has(value)
      : structures.size > 0 && structures.has(canonicalText(value))
  return (value, report) =>
    holds(value) ||
    (report !== undefined &&
      complain(report, {
        keyword,
        need: `be ${values.length === 1 ? '' : 'one of '}${list(values.map(spell), 'or')}`,
        shown: quote(value),
      }))
}

export const checkString = (schema: SchemaKeywords): readonly Check<string>[] => {
  const { minLength: least = 0, maxLength: most = Number.POSITIVE_INFINITY, pattern } = schema
  const checks: Check<string>[] = []
  const length = (text: string) => ({ actual: `has ${countCharacters(text)}` })
  if (least > 0) {
    const need = `have at least ${count(least, 'character')}`
    const isEnough = (text: string) => hasAtLeast(text, least)
    checks.push(checkKeyword('minLength', need, isEnough, length))
  }
  if (most < Number.POSITIVE_INFINITY) {
    const need = `have at most ${count(most, 'character')}`
    const isFew = (text: string) => hasAtMost(text, most)
    checks.push(checkKeyword('maxLength', need, isFew, length))
  }
  if (pattern !== undefined) {
    const matches = createPatternTest(pattern)
    checks.push(checkKeyword('pattern', `match ${pattern}`, matches))
  }
  const format = checkedFormat(schema)
  if (format !== undefined) checks.push(checkKeyword('format', `be ${format.noun}`, format.holds))
  return checks
}

export const checkNumber = (schema: SchemaKeywords): readonly Check<number | bigint>[] =>
  BOUNDS.flatMap(([keyword, must, holds]): readonly Check<number | bigint>[] => {
    const bound = schema[keyword]
    if (bound === undefined) return []
    return [checkKeyword(keyword, `${must} ${bound}`, (value) => holds(value, bound))]
  })

const BOUNDS = [
  ['minimum', 'be at least', (value: number | bigint, bound: number) => value >= bound],
  ['maximum', 'be at most', (value: number | bigint, bound: number) => value <= bound],
  ['exclusiveMinimum', 'be more than', (value: number | bigint, bound: number) => value > bound],
  ['exclusiveMaximum', 'be less than', (value: number | bigint, bound: number) => value < bound],
  ['multipleOf', 'be a multiple of', isMultiple],
] as const
