import { VALUE_RULES } from './cases/rules.js'
import { HTTP_RULES } from './http/rules.js'
import { ANSWER_RULES } from './responses/rules.js'
import { RPC_RULES } from './rpc/rules.js'
import { type Rule, ruleRows } from './rule.js'
import { STATE_RULES } from './state/rules.js'
import { WORKFLOWS_RULES } from './workflows/rules.js'

/** Of the run itself. */
const OWN_RULES = ruleRows([
  {
    id: 'choice-inconsistent',
    level: 'error',
    purpose: 'Where a clause leaves a choice, a server makes it once.',
    clause: 'consistency',
  },
  {
    id: 'choice-not-of-profile',
    level: 'error',
    purpose: 'A server that is said to speak a dialect makes its choices.',
    clause: '--profile',
  },
])

/** All that is asked of a server. */
export const CONFORM_RULES: readonly Rule[] = [
  ...ANSWER_RULES,
  ...VALUE_RULES,
  ...RPC_RULES,
  ...HTTP_RULES,
  ...STATE_RULES,
  ...WORKFLOWS_RULES,
  ...OWN_RULES,
]
