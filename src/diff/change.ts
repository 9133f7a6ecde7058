import type { Finding, Location } from '../model/finding.js'
import { type DiffRuleId, ruleOf } from './rules.js'

/** What one rule says of one place in two versions; at least one of them has it. */
export function change(rule: DiffRuleId, places: Places, message: string): Finding {
  const { level, advice } = ruleOf(rule)
  const { before, after } = places
  const location = after ?? before
  if (!location) throw new Error(`${rule} was told of no place`)
  return {
    rule,
    level,
    location,
    message,
    ...(after && before && { before }),
    ...(advice !== undefined && { advice }),
  }
}

/** What is gone is told where it would stand now, and what is new where it would have stood. */
export type Places = { readonly before: Location | undefined; readonly after: Location | undefined }
