import { NAMED_PARAMS_RULES } from './cases/boundaries.js'
import { VALUE_RULES } from './cases/evaluate.js'
import { EXAMPLE_REQUEST_RULES } from './cases/examples.js'
import { DUPLEX_RULES } from './duplex/cases.js'
import { RECORDED_MESSAGE_RULES } from './duplex/recorded.js'
import { HTTP_RULES } from './http/cases.js'
import { ANY_RULES } from './responses/check-response.js'
import { HEADER_RULES } from './responses/header-syntax.js'
import { HTTP_ANSWER_RULES } from './responses/http.js'
import { RPC_BODY_RULES } from './responses/rpc.js'
import { RPC_MATCH_RULES } from './responses/rpc-match.js'
import { RPC_RESPONSE_RULES } from './responses/rpc-response.js'
import { RPC_RULES } from './rpc/cases.js'
import type { Rule } from './rule.js'
import { RECORD_RULES } from './state/cases.js'
import { DELETION_RULES } from './state/deletions.js'
import { IDEMPOTENCY_RULES } from './state/idempotency.js'
import { LINK_RULES } from './state/links.js'
import { LIST_RULES } from './state/lists.js'
import { PAGE_RULES } from './state/pages.js'
import { POLL_RULES } from './state/poll.js'
import { WRITE_RULES } from './state/writes.js'
import { WORKFLOWS_RULES } from './workflows/cases.js'

const OWN_RULES: readonly Rule[] = [
  {
    id: 'choice-inconsistent',
    level: 'error',
    purpose: 'Where a clause allows several behaviours, a server always uses the same one.',
    clause: 'consistency',
  },
  {
    id: 'choice-not-of-profile',
    level: 'error',
    purpose: 'A server that is tested with a profile behaves as the profile declares.',
    clause: '--profile',
  },
]

/** Rules for the values of requests, allowed and not allowed. */
export const ALL_VALUE_RULES = [...VALUE_RULES, ...NAMED_PARAMS_RULES, ...EXAMPLE_REQUEST_RULES]

/** Rules for state that a server keeps between requests. */
export const STATE_RULES: readonly Rule[] = [
  ...POLL_RULES,
  ...RECORD_RULES,
  ...LINK_RULES,
  ...PAGE_RULES,
  ...LIST_RULES,
  ...WRITE_RULES,
  ...DELETION_RULES,
  ...IDEMPOTENCY_RULES,
]

/** All rules for servers. */
export const CONFORM_RULES: readonly Rule[] = [
  ...ANY_RULES,
  ...HEADER_RULES,
  ...RPC_RESPONSE_RULES,
  ...RPC_MATCH_RULES,
  ...RPC_BODY_RULES,
  ...HTTP_ANSWER_RULES,
  ...ALL_VALUE_RULES,
  ...RPC_RULES,
  ...DUPLEX_RULES,
  ...RECORDED_MESSAGE_RULES,
  ...HTTP_RULES,
  ...STATE_RULES,
  ...WORKFLOWS_RULES,
  ...OWN_RULES,
]
