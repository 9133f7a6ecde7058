import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  type CallError,
  createHttp,
  type ErrorGuard,
  guardHttpError,
  HttpError,
  type HttpOptions,
} from '../../src/runtime/http.js'
import type { HttpOperation } from '../../src/runtime/operation.js'
import { validator } from '../../src/runtime/validate.js'
import { contentOf, declaredResponses } from './declared.js'
import { type Client, operation, service, validators } from './http-fixture.js'

const isHttpError: ErrorGuard<Client> = guardHttpError
const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
const WRITTEN = { success: true, hash: '0x01' }

/** A client whose requests are kept and answered one by one, the last answer again and again. */
const clientOf = (
  answers: readonly (Response | Error | ((request: Request) => Promise<Response>))[],
  options: HttpOptions = {},
  operations: Readonly<Record<string, HttpOperation>> = service.operations,
  checks: Readonly<Record<string, unknown>> = validators,
) => {
  const requests: Request[] = []
  const waits: number[] = []
  let now = 0
  const client = createHttp<Client>({ ...service, operations }, checks, {
    auth: 'submit' in operations ? { apiKey: 'secret-key' } : {},
    fetch: async (url, init) => {
      const request = new Request(url, init)
      requests.push(request)
      if (requests.length > 20) throw new Error('asked without end')
      const answer = answers[Math.min(requests.length, answers.length) - 1] ?? json(WRITTEN)
      if (answer instanceof Error) throw answer
      return answer instanceof Response ? answer.clone() : answer(request)
    },
    clock: {
      now: () => now,
      random: () => 1,
      sleep: async (ms) => {
        waits.push(ms)
        now += ms
      },
    },
    ...options,
  })
  return { client, requests, waits }
}

/** What the two kinds of error have, for whole comparisons. */
type Failure = Omit<CallError, 'name'> & Omit<HttpError, 'name'> & { readonly name: string }

const failure = async (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    (value) => expect.fail(`answered ${JSON.stringify(value)}`),
    (error) => error,
  )

it('is not made where the validators of an operation are missing', () => {
  const { search: _, ...rest } = validators
  expect(() => createHttp(service, rest)).toThrow(
    new TypeError('No validators for search: pass what validators.ts or explanations.ts exports'),
  )
})

describe('a request', () => {
  it('has the secret in its path and its body as JSON', async () => {
    const { client, requests } = clientOf([])
    await client.submit({ body: { arguments: 'hi' } })
    const [request] = requests
    expect(request?.method).toBe('POST')
    expect(request?.url).toBe('https://rpc.test.example/zkt/secret-key')
    expect(request?.headers.get('content-type')).toBe('application/json')
    expect(request?.headers.get('accept')).toBe('application/json')
    expect(await request?.json()).toEqual({ arguments: 'hi' })
  })

  it('prefers the secret that the call gives', async () => {
    const { client, requests } = clientOf([])
    await client.submit({ path: { apiKey: 'a/b' }, body: { arguments: 'hi' } })
    expect(requests[0]?.url).toBe('https://rpc.test.example/zkt/a%2Fb')
  })

  it('asks for a secret each time where it is a function', async () => {
    let asked = 0
    const apiKey = async () => `key-${++asked}`
    const { client, requests } = clientOf([], { auth: { apiKey } })
    await client.submit({ body: { arguments: 'hi' } })
    await client.submit({ body: { arguments: 'hi' } })
    expect(requests.map(({ url }) => url.split('/').at(-1))).toEqual(['key-1', 'key-2'])
  })

  it('serialises query and header parameters, and headers of one’s own', async () => {
    const { client, requests } = clientOf([json([])], { headers: { 'User-Agent': 'mine' } })
    await client.search(
      { query: { limit: 2, tags: ['a b', 'c'] }, header: { 'X-Trace': 't' } },
      { headers: { 'x-more': '1' } },
    )
    const headers = Object.fromEntries(requests[0]?.headers ?? [])
    expect(requests[0]?.url).toBe('https://rpc.test.example/search?limit=2&tags=a%20b,c')
    expect(headers).toMatchObject({ 'x-trace': 't', 'x-more': '1', 'user-agent': 'mine' })
  })

  const servers: readonly (readonly [HttpOptions, submitted: string, asked: string])[] = [
    [{}, 'https://rpc.test.example/zkt/secret-key', 'https://api.test.example/v1/status/q'],
    [
      { server: 'mainnet' },
      'https://rpc.main.example/zkt/secret-key',
      'https://api.main.example/v1/status/q',
    ],
    [
      { server: 'http://127.0.0.1:9/base/' },
      'http://127.0.0.1:9/base/zkt/secret-key',
      'http://127.0.0.1:9/base/v1/status/q',
    ],
    [{ server: new URL('http://h') }, 'http://h/zkt/secret-key', 'http://h/v1/status/q'],
    [{ server: 'http://h/v1/' }, 'http://h/v1/zkt/secret-key', 'http://h/v1/status/q'],
    [
      { variables: { host: 'other' } },
      'https://other/zkt/secret-key',
      'https://api.test.example/v1/status/q',
    ],
  ]
  it.each(servers)('goes to the server chosen: %j', async (options, submitted, asked) => {
    const { client, requests } = clientOf(
      [json(WRITTEN), json({ status: 'completed', queueId: 'q' })],
      options,
    )
    await client.submit({ body: { arguments: 'hi' } })
    await client.getStatus({ path: { queueId: 'q' } })
    expect(requests.map(({ url }) => url)).toEqual([submitted, asked])
  })

  it('is never made for a server that nobody documents', () => {
    expect(() => clientOf([], { server: 'tesnet' })).toThrow(/no server is named 'tesnet'/)
  })
})

