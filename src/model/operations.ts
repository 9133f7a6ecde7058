import type { Api, HttpOperation, RpcOperation } from './api.js'

/** The operations of the OpenAPI document. */
export const httpOperations = ({ operations }: Pick<Api, 'operations'>): readonly HttpOperation[] =>
  operations.filter((operation) => operation.kind === 'http')

/** The methods of the OpenRPC document. */
export const rpcOperations = ({ operations }: Pick<Api, 'operations'>): readonly RpcOperation[] =>
  operations.filter((operation) => operation.kind === 'rpc')
