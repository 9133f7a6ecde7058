import { createContext, Script } from 'node:vm'
import { compilePattern } from '../../runtime/validate/json-value.js'
import { countCharacters } from '../../runtime/validate/text-length.js'
import { buildTextAutomaton } from './automaton.js'
import { type PatternPart, readPattern } from './pattern.js'
import { type AutomatonTerms, findText, type Lengths, type StringTerms } from './search.js'

/**
 * Decides by automata whether some string of `inner` is in none of `outers`. `none` is exact. A word is the shortest,
 * and RegExp has confirmed it. Above 10,000 characters only its length is returned. A word to `avoid` is never returned.
 * `why` is a clause without its full stop.
 * Strings are Unicode texts, without halves of surrogate pairs. The effort is limited by work, not by time: about a
 * fifth of a second.
 */
export const escaping = (
  inner: StringTerms,
  outers: readonly StringTerms[],
  avoid: (word: string) => boolean = () => false,
): Escape => {
  if (isEmpty(inner)) return { kind: 'none' }
  const rest = outers.flatMap((outer) => simplify(outer, inner))
  if (rest.some(takesAll)) return { kind: 'none' }
  if ([inner, ...rest].every(({ patterns }) => patterns.length === 0)) {
    const found = findLength(inner, rest)
    if (found.kind !== 'word' || !avoid(found.word)) return found
  }
  return searchEscape(inner, rest, avoid)
}

export type Escape =
  | { readonly kind: 'none' }
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'longer'; readonly length: number }
  | { readonly kind: 'unknown'; readonly why: string }

/** The shortest word; undefined if there is none, none of up to 10,000 characters, or none was found. */
export const shortestWord = (
  terms: StringTerms,
  avoid?: (word: string) => boolean,
): string | undefined => {
  const found = escaping(terms, [], avoid)
  return found.kind === 'word' ? found.word : undefined
}

/** Whether no string is in both; undefined if this is unknown. */
export const disjoint = (one: StringTerms, other: StringTerms): boolean | undefined => {
  const { kind } = escaping(intersect(one, other), [])
  return kind === 'unknown' ? undefined : kind === 'none'
}

const LONGEST_WORD = 10_000
const MOST_TRIES = 16
const EFFORT = 1_000_000
const LONGEST_QUOTE = 60

/**
 * Unreadable parts of `inner` are omitted, which makes it larger. An unreadable outer is omitted, which makes the
 * union smaller. So "none" stays true, and each word is tested.
 */
const searchEscape = (
  inner: StringTerms,
  outers: readonly StringTerms[],
  avoid: (word: string) => boolean,
): Escape => {
  const unread: string[] = []
  const read = (patterns: readonly string[]): PatternPart[] =>
    patterns.flatMap((pattern) => {
      const reading = readPattern(pattern)
      if (reading.kind === 'read') return reading.parts
      unread.push(`the pattern ${quote(pattern)} ${reading.why}`)
      return []
    })
  const inside = { ...inner, parts: read(inner.patterns) }
  const outside: AutomatonTerms[] = outers.flatMap((outer) => {
    const before = unread.length
    const parts = read(outer.patterns)
    return unread.length > before ? [] : [{ ...outer, parts }]
  })
  const budget = { left: EFFORT }
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const found = findText(inside, outside, budget)
    if (found.kind === 'none') return found
    if (found.kind === 'spent') return unknown([...unread, SPENT])
    const isEscape = escapes(found.text, inner, outers)
    if (isEscape === undefined) return unknown([...unread, UNTRIED])
    if (isEscape && !avoid(found.text)) return toEscape(found.text)
    const automaton = buildTextAutomaton(found.text)
    outside.push({ parts: [{ automaton, negated: false }], minLength: 0, maxLength: undefined })
  }
  return unknown([...unread, 'none of the texts that were tried is an example'])
}

const SPENT = 'the patterns have too many states to be searched'
const UNTRIED = 'a regular expression takes too long to test the text that was found'

const quote = (pattern: string): string =>
  pattern.length > LONGEST_QUOTE ? `${pattern.slice(0, LONGEST_QUOTE)}…` : pattern

