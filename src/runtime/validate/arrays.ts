import { compile } from './compile.js'
import { evaluatedBy } from './evaluated.js'
import { findRepeat } from './json-value.js'
import { type Check, checkKeyword } from './keyword-checks.js'
import { complain, inside, isFull, type Report, reportWrong } from './report.js'
import type { Reading, SchemaKeywords } from './validator.js'
import { count } from './wording.js'

type Items = readonly unknown[]

/** The keywords of arrays. An undefined item is rejected, because JSON has no undefined. */
export const checkArray = (schema: SchemaKeywords, reading: Reading): readonly Check<Items>[] => {
  const checks: Check<Items>[] = []
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  const size = (items: Items) => ({ actual: `has ${items.length}` })
  if (minItems > 0) {
    const need = `have at least ${count(minItems, 'item')}`
    checks.push(checkKeyword('minItems', need, ({ length }) => length >= minItems, size))
  }
  if (maxItems < Number.POSITIVE_INFINITY)
    checks.push(
      checkKeyword('maxItems', needAtMost(maxItems), ({ length }) => length <= maxItems, size),
    )
  if (describesArrays(schema)) checks.push(checkItems(schema, reading))
  if (schema.uniqueItems)
    checks.push(
      checkKeyword(
        'uniqueItems',
        'not repeat an item',
        (items) => findRepeat(items) === undefined,
        (items) => ({ actual: `has the same at ${findRepeat(items)?.join(' and ')}` }),
      ),
    )
  return [...checks, ...checkContains(schema, reading)]
}

/** Runs after the other keywords, which determine the unevaluated items. */
export const checkUnevaluatedItems = (
  schema: SchemaKeywords,
  reading: Reading,
): Check<Items> | undefined => {
  const { unevaluatedItems: rest } = schema
  if (rest === undefined) return undefined
  const check = compile(rest, reading)
  return (items, report) => {
    const seen = evaluatedBy(schema, reading, items)
    let holds = true
    // Unlike `every`, this visits holes too.
    for (const [at, item] of items.entries()) {
      if (seen.has(at) || check(item)) continue
      if (report === undefined) return false
      holds = false
      if (isFull(report)) break
      const here = inside(report, items, at)
      if (rest !== false) reportWrong(check, item, here)
      else complain(here, { keyword: 'unevaluatedItems', need: 'not be present' })
    }
    return holds
  }
}

/** Whether a schema has keywords for arrays; otherwise their items are not checked. */
const describesArrays = ({ type, items, prefixItems }: SchemaKeywords): boolean =>
  type === undefined ? items !== undefined || prefixItems !== undefined : type.includes('array')

const checkItems = (schema: SchemaKeywords, reading: Reading): Check<Items> => {
  const { items: rest = true } = schema
  const item = compile(rest, reading)
  const prefix = (schema.prefixItems ?? []).map((each) => compile(each, reading))
  return (items, report) => {
    let holds = true
    for (let at = 0; at < items.length; at++) {
      const value = items[at]
      const check = prefix[at] ?? item
      if (value !== undefined && check(value)) continue
      if (report === undefined) return false
      holds = false
      if (rest === false && at >= prefix.length) return reportMore(items, prefix.length, report)
      if (isFull(report)) break
      reportWrong(check, value, inside(report, items, at))
    }
    return holds
  }
}

const reportMore = (items: Items, most: number, report: Report): false =>
  complain(report, { keyword: 'items', need: needAtMost(most), actual: `has ${items.length}` })

/** In the open reading more items may match, so the upper bound counts strict matches. */
const checkContains = (schema: SchemaKeywords, reading: Reading): readonly Check<Items>[] => {
  const { contains, minContains: least = 1, maxContains: most } = schema
  if (contains === undefined) return []
  const bound = (keyword: string, word: string, amount: number, read: Reading, sign: 1 | -1) => {
    const matches = compile(contains, read)
    return checkKeyword<Items>(
      keyword,
      `contain at ${word} ${count(amount, 'item')} that matches \`contains\``,
      (items) => sign * (items.filter((each) => matches(each)).length - amount) >= 0,
      (items) => ({ actual: `contains ${items.filter((each) => matches(each)).length}` }),
    )
  }
  return [
    bound('contains', 'least', least, reading, 1),
    ...(most === undefined ? [] : [bound('maxContains', 'most', most, 'strict', -1)]),
  ]
}

const needAtMost = (most: number): string =>
  most === 0 ? 'be empty' : `have at most ${count(most, 'item')}`
