import { afterEach, describe, expect, it } from 'vitest'
import { StoreUnavailable } from '../../../src/service/store/store.js'
import {
  CHAIN_ID,
  HASH,
  MESSAGE,
  PRIVATE_KEY,
  PUBLIC_KEY,
  post,
  QUEUE_ID,
  speak,
  start,
  stopAll,
} from './gateway-fixture.js'

afterEach(stopAll)

const call = (method: string, id: number, params: unknown[] = []): object => ({
  jsonrpc: '2.0',
  method,
  params,
  id,
})
const SEND = call('eth_sendRawTransaction', 2, ['0x1234'])

describe('who calls', () => {
  it.each([
    ['/zkt/try-it-out', 0],
    [`/zkt/${PRIVATE_KEY}`, 7],
    [`/zkt/${PUBLIC_KEY}`, 8],
  ])('%s is signed for by wallet %i', async (path, wallet) => {
    const { url } = await start()
    const answer = await post(url + path, MESSAGE)
    const { hash } = (await answer.json()) as { hash: string }
    expect(Number(hash)).toBe(wallet)
  })

  it.each([
    'nobody',
    'try-it-ou',
    '%ZZ',
    '%00',
    '__proto__',
    'x'.repeat(4_000),
    `${PRIVATE_KEY}%20`,
  ])('the key %s is unknown to submissions, whose body is not read', async (key) => {
    const { port } = await start()
    const head = `POST /zkt/${key} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`
    const heard = await speak(port, `${head}content-length: 1000\r\n\r\n`, '}')
    expect(heard).toContain('HTTP/1.1 401 Unauthorized')
    expect(heard).toContain(
      '{"success":false,"error":"the API key is not known","errorCode":"UNKNOWN_API_KEY"}',
    )
    expect(heard).not.toContain(key)
  })

  it('an unknown key is reported to JSON-RPC before its body is read', async () => {
    const { port } = await start()
    const head = 'POST /zgt/nobody HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
    const heard = await speak(port, `${head}content-length: 1000\r\n\r\n`, '}}')
    expect(heard).toContain('HTTP/1.1 401 Unauthorized')
    expect(heard).toContain(
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"the API key is not known"}}',
    )
  })

  it('reads without a key, and sends with one alone', async () => {
    const { url } = await start()
    const ask = async (key: string, body: unknown) => {
      const answer = await post(`${url}/zgt/${key}`, JSON.stringify(body))
      return [answer.status, await answer.json()]
    }
    const refused = (id: number) => ({
      jsonrpc: '2.0',
      id,
      error: {
        code: -32001,
        message:
          'eth_sendRawTransaction needs an API key in the path: ask the operator for one, keys are free',
      },
    })
    const read = { jsonrpc: '2.0', id: 1, result: '0x133edcb' }
    expect(await ask('try-it-out', call('eth_chainId', 1))).toEqual([200, read])
    expect(await ask('try-it-out', SEND)).toEqual([401, refused(2)])
    expect(await ask('try-it-out', [call('eth_chainId', 1), SEND])).toEqual([
      200,
      [read, refused(2)],
    ])
    const sent = { jsonrpc: '2.0', id: 2, result: HASH }
    expect(await ask(PRIVATE_KEY, [call('eth_chainId', 1), SEND])).toEqual([200, [read, sent]])
    expect(await ask(PUBLIC_KEY, SEND)).toEqual([200, sent])
  })

  it('a store of keys that does not answer is reported in the documented way, and reading goes on', async () => {
    const { url, logged } = await start({
      keys: { find: () => Promise.reject(new StoreUnavailable('the store does not answer: gone')) },
    })
    const keyed = await post(
      `${url}/zgt/${PRIVATE_KEY}`,
      JSON.stringify([call('eth_chainId', 5), SEND]),
    )
    const error = { code: -32603, message: 'the store of keys does not answer, try again later' }
    expect([keyed.status, await keyed.json()]).toEqual([
      200,
      [
        { jsonrpc: '2.0', id: 5, error },
        { jsonrpc: '2.0', id: 2, error },
      ],
    ])
    expect((await post(`${url}/zgt/try-it-out`, CHAIN_ID)).status).toBe(200)
    expect((await post(`${url}/zkt/try-it-out`, MESSAGE)).status).toBe(200)
    const submission = await post(`${url}/zkt/${PRIVATE_KEY}`, MESSAGE)
    expect([
      submission.status,
      submission.headers.get('retry-after'),
      await submission.json(),
    ]).toEqual([503, '5', { success: false, error: error.message, errorCode: 'UNAVAILABLE' }])
    expect(logged()).toContain('the store does not answer: gone')
    expect(logged()).not.toContain(PRIVATE_KEY)
  })
})

