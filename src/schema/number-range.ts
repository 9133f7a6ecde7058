import { isMultiple } from '../runtime/validate/multiples.js'
import { keywordsOf, type Terms } from './node.js'

/** The numbers between two bounds that are multiples of all steps. */
export type NumberRange = {
  readonly low: number
  readonly isLowOpen: boolean
  readonly high: number
  readonly isHighOpen: boolean
  /** Contains 1 if only integers are allowed. */
  readonly steps: readonly number[]
}

export function rangeOf(parts: Terms): NumberRange {
  let range: NumberRange = EVERY_NUMBER
  for (const part of parts) {
    const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf, type } =
      keywordsOf(part)
    if (minimum !== undefined) range = above(range, minimum, false)
    if (exclusiveMinimum !== undefined) range = above(range, exclusiveMinimum, true)
    if (maximum !== undefined) range = below(range, maximum, false)
    if (exclusiveMaximum !== undefined) range = below(range, exclusiveMaximum, true)
    if (multipleOf !== undefined) range = { ...range, steps: [...range.steps, multipleOf] }
    const types: readonly string[] = typeof type === 'string' ? [type] : (type ?? ['number'])
    if (types.includes('integer') && !types.includes('number')) {
      range = { ...range, steps: [...range.steps, 1] }
    }
  }
  return tightened(range)
}

const EVERY_NUMBER: NumberRange = {
  low: Number.NEGATIVE_INFINITY,
  isLowOpen: false,
  high: Number.POSITIVE_INFINITY,
  isHighOpen: false,
  steps: [],
}

const above = (range: NumberRange, low: number, isOpen: boolean): NumberRange =>
  low > range.low || (low === range.low && isOpen) ? { ...range, low, isLowOpen: isOpen } : range

const below = (range: NumberRange, high: number, isOpen: boolean): NumberRange =>
  high < range.high || (high === range.high && isOpen)
    ? { ...range, high, isHighOpen: isOpen }
    : range

/** Rounds the bounds of integers to integers, and those of multiples to multiples. */
function tightened(range: NumberRange): NumberRange {
  const by = commonStep(range.steps) ?? (isWhole(range) ? 1 : undefined)
  if (by === undefined) return range
  const { low, isLowOpen, high, isHighOpen } = range
  const [least, most] = [low / by, high / by].map(tidyNumber) as [number, number]
  const first = isLowOpen ? Math.floor(least) + 1 : Math.ceil(least)
  const end = isHighOpen ? Math.ceil(most) - 1 : Math.floor(most)
  return {
    ...{ ...range, isLowOpen: false, isHighOpen: false },
    ...{ low: tidyNumber(first * by), high: tidyNumber(end * by) },
  }
}

export const isWhole = ({ steps }: NumberRange): boolean => steps.some((step) => step % 1 === 0)

export const isEmptyRange = ({ low, isLowOpen, high, isHighOpen }: NumberRange): boolean =>
  low > high || (low === high && (isLowOpen || isHighOpen))

export const areApart = (a: NumberRange, b: NumberRange): boolean =>
  isEmptyRange(below(above(a, b.low, b.isLowOpen), b.high, b.isHighOpen))

export const reachesBelow = (range: NumberRange, bound: number, isOpen: boolean): boolean =>
  range.low < bound || (range.low === bound && isOpen && !range.isLowOpen)

export const reachesAbove = (range: NumberRange, bound: number, isOpen: boolean): boolean =>
  range.high > bound || (range.high === bound && isOpen && !range.isHighOpen)

/** Whether each multiple of all steps is a multiple of `step`. */
export const hasStep = ({ steps }: NumberRange, step: number): boolean =>
  [...steps, commonStep(steps)].some((one) => one !== undefined && isMultiple(one, step))

/** The least common multiple of the steps; undefined if it cannot be represented exactly. */
export function commonStep(steps: readonly number[]): number | undefined {
  const [first, ...others] = steps
  const scale = 10 ** Math.max(0, ...steps.map(decimals))
  const whole = (step: number) => Math.round(step * scale)
  if (first === undefined) return undefined
  const least = others.reduce((one, other) => commonMultiple(one, whole(other)), whole(first))
  return Number.isSafeInteger(least) ? least / scale : undefined
}

function commonMultiple(one: number, other: number): number {
  let [a, b] = [one, other]
  while (b > 0) [a, b] = [b, a % b]
  return (one / a) * other
}

/** All numbers of the range, if there are few. */
export function numbersIn(range: NumberRange): readonly number[] | undefined {
  const { low, high, steps } = range
  if (isEmptyRange(range)) return []
  if (low === high) return steps.every((step) => isMultiple(low, step)) ? [low] : []
  const by = commonStep(steps)
  const count = by === undefined ? Number.POSITIVE_INFINITY : Math.round((high - low) / by) + 1
  if (by === undefined || !(count <= FEW)) return undefined
  return Array.from({ length: count }, (_, index) => tidyNumber(low + index * by))
}

const FEW = 1_000

/** The number of decimals, by which steps are scaled to integers: 0.3 is a multiple of 0.1. */
const decimals = (value: number): number => {
  const [digits = '', exponent = '0'] = String(value).split('e')
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent))
}

/** Numbers near the bounds of the range, near 0 and near `places`; not all of them are in the range. */
export function numbersNear(range: NumberRange, places: readonly number[] = []): readonly number[] {
  const { low, high, steps } = range
  const step = commonStep(steps) ?? Math.max(0.5, ...steps)
  const around = [0, low, high, ...places].filter(Number.isFinite).flatMap((place) => {
    const base = Math.floor(place / step) * step
    const by = step * Math.max(1, Math.ceil(spacingAt(place) / step))
    const near = [-2, -1, 0, 1, 2].map((count) => tidyNumber(base + count * by))
    return steps.length === 0 ? [place, place - 1, place + 1, ...near] : near
  })
  return [...new Set(around.map((value) => value + 0))]
}

/** The distance from a large number to the next double. */
const spacingAt = (place: number): number =>
  place === 0 ? 0 : 2 ** (Math.floor(Math.log2(Math.abs(place))) - 52)

/** Removes rounding errors after the fifteenth digit: 3 * 0.1 is 0.3. */
export const tidyNumber = (value: number): number =>
  (Number.isInteger(value) ? value : Number(value.toPrecision(15))) + 0
