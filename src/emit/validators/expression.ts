/** A condition in generated code, as a tree until it is printed, so that constants fold and long conditions break. */
export type Test =
  | { readonly kind: 'constant'; readonly holds: boolean }
  | Atom
  | { readonly kind: 'all'; readonly parts: readonly Test[] }
  | { readonly kind: 'any'; readonly parts: readonly Test[] }

type Atom = {
  readonly kind: 'atom'
  readonly text: string
  /** The text of its negation, if that is not `!text`. */
  readonly opposite?: string
  readonly uses: Uses
}

/** The names of functions and constants of the file that a piece of code uses. */
export type Uses = readonly string[]

const NO_USES: Uses = []

/** Code with the names that it uses. */
export type Code = { readonly text: string; readonly uses: Uses }

/** A plain string uses no names. */
type Expression = string | Code

const textOf = (one: Expression): string => (typeof one === 'string' ? one : one.text)
const usesIn = (one: Expression): Uses => (typeof one === 'string' ? NO_USES : one.uses)

/** The names that tests use, each once; tests of schemas that share others have common parts. */
export function usesOf(...tests: readonly Test[]): Uses {
  const found = new Set<string>()
  const visit = (test: Test) => {
    if (test.kind === 'atom') for (const name of test.uses) found.add(name)
    else if (test.kind !== 'constant') for (const part of test.parts) visit(part)
  }
  for (const test of tests) visit(test)
  return found.size === 0 ? NO_USES : [...found]
}

/** The same test with more names: those that the expression of its value uses. */
export function using(test: Test, uses: Uses | undefined): Test {
  if (uses === undefined || test.kind === 'constant') return test
  if (test.kind === 'atom') return { ...test, uses: [...test.uses, ...uses] }
  return { ...test, parts: test.parts.map((part, at) => (at === 0 ? using(part, uses) : part)) }
}

export const always: Test = { kind: 'constant', holds: true }
export const never: Test = { kind: 'constant', holds: false }

export const isNeverTrue = (test: Test): boolean => test.kind === 'constant' && !test.holds
export const isAlwaysTrue = (test: Test): boolean => test.kind === 'constant' && test.holds

export const atom = (code: Expression, opposite?: string): Test => ({
  kind: 'atom',
  text: textOf(code),
  uses: usesIn(code),
  ...(opposite !== undefined && { opposite }),
})

export const equals = (left: Expression, right: string): Test => compared(left, '===', '!==', right)

export const differs = (left: Expression, right: string): Test =>
  compared(left, '!==', '===', right)

const compared = (left: Expression, operator: string, opposite: string, right: string): Test => {
  const text = textOf(left)
  return atom(
    { text: `${text} ${operator} ${right}`, uses: usesIn(left) },
    `${text} ${opposite} ${right}`,
  )
}

/** A comparison of integers, which has an opposite. For NaN, neither would be true. */
export const compares = (
  left: Expression,
  operator: '>=' | '<=' | '>' | '<',
  right: number,
): Test =>
  compared(left, operator, { '>=': '<', '<=': '>', '>': '<=', '<': '>=' }[operator], String(right))

export const all = (...tests: readonly Test[]): Test => combine('all', tests)
export const any = (...tests: readonly Test[]): Test => combine('any', tests)

export function not(test: Test): Test {
  if (test.kind === 'constant') return test.holds ? never : always
  if (test.kind === 'all') return any(...test.parts.map(not))
  if (test.kind === 'any') return all(...test.parts.map(not))
  return atom({ text: test.opposite ?? `!${test.text}`, uses: test.uses }, test.text)
}

/** A condition on one line, or broken at its operators; further lines are indented by `indent`. */
export function printTest(test: Test, width: number, indent = ''): string {
  const line = flat(test)
  if (line.length <= width || test.kind === 'constant' || test.kind === 'atom') return line
  const operator = test.kind === 'all' ? '&&' : '||'
  return test.parts
    .map((part) => {
      const text = flat(part)
      if (text.length + 6 <= width || part.kind === 'constant' || part.kind === 'atom') {
        return needsParentheses(part, test) ? `(${text})` : text
      }
      const inner = printTest(part, width - 2, `${indent}  `)
      return `(${inner.includes('\n') ? `\n${indent}  ${inner}\n${indent}` : inner})`
    })
    .join(` ${operator}\n${indent}`)
}

export function flat(test: Test): string {
  if (test.kind === 'constant') return String(test.holds)
  if (test.kind === 'atom') return test.text
  const known = flatTexts.get(test)
  if (known !== undefined) return known
  const operator = test.kind === 'all' ? ' && ' : ' || '
  const text = test.parts
    .map((part) => (needsParentheses(part, test) ? `(${flat(part)})` : flat(part)))
    .join(operator)
  flatTexts.set(test, text)
  return text
}

/** A cache: every level above a test needs its text again. */
const flatTexts = new WeakMap<Test, string>()

const needsParentheses = (part: Test, within: Test): boolean =>
  part.kind !== within.kind && (part.kind === 'all' || part.kind === 'any')

/** Merges nested tests of the same kind, removes repeated parts, and returns a constant that decides alone. */
function combine(kind: 'all' | 'any', tests: readonly Test[]): Test {
  const neutral = kind === 'all'
  const parts: Test[] = []
  for (const test of tests) {
    if (test.kind === kind) parts.push(...test.parts)
    else if (test.kind !== 'constant') parts.push(test)
    else if (test.holds !== neutral) return test
  }
  const [first] = parts
  if (first === undefined) return neutral ? always : never
  const distinct = parts.length === 1 ? parts : withoutDecided(kind, withoutTwins(parts))
  return distinct.length === 1 ? first : { kind, parts: distinct }
}

/** A few tests are compared in pairs, mostly by their lengths; a lookup in a set reads the whole text. */
function withoutTwins(tests: readonly Test[]): readonly Test[] {
  const texts = tests.map(flat)
  if (tests.length > FEW) return tests.filter(firstIn(texts))
  return tests.filter((_, at) => texts.indexOf(texts[at] ?? '') === at)
}

const FEW = 12

/** In `a && (a || b)` the second part holds if the first one does, and in `a || (a && b)` it fails if the first one does. */
function withoutDecided(kind: 'all' | 'any', parts: readonly Test[]): readonly Test[] {
  const other = kind === 'all' ? 'any' : 'all'
  const atoms = new Set<string>()
  return parts.filter((part) => {
    if (part.kind === 'atom') atoms.add(part.text)
    if (part.kind !== other || atoms.size === 0) return true
    return !part.parts.some((one) => one.kind === 'atom' && atoms.has(one.text))
  })
}

function firstIn(texts: readonly string[]): (test: Test, at: number) => boolean {
  const seen = new Set<string>()
  return (_, at) => seen.size < seen.add(texts[at] ?? '').size
}
