import { ACCEPTANCE_RULES } from './acceptance-rules.js'
import { HTTP_RULES } from './http-rules.js'
import { OPERATION_RULES } from './operation-rules.js'
import { OUTGOING_RULES } from './outgoing-rules.js'
import { RPC_RULES } from './rpc-rules.js'
import type { DiffRule } from './rule-row.js'
import { SCHEMA_RULES } from './schema-rules.js'

const OWN_RULES = [
  ...OPERATION_RULES,
  ...HTTP_RULES,
  ...OUTGOING_RULES,
  ...RPC_RULES,
  ...ACCEPTANCE_RULES,
] as const

/** Every rule that `diff` may name. */
export const DIFF_RULES: readonly DiffRule[] = [...OWN_RULES, ...SCHEMA_RULES]

/** Of what is not the comparison of two schemas. */
export type DiffRuleId = (typeof OWN_RULES)[number]['id']

export const ruleOf = (id: DiffRuleId): DiffRule =>
  OWN_RULES.find((rule) => rule.id === id) as DiffRule
