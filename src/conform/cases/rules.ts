import { ruleRows } from '../rule.js'

/** What is due of values that the documents allow, and of those that they do not. */
export const VALUE_RULES = ruleRows([
  {
    id: 'invalid-params-accepted',
    level: 'error',
    purpose: 'A call whose params break their schema is rejected with -32602.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J49', 'J51', 'J53', 'J54'],
  },
  {
    id: 'invalid-params-wrong-error',
    level: 'error',
    purpose: 'Params that break their schema are rejected with the code -32602, and with no other.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J49', 'J51', 'J53', 'J54'],
  },
  {
    id: 'extra-params-accepted',
    level: 'warning',
    purpose: 'A call with more params than the method has is rejected with -32602.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J50'],
  },
  {
    id: 'named-params-accepted',
    level: 'error',
    purpose: 'A method that takes its params by position rejects them by name with -32602.',
    clause: 'OpenRPC, Method Object, paramStructure',
    checks: ['J52'],
  },
  {
    id: 'named-params-differ',
    level: 'error',
    purpose: 'A call by name is answered like the same call by position.',
    clause: 'JSON-RPC 2.0, 4.2',
    checks: ['J52'],
  },
  {
    id: 'invalid-request-accepted',
    level: 'error',
    purpose: 'A request whose parameters or body break their schema is rejected.',
    clause: 'OpenAPI, requestBody and parameters',
    checks: ['H01', 'H02', 'H03', 'H04', 'H05', 'H08', 'H14', 'H15'],
  },
  {
    id: 'invalid-request-server-error',
    level: 'error',
    purpose:
      'A request that breaks its schema is rejected as the mistake of its sender, with a 4xx.',
    clause: 'RFC 9110, 15.5',
    checks: ['H01', 'H02', 'H03', 'H04', 'H05', 'H08', 'H14', 'H15'],
  },
  {
    id: 'undeclared-property-accepted',
    level: 'warning',
    purpose: 'Where the document closes an object, a property that it does not know is rejected.',
    clause: 'JSON Schema, additionalProperties',
    checks: ['H07'],
  },
  {
    id: 'valid-value-server-error',
    level: 'warning',
    purpose:
      'A value that the document allows is answered or rejected, and does not make the server fail.',
    clause: 'RFC 9110, 15.6.1',
  },
  {
    id: 'valid-value-not-answered',
    level: 'error',
    purpose: 'A request that the document allows is answered.',
    clause: 'RFC 9110, 15',
    showsFirst: true,
  },
  {
    id: 'example-values-rejected',
    level: 'warning',
    purpose:
      'An example that the document shows answered is not rejected for its params with a code that the method does not declare.',
    clause: 'OpenRPC, Example Pairing Object',
    checks: ['J66'],
  },
  {
    id: 'example-rejected-undeclared-code',
    level: 'warning',
    purpose:
      'An example that the document shows with a result gets a result, or an error that its method declares.',
    clause: 'OpenRPC, Example Pairing Object and Method Object, errors',
    checks: ['J65', 'J66'],
  },
  {
    id: 'example-rejected-other-code',
    level: 'warning',
    purpose:
      'An example that the document shows rejected is rejected with its code, or with another that the method declares.',
    clause: 'OpenRPC, Example Pairing Object and Method Object, errors',
    checks: ['J65', 'J66'],
    needsState: true,
  },
])
