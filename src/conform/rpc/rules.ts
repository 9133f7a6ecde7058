import { ruleRows } from '../rule.js'

export const RPC_RULES = ruleRows([])
