import { describe, expect, it } from 'vitest'
import { HttpError } from '../../src/runtime/errors.js'
import type { HttpOperation, HttpValidators, Parameter } from '../../src/runtime/operation.js'
import {
  createServerCore,
  type ServerCore,
  type ServerOptions,
  type UploadedFile,
} from '../../src/runtime/server.js'
import { type Validator, type ValidatorSchema, validator } from '../../src/runtime/validate.js'
import { contentOf, declaredResponses } from './declared.js'
import { overFetch, overHandle, overNode, type Sent } from './server-fixture.js'

const JSON_TYPE = { 'content-type': 'application/json' }
const KEY = 'sesame-4711'

describe.each([
  ['handle', overHandle],
  ['a fetch handler', overFetch],
  ['a node socket', overNode],
])('HTTP operations over %s', (_, over) => {
  const post = (
    url: string,
    body: string | Uint8Array,
    headers: Sent['headers'] = JSON_TYPE,
  ): Sent => ({ method: 'POST', url, body, headers })
  const form = (fields: string): Sent =>
    post('/form', fields, { 'content-type': 'application/x-www-form-urlencoded' })
  const get = (url: string): Sent => ({ method: 'GET', url })
  const no = (error: string): string => JSON.stringify({ success: false, error })

  it.each<readonly [title: string, sent: Sent, status: number, body: string]>([
    [
      'the literal path wins over the template',
      post('/zkt/try-it-out', '{"arguments":"hi"}'),
      200,
      '{"success":true,"hash":"try message"}',
    ],
    [
      'also where it is percent-encoded',
      post('/zkt/try%2Dit-out', '{"arguments":"hi"}'),
      200,
      '{"success":true,"hash":"try message"}',
    ],
    [
      'the template takes the rest',
      post(`/zkt/${KEY}`, '{"arguments":"hi"}'),
      200,
      '{"success":true,"hash":"message hi"}',
    ],
    [
      'the form chooses the handler',
      post(`/zkt/${KEY}`, '{"to":"0x1","arguments":[1]}'),
      200,
      '{"success":true,"output":["0x1"]}',
    ],
    [
      'a form may answer its refusal under 200',
      post(`/zkt/${KEY}`, '{"to":"0x2","arguments":[1]}'),
      200,
      '{"success":false,"error":"reverted"}',
    ],
    [
      'a form may be refused by status',
      post(`/zkt/${KEY}`, '{"to":"0x3","arguments":[1]}'),
      429,
      '{"success":false,"error":"later"}',
    ],
    [
      'a body that comes nearest to one form gets its faults',
      post(`/zkt/${KEY}`, '{"to":"0x1"}'),
      400,
      no('body must have the property `arguments`'),
    ],
    [
      'no form fits: the text that was sent is not shown',
      post(`/zkt/${KEY}`, '{"to":"0x1","arguments":"my secret text"}'),
      400,
      no('body.arguments must be an array'),
    ],
    [
      'malformed JSON',
      post(`/zkt/${KEY}`, '{"arguments":"hi",}'),
      400,
      no('The body is not valid JSON'),
    ],
    ['an empty body', post(`/zkt/${KEY}`, ''), 400, no('The body is not valid JSON')],
    [
      'a byte order mark',
      post(`/zkt/${KEY}`, '\ufeff{"arguments":"hi"}'),
      400,
      no('The body is not valid JSON'),
    ],
    [
      'broken UTF-8',
      post(`/zkt/${KEY}`, new Uint8Array([0x22, 0xff, 0x22])),
      400,
      no('The body is not UTF-8'),
    ],
    [
      '1,000 levels',
      post(`/zkt/${KEY}`, '['.repeat(1000) + ']'.repeat(1000)),
      400,
      no('The body is not valid JSON'),
    ],
    [
      'a number that would lose digits',
      post(`/zkt/${KEY}`, '{"to":"0x1","arguments":[9007199254740993]}'),
      400,
      no('body.arguments.0 would lose digits: send it as a string'),
    ],
    [
      'another content type',
      post(`/zkt/${KEY}`, '{}', { 'content-type': 'text/plain' }),
      415,
      no('Content-Type must be application/json'),
    ],
    [
      'no content type',
      post(`/zkt/${KEY}`, new TextEncoder().encode('{}'), {}),
      415,
      no('Content-Type must be application/json'),
    ],
    [
      'another charset',
      post(`/zkt/${KEY}`, '{}', { 'content-type': 'application/json;charset=latin1' }),
      415,
      no('Content-Type must be application/json'),
    ],
    [
      'a body over the limit',
      post(`/zkt/${KEY}`, `{"arguments":"${'x'.repeat(5000)}"}`),
      413,
      no('The body exceeds 4096 bytes'),
    ],
    [
      'a body of exactly the limit',
      post(`/zkt/${KEY}`, '{"arguments":"hi"}'.padEnd(4096)),
      200,
      '{"success":true,"hash":"message hi"}',
    ],

    [
      'a malformed key is no more than a wrong one',
      post('/zkt/no', '{"arguments":"hi"}'),
      401,
      no('Unauthorized'),
    ],
    [
      'so is one that cannot be decoded',
      post('/zkt/%zz', '{"arguments":"hi"}'),
      401,
      no('Unauthorized'),
    ],
    ['an empty key', post('/zkt/', '{"arguments":"hi"}'), 404, '{"error":"Not found"}'],
    ['another method', get(`/zkt/${KEY}`), 405, no('Method not allowed')],
    ['another path', get('/nope'), 404, '{"error":"Not found"}'],
    ['a trailing slash', get('/status/abcd/'), 404, '{"error":"Not found"}'],

    ['a parameter in the path', get('/status/abcd'), 200, '{"id":"abcd"}'],
    ['decoded', get('/status/%61bcd'), 200, '{"id":"abcd"}'],
    ['not decodable', get('/status/%zz'), 400, '{"error":"path.id is not valid percent-encoding"}'],
    ['not fitting', get('/status/ABCD'), 400, '{"error":"path.id must match ^[a-z]+$"}'],
    [
      'numbers and booleans by their schema',
      get('/status/abcd?limit=5&all=true'),
      200,
      '{"id":"abcd","limit":5,"all":true}',
    ],
    [
      'digits that are a string by their schema',
      get('/status/abcd?name=5'),
      200,
      '{"id":"abcd","name":"5"}',
    ],
    [
      'a number out of range',
      get('/status/abcd?limit=500'),
      400,
      '{"error":"query.limit must be at most 100"}',
    ],
    ['no number', get('/status/abcd?limit=x'), 400, '{"error":"query.limit must be an integer"}'],
    [
      'a number that would lose digits in the query',
      get('/status/abcd?big=9007199254740993'),
      400,
      '{"error":"query.big would lose digits: send it as a string"}',
    ],
    [
      'an unknown parameter',
      get('/status/abcd?zz=1'),
      400,
      '{"error":"query.zz is not a parameter of this operation"}',
    ],
    [
      'a refusal of the handler, shaped as declared',
      get('/status/missing'),
      404,
      '{"error":"No such thing"}',
    ],
    [
      'a refusal of the handler with a body of its own',
      get('/status/gone'),
      404,
      '{"error":"Gone"}',
    ],
    ['a crash', get('/status/crash'), 500, '{"error":"Internal error"}'],
    ['an undeclared status', get('/status/teapot'), 500, '{"error":"Internal error"}'],
    ['a body that breaks its schema', get('/status/wrong'), 500, '{"error":"Internal error"}'],
    ['a body that JSON cannot say', get('/status/bigint'), 500, '{"error":"Internal error"}'],

    ['text', post('/text', 'hällo', { 'content-type': 'text/plain; charset=utf-8' }), 200, 'HÄLLO'],
    ['a form', form('n=1&tag=a&tag=b'), 200, '{"n":1,"tag":["a","b"]}'],
    ['a form with a list of one', form('n=1&tag=5'), 200, '{"n":1,"tag":["5"]}'],
    [
      'a form with records as JSON',
      form('n=1&place={"x":2}&places={"x":3}'),
      200,
      '{"n":1,"place":{"x":2},"places":[{"x":3}]}',
    ],
    [
      'a form with a list of records',
      form('places={"x":3}&places={"x":4}&n=1'),
      200,
      '{"places":[{"x":3},{"x":4}],"n":1}',
    ],
    ['a form with text like JSON', form('n=1&note={"x":2}'), 200, '{"n":1,"note":"{\\"x\\":2}"}'],
    [
      'a form that does not fit',
      form('n=x'),
      400,
      '{"error":"body.n must be an integer","faults":[{"pointer":"/body/n","keyword":"type","message":"must be an integer"}]}',
    ],
    [
      'a form whose record does not fit',
      form('n=1&places={"x":"a"}'),
      400,
      '{"error":"body.places.0.x must be an integer","faults":[{"pointer":"/body/places/0/x","keyword":"type","message":"must be an integer"}]}',
    ],
    [
      'a form without what it needs',
      form('tag=a'),
      400,
      '{"error":"body must have the property `n`","faults":[{"pointer":"/body","keyword":"required","message":"must have the property `n`"}]}',
    ],
    ['bytes', post('/bytes', new Uint8Array([1, 2, 3]), { 'content-type': 'image/png' }), 200, '3'],
    ['an optional body left out', { method: 'POST', url: '/bytes' }, 200, '0'],
    ['an answer without a body', { method: 'DELETE', url: '/text' }, 204, ''],
  ])('%s', async (_title, sent, status, body) => {
    const reply = await over(server())(sent)
    expect({ status: reply.status, body: reply.body }).toEqual({ status, body })
  })

  it.each<readonly [string, Sent, Record<string, string>]>([
    [
      'answers are not kept',
      get('/status/abcd'),
      {
        'cache-control': 'no-store',
        'content-type': 'application/json',
        'x-content-type-options': 'nosniff',
      },
    ],
    [
      'headers of a handler',
      get('/status/headers'),
      { 'cache-control': 'max-age=5', 'x-total': '5' },
    ],
    ['what is allowed instead', { method: 'PUT', url: '/status/abcd' }, { allow: 'GET, HEAD' }],
    ['OPTIONS is no operation', { method: 'OPTIONS', url: `/zkt/${KEY}` }, { allow: 'POST' }],
    [
      'what would be accepted',
      post(`/zkt/${KEY}`, '{}', { 'content-type': 'text/plain' }),
      { accept: 'application/json' },
    ],
    [
      'text is text',
      post('/text', 'x', { 'content-type': 'text/plain' }),
      { 'content-type': 'text/plain' },
    ],
    [
      'when to come back',
      post(`/zkt/${KEY}`, '{"to":"0x4","arguments":[1]}'),
      { 'retry-after': '9' },
    ],
  ])('%s', async (_title, sent, headers) => {
    expect((await over(server())(sent)).headers).toMatchObject(headers)
  })

  it('answers HEAD like GET, without the body', async () => {
    const reply = await over(server())({ method: 'HEAD', url: '/status/abcd' })
    expect({
      status: reply.status,
      length: reply.headers['content-length'],
      body: reply.body,
    }).toEqual({ status: 200, length: '13', body: '' })
  })
})

