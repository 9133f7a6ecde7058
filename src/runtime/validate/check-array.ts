import type { Reading, SchemaKeywords } from '../validate.js'
import { type Check, compile } from './check-value.js'
import { evaluatedBy } from './evaluated.js'
import { findRepeat } from './json-value.js'

/** What the keywords of arrays ask; an item that is undefined is refused, as JSON has no such thing. */
export const checkArray = (schema: SchemaKeywords, reading: Reading): readonly CheckArray[] => {
  const checks: CheckArray[] = []
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  if (minItems > 0 || maxItems < Number.POSITIVE_INFINITY) {
    checks.push((items) => items.length >= minItems && items.length <= maxItems)
  }
  if (describesArrays(schema)) checks.push(checkItems(schema, reading))
  if (schema.uniqueItems) checks.push((items) => findRepeat(items) === undefined)
  if (schema.contains !== undefined) checks.push(checkContains(schema, reading))
  return checks
}

/** Runs after the in-place subschemas, which say what is left over. */
export const checkUnevaluatedItems = (
  schema: SchemaKeywords,
  reading: Reading,
): readonly CheckArray[] => {
  if (schema.unevaluatedItems === undefined) return []
  const check = compile(schema.unevaluatedItems, reading)
  return [
    (items) => {
      const seen = evaluatedBy(schema, reading, items)
      // Unlike `every`, this comes by holes too.
      for (const [at, item] of items.entries()) if (!seen.has(at) && !check(item)) return false
      return true
    },
  ]
}

type CheckArray = (items: readonly unknown[]) => boolean

/** Arrays that a schema does not speak of are let through unseen. */
export const describesArrays = ({ type, items, prefixItems }: SchemaKeywords): boolean =>
  type === undefined ? items !== undefined || prefixItems !== undefined : type.includes('array')

const checkItems = (schema: SchemaKeywords, reading: Reading): CheckArray => {
  const item = compile(schema.items ?? true, reading)
  const prefix = (schema.prefixItems ?? []).map((each) => compile(each, reading))
  // Most lists are of one kind; to look for another costs as much as a short check.
  if (prefix.length === 0) {
    return (items) => {
      for (const value of items) if (value === undefined || !item(value)) return false
      return true
    }
  }
  return (items) => {
    for (let at = 0; at < items.length; at++) {
      const value = items[at]
      if (value === undefined || !(prefix[at] ?? item)(value)) return false
    }
    return true
  }
}

/** In the open reading more items may match than before, so the upper bound counts strict matches. */
const checkContains = (schema: SchemaKeywords, reading: Reading): CheckArray => {
  const { contains = true, minContains: least = 1, maxContains: most } = schema
  const matches = compile(contains, reading)
  if (most === undefined) return (items) => countMatches(items, matches, least) >= least
  const counted: Check = compile(contains, 'strict')
  return (items) =>
    countMatches(items, matches, least) >= least && countMatches(items, counted, most + 1) <= most
}

const countMatches = (items: readonly unknown[], matches: Check, enough: number): number => {
  let count = 0
  for (let at = 0; count < enough && at < items.length; at++) if (matches(items[at])) count++
  return count
}
