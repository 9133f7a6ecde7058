import type { Gap } from './gap.js'
import {
  commonStep,
  hasStep,
  numbersIn,
  numbersNear,
  rangeOf,
  reachesAbove,
  reachesBelow,
} from './number-range.js'
import type { Work } from './work.js'

export function containNumber({ shape, schema, gap }: Work): readonly Gap[] {
  const range = rangeOf(shape.parts)
  const bounds = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'] as const
  const gaps = bounds.flatMap((keyword) => {
    const bound = schema[keyword]
    if (bound === undefined) return []
    const isLow = keyword.endsWith('inimum')
    const isOpen = keyword.startsWith('exclusive')
    const reaches = isLow ? reachesBelow : reachesAbove
    if (!reaches(range, bound, isOpen)) return []
    const inner = isLow ? range.low : range.high
    return gap(isLow ? 'minimum' : 'maximum', {
      keyword,
      inner: Number.isFinite(inner) ? inner : undefined,
      outer: bound,
      candidates: numbersNear(range, [bound]),
    })
  })
  const { multipleOf } = schema
  if (multipleOf === undefined || hasStep(range, multipleOf)) return gaps
  const few = numbersIn(range)
  const found = gap('step', {
    keyword: 'multipleOf',
    inner: range.steps[0],
    outer: multipleOf,
    candidates: few ?? numbersNear(range, [multipleOf, multipleOf / 2, 3 * multipleOf]),
    // Of two multiples that follow each other, one is none of a larger step.
    isCertain:
      few === undefined && (range.steps.length < 2 || commonStep(range.steps) !== undefined),
  })
  return few && !found.witness ? gaps : [...gaps, found]
}