describe('bodies by media type', () => {
  const upload = async (input: Parameters<Client['upload']>[0]) => {
    const { client, requests } = clientOf([json({ id: '1' }, 201)])
    await client.upload(input)
    return requests[0] as Request
  }

  it('sends JSON where it is one of several', async () => {
    const request = await upload({ body: { title: 'a' } })
    expect(request.headers.get('content-type')).toBe('application/json')
    expect(await request.text()).toBe('{"title":"a"}')
  })

  it('sends a form with files', async () => {
    const file = new File(['bytes'], 'a.png', { type: 'image/png' })
    const request = await upload({ body: { title: 'a', file }, contentType: 'multipart/form-data' })
    expect(request.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=/)
    const form = await request.formData()
    const sent = form.get('file') as File
    expect([form.get('title'), sent.name, sent.type, await sent.text()]).toEqual([
      'a',
      'a.png',
      'image/png',
      'bytes',
    ])
  })

  it('sends bytes as what they are', async () => {
    const request = await upload({
      body: new Blob(['x'], { type: 'image/gif' }),
      contentType: 'image/*',
    })
    expect(request.headers.get('content-type')).toBe('image/gif')
    expect(await request.text()).toBe('x')
  })

  it('streams', async () => {
    const request = await upload({ body: new Blob(['x', 'y']).stream(), contentType: 'image/png' })
    expect(await request.text()).toBe('xy')
  })

  it('sends nothing where nothing is given', async () => {
    const request = await upload(undefined)
    expect([request.body, request.headers.get('content-type')]).toEqual([null, null])
  })

  it.each<readonly [type: string, body: unknown, want: string]>([
    ['application/x-www-form-urlencoded', { title: 'a', note: null }, 'sent'],
    ['application/x-www-form-urlencoded', {}, '/body must have the property `title`'],
    ['application/x-www-form-urlencoded', [], '/body must be an object'],
    ['application/x-www-form-urlencoded', new URLSearchParams(), 'sent'],
    ['multipart/form-data', { title: 'a' }, 'sent'],
    ['multipart/form-data', { title: 7 }, '/body/title must be a string'],
    ['multipart/form-data', { title: new Blob(['x']) }, 'sent'],
    ['multipart/form-data', { title: 'a', file: new Blob(['x']) }, 'the property `file`'],
    ['multipart/form-data', { files: [new Blob(['x'])] }, 'the property `files`'],
    ['multipart/form-data', new FormData(), 'sent'],
  ])('checks the fields of a form in %s: %o', async (type, body, want) => {
    const send = {
      ...service.operations.upload,
      body: { required: true, content: contentOf([type]) },
    }
    const fields = { fields: validators.upload.request, responses: {} }
    const { client, requests } = clientOf(
      [json({ id: '1' }, 201)],
      {},
      { upload: send },
      {
        upload: fields,
      },
    )
    const call = client.upload as unknown as (input: unknown) => Promise<unknown>
    const outcome = await call({ body }).then(
      () => 'sent',
      (error: Error) => error.message,
    )
    expect(outcome).toContain(want)
    expect(requests).toHaveLength(want === 'sent' ? 1 : 0)
  })

  it.each<readonly [type: string, value: unknown, want: unknown]>([
    ['application/json', 'a', 'a'],
    ['application/vnd.b+json; charset=utf-8', 7, 7],
    ['application/vnd.b+json', true, 'invalid-input'],
  ])('sends and takes any of several JSON types: %s with %o', async (type, value, want) => {
    const mediaTypes = ['application/json', 'application/vnd.b+json']
    const either = validator(() => ({ anyOf: [{ type: 'string' }, { type: 'integer' }] }))
    const echo = {
      ...service.operations.upload,
      body: { required: true, content: contentOf(mediaTypes) },
      responses: declaredResponses({ 200: mediaTypes }),
    }
    const answer = json(value, 200, { 'content-type': type })
    const checks = { upload: { request: either, responses: { 200: either } } }
    const { client } = clientOf([answer], {}, { upload: echo }, checks)
    const call = client.upload as unknown as (input: unknown) => Promise<unknown>
    const outcome = await call({ body: value, contentType: type }).catch((error) => error.reason)
    expect(outcome).toBe(want)
  })

  it('sends url-encoded forms, lists repeated, records as JSON', async () => {
    const send = {
      ...service.operations.upload,
      body: { required: true, content: contentOf(['application/x-www-form-urlencoded']) },
    }
    const { client, requests } = clientOf([json({ id: '1' }, 201)], {}, { upload: send })
    const call = client.upload as unknown as (input: unknown) => Promise<unknown>
    await call({ body: { a: [1, 2], b: { c: 'd e' }, e: undefined } })
    expect(requests[0]?.headers.get('content-type')).toBe('application/x-www-form-urlencoded')
    expect(await requests[0]?.text()).toBe('a=1&a=2&b=%7B%22c%22%3A%22d+e%22%7D')
  })
})

