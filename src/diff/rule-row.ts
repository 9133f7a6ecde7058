import type { Finding } from '../model/finding.js'
import type { RuleRow } from '../model/rule.js'

/** One row of the table of `diff`: what a change is called, how much it matters, what it is, what to do instead. */
export const row = <Id extends string>(
  id: Id,
  level: Finding['level'],
  purpose: string,
  advice?: string,
): DiffRule<Id> => ({ id, level, purpose, ...(advice !== undefined && { advice }) })

export type DiffRule<Id extends string = string> = RuleRow & {
  readonly id: Id
  readonly advice?: string
}
