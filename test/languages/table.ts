import type { Call, Case, Input, Options, Outcome, Property, Reply, Wanted } from './case.js'
import { PARAMETERS } from './documents.js'
import { linkCases } from './link-cases.js'

/** Every case of the contract. What a case wants and does not say is what the TypeScript client does. */
export const createTable = (): readonly Case[] => [
  ...parameterCases(),
  ...bodyCases(),
  ...messageCases(),
  ...idCases(),
  ...splittingCases(),
  ...formCases(),
  ...pollingCases(),
  ...retryCases(),
  ...redactionCases(),
  ...validationCases(),
  ...opennessCases(),
  ...streamCases(),
  ...timeCases(),
  ...cancellationCases(),
  ...placeCases(),
  ...linkCases(),
]

const http = (
  property: Property,
  id: string,
  call: Call & { readonly input?: Input },
  more: Partial<Case> = {},
): Case => ({ id, property, protocol: 'http', call, ...more })

const rpc = (property: Property, id: string, call: Call, more: Partial<Case> = {}): Case => ({
  ...{ id, property, protocol: 'rpc', call },
  ...more,
})

const int = (text: string) => ({ $int: text })
const float = (text: string) => ({ $float: text })
const file = (text: string, name?: string, type?: string) => ({ $file: { text, name, type } })

const VALUES: Readonly<Record<string, unknown>> = {
  text: 'a',
  reserved: "a b&c=d/e?f#g'h(i)*!~$,;:@+[]|",
  unicode: 'é☃😀',
  encoded: '100%25 %zz %',
  empty: '',
  integer: 42,
  large: int('9007199254740993'),
  fraction: 1.5,
  whole: float('3.0'),
  huge: float('1e21'),
  tiny: float('1.5e-7'),
  sixteen: float('1e16'),
  boolean: true,
  list: ['a', 'b'],
  single: ['one'],
  listReserved: ['a b', 'c,d', 'e|f', 'g&h=i', 'j.k;l'],
  numbers: [1, 2.5, true, 'x'],
  gaps: ['a', null, 'b'],
  emptyList: [],
  nestedList: [[1, 2], { a: 1 }],
  object: { a: 1, b: 'x y' },
  objectReserved: { 'k,1': 'v=2', 'k&3': 'v;4', é: '/' },
  emptyObject: {},
  nested: { a: { b: [1, 'two'] }, c: null },
}

function parameterCases(): readonly Case[] {
  const rows = PARAMETERS.flatMap((row) =>
    Object.entries(VALUES).map(([name, value]) =>
      http('wire', `parameters/${row.id}/${name}`, {
        operation: row.id,
        input: { [row.in]: { v: value } },
      }),
    ),
  )
  const several = (name: string, input: Input) =>
    http('wire', `parameters/several/${name}`, { operation: 'several', input })
  return [
    ...rows,
    several('all', {
      path: { id: 'x y' },
      query: { 'a b': '1', 'é&=': ['2', '3'] },
      header: { 'X-One': 'h' },
    }),
    several('required', { path: { id: 'x' } }),
    several('order', { path: { id: 'x' }, query: { 'é&=': ['z'], 'a b': 'first' } }),
    several('header list', { path: { id: 'x' }, header: { 'X-One': ['a', 'b'] } }),
    several('bad header', { path: { id: 'x' }, header: { 'X-One': 'line\nbreak' } }),
    several('foreign header', { path: { id: 'x' }, header: { 'X-One': '☃' } }),
    several('latin header', { path: { id: 'x' }, header: { 'X-One': 'é' } }),
    several('dots', { path: { id: '..' } }),
    several('dot', { path: { id: '.' } }),
    several('slash', { path: { id: '/' } }),
  ]
}

const JSON_VALUES: Readonly<Record<string, unknown>> = {
  text: 'a "b" \\ / \u0001\t\n\u007f\u2028',
  surrogate: '\ud800x',
  unicode: 'é☃😀',
  integer: 1,
  whole: float('1.0'),
  negativeZero: float('-0.0'),
  fraction: float('0.1'),
  exponent: float('1e21'),
  almost: float('123456789012345680000'),
  small: float('0.000001'),
  smaller: float('0.0000001'),
  smallest: float('5e-324'),
  greatest: float('1.7976931348623157e308'),
  long: int('9007199254740993'),
  longer: int('115792089237316195423570985008687907853269984665640564039457584007913129639935'),
  boolean: false,
  list: [1, 'a', null, [], {}],
  object: { b: 1, a: { c: [true] }, '': 0 },
  mixed: { list: [float('2.50'), float('1e3')], text: 'é' },
}

