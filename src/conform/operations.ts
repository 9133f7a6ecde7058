import type { Operation } from '../model/api.js'

/** The name of an operation in its own document: the method of JSON-RPC, the operationId of HTTP. */
export const ownName = (operation: Operation): string =>
  operation.kind === 'rpc' ? operation.method : operation.id

/** Why no more requests are sent to an operation that the server does not have. */
export const NOT_OFFERED = 'the server reports that it does not offer it'

/** Whether an operation only reads: safe methods in HTTP (RFC 9110, 9.2.1), and JSON-RPC methods with `x-idempotent`. */
export const isRead = (target: Operation): boolean =>
  target.kind === 'http' ? ['GET', 'HEAD', 'QUERY'].includes(target.method) : target.idempotent
