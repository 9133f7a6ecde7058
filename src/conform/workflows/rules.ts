import { ruleRows } from '../rule.js'

export const WORKFLOWS_RULES = ruleRows([
  {
    id: 'workflow-failed',
    level: 'error',
    purpose: 'Each step of a workflow is answered as its criteria ask.',
    clause: 'Arazzo 1.0, Step Object, successCriteria',
  },
])
