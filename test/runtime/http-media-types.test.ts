import { describe, expect, it } from 'vitest'
import { createHttp } from '../../src/runtime/http.js'
import type { HttpOperation, HttpValidators } from '../../src/runtime/operation.js'
import { validator } from '../../src/runtime/validate.js'
import { contentOf, declaredResponses } from './declared.js'
import { operation } from './http-fixture.js'

const JSON_TYPE = 'application/json'
const PROBLEM = 'application/problem+json'
const V1 = 'application/vnd.acme.v1+json'
const V2 = 'application/vnd.acme.v2+json'
const object = (...required: readonly string[]) =>
  validator(() => ({
    type: 'object',
    properties: Object.fromEntries(required.map((name) => [name, { type: 'integer' }])),
    required: [...required],
  }))

type Reply = {
  readonly status?: number
  readonly type?: string | undefined
  readonly body?: string | null
}

type Call = ((input?: object, options?: object) => Promise<unknown>) & {
  readonly exchange: (input?: object) => Promise<unknown>
}

const callOf = (
  more: Partial<HttpOperation>,
  validators: Partial<HttpValidators>,
  { status = 200, type, body = '{"a":1}' }: Reply,
): Call => {
  const get = operation('get', more)
  const bytes = body === null ? null : new TextEncoder().encode(body)
  return createHttp<{ readonly get: Call }>(
    { servers: [], limits: {}, operations: { get } },
    { get: { responses: {}, ...validators } },
    {
      server: 'http://one.example',
      retry: { attempts: 1 },
      fetch: async () =>
        new Response(bytes, {
          status,
          headers: type === undefined ? {} : { 'content-type': type },
        }),
    },
  ).get
}

const outcomeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    async (value) => (value instanceof Blob ? `bytes: ${await value.text()}` : { value }),
    ({ name, reason, status, mediaType, text, body, issues }) =>
      name === 'CallError'
        ? { name, reason, status, mediaType, text }
        : { name, status, body, keywords: issues.map((one: { keyword: string }) => one.keyword) },
  )

describe('null as a value of a map', () => {
  const record = {
    type: 'object',
    properties: { balances: { type: 'object', additionalProperties: { type: 'integer' } } },
  } as const

  it('is left out, because it has not the declared type, and the warning names its key', async () => {
    const warnings: unknown[] = []
    const read = operation('read', { responses: declaredResponses({ 200: [JSON_TYPE] }) })
    const client = createHttp<{ readonly read: Call }>(
      { servers: [], limits: {}, operations: { read } },
      { read: { responses: { 200: validator(() => record) } } },
      {
        server: 'http://one.example',
        fetch: async () => Response.json({ balances: { ann: null, 'b/c': null, dan: 1 } }),
        onWarning: ({ issues }) => warnings.push(...issues.map(({ path }) => path)),
      },
    )
    expect(await client.read()).toEqual({ balances: { dan: 1 } })
    expect(warnings).toEqual([
      ['balances', 'ann'],
      ['balances', 'b/c'],
    ])
  })
})

describe('a success that only a range or the default describes', () => {
  it.each([
    ['default', 202],
    ['2XX', 201],
    ['200', 200],
  ])('names %s, if its body breaks the schema', async (key, status) => {
    const responses = { [key]: validator(() => ({ type: 'array' })) }
    const call = callOf(
      { responses: declaredResponses({ [key]: [JSON_TYPE] }) },
      { responses },
      { status, type: JSON_TYPE },
    )
    const schema = key === '200' ? 'its schema' : `the schema of ${key}`
    await expect(call()).rejects.toThrow(`the response (${status}) does not match ${schema}: `)
  })
})

