import type { Defect } from './defect.js'
import { HTTP_REQUEST_DEFECTS } from './http-request-defects.js'
import { HTTP_ANSWER_DEFECTS } from './http-response-defects.js'
import { HTTP_STATE_DEFECTS } from './http-state-defects.js'
import { RPC_CALL_DEFECTS } from './rpc-call-defects.js'
import { RPC_PROTOCOL_DEFECTS } from './rpc-protocol-defects.js'
import { RPC_ANSWER_DEFECTS } from './rpc-response-defects.js'
import { RPC_VALUE_DEFECTS } from './rpc-value-defects.js'
import { WIRE_DEFECTS } from './wire-defects.js'

/** What is wrong with JSON-RPC, with submissions and lookups, and on the wire of either. */
export const DEFECTS = {
  'JSON-RPC': [
    ...RPC_ANSWER_DEFECTS,
    ...RPC_VALUE_DEFECTS,
    ...RPC_CALL_DEFECTS,
    ...RPC_PROTOCOL_DEFECTS,
  ],
  HTTP: [...HTTP_ANSWER_DEFECTS, ...HTTP_REQUEST_DEFECTS, ...HTTP_STATE_DEFECTS],
  'the wire': WIRE_DEFECTS,
} satisfies Readonly<Record<string, readonly Defect[]>>