describe('parameters by style', () => {
  const list = { type: 'array', items: { type: 'integer' } } as const
  const object = {
    type: 'object',
    properties: { R: { type: 'integer' }, G: { type: 'integer' } },
    additionalProperties: false,
  } as const
  it.each<
    readonly [Parameter['in'], Parameter['style'], boolean, ValidatorSchema, string, unknown]
  >([
    ['path', 'simple', false, list, '3,4', [3, 4]],
    ['path', 'simple', false, object, 'R,100,G,200', { R: 100, G: 200 }],
    ['path', 'simple', true, object, 'R=100,G=200', { R: 100, G: 200 }],
    ['path', 'simple', false, { type: 'string' }, 'a%2Cb%2Fc', 'a,b/c'],
    ['path', 'label', false, { type: 'integer' }, '.5', 5],
    ['path', 'label', false, list, '.3,4', [3, 4]],
    ['path', 'label', true, list, '.3.4', [3, 4]],
    ['path', 'label', true, { type: 'array' }, '.a.b,c', ['a', 'b,c']],
    ['path', 'label', false, { type: 'array' }, '.a.b,c', ['a.b', 'c']],
    ['path', 'label', true, object, '.R=100.G=200', { R: 100, G: 200 }],
    ['path', 'matrix', false, { type: 'integer' }, ';v=5', 5],
    ['path', 'matrix', false, list, ';v=3,4', [3, 4]],
    ['path', 'matrix', true, list, ';v=3;v=4', [3, 4]],
    ['path', 'matrix', false, object, ';v=R,100,G,200', { R: 100, G: 200 }],
    ['path', 'matrix', true, object, ';R=100;G=200', { R: 100, G: 200 }],
    ['query', 'form', true, list, 'v=3&v=4', [3, 4]],
    ['query', 'form', true, list, 'v=3', [3]],
    ['query', 'form', true, { type: 'array' }, 'v=', ['']],
    ['query', 'form', true, { type: 'array', items: { type: 'string' } }, 'v=a,b', ['a,b']],
    ['query', 'form', false, list, 'v=3,4', [3, 4]],
    [
      'query',
      'form',
      false,
      { type: 'array', items: { type: 'string' } },
      'v=a%2Cb,c+d',
      ['a,b', 'c d'],
    ],
    ['query', 'form', false, object, 'v=R,100,G,200', { R: 100, G: 200 }],
    ['query', 'form', true, object, 'R=100&G=200', { R: 100, G: 200 }],
    ['query', 'spaceDelimited', false, list, 'v=3%204', [3, 4]],
    ['query', 'pipeDelimited', false, list, 'v=3|4', [3, 4]],
    ['query', 'pipeDelimited', false, list, 'v=3%7C4', [3, 4]],
    ['query', 'deepObject', true, object, 'v[R]=100&v%5BG%5D=200', { R: 100, G: 200 }],
    [
      'query',
      'deepObject',
      true,
      { type: 'object' },
      'v[a][b]=1&v[c]=x&v[c]=y&v[d][1]=w&v[d][0]=v&v[e][]=u',
      { a: { b: '1' }, c: ['x', 'y'], d: ['v', 'w'], e: ['u'] },
    ],
    [
      'query',
      'deepObject',
      true,
      { type: 'object', properties: { a: { type: 'object' } } },
      'v[a][0]=x',
      { a: { 0: 'x' } },
    ],
    [
      'query',
      'deepObject',
      true,
      { type: 'object' },
      'v[__proto__][x]=1',
      JSON.parse('{"__proto__":{"x":"1"}}'),
    ],
    ['query', 'form', true, { type: ['boolean', 'null'] }, 'v=false', false],
    ['query', 'form', true, { type: 'string' }, 'v=true', 'true'],
    [
      'query',
      'form',
      true,
      { type: 'array', items: { type: ['integer', 'string'] } },
      'v=1&v=a',
      ['1', 'a'],
    ],
    ['header', 'simple', false, list, '3, 4', [3, 4]],
    ['header', 'simple', false, { type: 'string' }, '50%', '50%'],
    ['cookie', 'form', false, { type: 'integer' }, '7', 7],
    ['cookie', 'form', true, list, '3; v=4', [3, 4]],
    ['cookie', 'form', true, { type: 'integer' }, '3; v=4', 3],
    ['cookie', 'form', false, { type: 'integer' }, '3; v=4', 3],
  ])('%s %s explode %s %o: %s', async (location, style, explode, schema, sent, want) => {
    const parameter: Parameter = { name: 'v', in: location, required: true, style, explode }
    const operation = http('read', 'GET', location === 'path' ? '/p/{v}' : '/p', {
      parameters: [parameter],
      responses: declaredResponses({ 200: ['application/json'] }),
    })
    const validators = {
      read: { parameters: { [`${location}.v`]: validator(() => schema) }, responses: {} },
    }
    const core = createServerCore(
      { http: { servers: [], operations: { read: operation } }, validators },
      {
        read: (input: Record<string, { v: unknown }>) => ({
          status: 200,
          body: input[location]?.v,
        }),
      },
    )
    const url = { path: `/p/${sent}`, query: `/p?${sent}`, header: '/p', cookie: '/p' }[location]
    const headers = {
      ...(location === 'header' && { v: sent }),
      ...(location === 'cookie' && { cookie: `a=b; v=${sent}; c=d` }),
    }
    const reply = await overHandle(core)({ method: 'GET', url, headers })
    expect({ status: reply.status, body: JSON.parse(reply.body) }).toEqual({
      status: 200,
      body: want,
    })
  })
})

