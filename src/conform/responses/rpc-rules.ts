import { ruleRows } from '../rule.js'

/** What is due of every answer to a JSON-RPC request. */
export const RPC_ANSWER_RULES = ruleRows([
  {
    id: 'response-not-object',
    level: 'error',
    purpose: 'An answer is a JSON object.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J60'],
  },
  {
    id: 'response-without-version',
    level: 'error',
    purpose: 'Every answer says jsonrpc, and exactly "2.0".',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J60'],
  },
  {
    id: 'response-not-result-or-error',
    level: 'error',
    purpose: 'An answer has a result or an error; one that is null is there as well.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J61'],
  },
  {
    id: 'error-not-object',
    level: 'error',
    purpose: 'An error is an object with a code and a message.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J62'],
  },
  {
    id: 'error-code-not-integer',
    level: 'error',
    purpose: 'The code of an error is an integer.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J62'],
  },
  {
    id: 'error-message-not-string',
    level: 'error',
    purpose: 'The message of an error is a string.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J62'],
  },
  {
    id: 'error-code-is-undeclared',
    level: 'warning',
    purpose:
      'A method rejects with the codes that it declares, or with those that JSON-RPC reserves.',
    clause: 'OpenRPC, Method Object, errors',
    checks: ['J62', 'J65'],
  },
  {
    id: 'method-fails',
    level: 'error',
    purpose:
      'No documented call makes a method fail with -32603, unless the method declares that code.',
    clause: 'JSON-RPC 2.0, 5.1; OpenRPC, Method Object, errors',
    checks: ['J14', 'J65'],
  },
  {
    id: 'response-member-undeclared',
    level: 'warning',
    purpose: 'Beside jsonrpc, id, and result or error an answer has no members.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J63'],
  },
  {
    id: 'result-invalid',
    level: 'error',
    purpose:
      'A result matches the schema that the document declares for it; further properties are reported apart.',
    clause: 'OpenRPC, Method Object, result',
    checks: ['J64'],
  },
  {
    id: 'result-has-an-error-status',
    level: 'error',
    purpose: 'A JSON-RPC result does not come with an HTTP status of 4xx or 5xx.',
    clause: 'RFC 9110, 15.5 and 15.6',
    checks: ['J90'],
  },
  {
    id: 'response-without-id',
    level: 'error',
    purpose:
      'Every response has an id: a string, a number, or null where the id could not be read.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J40', 'J42'],
  },
  {
    id: 'id-is-not-echoed',
    level: 'error',
    purpose: 'An id comes back as it was sent, of the same type and with the same value.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J31', 'J32', 'J33', 'J34', 'J35', 'J82'],
  },
  {
    id: 'long-id-is-not-echoed',
    level: 'warning',
    purpose: 'An id comes back with all its digits and characters, even where there are very many.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J38', 'J39', 'J41'],
  },
  {
    id: 'parse-error-has-an-id',
    level: 'error',
    purpose:
      'A parse error has the id null; a server that could read the id has parsed the request, and another code is due.',
    clause: 'JSON-RPC 2.0, 5 and 5.1',
    checks: ['J42'],
  },
  {
    id: 'call-not-answered',
    level: 'error',
    purpose: 'Every call is answered, alone and in a batch.',
    clause: 'JSON-RPC 2.0, 5 and 6',
    checks: ['J77', 'J80'],
  },
  {
    id: 'response-id-unknown',
    level: 'error',
    purpose: 'An answer belongs to a call, and each call has one.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J80'],
  },
  {
    id: 'notification-answered',
    level: 'error',
    purpose: 'A notification is not answered, not even by an error, an empty array or null.',
    clause: 'JSON-RPC 2.0, 4.1 and 6',
    checks: ['J70', 'J71', 'J78'],
  },
  {
    id: 'call-answered-by-array',
    level: 'error',
    purpose: 'A call that is sent alone is answered by one object.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J80'],
  },
  {
    id: 'batch-answered-by-object',
    level: 'error',
    purpose: 'Only a batch that is none, or too large, is rejected as a whole.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J77', 'J87'],
  },
  {
    id: 'batch-not-answered',
    level: 'error',
    purpose: 'No batch is answered by an empty array.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J75', 'J78'],
  },
  {
    id: 'response-media-type-not-json',
    level: 'error',
    purpose: 'The Content-Type of an answer is application/json.',
    clause: 'JSON-RPC over HTTP (draft), the response; RFC 9110, 8.3',
    checks: ['J90'],
  },
])