describe('refusals in the documented shapes', () => {
  const invalid = (error: string, details: unknown, more = {}) => ({
    success: false,
    error,
    errorCode: 'INVALID_BODY',
    details,
    ...more,
  })
  const missing = (name: string) => ({ pointer: `/${name}`, message: 'must be present' })
  const forbidden = (name: string) => ({ pointer: `/${name}`, message: 'must not be present' })
  const jsonEntry = {
    type: 'function',
    name: 'add',
    inputs: [{ name: 'amount', type: 'uint256', internalType: 'uint256' }],
    outputs: [{ name: '', type: 'bool', internalType: 'bool' }],
    stateMutability: 'nonpayable',
  }
  const abiEntry = 'must be an ABI entry such as: function sum() view returns (uint256)'

  it.each<readonly [string | Uint8Array<ArrayBuffer>, unknown]>([
    ['{}', invalid('arguments is missing', [missing('arguments')])],
    [
      '{"arguments":5}',
      invalid('arguments must be a string', [
        { pointer: '/arguments', message: 'must be a string' },
      ]),
    ],
    ['[]', invalid('the body must be an object', [{ pointer: '', message: 'must be an object' }])],
    [
      '{"code":"x","abi":["function f()"],"to":"0x","method":"f","id":12}',
      invalid(
        'code does not go together with abi, to and method',
        ['abi', 'to', 'method'].map(forbidden),
        { id: 12 },
      ),
    ],
    [
      '{"code":"x","wait":true}',
      invalid('code does not go together with wait', [forbidden('wait')]),
    ],
    [
      '{"arguments":"x","id":"a"}',
      invalid('a message does not go together with id', [forbidden('id')], { id: 'a' }),
    ],
    [
      '{"arguments":"x","wait":true}',
      invalid('a message does not go together with wait', [forbidden('wait')]),
    ],
    [
      `{"abi":${JSON.stringify([jsonEntry, JSON.stringify(jsonEntry), 5])},"to":"0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1","method":"f","arguments":[]}`,
      invalid(`abi.0 ${abiEntry}`, [
        { pointer: '/abi/0', message: abiEntry },
        { pointer: '/abi/1', message: abiEntry },
        { pointer: '/abi/2', message: abiEntry },
      ]),
    ],
    [
      `{"abi":${JSON.stringify(JSON.stringify([jsonEntry]))},"to":"0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1","method":"f","arguments":[]}`,
      expect.objectContaining({
        error:
          'abi must be an array of human-readable entries such as: function sum() view returns (uint256)',
      }),
    ],
    [
      '{"arguments":5,"id":1}',
      invalid('a message does not go together with id', [forbidden('id')], { id: 1 }),
    ],
    ['{"arguments":"x","foo":1}', invalid('foo does not belong here', [forbidden('foo')])],
    ['{"arguments":"x","a/b`c":1}', invalid('a/b`c does not belong here', [forbidden('a~1b`c')])],
    [
      `{"arguments":"x","${'n'.repeat(99)}":1}`,
      invalid(`${'n'.repeat(59)}… does not belong here`, [forbidden(`${'n'.repeat(59)}…`)]),
    ],
    [
      '{"abi":["function f()"],"to":"0x12","method":"f","arguments":[],"id":3}',
      invalid(
        'to must be an address: 0x and 40 hex digits',
        [{ pointer: '/to', message: 'must be an address: 0x and 40 hex digits' }],
        { id: 3 },
      ),
    ],
    [
      '{"abi":["x"],"to":"0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1","method":"f","arguments":[]}',
      expect.objectContaining({
        error: `abi.0 ${abiEntry}`,
      }),
    ],
    [
      '{"abi":["function f()"],"to":"0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1","method":"f","id":"9"}',
      invalid('arguments is missing', [missing('arguments')], { id: '9' }),
    ],
    ['{"code":"","id":{}}', expect.not.objectContaining({ id: expect.anything() })],
    [
      '{"code":"x","id":9007199254740993}',
      invalid('id would lose digits: send it as a string', [
        { pointer: '/id', message: 'would lose digits: send it as a string' },
      ]),
    ],
    ['{', { success: false, error: 'the body is no JSON', errorCode: 'MALFORMED_JSON' }],
    ['', { success: false, error: 'the body is no JSON', errorCode: 'MALFORMED_JSON' }],
    [
      Uint8Array.of(0x22, 0xff, 0x22),
      { success: false, error: 'the body is no JSON', errorCode: 'MALFORMED_JSON' },
    ],
  ])('of the submission %s', async (body, want) => {
    const { url } = await start()
    const answer = await post(`${url}/zkt/try-it-out`, body)
    expect([answer.status, await answer.json()]).toEqual([400, want])
  })

  it.each<readonly [string, string, RequestInit, number, unknown]>([
    [
      'a wrong method',
      '/zkt/try-it-out',
      { method: 'PUT', body: '{}' },
      405,
      { success: false, error: 'this path takes POST only', errorCode: 'METHOD_NOT_ALLOWED' },
    ],
    [
      'an OPTIONS that is no preflight',
      '/zkt/try-it-out',
      { method: 'OPTIONS' },
      405,
      { success: false, error: 'this path takes POST only', errorCode: 'METHOD_NOT_ALLOWED' },
    ],
    [
      'a body too large',
      '/zkt/try-it-out',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: ' '.repeat(1_048_577),
      },
      413,
      {
        success: false,
        error: 'the body is larger than 1048576 bytes',
        errorCode: 'PAYLOAD_TOO_LARGE',
      },
    ],
    [
      'another type',
      '/zkt/try-it-out',
      { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' },
      415,
      {
        success: false,
        error: 'the body must be application/json',
        errorCode: 'UNSUPPORTED_MEDIA_TYPE',
      },
    ],
    [
      'a broken type',
      '/zkt/try-it-out',
      { method: 'POST', headers: { 'content-type': ';;=' }, body: '{}' },
      415,
      {
        success: false,
        error: 'the body must be application/json',
        errorCode: 'UNSUPPORTED_MEDIA_TYPE',
      },
    ],
    [
      'a compressed body',
      '/zkt/try-it-out',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: '{}',
      },
      415,
      {
        success: false,
        error: 'the body must not be compressed',
        errorCode: 'UNSUPPORTED_MEDIA_TYPE',
      },
    ],
    [
      'a lookup of what is no queueId',
      '/gtn/v1/zkt/transaction/5',
      {},
      400,
      { error: 'queueId must be a UUID' },
    ],
    [
      'a lookup of broken encoding',
      '/gtn/v1/zkt/transaction/%ZZ',
      {},
      400,
      { error: 'queueId must be a UUID' },
    ],
    [
      'a lookup by DELETE',
      `/gtn/v1/zkt/transaction/${QUEUE_ID}`,
      { method: 'DELETE' },
      405,
      { error: 'this path takes GET only' },
    ],
    ['nothing there', '/gtn/v2', {}, 404, { error: 'there is nothing at this path' }],
    [
      'a node namespace',
      '/admin',
      { method: 'POST' },
      404,
      { error: 'there is nothing at this path' },
    ],
    [
      'GET of JSON-RPC',
      '/zgt/try-it-out',
      {},
      405,
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Method not allowed' } },
    ],
  ])('of %s', async (_, path, init, status, body) => {
    const { url } = await start()
    const answer = await fetch(url + path, init)
    expect([answer.status, await answer.json()]).toEqual([status, body])
  })

  it('of our own failure are 503 over HTTP and -32603 over JSON-RPC, and the log tells why', async () => {
    const broken = () => {
      throw new Error('kaputt', { cause: new Error('deeper') })
    }
    const { url, logged } = await start({ handlers: { getZktTransaction: broken } })
    const lookup = await fetch(`${url}/gtn/v1/zkt/transaction/${QUEUE_ID}`)
    expect([lookup.status, lookup.headers.get('retry-after'), await lookup.json()]).toEqual([
      503,
      '5',
      { error: 'the service is in trouble, try again later' },
    ])
    const rpc = await post(`${url}/zgt/try-it-out`, JSON.stringify(call('eth_blockNumber', 1)))
    expect([rpc.status, await rpc.json()]).toEqual([
      200,
      { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } },
    ])
    const lines = logged()
      .split('\n')
      .filter((line) => line.includes('"level":"error"'))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        request: lookup.headers.get('x-request-id'),
        operation: 'getZktTransaction',
        err: { name: 'Error', message: 'kaputt', cause: { message: 'deeper' } },
      },
      { request: rpc.headers.get('x-request-id'), err: { message: 'the node behind broke' } },
    ])
    expect(logged()).not.toMatch(/\.ts:\d/)
  })
})