describe('parameters of requests that are right', () => {
  it.each<readonly [string, ValidatorSchema, string, unknown]>([
    ['a string', { type: 'string', minLength: 2 }, '?v=12', '12'],
    ['a number', { type: 'integer' }, '?v=12', 12],
    ['a list of strings', { type: 'array', items: { type: 'string' } }, '?v=1&v=2', ['1', '2']],
    ['a list of one string', { type: 'array', items: { type: 'string' } }, '?v=1', ['1']],
    ['none', { type: 'integer' }, '', undefined],
  ])('%s is read without an explanation', async (_title, schema, query, want) => {
    const known = validator(() => schema)
    const explained: unknown[] = []
    const counted: Validator = {
      check: known.check,
      explain(value, most) {
        explained.push(value)
        return known.explain(value, most)
      },
    }
    const seen: unknown[] = []
    const read = http('read', 'GET', '/p', {
      parameters: [{ name: 'v', in: 'query', required: false, style: 'form', explode: true }],
      responses: declaredResponses({ 200: ['application/json'] }),
    })
    const core = createServerCore(
      {
        http: { servers: [], operations: { read } },
        validators: { read: { parameters: { 'query.v': counted }, responses: {} } },
      },
      {
        read: (input: { readonly query: { readonly v?: unknown } }) => {
          seen.push(input.query.v)
          return { status: 200, body: {} }
        },
      },
    )
    const reply = await overHandle(core)({ method: 'GET', url: `/p${query}` })
    expect({ status: reply.status, seen, explained }).toEqual({
      status: 200,
      seen: [want],
      explained: [],
    })
  })
})

