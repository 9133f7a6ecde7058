import { WIDTH } from '../header.js'
import {
  all,
  type Code,
  flat,
  isNeverTrue,
  not,
  printTest,
  type Test,
  type Uses,
  usesOf,
} from './expression.js'

/** A step of a function: a condition that must hold, or lines of code that may return false. */
export type Step = Test | Lines

export type Lines = { readonly lines: readonly string[]; readonly uses: Uses }

/** Lines of code with the names that the tests in them use. */
export const linesOf = (lines: readonly string[], ...tests: readonly Test[]): Lines => ({
  lines,
  uses: usesOf(...tests),
})

const isLines = (step: Step): step is Lines => 'lines' in step

export const areTests = (steps: readonly Step[]): steps is readonly Test[] => !steps.some(isLines)

/** The code, from the parameters on, of a function that returns whether a value satisfies every step. */
export function printFunction(steps: readonly Step[], takesReading: boolean): Code {
  const body = printSteps(steps)
  const value = body.some((line) => /\bvalue\b/.test(line)) ? 'value' : '_value'
  const reading = body.some((line) => /\bopen\b/.test(line)) ? 'open' : '_open'
  const parameters = `${value}: unknown${takesReading ? `, ${reading} = false` : ''}`
  return {
    text: [`(${parameters}): boolean {`, ...body, '}'].join('\n'),
    uses: isImpossible(steps)
      ? []
      : steps.flatMap((step) => (isLines(step) ? step.uses : usesOf(step))),
  }
}

const isImpossible = (steps: readonly Step[]): boolean =>
  steps.some((step) => !isLines(step) && isNeverTrue(step))

function printSteps(steps: readonly Step[]): readonly string[] {
  // Code after an unconditional `return false` is unreachable, and the compiler narrows no types in it.
  if (isImpossible(steps)) return ['  return false']
  const lines: string[] = []
  let waiting: Test[] = []
  for (const step of steps) {
    if (!isLines(step)) {
      waiting.push(step)
      continue
    }
    if (waiting.length > 0) lines.push(...returnFalseUnless(all(...waiting)))
    waiting = []
    lines.push(...step.lines.map((line) => (line === '' ? '' : `  ${line}`)))
  }
  const last = steps.at(-1)
  const hasReturned = last !== undefined && isLines(last) && returns(last)
  return hasReturned ? lines : [...lines, ...returnOf(all(...waiting))]
}

/** Whether no code is needed after the lines. */
const returns = ({ lines }: Lines): boolean =>
  lines.at(-1)?.startsWith('return ') === true || lines[0]?.startsWith('switch ') === true

const returnOf = (test: Test): readonly string[] => {
  const line = `  return ${flat(test)}`
  if (line.length <= WIDTH || test.kind === 'atom') return [line]
  return ['  return (', `    ${printTest(test, WIDTH - 4, '    ')}`, '  )']
}

/** `if (!isObject(value)) return false`: the code after it may rely on the condition. */
export function returnFalseUnless(test: Test, indent = '  '): readonly string[] {
  if (test.kind === 'constant') return test.holds ? [] : [`${indent}return false`]
  if (test.kind === 'all' && test.parts.length > MOST_IN_LINE) {
    return test.parts.flatMap((part) => returnFalseUnless(part, indent))
  }
  const line = `${indent}if (${flat(not(test))}) return false`
  if (line.length <= WIDTH || test.kind === 'atom') return [line]
  // Each condition of a conjunction gets its own `if`.
  if (test.kind === 'all') return test.parts.flatMap((part) => returnFalseUnless(part, indent))
  const inner = printTest(test, WIDTH - indent.length - 2, `${indent}  `)
  return [`${indent}if (!(`, `${indent}  ${inner}`, `${indent})) return false`]
}

/** Each condition takes at least one character and the four of an operator. */
const MOST_IN_LINE = WIDTH / 5
