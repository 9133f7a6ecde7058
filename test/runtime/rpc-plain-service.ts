import type { RpcService } from 'twinspec/runtime/rpc'

/** A service of one method without params, as plain as it can be bundled. */
export const service: RpcService = {
  servers: [{ name: 'testnet', url: 'https://{host}/', variables: { host: { default: 'a' } } }],
  path: '/',
  operations: {
    nodeHeight: {
      kind: 'rpc',
      id: 'nodeHeight',
      method: 'node_height',
      params: [],
      paramStructure: 'by-position',
      errors: [],
      idempotent: true,
    },
  },
}

export const validators = {
  nodeHeight: {
    params: { check: (value: unknown) => Array.isArray(value) && value.length === 0 },
    result: { check: (value: unknown) => typeof value === 'string' },
  },
}
