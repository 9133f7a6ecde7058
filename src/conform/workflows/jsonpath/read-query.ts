import { NotTested } from '../not-tested.js'
import {
  FUNCTIONS,
  type Func,
  type Operand,
  type Query,
  type Segment,
  type Selector,
  type Test,
} from './query.js'

/** Reads a query of JSONPath, all of RFC 9535. Throws NotTested where it is none: older dialects say other things. */
export const readQuery = (text: string): Query => {
  let at = 0
  const fail = (): never => {
    throw new NotTested(`the JSONPath ${text} cannot be read at its character ${at + 1} (RFC 9535)`)
  }
  const blank = () => take(/[ \t\n\r]*/y)
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  const accept = (...wanted: readonly string[]): string | undefined => {
    blank()
    const found = wanted.find((one) => text.startsWith(one, at))
    at += found?.length ?? 0
    return found
  }
  const expect = (wanted: string): unknown => accept(wanted) ?? fail()

  const query = (from: Query['from']): Query => {
    const segments: Segment[] = []
    for (;;) {
      const before = at
      blank()
      const next = segment()
      if (!next) {
        at = before
        return { from, segments }
      }
      segments.push(next)
    }
  }
  const segment = (): Segment | undefined => {
    const dots = take(/\.{1,2}/y)
    if (dots === undefined && text[at] !== '[') return undefined
    const isDeep = dots === '..'
    if (text[at] === '[') return dots === '.' ? fail() : { isDeep, selectors: bracketed() }
    if (take(/\*/y)) return { isDeep, selectors: [{ kind: 'all' }] }
    const name = take(/[A-Za-z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*/uy) ?? fail()
    return { isDeep, selectors: [{ kind: 'name', name }] }
  }
  const bracketed = (): readonly Selector[] => {
    expect('[')
    const selectors = [selector()]
    while (accept(',')) selectors.push(selector())
    expect(']')
    return selectors
  }
  const selector = (): Selector => {
    if (accept('*')) return { kind: 'all' }
    if (accept('?')) return { kind: 'filter', test: either() }
    const name = quoted()
    if (name !== undefined) return { kind: 'name', name }
    const start = whole()
    if (!accept(':')) return start === undefined ? fail() : { kind: 'index', index: start }
    const end = whole()
    return { kind: 'slice', start, end, step: (accept(':') ? whole() : undefined) ?? 1 }
  }
  const whole = (): number | undefined => {
    blank()
    const digits = take(/0(?!\d)|-?[1-9]\d*/y)
    return digits === undefined ? undefined : Number(digits)
  }
  const quoted = (): string | undefined => {
    blank()
    const found = take(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/sy)
    if (found === undefined) return undefined
    // Between `'` it is `'` that needs a backslash, and in JSON it is `"`.
    const inner = found.startsWith('"')
      ? found.slice(1, -1)
      : found
          .slice(1, -1)
          .replace(/\\.|"/gs, (one) => (one === "\\'" ? "'" : one === '"' ? '\\"' : one))
    try {
      return JSON.parse(`"${inner}"`) as string
    } catch {
      return fail()
    }
  }

  const either = (): Test => {
    let left = both()
    while (accept('||')) left = { kind: 'or', left, right: both() }
    return left
  }
  const both = (): Test => {
    let left = single()
    while (accept('&&')) left = { kind: 'and', left, right: single() }
    return left
  }
  const single = (): Test => {
    if (accept('!')) return { kind: 'not', of: single() }
    if (accept('(')) {
      const inner = either()
      expect(')')
      return inner
    }
    const left = operand()
    const operator = accept('==', '!=', '<=', '>=', '<', '>') as Compare['operator'] | undefined
    if (operator)
      return { kind: 'compare', operator, left: compared(left), right: compared(operand()) }
    const isTest = left.kind === 'query' || (left.kind === 'call' && gives(left) === 'truth')
    return isTest ? { kind: 'some', of: left } : fail()
  }
  /** One value at most: a query of names and indexes, a literal, or a function that gives a value. */
  const compared = (operand: Operand): Operand => {
    if (operand.kind === 'call') return gives(operand) === 'value' ? operand : fail()
    return operand.kind === 'literal' || isSingular(operand.query) ? operand : fail()
  }
  const operand = (): Operand => {
    const from = accept('$', '@') as Query['from'] | undefined
    if (from) return { kind: 'query', query: query(from) }
    const value = quoted()
    if (value !== undefined) return { kind: 'literal', value }
    const number = take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y)
    if (number !== undefined) return { kind: 'literal', value: Number(number) }
    const word = take(/[a-z][a-z_\d]*/y) ?? fail()
    const constant = CONSTANTS.get(word)
    if (constant !== undefined) return { kind: 'literal', value: constant }
    return call(Object.hasOwn(FUNCTIONS, word) ? (word as Func) : fail())
  }
  const call = (name: Func): Operand => {
    expect('(')
    const given = FUNCTIONS[name].takes.map((takes, index): Operand => {
      if (index > 0) expect(',')
      const one = operand()
      if (takes === 'value') return compared(one)
      return one.kind === 'query' ? one : fail()
    })
    expect(')')
    return { kind: 'call', name, given }
  }

  expect('$')
  const found = query('$')
  blank()
  return at < text.length ? fail() : found
}

type Compare = Extract<Test, { kind: 'compare' }>

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

const gives = ({ name }: Extract<Operand, { kind: 'call' }>): 'value' | 'truth' =>
  FUNCTIONS[name].gives

const isSingular = ({ segments }: Query): boolean =>
  segments.every(
    ({ isDeep, selectors: [first, ...others] }) =>
      !isDeep && others.length === 0 && (first?.kind === 'name' || first?.kind === 'index'),
  )
