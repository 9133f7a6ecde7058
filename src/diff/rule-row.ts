import type { RuleRow } from '../model/finding.js'

/** A row of the rules of `diff`, without its id: the level, the purpose and the advice. */
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
