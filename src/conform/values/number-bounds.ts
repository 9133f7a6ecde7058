import type { SchemaObject } from '../../schema/schema.js'
import type { Bound } from './bound.js'
import { tidyNumber } from './tidy-number.js'

/** Numbers at the bounds of a schema and just beyond them. */
export function* numberBounds(value: number, schema: SchemaObject): Generator<Bound> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const step = multipleOf ?? 1
  const at = (keyword: string, valid: number, invalid: number, note: string): readonly Bound[] => {
    const bounds: readonly Bound[] = [
      { keyword, side: 'valid', value: valid, note: 'at the bound' },
      { keyword, side: 'invalid', value: invalid, note },
    ]
    // JSON has no number beyond the largest.
    return bounds.filter(({ value }) => Number.isFinite(value))
  }
  // Where steps do not start at the bound, the nearest within it is the bound.
  const up = (bound: number) => tidyNumber(Math.ceil(bound / step) * step)
  const down = (bound: number) => tidyNumber(Math.floor(bound / step) * step)
  if (minimum !== undefined)
    yield* at('minimum', up(minimum), beyond(up(minimum), -step), 'just below the minimum')
  if (maximum !== undefined)
    yield* at('maximum', down(maximum), beyond(down(maximum), step), 'just above the maximum')
  if (exclusiveMinimum !== undefined)
    yield* at(
      'exclusiveMinimum',
      beyond(down(exclusiveMinimum), step),
      exclusiveMinimum,
      'the excluded minimum itself',
    )
  if (exclusiveMaximum !== undefined)
    yield* at(
      'exclusiveMaximum',
      beyond(up(exclusiveMaximum), -step),
      exclusiveMaximum,
      'the excluded maximum itself',
    )
  if (multipleOf === undefined) return
  yield { keyword: 'multipleOf', side: 'valid', value, note: 'a whole multiple' }
  // An integer that is no multiple is wrong for this alone, and not for its type.
  const between = Number.isInteger(value) && multipleOf > 1 ? value + 1 : value + multipleOf / 2
  yield { keyword: 'multipleOf', side: 'invalid', value: between, note: 'between two multiples' }
}

/** The nearest number beyond a bound by whole steps: of those that are very large, one step more is the same number. */
const beyond = (bound: number, step: number): number => {
  for (let far = step; Number.isFinite(far); far *= 2) {
    const next = tidyNumber(bound + far)
    if (next !== bound) return next
  }
  return bound
}
