import { describe, expect, it } from 'vitest'
import { type Came, http, KEY, rpc } from './fixture-shop.js'

const buy = '{"item":"tea"}'
const left = { 'x-left': '3' }
const bought: Came = { headers: left, body: '{"bought":"tea"}' }
const problem = (body: string, type = 'application/problem+json'): Came => ({
  ...{ status: 409, body },
  headers: { 'content-type': type },
})
const refused: Came = { status: 404, body: '{"error":"no tea"}' }

describe('an answer of an operation', () => {
  it.each<readonly [rule: string, name: string, broken: Came, valid: Came]>([
    ['status-is-undeclared', '201', { ...bought, status: 201 }, bought],
    ['status-is-undeclared', '301', { status: 301 }, refused],
    ['server-fails', '500', { ...refused, status: 500 }, { ...refused, status: 499 }],
    [
      'content-type-is-undeclared',
      'text',
      { ...bought, headers: { ...left, 'content-type': 'text/plain' } },
      bought,
    ],
    [
      'content-type-is-undeclared',
      'none',
      { ...refused, headers: { 'content-type': '' } },
      { ...refused, headers: { 'content-type': 'application/json;charset=utf-8' } },
    ],
    ['body-is-missing', 'no body', { headers: left }, bought],
    ['body-is-undeclared', '202', { status: 202, body: '{}' }, { status: 202 }],
    ['body-is-not-allowed', '204', { status: 204, body: '{}' }, { status: 204 }],
    ['response-not-json', 'half', { headers: left, body: '{"bought":' }, bought],
    ['body-invalid', 'of success', { headers: left, body: '{"bought":1}' }, bought],
    ['body-invalid', 'of an error', { status: 400, body: '{"message":"no"}' }, refused],
    [
      'response-matches-several-branches',
      'two',
      { headers: left, body: '{"bought":"tea","costs":1}' },
      bought,
    ],
    ['response-of-other-variant', 'asked', { headers: left, body: '{"costs":5}' }, bought],
    ['header-missing', 'x-left', { ...bought, headers: {} }, bought],
    ['header-invalid', 'x-left', { ...bought, headers: { 'X-LEFT': '-1' } }, bought],
    [
      'aliased-properties-differ',
      'two tickets',
      { headers: left, body: '{"bought":"a","ticket":"b"}' },
      { headers: left, body: '{"bought":"A","ticket":"A","seal":"0A","stamp":"0a"}' },
    ],
    [
      'aliased-properties-differ',
      'two letters of tickets that are no digits',
      { headers: left, body: '{"bought":"A","ticket":"a"}' },
      { headers: left, body: '{"bought":"A","stamp":null,"seal":"0a"}' },
    ],
    [
      'body-invalid',
      'as the type itself is declared, and not as another JSON is',
      problem('{"error":"no"}'),
      problem('{"title":"no"}'),
    ],
    [
      'body-invalid',
      'as its range is declared, and not as another JSON is',
      problem('{"title":"no"}', 'application/odd+json'),
      problem('{"any":1}', 'application/odd+json'),
    ],
    [
      'response-property-undeclared',
      'deep',
      { headers: left, body: '{"bought":"a","more":{"new":1}}' },
      { headers: left, body: '{"bought":"a","more":{"known":1},"notes":{"any":"x"}}' },
    ],
  ])('%s: %s', (rule, _, broken, valid) => {
    expect(http(buy, broken).rules).toEqual([rule])
    expect(http(buy, valid).rules).toEqual([])
  })

  it('is reported where it is JSON of another type, and not validated by the schema of a type that it is not', () => {
    expect(http(buy, { ...problem('{"gone":1}'), status: 410 }).rules).toEqual([
      'content-type-is-undeclared',
    ])
    expect(http(buy, { ...problem('{"title":"no"}'), status: 410 }).rules).toEqual([
      'content-type-is-undeclared',
    ])
  })

  it('may be an error under 200 that the form names, which covers no success', () => {
    const failed = { headers: left, body: '{"error":"sold out"}' }
    expect(http(buy, failed)).toMatchObject({ rules: [], covered: ['status order 200'] })
    expect(http(buy, bought).covered).toEqual([
      'status order 200',
      'variant order buy',
      'operation order',
    ])
    expect(http(buy, refused).covered).toEqual(['status order 4XX'])
    expect(http(buy, { ...bought, headers: {} }).covered).toEqual([])
  })

  it('is of no form where the request is of none', () => {
    expect(http('{}', { headers: left, body: '{"costs":5}' }).rules).toEqual([])
  })
})

