import { answered, anyOfExpectations, errorWith, silence } from './expectation.js'
import type { Attempt, Row } from './row.js'
import type { RpcSubject } from './subject.js'

const INVALID = errorWith(-32600)

/** The body for a method that succeeds without params only, because these attempts test params. */
const ofNone =
  (body: (on: RpcSubject) => string) =>
  (on: RpcSubject): string | undefined =>
    on.needsNone ? body(on) : undefined

const NONE_WITHOUT = 'no method without required params returns a result here'

/** A call in which one member has another text, or is missing. */
const altered =
  (member: 'jsonrpc' | 'method' | 'params' | 'id', text: string | undefined, more = '') =>
  ({ name, params }: RpcSubject): string => {
    const members = { jsonrpc: '"2.0"', method: name, params: JSON.stringify(params), id: '1' }
    const written = Object.entries({ ...members, [member]: text }).filter(([, value]) => value)
    return `{${written.map(([key, value]) => `"${key}":${value}`).join(',')}${more}}`
  }

/** Some dialects respond with -32700 to a request of the wrong shape; a profile may declare this choice. */
const invalidRequest = (title: string, body: Attempt['body'] & {}): Attempt => ({
  title,
  body,
  expected: INVALID,
  choice: 'no request object',
})

/** JSON that is not a request by JSON-RPC 2.0, section 4. */
export const ENVELOPE: readonly Row[] = [
  {
    id: 'request-without-version-accepted',
    level: 'warning',
    purpose:
      'A request without jsonrpc is not a JSON-RPC 2.0 request, although a server may also support 1.0.',
    clause: 'JSON-RPC 2.0, 3 and 4',
    checks: ['J20', 'J21'],
    attempts: [invalidRequest('a request without jsonrpc', altered('jsonrpc', undefined))],
  },
  {
    id: 'wrong-version-accepted',
    level: 'error',
    purpose: 'The version of a request is exactly "2.0".',
    clause: 'JSON-RPC 2.0, 4',
    checks: ['J20', 'J21'],
    attempts: ['"1.0"', '"2.1"', '2', '2.0', '["2.0"]'].map((version) =>
      invalidRequest(`a request with "jsonrpc":${version}`, altered('jsonrpc', version)),
    ),
  },
  {
    id: 'request-without-method-accepted',
    level: 'error',
    purpose: 'A request has a method, and its name is a string.',
    clause: 'JSON-RPC 2.0, 4 and 7',
    checks: ['J22', 'J23'],
    attempts: [
      invalidRequest('the body {}', () => '{}'),
      invalidRequest('a request without a method', altered('method', undefined)),
      invalidRequest(
        'a request whose method is 1',
        () => '{"jsonrpc":"2.0","method":1,"params":"bar"}',
      ),
      invalidRequest('a request whose method is null', altered('method', 'null')),
      invalidRequest('a request whose method is an array with its name', (on) =>
        altered('method', `[${on.name}]`)(on),
      ),
    ],
  },
  {
    id: 'empty-method-accepted',
    level: 'warning',
    purpose: 'A call with an empty method name is rejected.',
    clause: 'JSON-RPC 2.0, 4',
    checks: ['J24'],
    attempts: [
      {
        title: 'a request whose method is ""',
        body: altered('method', '""'),
        expected: errorWith(-32601, -32600),
      },
    ],
  },
  {
    id: 'unstructured-params-accepted',
    level: 'error',
    purpose: 'Params are an array or an object.',
    clause: 'JSON-RPC 2.0, 4.2',
    checks: ['J25'],
    attempts: ['"bar"', '1', 'true'].map((params) => ({
      title: `a request with "params":${params}`,
      body: altered('params', params),
      expected: errorWith(-32600, -32602),
    })),
  },
  {
    id: 'null-params-server-error',
    level: 'error',
    purpose: 'Params with the value null are rejected, or treated as absent.',
    clause: 'JSON-RPC 2.0, 4.2',
    checks: ['J26'],
    attempts: [
      {
        title: 'a request with "params":null',
        body: ofNone(altered('params', 'null')),
        cannot: NONE_WITHOUT,
        expected: anyOfExpectations(answered(), errorWith(-32602, -32600)),
        choice: 'null params',
      },
    ],
  },
  {
    id: 'optional-params-required',
    level: 'error',
    purpose: 'Params may be omitted if a method requires none.',
    clause: 'JSON-RPC 2.0, 4.2',
    checks: ['J27'],
    attempts: [
      {
        title: 'a call without params',
        body: ofNone(altered('params', undefined)),
        cannot: NONE_WITHOUT,
        expected: answered(),
      },
    ],
  },
  {
    id: 'scalar-request-accepted',
    level: 'error',
    purpose: 'A number, a string, a boolean and null are not valid requests.',
    clause: 'JSON-RPC 2.0, 4 and 5.1',
    checks: ['J28'],
    attempts: ['1', 'null', '"x"', 'true'].map((text) =>
      invalidRequest(`the body ${text}`, () => text),
    ),
  },
  {
    id: 'unknown-member-rejected',
    level: 'warning',
    purpose: 'A member that the protocol does not define is ignored.',
    clause: 'JSON-RPC 2.0, 4',
    checks: ['J29'],
    attempts: [
      {
        title: 'a request with an unknown member',
        body: altered('id', '1', ',"x":1'),
        expected: answered(),
        choice: 'unknown member',
      },
    ],
  },
  {
    id: 'response-accepted-as-request',
    level: 'warning',
    purpose: 'A response that is sent as a request is rejected or ignored.',
    clause: 'JSON-RPC 2.0, 4',
    checks: ['J30'],
    attempts: [
      {
        title: 'a response',
        body: () => '{"jsonrpc":"2.0","id":1,"result":1}',
        expected: anyOfExpectations(errorWith(-32600, -32700), { ...silence, needsResult: false }),
        // The result belongs to no call of this server.
        isRaw: true,
      },
    ],
  },
]