function bodyCases(): readonly Case[] {
  const of = (operation: string, values: Readonly<Record<string, unknown>>, contentType?: string) =>
    Object.entries(values).map(([name, body]) =>
      http('wire', `bodies/${operation}/${name}`, {
        operation,
        input: { body, ...(contentType && { contentType }) },
      }),
    )
  return [
    ...of('bodyJson', JSON_VALUES),
    ...of('bodyPatch', { object: { a: null }, number: 5 }),
    ...of('bodyText', { text: 'é\r\n☃', empty: '' }),
    ...of('bodyXml', { text: '<a>é</a>' }),
    ...of('bodyBytes', {
      bytes: file('\u0000abc'),
      file: file('abc', 'a.bin', 'application/octet-stream'),
    }),
    ...of('bodyForm', {
      plain: { a: 'x y', b: 'é&=+~*-._!', c: 1, d: true },
      list: { a: ['1', '2'], b: [] },
      object: { a: { b: 1 }, c: [{ d: 2 }] },
      numbers: { a: float('1.0'), b: float('1e-7'), c: int('9007199254740993') },
      nothing: {},
    }),
    ...of('bodyFormStyled', {
      comma: { comma: ['a', 'b,c'] },
      space: { space: ['a', 'b'] },
      pipe: { pipe: ['a', 'b'] },
      deep: { deep: { a: 1, b: { c: [2, 'x y'] } } },
      json: { json: [1, { a: 'é' }] },
      reserved: { reserved: 'a/b?c:d' },
      many: { many: ['a', 'b'] },
      exploded: { many: { a: 1, b: 'x' } },
      bracket: { deep: { 'a[b]': 1 } },
      all: { comma: ['a'], deep: { a: 1 }, json: {}, many: 'z' },
    }),
    ...of('bodyMultipart', {
      text: { note: 'a\r\nb', count: 3 },
      file: { file: file('abc') },
      named: { file: file('é', 'ü "q".txt', 'text/plain') },
      files: { files: [file('1', 'a.png', 'image/png'), file('2', 'b.png')] },
      meta: { meta: { a: [1, 'é'] }, tags: ['x', 'y'] },
      all: { file: file('z', 'z.bin'), meta: {}, tags: [], note: '' },
    }),
    ...of('bodyMultipartStyled', {
      list: { list: [1, 2] },
      deep: { deep: { a: { b: 1 } } },
      note: { note: '# é' },
      page: { page: { a: 1, b: 'x y' } },
    }),
    ...of('bodyLines', { items: [1, { a: 'é' }, [float('1.0')]], none: [] }),
    ...of('bodySequence', { items: [1, { a: 'é' }] }),
    ...of('bodyMixed', { items: ['text', { a: 1 }, file('abc', 'a.txt', 'text/plain')] }),
    ...of('bodyChoice', { json: { a: 1 } }),
    ...of('bodyChoice', { asText: 'plain' }, 'text/plain'),
    ...of('bodyChoice', { asForm: { a: 'x y' } }, 'application/x-www-form-urlencoded'),
    ...of('bodyChoice', { asUnknown: 'x' }, 'image/png'),
    ...of('bodyForm', { wrong: 5, wrongList: [1] }),
    http(
      'wire',
      'bodies/headers',
      {
        operation: 'bodyJson',
        input: { body: {} },
      },
      { options: { headers: { 'X-Trace': 'one', Accept: 'text/plain' } } },
    ),
    http('wire', 'bodies/optional', { operation: 'putOrder', input: {} }),
    http(
      'wire',
      'bodies/accept',
      { operation: 'getRecord', input: { path: { id: 'a' } } },
      { script: [record({})] },
    ),
    http('wire', 'bodies/key', { operation: 'putOrder', input: { body: { item: 'a1' } } }),
  ]
}

const RECORD = { id: 'r', state: 'open', parent: null }
const record = (more: object, reply: Partial<Reply> = {}): Reply => ({
  body: JSON.stringify({ ...RECORD, ...more }),
  ...reply,
})

const result = (id: unknown, value: unknown = 'x') => ({ jsonrpc: '2.0', id, result: value })
const failure = (id: unknown, code = -32000, message = 'no') => ({
  ...{ jsonrpc: '2.0', id },
  error: { code, message },
})
const reply = (body: unknown, more: Partial<Reply> = {}): Reply => ({
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
})

function messageCases(): readonly Case[] {
  const sent = (name: string, operation: string, params: unknown) =>
    rpc('wire', `messages/${name}`, { operation, params }, { script: [reply(result(1, 1))] })
  return [
    ...Object.entries(JSON_VALUES).map(([name, value]) =>
      sent(`value ${name}`, 'anyValue', [value]),
    ),
    sent('all', 'anyValue', [1, 'two', 3]),
    sent('middle omitted', 'anyValue', [1, null, 3]),
    sent('end omitted', 'anyValue', [1]),
    sent('named', 'byName', { one: 'a', 'two words': 2 }),
    sent('named required', 'byName', { one: 'é' }),
    sent('optional first', 'nullOrText', [null, 'b']),
    sent('none', 'nullOrText', []),
    sent('null of a required one', 'nullIsAValue', [{ $null: '' }]),
    rpc(
      'wire',
      'messages/notification',
      { operation: 'tell', params: ['x'] },
      { script: [{ status: 204 }] },
    ),
    rpc(
      'wire',
      'messages/headers',
      { operation: 'readOne', params: ['k'] },
      {
        options: { headers: { 'X-Trace': 'one' } },
        script: [reply(result(1))],
      },
    ),
    rpc('wire', 'messages/batch', batch('readOne', 'writeOne'), {
      script: [reply([result(1), result(2)])],
    }),
    rpc('wire', 'messages/batch of one', batch('readOne'), { script: [reply([result(1)])] }),
    rpc(
      'wire',
      'messages/batch with notification',
      { how: 'batch', members: [member('readOne'), { operation: 'tell', params: ['y'] }] },
      { script: [reply([result(1)])] },
    ),
    rpc(
      'wire',
      'messages/empty batch',
      { how: 'batch', members: [] },
      { wanted: { requests: [] } },
    ),
    rpc(
      'wire',
      'messages/batch with invalid',
      {
        how: 'batch',
        members: [member('readOne'), { operation: 'readOne', params: [5] }, member('writeOne')],
      },
      { script: [reply([result(1), result(3)])] },
    ),
  ]
}

const member = (operation: string, key = 'k') => ({ operation, params: [key] })
const batch = (...operations: readonly string[]): Call => ({
  how: 'batch',
  members: operations.map((operation) => member(operation)),
})

