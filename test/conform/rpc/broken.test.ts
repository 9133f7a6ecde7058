import { describe, expect, it } from 'vitest'
import { RPC_RULES } from '../../../src/conform/rpc/cases.js'
import { type Asked, failing, giving, judge, type Said, unless, valid } from './fake-rpc-server.js'

type Row = readonly [
  rule: string,
  what: string,
  odd: (asked: Asked) => Said | 'nothing' | undefined,
]

const post = ({ method }: Asked) => method === 'POST'
const text = (when: (text: string) => boolean, body: string) => (asked: Asked) =>
  post(asked) && when(asked.text) ? { body } : undefined
const has = (part: string, body: string) => text((all) => all.includes(part), body)
const is = (whole: string, body: string) => text((all) => all === whole, body)

const LONG = JSON.stringify('x'.repeat(65_536))

/** Rows of a table are tried in turn over a server that breaks one rule each. */
const ROWS: readonly Row[] = [
  [
    'rejection-wrong-code',
    'takes truncated JSON for an invalid request',
    text((all) => all.endsWith('"params":['), failing(-32600)),
  ],
  [
    'truncated-json-accepted',
    'answers as much of a batch as it can read',
    text((all) => all.endsWith(',{"jsonrpc":"2.0","method"'), `[${giving()}]`),
  ],
  [
    'empty-body-accepted',
    'says nothing',
    (asked) => (post(asked) && asked.text === '' ? { status: 200 } : undefined),
  ],
  ['second-json-text-accepted', 'answers the first', has('}{', giving())],
  ['invalid-json-accepted', 'takes a trailing comma', has(',"id":1,}', giving())],
  ['invalid-json-accepted', 'takes a comment', has('/* one */', giving())],
  ['invalid-json-accepted', 'takes single quotes', has("'id':1", giving())],
  ['invalid-json-accepted', 'takes a raw line feed in a string', has('"a\nb"', giving('"a\\nb"'))],
  ['rejection-wrong-code', 'takes NaN', has('[NaN]', failing(-32602, '1'))],
  [
    'byte-order-mark-server-error',
    'fails',
    (asked) => (asked.text.startsWith('\uFEFF') ? { status: 500, body: 'no' } : undefined),
  ],
  [
    'invalid-utf8-accepted',
    'repairs it',
    ({ bytes }) => (bytes.includes(0xff) ? { body: giving('"x\ufffd\ufffdy"') } : undefined),
  ],
  ['utf16-accepted', 'reads it', ({ bytes }) => (bytes[1] === 0 ? { body: giving() } : undefined)],
  [
    'duplicate-key-server-error',
    'fails',
    (asked) => (asked.text.includes('"id":1,"id":2') ? { status: 500, body: 'oops' } : undefined),
  ],
  [
    'choice-inconsistent',
    'takes one id or the other',
    byTurns(has('"id":1,"id":2', giving('1')), has('"id":1,"id":2', giving('2'))),
  ],
  [
    'whitespace-significant',
    'minds blanks',
    text((all) => all.startsWith('\r\n'), failing(-32700)),
  ],
  [
    'key-spelling-significant',
    'reads no escapes in keys',
    has('\\u006dethod', failing(-32600, '1')),
  ],
  [
    'deep-nesting-server-error',
    'overflows',
    ({ text: all }) => (all.includes('[[[[') ? 'nothing' : undefined),
  ],
  ['wrong-version-accepted', 'takes 2.1', has('"jsonrpc":"2.1"', giving())],
  ['wrong-version-accepted', 'takes the number 2.0', has('"jsonrpc":2.0', giving())],
  ['wrong-version-accepted', 'compares loosely', has('"jsonrpc":["2.0"]', giving())],
  [
    'request-without-version-accepted',
    'asks for none',
    is('{"method":"hours","params":[],"id":1}', giving()),
  ],
  [
    'request-without-method-accepted',
    'answers',
    is('{"jsonrpc":"2.0","params":[],"id":1}', giving()),
  ],
  ['request-without-method-accepted', 'joins an array', has('"method":["hours"]', giving())],
  ['empty-method-accepted', 'answers', has('"method":""', giving())],
  ['unstructured-params-accepted', 'passes over a string', has('"params":"bar","id"', giving())],
  ['null-params-server-error', 'fails', has('"params":null', failing(-32603, '1'))],
  [
    'optional-params-required',
    'asks for them',
    is('{"jsonrpc":"2.0","method":"hours","id":1}', failing(-32602, '1')),
  ],
  ['scalar-request-accepted', 'answers', is('true', giving('null'))],
  ['rejection-wrong-code', 'takes a scalar for no JSON', is('true', failing(-32700))],
  ['unknown-member-rejected', 'is strict', has('"x":1', failing(-32600, '1'))],
  ['response-accepted-as-request', 'answers', has('"result":1', giving())],
  ['valid-id-rejected', 'takes 0 for none', has('"id":0', failing(-32600))],
  ['id-is-not-echoed', 'makes a number of a string', has('"params":[],"id":"1"}', giving('1'))],
  ['null-id-dropped', 'fails', has('"id":null', failing(-32603))],
  [
    'call-not-answered',
    'takes null for a notification',
    (asked) => (asked.text.includes('"id":null') ? { status: 204 } : undefined),
  ],
  ['numeric-id-altered', 'fails', has('"id":1.5', failing(-32603, '1.5'))],
  ['id-is-not-echoed', 'cuts a fraction', has('"id":1.5', giving('1'))],
  [
    'long-number-id-rounded',
    'fails',
    has('"id":9007199254740993', failing(-32603, '9007199254740993')),
  ],
  ['long-id-is-not-echoed', 'rounds', has('"id":9007199254740993', giving('9007199254740992'))],
  ['invalid-id-accepted', 'answers', has('"id":{}', giving('null'))],
  ['long-id-truncated', 'fails', has('"id":"xxxxx', failing(-32603, LONG))],
  ['unknown-method-accepted', 'answers', has('"no_such_method","params":[],"id":1}', giving())],
  [
    'reserved-method-accepted',
    'answers',
    is('{"jsonrpc":"2.0","method":"rpc.nope","params":[],"id":1}', giving()),
  ],
  ['method-name-not-case-sensitive', 'is lenient about case', has('"HOURS"', giving())],
  ['method-name-not-case-sensitive', 'trims', has('"hours "', giving())],
  ['extra-params-server-error', 'fails', has('"params":[1,2,3]', failing(-32603, '1'))],
  ['unrepresentable-value-accepted', 'repairs half a pair', has('\\ud800', giving('1', '"hello"'))],
  [
    'unrepresentable-value-accepted',
    'takes what is infinite',
    has('1e400', giving('1', '"hello"')),
  ],
  [
    'notification-rejected',
    'is a bad request',
    (asked) =>
      asked.text === '{"jsonrpc":"2.0","method":"hours","params":[]}' ? { status: 400 } : undefined,
  ],
  [
    'notification-answered',
    'tells what is wrong',
    is('{"jsonrpc":"2.0","method":"no_such_method","params":[]}', failing(-32601)),
  ],
  ['empty-batch-accepted', 'answers', is('[]', giving('null'))],
  ['batch-not-answered', 'is an empty array', is('[]', '[]')],
  ['invalid-batch-member-accepted', 'gets a result', is('[1]', `[${giving('null')}]`)],
  ['rejection-wrong-code', 'takes a batch for no JSON', is('[1]', `[${failing(-32700)}]`)],
  ['batch-answered-by-object', 'refuses all for one', is('[1,2,3]', failing(-32600))],
  [
    'mixed-batch-mishandled',
    'fails for an unknown method',
    has(
      '"foo":"boo"',
      `[${giving('"1"')},${failing(-32600)},${failing(-32603, '"5"')},${giving('"9"')}]`,
    ),
  ],
  [
    'batch-responses-incomplete',
    'refuses one',
    is('[{"jsonrpc":"2.0","method":"hours","params":[],"id":7}]', `[${failing(-32603, '7')}]`),
  ],
  [
    'batch-results-swapped',
    'gives one the answer of the other',
    text(
      (all) => all.startsWith('[') && all.includes('"open"'),
      `[${giving('1', 'true')},${giving('2', '8')}]`,
    ),
  ],
  [
    'duplicate-ids-in-batch',
    'fails',
    has(
      ',"id":1},{"jsonrpc":"2.0","method":"hours","params":[],"id":1}]',
      `[${failing(-32603, '1')},${failing(-32603, '1')}]`,
    ),
  ],
  [
    'valid-batch-rejected',
    'fails for the last',
    withMembers(12, `[${[...count(11).map((id) => giving(id)), failing(-32603, '12')]}]`),
  ],
  [
    'oversized-batch-accepted',
    'answers all',
    withMembers(13, `[${count(13).map((id) => giving(id))}]`),
  ],
  [
    'unsupported-media-type-accepted',
    'reads plain text',
    (asked) => (asked.headers['content-type'] === 'text/plain' ? { body: giving() } : undefined),
  ],
  [
    'unsupported-media-type-accepted',
    'reads what has none',
    (asked) =>
      post(asked) && asked.headers['content-type'] === undefined ? { body: giving() } : undefined,
  ],
  [
    'json-media-type-rejected',
    'minds a parameter',
    ({ headers }) => (headers['content-type']?.includes('charset') ? { status: 415 } : undefined),
  ],
  [
    'get-accepted',
    'says nothing',
    ({ method }) => (method === 'GET' ? { status: 200 } : undefined),
  ],
  [
    'allow-header-missing',
    'does not tell what is allowed',
    ({ method }) => (method === 'GET' ? { status: 405 } : undefined),
  ],
  [
    'http-method-accepted',
    'takes PUT for POST',
    ({ method }) => (method === 'PUT' ? { body: giving() } : undefined),
  ],
  [
    'accept-header-server-error',
    'is a bad request',
    ({ headers }) =>
      headers.accept === 'text/html' ? { status: 400, body: failing(-32600, '1') } : undefined,
  ],
  ['choice-inconsistent', 'has one status or another', byTurns(status(200), status(400))],
  [
    'content-encoding-accepted',
    'takes it as it is',
    ({ headers }) =>
      headers['content-encoding'] === 'no-such-coding' ? { body: giving() } : undefined,
  ],
  [
    'rejection-wrong-code',
    'takes gzip for text',
    ({ headers }) =>
      headers['content-encoding'] === 'gzip' ? { body: failing(-32700) } : undefined,
  ],
  [
    'unknown-api-key-accepted',
    'answers',
    ({ key }) => (key.startsWith('nobody') ? { body: giving() } : undefined),
  ],
  [
    'unknown-api-key-server-error',
    'fails',
    ({ key }) => (key.startsWith('nobody') ? { status: 500, body: failing(-32603) } : undefined),
  ],
  [
    'unknown-api-key-wrong-status',
    'only says so',
    ({ key }) => (key.startsWith('nobody') ? { body: failing(-32000, '1') } : undefined),
  ],
  [
    'keyed-method-without-key-accepted',
    'sells to everybody',
    ({ key, text: all }) =>
      key === 'open' && all.includes('"order"') ? { body: giving('1', '"t1"') } : undefined,
  ],
  [
    'public-method-requires-key',
    'asks for one',
    ({ key, text: all }) =>
      key === 'open' && all.includes('"hours"')
        ? { status: 401, body: failing(-32000, '1') }
        : undefined,
  ],
  ['documented-method-missing', 'has no greet', has('"greet"', failing(-32601, '1'))],
  [
    'discovery-accepted',
    'is an array',
    is('{"jsonrpc":"2.0","method":"rpc.discover","params":[],"id":1}', `[${giving()}]`),
  ],
  [
    'discovered-document-differs',
    'is of an older one',
    is(
      '{"jsonrpc":"2.0","method":"rpc.discover","params":[],"id":1}',
      giving('1', '{"openrpc":"1.3.2","methods":[{"name":"hours"}]}'),
    ),
  ],
]

