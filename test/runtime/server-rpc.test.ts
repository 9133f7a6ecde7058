import { describe, expect, it } from 'vitest'
import { HttpError, RpcError } from '../../src/runtime/errors.js'
import type { RpcOperation } from '../../src/runtime/operation.js'
import { createServerCore, type ServerCore, type ServerOptions } from '../../src/runtime/server.js'
import { validator } from '../../src/runtime/validate.js'
import { overFetch, overHandle, overNode } from './server-fixture.js'

const KEY = 'sesame-4711'

describe.each([
  ['handle', overHandle],
  ['a fetch handler', overFetch],
  ['a node socket', overNode],
])('JSON-RPC by the letter over %s', (_, over) => {
  const call = (rest: string): string => `{"jsonrpc":"2.0",${rest}}`
  const ok = (id: string, result: string): string =>
    `{"jsonrpc":"2.0","id":${id},"result":${result}}`
  const fail = (id: string, code: number, message: string, data = ''): string =>
    `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"${data}}}`
  const parseError = fail('null', -32700, 'Parse error')
  const invalid = (id: string, why: string): string => fail(id, -32600, `Invalid request: ${why}`)
  const lost = (pointer: string, keyword = 'precision'): string =>
    `,"data":[{"pointer":"${pointer}","keyword":"${keyword}","message":"${
      keyword === 'precision'
        ? 'would lose digits: send it as a string'
        : 'contains half a surrogate pair, which is not a character'
    }"}]`

  it.each<readonly [title: string, sent: string | Uint8Array, want: string | undefined]>([
    ['truncated JSON', '{"jsonrpc":"2.0","method":"ping","params":[', parseError],
    ['an empty body', '', parseError],
    ['blanks alone', ' \n ', parseError],
    ['a truncated batch is one error', `[${call('"method":"ping","id":1')},{"jsonrpc"`, parseError],
    ['two texts in one body', `${call('"method":"ping","id":1')}{}`, parseError],
    ['a trailing comma', '{"jsonrpc":"2.0","method":"ping","id":1,}', parseError],
    ['single quotes', "{'jsonrpc':'2.0'}", parseError],
    ['NaN', call('"method":"ping","id":NaN'), parseError],
    ['a byte order mark', `\ufeff${call('"method":"ping","id":1')}`, parseError],
    ['broken UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22]), parseError],
    ['UTF-16', new Uint8Array(Buffer.from(call('"method":"ping","id":1'), 'utf16le')), parseError],
    [
      '1,000 levels',
      call(`"method":"echo","params":[${'['.repeat(1000)}${']'.repeat(1000)}],"id":1`),
      parseError,
    ],
    ['100,000 levels', '['.repeat(100_000) + ']'.repeat(100_000), parseError],
    ['100,000 unclosed levels', '{"a":'.repeat(100_000), parseError],
    ['blanks around', ` \n\t${call('"method":"ping","id":1')}\r\n`, ok('1', '"pong"')],
    [
      'escaped keys in any order',
      '{"id":1,"\\u006dethod":"ping","jsonrpc":"2.0"}',
      ok('1', '"pong"'),
    ],

    ['no version', '{"method":"ping","id":1}', invalid('1', 'jsonrpc must be \\"2.0\\"')],
    [
      'version 1.0',
      '{"jsonrpc":"1.0","method":"ping","id":1}',
      invalid('1', 'jsonrpc must be \\"2.0\\"'),
    ],
    [
      'version as a number',
      '{"jsonrpc":2.0,"method":"ping","id":"a"}',
      invalid('"a"', 'jsonrpc must be \\"2.0\\"'),
    ],
    ['no method', call('"id":1'), invalid('1', 'method must be a string')],
    [
      'a method that is no string',
      call('"method":1,"params":"bar"'),
      invalid('null', 'method must be a string'),
    ],
    [
      'an answer sent as a request',
      call('"id":1,"result":1'),
      invalid('1', 'method must be a string'),
    ],
    [
      'params a string',
      call('"method":"ping","params":"bar","id":1'),
      invalid('1', 'params must be an array or an object'),
    ],
    [
      'params null',
      call('"method":"ping","params":null,"id":1'),
      invalid('1', 'params must be an array or an object'),
    ],
    [
      'params a string, no id',
      call('"method":"ping","params":"bar"'),
      invalid('null', 'params must be an array or an object'),
    ],
    ['a number', '1', invalid('null', 'not an object')],
    ['null', 'null', invalid('null', 'not an object')],
    ['a string', '"x"', invalid('null', 'not an object')],
    [
      'an id that is an object',
      call('"method":"ping","id":{}'),
      invalid('null', 'id must be a string, a number or null'),
    ],
    [
      'an id that is an array',
      call('"method":"ping","id":[1]'),
      invalid('null', 'id must be a string, a number or null'),
    ],
    [
      'an id that is true',
      call('"method":"ping","id":true'),
      invalid('null', 'id must be a string, a number or null'),
    ],
    ['an extra member', call('"method":"ping","id":1,"x":1'), ok('1', '"pong"')],

    ...[
      '"abc-☃"',
      '"1"',
      '0',
      '""',
      '-7',
      'null',
      '1.5',
      '9007199254740993',
      '1e400',
      '1.0',
      '-0',
      '1e2',
      '1000000000000000000000000000000',
      '"\\ud800"',
      '0.1',
      `"${'x'.repeat(65_536)}"`,
    ].map(
      (id) =>
        [
          `the id ${id.slice(0, 40)} comes back as sent`,
          call(`"method":"ping","id":${id}`),
          ok(id, '"pong"'),
        ] as const,
    ),
    ['the later of two ids', call('"method":"ping","id":1e2,"id":7'), ok('7', '"pong"')],
    ['the later of two methods', call('"method":"nope","method":"ping","id":7'), ok('7', '"pong"')],

    ['an unknown method', call('"method":"nope","id":1'), fail('1', -32601, 'Method not found')],
    ['an empty method', call('"method":"","id":1'), fail('1', -32601, 'Method not found')],
    ['another case', call('"method":"PING","id":1'), fail('1', -32601, 'Method not found')],
    [
      'a name of Object.prototype',
      call('"method":"constructor","id":1'),
      fail('1', -32601, 'Method not found'),
    ],
    ['a reserved name', call('"method":"rpc.nope","id":1'), fail('1', -32601, 'Method not found')],
    [
      'rpc.discover',
      call('"method":"rpc.discover","params":[],"id":1'),
      ok('1', '{"openrpc":"1.3.2"}'),
    ],
    [
      'rpc.discover with params',
      call('"method":"rpc.discover","params":[1],"id":1'),
      fail('1', -32602, 'Invalid params: rpc.discover takes none'),
    ],

    ['no params', call('"method":"ping","id":1'), ok('1', '"pong"')],
    ...['', '0xfF_9', 'a b', 'a\\n', '\\n', 'he\\"y', '\\\\', '\\u0001', '\u2603', '\\u2028'].map(
      (text): readonly [string, string, string] => [
        `a result that is the string "${text}"`,
        call(`"method":"echo","params":["${text}"],"id":1`),
        ok('1', JSON.stringify(JSON.parse(`"${text}"`))),
      ],
    ),
    ['empty params', call('"method":"ping","params":[],"id":1'), ok('1', '"pong"')],
    ['by position', call('"method":"add","params":[1,2],"id":1'), ok('1', '3')],
    [
      'a trailing optional param left out',
      call('"method":"add","params":[1],"id":1'),
      ok('1', '1'),
    ],
    [
      'a missing param is named',
      call('"method":"add","id":1'),
      fail(
        '1',
        -32602,
        'Invalid params: a is required',
        ',"data":[{"pointer":"/0","keyword":"required","message":"is required"}]',
      ),
    ],
    [
      'a wrong type is named',
      call('"method":"add","params":[1,"2"],"id":1'),
      fail(
        '1',
        -32602,
        'Invalid params: b must be an integer',
        ',"data":[{"pointer":"/1","keyword":"type","message":"must be an integer"}]',
      ),
    ],
    [
      'too many params',
      call('"method":"ping","params":[1],"id":1'),
      expect.stringMatching(/^\{"jsonrpc":"2.0","id":1,"error":\{"code":-32602,/),
    ],
    [
      'names where positions are wanted',
      call('"method":"add","params":{"a":1},"id":1'),
      fail(
        '1',
        -32602,
        'Invalid params: must be an array: this method takes its params by position',
        ',"data":[{"pointer":"","keyword":"type","message":"must be an array: this method takes its params by position"}]',
      ),
    ],
    [
      'positions where names are wanted',
      call('"method":"named","params":["x"],"id":1'),
      fail(
        '1',
        -32602,
        'Invalid params: must be an object: this method takes its params by name',
        ',"data":[{"pointer":"","keyword":"type","message":"must be an object: this method takes its params by name"}]',
      ),
    ],
    ['by name', call('"method":"named","params":{"who":"x"},"id":1'), ok('1', '{"who":"x"}')],
    [
      'by name, not the same case',
      call('"method":"named","params":{"Who":"x"},"id":1'),
      expect.stringMatching(/"code":-32602/),
    ],
    ['either: by position', call('"method":"either","params":["x"],"id":1'), ok('1', '["x"]')],
    [
      'either: by name',
      call('"method":"either","params":{"who":"x","age":4},"id":1'),
      ok('1', '["x",null,4]'),
    ],
    [
      'either: a missing name',
      call('"method":"either","params":{"age":4},"id":1'),
      fail(
        '1',
        -32602,
        'Invalid params: who is required',
        ',"data":[{"pointer":"/who","keyword":"required","message":"is required"}]',
      ),
    ],
    [
      'either: a wrong name',
      call('"method":"either","params":{"who":"x","Age":4},"id":1'),
      fail(
        '1',
        -32602,
        'Invalid params: Age is not a param of this method',
        ',"data":[{"pointer":"/Age","keyword":"additionalProperties","message":"is not a param of this method"}]',
      ),
    ],
    [
      'either: a wrong value',
      call('"method":"either","params":{"who":"x","age":"4"},"id":1'),
      fail(
        '1',
        -32602,
        'Invalid params: age must be an integer',
        ',"data":[{"pointer":"/age","keyword":"type","message":"must be an integer"}]',
      ),
    ],

    [
      'a number that would lose digits',
      call('"method":"echo","params":[{"a~b":[0,9007199254740993]}],"id":1'),
      fail(
        '1',
        -32602,
        'Invalid params: value.a~b.1 would lose digits: send it as a string',
        lost('/0/a~0b/1'),
      ),
    ],
    [
      'a long decimal',
      call('"method":"echo","params":[0.1000000000000000055511151231257827],"id":1'),
      fail('1', -32602, 'Invalid params: value would lose digits: send it as a string', lost('/0')),
    ],
    [
      'a number past all doubles',
      call('"method":"echo","params":[1e400],"id":1'),
      fail('1', -32602, 'Invalid params: value would lose digits: send it as a string', lost('/0')),
    ],
    [
      'another spelling of an exact number',
      call('"method":"echo","params":[[1.0,1e2,12345678901234567000]],"id":1'),
      ok('1', '[1,100,12345678901234567000]'),
    ],
    [
      'the same digits inside a string',
      call('"method":"echo","params":["9007199254740993 \\" 1e400"],"id":1'),
      ok('1', '"9007199254740993 \\" 1e400"'),
    ],
    [
      'half a surrogate pair',
      call('"method":"echo","params":["\\ud800"],"id":1'),
      fail(
        '1',
        -32602,
        'Invalid params: value contains half a surrogate pair, which is not a character',
        lost('/0', 'unicode'),
      ),
    ],
    [
      'a whole surrogate pair',
      call('"method":"echo","params":["\\ud83d\\ude00"],"id":1'),
      ok('1', '"😀"'),
    ],
    [
      '__proto__ is a key like any other',
      call('"method":"echo","params":[{"__proto__":{"x":1}}],"id":1'),
      ok('1', '{"__proto__":{"x":1}}'),
    ],

    [
      'a refusal',
      call('"method":"refuse","id":1'),
      fail('1', 3, 'execution reverted', ',"data":"0x08c379a0"'),
    ],
    [
      'a refusal whose data JSON cannot say',
      call('"method":"refuseBig","id":1'),
      fail('1', 4, 'too big'),
    ],
    ['a crash', call('"method":"crash","id":1'), fail('1', -32603, 'Internal error')],
    ['no result', call('"method":"nothing","id":1'), ok('1', 'null')],
    [
      'a result that breaks its schema',
      call('"method":"wrong","id":1'),
      fail('1', -32603, 'Internal error'),
    ],
    [
      'a result that JSON cannot say',
      call('"method":"bigint","id":1'),
      fail('1', -32603, 'Internal error'),
    ],

    [
      'a result that holds itself fails its own call of a batch',
      `[${call('"method":"ping","id":1')},${call('"method":"circle","id":2')},${call('"method":"slowCircle","id":3')},${call('"method":"ping","id":4')}]`,
      `[${ok('1', '"pong"')},${fail('2', -32603, 'Internal error')},${fail('3', -32603, 'Internal error')},${ok('4', '"pong"')}]`,
    ],

    ['a notification', call('"method":"ping"'), undefined],
    ['a notification to an unknown method', call('"method":"nope"'), undefined],
    ['a notification with wrong params', call('"method":"add","params":["x"]'), undefined],
    ['a notification that crashes', call('"method":"crash"'), undefined],

    [
      'an empty batch is one error',
      '[]',
      invalid('null', 'empty batch').replace('Invalid request: ', 'Invalid request: '),
    ],
    ['[1]', '[1]', `[${invalid('null', 'not an object')}]`],
    ['[1,2]', '[1,2]', `[${invalid('null', 'not an object')},${invalid('null', 'not an object')}]`],
    [
      'a nested batch',
      `[[${call('"method":"ping","id":1')}]]`,
      `[${invalid('null', 'not an object')}]`,
    ],
    ['notifications alone', `[${call('"method":"ping"')},${call('"method":"ping"')}]`, undefined],
    [
      'a mixture, in order, slow members first',
      `[${call('"method":"slow","id":1')},${call('"method":"ping"')},{"foo":"boo"},${call('"method":"nope","id":"5"')},${call('"method":"crash","id":9007199254740993')},${call('"method":"ping","id":"1"')},${call('"method":"ping","id":1')}]`,
      `[${ok('1', '"slow"')},${invalid('null', 'jsonrpc must be \\"2.0\\"')},${fail('"5"', -32601, 'Method not found')},${fail('9007199254740993', -32603, 'Internal error')},${ok('"1"', '"pong"')},${ok('1', '"pong"')}]`,
    ],
    [
      'a batch of 4',
      `[${Array(4).fill(call('"method":"ping","id":1')).join()}]`,
      `[${Array(4).fill(ok('1', '"pong"')).join()}]`.slice(0),
    ],
    [
      'lost digits fail their own member',
      `[${call('"method":"echo","params":[1e400],"id":1.0')},${call('"method":"echo","params":[1],"id":2')}]`,
      `[${fail('1.0', -32602, 'Invalid params: value would lose digits: send it as a string', lost('/0'))},${ok('2', '1')}]`,
    ],
    [
      'a batch over the limit',
      `[${call('"method":"ping","id":9007199254740993')},${call('"method":"ping"')},1,{"id":"a"},${call('"method":"nope","id":"b"')},${Array(4).fill(call('"method":"ping","id":{}')).join()}]`,
      `[${fail('9007199254740993', -32010, 'Batch too large: at most 8')},${fail('"b"', -32010, 'Batch too large: at most 8')}]`,
    ],
    [
      'a batch over the limit, with more ids than a client waits for',
      `[${Array.from({ length: 1_001 }, (_, id) => call(`"method":"ping","id":${id}`)).join()}]`,
      fail('null', -32010, 'Batch too large: at most 8'),
    ],
    [
      'the limit counts members, not answers',
      `[${Array(9).fill(call('"method":"ping"')).join()}]`,
      fail('null', -32010, 'Batch too large: at most 8'),
    ],
  ])('%s', async (_title, body, want) => {
    const send = over(server())
    const reply = await send({ method: 'POST', url: `/zgt/${KEY}`, headers: JSON_TYPE, body })
    expect({ status: reply.status, body: reply.body }).toEqual({
      status: want === undefined ? 204 : 200,
      body: want ?? '',
    })
    expect(reply.headers['content-type']).toBe(want === undefined ? undefined : 'application/json')
  })

  const ping = call('"method":"ping","id":1')
  const bare = (message: string): string => fail('null', -32600, message)
  it.each<
    readonly [
      string,
      { method?: string; headers?: Record<string, string>; body?: string; url?: string },
      number,
      string,
      Record<string, string>,
    ]
  >([
    ['GET', { method: 'GET', headers: {} }, 405, bare('Method not allowed'), { allow: 'POST' }],
    ['PUT', { method: 'PUT', body: ping }, 405, bare('Method not allowed'), { allow: 'POST' }],
    ['DELETE', { method: 'DELETE' }, 405, bare('Method not allowed'), { allow: 'POST' }],
    ['OPTIONS', { method: 'OPTIONS' }, 405, bare('Method not allowed'), { allow: 'POST' }],
    ['HEAD', { method: 'HEAD' }, 405, '', { allow: 'POST' }],
    [
      'text/plain',
      { headers: { 'content-type': 'text/plain' }, body: ping },
      415,
      bare('Content-Type must be application/json'),
      {},
    ],
    [
      'UTF-16 by name',
      { headers: { 'content-type': 'application/json; charset=utf-16' }, body: ping },
      415,
      bare('Content-Type must be application/json'),
      {},
    ],
    [
      'UTF-8 by name',
      { headers: { 'content-type': 'Application/JSON; charset="UTF-8"' }, body: ping },
      200,
      ok('1', '"pong"'),
      {},
    ],
    [
      'application/json-rpc',
      { headers: { 'content-type': 'application/json-rpc' }, body: ping },
      200,
      ok('1', '"pong"'),
      {},
    ],
    [
      'compressed',
      { headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: ping },
      415,
      bare('Content-Encoding is not supported'),
      { 'accept-encoding': 'identity' },
    ],
    [
      'too large',
      { body: ping + ' '.repeat(700_000) },
      413,
      bare('The body exceeds 700000 bytes'),
      {},
    ],
    [
      'exactly large enough',
      { body: ping + ' '.repeat(700_000 - ping.length) },
      200,
      ok('1', '"pong"'),
      {},
    ],
    [
      'a key that is not percent-encoding',
      { url: '/zgt/%zz', body: ping },
      200,
      ok('1', '"pong"'),
      {},
    ],
    ['no key', { url: '/zgt/', body: ping }, 404, '{"error":"Not found"}', {}],
    ['another path', { url: '/zgt/a/b', body: ping }, 404, '{"error":"Not found"}', {}],
  ])('%s', async (_title, request, status, body, headers) => {
    const reply = await over(server())({
      method: 'POST',
      url: `/zgt/${KEY}`,
      headers: JSON_TYPE,
      ...request,
    })
    expect({ status: reply.status, body: reply.body }).toEqual({ status, body })
    expect(reply.headers).toMatchObject(headers)
  })
})

describe('authorize', () => {
  const ping = '{"jsonrpc":"2.0","method":"ping","id":1}'
  const add = '{"jsonrpc":"2.0","method":"add","id":2}'
  const send = (options: ServerOptions, body: string) =>
    overHandle(server(options))({ method: 'POST', url: `/zgt/${KEY}`, headers: JSON_TYPE, body })

  it('is asked for each member before its params are read, with the key and the method', async () => {
    const asked: unknown[] = []
    const batch = `[${ping},${add},{"jsonrpc":"2.0","method":"nope","id":3}]`
    await send(
      {
        authorize: ({ operation, method, auth }) => void asked.push([operation?.id, method, auth]),
      },
      batch,
    )
    expect(asked).toEqual([
      ['ping', 'ping', { apiKey: KEY }],
      ['add', 'add', { apiKey: KEY }],
      [undefined, 'nope', { apiKey: KEY }],
    ])
  })

  const unknownKey = ({ method }: { method: string }): never => {
    throw new HttpError({
      operation: method,
      status: 401,
      body: undefined,
      message: `Unknown key ${KEY}`,
    })
  }
  const error = (id: number): string =>
    `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"Unknown key [redacted]"}}`

  it.each<readonly [string, ServerOptions, string, number, string]>([
    ['an unknown key', { authorize: unknownKey }, ping, 401, error(1)],
    ['an unknown key in a batch', { authorize: unknownKey }, `[${ping}]`, 401, `[${error(1)}]`],
    [
      'one refused member among others',
      { authorize: (call) => void (call.method === 'ping' && unknownKey(call)) },
      `[${ping},${ping.replace('ping', 'nothing')}]`,
      200,
      `[${error(1)},{"jsonrpc":"2.0","id":1,"result":null}]`,
    ],
    [
      'a refusal in JSON-RPC words',
      {
        authorize: () => {
          throw new RpcError({ code: -32005, message: 'Slow down', data: { key: KEY } })
        },
      },
      ping,
      200,
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"Slow down","data":{"key":"[redacted]"}}}',
    ],
  ])('%s', async (_title, options, body, status, want) => {
    const reply = await send(options, body)
    expect({ status: reply.status, body: reply.body }).toEqual({ status, body: want })
  })

  it('keeps the names of faults whole where the key is as short as a letter', async () => {
    const url = '/zgt/k'
    const reply = await overHandle(server())({ method: 'POST', url, headers: JSON_TYPE, body: add })
    expect(JSON.parse(reply.body).error).toEqual({
      code: -32602,
      message: 'Invalid params: a is required',
      data: [{ pointer: '/0', keyword: 'required', message: 'is required' }],
    })
  })

  it('tells when to come back', async () => {
    const headers = new Headers({ 'retry-after': '7', 'content-length': '3' })
    const authorize = (): never => {
      throw new HttpError({
        operation: 'ping',
        status: 429,
        body: undefined,
        headers,
        message: 'Too many requests',
      })
    }
    expect(await send({ authorize }, ping)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '7' },
      body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"Too many requests"}}',
    })
  })
})