describe('an input that does not fit is never sent', () => {
  const big = 'x'.repeat(1_000)
  const cases: readonly (readonly [
    name: string,
    call: (client: Client) => Promise<unknown>,
    want: string,
  ])[] = [
    [
      'a body of no form',
      (c) => c.submit({ body: {} as never }),
      'submit: the input is not valid: /body',
    ],
    [
      'a missing body',
      (c) => c.submit({} as never),
      'submit: the input is not valid: /body is required',
    ],
    [
      'a parameter',
      (c) => c.search({ query: { limit: 0 } }),
      'search: the input is not valid: /query/limit',
    ],
    [
      'an unknown parameter',
      (c) => c.search({ query: { limt: 1 } as never }),
      'search: the input is not valid: /query/limt is not documented',
    ],
    [
      'a missing parameter',
      (c) => c.remove({ path: { id: '1' } } as never),
      'remove: the input is not valid: /query/really is required',
    ],
    [
      'an empty segment',
      (c) => c.getStatus({ path: { queueId: '' } }),
      'getStatus: the input is not valid: /path/queueId must not be empty',
    ],
    [
      'a climbing segment',
      (c) => c.getStatus({ path: { queueId: '..' } }),
      'getStatus: the input is not valid: /path must not produce a path segment . or ..',
    ],
    [
      'too many bytes',
      (c) => c.submit({ body: { arguments: big } }),
      'submit: the input is not valid: /body has 1016 bytes, more than the 1000 allowed',
    ],
    [
      'an undocumented body',
      (c) => c.search({ body: 1 } as never),
      'search: the input is not valid: /body is not documented',
    ],
    [
      'a content type',
      (c) => c.upload({ body: 'x', contentType: 'text/csv' } as never),
      'upload: the input is not valid: /body must be sent as',
    ],
    [
      'a number that JSON cannot say',
      (c) => c.submit({ body: { abi: [], to: '', method: '', arguments: [1n] } }),
      'submit: the input is not valid: /body/arguments/0',
    ],
    [
      'a header that breaks its line',
      (c) => c.search({ header: { 'X-Trace': 'a\nb' } }),
      'search: the input is not valid: /header/X-Trace has a character that HTTP does not allow',
    ],
  ]
  it.each(cases)('%s', async (_, call, want) => {
    const { client, requests } = clientOf([])
    const error = await failure(call(client))
    expect([error.name, error.reason, error.message.slice(0, want.length)]).toEqual([
      'CallError',
      'invalid-input',
      want,
    ])
    expect(requests).toEqual([])
  })

  it('asks for a missing secret by name', async () => {
    const { client, requests } = clientOf([], { auth: {} })
    const error = await failure(client.submit({ body: { arguments: 'hi' } }))
    expect(error.message).toBe(
      'submit: the input is not valid: /path/apiKey is required, here or as auth.apiKey',
    )
    expect(requests).toEqual([])
  })

  it('unless the check is switched off, by client or call', async () => {
    const { client, requests } = clientOf([json([])])
    await client.search({ query: { limit: 0 } }, { validate: { request: 'off' } })
    expect(requests).toHaveLength(1)
  })
})

