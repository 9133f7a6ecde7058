import { ruleRows } from '../rule.js'

/** What HTTP itself asks of a server that speaks an OpenAPI document. */
export const HTTP_RULES = ruleRows([
  {
    id: 'malformed-request-server-error',
    level: 'error',
    purpose:
      'What a caller sends wrongly is rejected: it is no fault of the server, and no reason to fall silent.',
    clause: 'RFC 9110, 15.5 and 15.6',
    checks: ['H21', 'H22', 'H23', 'H24', 'H25', 'H27', 'H28'],
  },
  {
    id: 'malformed-body-accepted',
    level: 'warning',
    purpose:
      'A body that is no JSON, or not in UTF-8, is not accepted as JSON, though a parser may accept more.',
    clause: 'OpenAPI, requestBody; RFC 8259, 2, 8.1 and 9',
    checks: ['H21'],
  },
  {
    id: 'malformed-body-wrong-status',
    level: 'warning',
    purpose: 'Broken syntax is answered 400; 422 says that the syntax is right.',
    clause: 'RFC 9110, 15.5.1 and 15.5.21',
    checks: ['H21'],
  },
  {
    id: 'body-of-wrong-type-accepted',
    level: 'error',
    purpose: 'JSON that the schema of the body rejects as a whole is not accepted.',
    clause: 'OpenAPI, requestBody',
    checks: ['H21'],
  },
  {
    id: 'undeclared-media-type-accepted',
    level: 'warning',
    purpose:
      'A body that is said to be of a media type which is not declared is answered 415, or 400.',
    clause: 'RFC 9110, 15.5.16',
    checks: ['H22'],
  },
  {
    id: 'media-type-spelling-significant',
    level: 'error',
    purpose:
      'The letter case of a media type, and the charset of JSON, which is always UTF-8, mean nothing.',
    clause: 'RFC 9110, 8.3.1; RFC 8259, 11',
    checks: ['H22'],
  },
  {
    id: 'payload-limit-too-low',
    level: 'error',
    purpose: 'A body of just as many bytes as x-limits promises is not rejected for its size.',
    clause: 'x-limits.payloadBytes',
    checks: ['H23'],
  },
  {
    id: 'payload-limit-not-enforced',
    level: 'error',
    purpose:
      'A body of one byte more is rejected, with 413 where that is declared, however it is framed.',
    clause: 'x-limits.payloadBytes; RFC 9110, 15.5.14',
    checks: ['H23'],
  },
  {
    id: 'oversized-payload-read-whole',
    level: 'warning',
    purpose: 'A body that is far too large is rejected before all of it is sent.',
    clause: 'RFC 9110, 15.5.14 and 10.1.1',
    checks: ['H23'],
  },
  {
    id: 'undeclared-method-accepted',
    level: 'warning',
    purpose: 'A method that a path does not declare is answered 405.',
    clause: 'RFC 9110, 15.5.6',
    checks: ['H24'],
  },
  {
    id: 'allow-header-missing',
    level: 'error',
    purpose: 'A response with 405 names the allowed methods.',
    clause: 'RFC 9110, 15.5.6',
    checks: ['H24'],
  },
  {
    id: 'allow-header-incomplete',
    level: 'warning',
    purpose: 'Allow names each method that the path declares.',
    clause: 'RFC 9110, 10.2.1',
    checks: ['H24'],
  },
  {
    id: 'trace-answered',
    level: 'warning',
    purpose:
      'TRACE is no method of a path that does not declare it: it sends back what a request holds, credentials too.',
    clause: 'RFC 9110, 9.3.8',
    checks: ['H24'],
  },
  {
    id: 'invalid-api-key-accepted',
    level: 'error',
    purpose: 'An unknown key is rejected.',
    clause: 'x-secret',
    checks: ['H25'],
  },
  {
    id: 'invalid-api-keys-distinguished',
    level: 'error',
    purpose: 'Keys that nobody has are all rejected alike, or their shape can be guessed.',
    clause: 'x-secret; CWE-204',
    checks: ['H25'],
  },
  {
    id: 'invalid-api-key-wrong-status',
    level: 'warning',
    purpose: 'A key that nobody has is answered 401, 403 or 404.',
    clause: 'RFC 9110, 15.5.2',
    checks: ['H25'],
  },
  {
    id: 'public-operation-requires-key',
    level: 'error',
    purpose: 'An operation that is declared public is open to those who have no key.',
    clause: 'x-access',
    checks: ['H26'],
  },
  {
    id: 'missing-credentials-accepted',
    level: 'error',
    purpose: 'An operation with a security scheme rejects a caller without credentials.',
    clause: 'OpenAPI, Security Requirement Object; RFC 9110, 15.5.2',
  },
  {
    id: 'wrong-credentials-accepted',
    level: 'error',
    purpose: 'Wrong credentials are rejected.',
    clause: 'OpenAPI, Security Requirement Object; RFC 9110, 15.5.2',
  },
  {
    id: 'challenge-missing',
    level: 'error',
    purpose: 'A response with 401 says in WWW-Authenticate which credentials it wants.',
    clause: 'RFC 9110, 15.5.2',
  },
  {
    id: 'challenge-for-api-key-missing',
    level: 'warning',
    purpose:
      'An answer of 401 has WWW-Authenticate even where a key is wanted, for which no challenge is registered.',
    clause: 'RFC 9110, 15.5.2',
  },
  {
    id: 'unknown-identifier-found',
    level: 'error',
    purpose: 'A random UUID names nothing.',
    clause: 'RFC 9110, 15.5.5',
    checks: ['H27'],
  },
  {
    id: 'unknown-identifier-wrong-status',
    level: 'error',
    purpose: 'What is not there is answered with the 404 that the operation declares.',
    clause: 'OpenAPI, responses; RFC 9110, 15.5.5',
    checks: ['H27'],
  },
  {
    id: 'malformed-identifier-accepted',
    level: 'warning',
    purpose: 'What is no UUID is answered 400 or 404.',
    clause: 'RFC 9562, 4; RFC 9110, 15.5',
    checks: ['H28'],
  },
  {
    id: 'identifier-case-sensitive',
    level: 'warning',
    purpose: 'A UUID in capitals is the same UUID.',
    clause: 'RFC 9562, 4',
    checks: ['H28'],
  },
  {
    id: 'head-differs-from-get',
    level: 'warning',
    purpose: 'HEAD is answered like GET, without a body.',
    clause: 'RFC 9110, 9.1 and 9.3.2',
    checks: ['H44'],
  },
  {
    id: 'etag-precondition-wrong',
    level: 'error',
    purpose: 'A caller whose versions do not match gets the whole response.',
    clause: 'RFC 9110, 13.1.2',
    checks: ['H44'],
  },
  {
    id: 'rate-limit-not-explained',
    level: 'warning',
    purpose: 'A response with 429 says when to retry.',
    clause: 'RFC 6585, 4',
    checks: ['H38'],
  },
  {
    id: 'rate-limit-counter-wrong',
    level: 'warning',
    purpose: 'What is left of a limit grows no larger while it is used up.',
    clause: 'draft-ietf-httpapi-ratelimit-headers',
    checks: ['H38'],
  },
  {
    id: 'concurrent-writes-mixed-up',
    level: 'warning',
    purpose: 'Each of many writes at the same time is known by a name of its own.',
    clause: 'OpenAPI, links',
    checks: ['H45'],
  },
  {
    id: 'concurrent-writes-server-error',
    level: 'warning',
    purpose: 'Many writes at the same time are answered as one is, or told to come later.',
    clause: 'RFC 9110, 15.6',
    checks: ['H45'],
  },
])

export type HttpRule = (typeof HTTP_RULES)[number]['id']