describe('errors that nobody outside hears of', () => {
  it('reach onError, without the key', async () => {
    const heard: unknown[] = []
    const onError: NonNullable<ServerOptions['onError']> = (error, { operation }) =>
      heard.push([operation?.id, (error as Error).message, (error as { issues?: unknown }).issues])
    const send = overHandle(server({ onError }))
    for (const method of ['crash', 'wrong', 'refuse'])
      await send({
        method: 'POST',
        url: `/zgt/${KEY}`,
        headers: JSON_TYPE,
        body: `{"jsonrpc":"2.0","method":"${method}","id":1}`,
      })
    expect(heard).toEqual([
      ['crash', 'Cannot reach https://node/[redacted]', undefined],
      [
        'wrong',
        'The handler\'s result does not match its schema: must be an integer, is the string "text"',
        [
          {
            pointer: '',
            path: [],
            keyword: 'type',
            message: 'must be an integer, is the string "text"',
          },
        ],
      ],
    ])
  })

  it('leaves results unchecked in production', async () => {
    const send = overHandle(server({ validateOutput: false }))
    const reply = await send({
      method: 'POST',
      url: `/zgt/${KEY}`,
      headers: JSON_TYPE,
      body: '{"jsonrpc":"2.0","method":"wrong","id":1}',
    })
    expect(reply.body).toBe('{"jsonrpc":"2.0","id":1,"result":"text"}')
  })
})