const unknown = ([why = '']: readonly string[]): Escape => ({ kind: 'unknown', why })

const toEscape = (word: string): Escape => {
  const { length } = [...word]
  return length > LONGEST_WORD ? { kind: 'longer', length } : { kind: 'word', word }
}

const escapes = (
  word: string,
  inner: StringTerms,
  outers: readonly StringTerms[],
): boolean | undefined => {
  const verdicts = [
    fits(word, inner),
    ...outers.map((outer) => {
      const verdict = fits(word, outer)
      return verdict === undefined ? undefined : !verdict
    }),
  ]
  if (verdicts.includes(false)) return false
  return verdicts.includes(undefined) ? undefined : true
}

const isEmpty = ({ minLength, maxLength }: Lengths): boolean =>
  maxLength !== undefined && minLength > maxLength

const takesAll = ({ patterns, minLength, maxLength }: StringTerms): boolean =>
  patterns.length === 0 && minLength === 0 && maxLength === undefined

/** Keeps only constraints that the inner terms lack, so that a pattern of both is not parsed. */
const simplify = (outer: StringTerms, inner: StringTerms): readonly StringTerms[] => {
  if (isEmpty(intersect(outer, inner))) return []
  const { maxLength = Number.POSITIVE_INFINITY } = inner
  return [
    {
      patterns: outer.patterns.filter((pattern) => !inner.patterns.includes(pattern)),
      minLength: outer.minLength <= inner.minLength ? 0 : outer.minLength,
      maxLength:
        outer.maxLength !== undefined && outer.maxLength >= maxLength ? undefined : outer.maxLength,
    },
  ]
}

const intersect = (one: StringTerms, other: StringTerms): StringTerms => {
  const bounds = [one, other].flatMap(({ maxLength }) => maxLength ?? [])
  return {
    patterns: [...new Set([...one.patterns, ...other.patterns])],
    minLength: Math.max(one.minLength, other.minLength),
    maxLength: bounds.length === 0 ? undefined : Math.min(...bounds),
  }
}

const findLength = (inner: Lengths, outers: readonly Lengths[]): Escape => {
  let length = inner.minLength
  for (;;) {
    const holder = outers.find(
      ({ minLength, maxLength = Number.POSITIVE_INFINITY }) =>
        minLength <= length && length <= maxLength,
    )
    if (!holder) break
    if (holder.maxLength === undefined) return { kind: 'none' }
    length = holder.maxLength + 1
  }
  if (length > (inner.maxLength ?? length)) return { kind: 'none' }
  return length > LONGEST_WORD
    ? { kind: 'longer', length }
    : { kind: 'word', word: 'a'.repeat(length) }
}

/**
 * Whether the validator accepts the text, by RegExp itself. Undefined if a pattern does not compile, or if backtracking
 * on a long text could take too long.
 */
const fits = (text: string, terms: StringTerms): boolean | undefined => {
  const length = countCharacters(text)
  if (length < terms.minLength || length > (terms.maxLength ?? length)) return false
  const verdicts = terms.patterns.map((pattern) => isFound(text, pattern))
  if (verdicts.includes(false)) return false
  return verdicts.includes(undefined) ? undefined : true
}

const SHORT_ENOUGH_TO_TRY = 8
/** Of the clock for one try, and of the processor for all tries. */
const LONGEST_TRY_MS = 500

const isFound = (text: string, source: string): boolean | undefined => {
  let pattern: RegExp
  try {
    pattern = compilePattern(source)
  } catch {
    return undefined
  }
  if (text.length <= SHORT_ENOUGH_TO_TRY) return pattern.test(text)
  // On a busy machine the time may pass before the script has run: only the time of the processor decides.
  const begun = process.cpuUsage()
  for (;;) {
    try {
      return testing.runInContext(Object.assign(context, { pattern, text }), {
        timeout: LONGEST_TRY_MS,
      })
    } catch (error) {
      const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      if (!isLate || process.cpuUsage(begun).user > LONGEST_TRY_MS * 1_000) return undefined
    }
  }
}

/** A script has a timeout, even in the middle of a regular expression. */
const testing = new Script('pattern.test(text)')

const context = createContext({})