describe('an answer', () => {
  it('is the body', async () => {
    const { client } = clientOf([json({ success: true, contractAddress: '0x02', hash: '0x01' })])
    expect(await client.submit({ body: { code: 'contract C {}' } })).toEqual({
      success: true,
      contractAddress: '0x02',
      hash: '0x01',
      transactionHash: '0x01',
    })
  })

  const twins: readonly (readonly [body: object, want: object])[] = [
    [{ hash: '0x01' }, { hash: '0x01', transactionHash: '0x01' }],
    [
      { hash: null, transactionHash: '0x01' },
      { hash: '0x01', transactionHash: '0x01' },
    ],
    [
      { hash: '0x01', transactionHash: '0x02' },
      { hash: '0x01', transactionHash: '0x02' },
    ],
    [{ hash: null }, { hash: null }],
  ]
  it.each(twins)('carries a value under both of its names: %j', async (body, want) => {
    const { client } = clientOf([json({ success: true, ...body })])
    expect(await client.submit({ body: { arguments: 'hi' } })).toEqual({ success: true, ...want })
  })

  it('may hold more than is documented', async () => {
    const { client } = clientOf([json({ ...WRITTEN, fresh: { field: 1 } })])
    expect(await client.submit({ body: { arguments: 'hi' } })).toMatchObject({
      fresh: { field: 1 },
    })
  })

  it('is undefined, text or bytes by its content type', async () => {
    const none = clientOf([new Response(null, { status: 204 })])
    expect(await none.client.remove({ path: { id: '1' }, query: { really: true } })).toBeUndefined()
    const text = clientOf([new Response('queued', { status: 202 })])
    expect(await text.client.upload()).toBe('queued')
    const bytes = clientOf([
      new Response('raw', { headers: { 'content-type': 'application/octet-stream' } }),
    ])
    expect(await (await bytes.client.download()).text()).toBe('raw')
  })

  it('is JSON where nothing says what it is', async () => {
    const { client } = clientOf([new Response(new TextEncoder().encode('["a"]'))])
    expect(await client.search()).toEqual(['a'])
  })

  const broken: readonly (readonly [
    name: string,
    answer: Response,
    reason: string,
    message: string,
  ])[] = [
    [
      'half JSON',
      new Response('{"succ', { headers: { 'content-type': 'application/json' } }),
      'malformed-answer',
      'submit: returned text that is not JSON where JSON is documented',
    ],
    [
      'nothing',
      new Response(null, { headers: { 'content-type': 'application/json' } }),
      'malformed-answer',
      'submit: returned an empty body where JSON is docu',
    ],
    [
      'another status',
      json(WRITTEN, 201),
      'malformed-answer',
      'submit: returned 201: it has a status that is not documented',
    ],
    [
      'a wrong type',
      json({ success: true, hash: 1 }),
      'invalid-answer',
      'submit: the response (200) does not match its schema: /hash',
    ],
    [
      'the answer of another form',
      json({ success: true, output: ['1'] }),
      'invalid-answer',
      'submit: the response (200) does not match its schema: it must',
    ],
  ]
  it.each(broken)('is refused when it is %s', async (_, answer, reason, message) => {
    const { client } = clientOf([answer])
    const error = await failure(client.submit({ body: { arguments: 'hi' } }))
    expect([error.reason, error.message.slice(0, message.length)]).toEqual([reason, message])
  })

  it('is taken as it comes where its check is switched off', async () => {
    const { client } = clientOf([json({ success: true, hash: 1 })], {
      validate: { response: 'off' },
    })
    expect(await client.submit({ body: { arguments: 'hi' } })).toMatchObject({ hash: 1 })
  })

  it('is given whole by exchange, refusals too', async () => {
    const answers = [
      json(WRITTEN, 200, { 'x-trace': 't' }),
      json({ success: false, error: 'no' }, 400),
      json({ success: false, error: 'no' }),
    ]
    const { client } = clientOf(answers)
    const body = { arguments: 'hi' }
    const first = await client.submit.exchange({ body })
    expect([first.status, first.headers.get('x-trace'), first.body]).toEqual([
      200,
      't',
      { ...WRITTEN, transactionHash: '0x01' },
    ])
    const second = await client.submit.exchange({ body })
    expect([second.status, second.body]).toEqual([400, { success: false, error: 'no' }])
    const third = await client.submit.exchange({ body })
    expect([third.status, third.body]).toEqual([200, { success: false, error: 'no' }])
  })

  it('is thrown by exchange where no document has its shape', async () => {
    const { client } = clientOf([json('?', 502)])
    const error = await failure(client.submit.exchange({ body: { arguments: 'hi' } }))
    expect([error.name, error.status]).toEqual(['HttpError', 502])
  })
})

