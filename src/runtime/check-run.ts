import type { Check } from './check-value.js'

/**
 * Runs a check at whatever depth the value has. Recursion stops at a bounded depth and puts the rest
 * off; what was put off is then checked by itself, and the check runs again with the answers at hand.
 * A value that contains itself is refused, as is one on which the stack runs out all the same.
 */
export const runCheck = (check: Check, value: unknown): boolean => {
  if (value === undefined) return false
  const outer = run
  const outerDepth = depth
  run = undefined
  depth = 0
  try {
    const holds = check(value)
    return run === undefined ? holds : settle({ check, value })
  } catch (cause) {
    if (cause instanceof RangeError) return false
    throw cause
  } finally {
    run = outer
    depth = outerDepth
  }
}

/** Follows one reference of a cycle. */
export const deepen = (check: Check, value: unknown): boolean => {
  if (depth >= deepest) return putOff({ check, value })
  depth++
  const holds = check(value)
  depth--
  return holds
}

type Task = { readonly check: Check; readonly value: unknown }

/** What is known of the deep parts of a value, and what is still asked of them. */
type Run = { readonly answers: Map<Check, Map<unknown, boolean>>; readonly asked: Task[] }

const deepest = 50

let depth = 0
let run: Run | undefined

const putOff = (task: Task): boolean => {
  run ??= { answers: new Map(), asked: [] }
  const known = run.answers.get(task.check)?.get(task.value)
  if (known === undefined) run.asked.push(task)
  return known ?? true
}

const settle = (whole: Task): boolean => {
  const { answers, asked } = run as Run
  const answerOf = (task: Task) => answers.get(task.check)?.get(task.value)
  const answer = (task: Task, holds: boolean) => {
    const known = answers.get(task.check) ?? new Map<unknown, boolean>()
    answers.set(task.check, known.set(task.value, holds))
  }
  const begun = new Map<Check, Set<unknown>>()
  const stack: Task[] = [whole]
  asked.length = 0
  for (let task = stack.at(-1); task !== undefined; task = stack.at(-1)) {
    const values = begun.get(task.check) ?? new Set<unknown>()
    begun.set(task.check, values.add(task.value))
    depth = 0
    const holds = answerOf(task) ?? task.check(task.value)
    const next = asked.splice(0)
    if (next.length === 0) {
      answer(task, holds)
      values.delete(task.value)
      stack.pop()
    }
    for (const each of next) {
      if (begun.get(each.check)?.has(each.value)) answer(each, false)
      else stack.push(each)
    }
  }
  return answerOf(whole) ?? false
}