/** JSON-RPC 2.0, 5 and 6, for one call and for a batch of two. */
function idCases(): readonly Case[] {
  const ONE: Readonly<Record<string, unknown>> = {
    result: result(1),
    error: failure(1),
    'error of null id': failure(null),
    'error without id': { jsonrpc: '2.0', error: { code: 7, message: 'no' } },
    'error in an array': [failure(null)],
    array: [result(1)],
    'other id': result(2),
    'text id': result('1'),
    'fraction id': '{"jsonrpc":"2.0","id":1.0,"result":"x"}',
    'null id': result(null),
    'error of another id': failure(2),
    'no version': { id: 1, result: 'x' },
    'version 1.0': { jsonrpc: '1.0', id: 1, result: 'x', error: null },
    both: { ...result(1), ...failure(1) },
    neither: { jsonrpc: '2.0', id: 1 },
    'error without message': { jsonrpc: '2.0', id: 1, error: { code: 7 } },
    'fraction code': { jsonrpc: '2.0', id: 1, error: { code: 7.5, message: 'no' } },
    'text code': { jsonrpc: '2.0', id: 1, error: { code: '7', message: 'no' } },
    'error is text': { jsonrpc: '2.0', id: 1, error: 'no' },
    'null result': result(1, null),
    'boolean id': result(true),
    text: '"x"',
    number: '5',
    'not JSON': '<html>',
    empty: ' ',
    cut: '{"jsonrpc":"2.0","id":1,"resu',
    'a number that JSON has not': '{"jsonrpc":"2.0","id":1,"result":NaN}',
    'byte order mark': `\ufeff${JSON.stringify(result(1))}`,
    'doubled name': '{"jsonrpc":"2.0","id":1,"result":"x","result":"y"}',
  }
  const TWO: Readonly<Record<string, unknown>> = {
    'in order': [result(1), result(2, 'y')],
    reversed: [result(2, 'y'), result(1)],
    'one fails': [result(1), failure(2)],
    'one is missing': [result(2)],
    'one is missing, as an object': result(2),
    'both are missing': [],
    'one is doubled': [result(1), result(1, 'z'), result(2)],
    'one is doubled by an error': [result(1), failure(1), result(2)],
    'both have one id': [result(1), result(1)],
    'a text id': [result('1'), result(2)],
    surplus: [result(1), result(2), result(3)],
    'surplus without id': [result(1), result(2), failure(null)],
    'rejected as a whole': failure(null, -32010),
    'rejected in an array': [failure(null, -32010)],
    'rejected each': [failure(null, -32010), failure(null, -32010)],
    'rejected differently': [failure(null, -32010), failure(null, -32011)],
    'a result and an error without id': [result(1), failure(null)],
    'a malformed member': [{ id: 1, result: 'x' }, result(2)],
    'a member that is text': ['x', result(2)],
    'not JSON': 'gateway',
    'an HTTP error': reply('gateway', { status: 502, headers: { 'content-type': 'text/plain' } }),
    'an HTTP error with errors': reply([failure(1), result(2)], { status: 500 }),
    'wrong result': [result(1, 5), result(2)],
  }
  const asReply = (body: unknown): Reply =>
    typeof body === 'object' && body !== null && 'status' in body ? (body as Reply) : reply(body)
  return [
    ...Object.entries(ONE).map(([name, body]) =>
      rpc(
        'ids',
        `ids/one/${name}`,
        { operation: 'readOne', params: ['k'] },
        { script: [asReply(body)] },
      ),
    ),
    ...Object.entries(TWO).map(([name, body]) =>
      rpc('ids', `ids/two/${name}`, batch('readOne', 'writeOne'), { script: [asReply(body)] }),
    ),
    rpc(
      'ids',
      'ids/event stream',
      { operation: 'readOne', params: ['k'] },
      {
        script: [
          {
            headers: { 'content-type': 'text/event-stream' },
            body: `data: {"jsonrpc":"2.0","method":"note"}\n\ndata: ${JSON.stringify(result(1))}\n\n`,
          },
        ],
      },
    ),
    rpc(
      'ids',
      'ids/event stream with a request of the server',
      { operation: 'readOne', params: ['k'] },
      {
        script: [
          {
            headers: { 'content-type': 'text/event-stream' },
            body: 'data: {"jsonrpc":"2.0","id":"q","method":"ask","params":[1]}\n\n',
            rest: `data: ${JSON.stringify(result(1))}\n\n`,
          },
          { status: 202 },
        ],
        wanted: { warnings: 0 },
      },
    ),
    rpc(
      'ids',
      'ids/event stream with a request of the server, whose response is rejected',
      { operation: 'readOne', params: ['k'] },
      {
        script: [
          {
            headers: { 'content-type': 'text/event-stream' },
            body: 'data: {"jsonrpc":"2.0","id":7,"method":"ask"}\n\n',
            rest: `data: ${JSON.stringify(result(1))}\n\n`,
          },
          { status: 500 },
        ],
        // The warning about it may come after the result.
        wanted: { warnings: undefined },
      },
    ),
    rpc(
      'ids',
      'ids/event stream with an array of notifications',
      { operation: 'readOne', params: ['k'] },
      {
        script: [
          {
            headers: { 'content-type': 'text/event-stream' },
            body: `data: [{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]\n\ndata: ${JSON.stringify(result(1))}\n\n`,
          },
        ],
      },
    ),
    rpc(
      'ids',
      'ids/HTTP error',
      { operation: 'writeOne', params: ['k'] },
      { script: [reply('{"a":1}', { status: 500 })] },
    ),
    rpc(
      'ids',
      'ids/HTTP error with error',
      { operation: 'writeOne', params: ['k'] },
      { script: [reply(failure(1), { status: 500 })] },
    ),
  ]
}

function splittingCases(): readonly Case[] {
  const many = (count: number, key = 'k') => ({
    how: 'batch' as const,
    members: Array.from({ length: count }, () => member('readOne', key)),
  })
  const results = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => result(from + at))
  const size = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'read_one', params: [''] }).length
  const long = (more: number) => 'x'.repeat(4000 - size + more)
  return [
    rpc('splitting', 'splitting/40', many(40), { script: [reply(results(1, 40))] }),
    rpc('splitting', 'splitting/41', many(41), {
      script: [reply(results(1, 40), { for: '"id":1,' }), reply([result(41)], { for: '"id":41,' })],
    }),
    rpc('splitting', 'splitting/by bytes', many(30, 'x'.repeat(100)), {
      script: [
        reply(results(1, 23), { for: '"id":1,' }),
        reply(results(24, 30), { for: '"id":30,' }),
      ],
    }),
    rpc(
      'splitting',
      'splitting/at the bytes',
      { how: 'batch', members: [member('readOne', long(0))] },
      { script: [reply([result(1)]), reply(result(1))] },
    ),
    rpc(
      'splitting',
      'splitting/one too large',
      { how: 'batch', members: [member('readOne', long(1)), member('writeOne')] },
      { script: [reply([result(2)])] },
    ),
    rpc(
      'splitting',
      'splitting/single too large',
      { operation: 'readOne', params: [long(1)] },
      { wanted: { requests: [] } },
    ),
    rpc(
      'splitting',
      'splitting/single at the limit',
      { operation: 'readOne', params: [long(0)] },
      { script: [reply(result(1))] },
    ),
    rpc(
      'splitting',
      'splitting/bytes in UTF-8',
      { operation: 'readOne', params: ['é'.repeat(1990)] },
      { script: [reply(result(1))] },
    ),
  ]
}