describe('a request body of a range', () => {
  const sent = async (range: string, body: unknown): Promise<unknown> => {
    const requests: Request[] = []
    const put = operation('put', {
      method: 'PUT',
      body: { required: true, content: contentOf([range]) },
      responses: declaredResponses({ 204: [] }),
    })
    const client = createHttp<{ readonly put: Call }>(
      { servers: [], limits: {}, operations: { put } },
      { put: { responses: {} } },
      {
        server: 'http://one.example',
        fetch: async (url, init) => {
          requests.push(new Request(url, init))
          return new Response(null, { status: 204 })
        },
      },
    )
    try {
      await client.put({ body })
    } catch (error) {
      return (error as Error).message
    }
    return [requests[0]?.headers.get('content-type'), await requests[0]?.text()]
  }

  it.each<[range: string, body: unknown, want: unknown]>([
    ['*/*', { a: 1 }, ['application/json', '{"a":1}']],
    ['*/*', 'a', ['text/plain', 'a']],
    ['text/*', 'a', ['text/plain', 'a']],
    ['application/*', 'a', ['application/json', '"a"']],
    ['application/*+json', { a: 1 }, ['application/x+json', '{"a":1}']],
    ['image/*', new Blob(['a'], { type: 'image/gif' }), ['image/gif', 'a']],
    ['image/*', new Uint8Array([97]), ['image/x', 'a']],
    ['image/*', new Blob(['a'], { type: 'text/csv' }), 'must be sent as image/*'],
    ['image/*', { a: 1 }, 'must be sent as image/*'],
  ])('of %s has a type that the range includes: %o', async (range, body, want) => {
    const found = await sent(range, body)
    if (typeof want === 'string') expect(found).toContain(want)
    else expect(found).toEqual(want)
  })
})

