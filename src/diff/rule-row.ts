import type { RuleRow } from '../model/finding.js'

/** One row of the table of `diff`, by its id: how much a change matters, what it is, what to do instead. */
export type RuleText = Omit<RuleRow, 'id'> & { readonly advice?: string }

export type DiffRule = RuleRow & RuleText

const row =
  (level: RuleRow['level']) =>
  (purpose: string, advice?: string): RuleText => ({
    level,
    purpose,
    ...(advice !== undefined && { advice }),
  })

export const [error, warning, note] = [row('error'), row('warning'), row('note')]