function formCases(): readonly Case[] {
  const submit = (name: string, body: unknown, answer: object, more: Partial<Case> = {}) =>
    http(
      'forms',
      `forms/${name}`,
      { operation: 'submit', input: { body } },
      { script: [reply(answer)], ...more },
    )
  const message = { text: 'hi' }
  const call = { method: 'sum' }
  return [
    submit('message', message, { receipt: 'r' }),
    submit('call', call, { output: 'o' }),
    submit('mixture', { ...message, ...call }, {}, { wanted: { requests: [] } }),
    submit('neither', {}, {}, { wanted: { requests: [] } }),
    submit('answer of another form', message, { output: 'o' }),
    submit('answer of the other form', call, { receipt: 'r' }),
    submit('error under 200', message, { error: 'bad' }),
    submit('error of the call', call, { error: 'bad' }),
    submit('answer of no form', message, { other: 1 }),
    submit('more properties', message, { receipt: 'r', more: 1 }),
    submit(
      'unchecked request',
      { ...message, ...call },
      { receipt: 'r' },
      { options: { validateRequest: 'off' } },
    ),
    submit('unchecked response', message, { other: 1 }, { options: { validateResponse: 'off' } }),
    http(
      'forms',
      'forms/aliases',
      { operation: 'getReceipt' },
      { script: [reply({ receipt: 'r' })] },
    ),
    http(
      'forms',
      'forms/aliases both',
      { operation: 'getReceipt' },
      { script: [reply({ receipt: 'r', ticket: 't' })] },
    ),
  ]
}

function pollingCases(): readonly Case[] {
  const states = (
    name: string,
    list: readonly unknown[],
    more: Partial<Case> = {},
    call: Partial<Call> = {},
  ) =>
    http(
      'polling',
      `polling/${name}`,
      { how: 'poll', operation: 'getState', ...call },
      {
        script: list.map((one) => reply(typeof one === 'string' ? { state: one } : one)),
        ...more,
      },
    )
  return [
    states('done at once', ['done']),
    states('in order', ['queued', 'running', 'done']),
    states('changes only', ['queued', 'queued', 'running', 'running', 'done']),
    states('change of another property', [
      { state: 'running', step: 1 },
      { state: 'running', step: 2 },
      'done',
    ]),
    states('failed', ['queued', 'failed']),
    states('backwards', ['running', 'queued', 'done']),
    states('unknown state', ['queued', 'resting', 'done']),
    states('growing waits', [...Array.from({ length: 9 }, () => 'queued'), 'done']),
    states('fixed interval', ['queued', 'queued', 'done'], {}, { interval: 2 }),
    states('timeout', ['queued'], {}, { timeout: 3 }),
    states('invalid record', [{ step: 1 }]),
    http(
      'polling',
      'polling/error',
      { how: 'poll', operation: 'getState' },
      { script: [reply({ state: 'queued' }), reply({}, { status: 500 })] },
    ),
    ...['pages', 'items'].flatMap((how) => [
      http(
        'polling',
        `pages/cursor ${how}`,
        { how: how as 'pages', operation: 'listByCursor' },
        {
          script: [
            reply({ data: [1, 2], next: 'b' }),
            reply({ data: [3], next: 'c d' }),
            reply({ data: [], next: null }),
          ],
        },
      ),
      http(
        'polling',
        `pages/number ${how}`,
        { how: how as 'pages', operation: 'listByPage' },
        {
          script: [reply({ data: [1] }), reply({ data: [2] }), reply({ data: [] })],
        },
      ),
      http(
        'polling',
        `pages/offset ${how}`,
        { how: how as 'pages', operation: 'listByOffset', input: { query: { skip: 10 } } },
        {
          script: [reply({ data: [1, 2], more: true }), reply({ data: [3], more: false })],
        },
      ),
      rpc(
        'polling',
        `pages/methods ${how}`,
        { how: how as 'pages', operation: 'listAll' },
        {
          script: [reply(result(1, { data: [1], next: 'b' })), reply(result(2, { data: [2] }))],
        },
      ),
    ]),
    http(
      'polling',
      'pages/circle',
      { how: 'items', operation: 'listByCursor' },
      {
        script: [
          reply({ data: [1], next: 'b' }),
          reply({ data: [2], next: 'c' }),
          reply({ data: [3], next: 'b' }),
        ],
      },
    ),
    http(
      'polling',
      'pages/same',
      { how: 'items', operation: 'listByCursor', input: { query: { cursor: 'b' } } },
      { script: [reply({ data: [1], next: 'b' })] },
    ),
  ]
}