describe('a success', () => {
  const unread = (mediaType: string | undefined, text = '{"a":1}') => ({
    ...{ name: 'CallError', reason: 'malformed-answer', status: 200, mediaType, text },
  })

  it.each<[declared: readonly string[], sent: string | undefined, body: string, want: unknown]>([
    [[JSON_TYPE], JSON_TYPE, '{"a":1}', { value: { a: 1 } }],
    [[JSON_TYPE], 'Application/JSON; charset=UTF-8', '{"a":1}', { value: { a: 1 } }],
    [[JSON_TYPE], undefined, '{"a":1}', { value: { a: 1 } }],
    [[JSON_TYPE], 'text/html', '<html>', unread('text/html', '<html>')],
    [[JSON_TYPE], 'text/plain', '{"a":1}', unread('text/plain')],
    [[JSON_TYPE], 'application/xml', '<a/>', unread('application/xml', '<a/>')],
    [[JSON_TYPE], 'image/png', 'PNG', unread('image/png', 'PNG')],
    [[JSON_TYPE], 'application/octet-stream', '{"a":1}', unread('application/octet-stream')],
    // A stream may have no end, so that its text is not read.
    [
      [JSON_TYPE],
      'text/event-stream',
      'data: 1\n\n',
      { ...unread('text/event-stream'), text: undefined },
    ],
    // Each JSON type is a type of its own.
    [[JSON_TYPE], PROBLEM, '{"a":1}', unread(PROBLEM)],
    [[PROBLEM], JSON_TYPE, '{"a":1}', unread(JSON_TYPE)],
    [[V1], V2, '{"a":1}', unread(V2)],
    [[V1], JSON_TYPE, '{"a":1}', unread(JSON_TYPE)],
    [['application/geo+json'], 'text/json', '{"a":1}', unread('text/json')],
    [['text/csv'], 'text/html', '<p>', unread('text/html', '<p>')],
    [['text/csv'], 'text/csv; header=present', 'a;b', { value: 'a;b' }],
    [['application/pdf'], JSON_TYPE, '{"a":1}', unread(JSON_TYPE)],
    // Arbitrary bytes: the result is a Blob in any case.
    [['application/octet-stream'], 'text/html', '<p>', 'bytes: <p>'],
    [['application/pdf'], undefined, '%PDF', 'bytes: %PDF'],
    [['image/*'], 'image/png', 'PNG', 'bytes: PNG'],
    [['text/*'], 'text/json', '{"a":1}', { value: '{"a":1}' }],
    [['application/*'], JSON_TYPE, '{"a":1}', { value: { a: 1 } }],
    // The client requests JSON where it is declared, and its type is that of the JSON.
    [[JSON_TYPE, 'text/csv'], 'text/csv', 'a;b', unread('text/csv', 'a;b')],
    [[JSON_TYPE, 'text/csv'], undefined, '{"a":1}', { value: { a: 1 } }],
    [['text/csv', 'application/pdf'], undefined, 'a;b', unread(undefined, 'a;b')],
    // Without declared content the body is ignored.
    [[], 'text/html', '<p>', { value: undefined }],
  ])('declared as %j and sent as %s: %s', async (declared, sent, body, want) => {
    const call = callOf(
      { responses: declaredResponses({ 200: declared }) },
      { responses: { 200: object('a') } },
      { type: sent, body },
    )
    expect(await outcomeOf(call())).toEqual(want)
    for (const response of ['strict', 'off'])
      expect(await outcomeOf(call({}, { validate: { response } }))).toEqual(want)
  })

  it.each<[accept: string, sent: string, want: unknown]>([
    [V1, V1, { value: { a: 1 } }],
    [V2, V1, unread(V1)],
    [V1, V2, unread(V2)],
    ['application/pdf', V1, unread(V1)],
    ['text/csv', 'text/csv', { value: '{"a":1}' }],
  ])('requested as %s and sent as %s', async (accept, sent, want) => {
    const responses = declaredResponses({ 200: [V1, V2, 'application/pdf', 'text/csv'] })
    const call = callOf({ responses }, {}, { type: sent })
    expect(await outcomeOf(call({ accept }))).toEqual(want)
  })

  it('is validated by the schema of its own media type', async () => {
    const own = { responses: { [`200 ${V1}`]: object('a'), [`200 ${V2}`]: object('b') } }
    const call = (type: string, body: string) =>
      outcomeOf(callOf({ responses: declaredResponses({ 200: [V1, V2] }) }, own, { type, body })())
    expect(await call(V1, '{"a":1}')).toEqual({ value: { a: 1 } })
    expect(await call(V2, '{"b":1}')).toEqual({ value: { b: 1 } })
    expect(await call(V2, '{"a":1}')).toMatchObject({ reason: 'invalid-answer' })
    expect(await call(V1, '{"b":1}')).toMatchObject({ reason: 'invalid-answer' })
  })

  it('of any type is read as what it is, if its value has the type of the schema', async () => {
    const call = (type: string, body: string, own: object) =>
      outcomeOf(callOf({ responses: declaredResponses({ 200: ['*/*'] }) }, own, { type, body })())
    const pet = { responses: { 200: object('a') } }
    expect(await call(JSON_TYPE, '{"a":1}', pet)).toEqual({ value: { a: 1 } })
    expect(await call(PROBLEM, '{"b":1}', pet)).toMatchObject({ reason: 'invalid-answer' })
    expect(await call('text/html', '<p>', pet)).toMatchObject({ reason: 'invalid-answer' })
    expect(await call('image/png', 'PNG', pet)).toEqual(unread('image/png', 'PNG'))
    expect(await call('text/html', '<p>', {})).toEqual({ value: '<p>' })
    expect(await call('image/png', 'PNG', {})).toEqual('bytes: PNG')
  })

  it.each<[declared: string, sent: string, body: string, want: unknown]>([
    ['text/event-stream', 'text/event-stream', 'data: {"a":1}\n\n', [{ a: 1 }]],
    ['text/event-stream', 'text/html', '<html>', unread('text/html', '<html>')],
    [
      'text/event-stream',
      'text/plain',
      'data: {"a":1}\n\n',
      unread('text/plain', 'data: {"a":1}\n\n'),
    ],
    ['text/event-stream', JSON_TYPE, '{"a":1}', unread(JSON_TYPE)],
    ['application/x-ndjson', 'application/x-ndjson', '{"a":1}\n', [{ a: 1 }]],
    ['application/x-ndjson', JSON_TYPE, '[{"a":1}]', unread(JSON_TYPE, '[{"a":1}]')],
    [
      'application/x-ndjson',
      'application/octet-stream',
      '{"a":1}\n',
      unread('application/octet-stream', '{"a":1}\n'),
    ],
  ])('declared as the stream %s and sent as %s', async (declared, sent, body, want) => {
    const { openStream } = await import('../../src/runtime/streams.js')
    const get = operation('get', {
      responses: declaredResponses(
        { 200: [declared] },
        { 200: { [declared]: { item: 'data', data: 'json' } } },
      ),
    })
    const client = createHttp<{ readonly get: () => Promise<AsyncIterable<unknown>> }>(
      { servers: [], limits: {}, operations: { get } },
      { get: { responses: {} } },
      {
        server: 'http://one.example',
        retry: { attempts: 1 },
        fetch: async () => new Response(body, { headers: { 'content-type': sent } }),
      },
      undefined,
      { openStream },
    )
    const items = async () => {
      const all = []
      for await (const item of await client.get()) all.push(item)
      return all
    }
    const outcome = await outcomeOf(items())
    expect(Array.isArray(want) ? outcome : outcome).toEqual(
      Array.isArray(want) ? { value: want } : want,
    )
  })
})

