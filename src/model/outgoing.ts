import type { Api, HttpOperation, OutgoingRequest } from './api.js'
import { defined } from './json.js'

/**
 * A webhook or a callback as an operation of the subscriber, who reads its parameters and its body, and writes one of its
 * responses. Its path is the id, because the URL is the subscriber's.
 */
export const outgoingOperation = (request: OutgoingRequest): HttpOperation => {
  const { id, method, summary, description, parameters, body, responses } = request
  const { stability, deprecated, sunset, bigints, source } = request
  return {
    kind: 'http',
    ...{
      id,
      operationId: id,
      method,
      path: `/${id}`,
      summary,
      description,
      parameters,
      body,
      responses,
    },
    ...{ tags: [], servers: [], unusedPathParameters: [], security: [], schemes: {} },
    ...{ variants: [], links: [], limits: {}, idempotent: false, deprecated, source },
    ...{ notShown: undefined, assumption: undefined },
    ...defined({ stability, sunset, bigints }),
  }
}

/** Whether documents describe nothing that clients call, only webhooks. */
export const isOnlySent = ({ operations, rpc, outgoing }: Api): boolean =>
  operations.length === 0 && rpc === undefined && outgoing.length > 0
