import { ruleRows } from '../rule.js'

export const HTTP_RULES = ruleRows([])