describe('whatever is asked', () => {
  const targets = [
    '//',
    '/%ZZ',
    '/zgt//',
    '*',
    '/..',
    '/zgt/%2e%2e/x',
    `/${'a'.repeat(8_000)}`,
    '/documented',
    '/health/',
    '/zgt/a/b',
    '/?x',
    '/zgt?x',
  ]
  it.each(targets)('%s is not answered in the words of the host', async (target) => {
    const { port } = await start()
    for (const method of ['GET', 'POST', 'PROPFIND', 'OPTIONS', 'PATCH', 'TRACE']) {
      const heard = await speak(
        port,
        `${method} ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      )
      expect(heard).toMatch(/^HTTP\/1.1 (404|405) /)
      expect(heard).not.toMatch(/statusCode|FST_|Route /)
    }
  })

  it('a target with scheme and host is understood', async () => {
    const { port } = await start()
    const head = 'POST http://x/zgt/try-it-out HTTP/1.1\r\nhost: x\r\nconnection: close\r\n'
    const rest = `content-type: application/json\r\ncontent-length: ${CHAIN_ID.length}\r\n\r\n`
    expect(await speak(port, head + rest + CHAIN_ID)).toContain('"result":"0x133edcb"')
  })

  it.each<readonly [string, string, RegExp]>([
    ['what is no HTTP', 'hello\r\n\r\n', /^HTTP\/1.1 400 Bad Request\r\n/],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', /^HTTP\/1.1 400 /],
    [
      'headers too large',
      `GET / HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(20_000)}\r\n\r\n`,
      /^HTTP\/1.1 431 /,
    ],
    [
      'two lengths',
      'POST /zgt/try-it-out HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n',
      /^HTTP\/1.1 400 /,
    ],
    [
      'length and chunks',
      'POST /zgt/try-it-out HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n',
      /^HTTP\/1.1 400 /,
    ],
    ['a CONNECT', 'CONNECT x:80 HTTP/1.1\r\nhost: x\r\n\r\n', /^$/],
  ])('%s gets a plain answer and the end of the connection', async (_, text, want) => {
    const { port } = await start()
    const heard = await speak(port, text)
    expect(heard).toMatch(want)
    expect(heard).not.toContain('{')
  })

  it('a body is refused before it is read whole', async () => {
    const { port } = await start()
    const head = 'POST /zkt/try-it-out HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
    expect(await speak(port, `${head}content-length: 1048577\r\n\r\n`, '}')).toContain(
      '413 Payload Too Large',
    )
    const chunk = `80000\r\n${' '.repeat(0x80000)}\r\n`
    expect(
      await speak(port, `${head}transfer-encoding: chunked\r\n\r\n${chunk}${chunk}${chunk}`, '}'),
    ).toContain('413 Payload Too Large')
  })

  it('a body of exactly 1 MB is taken as it is', async () => {
    let got: unknown
    const message = (input: { body: unknown }) => {
      got = input.body
      return { status: 200, body: { success: true, hash: HASH } }
    }
    const { url } = await start({ handlers: { tryZkt: { message } as never } })
    const text = 'x'.repeat(1_048_576 - '{"arguments":""}'.length)
    const answer = await post(`${url}/zkt/try-it-out`, `{"arguments":"${text}"}`)
    expect(answer.status).toBe(200)
    expect(got).toEqual({ arguments: text })
  })

  it('is reported without coercion: a number is no message', async () => {
    const { url } = await start()
    expect((await post(`${url}/zkt/try-it-out`, '{"arguments":1}')).status).toBe(400)
  })
})

describe('logs', () => {
  it('tell the route and never the path, its key or a body', async () => {
    const { url, port, logged } = await start()
    const secret = 'guessed-key-31337'
    for (const key of [secret, PRIVATE_KEY, `${secret}%ZZ`])
      for (const path of [
        `/zgt/${key}`,
        `/zkt/${key}`,
        `/zgt/${key}/more`,
        `/gtn/v1/zkt/transaction/${key}`,
        `/${key}`,
      ])
        for (const body of [
          CHAIN_ID,
          MESSAGE,
          '{',
          `{"arguments":"${key}"}`,
          JSON.stringify(call('eth_blockNumber', 1)),
        ]) {
          await (await post(url + path, body)).arrayBuffer()
          await (await fetch(url + path)).arrayBuffer()
        }
    await speak(port, `GET /zgt/${secret} HTTP/9.9\r\n\r\n`)
    expect(logged()).toContain('"route":"/zgt/{apiKey}"')
    expect(logged()).toContain('"route":"/zkt/{apiKey}"')
    expect(logged()).toContain('"route":"none"')
    expect(logged()).not.toContain(secret)
    expect(logged()).not.toContain(PRIVATE_KEY)
  })
})

describe('RFC 9112, 3.2: a request with two Host headers', () => {
  it.each([
    ['POST', '/zgt/try-it-out', ''],
    ['GET', '/health', ''],
    ['GET', '/metrics', ''],
    ['GET', `/gtn/v1/zkt/transaction/${QUEUE_ID}`, ''],
    ['OPTIONS', '/zgt/x', 'origin: https://a.example\r\naccess-control-request-method: POST\r\n'],
  ])('gets 400: %s %s', async (method, path, more) => {
    const { port, url } = await start()
    const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\nhost: y\r\n${more}\r\n`
    expect(await speak(port, head, '\r\n\r\n')).toContain('HTTP/1.1 400 Bad Request')
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toContain('twinspec_http_requests_in_flight 0')
  })
})

describe('browsers', () => {
  const origin = 'https://app.example'
  it('may post JSON, and learn that before anything is counted', async () => {
    const { url } = await start({
      settings: { rpcLimit: 1, zktLimit: 1, tryItOutLimit: 1, statusLimit: 1 },
    })
    for (let again = 0; again < 3; again += 1) {
      const answer = await fetch(`${url}/zgt/nobody`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      })
      expect(answer.status).toBe(204)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET,HEAD,POST',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '7200',
      })
      expect(answer.headers.get('ratelimit')).toBeNull()
    }
  })

  it.each(['*', 'https://app.example'])('of %s read answers, refusals too', async (corsOrigin) => {
    const { url } = await start({ settings: { corsOrigin } })
    for (const [path, status] of [
      ['/zgt/try-it-out', 200],
      ['/zgt/nobody', 401],
      ['/nothing', 404],
    ] as const) {
      const answer = await post(url + path, CHAIN_ID, { origin })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('access-control-allow-origin')).toBe(corsOrigin)
      expect(answer.headers.get('access-control-expose-headers')).toBe(
        'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
      )
    }
  })
})
