/**
 * Reads a simple condition of Arazzo 1.0: comparisons of runtime expressions and literals, joined by `&&`, `||`, `!` and
 * parentheses. Returns a fault with the reason if it does not parse.
 */
export const parseCondition = (
  text: string,
): Condition | { readonly kind: 'fault'; readonly why: string } => {
  const tokens = text.match(aToken) ?? []
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
    if (token === undefined) return fail('it is incomplete')
    if (token.startsWith('$')) {
      const expression = parseExpression(token)
      return expression
        ? { kind: 'expression', expression }
        : fail(`${token} is not a runtime expression`)
    }
    if (/^'.*'$/s.test(token)) {
      return { kind: 'literal', value: token.slice(1, -1).replaceAll("''", "'") }
    }
    const literal = literals.get(token)
    if (literal !== undefined) return { kind: 'literal', value: literal }
    if (/^-?\d+(?:\.\d+)?$/.test(token)) return { kind: 'literal', value: Number(token) }
    return fail(`${token} is not a literal: put strings in single quotes`)
  }

  try {
    const condition = either()
    return next < tokens.length ? fail(`${tokens[next]} is unexpected`) : condition
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

// A pointer may contain nearly any character, so an expression ends at a space, an operator or a parenthesis.
const aToken = /(?:'[^']*')+|\$[^\s=!<>&|()]+|==|!=|<=|>=|&&|\|\||[<>!()]|[^\s=!<>&|()']+|\S/g

const literals: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

class ConditionFault extends Error {}

/**
 * Reads a runtime expression of Arazzo 1.0 (its section "Runtime Expressions"), with the accessors of conditions:
 * `$response.body#/id`, `$steps.submit.outputs.hash`, `$inputs.items[0].name`. Undefined for any other text.
 */
export const parseExpression = (text: string): Expression | undefined => {
  const alone = /^\$(url|method|statusCode)$/.exec(text)
  if (alone) return { kind: alone[1] as 'url' | 'method' | 'statusCode' }
  const body = /^\$(request|response)\.body(?:#((?:\/[^/]*)*)|([.[].*))?$/.exec(text)
  if (body) {
    const accessors = accessorsOf(body[3] ?? '')
    if (!accessors) return undefined
    const kind = body[1] as 'request' | 'response'
    return { kind, from: 'body', pointer: body[2] ?? '', accessors }
  }
  const field = /^\$(request|response)\.(header|query|path)\.([^\s#[\]{}]+)$/.exec(text)
  if (field) {
    const [, kind, from, name = ''] = field
    return { kind: kind as 'request' | 'response', from: from as 'header' | 'query' | 'path', name }
  }
  const value = /^\$(inputs|outputs)\.([\w-]+)(.*)/s.exec(text)
  if (value)
    return withRest({ kind: value[1] as 'inputs' | 'outputs', name: value[2] ?? '' }, value[3])
  const other = /^\$(steps|workflows)\.([\w-]+)\.(inputs|outputs)\.([\w-]+)(.*)/s.exec(text)
  if (other) {
    const [, kind, id = '', of, name = '', rest] = other
    if (kind === 'steps') return of === 'outputs' ? withRest({ kind, id, name }, rest) : undefined
    return withRest({ kind: 'workflows', id, of: of as 'inputs' | 'outputs', name }, rest)
  }
  const known = /^\$(sourceDescriptions|components)\.([\w-]+)\.([\w.-]+)$/.exec(text)
  if (!known) return undefined
  const [, kind, first = '', second = ''] = known
  return kind === 'components'
    ? { kind, section: first, name: second }
    : { kind: 'sourceDescriptions', name: first, field: second }
}

export type Expression =
  | { readonly kind: 'url' | 'method' | 'statusCode' }
  | ({ readonly kind: 'request' | 'response'; readonly from: 'body' } & Rest)
  | {
      readonly kind: 'request' | 'response'
      readonly from: 'header' | 'query' | 'path'
      readonly name: string
    }
  | ({ readonly kind: 'inputs' | 'outputs'; readonly name: string } & Rest)
  | ({ readonly kind: 'steps'; readonly id: string; readonly name: string } & Rest)
  | ({
      readonly kind: 'workflows'
      readonly id: string
      readonly of: 'inputs' | 'outputs'
      readonly name: string
    } & Rest)
  | { readonly kind: 'sourceDescriptions'; readonly name: string; readonly field: string }
  | { readonly kind: 'components'; readonly section: string; readonly name: string }

/** The place in the value: a JSON pointer (`''` is the whole value), then accessors (`.name`, `[0]`). */
type Rest = { readonly pointer: string; readonly accessors: readonly string[] }

/** The expressions of a value: the whole text if it begins with `$`, else the contents of each `{$…}`. */
export const expressionsIn = (text: string): readonly string[] =>
  /^\$[A-Za-z]/.test(text)
    ? [text]
    : [...text.matchAll(/\{(\$[^{}]*)\}/g)].map(([, expression = '']) => expression)

const withRest = <Base extends object>(base: Base, rest = ''): (Base & Rest) | undefined => {
  const [, access = '', pointer = ''] = /^([^#]*)(?:#((?:\/[^/]*)*))?$/.exec(rest) ?? ['', '?']
  const accessors = accessorsOf(access)
  return accessors && { ...base, pointer, accessors }
}

const accessorsOf = (text: string): readonly string[] | undefined =>
  /^(?:\.[\w-]+|\[\d+\])*$/.test(text)
    ? [...text.matchAll(/\.([\w-]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? index ?? '')
    : undefined