describe('an error', () => {
  const errorOf = (declared: readonly string[], reply: Reply, own: object = {}) =>
    outcomeOf(
      callOf(
        { responses: declaredResponses({ 200: [], 400: declared }) },
        { responses: { 400: object('a'), ...own } },
        {
          status: 400,
          ...reply,
        },
      )(),
    )
  const http = (body: unknown, ...keywords: readonly string[]) => ({
    ...{ name: 'HttpError', status: 400, body, keywords },
  })

  it.each<[declared: readonly string[], sent: string | undefined, body: string, want: unknown]>([
    [[JSON_TYPE], JSON_TYPE, '{"a":1}', http({ a: 1 })],
    [[JSON_TYPE], JSON_TYPE, '{"a":"x"}', http({ a: 'x' }, 'type')],
    [[JSON_TYPE], undefined, '{"a":1}', http({ a: 1 })],
    // The body is read, but it is not of the declared type.
    [[JSON_TYPE], PROBLEM, '{"a":1}', http({ a: 1 }, 'content')],
    [[PROBLEM], JSON_TYPE, '{"a":1}', http({ a: 1 }, 'content')],
    [[JSON_TYPE], 'text/html', '<p>', http('<p>', 'content')],
    [[JSON_TYPE, 'text/plain'], 'text/plain', 'no', http('no', 'content')],
    // A declared text is a text, also if it looks like JSON.
    [['text/plain'], 'text/plain', '123', http('123')],
    [['*/*'], 'text/plain', '{"a":1}', http({ a: 1 })],
    [[], 'text/html', '<p>', http('<p>')],
  ])('declared as %j and sent as %s: %s', async (declared, sent, body, want) => {
    const own = declared.length === 0 ? { 400: undefined } : {}
    expect(await errorOf(declared, { type: sent, body }, own)).toEqual(want)
  })

  it('is validated by the schema of its own media type', async () => {
    const own = {
      400: undefined,
      [`400 ${JSON_TYPE}`]: object('a'),
      [`400 ${PROBLEM}`]: object('b'),
    }
    const types = [JSON_TYPE, PROBLEM]
    expect(await errorOf(types, { type: JSON_TYPE }, own)).toEqual(http({ a: 1 }))
    expect(await errorOf(types, { type: PROBLEM }, own)).toEqual(http({ a: 1 }, 'required'))
  })
})

describe('a status that only default describes', () => {
  const responses = declaredResponses({ 200: [JSON_TYPE], default: [JSON_TYPE] })
  const own = { responses: { 200: object('a'), default: object('b') } }
  const reply = { status: 202, type: JSON_TYPE, body: '{"b":1}' }

  it('is an HttpError of a call beside a declared success, and a response of exchange', async () => {
    const call = callOf({ responses }, own, reply)
    expect(await outcomeOf(call())).toEqual({
      name: 'HttpError',
      status: 202,
      body: { b: 1 },
      keywords: [],
    })
    expect(await call.exchange()).toMatchObject({ status: 202, body: { b: 1 } })
  })

  it('is the success where no other is declared', async () => {
    for (const alone of [{ default: [JSON_TYPE] }, { 404: [], default: [JSON_TYPE] }]) {
      const call = callOf({ responses: declaredResponses(alone) }, own, reply)
      expect(await call()).toEqual({ b: 1 })
      expect(await call.exchange()).toMatchObject({ status: 202, body: { b: 1 } })
    }
  })

  it('is validated by the schema of default', async () => {
    const call = callOf({ responses }, own, { ...reply, body: '{"a":1}' })
    expect(await outcomeOf(call())).toMatchObject({ status: 202, keywords: ['required'] })
  })

  it('is not documented without a default', async () => {
    const call = callOf(
      { responses: declaredResponses({ 200: [JSON_TYPE], '4XX': [] }) },
      own,
      reply,
    )
    expect(await outcomeOf(call())).toMatchObject({ name: 'CallError', reason: 'malformed-answer' })
  })
})