describe('an error', () => {
  it('carries status, body and headers', async () => {
    const { client } = clientOf([json({ success: false, error: 'no' }, 400, { 'x-trace': 't' })])
    const error = await failure(client.submit({ body: { arguments: 'hi' } }))
    expect(error).toBeInstanceOf(HttpError)
    expect([error.operation, error.status, error.body, error.headers.get('x-trace')]).toEqual([
      'submit',
      400,
      { success: false, error: 'no' },
      't',
    ])
    expect(error.message).toBe('submit returned 400: {"success":false,"error":"no"}')
  })

  it('is success: false under 200 too', async () => {
    const { client } = clientOf([json({ success: false, error: 'reverted' })])
    const error = await failure(client.submit({ body: { arguments: 'hi' } }))
    expect([error.name, error.status, error.body]).toEqual([
      'HttpError',
      200,
      { success: false, error: 'reverted' },
    ])
    expect(isHttpError(error, 'submit', 200)).toBe(true)
  })

  const guarded: readonly (readonly [
    answer: Response,
    any: boolean,
    ours: boolean,
    four: boolean,
  ])[] = [
    [json({ success: false, error: 'no' }, 400), true, true, true],
    [json({ success: false, error: 'no' }, 422), true, true, false],
    [json({ nothing: 'known' }, 400), true, false, false],
    [new Response('<html>', { status: 400 }), true, false, false],
    [json({ success: false, error: 'no' }, 502), true, false, false],
  ]
  it.each(guarded)(
    'is known by its guard only where it is documented so',
    async (answer, any, ours, four) => {
      const { client } = clientOf([answer])
      const error: unknown = await failure(client.submit({ body: { arguments: 'hi' } }))
      const verdicts = [
        isHttpError(error),
        isHttpError(error, 'submit'),
        isHttpError(error, 'submit', 400),
        isHttpError(error, 'search'),
      ]
      expect(verdicts).toEqual([any, ours, four, false])
    },
  )

  it('says that the network failed, and why', async () => {
    const cause = new TypeError('fetch failed')
    const { client, requests } = clientOf([cause])
    const error = await failure(client.submit({ body: { arguments: 'hi' } }))
    expect([error.reason, error.message, error.cause]).toEqual([
      'network',
      'submit: no response: fetch failed',
      cause,
    ])
    expect(requests).toHaveLength(1)
  })

  it('says that the time was up, even for a fetch that ignores its signal', async () => {
    const { client } = clientOf([() => new Promise(() => {})])
    const error = await failure(client.submit({ body: { arguments: 'hi' } }, { timeout: 10 }))
    expect([error.reason, error.message]).toEqual(['timeout', 'submit: no response within 10 ms'])
  })

  it('says that the caller gave up, and why', async () => {
    const controller = new AbortController()
    const { client } = clientOf([
      async () => {
        controller.abort(new Error('changed my mind'))
        return new Promise(() => {})
      },
    ])
    const error = await failure(
      client.submit({ body: { arguments: 'hi' } }, { signal: controller.signal }),
    )
    expect([error.reason, error.cause]).toEqual(['aborted', new Error('changed my mind')])
    for (const server of ['testnet', 'mainnet']) {
      const again = clientOf([], { server })
      const early = await failure(again.client.search({}, { signal: controller.signal }))
      expect([early.reason, again.requests]).toEqual(['aborted', []])
    }
  })
})

