import { isDeepStrictEqual } from 'node:util'
import type { JSONValue } from 'json-p3'
import {
  type Condition,
  type Expression,
  type Operator,
  parseCondition,
} from '../../model/condition.js'
import type { WorkflowCriterion } from '../../model/workflow.js'
import { toBigint } from '../../runtime/shared/exact-number.js'
import { messageOf } from '../../runtime/shared/message-of.js'
import { createPatternTest } from '../../runtime/validate/pattern.js'
import { compileJsonPath, isJsonPathError } from '../../text/json-path.js'
import { jsonOf } from '../../text/json-text.js'
import { textOf } from '../../traffic/exchange.js'
import { NotTested } from '../case.js'
import { quoted } from '../report/shown.js'
import { evaluate, expressionValue, type Scope } from './scope.js'

/**
 * The first criterion that does not hold, with the values it used; undefined if all hold. Throws NotTested if one cannot be
 * evaluated: an XPath, or a syntax error.
 */
export const brokenCriterion = (
  criteria: readonly WorkflowCriterion[],
  scope: Scope,
): BrokenCriterion | undefined => {
  for (const [index, criterion] of criteria.entries()) {
    const seen = assess(criterion, scope)
    if (seen !== undefined) return { index, criterion: written(criterion), seen }
  }
  return undefined
}

type BrokenCriterion = {
  readonly index: number
  readonly criterion: string
  /** `$statusCode is 500` */
  readonly seen: string
}

/** The values in a criterion that does not hold; undefined if it holds. */
const assess = (
  { condition, context, type }: WorkflowCriterion,
  scope: Scope,
): string | undefined => {
  if (type === 'xpath') throw new NotTested('it has a criterion in XPath, which is not supported')
  if (type === 'simple') return assessSimple(condition, scope)
  if (context === undefined) throw new NotTested(`the criterion ${condition} has no context`)
  const value = expressionValue(context, scope)
  const isMet =
    type === 'regex'
      ? matches(condition, context, value, scope)
      : selectValues(condition.trim(), value).length > 0
  return isMet ? undefined : `${context} is ${brief(value)}`
}

const assessSimple = (text: string, scope: Scope): string | undefined => {
  const condition = parseCondition(text)
  if (condition.kind === 'fault')
    throw new NotTested(`the condition ${text} does not parse: ${condition.why}`)
  const read = (expression: Expression) => evaluate(expression, text, scope)
  if (isTruth(resultOf(condition, read))) return undefined
  const named = text.replace(/'[^']*'/g, '').match(/\$[^\s=!<>&|()]+/g) ?? []
  return [...new Set(named)]
    .map((one) => `${one} is ${brief(expressionValue(one, scope))}`)
    .join(', ')
}

const resultOf = (condition: Condition, read: (expression: Expression) => unknown): unknown => {
  const truth = (one: Condition) => isTruth(resultOf(one, read))
  switch (condition.kind) {
    case 'or':
      return truth(condition.left) || truth(condition.right)
    case 'and':
      return truth(condition.left) && truth(condition.right)
    case 'not':
      return !truth(condition.of)
    case 'compare':
      return holds(
        condition.operator,
        resultOf(condition.left, read),
        resultOf(condition.right, read),
      )
    case 'expression':
      return read(condition.expression)
    case 'literal':
      return condition.value
  }
}

/** A condition that is a single expression holds if its value is present and truthy. */
const isTruth = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== 0 && value !== ''

/** A whole body is matched as received, with its numbers and blanks unchanged. */
const matches = (pattern: string, context: string, value: unknown, scope: Scope): boolean => {
  if (value === undefined || value === null) return false
  const test = testOf(pattern)
  const { answer, sent } = scope.exchange ?? {}
  if (context === '$response.body') return test(textOf(answer?.body))
  if (context === '$request.body') return test(textOf(sent?.body))
  return test(typeof value === 'string' ? value : jsonOf(value))
}

const testOf = (pattern: string): ((text: string) => boolean) => {
  try {
    return createPatternTest(pattern)
  } catch {
    throw new NotTested(`the regular expression ${pattern} does not compile`)
  }
}

const written = ({ condition, context, type }: WorkflowCriterion): string =>
  type === 'simple' ? condition : `${context} matches the ${type} ${condition}`

const brief = (value: unknown): string => (value === undefined ? 'missing' : quoted(jsonOf(value)))

/**
 * The loose comparison of Arazzo 1.0, Criterion Object. Strings compare without regard to case. A numeric string compares with a
 * number. A missing member is null. Lists and objects are equal if all of their members are. Two timestamps (RFC 3339) are
 * ordered by time, and two strings of digits by number.
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

/** Below, at or above zero; undefined if the two have no order. */
const orderOf = (left: unknown, right: unknown): number | undefined => {
  if (typeof left === 'string' && typeof right === 'string') return textOrder(left, right)
  const [one, other] = [numberOf(left), numberOf(right)]
  return one === undefined || other === undefined ? undefined : sign(one, other)
}

const textOrder = (left: string, right: string): number => {
  const [one, other] = [left, right].map((text) => (WHOLE.test(text) ? toBigint(text) : undefined))
  if (typeof one === 'bigint' && typeof other === 'bigint') return sign(one, other)
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

/** Limited in length, so that parsing stays fast. */
const WHOLE = /^-?\d{1,400}$/
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

/**
 * The values that a JSONPath query (RFC 9535) selects, in order. Throws NotTested for a query that is invalid by RFC 9535, and
 * for one in an older dialect that would select nothing here.
 */
export const selectValues = (text: string, value: unknown): readonly unknown[] => {
  try {
    const query = compileJsonPath(text)
    if (LENGTH_MEMBER.test(query.toString()) && isOfArrays(value))
      throw new NotTested(
        `the JSONPath ${text} reads the length of an array as a member: RFC 9535 has the function length() for it`,
      )
    return query.query(value as JSONValue).values()
  } catch (error) {
    if (error instanceof NotTested) throw error
    const reason = messageOf(error)
    if (isJsonPathError(error))
      throw new NotTested(`the JSONPath ${text} is not valid (RFC 9535): ${reason}`)
    throw new NotTested(`the JSONPath ${text} cannot be evaluated: ${reason}`)
  }
}

const LENGTH_MEMBER = /\.length(?![\w(])/

/** Whether `length` can only mean the length of an array: the value has arrays, and no object with a member of that name. */
const isOfArrays = (value: unknown): boolean => {
  let hasArray = false
  const left = [value]
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one !== 'object' || one === null) continue
    if (Array.isArray(one)) hasArray = true
    else if (Object.hasOwn(one, 'length')) return false
    for (const part of Object.values(one)) if (part != null) left.push(part)
  }
  return hasArray
}