function retryCases(): readonly Case[] {
  const busy = (status: number, after?: string): Reply =>
    reply({ title: 'busy' }, { status, ...(after && { headers: { 'retry-after': after } }) })
  const good = record({})
  const get = (name: string, script: readonly Reply[], options?: Options) =>
    http(
      'retries',
      `retries/get/${name}`,
      { operation: 'getRecord', input: { path: { id: 'a' } } },
      { script, ...(options && { options }) },
    )
  const post = (name: string, script: readonly Reply[]) =>
    http(
      'retries',
      `retries/post/${name}`,
      { operation: 'postRecord', input: { path: { id: 'a' } } },
      { script },
    )
  const call = (name: string, script: readonly Reply[], operation = 'readOne') =>
    rpc('retries', `retries/${operation}/${name}`, { operation, params: ['k'] }, { script })
  return [
    ...[429, 503].map((status) => get(`${status}`, [busy(status), good])),
    ...[400, 408, 409, 500, 502, 504].map((status) => get(`${status} not`, [busy(status), good])),
    get('twice', [busy(503), busy(429), good]),
    get('three attempts', [busy(503)]),
    get('attempts', [busy(503)], { retry: { attempts: 2 } }),
    get('no attempts', [busy(503)], { retry: { attempts: 1 } }),
    get('delay', [busy(503), busy(503), good], { retry: { delay: 2 } }),
    get('seconds', [busy(429, '7'), good]),
    get('fraction', [busy(429, '0.5'), good]),
    get('date', [busy(429, 'Tue, 14 Nov 2023 22:13:30 GMT'), good]),
    get('past date', [busy(429, 'Tue, 14 Nov 2023 22:13:00 GMT'), good]),
    get('ISO date', [busy(429, '2023-11-14T22:13:25Z'), good]),
    get('not a date', [busy(429, 'soon'), good]),
    get('too long', [busy(429, '61'), good]),
    get('longest', [busy(429, '61'), good], { retry: { longest: 100 }, timeout: 300 }),
    get('beyond the timeout', [busy(429, '50'), good], { timeout: 20 }),
    get('network', [{ refuse: true }, good]),
    get('network each time', [{ refuse: true }]),
    get('cut', [{ body: '{"id":', headers: { 'content-length': '100' }, cut: true }, good]),
    get('invalid answer not', [reply({ id: 5 }), good]),
    post('503 not', [busy(503), good]),
    post('429 not', [busy(429), good]),
    post('network not', [{ refuse: true }, good]),
    http(
      'retries',
      'retries/key',
      { operation: 'putOrder', input: { body: { item: 'a1' } } },
      { script: [busy(503), { status: 204 }] },
    ),
    http(
      'retries',
      'retries/own key',
      { operation: 'postRecord', input: { path: { id: 'a' } } },
      { options: { headers: { 'Idempotency-Key': 'mine' } }, script: [busy(503), good] },
    ),
    ...[429, 503].map((status) => call(`${status}`, [reply('', { status }), reply(result(1))])),
    ...[500, 502].map((status) =>
      call(`${status} not`, [reply('x', { status }), reply(result(1))]),
    ),
    call('-32005', [reply(failure(1, -32005)), reply(result(1))]),
    call('-32005 each time', [reply(failure(1, -32005))]),
    call('-32000 not', [reply(failure(1, -32000)), reply(result(1))]),
    call('seconds', [
      reply('', { status: 429, headers: { 'retry-after': '3' } }),
      reply(result(1)),
    ]),
    call('network', [{ refuse: true }, reply(result(1))]),
    call('-32005 not', [reply(failure(1, -32005)), reply(result(1))], 'writeOne'),
    call('503 not', [reply('', { status: 503 }), reply(result(1))], 'writeOne'),
    call('network not', [{ refuse: true }, reply(result(1))], 'writeOne'),
    rpc('retries', 'retries/batch', batch('readOne', 'writeOne', 'readOne'), {
      script: [reply('', { status: 503 }), reply([result(1), result(3)])],
    }),
    rpc('retries', 'retries/batch of -32005', batch('readOne', 'writeOne', 'readOne'), {
      script: [
        reply([failure(1, -32005), failure(2, -32005), result(3)]),
        reply(result(1)),
        reply([result(1)]),
      ],
    }),
  ]
}

const SECRET = 'k3y/with+"odd" chars=='

function redactionCases(): readonly Case[] {
  const echo = (status: number, extra: Partial<Reply> = {}): readonly Reply[] => [
    reply(
      {
        title: `no ${SECRET} ${encodeURIComponent(SECRET)} ${Buffer.from(SECRET).toString('base64')}`,
        [SECRET]: 1,
      },
      {
        status,
        headers: { 'content-type': 'application/json', 'x-echo': encodeURIComponent(SECRET) },
        ...extra,
      },
    ),
  ]
  const schemes = ['header', 'query', 'cookie', 'bearer', 'basic']
  const secured = (name: string, scheme: string, script: readonly Reply[], text = SECRET) =>
    http(
      'redaction',
      `redaction/${scheme}/${name}`,
      { operation: `secured${scheme}` },
      {
        options: { auth: { [scheme]: scheme === 'basic' ? { user: 'me', password: text } : text } },
        script,
      },
    )
  const keyed = (name: string, script: readonly Reply[]) =>
    http(
      'redaction',
      `redaction/path/${name}`,
      { operation: 'getKeyed' },
      { options: { auth: { apiKey: SECRET } }, script },
    )
  const call = (name: string, script: readonly Reply[], operation = 'readOne') =>
    rpc(
      'redaction',
      `redaction/rpc/${name}`,
      { operation, params: ['k'] },
      {
        options: {
          server: '{origin}/rpc/{apiKey}',
          auth: { apiKey: SECRET },
          retry: { attempts: 1 },
        },
        script,
      },
    )
  return [
    ...schemes.flatMap((scheme) => [
      secured('sent', scheme, [reply({})]),
      secured('echoed', scheme, echo(401)),
      secured('echoed elsewhere', scheme, echo(418)),
      secured('network', scheme, [{ refuse: true }]),
      secured('not JSON', scheme, [{ body: `x ${SECRET}`, status: 200 }]),
    ]),
    keyed('sent', [reply({})]),
    keyed('echoed', echo(400)),
    keyed('undocumented', echo(500)),
    keyed('network', [{ refuse: true }]),
    keyed('redirect', [
      { status: 302, headers: { location: `/elsewhere/${encodeURIComponent(SECRET)}` } },
      ...echo(400),
    ]),
    call('sent', [reply(result(1))]),
    call('error', [
      reply({ jsonrpc: '2.0', id: 1, error: { code: 1, message: `no ${SECRET}`, data: [SECRET] } }),
    ]),
    call('HTTP error', echo(500)),
    call('network', [{ refuse: true }], 'writeOne'),
    call('not JSON', [reply(`x ${SECRET}`)]),
    call('invalid result', [reply(result(1, [SECRET]))]),
    call('redirect', [
      { status: 301, headers: { location: `/elsewhere/${encodeURIComponent(SECRET)}` } },
    ]),
  ]
}

