/**
 * What generated files import, declare or lean on at their top level, by file: beside each of these
 * stand exports called after schemas or operations, which must therefore be called something else.
 */
export const TAKEN_NAMES = {
  'schemas.ts': ['Blob', 'MapOf', 'OneOf', 'Static', 'TSchema', 'TUnion', 'Type'],
  'validators.ts': [
    'HttpComponents',
    'HttpSchemas',
    'RpcComponents',
    'RpcMethods',
    'RpcSchemas',
    'Validator',
    'httpValidators',
    'rpcValidators',
    'validator',
  ],
  'operations.ts': [
    'HttpOperation',
    'RpcOperation',
    'Server',
    'httpServers',
    'httpService',
    'rpcServers',
    'rpcService',
  ],
} as const
