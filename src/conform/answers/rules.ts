import { ruleRows } from '../rule.js'

/** What is due of every answer. */
export const ANSWER_RULES = ruleRows([])