function validationCases(): readonly Case[] {
  const order = (name: string, body: unknown, more: Partial<Case> = {}) =>
    http(
      'validation',
      `validation/order/${name}`,
      { operation: 'createOrder', input: { body } },
      more,
    )
  const bad = (name: string, body: unknown, pointer: string) =>
    order(name, body, {
      wanted: {
        requests: [],
        outcome: {
          kind: 'CallError',
          reason: 'invalid-input',
          operation: 'createOrder',
          pointer,
        } as Outcome,
      },
    })
  const answer = (name: string, script: Reply, wanted: Wanted = {}, options?: Options) =>
    http(
      'validation',
      `validation/answer/${name}`,
      { operation: 'getRecord', input: { path: { id: 'a' } } },
      { script: [script], wanted, ...(options && { options }) },
    )
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  return [
    order('good', { item: 'a1', count: 10, price: 1.5, kind: 'a', lines: [{ sku: 's' }] }),
    order('1.0 is an integer', { item: 'a1', count: float('1.0') }),
    bad('true is no number', { item: 'a1', count: true }, '/body/count'),
    bad('missing', {}, '/body'),
    bad('unknown', { item: 'a1', more: 1 }, '/body'),
    bad('pattern', { item: 'a1\n' }, '/body/item'),
    bad('ASCII digits', { item: 'a١' }, '/body/item'),
    bad('too many', { item: 'a1', count: 11 }, '/body/count'),
    bad('fraction', { item: 'a1', count: 1.5 }, '/body/count'),
    bad('multiple', { item: 'a1', price: 0.3 }, '/body/price'),
    bad('enum', { item: 'a1', kind: 'c' }, '/body/kind'),
    bad('enum of true', { item: 'a1', kind: true }, '/body/kind'),
    order('enum of 1.0', { item: 'a1', kind: float('1.0') }),
    bad('doubled', { item: 'a1', lines: [{ sku: 's' }, { sku: 's' }] }, '/body/lines'),
    bad('nested', { item: 'a1', lines: [{}] }, '/body/lines/0'),
    order('names by pattern', { item: 'a1', labels: { 'x-1': 'a' } }),
    bad('value of a name by pattern', { item: 'a1', labels: { 'x-1': 5 } }, '/body/labels/x-1'),
    bad('name of no pattern', { item: 'a1', labels: { 'x-a': 'b' } }, '/body/labels'),
    bad('null', null, '/body'),
    bad('text', 'x', '/body'),
    order('unchecked', { item: 5 }, { options: { validateRequest: 'off' } }),
    http(
      'validation',
      'validation/path/too long',
      { operation: 'getRecord', input: { path: { id: 'abcd' } } },
      { wanted: { requests: [] } },
    ),
    http(
      'validation',
      'validation/path/code points',
      { operation: 'getRecord', input: { path: { id: '😀😀😀' } } },
      { script: [record({})] },
    ),
    http(
      'validation',
      'validation/path/missing',
      { operation: 'getRecord', input: {} },
      { wanted: { requests: [] } },
    ),
    http(
      'validation',
      'validation/path/empty',
      { operation: 'getRecord', input: { path: { id: '' } } },
      { wanted: { requests: [] } },
    ),
    http(
      'validation',
      'validation/query/type',
      { operation: 'listByPage', input: { query: { page: 'x' } } },
      { wanted: { requests: [] } },
    ),
    http('validation', 'validation/limit/at', {
      operation: 'limited',
      input: { body: 'x'.repeat(18) },
    }),
    http(
      'validation',
      'validation/limit/above',
      { operation: 'limited', input: { body: 'x'.repeat(19) } },
      { wanted: { requests: [] } },
    ),
    http(
      'validation',
      'validation/limit/UTF-8',
      { operation: 'limited', input: { body: 'é'.repeat(10) } },
      { wanted: { requests: [] } },
    ),
    rpc(
      'validation',
      'validation/params/type',
      { operation: 'readOne', params: [5] },
      { wanted: { requests: [] } },
    ),
    rpc(
      'validation',
      'validation/params/missing',
      { operation: 'readOne', params: [] },
      { wanted: { requests: [] } },
    ),
    rpc(
      'validation',
      'validation/params/third',
      { operation: 'anyValue', params: [1, 2, 'x'] },
      { wanted: { requests: [] } },
    ),
    rpc(
      'validation',
      'validation/params/unchecked',
      { operation: 'readOne', params: [5] },
      { options: { validateRequest: 'off' }, script: [reply(result(1))] },
    ),
    rpc(
      'validation',
      'validation/params/named',
      { operation: 'byName', params: { one: 5 } },
      { wanted: { requests: [] } },
    ),
    answer('good', record({ note: 'short', size: 1, tags: ['a'], prices: { a: 1 } })),
    answer('wrong type', record({ id: 5 })),
    answer('missing', reply({ state: 'open', parent: null })),
    answer('too long', record({ note: 'abcdef' })),
    answer('code points', record({ note: '😀😀😀😀😀' })),
    answer('list item', record({ tags: ['a', 5] })),
    answer('map value', record({ prices: { a: 'x' } })),
    answer('a list', reply('[]')),
    answer('HTML', { body: '<html>', headers: { 'content-type': 'text/html' } }),
    answer('HTML as JSON', reply('<html>')),
    answer('empty', { body: '', headers: { 'content-type': 'application/json' } }),
    answer('no type', { body: JSON.stringify(RECORD), headers: { 'content-type': '' } }),
    answer(
      'JSON with charset',
      record({}, { headers: { 'content-type': 'Application/JSON; charset=utf-8' } }),
    ),
    answer('other JSON', record({}, { headers: { 'content-type': 'application/vnd.x+json' } })),
    answer('cut', { body: '{"id":"r"', headers: { 'content-type': 'application/json' } }),
    answer('NaN', reply('{"id":NaN}')),
    answer(
      '4,301 digits',
      reply(`{"id":"r","state":"open","parent":null,"size":${'1'.repeat(4301)}}`),
      { outcome: { kind: 'CallError', operation: 'getRecord' } },
    ),
    answer('20 levels', reply(deep(20))),
    answer('strict unknown', record({ more: 1 }), {}, { validateResponse: 'strict' }),
    answer('strict enum', record({ state: 'new' }), {}, { validateResponse: 'strict' }),
    answer('unchecked', reply({ any: 1 }), {}, { validateResponse: 'off' }),
    answer('201', record({}, { status: 201 })),
    answer('204', { status: 204 }),
    answer('404', reply({ title: 'none' }, { status: 404 })),
    answer('404 invalid', reply({ titel: 'none' }, { status: 404 })),
    answer('404 text', { status: 404, body: 'none', headers: { 'content-type': 'text/plain' } }),
    answer('500 by default', reply({ title: 'broken' }, { status: 500 })),
    answer('304', { status: 304 }),
    answer('too large', record({ id: 'x'.repeat(100) }), {}, { maxResponseBytes: 50 }),
    http(
      'validation',
      'validation/answer/500 undocumented',
      { operation: 'postRecord', input: { path: { id: 'a' } } },
      { script: [reply({ a: 1 }, { status: 500 })] },
    ),
    http(
      'validation',
      'validation/answer/4XX',
      { operation: 'createOrder', input: { body: { item: 'a1' } } },
      { script: [reply({ title: 't' }, { status: 422 })] },
    ),
    http(
      'validation',
      'validation/answer/text',
      { operation: 'getText' },
      { script: [{ body: 'é', headers: { 'content-type': 'text/plain; charset=utf-8' } }] },
    ),
    http(
      'validation',
      'validation/answer/JSON for text',
      { operation: 'getText' },
      { script: [reply('{}')] },
    ),
    rpc(
      'validation',
      'validation/result/wrong',
      { operation: 'readOne', params: ['k'] },
      { script: [reply(result(1, 5))] },
    ),
    rpc(
      'validation',
      'validation/result/unchecked',
      { operation: 'readOne', params: ['k'] },
      { options: { validateResponse: 'off' }, script: [reply(result(1, 5))] },
    ),
  ]
}

