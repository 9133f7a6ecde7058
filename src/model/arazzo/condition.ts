import { type Expression, parseExpression } from './expressions.js'

/**
 * Reads a simple condition of Arazzo 1.0: comparisons of runtime expressions and literals, joined by
 * `&&`, `||`, `!` and parentheses. Where it does not parse, what is wrong instead.
 */
export const parseCondition = (
  text: string,
): Condition | { readonly kind: 'fault'; readonly why: string } => {
  const tokens = [...text.matchAll(aToken)].map(([token]) => token.trim())
  let next = 0
  const fail = (why: string): never => {
    throw new ConditionFault(why)
  }
  const accept = (...wanted: readonly string[]): string | undefined => {
    const token = tokens[next]
    if (token === undefined || !wanted.includes(token)) return undefined
    next++
    return token
  }

  const either = (): Condition => {
    let left = both()
    while (accept('||')) left = { kind: 'or', left, right: both() }
    return left
  }
  const both = (): Condition => {
    let left = comparison()
    while (accept('&&')) left = { kind: 'and', left, right: comparison() }
    return left
  }
  const comparison = (): Condition => {
    const left = single()
    const operator = accept('==', '!=', '<=', '>=', '<', '>')
    return operator
      ? { kind: 'compare', operator: operator as Operator, left, right: single() }
      : left
  }
  const single = (): Condition => {
    if (accept('!')) return { kind: 'not', of: single() }
    if (accept('(')) {
      const inner = either()
      return accept(')') ? inner : fail('a closing parenthesis is missing')
    }
    return operand(tokens[next++])
  }
  const operand = (token: string | undefined): Condition => {
    if (token === undefined) return fail('it ends too early')
    if (token.startsWith('$')) {
      const expression = parseExpression(token)
      return expression
        ? { kind: 'expression', expression }
        : fail(`${token} is no runtime expression`)
    }
    if (/^'.*'$/s.test(token)) {
      return { kind: 'literal', value: token.slice(1, -1).replaceAll("''", "'") }
    }
    const literal = literals.get(token)
    if (literal !== undefined) return { kind: 'literal', value: literal }
    if (/^-?\d+(?:\.\d+)?$/.test(token)) return { kind: 'literal', value: Number(token) }
    return fail(`${token} is no literal: texts stand in single quotes`)
  }

  try {
    const condition = either()
    return next < tokens.length ? fail(`${tokens[next]} is out of place`) : condition
  } catch (error) {
    if (error instanceof ConditionFault) return { kind: 'fault', why: error.message }
    throw error
  }
}

export type Condition =
  | { readonly kind: 'or' | 'and'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly of: Condition }
  | {
      readonly kind: 'compare'
      readonly operator: Operator
      readonly left: Condition
      readonly right: Condition
    }
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }

export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>='

/** Every runtime expression in a condition. */
export const expressionsOf = (condition: Condition): readonly Expression[] => {
  switch (condition.kind) {
    case 'expression':
      return [condition.expression]
    case 'literal':
      return []
    case 'not':
      return expressionsOf(condition.of)
    default:
      return [...expressionsOf(condition.left), ...expressionsOf(condition.right)]
  }
}

// A pointer may hold nearly anything, so an expression ends at a space, an operator or a parenthesis.
const aToken =
  /\s*(?:'(?:[^']|'')*'|\$[^\s=!<>&|()]+|==|!=|<=|>=|&&|\|\||[<>!()]|[^\s=!<>&|()']+|\S)/g

const literals: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

class ConditionFault extends Error {}
