import type { Operation } from './api.js'

/** The name of an operation in messages: `GET /orders`, `eth_call`. */
export const nameOf = (operation: Operation): string =>
  operation.kind === 'rpc' ? operation.method : `${operation.method} ${operation.path}`
