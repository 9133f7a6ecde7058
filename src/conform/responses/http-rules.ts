import { ruleRows } from '../rule.js'

/** What is due of every answer of a documented operation. */
export const HTTP_ANSWER_RULES = ruleRows([
  {
    id: 'status-is-undeclared',
    level: 'error',
    purpose: 'Every status that is answered is declared: itself, its range, or as the default.',
    clause: 'OpenAPI, Responses Object',
    checks: ['H35'],
  },
  {
    id: 'content-type-is-undeclared',
    level: 'error',
    purpose: 'The Content-Type of a body is one that the response declares.',
    clause: 'OpenAPI, Response Object, content',
    checks: ['H36'],
  },
  {
    id: 'body-is-missing',
    level: 'error',
    purpose: 'A response that declares a body has one.',
    clause: 'OpenAPI, Response Object, content',
    checks: ['H36'],
  },
  {
    id: 'body-is-undeclared',
    level: 'warning',
    purpose: 'A response that declares no body has none.',
    clause: 'OpenAPI, Response Object, content',
    checks: ['H36'],
  },
  {
    id: 'body-is-not-allowed',
    level: 'error',
    purpose: 'An answer to HEAD, and one of the status 204, 205 or 304, has no body.',
    clause: 'RFC 9110, 9.3.2, 15.3.5, 15.3.6 and 15.4.5',
    checks: ['H36'],
  },
  {
    id: 'body-invalid',
    level: 'error',
    purpose:
      'A body, of an error too, matches the schema that the document declares for its status.',
    clause: 'OpenAPI, Media Type Object, schema',
    checks: ['H36', 'H40'],
  },
  {
    id: 'response-of-other-variant',
    level: 'error',
    purpose: 'The variant of a request decides the variant of its answer.',
    clause: 'x-variants',
    checks: ['H17', 'H36'],
    needsState: true,
  },
  {
    id: 'aliased-properties-differ',
    level: 'error',
    purpose: 'Properties that may carry the same value carry the same value where both are given.',
    clause: 'x-same-as',
  },
  {
    id: 'header-missing',
    level: 'error',
    purpose: 'A header that a response requires is there.',
    clause: 'OpenAPI, Header Object, required',
    checks: ['H39'],
  },
  {
    id: 'header-invalid',
    level: 'error',
    purpose: 'A header that a response declares is of its schema wherever it is sent.',
    clause: 'OpenAPI, Header Object, schema',
    checks: ['H39'],
  },
])
