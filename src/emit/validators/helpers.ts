import type { Helper } from './helper.js'
import { HEX_HELPERS } from './hex-helpers.js'

/**
 * What checks share, as it stands at the end of a file whose checks need it. Plain functions: a bundle keeps those that
 * are asked for, and nothing is imported.
 */
const TEXTS = {
  isObject: {
    text: `function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}`,
    needs: ['Fields'],
  },
  Fields: {
    text: `/** Any object; fields that are read by their names are listed, so that none is misspelled. */
type Fields = Readonly<Record<string, unknown>> & { readonly [name in FieldName]?: unknown }

type FieldName = FIELD_NAMES`,
  },
  own: {
    text: `/** A property that is not inherited: every object has a \`toString\`, and few mean it. */
function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined
}`,
  },
  countKeys: {
    text: `/** A property that is undefined is not sent, so it does not count. */
function countKeys(value: Readonly<Record<string, unknown>>): number {
  let count = 0
  for (const key in value) if (value[key] !== undefined) count++
  return count
}`,
  },
  countCharacters: {
    text: `/** RFC 8259 counts a surrogate pair as one character. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}`,
  },
  ...HEX_HELPERS,
  isMultiple: {
    text: `/** Exact on the decimals that were written: 4.07 is a multiple of 0.01, though 4.07 % 0.01 is not 0. */
function isMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  if (!Number.isFinite(value)) return false
  const [digits, exponent] = decimalOf(value)
  const [divisorDigits, divisorExponent] = decimalOf(divisor)
  if (divisorDigits === 0n) return false
  const shift = exponent - divisorExponent
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % divisorDigits === 0n
    : digits % (divisorDigits * 10n ** BigInt(-shift)) === 0n
}

function decimalOf(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}`,
  },
  hasRepeats: {
    text: `/** Whether two items are equal as JSON is; of items too deep to be read, nobody can say that they are not. */
function hasRepeats(items: readonly unknown[]): boolean {
  const texts = new Set(items.map(canonical))
  return texts.size < items.length || texts.has(undefined)
}`,
    needs: ['canonical'],
  },
  canonical: {
    text: `/** A text that two values share exactly where they are equal, whatever the order of their keys; none of a value too deep for it. */
function canonical(value: unknown): string | undefined {
  try {
    return canonicalText(value)
  } catch {
    return undefined
  }
}`,
    needs: ['canonicalText'],
  },
  canonicalText: {
    text: `/** Throws RangeError where the value is too deep. */
function canonicalText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return \`[\${value.map(canonicalText).join()}]\`
  if (!isObject(value)) return String(value)
  const keys = Object.keys(value).filter((key) => value[key] !== undefined)
  const members = keys.sort().map((key) => \`\${JSON.stringify(key)}:\${canonicalText(value[key])}\`)
  return \`{\${members.join()}}\`
}`,
    needs: ['isObject'],
  },
  follow: {
    text: `/**
 * Follows a reference that leads back to where it stands. A value may be of any depth, and the stack is not: past 50
 * levels the rest is put off, checked by itself, and the check is run again with the answers at hand. Until then what
 * follows from it is a guess, good for one run: so every part is checked a few times, however many branches of a union
 * ask for it. A value that contains itself is refused.
 */
function follow(check: Check, value: unknown, isLarge = false): boolean {
  if (depth === 0) return begin(check, value)
  const answer = answers.get(check)?.get(value)
  if (answer !== undefined) return answer
  const guess = guesses.get(check)?.get(value)
  if (guess !== undefined || depth > 50) {
    doubts++
    if (guess !== undefined) return guess
    putOff.push({ check, value })
    note(guesses, check, value, true)
    return true
  }
  const before = doubts
  depth++
  const holds = check(value)
  depth--
  // Few values are deep: a small check that is near the root costs less than to remember its answer.
  if (isLarge || depth > 6) note(doubts === before ? answers : guesses, check, value, holds)
  return holds
}

type Check = (value: unknown) => boolean

type Task = { readonly check: Check; readonly value: unknown }

type Answers = Map<Check, Map<unknown, boolean>>

let depth = 0
let doubts = 0
let answers: Answers = /* @__PURE__ */ new Map()
let guesses: Answers = /* @__PURE__ */ new Map()
let putOff: Task[] = []

function begin(check: Check, value: unknown): boolean {
  try {
    depth = 1
    const holds = check(value)
    return putOff.length === 0 ? holds : settle(check, value)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  } finally {
    depth = 0
    putOff = []
    if (answers.size > 0) answers = new Map()
    if (guesses.size > 0) guesses = new Map()
  }
}

function settle(check: Check, value: unknown): boolean {
  const begun = new Map<Check, Set<unknown>>()
  const stack: Task[] = [{ check, value }]
  for (let task = stack.at(-1); task !== undefined; task = stack.at(-1)) {
    const values = begun.get(task.check) ?? new Set()
    begun.set(task.check, values.add(task.value))
    depth = 1
    putOff = []
    guesses = new Map()
    const holds = answers.get(task.check)?.get(task.value) ?? task.check(task.value)
    if (putOff.length === 0) {
      note(answers, task.check, task.value, holds)
      values.delete(task.value)
      stack.pop()
    }
    for (const one of putOff) {
      if (begun.get(one.check)?.has(one.value)) note(answers, one.check, one.value, false)
      else stack.push(one)
    }
  }
  return answers.get(check)?.get(value) ?? false
}

function note(known: Answers, check: Check, value: unknown, holds: boolean): void {
  const values = known.get(check) ?? new Map<unknown, boolean>()
  known.set(check, values.set(value, holds))
}`,
  },
} satisfies Record<string, Helper>

export type HelperName = keyof typeof TEXTS

export const HELPERS: Readonly<Record<HelperName, Helper>> = TEXTS