describe('a server that breaks a rule has a finding', () => {
  it.each(ROWS)('%s: it %s', async (rule, _, odd) => {
    const { rules } = await judge(unless(odd))
    expect(rules).toContain(rule)
  })

  it('each rule is broken here, or where sockets and clocks are', () => {
    const elsewhere = /^(oversized|inflated|pipelined|slow-caller|rate)|later$/
    const broken = new Set(ROWS.map(([rule]) => rule))
    const rules = RPC_RULES.map(({ id }) => id).filter((id) => !elsewhere.test(id))
    expect(rules.filter((id) => !broken.has(id))).toEqual([])
  })

  it('one break is one finding, with the smallest request and what was due', async () => {
    const { findings } = await judge(unless(is('true', failing(-32700))))
    expect(
      findings.map(({ identity, message, exchange: { expected }, level }) => ({
        ...{ identity, message, expected, level },
      })),
    ).toEqual([
      {
        identity: 'rejection-wrong-code the body true',
        message: 'the body true was rejected in another way than expected: error -32700',
        expected: 'one error object of code -32600',
        level: 'warning',
      },
    ])
  })

  it.each<Said>([{ body: failing(-32005) }, { status: 503, body: '' }])(
    'a server that is busy says nothing about a request',
    async (busy) => {
      const { findings } = await judge(unless(({ text }) => (text === 'true' ? busy : undefined)))
      expect(findings).toEqual([])
    },
  )

  it('what is missing from the document of rpc.discover is named', async () => {
    const [, , odd] = ROWS.at(-1) as Row
    const { findings } = await judge(unless(odd))
    expect(findings.map(({ message }) => message)).toEqual([
      'rpc.discover returned another document: it lacks open, greet, order, nap',
    ])
  })

  it('no rule has the id of another', () => {
    const ids = RPC_RULES.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
  })
})

function count(most: number): readonly string[] {
  return Array.from({ length: most }, (_, index) => String(index + 1))
}

function withMembers(members: number, body: string) {
  return text(
    (all) =>
      all.startsWith('[') &&
      all.split('"hours"').length === members + 1 &&
      all.endsWith(`"id":${members}}]`),
    body,
  )
}

function byTurns(...ways: readonly Row[2][]): Row[2] {
  let turn = -1
  return (asked) => {
    const said = ways[0]?.(asked)
    if (said === undefined) return undefined
    turn += 1
    return ways[turn % ways.length]?.(asked)
  }
}

function status(code: number): Row[2] {
  return (asked) => (asked.text === '[]' ? { ...valid(asked), status: code } : undefined)
}
