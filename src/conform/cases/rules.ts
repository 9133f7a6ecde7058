import { ruleRows } from '../rule.js'

/** What is due of values that the documents allow, and of those that they do not. */
export const VALUE_RULES = ruleRows([])
