import { escaping } from '../patterns/language.js'
import { ANY_STRING } from './contain-string.js'
import type { Gap } from './gap.js'
import { isEqual } from './json-values.js'
import { typesIn, valuesIn } from './lists.js'
import { accepts, keywordsOf } from './node.js'
import { numbersIn, rangeOf } from './number-range.js'
import { stringTerms } from './string-view.js'
import { fulfils, type Work } from './work.js'

/** The values of the shape are listed: each of them is asked. */
export function listedValues(
  values: readonly unknown[],
  { shape, outer, schema, reading, gap }: Work,
): readonly Gap[] {
  const refused = values.filter((value) => fulfils(shape, value) && !accepts(outer, value, reading))
  if (refused.length === 0) return []
  const types = typesIn(schema)
  const isNull = shape.type === 'null'
  const isOfType = types === undefined || types.some((name) => name === shape.type)
  const kind = isNull ? 'null' : isOfType || shape.type === 'number' ? 'value' : 'type'
  const lists = shape.parts.find((part) => Object.hasOwn(keywordsOf(part), 'enum'))
  const keyword = kind === 'value' ? (lists ? 'enum' : 'const') : 'type'
  return [
    gap(kind, {
      keyword,
      inner: kind === 'value' ? refused : shape.type,
      outer: kind === 'value' ? valuesIn(schema) : schema.type,
      candidates: refused,
    }),
  ]
}

/** Values are listed by the other schema alone: whether the shape has any that is not among them. */
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

/** What a shape has beside the values of a list, as far as it can be told; undefined where that is nothing. */
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

/** The pattern of just these words. */
const anyOf = (words: readonly string[]): string =>
  `^(?:${words.map((word) => word.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')).join('|')})$`
