import type { Finding, Location } from '../model/finding.js'
import { type DiffRuleId, ruleOf } from './rules.js'

/** What one rule says of one place in two versions; at least one of them has it. */
export function change(rule: DiffRuleId, places: Places, message: string): Finding {
  const { level, advice } = ruleOf(rule)
  const { before, after } = places
  const location = after ?? before
  if (!location) throw new Error(`${rule} has no place`)
  return {
    rule,
    level,
    location,
    message,
    ...(after && before && { before }),
    ...(advice !== undefined && { advice }),
  }
}

/** What is gone is located where it would be now, and what is new where it would have been. */
export type Places = { readonly before: Location | undefined; readonly after: Location | undefined }
