import { isDeepStrictEqual } from 'node:util'
import type { Operator } from '../../model/arazzo/condition.js'

/**
 * The loose comparison of Arazzo 1.0, Criterion Object. Texts compare without regard to case, a text that is a number compares
 * with a number, a member that is absent is null, and lists and objects are equal where all of their members are. Two moments
 * (RFC 3339) are ordered by time and two texts of digits by number, or zones and lengths would order them.
 */
export const holds = (operator: Operator, left: unknown, right: unknown): boolean => {
  if (operator === '==') return isEqual(left, right)
  if (operator === '!=') return !isEqual(left, right)
  const order = orderOf(left, right)
  if (order === undefined) return false
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

const isEqual = (left: unknown, right: unknown): boolean => {
  const [one, other] = [left ?? null, right ?? null]
  if (typeof one === 'string' && typeof other === 'string') return folded(one) === folded(other)
  if (typeof one === 'object' || typeof other === 'object') return isDeepStrictEqual(one, other)
  if (typeof one === typeof other) return one === other
  if (typeof one === 'boolean' || typeof other === 'boolean')
    return folded(String(one)) === folded(String(other))
  const [first, second] = [numberOf(one), numberOf(other)]
  return first !== undefined && first === second
}

/** Below, at or above zero; undefined where the two have no order. */
const orderOf = (left: unknown, right: unknown): number | undefined => {
  if (typeof left === 'string' && typeof right === 'string') return textOrder(left, right)
  const [one, other] = [numberOf(left), numberOf(right)]
  return one === undefined || other === undefined ? undefined : sign(one, other)
}

const textOrder = (left: string, right: string): number => {
  if (WHOLE.test(left) && WHOLE.test(right)) return sign(BigInt(left), BigInt(right))
  if (MOMENT.test(left) && MOMENT.test(right)) return sign(Date.parse(left), Date.parse(right))
  return sign(folded(left), folded(right))
}

const sign = <T extends string | number | bigint>(one: T, other: T): number =>
  one < other ? -1 : one > other ? 1 : 0

const numberOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined
}

const folded = (text: string): string => text.toLowerCase()

/** Of digits that nobody has to wait for. */
const WHOLE = /^-?\d{1,400}$/
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i
