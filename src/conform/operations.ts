import type { Operation } from '../model/api.js'

/** What its own document calls an operation: the method of JSON-RPC, the operationId of HTTP. */
export const ownName = (operation: Operation): string =>
  operation.kind === 'rpc' ? operation.method : operation.id

/** Why nothing more is sent to an operation that the server says it does not have. */
export const NOT_OFFERED = 'the server says that it does not offer it'

/** Safe in HTTP (RFC 9110, 9.2.1), and of methods those that the document lets anybody send again (`x-idempotent`). */
export const isRead = (target: Operation): boolean =>
  target.kind === 'http' ? ['GET', 'HEAD', 'QUERY'].includes(target.method) : target.idempotent
