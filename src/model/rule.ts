import type { Finding } from './finding.js'

/** A row of a table of rules. */
export type RuleRow = {
  /** Subject and problem in kebab case: `paths-are-identical`. No two rules of lint, diff and conform share one. */
  readonly id: string
  /** error: callers are misled or generation breaks; warning: to be corrected; note: for information. */
  readonly level: Finding['level']
  /** Why it matters, in a sentence. */
  readonly purpose: string
}

/** What a rule reports of one place; the row adds id and level. */
export type Said = Pick<Finding, 'location' | 'message' | 'witness' | 'advice'>