describe('secrets', () => {
  const KEY = 'k&y/1'
  const cases: readonly (readonly [name: string, answer: Response | Error])[] = [
    [
      'a refusal that repeats them',
      json(
        {
          success: false,
          error: `unknown key ${KEY}`,
          details: [{ [KEY]: encodeURIComponent(KEY) }],
        },
        400,
        { location: `/zkt/${encodeURIComponent(KEY)}` },
      ),
    ],
    [
      'a text that repeats them',
      new Response(`no such path /zkt/${encodeURIComponent(KEY)}`, { status: 404 }),
    ],
    ['a long text cut within them', new Response(`${'x'.repeat(197)}${KEY}`, { status: 500 })],
    [
      'a network error that repeats them',
      Object.assign(
        new TypeError(`failed to fetch https://h/zkt/${KEY}`, { cause: new Error(KEY) }),
        { input: KEY },
      ),
    ],
    [
      'an answer that does not parse',
      new Response(`{"${KEY}`, { headers: { 'content-type': 'application/json' } }),
    ],
  ]
  it.each(cases)('do not show in %s', async (_, answer) => {
    for (const given of ['auth', 'call'] as const) {
      const { client } = clientOf([answer], { auth: given === 'auth' ? { apiKey: KEY } : {} })
      const path = given === 'call' ? { path: { apiKey: KEY } } : {}
      const error = await failure(client.submit({ ...path, body: { arguments: 'hi' } }))
      const shown = `${inspect(error, { depth: 9 })}${error.stack}${JSON.stringify(error)}${inspect([...(error.headers ?? [])])}`
      for (const text of [KEY, encodeURIComponent(KEY), 'k&y', 'k%26y'])
        expect(shown).not.toContain(text)
    }
  })

  it('do not show where no URL can be made of them', async () => {
    const auth = { apiKey: 'k', token: 'hidden' }
    expect(() => clientOf([], { server: 'https://a b/{token}', auth })).toThrow(
      new TypeError(
        "server 'as given' is no http:// or https:// URL: choose another, or give a URL",
      ),
    )
  })

  it('that cannot be had are an error with its cause', async () => {
    const cause = new Error('the vault is closed')
    const apiKey = (): string => {
      throw cause
    }
    const { client } = clientOf([], { auth: { apiKey } })
    const error = await failure(client.submit({ body: { arguments: 'hi' } }))
    expect([error.reason, error.message, error.cause]).toEqual([
      'invalid-input',
      'submit: the credentials could not be obtained',
      cause,
    ])
  })
})

