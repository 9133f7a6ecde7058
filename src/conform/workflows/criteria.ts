import { type Condition, parseCondition } from '../../model/arazzo/condition.js'
import type { Expression } from '../../model/arazzo/runtime-expression.js'
import type { WorkflowCriterion } from '../../model/workflow.js'
import { quoted } from '../report/quoted.js'
import { textOf } from '../wire/exchange.js'
import { holds } from './compare.js'
import { selectValues } from './jsonpath.js'
import { NotTested } from './not-tested.js'
import { evaluate, type Scope, valueAt } from './scope.js'

/**
 * The first criterion that does not hold, with what it looked at; undefined where all hold. Throws NotTested where one cannot
 * be judged: an XPath, or what does not parse.
 */
export const brokenCriterion = (
  criteria: readonly WorkflowCriterion[],
  scope: Scope,
): BrokenCriterion | undefined => {
  for (const [index, criterion] of criteria.entries()) {
    const seen = judge(criterion, scope)
    if (seen !== undefined) return { index, criterion: written(criterion), seen }
  }
  return undefined
}

export type BrokenCriterion = {
  readonly index: number
  /** As the document has it. */
  readonly criterion: string
  /** `$statusCode is 500` */
  readonly seen: string
}

/** What was seen where it does not hold, and undefined where it does. */
const judge = (
  { condition, context, type }: WorkflowCriterion,
  scope: Scope,
): string | undefined => {
  if (type === 'xpath') throw new NotTested('it has a criterion in XPath, which is not judged')
  if (type === 'simple') return judgeSimple(condition, scope)
  if (context === undefined) throw new NotTested(`the criterion ${condition} has no context`)
  const value = valueAt(context, scope)
  const isHeld =
    type === 'regex'
      ? matches(condition, context, value, scope)
      : selectValues(condition.trim(), value).length > 0
  return isHeld ? undefined : `${context} is ${brief(value)}`
}

const judgeSimple = (text: string, scope: Scope): string | undefined => {
  const condition = parseCondition(text)
  if (condition.kind === 'fault')
    throw new NotTested(`the condition ${text} does not parse: ${condition.why}`)
  const read = (expression: Expression) => evaluate(expression, text, scope)
  if (isTruth(resultOf(condition, read))) return undefined
  const named = text.replace(/'(?:[^']|'')*'/g, '').match(/\$[^\s=!<>&|()]+/g) ?? []
  return [...new Set(named)].map((one) => `${one} is ${brief(valueAt(one, scope))}`).join(', ')
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

/** A condition that is one expression asks whether something is there, and is not false. */
const isTruth = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== 0 && value !== ''

/** A whole body is looked at as it came: numbers and blanks are what they were. */
const matches = (pattern: string, context: string, value: unknown, scope: Scope): boolean => {
  if (value === undefined || value === null) return false
  const expression = expressionOf(pattern)
  const { answer, sent } = scope.exchange ?? {}
  if (context === '$response.body') return expression.test(textOf(answer?.body))
  if (context === '$request.body') return expression.test(textOf(sent?.body))
  return expression.test(typeof value === 'string' ? value : JSON.stringify(value))
}

const expressionOf = (pattern: string): RegExp => {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    throw new NotTested(`the regular expression ${pattern} does not compile`)
  }
}

const written = ({ condition, context, type }: WorkflowCriterion): string =>
  type === 'simple' ? condition : `${context} fits the ${type} ${condition}`

const brief = (value: unknown): string =>
  value === undefined ? 'not there' : quoted(JSON.stringify(value))
