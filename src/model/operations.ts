import type { Api, HttpOperation, RpcOperation } from './api.js'

/** The operations of the OpenAPI document. */
export const httpOperations = ({ operations }: Pick<Api, 'operations'>): readonly HttpOperation[] =>
  operations.filter((operation) => operation.kind === 'http')

/** The Api with the methods that only the server sends among its operations: all that has data and validators. */
export const withSentMethods = (api: Api): Api => ({
  ...api,
  operations: [...api.operations, ...api.serverMethods.filter(({ isSent }) => isSent)],
})

/** The methods of the OpenRPC document. */
export const rpcOperations = ({ operations }: Pick<Api, 'operations'>): readonly RpcOperation[] =>
  operations.filter((operation) => operation.kind === 'rpc')
