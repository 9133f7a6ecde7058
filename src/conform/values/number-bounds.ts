import type { SchemaObject } from '../../model/schema.js'
import type { Bound } from './bounds.js'

/** Numbers at the bounds of a schema and just beyond them. */
export function* numberBounds(value: number, schema: SchemaObject): Generator<Bound> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const step = multipleOf ?? 1
  const at = (keyword: string, valid: number, invalid: number, note: string): readonly Bound[] => [
    { keyword, side: 'valid', value: valid, note: 'at the bound' },
    { keyword, side: 'invalid', value: invalid, note },
  ]
  // Where steps do not start at the bound, the nearest within it is the bound.
  const up = (bound: number) => tidy(Math.ceil(bound / step) * step)
  const down = (bound: number) => tidy(Math.floor(bound / step) * step)
  if (minimum !== undefined)
    yield* at('minimum', up(minimum), tidy(up(minimum) - step), 'just below the minimum')
  if (maximum !== undefined)
    yield* at('maximum', down(maximum), tidy(down(maximum) + step), 'just above the maximum')
  if (exclusiveMinimum !== undefined)
    yield* at(
      'exclusiveMinimum',
      tidy(down(exclusiveMinimum) + step),
      exclusiveMinimum,
      'the excluded minimum itself',
    )
  if (exclusiveMaximum !== undefined)
    yield* at(
      'exclusiveMaximum',
      tidy(up(exclusiveMaximum) - step),
      exclusiveMaximum,
      'the excluded maximum itself',
    )
  if (multipleOf === undefined) return
  yield { keyword: 'multipleOf', side: 'valid', value, note: 'a whole multiple' }
  // An integer that is no multiple is wrong for this alone, and not for its type.
  const between = Number.isInteger(value) && multipleOf > 1 ? value + 1 : value + multipleOf / 2
  yield { keyword: 'multipleOf', side: 'invalid', value: between, note: 'between two multiples' }
}

const tidy = (value: number): number => Number(value.toPrecision(15)) + 0