function opennessCases(): readonly Case[] {
  const answer = (name: string, more: object, options?: Options) =>
    http(
      'openness',
      `openness/${name}`,
      { operation: 'getRecord', input: { path: { id: 'a' } } },
      { script: [record(more)], ...(options && { options }) },
    )
  const shape = (name: string, body: unknown) =>
    http('openness', `openness/shape/${name}`, { operation: 'getShape' }, { script: [reply(body)] })
  const free = (name: string, text: string) =>
    http('openness', `openness/digits/${name}`, { operation: 'getFree' }, { script: [reply(text)] })
  const entry = (name: string, value: object) =>
    rpc(
      'openness',
      `openness/result/${name}`,
      { operation: 'getEntry' },
      { script: [reply(result(1, value))] },
    )
  return [
    answer('unknown property', { more: { deep: [1] } }),
    answer('new value', { state: 'archived' }),
    answer('new value of another type', { state: 5 }),
    shape('circle', { kind: 'circle', radius: 1 }),
    shape('more', { kind: 'square', side: 1, color: 'red' }),
    shape('new', { kind: 'triangle', sides: [1, 2, 3] }),
    shape('broken', { kind: 'circle', radius: 'x' }),
    shape('none', { radius: 1 }),
    free('2^53+1', '9007199254740993'),
    free(
      '2^256-1',
      '{"a":115792089237316195423570985008687907853269984665640564039457584007913129639935}',
    ),
    free('negative', '[-9007199254740993]'),
    free('fraction', '0.1'),
    free('1.0', '[1.0]'),
    free('unicode', '"\\u00e9\\ud83d\\ude00"'),
    entry('known', { kind: 'x', size: 1 }),
    entry('unknown property', { kind: 'x', more: 1 }),
    entry('new value', { kind: 'z' }),
    entry('broken', { kind: 'x', size: 'big' }),
  ]
}

function streamCases(): readonly Case[] {
  const events = (
    name: string,
    body: string,
    more: Partial<Reply> = {},
    call: Partial<Call> = {},
  ) =>
    http(
      'openness',
      `streams/events/${name}`,
      { how: 'stream', operation: 'watch', ...call },
      {
        script: [{ body, headers: { 'content-type': 'text/event-stream' }, ...more }],
      },
    )
  const lines = (name: string, body: string, more: Partial<Reply> = {}) =>
    http(
      'openness',
      `streams/lines/${name}`,
      { how: 'stream', operation: 'readLines' },
      {
        script: [{ body, headers: { 'content-type': 'application/jsonl' }, ...more }],
      },
    )
  const state = (text: string) => `{"state":"${text}"}`
  return [
    events('two', `data: ${state('a')}\n\ndata: ${state('b')}\n\n`),
    events('all fields', `: comment\nevent: changed\nid: 7\nretry: 100\ndata: ${state('a')}\n\n`),
    events('lines', 'data: {\ndata: "state":\ndata: "a"}\n\n'),
    events('carriage returns', `data: ${state('a')}\r\n\r\ndata: ${state('b')}\r\r`),
    events('no space', `data:${state('a')}\n\n`),
    events('byte order mark', `\ufeffdata: ${state('a')}\n\n`),
    events('incomplete', `data: ${state('a')}\n\ndata: ${state('b')}\n`),
    events('end', `data: ${state('a')}\n\ndata: [DONE]\n\ndata: ${state('b')}\n\n`),
    events('dripping', `data: ${state('é')}\r\n\r\n`, { drip: 1 }),
    events('not JSON', `data: ${state('a')}\n\ndata: x\n\n`),
    events('invalid', `data: ${state('a')}\n\ndata: {"state":5}\n\n`),
    events('taken', `data: ${state('a')}\n\ndata: ${state('b')}\n\n`, {}, { take: 1 }),
    events('JSON', '{}', { headers: { 'content-type': 'application/json' } }),
    events('error', '{"title":"no"}', {
      status: 500,
      headers: { 'content-type': 'application/json' },
    }),
    lines('two', `${state('a')}\n${state('b')}\n`),
    lines('no end', `${state('a')}\n${state('b')}`),
    lines('empty lines', `\n${state('a')}\n\r\n`),
    lines('not JSON', `${state('a')}\n{`),
    lines('none', ''),
  ]
}

function timeCases(): readonly Case[] {
  const real = (timeout: number): Options => ({ timeout, clock: 'real', retry: { attempts: 1 } })
  const get = { operation: 'getRecord', input: { path: { id: 'a' } } }
  const one = { operation: 'readOne', params: ['k'] }
  const late = { kind: 'CallError', reason: 'timeout', operation: 'getRecord' } as const
  return [
    http('time', 'time/slow head', get, {
      options: real(0.2),
      script: [record({}, { delay: 1_000 })],
      wanted: { outcome: late },
    }),
    http('time', 'time/dripping body', get, {
      options: real(0.2),
      script: [record({}, { drip: 30 })],
      wanted: { outcome: late },
    }),
    http('time', 'time/in time', get, { options: real(20), script: [record({}, { delay: 50 })] }),
    http('time', 'time/none left', get, {
      options: real(0),
      script: [record({})],
      wanted: { requests: [], outcome: late },
    }),
    http('time', 'time/retries within', get, {
      options: { timeout: 0.5, clock: 'real', retry: { delay: 2 } },
      script: [reply({ title: 'busy' }, { status: 503, delay: 100 })],
    }),
    rpc('time', 'time/slow call', one, {
      options: real(0.2),
      script: [reply(result(1), { delay: 1_000 })],
    }),
    rpc('time', 'time/slow batch', batch('readOne', 'writeOne'), {
      options: real(0.2),
      script: [reply([], { delay: 1_000 })],
    }),
    rpc('time', 'time/dripping result', one, {
      options: real(0.2),
      script: [reply(result(1), { drip: 30 })],
    }),
  ]
}

