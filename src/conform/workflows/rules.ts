import { ruleRows } from '../rule.js'

export const WORKFLOWS_RULES = ruleRows([])
