import { ruleRows } from '../rule.js'

export const STATE_RULES = ruleRows([])
