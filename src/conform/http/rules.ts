import { ruleRows } from '../rule.js'

/** What HTTP itself asks of a server that speaks an OpenAPI document. */
export const HTTP_RULES = ruleRows([
  {
    id: 'odd-request-breaks-the-server',
    level: 'error',
    purpose:
      'What a caller sends wrongly is rejected: it is no fault of the server, and no reason to fall silent.',
    clause: 'RFC 9110, 15.5 and 15.6',
    checks: ['H21', 'H22', 'H23', 'H24', 'H25', 'H27', 'H28'],
  },
  {
    id: 'malformed-body-is-taken',
    level: 'warning',
    purpose:
      'A body that is no JSON, or not in UTF-8, is not accepted as JSON, though a parser may accept more.',
    clause: 'OpenAPI, requestBody; RFC 8259, 2, 8.1 and 9',
    checks: ['H21'],
  },
  {
    id: 'malformed-body-is-no-bad-request',
    level: 'warning',
    purpose: 'Broken syntax is answered 400; 422 says that the syntax is right.',
    clause: 'RFC 9110, 15.5.1 and 15.5.21',
    checks: ['H21'],
  },
  {
    id: 'body-of-another-shape-is-taken',
    level: 'error',
    purpose: 'JSON that the schema of the body rejects as a whole is not accepted.',
    clause: 'OpenAPI, requestBody',
    checks: ['H21'],
  },
  {
    id: 'undeclared-media-type-is-taken',
    level: 'warning',
    purpose:
      'A body that is said to be of a media type which is not declared is answered 415, or 400.',
    clause: 'RFC 9110, 15.5.16',
    checks: ['H22'],
  },
  {
    id: 'media-type-is-told-by-its-spelling',
    level: 'error',
    purpose:
      'The letter case of a media type, and the charset of JSON, which is always UTF-8, mean nothing.',
    clause: 'RFC 9110, 8.3.1; RFC 8259, 11',
    checks: ['H22'],
  },
  {
    id: 'payload-limit-is-lower-than-promised',
    level: 'error',
    purpose: 'A body of just as many bytes as x-limits promises is not rejected for its size.',
    clause: 'x-limits.payloadBytes',
    checks: ['H23'],
  },
  {
    id: 'payload-limit-is-not-kept',
    level: 'error',
    purpose:
      'A body of one byte more is rejected, with 413 where that is declared, however it is framed.',
    clause: 'x-limits.payloadBytes; RFC 9110, 15.5.14',
    checks: ['H23'],
  },
  {
    id: 'oversized-payload-is-read-whole',
    level: 'warning',
    purpose: 'A body that is far too large is rejected before all of it is sent.',
    clause: 'RFC 9110, 15.5.14 and 10.1.1',
    checks: ['H23'],
  },
  {
    id: 'undeclared-method-is-not-refused',
    level: 'warning',
    purpose: 'A method that a path does not declare is answered 405.',
    clause: 'RFC 9110, 15.5.6',
    checks: ['H24'],
  },
  {
    id: 'allow-is-missing',
    level: 'error',
    purpose: 'A response with 405 names the allowed methods.',
    clause: 'RFC 9110, 15.5.6',
    checks: ['H24'],
  },
  {
    id: 'allow-leaves-out-a-method',
    level: 'warning',
    purpose: 'Allow names each method that the path declares.',
    clause: 'RFC 9110, 10.2.1',
    checks: ['H24'],
  },
  {
    id: 'trace-is-answered',
    level: 'warning',
    purpose:
      'TRACE is no method of a path that does not declare it: it sends back what a request holds, credentials too.',
    clause: 'RFC 9110, 9.3.8',
    checks: ['H24'],
  },
  {
    id: 'foreign-key-is-taken',
    level: 'error',
    purpose: 'An unknown key is rejected.',
    clause: 'x-secret',
    checks: ['H25'],
  },
  {
    id: 'foreign-keys-are-told-apart',
    level: 'error',
    purpose: 'Keys that nobody has are all rejected alike, or their shape can be guessed.',
    clause: 'x-secret; CWE-204',
    checks: ['H25'],
  },
  {
    id: 'foreign-key-is-refused-otherwise',
    level: 'warning',
    purpose: 'A key that nobody has is answered 401, 403 or 404.',
    clause: 'RFC 9110, 15.5.2',
    checks: ['H25'],
  },
  {
    id: 'public-operation-asks-for-a-key',
    level: 'error',
    purpose: 'An operation that is declared public is open to those who have no key.',
    clause: 'x-access',
    checks: ['H26'],
  },
  {
    id: 'caller-without-credentials-is-let-in',
    level: 'error',
    purpose: 'An operation with a security scheme rejects a caller without credentials.',
    clause: 'OpenAPI, Security Requirement Object; RFC 9110, 15.5.2',
  },
  {
    id: 'wrong-credentials-are-taken',
    level: 'error',
    purpose: 'Wrong credentials are rejected.',
    clause: 'OpenAPI, Security Requirement Object; RFC 9110, 15.5.2',
  },
  {
    id: 'challenge-is-missing',
    level: 'error',
    purpose: 'A response with 401 says in WWW-Authenticate which credentials it wants.',
    clause: 'RFC 9110, 15.5.2',
  },
  {
    id: 'challenge-for-a-key-is-missing',
    level: 'warning',
    purpose:
      'An answer of 401 has WWW-Authenticate even where a key is wanted, for which no challenge is registered.',
    clause: 'RFC 9110, 15.5.2',
  },
  {
    id: 'unknown-identifier-is-found',
    level: 'error',
    purpose: 'A random UUID names nothing.',
    clause: 'RFC 9110, 15.5.5',
    checks: ['H27'],
  },
  {
    id: 'unknown-identifier-is-refused-otherwise',
    level: 'error',
    purpose: 'What is not there is answered with the 404 that the operation declares.',
    clause: 'OpenAPI, responses; RFC 9110, 15.5.5',
    checks: ['H27'],
  },
  {
    id: 'malformed-identifier-is-not-refused',
    level: 'warning',
    purpose: 'What is no UUID is answered 400 or 404.',
    clause: 'RFC 9562, 4; RFC 9110, 15.5',
    checks: ['H28'],
  },
  {
    id: 'identifier-is-told-by-its-letter-case',
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
    id: 'condition-is-met-by-nothing',
    level: 'error',
    purpose: 'A caller whose versions do not match gets the whole response.',
    clause: 'RFC 9110, 13.1.2',
    checks: ['H44'],
  },
  {
    id: 'limit-is-not-explained',
    level: 'warning',
    purpose: 'A response with 429 says when to retry.',
    clause: 'RFC 6585, 4',
    checks: ['H38'],
  },
  {
    id: 'limit-counts-wrongly',
    level: 'warning',
    purpose: 'What is left of a limit grows no larger while it is used up.',
    clause: 'draft-ietf-httpapi-ratelimit-headers',
    checks: ['H38'],
  },
  {
    id: 'writes-at-once-are-mixed-up',
    level: 'warning',
    purpose: 'Each of many writes at the same time is known by a name of its own.',
    clause: 'OpenAPI, links',
    checks: ['H45'],
  },
  {
    id: 'writes-at-once-break-the-server',
    level: 'warning',
    purpose: 'Many writes at the same time are answered as one is, or told to come later.',
    clause: 'RFC 9110, 15.6',
    checks: ['H45'],
  },
])

export type HttpRule = (typeof HTTP_RULES)[number]['id']
