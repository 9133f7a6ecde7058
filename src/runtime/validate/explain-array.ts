import type { Reading, SchemaKeywords } from '../validate.js'
import { describesArrays } from './check-array.js'
import { type Complaints, type Explain, holds, inside, type Place } from './complaint.js'
import { evaluatedBy } from './evaluated.js'
import { findRepeat } from './json-value.js'
import { count } from './wording.js'

export function* explainArray(
  schema: SchemaKeywords,
  reading: Reading,
  items: readonly unknown[],
  place: Place,
  explain: Explain,
): Complaints {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  const actual = `has ${items.length}`
  if (items.length < minItems) {
    const need = `have at least ${count(minItems, 'item')}`
    yield { place, keyword: 'minItems', need, actual }
  }
  if (items.length > maxItems) {
    const need = maxItems === 0 ? 'be empty' : `have at most ${count(maxItems, 'item')}`
    yield { place, keyword: 'maxItems', need, actual }
  }
  if (describesArrays(schema)) yield* explainItems(schema, reading, items, place, explain)
  const repeat = schema.uniqueItems ? findRepeat(items) : undefined
  if (repeat) {
    const actual = `has the same at ${repeat[0]} and ${repeat[1]}`
    yield { place, keyword: 'uniqueItems', need: 'not repeat an item', actual }
  }
  yield* explainContains(schema, reading, items, place)
}

export function* explainUnevaluatedItems(
  schema: SchemaKeywords,
  reading: Reading,
  items: readonly unknown[],
  place: Place,
  explain: Explain,
): Complaints {
  if (schema.unevaluatedItems === undefined) return
  const seen = evaluatedBy(schema, reading, items)
  for (const [at, item] of items.entries()) {
    if (seen.has(at)) continue
    const here = inside(place, at, at)
    if (schema.unevaluatedItems !== false) {
      yield* explain(schema.unevaluatedItems, reading, item, here)
    } else yield { place: here, keyword: 'unevaluatedItems', need: 'not be here' }
  }
}

function* explainItems(
  schema: SchemaKeywords,
  reading: Reading,
  items: readonly unknown[],
  place: Place,
  explain: Explain,
): Complaints {
  const { prefixItems: prefix = [], items: rest = true } = schema
  for (const [at, item] of items.entries()) {
    if (at >= prefix.length && rest === false) break
    yield* explain(prefix[at] ?? rest, reading, item, inside(place, at, at))
  }
  if (rest === false && items.length > prefix.length) {
    const need = prefix.length === 0 ? 'be empty' : `have at most ${count(prefix.length, 'item')}`
    yield { place, keyword: 'items', need, actual: `has ${items.length}` }
  }
}

function* explainContains(
  schema: SchemaKeywords,
  reading: Reading,
  items: readonly unknown[],
  place: Place,
): Complaints {
  const { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema
  if (contains === undefined) return
  const found = items.filter((item) => holds(contains, reading, item)).length
  const strictly = items.filter((item) => holds(contains, 'strict', item)).length
  if (found < minContains) {
    const need = `contain at least ${count(minContains, 'item')} of the kind asked for`
    yield { place, keyword: 'contains', need, actual: `contains ${found}` }
  }
  if (strictly > maxContains) {
    const need = `contain at most ${count(maxContains, 'item')} of the kind asked for`
    yield { place, keyword: 'maxContains', need, actual: `contains ${strictly}` }
  }
}
