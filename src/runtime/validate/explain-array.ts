import type { Reading, SchemaKeywords } from '../validate.js'
import { describesArrays } from './check-array.js'
import { type Complaints, complain, type Explain, inside, isFull, type Place } from './complaint.js'
import { evaluatedBy } from './evaluated.js'
import { explainerOf, explainInside, explainRefused } from './explain-value.js'
import { holdsOf } from './holds.js'
import { findRepeat } from './json-value.js'
import { count } from './wording.js'

export const explainArray = (schema: SchemaKeywords, reading: Reading): readonly Explain[] =>
  ofArrays([
    ...explainSize(schema),
    ...(describesArrays(schema) ? [explainItems(schema, reading)] : []),
    ...(schema.uniqueItems ? [explainRepeat] : []),
    ...explainContains(schema, reading),
  ])

export const explainUnevaluatedItems = (
  schema: SchemaKeywords,
  reading: Reading,
): readonly Explain[] => {
  const { unevaluatedItems: rest } = schema
  if (rest === undefined) return []
  const each = explainerOf(rest, reading)
  const step: ExplainItems = (items, place, out) => {
    const seen = evaluatedBy(schema, reading, items)
    for (const [at, item] of items.entries()) {
      if (isFull(out)) return
      if (seen.has(at)) continue
      if (rest !== false) explainInside(each, items, at, item, place, out)
      else {
        const here = inside(place, items, at)
        complain(out, { place: here, keyword: 'unevaluatedItems', need: 'not be here' })
      }
    }
  }
  return ofArrays([step])
}

type ExplainItems = (items: readonly unknown[], place: Place, out: Complaints) => void

const ofArrays = (steps: readonly ExplainItems[]): readonly Explain[] => {
  const [first, second, ...others] = steps
  if (first === undefined) return []
  return [
    (value, place, out) => {
      if (!Array.isArray(value)) return
      first(value, place, out)
      second?.(value, place, out)
      for (const step of others) step(value, place, out)
    },
  ]
}

const explainSize = ({ minItems, maxItems }: SchemaKeywords): readonly ExplainItems[] => {
  const steps: ExplainItems[] = []
  if (minItems !== undefined) {
    const need = `have at least ${count(minItems, 'item')}`
    steps.push(({ length }, place, out) => {
      if (length >= minItems) return
      complain(out, { place, keyword: 'minItems', need, actual: `has ${length}` })
    })
  }
  if (maxItems !== undefined) {
    const need = needAtMost(maxItems)
    steps.push(({ length }, place, out) => {
      if (length <= maxItems) return
      complain(out, { place, keyword: 'maxItems', need, actual: `has ${length}` })
    })
  }
  return steps
}

const explainItems = (schema: SchemaKeywords, reading: Reading): ExplainItems => {
  const { prefixItems = [], items: rest = true } = schema
  const prefix = prefixItems.map((each) => explainerOf(each, reading))
  const other = explainerOf(rest, reading)
  const need = needAtMost(prefix.length)
  return (items, place, out) => {
    const end = rest === false ? Math.min(prefix.length, items.length) : items.length
    for (let at = 0; at < end; at++) {
      const part = prefix[at] ?? other
      const item = items[at]
      if (item !== undefined && part.holds?.(item)) continue
      if (isFull(out)) break
      explainRefused(part, items, at, item, place, out)
    }
    if (end === items.length) return
    complain(out, { place, keyword: 'items', need, actual: `has ${items.length}` })
  }
}

const explainRepeat: ExplainItems = (items, place, out) => {
  const repeat = findRepeat(items)
  if (repeat === undefined) return
  const actual = `has the same at ${repeat[0]} and ${repeat[1]}`
  complain(out, { place, keyword: 'uniqueItems', need: 'not repeat an item', actual })
}

const explainContains = (schema: SchemaKeywords, reading: Reading): readonly ExplainItems[] => {
  const { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema
  if (contains === undefined) return []
  const openly = holdsOf(contains, reading)
  const strictly = holdsOf(contains, 'strict')
  const need = (bound: string, most: number) =>
    `contain at ${bound} ${count(most, 'item')} of the kind asked for`
  const found = (amount: number) => `contains ${amount}`
  return [
    (items, place, out) => {
      const matching = items.filter(openly).length
      if (matching >= minContains) return
      const least = need('least', minContains)
      complain(out, { place, keyword: 'contains', need: least, actual: found(matching) })
    },
    (items, place, out) => {
      const matching = items.filter(strictly).length
      if (matching <= maxContains) return
      const most = need('most', maxContains)
      complain(out, { place, keyword: 'maxContains', need: most, actual: found(matching) })
    },
  ]
}

const needAtMost = (most: number): string =>
  most === 0 ? 'be empty' : `have at most ${count(most, 'item')}`