describe('batches', () => {
  it('run a bounded number of members at a time', async () => {
    const batch = `[${Array(8).fill('{"jsonrpc":"2.0","method":"together","id":1}').join()}]`
    const reply = await overHandle(server({ concurrency: 3 }))({
      method: 'POST',
      url: `/zgt/${KEY}`,
      headers: JSON_TYPE,
      body: batch,
    })
    expect(
      Math.max(...JSON.parse(reply.body).map((answer: { result: number }) => answer.result)),
    ).toBe(3)
  })

  it('stop running members once the answers are too large', async () => {
    const batch = `[${Array(3).fill('{"jsonrpc":"2.0","method":"ping","id":1}').join()}]`
    const send = overHandle(server({ concurrency: 1, batchAnswerSize: 60 }))
    const reply = await send({
      method: 'POST',
      url: `/zgt/${KEY}`,
      headers: JSON_TYPE,
      body: batch,
    })
    expect(
      JSON.parse(reply.body).map((answer: { error?: { code: number } }) => answer.error?.code),
    ).toEqual([undefined, undefined, -32003])
  })
})

describe('a batch has a large document of rpc.discover once', () => {
  const discover = { jsonrpc: '2.0', method: 'rpc.discover' }
  const ping = { jsonrpc: '2.0', method: 'ping', id: 'ping' }
  const answersTo = async (batch: readonly object[], description: string) => {
    const core = createServerCore(
      {
        rpc: { ...rpc, operations: { ping: operation('ping') } },
        validators: { ping: { params: any, result: any } },
        openrpc: { openrpc: '1.3.2', info: { description } },
      },
      { ping: () => 'pong' },
    )
    const body = JSON.stringify(batch)
    const sent = { method: 'POST', url: `/zgt/${KEY}`, headers: JSON_TYPE, body }
    const reply = await overHandle(core)(sent)
    const answers: { readonly id: unknown; readonly error?: { readonly code: number } }[] =
      JSON.parse(reply.body)
    return { size: reply.body.length, answers: answers.map(({ id, error }) => [id, error?.code]) }
  }
  const LONG = 'x'.repeat(20_000)

  it.each<[string, readonly object[], readonly (readonly [unknown, number?])[]]>([
    ['once', [{ ...discover, id: 1 }, ping], [[1], ['ping']]],
    ['twice', [{ ...discover, id: 1 }, ping, { ...discover, id: 2 }], [[1], ['ping'], [2, -32003]]],
    [
      'after one with params',
      [
        { ...discover, id: 1, params: [1] },
        { ...discover, id: 2 },
      ],
      [[1, -32602], [2]],
    ],
    ['after a notification', [discover, { ...discover, id: 2 }], [[2]]],
    [
      'as often as a batch allows',
      Array.from({ length: 8 }, (_, id) => ({ ...discover, id })),
      Array.from({ length: 8 }, (_, id) => (id === 0 ? [id] : [id, -32003])),
    ],
  ])('%s', async (_, batch, expected) => {
    const { size, answers } = await answersTo(batch, LONG)
    expect(answers.map((one) => one.filter((part) => part !== undefined))).toEqual(expected)
    expect(size).toBeLessThan(LONG.length + 2_000)
  })

  it('and a small one each time', async () => {
    const batch = [1, 2, 3].map((id) => ({ ...discover, id }))
    expect((await answersTo(batch, 'x')).answers).toEqual([1, 2, 3].map((id) => [id, undefined]))
  })
})

