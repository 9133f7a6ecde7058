import type { FindingDetails } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { compilePattern } from '../runtime/validate.js'
import { patternGrowth } from '../schema/patterns/growth.js'
import { findUnportable } from '../schema/patterns/portable.js'
import { type LintRule, locationOf, type Survey, schemasIn, type Written } from './survey.js'

/** Rules for regular expressions: constructs that other engines interpret differently, and time of matching. */
export const PATTERN_RULES: readonly LintRule[] = [
  {
    id: 'pattern-is-unportable',
    level: 'warning',
    purpose:
      'Clients validate in other languages, whose regular expression engines interpret some constructs differently.',
    find: unportable,
  },
  {
    id: 'pattern-takes-too-long',
    level: 'warning',
    purpose:
      'One request can stop a server that matches a pattern in exponential time; generated code is safe, but other tools are not.',
    find: slowPatterns,
  },
]

function* unportable(survey: Survey): Generator<FindingDetails> {
  for (const one of schemasIn(survey)) {
    for (const [text, ...members] of patternsOf(one.node)) {
      for (const { says } of findUnportable(text)) {
        yield { location: locationOf(one, ...members), message: `in ${text}, ${says}` }
      }
    }
  }
}

function* slowPatterns(survey: Survey): Generator<FindingDetails> {
  for (const one of schemasIn(survey)) {
    const { maxLength } = one.node
    for (const [text, ...members] of patternsOf(one.node)) {
      const longest = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY
      const message = saysSlow(text, members[0] === 'pattern' ? longest : Number.POSITIVE_INFINITY)
      if (message !== undefined) yield { location: locationOf(one, ...members), message }
    }
  }
}

const saysSlow = (pattern: string, maxLength: number): string | undefined => {
  if (!isExpression(pattern)) return undefined
  const growth = patternGrowth(pattern)
  if (growth.kind === 'linear' || (growth.kind === 'unknown' && growth.why === 'large')) return
  if (growth.kind === 'unknown') {
    return `it is not known how long a regular expression takes for ${pattern}, so generated code rejects a text of more than 25 characters: write it without modifiers and octal escapes`
  }
  const isExponential = growth.kind === 'exponential'
  if (!isExponential && growth.degree < LEAST_DEGREE) return undefined
  const steps = isExponential ? 2 ** maxLength : maxLength ** growth.degree
  if (steps <= MOST_STEPS) return undefined
  const time = isExponential
    ? 'exponential time'
    : `time that grows with the power of ${growth.degree}`
  return `${pattern} takes ${time} for a text that repeats ${JSON.stringify(growth.repeated)} and does not match: write it so that each text can match in one way only, or add a maxLength of ${isExponential ? Math.floor(Math.log2(MOST_STEPS)) : Math.floor(MOST_STEPS ** (1 / growth.degree))} or less`
}

/** Quadratic patterns are common, and slow only for long texts. */
const LEAST_DEGREE = 3
const MOST_STEPS = 1_000_000

const isExpression = (source: string): boolean => {
  try {
    compilePattern(source)
    return true
  } catch {
    return false
  }
}

type WrittenPattern = readonly [text: string, ...members: string[]]

const patternsOf = ({ pattern, patternProperties }: Written['node']): readonly WrittenPattern[] => [
  ...(typeof pattern === 'string' ? [[pattern, 'pattern'] as const] : []),
  ...Object.keys(isObject(patternProperties) ? patternProperties : {}).map(
    (name) => [name, 'patternProperties', name] as const,
  ),
]
