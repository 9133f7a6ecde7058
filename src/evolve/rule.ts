import type { Finding } from '../model/finding.js'
import type { Survey } from './lint/survey.js'

/** A row of the table that is asked: what it finds gets its id and its level. */
export type Rule = RuleRow & { readonly find: (survey: Survey) => Iterable<Said> }

export type RuleRow = {
  /** A kebab-case sentence, subject first: `paths-are-identical`. */
  readonly id: string
  /** error: callers are misled or generation breaks; warning: to be mended; note: told. */
  readonly level: Finding['level']
  /** Why it matters, in a sentence. */
  readonly purpose: string
}

export type Said = Pick<Finding, 'location' | 'message' | 'witness' | 'advice'>
