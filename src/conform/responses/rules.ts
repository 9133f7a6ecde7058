import { ruleRows } from '../rule.js'
import { ANY_RULES } from './any-rules.js'
import { HTTP_ANSWER_RULES } from './http-rules.js'
import { RPC_ANSWER_RULES } from './rpc-rules.js'

/** What is due of every answer. */
export const ANSWER_RULES = ruleRows([...ANY_RULES, ...RPC_ANSWER_RULES, ...HTTP_ANSWER_RULES])