describe('security schemes', () => {
  const secured = (security: readonly (readonly string[])[]) => ({
    search: {
      ...service.operations.search,
      security,
      schemes: {
        head: { kind: 'key', in: 'header', parameter: 'X-Key' },
        ask: { kind: 'key', in: 'query', parameter: 'k' },
        jar: { kind: 'key', in: 'cookie', parameter: 'sid' },
        basic: { kind: 'basic' },
        token: { kind: 'bearer' },
        tls: { kind: 'outside', type: 'mutualTLS' },
      } as const,
    },
  })
  const cases: readonly (readonly [
    security: readonly (readonly string[])[],
    auth: HttpOptions['auth'],
    want: object,
  ])[] = [
    [[['head']], { head: 'a' }, { key: 'a' }],
    [[['ask']], { ask: 'a b' }, { search: '?k=a%20b' }],
    [[['jar']], { jar: 'a' }, { cookie: 'sid=a' }],
    [
      [['basic']],
      { basic: { username: 'u', password: 'pä' } },
      { authorization: 'Basic dTpww6Q=' },
    ],
    [[['token']], { token: async () => 't' }, { authorization: 'Bearer t' }],
    [[['head', 'ask'], ['token']], { head: 'a', token: 't' }, { authorization: 'Bearer t' }],
    [
      [['head', 'ask'], ['token']],
      { head: 'a', ask: 'b', token: 't' },
      { key: 'a', search: '?k=b' },
    ],
    [[[], ['token']], { token: 't' }, { authorization: 'Bearer t' }],
    [[[], ['token']], {}, {}],
    [[['tls']], {}, {}],
  ]
  it.each(cases)('%j with %j', async (security, auth, want) => {
    const { client, requests } = clientOf([json([])], { auth }, secured(security))
    await client.search()
    const { url = '', headers = new Headers() } = requests[0] ?? {}
    const seen = {
      search: new URL(url).search,
      key: headers.get('x-key'),
      cookie: headers.get('cookie'),
      authorization: headers.get('authorization'),
    }
    expect(seen).toEqual({ search: '', key: null, cookie: null, authorization: null, ...want })
  })

  it('a cookie of a scheme is joined with the headers of the caller', async () => {
    const options = { auth: { jar: 'a' }, headers: { Cookie: 'theme=dark; sid=b' } }
    const { client, requests } = clientOf([json([]), json([])], options, secured([['jar']]))
    await client.search()
    await client.search({}, { headers: { cookie: 'theme=light' } })
    expect(requests.map(({ headers }) => headers.get('cookie'))).toEqual([
      'sid=a; theme=dark; sid=b',
      'sid=a; theme=light',
    ])
  })

  const missing: readonly (readonly [
    security: readonly (readonly string[])[],
    auth: HttpOptions['auth'],
    want: string,
  ])[] = [
    [[['token']], {}, '/auth needs the credentials token'],
    [[['head', 'ask'], ['token']], { head: 'given' }, '/auth needs the credentials ask, or token'],
    [[['basic']], { basic: 'u:p' }, '/auth/basic must be { username, password }'],
  ]
  it.each(missing)('%j with %j is refused', async (security, auth, want) => {
    const { client, requests } = clientOf([], { auth }, secured(security))
    const error = await failure(client.search())
    expect(error.message).toBe(`search: the input is not valid: ${want}`)
    expect(requests).toEqual([])
  })

  it('are redacted, basic in base64 too', async () => {
    const auth = { basic: { username: 'u', password: 'opensesame' } }
    const { client } = clientOf(
      [json({ code: 1, u: 'Basic dTpvcGVuc2VzYW1l opensesame' }, 500)],
      { auth },
      secured([['basic']]),
    )
    const error = await failure(client.search())
    expect(error.body).toEqual({ code: 1, u: 'Basic [redacted] [redacted]' })
  })
})

describe('retries', () => {
  const busy = (status: number, after?: string): Response =>
    json({ code: 1 }, status, after === undefined ? {} : { 'retry-after': after })
  const cases: readonly (readonly [
    name: string,
    answers: readonly (Response | Error)[],
    options: HttpOptions,
    sent: number,
    waits: readonly number[],
  ])[] = [
    ['two after network failures', [new Error('a'), new Error('b'), json([])], {}, 3, [250, 500]],
    ['no third', [new Error('a')], {}, 3, [250, 500]],
    ['429 and 503', [busy(429), busy(503), json([])], {}, 3, [250, 500]],
    ['as long as Retry-After says, in seconds', [busy(429, '7'), json([])], {}, 2, [7_000]],
    [
      'as long as Retry-After says, as a date',
      [busy(503, 'Thu, 01 Jan 1970 00:00:09 GMT'), json([])],
      {},
      2,
      [9_000],
    ],
    ['not when that is past the timeout', [busy(429, '7'), json([])], { timeout: 6_000 }, 1, []],
    ['not after 500', [busy(500), json([])], {}, 1, []],
    [
      'as the options say',
      [new Error('a'), json([])],
      { retry: { attempts: 2, delay: 10 } },
      2,
      [10],
    ],
    [
      'never where one attempt is allowed',
      [new Error('a'), json([])],
      { retry: { attempts: 1 } },
      1,
      [],
    ],
  ]
  it.each(cases)('%s', async (_, answers, options, sent, waits) => {
    const run = clientOf(answers, options)
    await run.client.search().catch(() => undefined)
    expect([run.requests.length, run.waits]).toEqual([sent, waits])
  })

  it('never repeat a write', async () => {
    for (const answer of [new Error('a'), busy(429, '1'), busy(503)]) {
      const { client, requests } = clientOf([answer])
      await failure(client.submit({ body: { arguments: 'hi' } }))
      expect(requests).toHaveLength(1)
    }
  })
})

