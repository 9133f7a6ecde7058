import { alive, answered, anyOfExpectations, errorWith, rejected, status } from './expectation.js'
import { errorCodeOf, type JsonRpcResponse, statusWay } from './json-rpc-response.js'
import type { Row } from './row.js'
import type { RpcSubject } from './subject.js'

const PARSE_ERROR = errorWith(-32700)

/** `{"jsonrpc":"2.0","method":"ping"` and the rest. */
const begun = ({ name }: RpcSubject, rest: string): string =>
  `{"jsonrpc":"2.0","method":${name}${rest}`

/** Invalid JSON, or JSON that parsers read differently. */
export const PARSING: readonly Row[] = [
  {
    id: 'truncated-json-accepted',
    level: 'error',
    purpose: 'A truncated JSON body is a parse error.',
    clause: 'JSON-RPC 2.0, 5.1 and 7',
    checks: ['J01', 'J04', 'J92'],
    attempts: [
      {
        title: 'truncated JSON',
        body: (on) => begun(on, ',"params":['),
        expected: PARSE_ERROR,
        choice: 'status of error -32700',
        way: statusWay(-32700),
        times: 2,
      },
      {
        title: 'a truncated batch',
        body: (on) => `[${begun(on, ',"id":1}')},{"jsonrpc":"2.0","method"`,
        expected: PARSE_ERROR,
      },
    ],
  },
  {
    id: 'empty-body-accepted',
    level: 'warning',
    purpose: 'A body without JSON is rejected as a parse error, or with HTTP 400.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J02', 'J03'],
    attempts: [
      {
        title: 'an empty body',
        body: () => '',
        expected: anyOfExpectations(PARSE_ERROR, status(400)),
      },
      {
        title: 'a body of blanks',
        body: () => '   ',
        expected: anyOfExpectations(PARSE_ERROR, status(400)),
      },
    ],
  },
  {
    id: 'second-json-text-accepted',
    level: 'warning',
    purpose: 'A body with two JSON texts is not valid JSON.',
    clause: 'RFC 8259, 2',
    checks: ['J05'],
    attempts: [
      {
        title: 'two JSON texts',
        body: (on) => on.call('1') + on.call('2'),
        expected: PARSE_ERROR,
        isRaw: true,
      },
    ],
  },
  {
    id: 'invalid-json-accepted',
    level: 'warning',
    purpose: 'Malformed JSON is a parse error, although a parser may accept extensions of JSON.',
    clause: 'RFC 8259, 2 to 7 and 9; JSON-RPC 2.0, 5.1',
    checks: ['J06', 'J07'],
    attempts: [
      { title: 'a trailing comma', body: (on) => begun(on, ',"id":1,}'), expected: PARSE_ERROR },
      { title: 'a comment', body: (on) => begun(on, ',"id":1/* one */}'), expected: PARSE_ERROR },
      {
        title: 'single quotes',
        body: ({ method }) => `{'jsonrpc':'2.0','method':'${method}','id':1}`,
        expected: PARSE_ERROR,
      },
      {
        title: 'a raw line feed in a string',
        body: (on) => begun(on, ',"id":"a\nb"}'),
        expected: PARSE_ERROR,
      },
      { title: 'NaN', body: (on) => begun(on, ',"params":[NaN],"id":1}'), expected: PARSE_ERROR },
    ],
  },
  {
    id: 'byte-order-mark-server-error',
    level: 'error',
    purpose:
      'A byte order mark before the JSON is ignored or rejected, and the server keeps running.',
    clause: 'RFC 8259, 8.1',
    checks: ['J08'],
    attempts: [
      {
        title: 'a byte order mark',
        body: (on) => `\uFEFF${on.call()}`,
        expected: anyOfExpectations(answered(), rejected),
        choice: 'byte order mark',
        isRaw: true,
      },
    ],
  },
  {
    id: 'invalid-utf8-accepted',
    level: 'warning',
    purpose:
      'Bytes that are not valid UTF-8 are not valid JSON, although a parser may accept them.',
    clause: 'RFC 8259, 8.1 and 9',
    checks: ['J09'],
    attempts: [
      {
        title: 'bytes that are no UTF-8',
        body: (on) => brokenBytes(on.call('"x??y"')),
        expected: PARSE_ERROR,
        choice: 'broken UTF-8',
        isRaw: true,
      },
    ],
  },
  {
    id: 'utf16-accepted',
    level: 'warning',
    purpose:
      'JSON between systems is UTF-8: another encoding is a parse error or an unsupported media type.',
    clause: 'RFC 8259, 8.1',
    checks: ['J10'],
    attempts: [
      {
        title: 'a body in UTF-16',
        body: (on) => new Uint8Array(Buffer.from(on.call(), 'utf16le')),
        expected: anyOfExpectations(PARSE_ERROR, status(400, 415)),
        isRaw: true,
      },
    ],
  },
  {
    id: 'duplicate-key-server-error',
    level: 'error',
    purpose:
      'A request with a duplicate key is rejected, or the server always uses the same one of both values.',
    clause: 'RFC 8259, 4',
    checks: ['J12', 'J13'],
    attempts: [
      {
        title: 'a request with two methods',
        body: ({ name, unknown, params }) =>
          `{"jsonrpc":"2.0","method":${name},"method":"${unknown}","params":${JSON.stringify(params)},"id":1}`,
        expected: anyOfExpectations(answered(), errorWith(-32601, -32600, -32700)),
        choice: 'duplicate method',
        way: countingWay,
        isRaw: true,
        times: 3,
      },
      {
        title: 'a request with two ids',
        body: (on) => on.call('1').replace(/}$/, ',"id":2}'),
        expected: anyOfExpectations(answered('1'), answered('2'), errorWith(-32600, -32700)),
        choice: 'duplicate id',
        way: (response) => {
          if (response.kind !== 'one' || response.object.outcome.kind !== 'result')
            return 'rejected'
          return response.object.id === '1' ? 'the first counts' : 'the last counts'
        },
        isRaw: true,
        times: 3,
      },
    ],
  },
  {
    id: 'whitespace-significant',
    level: 'error',
    purpose: 'Whitespace around the JSON is ignored.',
    clause: 'RFC 8259, 2',
    checks: ['J16'],
    attempts: [
      {
        title: 'a call between blanks',
        body: (on) => `\r\n\t ${on.call()} \n`,
        expected: answered(),
      },
    ],
  },
  {
    id: 'key-spelling-significant',
    level: 'error',
    purpose:
      'Members may have any order, and escaped characters are equivalent to the characters themselves.',
    clause: 'RFC 8259, 4 and 7',
    checks: ['J17'],
    attempts: [
      {
        title: 'a call with its members in another order',
        body: ({ name, params }) =>
          `{"id":1,"params":${JSON.stringify(params)},"method":${name},"jsonrpc":"2.0"}`,
        expected: answered(),
      },
      {
        title: 'a call with an escaped key',
        body: ({ name, params }) =>
          `{"id":1,"\\u006dethod":${name},"params":${JSON.stringify(params)},"jsonrpc":"2.0"}`,
        expected: answered(),
      },
    ],
  },
  {
    id: 'deep-nesting-server-error',
    level: 'error',
    purpose: 'Deeply nested JSON gets a response or is rejected, and the server keeps running.',
    clause: 'RFC 8259, 9',
    checks: ['J14'],
    attempts: [1_000, 100_000].map((depth) => ({
      title: `params nested ${depth.toLocaleString('en')} levels deep`,
      body: ({ name }: RpcSubject) =>
        `{"jsonrpc":"2.0","method":${name},"params":${'['.repeat(depth)}${']'.repeat(depth)},"id":1}`,
      expected: alive,
      isRaw: true as const,
    })),
  },
]

function countingWay(response: JsonRpcResponse): string {
  if (response.kind !== 'one') return 'rejected'
  if (errorCodeOf(response.object) === -32601) return 'the last counts'
  return response.object.outcome.kind === 'result' ? 'the first counts' : 'rejected'
}

/** Replaces each `?` by a byte that is invalid in UTF-8. */
const brokenBytes = (text: string): Uint8Array =>
  new TextEncoder().encode(text).map((byte) => (byte === 0x3f ? 0xff : byte))
