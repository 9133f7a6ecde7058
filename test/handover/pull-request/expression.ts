/** What a run of a workflow knows, as GitHub's contexts name it: `steps.lint.outputs.code` is a path through it. */
export type Contexts = { readonly [name: string]: string | Contexts | undefined }

/** Puts values into a text, in the place of `${{ … }}`. Throws where an expression is beyond what is read here. */
export const rendered = (text: string, contexts: Contexts): string =>
  text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => {
    const value = evaluated(expression, contexts)
    return typeof value === 'boolean' ? String(value) : value
  })

/** Whether a step is to run: by its `if`, with or without the braces, and only while nothing failed unless that asks for itself. */
export const holds = (condition: string, contexts: Contexts, hasFailed: boolean): boolean => {
  const bare = condition.replace(/^\s*\$\{\{(.*)\}\}\s*$/s, '$1')
  const asksItself = /\b(always|failure|cancelled|success)\(\)/.test(bare)
  return (asksItself || !hasFailed) && isTrue(evaluated(bare, contexts, hasFailed))
}

type Value = string | boolean

const isTrue = (value: Value): boolean => value !== '' && value !== false

/** Strings, paths, `==`, `!=`, `!`, `&&`, `||`, parentheses and five functions: as much as our own files use. */
const evaluated = (expression: string, contexts: Contexts, hasFailed = false): Value => {
  const tokens = tokensOf(expression)
  let at = 0
  const next = () => tokens[at]
  const take = () => tokens[at++] ?? fault(expression)
  const taken = (token: string) => next() === token && ++at > 0
  const expected = (token: string) => taken(token) || fault(expression)

  const either = (): Value => {
    let value = both()
    while (taken('||')) {
      const other = both()
      if (!isTrue(value)) value = other
    }
    return value
  }
  const both = (): Value => {
    let value = compared()
    while (taken('&&')) {
      const other = compared()
      if (isTrue(value)) value = other
    }
    return value
  }
  const compared = (): Value => {
    const value = single()
    if (taken('==')) return folded(value) === folded(single())
    return taken('!=') ? folded(value) !== folded(single()) : value
  }
  const single = (): Value => {
    if (taken('!')) return !isTrue(single())
    if (taken('(')) {
      const value = either()
      expected(')')
      return value
    }
    const token = take()
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'")
    if (token === 'true' || token === 'false') return token === 'true'
    if (!taken('(')) return found(token, contexts)
    const given: Value[] = []
    while (!taken(')')) {
      given.push(either())
      if (next() !== ')') expected(',')
    }
    return called(token, given, hasFailed)
  }
  const value = either()
  return at === tokens.length ? value : fault(expression)
}

const tokensOf = (expression: string): readonly string[] => {
  const tokens = expression.match(/'(?:[^']|'')*'|==|!=|&&|\|\||[!(),]|[A-Za-z_][\w.-]*|\S/g) ?? []
  return tokens
}

/** Comparison knows no case. */
const folded = (value: Value): string => String(value).toLowerCase()

/** What is not there is an empty text. */
const found = (path: string, contexts: Contexts): string => {
  const value = path
    .split('.')
    .reduce<Contexts[string]>(
      (inner, name) => (typeof inner === 'object' ? inner[name] : undefined),
      contexts,
    )
  return typeof value === 'string' ? value : ''
}

const called = (name: string, given: readonly Value[], hasFailed: boolean): boolean => {
  const [first = '', second = ''] = given
  if (name === 'contains') return folded(first).includes(folded(second))
  if (name === 'always') return true
  if (name === 'cancelled') return false
  if (name === 'success') return !hasFailed
  return name === 'failure' ? hasFailed : fault(name)
}

const fault = (expression: string): never => {
  throw new Error(`this expression is beyond what is played here: ${expression.trim()}`)
}
