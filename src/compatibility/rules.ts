import type { RuleRow } from '../model/finding.js'

/** What old clients, and the code of consumers, are held to. */
export const COMPATIBILITY_RULES = [
  {
    id: 'old-client-breaks',
    level: 'error',
    purpose: 'A client of an older version throws for a request that its documents show.',
  },
  {
    id: 'old-client-warns',
    level: 'warning',
    purpose:
      'A client of an older version returns a response and calls onWarning, because it differs from its documents.',
  },
  {
    id: 'old-operation-untested',
    level: 'error',
    purpose:
      'An operation of an older version was not tested: its client sent no request, or no response was to be had.',
  },
  {
    id: 'consumer-does-not-compile',
    level: 'error',
    purpose: 'Code of a consumer compiles with the client that it has, and not with the new one.',
  },
] as const satisfies readonly RuleRow[]

export type CompatibilityRule = (typeof COMPATIBILITY_RULES)[number]['id']

/** The level of a rule. */
export const levelOf = (rule: CompatibilityRule): RuleRow['level'] =>
  COMPATIBILITY_RULES.find(({ id }) => id === rule)?.level ?? 'error'