describe('credentials', () => {
  const basic = `Basic ${btoa('ann:p:w')}`
  it.each<readonly [string, Record<string, string>, string, number, unknown]>([
    ['none', {}, '/secure', 401, undefined],
    ['basic', { authorization: basic }, '/secure', 200, { basic: 'ann:p:w' }],
    [
      'bearer and key together',
      { authorization: 'bearer tok' },
      '/secure?api_key=k%31',
      200,
      { bearer: 'tok', key: 'k1' },
    ],
    ['bearer alone, of a pair', { authorization: 'bearer tok' }, '/secure', 401, undefined],
  ])('%s', async (_title, headers, url, status, want) => {
    const seen: unknown[] = []
    const core = server({
      authorize: ({ auth }) => void seen.push(JSON.parse(JSON.stringify(auth))),
    })
    const reply = await overHandle(core)({ method: 'GET', url, headers })
    expect({ status: reply.status, seen }).toEqual({
      status,
      seen: want === undefined ? [] : [want],
    })
    if (status === 401) expect(reply.headers['www-authenticate']).toBe('Bearer, Basic realm="api"')
  })

  it('are judged by authorize before anything is read, and never repeated', async () => {
    const authorize = ({
      operation,
      auth,
    }: {
      operation: { id: string } | undefined
      auth: { apiKey?: string }
    }): never => {
      throw new HttpError({
        operation: operation?.id ?? '',
        status: 401,
        body: undefined,
        message: `Unknown key ${auth.apiKey}`,
      })
    }
    const reply = await overHandle(server({ authorize }))({
      method: 'POST',
      url: `/zkt/${KEY}`,
      body: '{',
    })
    expect({ status: reply.status, body: reply.body }).toEqual({
      status: 401,
      body: '{"success":false,"error":"Unknown key [redacted]"}',
    })
  })
})