describe('polling', () => {
  const states = (...names: string[]) => names.map((status) => json({ status, queueId: 'q' }))
  const collect = async (run: ReturnType<typeof clientOf>, options: object = {}) => {
    const seen: string[] = []
    for await (const record of run.client.getStatus.poll({ path: { queueId: 'q' } }, options))
      seen.push(record.status)
    return seen
  }

  it('yields every change and ends with the final record', async () => {
    const run = clientOf(
      states('pending', 'pending', 'processing', 'processing', 'completed', 'pending'),
    )
    expect(await collect(run)).toEqual(['pending', 'processing', 'completed'])
    expect(run.waits).toEqual([500, 750, 1_125, 1_687.5])
  })

  it('waits as the server asks', async () => {
    const run = clientOf(states('pending', 'pending', 'error'))
    expect(await collect(run, { interval: (asked: number) => asked * 10 })).toEqual([
      'pending',
      'error',
    ])
    expect(run.waits).toEqual([10, 20])
  })

  it('goes on past a state that nobody documents', async () => {
    const run = clientOf(states('pending', 'parked', 'processing', 'completed'))
    expect(await collect(run)).toEqual(['pending', 'parked', 'processing', 'completed'])
  })

  it('refuses a state that goes back', async () => {
    const error = await failure(collect(clientOf(states('processing', 'pending'))))
    expect([error.reason, error.message]).toEqual([
      'invalid-answer',
      'getStatus: status went back from processing to pending',
    ])
  })

  it('ends at its timeout', async () => {
    const run = clientOf(states('pending'))
    const error = await failure(collect(run, { interval: 400, timeout: 1_000 }))
    expect([error.reason, error.message]).toEqual([
      'timeout',
      'getStatus: not final within 1000 ms',
    ])
    expect(run.waits).toEqual([400, 400, 200])
  })

  it('ends when the caller gives up', async () => {
    const controller = new AbortController()
    const run = clientOf(states('pending'), {
      clock: { sleep: async () => controller.abort(new Error('enough')) },
    })
    const error = await failure(collect(run, { signal: controller.signal }))
    expect([error.reason, error.cause]).toEqual(['aborted', new Error('enough')])
    expect(run.requests).toHaveLength(1)
  })

  it('stops with the loop that reads it', async () => {
    const run = clientOf(states('pending', 'processing', 'completed'))
    for await (const _ of run.client.getStatus.poll({ path: { queueId: 'q' } })) break
    expect(run.requests).toHaveLength(1)
  })

  it('throws what a question throws', async () => {
    const run = clientOf([...states('pending'), json({ error: 'Transaction not found' }, 404)])
    const error: unknown = await failure(collect(run))
    expect(isHttpError(error, 'getStatus', 404) && error.body.error).toBe('Transaction not found')
  })
})

it('an error body with a bigint of the document is the body of the HttpError', async () => {
  const places = { properties: { id: { isBigint: true } } } as const
  const get = operation('get', {
    idempotent: true,
    responses: declaredResponses({ 200: [], 400: ['application/json'] }),
    bigints: { responses: { 400: places } },
  })
  let sent = 0
  const fetch = async () => {
    sent += 1
    const headers = { 'content-type': 'application/json' }
    return new Response('{"id":12345678901234567890}', { status: 400, headers })
  }
  const client = createHttp<{ readonly get: () => Promise<unknown> }>(
    { ...service, operations: { get } },
    { get: { responses: {} } },
    { server: 'http://one.example', fetch },
  )
  await expect(client.get()).rejects.toMatchObject({
    status: 400,
    body: { id: 12345678901234567890n },
    message: 'get returned 400: {"id":12345678901234567890}',
  })
  expect(sent).toBe(1)
})