/** Each ends with the reason `aborted`, and without a further request. */
function cancellationCases(): readonly Case[] {
  const get = { operation: 'getRecord', input: { path: { id: 'a' } } }
  const one = { operation: 'readOne', params: ['k'] }
  const watch = { how: 'stream', operation: 'watch' } as const
  const states = { how: 'poll', operation: 'getState' } as const
  const pages = { how: 'items', operation: 'listByCursor' } as const
  const rpcPages = { how: 'items', operation: 'listAll' } as const
  const two = batch('readOne', 'writeOne')
  const events = { 'content-type': 'text/event-stream' }
  const over =
    (by: typeof http, protocol: string) =>
    (
      name: string,
      call: Call,
      cancel: NonNullable<Call['cancel']>,
      script: readonly Reply[],
      wanted?: Wanted,
    ) =>
      by(
        'cancellation',
        `cancellation/${protocol}/${name}`,
        { ...call, cancel },
        { script, ...(wanted && { wanted }) },
      )
  const web = over(http, 'http')
  const methods = over(rpc, 'rpc')
  const held: Reply = { hold: 'head' }
  return [
    web('before a call', get, 'before', [record({})]),
    web('before a stream', watch, 'before', [held]),
    web('before a poll', states, 'before', [reply({ state: 'done' })]),
    web('before pages', pages, 'before', [reply({ data: [1] })]),
    web('before the head', get, 'held', [held]),
    web('before the head of a stream', watch, 'held', [held]),
    web('within a body', get, 'held', [{ body: '{"id":', hold: 'body' }]),
    web('within an error', get, 'held', [{ status: 404, body: '{"title":', hold: 'body' }]),
    web('between retries', get, 'wait', [reply({ title: 'busy' }, { status: 429 })]),
    web('within a stream', watch, 'item', [
      { headers: events, body: 'data: {"state":"a"}\n\n', hold: 'body' },
    ]),
    web('between polls', states, 'wait', [reply({ state: 'queued' })]),
    web('within a poll', states, 'held', [reply({ state: 'queued' }), held]),
    web('between pages', pages, 'item', [reply({ data: [1], next: 'b' })]),
    web('within pages', pages, 'held', [reply({ data: [1], next: 'b' }), held]),
    methods('before a call', one, 'before', [reply(result(1))]),
    methods('before a batch', two, 'before', [reply([result(1), result(2)])]),
    methods('before the head', one, 'held', [held]),
    methods('before the head of a batch', two, 'held', [held]),
    methods('within a body', one, 'held', [{ body: '{"jsonrpc":"2.0",', hold: 'body' }]),
    methods('within a batch', two, 'held', [
      { body: `[${JSON.stringify(result(1))},`, hold: 'body' },
    ]),
    methods(
      'within an event stream',
      one,
      'held',
      [{ headers: events, body: 'data: {"jsonrpc":"2.0","method":"note"}\n\n', hold: 'body' }],
      { warnings: undefined },
    ),
    methods('between retries', one, 'wait', [reply(failure(1), { status: 429 })]),
    methods('within pages', rpcPages, 'held', [reply(result(1, { data: [1], next: 'b' })), held]),
  ]
}

function placeCases(): readonly Case[] {
  const get = { operation: 'getFree' }
  const one = { operation: 'readOne', params: ['k'] }
  const open = (name: string, options: Options, script: readonly Reply[] = [reply('{}')]) =>
    http('place', `place/http/${name}`, get, { options, script })
  const call = (name: string, options: Options) =>
    rpc('place', `place/rpc/${name}`, one, { options, script: [reply(result(1))] })
  const renewed = (name: string, each: readonly string[]) =>
    http(
      'place',
      `place/renewed/${name}`,
      { operation: 'securedbearer' },
      {
        options: { auth: { bearer: { each } } },
        script: [reply({ title: 'no' }, { status: 401 }), reply('{}')],
      },
    )
  return [
    open('address', { server: '{origin}' }),
    open('address with path', { server: '{origin}/base/' }),
    open('address with query', { server: '{origin}/base?x=1' }),
    open('unknown name', { server: 'nowhere' }),
    open('no scheme', { server: 'localhost:80' }),
    open('other scheme', { server: 'ftp://127.0.0.1' }),
    open('wrong variable', { server: 'other', variables: { host: 'example.com' } }),
    open('header', { headers: { 'X-A': 'b' } }),
    open('bad header', { headers: { 'X-A': 'b\nc' } }),
    open('redirect', {}, [{ status: 302, headers: { location: '/text' } }, reply('{}')]),
    open('redirect 307', {}, [
      { status: 307, headers: { location: '/elsewhere?a=b' } },
      reply('{}'),
    ]),
    open('redirects without end', {}, [{ status: 302, headers: { location: '/free' } }]),
    call('address', { server: '{origin}' }),
    call('address with key', { server: '{origin}', auth: { apiKey: 'my key' } }),
    call('address with place', { server: '{origin}/rpc/{apiKey}', auth: { apiKey: 'a/b' } }),
    call('address with value', { server: '{origin}/rpc/mine' }),
    call('missing place', { server: '{origin}/rpc/mine', auth: { apiKey: 'k' } }),
    call('bad key', { server: '{origin}', auth: { apiKey: 'a\nb' } }),
    call('function', { server: '{origin}', auth: { apiKey: { each: ['one'] } } }),
    rpc('place', 'place/rpc/function each time', batch('readOne'), {
      options: { auth: { apiKey: { each: ['one', 'two'] } } },
      script: [reply({}, { status: 401 }), reply([result(1)])],
    }),
    renewed('another', ['one', 'two']),
    renewed('the same', ['one']),
    http('place', 'place/missing credentials', { operation: 'securedbearer' }),
    http(
      'place',
      'place/wrong credentials',
      { operation: 'securedbasic' },
      { options: { auth: { basic: 'text' } } },
    ),
    http('place', 'place/missing key', { operation: 'getKeyed' }),
  ]
}