describe('options', () => {
  it('refuse shapes refusals, and hears of faults', async () => {
    const refuse: NonNullable<ServerOptions['formatError']> = ({
      status,
      message,
      faults,
      operation,
    }) => ({
      status,
      headers: { 'content-type': 'application/problem+json' },
      body: JSON.stringify({
        title: message,
        operation: operation?.id,
        pointers: faults.map((fault) => fault.pointer),
      }),
    })
    const send = overHandle(server({ formatError: refuse }))
    expect((await send({ method: 'GET', url: '/status/abcd?limit=x&zz' })).body).toBe(
      '{"title":"query.limit must be an integer","operation":"status","pointers":["/query/limit","/query/zz"]}',
    )
    expect(await send({ method: 'POST', url: '/status/abcd' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD', 'content-type': 'application/problem+json' },
    })
    expect((await send({ method: 'GET', url: '/nope' })).body).toBe(
      '{"title":"Not found","pointers":[]}',
    )
  })

  it('onError hears of crashes and of answers that break the document, without the key', async () => {
    const heard: unknown[] = []
    const send = overHandle(
      server({
        onError: (error, context) => heard.push([context.operation?.id, (error as Error).message]),
      }),
    )
    for (const url of ['/status/crash', '/status/teapot', '/status/wrong', '/status/missing'])
      await send({ method: 'GET', url })
    await send({
      method: 'POST',
      url: `/zkt/${KEY}`,
      headers: JSON_TYPE,
      body: '{"arguments":"crash"}',
    })
    expect(heard).toEqual([
      ['status', 'boom'],
      ['status', 'The handler returned 302, which is not declared'],
      [
        'status',
        "The handler's body for 200 does not match its schema: id must be a string, is the number 1",
      ],
      ['submit', 'Cannot reach https://node/[redacted]'],
    ])
  })

  it('leaves answers unchecked in production', async () => {
    const reply = await overHandle(server({ validateOutput: false }))({
      method: 'GET',
      url: '/status/wrong',
    })
    expect(reply).toMatchObject({ status: 200, body: '{"id":1}' })
  })
})

it.each([
  ['application/json', '"a"', 200],
  ['application/vnd.b+json', '7', 200],
  ['application/vnd.b+json', 'true', 400],
])('takes and gives any of several JSON types: %s with %s', async (type, sent, want) => {
  const mediaTypes = ['application/json', 'application/vnd.b+json']
  const either = validator(() => ({ anyOf: [{ type: 'string' }, { type: 'integer' }] }))
  const echo = http('echo', 'POST', '/echo', {
    body: { required: true, content: contentOf(mediaTypes) },
    responses: declaredResponses({ 200: mediaTypes }),
  })
  const core = createServerCore(
    {
      http: { servers: [], operations: { echo } },
      validators: { echo: { request: either, responses: { 200: either } } },
    },
    {
      echo: ({ body }: { body: unknown }) => ({
        status: 200,
        headers: { 'content-type': type },
        body,
      }),
    },
    { validateOutput: true },
  )
  const request = { method: 'POST', url: '/echo', headers: { 'content-type': type }, body: sent }
  const reply = await overHandle(core)(request)
  expect([reply.status, want === 200 ? reply.body : sent]).toEqual([want, sent])
})

it('refuses two operations for one address', () => {
  const operations = { a: http('a', 'GET', '/x/{a}'), b: http('b', 'GET', '/x/{b}') }
  expect(() =>
    createServerCore(
      {
        http: { servers: [], operations },
        validators: { a: { responses: {} }, b: { responses: {} } },
      },
      { a: () => 1, b: () => 2 },
    ),
  ).toThrow('GET /x/{b} is served twice')
})

it.each<Readonly<Record<string, unknown>>>([{}, { b: {} }, { a: undefined }, { a: 'no object' }])(
  'refuses to start where the validators of an operation are missing: %o',
  (validators) => {
    const operations = { a: http('a', 'GET', '/a') }
    expect(() =>
      createServerCore({ http: { servers: [], operations }, validators }, { a: () => 1 }),
    ).toThrow(
      new TypeError('No validators for a: pass what validators.ts or explanations.ts exports'),
    )
  },
)

const http = (
  id: string,
  method: string,
  path: string,
  more: Partial<HttpOperation> = {},
): HttpOperation => ({
  kind: 'http',
  id,
  method,
  path,
  servers: [],
  parameters: [],
  responses: declaredResponses({ 200: ['application/json'] }),
  security: [],
  schemes: {},
  ...more,
})

const server = (options: ServerOptions = {}): ServerCore => {
  const parameter = (
    name: string,
    location: Parameter['in'],
    more: Partial<Parameter> = {},
  ): Parameter => ({
    name,
    in: location,
    required: location === 'path',
    style: location === 'query' ? 'form' : 'simple',
    explode: location === 'query',
    ...more,
  })
  const json = { required: true, content: contentOf(['application/json']) }
  const errors = { 400: ['application/json'], 401: ['application/json'], 429: ['application/json'] }
  const key = parameter('apiKey', 'path', { secret: true })
  const submission = {
    body: json,
    responses: declaredResponses({ 200: ['application/json'], ...errors }),
    limits: { payloadBytes: 4096 },
  }
  const operations = {
    submit: http('submit', 'POST', '/zkt/{apiKey}', { ...submission, parameters: [key] }),
    try: http('try', 'POST', '/zkt/try-it-out', submission),
    status: http('status', 'GET', '/status/{id}', {
      parameters: [
        parameter('id', 'path'),
        ...['limit', 'all', 'name', 'big'].map((name) => parameter(name, 'query')),
      ],
      responses: declaredResponses({ 200: ['application/json'], '4XX': ['application/json'] }),
    }),
    text: http('text', 'POST', '/text', {
      body: { required: true, content: contentOf(['text/plain']) },
      responses: declaredResponses({ 200: ['text/plain'] }),
    }),
    erase: http('erase', 'DELETE', '/text', { responses: declaredResponses({ 204: [] }) }),
    form: http('form', 'POST', '/form', {
      body: { required: true, content: contentOf(['application/x-www-form-urlencoded']) },
    }),
    bytes: http('bytes', 'POST', '/bytes', {
      body: { required: false, content: contentOf(['image/*']) },
    }),
    secure: http('secure', 'GET', '/secure', {
      security: [['basic'], ['bearer', 'key']],
      schemes: {
        basic: { kind: 'basic' },
        bearer: { kind: 'bearer' },
        key: { kind: 'key', in: 'query', parameter: 'api_key' },
      },
    }),
  }
  const string = { type: 'string' } as const
  const closed = (
    properties: Record<string, ValidatorSchema>,
    required = Object.keys(properties),
  ) => validator(() => ({ type: 'object', properties, required, additionalProperties: false }))
  const refusal = closed({ success: { const: false }, error: string })
  const written = closed({ success: { const: true }, hash: string })
  const output = closed({ success: { const: true }, output: { type: 'array' } })
  const variants = {
    message: { request: closed({ arguments: string }), response: written, error: refusal },
    call: {
      request: closed({ to: string, arguments: { type: 'array' } }),
      response: output,
      error: refusal,
    },
  }
  const responses = { 200: validator(() => true), 400: refusal, 401: refusal, 429: refusal }
  const validators: Record<string, HttpValidators> = {
    submit: {
      parameters: { 'path.apiKey': validator(() => ({ type: 'string', minLength: 4 })) },
      responses,
      variants,
    },
    try: { responses, variants },
    status: {
      parameters: {
        'path.id': validator(() => ({ type: 'string', pattern: '^[a-z]+$' })),
        'query.limit': validator(() => ({ type: 'integer', maximum: 100 })),
        'query.all': validator(() => ({ type: 'boolean' })),
        'query.name': validator(() => string),
        'query.big': validator(() => ({ type: 'integer' })),
      },
      responses: {
        200: closed({ id: string, limit: true, all: true, name: true }, ['id']),
        '4XX': closed({ error: string }),
      },
    },
    text: { responses: {} },
    erase: { responses: {} },
    bytes: { responses: {} },
    secure: { responses: {} },
    form: {
      fields: closed(
        {
          n: { type: 'integer' },
          tag: { type: 'array', items: string },
          place: closed({ x: { type: 'integer' } }),
          places: { type: 'array', items: closed({ x: { type: 'integer' } }) },
          note: string,
        },
        ['n'],
      ),
      responses: {},
    },
  }
  type Form = { readonly body: { readonly to: string; readonly arguments: string } }
  const handlers = {
    submit: {
      message: ({ body }: Form) => {
        if (body.arguments === 'crash') throw new Error(`Cannot reach https://node/${KEY}`)
        return { status: 200, body: { success: true, hash: `message ${body.arguments}` } }
      },
      call: async ({ body }: Form) => {
        if (body.to === '0x2') return { status: 200, body: { success: false, error: 'reverted' } }
        if (body.to === '0x3') return { status: 429, body: { success: false, error: 'later' } }
        if (body.to === '0x4')
          throw new HttpError({
            operation: 'submit',
            status: 429,
            body: undefined,
            headers: new Headers({ 'retry-after': '9' }),
            message: 'later',
          })
        return { status: 200, body: { success: true, output: [body.to] } }
      },
    },
    try: {
      message: () => ({ status: 200, body: { success: true, hash: 'try message' } }),
      call: () => ({ status: 200, body: { success: true, output: [] } }),
    },
    status: ({ path, query }: { path: { id: string }; query: object }) => {
      const { id } = path
      const refuse = (body: unknown) =>
        new HttpError({ operation: 'status', status: 404, body, message: 'No such thing' })
      if (id === 'crash') throw new Error('boom')
      if (id === 'missing') throw refuse(undefined)
      if (id === 'gone') throw refuse({ error: 'Gone' })
      if (id === 'teapot') return { status: 302, body: {} }
      if (id === 'wrong') return { status: 200, body: { id: 1 } }
      if (id === 'bigint') return { status: 200, body: { id: 1n } }
      if (id === 'headers')
        return {
          status: 200,
          headers: { 'X-Total': 5, 'Cache-Control': 'max-age=5' },
          body: { id },
        }
      return { status: 200, body: { id, ...query } }
    },
    text: ({ body }: { body: string }) => ({ status: 200, body: body.toUpperCase() }),
    erase: () => ({ status: 204 }),
    form: ({ body }: { body: unknown }) => ({ status: 200, body }),
    bytes: ({ body }: { body?: UploadedFile }) => ({ status: 200, body: body?.size ?? 0 }),
    secure: () => ({ status: 200, body: 'in' }),
  }
  const service = { http: { servers: [], operations }, validators }
  return createServerCore(service, handlers, {
    onError: () => undefined,
    validateOutput: true,
    ...options,
  })
}

it.each([
  ['handle', overHandle],
  ['a fetch handler', overFetch],
  ['a node socket', overNode],
])('over %s, a status that has no body is sent without the one of the handler', async (_, over) => {
  const erase: HttpOperation = {
    kind: 'http',
    id: 'erase',
    method: 'DELETE',
    path: '/text',
    servers: [],
    parameters: [],
    responses: [],
    security: [],
    schemes: {},
  }
  for (const status of [204, 205, 304]) {
    const server = createServerCore(
      { http: { servers: [], operations: { erase } }, validators: { erase: { responses: {} } } },
      { erase: () => ({ status, body: { done: true } }) },
      { validateOutput: false },
    )
    const got = await over(server)({ method: 'DELETE', url: '/text' })
    expect(got).toMatchObject({ status, body: '' })
  }
})

it('a form may have any number of lists of one', async () => {
  const names = Array.from({ length: 80 }, (_, index) => `f${index}`)
  const list = { type: 'array', items: { type: 'string' } } as const
  const fields = validator(() => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, list])),
  }))
  const mediaType = 'application/x-www-form-urlencoded'
  const send: HttpOperation = {
    kind: 'http',
    id: 'send',
    method: 'POST',
    path: '/form',
    servers: [],
    parameters: [],
    body: { required: true, content: contentOf([mediaType]) },
    responses: declaredResponses({ 200: ['application/json'] }),
    security: [],
    schemes: {},
  }
  const server = createServerCore(
    {
      http: { servers: [], operations: { send } },
      validators: { send: { fields, responses: {} } },
    },
    { send: ({ body }: { body: unknown }) => ({ status: 200, body }) },
  )
  const { status, body } = await overHandle(server)({
    method: 'POST',
    url: '/form',
    headers: { 'content-type': mediaType },
    body: names.map((name) => `${name}=a`).join('&'),
  })
  expect(status).toBe(200)
  expect(JSON.parse(body)).toEqual(Object.fromEntries(names.map((name) => [name, ['a']])))
})