describe('a page for people', () => {
  const page: Came = { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>no' }

  it('refuses nobody who asked for JSON, and may refuse those who take anything', () => {
    const asking = (accept: string) => http(buy, page, '/orders', { Accept: accept }).rules
    expect(asking('application/json')).toEqual([
      'html-instead-of-json',
      'content-type-is-undeclared',
    ])
    expect(asking('*/*')).toEqual(['content-type-is-undeclared'])
  })
})

describe('a very large answer', () => {
  it('is held against its schema whole, and what is not looked at is reported', () => {
    const many = Object.fromEntries(Array.from({ length: 25_000 }, (_, at) => [`n${at}`, 'x']))
    const came = (notes: object) => ({
      headers: left,
      body: JSON.stringify({ bought: 'tea', notes }),
    })
    expect(http(buy, came(many))).toMatchObject({
      rules: [],
      skipped: [
        'order, what no schema speaks of and what is said twice',
        'order, what no schema speaks of and what is said twice',
      ],
    })
    expect(http(buy, came({ a: 'x' })).skipped).toEqual([])
  })
})

describe('what no answer tells', () => {
  const said = (text: string) => ({ body: JSON.stringify({ said: text }) })
  const path = `/keyed/${encodeURIComponent(KEY)}`

  it.each([KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('base64')])(
    'the key, spelled %s',
    (key) => {
      expect(http('', said(`hello ${key}`), path).rules).toEqual(['api-key-leaked'])
      expect(http('', { ...said('x'), headers: { location: `/a/${key}` } }, path).rules).toEqual([
        'api-key-leaked',
      ])
      expect(http('', said('a-key-of-nobody'), path).rules).toEqual([])
    },
  )

  const fail = (message: string): Came => ({
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      error: { code: 7, message: 'no', data: { message } },
    }),
  })
  const call = '{"jsonrpc":"2.0","method":"count","id":1}'

  it.each([
    'Error: no\n    at find (/app/shop.js:10:5)',
    'Error: no\n    at async file:///srv/shop/main.mjs:3:7',
    'at node:internal/process/task_queues:95:5',
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 3, in find',
    'java.lang.Error\n\tat com.shop.Orders.find(Orders.java:42)',
    'panic: no\n\ngoroutine 12 [running]:\nmain.main()',
    "thread 'main' panicked at src/main.rs:4:5",
  ])('a stack trace: %s', (trace) => {
    expect(rpc(call, fail(trace)).rules).toEqual(['stack-trace-leaked'])
    expect(http(buy, { status: 400, body: JSON.stringify({ error: trace }) }).rules).toEqual([
      'stack-trace-leaked',
    ])
  })

  it.each([
    'open /var/lib/shop/orders.db: no such file',
    "ENOENT: no such file or directory, open '/home/shop/keys'",
    'cannot read "C:\\Users\\shop\\keys.json"',
    'in /usr/src/app/node_modules/shop/index.js',
    "Cannot find module '/app/node_modules/shop/index.js'",
  ])('a path: %s', (text) => {
    expect(rpc(call, fail(text)).rules).toEqual(['filesystem-path-leaked'])
  })

  it.each([
    '/params/0 must be a string',
    '/data/0/name is missing, at /app/1',
    'no such resource: /data/orders.json',
    'no such resource: /app/main.js',
    'no such resource: /Users/42/photo.png',
    'no such resource: /home/offers',
    'see https://shop.example/home/docs/errors.html',
    'invalid argument 0: at position 12:3',
    'Parse error at line 3, column 5: look at this (12:3)',
    'the panicked customer went home/again',
    'orders are taken at 10:30:15 (local time)',
  ])('but a sentence is none: %s', (text) => {
    expect(rpc(call, fail(text)).rules).toEqual([])
  })

  it('and what a caller said itself is not repeated', () => {
    const own = '{"jsonrpc":"2.0","method":"count","params":["/home/me/x.js"],"id":1}'
    expect(rpc(own, fail('no such item: /home/me/x.js')).rules).toEqual([])
  })
})
