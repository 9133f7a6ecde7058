/**
 * Runs a check on a value of any depth. Recursion stops at a limited depth and postpones the rest. The rest is then checked
 * separately, and the check runs again with those results. A value that contains itself is rejected, and so is one that
 * exhausts the stack.
 */
export const runCheck = (check: Check, value: unknown): boolean => {
  if (value === undefined) return false
  const outer = run
  const outerDepth = depth
  const wasRunning = isRunning
  enterRun(undefined, 0, true)
  try {
    const holds = check(value)
    return run === undefined || run.asked.length === 0 ? holds : settle(run, { check, value })
  } catch (cause) {
    if (cause instanceof RangeError) return false
    throw cause
  } finally {
    enterRun(outer, outerDepth, wasRunning)
  }
}

const enterRun = (current: Run | undefined, level: number, running: boolean): void => {
  run = current
  depth = level
  isRunning = running
}

/**
 * Follows a recursive reference, or one to a check so large that each value is checked by it once per run. Beyond 50 levels the
 * rest is postponed. Until it is checked, dependent results are guesses, valid for one run.
 */
export const follow = (check: Check, value: unknown, isLarge = false): boolean => {
  if (!isRunning) return runCheck(check, value)
  run ??= shared && newRun(shared)
  if (run !== undefined) {
    const known = recall(run.answers, check, value)
    if (known !== undefined) return known
    const guess = recall(run.guesses, check, value)
    if (guess !== undefined) {
      run.doubts++
      return guess
    }
  }
  if (depth >= deepest) return putOff({ check, value })
  if (isLarge || depth === remembering) run ??= newRun()
  const doubts = run?.doubts ?? 0
  depth++
  const holds = check(value)
  depth--
  if (run !== undefined) {
    remember(run.doubts === doubts ? run.answers : run.guesses, check, value, holds)
  }
  return holds
}

/** Runs work that checks parts of one value repeatedly, with shared results, so that no cycle is followed twice. */
export const shareAnswers = <R>(work: () => R): R => {
  const outer = shared
  shared = new Map()
  try {
    return work()
  } finally {
    shared = outer
  }
}

type Check = (value: unknown) => boolean

type Task = { readonly check: Check; readonly value: unknown }

type Answers = Map<Check, Map<unknown, boolean>>

type Run = {
  /** Known results for parts of a value. */
  readonly answers: Answers
  /** Postponed checks without a result. */
  readonly asked: Task[]
  /** Results that depend on postponed checks, valid until the check runs again: nothing is followed twice for them. */
  guesses: Answers
  /** The number of times that a guess was used. */
  doubts: number
}

const deepest = 50

/** From this depth on, results are kept: branches of a union that follow one cycle would check it 2, 4, 8 … times. */
const remembering = 6

let isRunning = false
let depth = 0
let run: Run | undefined
let shared: Answers | undefined

const newRun = (answers: Answers = new Map()): Run => ({
  answers,
  asked: [],
  guesses: new Map(),
  doubts: 0,
})

const recall = (answers: Answers, check: Check, value: unknown): boolean | undefined =>
  answers.get(check)?.get(value)

const remember = (answers: Answers, check: Check, value: unknown, holds: boolean): void => {
  const known = answers.get(check) ?? new Map<unknown, boolean>()
  answers.set(check, known.set(value, holds))
}

/** Postpones a check; its provisional result is a guess. */
const putOff = (task: Task): boolean => {
  run ??= newRun()
  run.asked.push(task)
  run.doubts++
  remember(run.guesses, task.check, task.value, true)
  return true
}

const settle = (current: Run, whole: Task): boolean => {
  const begun = new Map<Check, Set<unknown>>()
  const stack: Task[] = [whole]
  current.asked.length = 0
  for (let task = stack.at(-1); task !== undefined; task = stack.at(-1)) {
    const { check, value } = task
    const values = begun.get(check) ?? new Set<unknown>()
    begun.set(check, values.add(value))
    depth = 0
    current.guesses = new Map()
    const holds = recall(current.answers, check, value) ?? check(value)
    const next = current.asked.splice(0)
    if (next.length === 0) {
      remember(current.answers, check, value, holds)
      values.delete(value)
      stack.pop()
    }
    for (const each of next) {
      if (begun.get(each.check)?.has(each.value))
        remember(current.answers, each.check, each.value, false)
      else stack.push(each)
    }
  }
  return recall(current.answers, whole.check, whole.value) ?? false
}
