import type { Rule } from '../rule.js'
import { ACCESS_RULES } from './access.js'
import { BATCH_SIZE_RULES } from './batch-size.js'
import { BATCHES } from './batches.js'
import { CONNECTION_RULES } from './connections.js'
import { DISCOVERY_RULES } from './discovery.js'
import { ENVELOPE } from './envelope.js'
import { HTTP_BINDING } from './http-binding.js'
import { IDS } from './ids.js'
import { LIMIT_RULES } from './limits.js'
import { METHODS } from './methods.js'
import { NOTIFICATIONS } from './notifications.js'
import { PARAMS } from './params.js'
import { PARSING } from './parsing.js'
import { RATE_RULES } from './rate.js'
import { rulesOf } from './row.js'
import { SWAPPED_RULES } from './swapped.js'

/** What is asked of a server that speaks JSON-RPC, each rule in the file of its theme. */
export const RPC_RULES: readonly Rule[] = [
  {
    id: 'rejection-wrong-code',
    level: 'warning',
    purpose:
      'A request that must be rejected is rejected with the code or status that is meant for it.',
    clause: 'JSON-RPC 2.0, 5.1; RFC 9110, 15.5',
    checks: ['J01', 'J49', 'J91', 'J93', 'H24'],
  },
  ...rulesOf([...PARSING, ...ENVELOPE, ...IDS, ...METHODS, ...PARAMS]),
  ...rulesOf([...NOTIFICATIONS, ...BATCHES]),
  ...SWAPPED_RULES,
  ...BATCH_SIZE_RULES,
  ...rulesOf(HTTP_BINDING),
  ...LIMIT_RULES,
  ...CONNECTION_RULES,
  ...ACCESS_RULES,
  ...RATE_RULES,
  ...DISCOVERY_RULES,
]