it('asks for the params that an operation names, and in its way, where a schema lets everything pass', async () => {
  const operations = {
    two: operation('two', [
      { name: 'a', required: true },
      { name: 'b', required: true },
    ]),
    named: operation('named', [{ name: 'who', required: true }], 'by-name'),
  }
  const accepting = { params: any, result: any }
  const validators = { two: accepting, named: accepting }
  const answer = (): string => 'ran'
  const core = createServerCore(
    { rpc: { ...rpc, operations }, validators },
    { two: answer, named: answer },
  )
  const messageOf = async (method: string, params: string): Promise<string | undefined> => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
    const sent = { method: 'POST', url: `/zgt/${KEY}`, headers: JSON_TYPE, body }
    return JSON.parse((await overHandle(core)(sent)).body).error?.message
  }
  expect(await messageOf('two', '[1]')).toBe('Invalid params: b is required')
  expect(await messageOf('two', '[1,2]')).toBeUndefined()
  expect(await messageOf('named', '["x"]')).toBe(
    'Invalid params: must be an object: this method takes its params by name',
  )
})

it('refuses to start without a handler', () => {
  const service = { rpc: { ...rpc, operations: { ping: operation('ping') } }, validators: {} }
  expect(() => createServerCore(service, {})).toThrow(new TypeError('No handler for ping'))
})

