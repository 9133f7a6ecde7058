/**
 * What generated files import, declare or lean on at their top level, by file: beside each of these
 * stand exports called after schemas or operations, which must therefore be called something else.
 */
export const TAKEN_NAMES = {
  'schemas.ts': ['Blob', 'MapOf', 'OneOf', 'Static', 'TSchema', 'TUnion', 'Type'],
  'validators.ts': [
    'BigInt',
    'Checks',
    'HttpComponents',
    'HttpSchemas',
    'JSON',
    'MethodChecks',
    'RangeError',
    'RpcComponents',
    'RpcMethods',
    'RpcSchemas',
    'Uint8Array',
    'httpValidators',
    'rpcValidators',
  ],
  'explanations.ts': [
    'HttpComponents',
    'HttpSchemas',
    'MethodValidators',
    'RpcComponents',
    'RpcMethods',
    'RpcSchemas',
    'Validator',
    'ValidatorSchema',
    'checks',
    'explained',
    'explainedPart',
    'httpValidators',
    'rpcValidators',
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
