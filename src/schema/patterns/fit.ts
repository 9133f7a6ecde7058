import { createContext, Script } from 'node:vm'
import { compilePattern, countCharacters } from '../../runtime/validate/json-value.js'
import type { StringTerms } from './string-terms.js'

/**
 * Whether the validator would take the text, by RegExp itself; undefined where a pattern does not compile
 * or takes too long to try, as one that backtracks does on a long text.
 */
export const fits = (text: string, terms: StringTerms): boolean | undefined => {
  const length = countCharacters(text)
  if (length < terms.minLength || length > (terms.maxLength ?? length)) return false
  const verdicts = terms.patterns.map((pattern) => isFound(text, pattern))
  if (verdicts.includes(false)) return false
  return verdicts.includes(undefined) ? undefined : true
}

const SHORT_ENOUGH_TO_TRY = 8
const LONGEST_TRY_MS = 500

const isFound = (text: string, source: string): boolean | undefined => {
  let pattern: RegExp
  try {
    pattern = compilePattern(source)
  } catch {
    return undefined
  }
  if (text.length <= SHORT_ENOUGH_TO_TRY) return pattern.test(text)
  try {
    return testing.runInContext(Object.assign(context, { pattern, text }), {
      timeout: LONGEST_TRY_MS,
    })
  } catch {
    return undefined
  }
}

/** What runs in a script can be stopped, even in the middle of a regular expression. */
const testing = new Script('pattern.test(text)')

const context = createContext({})