it('refuses to start where the validators of a method are missing', () => {
  const service = { rpc: { ...rpc, operations: { ping: operation('ping') } }, validators: {} }
  expect(() => createServerCore(service, { ping: () => 'pong' })).toThrow(
    new TypeError('No validators for ping: pass what validators.ts or explanations.ts exports'),
  )
})

const JSON_TYPE = { 'content-type': 'application/json' }

const operation = (
  method: string,
  params: RpcOperation['params'] = [],
  paramStructure: RpcOperation['paramStructure'] = 'by-position',
): RpcOperation => ({ kind: 'rpc', id: method, method, params, paramStructure, errors: [] })

const rpc = { servers: [], limits: { batchSize: 8, payloadBytes: 700_000 }, path: '/zgt/{apiKey}' }

const none = validator(() => ({ type: 'array', maxItems: 0 }))
const any = validator(() => true)
const integer = { type: 'integer' } as const
const string = { type: 'string' } as const

const server = (options: ServerOptions = {}): ServerCore => {
  let running = 0
  const pause = (milliseconds: number) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds))
  const operations = {
    add: operation('add', [
      { name: 'a', required: true },
      { name: 'b', required: false },
    ]),
    echo: operation('echo', [{ name: 'value', required: true }]),
    named: operation('named', [{ name: 'who', required: true }], 'by-name'),
    either: operation(
      'either',
      [
        { name: 'who', required: true },
        { name: 'nick', required: false },
        { name: 'age', required: false },
      ],
      'either',
    ),
  }
  const plain = [
    'ping',
    'refuse',
    'refuseBig',
    'crash',
    'nothing',
    'wrong',
    'bigint',
    'circle',
    'slowCircle',
    'slow',
    'together',
  ]
  const validators = {
    ...Object.fromEntries(plain.map((method) => [method, { params: none, result: any }])),
    add: {
      params: validator(() => ({
        type: 'array',
        prefixItems: [integer, integer],
        minItems: 1,
        items: false,
      })),
      result: any,
    },
    echo: { params: validator(() => ({ type: 'array', minItems: 1, maxItems: 1 })), result: any },
    named: {
      params: validator(() => ({
        type: 'object',
        properties: { who: string },
        required: ['who'],
        additionalProperties: false,
      })),
      result: any,
    },
    either: {
      params: validator(() => ({
        type: 'array',
        prefixItems: [string, string, integer],
        minItems: 1,
        items: false,
      })),
      result: any,
    },
    nothing: { params: none, result: validator(() => ({ type: 'null' })) },
    wrong: { params: none, result: validator(() => integer) },
  }
  const service = {
    rpc: {
      ...rpc,
      operations: {
        ...Object.fromEntries(plain.map((method) => [method, operation(method)])),
        ...operations,
      },
    },
    validators,
    openrpc: { openrpc: '1.3.2' },
  }
  const circle: unknown[] = []
  circle.push(circle)
  const handlers = {
    ping: () => 'pong',
    add: ([a, b = 0]: [number, number?]) => a + b,
    echo: ([value]: [unknown]) => value,
    named: (params: { who: string }) => params,
    either: (params: unknown[]) => params,
    nothing: () => undefined,
    wrong: () => 'text',
    bigint: () => 1n,
    circle: () => circle,
    slowCircle: async () => circle,
    slow: () => pause(20).then(() => 'slow'),
    together: async () => {
      running += 1
      const seen = running
      await pause(5)
      running -= 1
      return seen
    },
    refuse: () => {
      throw new RpcError({ code: 3, message: 'execution reverted', data: '0x08c379a0' })
    },
    refuseBig: () => {
      throw new RpcError({ code: 4, message: 'too big', data: 1n })
    },
    crash: () => {
      throw new Error(`Cannot reach https://node/${KEY}`)
    },
  }
  return createServerCore(service, handlers, {
    onError: () => undefined,
    validateOutput: true,
    ...options,
  })
}

it('an invalid param is rejected after any number of skipped ones', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `p${index}`)
  const many: RpcOperation = {
    kind: 'rpc',
    id: 'many',
    method: 'many',
    params: names.map((name) => ({ name, required: false })),
    paramStructure: 'either',
    errors: [],
  }
  const prefixItems = names.map(() => ({ type: 'string' }) as const)
  const params = validator(() => ({ type: 'array', prefixItems }))
  const result = validator(() => ({}))
  const server = createServerCore(
    {
      rpc: { servers: [], path: '/rpc', operations: { many } },
      validators: { many: { params, result } },
    },
    { many: (given: readonly unknown[]) => given.length },
  )
  const skipped = names.slice(1).map(() => null)
  const ask = async (params: unknown) => {
    const { body } = await overHandle(server)({
      method: 'POST',
      url: '/rpc',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'many', params }),
    })
    return JSON.parse(body)
  }
  expect(await ask([...skipped, 'a'])).toMatchObject({ result: 30 })
  const wrong = { error: { code: -32602, message: 'Invalid params: p29 must be a string' } }
  expect(await ask([...skipped, 5])).toMatchObject(wrong)
  expect(await ask({ p29: 5 })).toMatchObject(wrong)
})
