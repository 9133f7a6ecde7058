import { describe, expect, it } from 'vitest'
import { createHttp, type HttpOptions, type Warning } from '../../src/runtime/http.js'
import { validator } from '../../src/runtime/validate.js'
import { type Client, service, validators } from './http-fixture.js'

const clientOf = (
  answers: readonly (() => Response | Promise<Response>)[],
  options: HttpOptions,
  own: object = validators,
) => {
  const sent: { readonly url: string; readonly init: RequestInit }[] = []
  const client = createHttp<Client>(service, own, {
    auth: { apiKey: 'secret-key' },
    retry: { delay: 0, clock: { sleep: async () => undefined } },
    fetch: async (url, init) => {
      sent.push({ url, init })
      return (answers[Math.min(sent.length, answers.length) - 1] as () => Response)()
    },
    ...options,
  })
  return { client, sent }
}

const json =
  (body: unknown, status = 200) =>
  (): Response =>
    Response.json(body, { status })
const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail('answered'),
    (error) => error,
  )

describe('hooks', () => {
  it('run as layers, onRequest again for each retry', async () => {
    const log: string[] = []
    const layer = (name: string): HttpOptions => ({
      onRequest: [({ attempt }) => log.push(`${name} request ${attempt}`)],
      onResponse: [({ status }) => log.push(`${name} response ${status}`)],
    })
    const [outer, inner] = [layer('outer'), layer('inner')]
    const { client } = clientOf([json({ code: 1 }, 503), json(['a'])], {
      onRequest: [outer.onRequest, inner.onRequest].flat() as never,
      onResponse: [outer.onResponse, inner.onResponse].flat() as never,
    })
    expect(await client.search()).toEqual(['a'])
    expect(log).toEqual([
      'outer request 1',
      'inner request 1',
      'inner response 503',
      'outer response 503',
      'outer request 2',
      'inner request 2',
      'inner response 200',
      'outer response 200',
    ])
  })

  it('change headers, see no secret in the URL, and may read a clone of the response', async () => {
    const seen: unknown[] = []
    const { client, sent } = clientOf([json({ success: true, hash: '0x01' })], {
      onRequest: ({ operations, method, url, headers }) => {
        seen.push(operations, method, url)
        headers.set('x-trace', 't')
      },
      onResponse: async (response) => seen.push(await response.clone().json()),
    })
    await client.submit({ body: { arguments: 'a' } })
    expect(seen).toEqual([
      ['submit'],
      'POST',
      'https://rpc.test.example/zkt/[redacted]',
      { success: true, hash: '0x01' },
    ])
    expect(new Headers(sent[0]?.init.headers).get('x-trace')).toBe('t')
  })

  it('end a call by what they throw, without its secrets and without a retry', async () => {
    for (const hook of ['onRequest', 'onResponse'] as const) {
      const { client, sent } = clientOf([json({ success: true })], {
        [hook]: () => {
          throw new Error('no secret-key today')
        },
      })
      const error = await failureOf(client.submit({ body: { arguments: 'a' } }))
      expect(error.message).toBe('no [redacted] today')
      expect(sent).toHaveLength(hook === 'onRequest' ? 0 : 1)
    }
  })

  it('leave no connection open where onResponse throws', async () => {
    let isCancelled = false
    const cancel = () => {
      isCancelled = true
    }
    const onResponse = () => {
      throw new Error('no')
    }
    const answer = () => new Response(new ReadableStream({ cancel }))
    const { client } = clientOf([answer], { onResponse })
    expect((await failureOf(client.search())).message).toBe('no')
    expect(isCancelled).toBe(true)
  })

  it('hear of the error that a call rejects with', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown, operation: string) => errors.push([operation, error])
    const { client } = clientOf([json({ success: false, error: 'no' }, 400)], { onError })
    const error = await failureOf(client.submit({ body: { arguments: 'a' } }))
    const { status } = await client.submit.exchange({ body: { arguments: 'a' } })
    expect([errors, status]).toEqual([[['submit', error]], 400])
  })
})

describe('options that cannot work', () => {
  it.each([
    ['timeout', { timeout: Number.NaN }],
    ['timeout', { timeout: -1 }],
    ['retry', { retry: 'often' }],
    ['retry.attempts', { retry: { attempts: Number.NaN } }],
    ['validate.response', { validate: { response: false } }],
    ['validate.answer', { validate: { answer: 'off' } }],
    ['fetch', { fetch: 1 }],
    ['onRequest', { onRequest: [1] }],
    ['onWarning', { onWarning: 'log' }],
  ])('%s fails when the client is created', (name, options) => {
    expect(() => createHttp(service, validators, options as HttpOptions)).toThrow(
      new RegExp(`^options\\.${name} `),
    )
  })
})

it('the query of an address goes behind the path, a fragment nowhere', async () => {
  const server = 'https://rpc.test.example/?tenant=1#top'
  const { client, sent } = clientOf([json(['a'])], { server })
  await client.search()
  const { pathname, search, hash } = new URL(sent[0]?.url ?? '')
  expect([pathname.endsWith('/'), search, hash]).toEqual([false, '?tenant=1', ''])
})

describe('raw', () => {
  it('gives the response of any status as it comes', async () => {
    const answer = Response.json({ no: 'schema has this' }, { status: 418 })
    const { client } = clientOf([() => answer], {})
    expect(await client.submit.raw({ body: { arguments: 'a' } })).toBe(answer)
    expect(await answer.json()).toEqual({ no: 'schema has this' })
  })

  it('validates its input, and retries as other calls do', async () => {
    const { client, sent } = clientOf([json({}, 503), json([])], {})
    expect(await failureOf(client.search.raw({ query: { limit: 0 } }))).toMatchObject({
      reason: 'invalid-input',
    })
    expect((await client.search.raw()).status).toBe(200)
    expect(sent).toHaveLength(2)
  })

  it.each([
    ['a retry', 503, (client: Client) => client.search.raw()],
    ['a renewed secret', 401, (client: Client) => client.submit.raw({ body: { arguments: 'a' } })],
  ])('frees the connection of the response before %s', async (_, status, call) => {
    let isFree = false
    const cancel = () => {
      isFree = true
    }
    const unread = () => new Response(new ReadableStream({ cancel }), { status })
    const auth = { apiKey: (rejected?: string) => (rejected === undefined ? 'old' : 'new') }
    const { client } = clientOf([unread, json([])], { auth })
    expect((await call(client)).status).toBe(200)
    expect(isFree).toBe(true)
  })
})

describe('a response that differs from the document', () => {
  const status = validator(() => ({
    type: 'object',
    properties: {
      status: { enum: ['pending', 'completed'] },
      queueId: { type: 'string' },
      fee: { type: 'integer' },
      transactionHash: { type: ['string', 'null'] },
    },
    required: ['status', 'queueId', 'transactionHash'],
    additionalProperties: false,
  }))
  const read = async (
    body: unknown,
    response: 'tolerant' | 'strict' | 'off' | undefined,
    type = 'application/json',
  ) => {
    const warnings: Warning[] = []
    const own = { ...validators, getStatus: { responses: { 200: status } } }
    const client = createHttp<Client>(service, own, {
      validate: { response },
      onWarning: (warning) => warnings.push(warning),
      fetch: async () =>
        new Response(typeof body === 'string' ? body : JSON.stringify(body), {
          headers: { 'content-type': type },
        }),
    })
    const outcome = await client
      .getStatus({ path: { queueId: 'q' } })
      .catch(({ reason }) => `rejected: ${reason}`)
    return {
      outcome,
      warnings: warnings.map(({ operation, issues }) => [operation, issues.length]),
    }
  }
  const FINE = { status: 'pending', queueId: 'q', transactionHash: null }
  const WARNED = [['getStatus', 1]]

  it.each<[title: string, body: unknown, warnings: unknown, typed?: unknown]>([
    ['an unknown property', { ...FINE, more: 1 }, []],
    ['an unknown value of an enum', { ...FINE, status: 'parked' }, WARNED],
    [
      'the absence of a property that may be null',
      { status: 'pending', queueId: 'q' },
      WARNED,
      FINE,
    ],
    ['null for an optional property', { ...FINE, fee: null }, WARNED, FINE],
  ])('P11: by %s is returned, unless the client is strict', async (_, body, warnings, typed) => {
    const outcome = typed ?? body
    expect(await read(body, undefined)).toStrictEqual({ outcome, warnings })
    expect(await read(body, 'tolerant')).toStrictEqual({ outcome, warnings })
    expect(await read(body, 'strict')).toEqual({
      outcome: 'rejected: invalid-answer',
      warnings: [],
    })
    expect(await read(body, 'off')).toEqual({ outcome: body, warnings: [] })
  })

  it('by anything else is rejected, unless nothing is validated', async () => {
    const body = { ...FINE, queueId: 7 }
    expect(await read(body, undefined)).toEqual({
      outcome: 'rejected: invalid-answer',
      warnings: [],
    })
    expect(await read(body, 'off')).toEqual({ outcome: body, warnings: [] })
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('the disk is full')
      },
    ],
    ['rejects', () => Promise.reject(new Error('the disk is full'))],
  ])(
    'rejects the call with what onWarning %s, and is not requested again',
    async (_, onWarning) => {
      const parked = (): Response => Response.json({ ...FINE, status: 'parked' })
      const own = { ...validators, getStatus: { responses: { 200: status } } }
      const { client, sent } = clientOf([parked], { onWarning }, own)
      const call = client.getStatus({ path: { queueId: 'q' } })
      expect((await failureOf(call)).message).toBe('the disk is full')
      expect(sent).toHaveLength(1)
    },
  )

  it('by its media type is rejected, also if nothing is validated', async () => {
    for (const reading of [undefined, 'strict', 'off'] as const)
      expect(await read('<html>', reading, 'text/html')).toEqual({
        outcome: 'rejected: malformed-answer',
        warnings: [],
      })
  })
})

describe('fetchOptions', () => {
  it('reach fetch unchanged; those of a call win over those of the client', async () => {
    const next = { revalidate: 60, tags: ['orders'] }
    const { client, sent } = clientOf([json(['a'])], {
      fetchOptions: { cache: 'no-store', keepalive: true, credentials: 'include' },
    })
    const own: object = { cache: 'force-cache', next }
    await client.search({}, { fetchOptions: own })
    await client.search.exchange({})
    await client.search.raw({})
    expect(sent.map(({ init }) => init)).toMatchObject([
      { cache: 'force-cache', keepalive: true, credentials: 'include', next },
      { cache: 'no-store', keepalive: true, credentials: 'include' },
      { cache: 'no-store', keepalive: true, credentials: 'include' },
    ])
  })

  it('are kept in retries', async () => {
    const { client, sent } = clientOf([json({ code: 1 }, 503), json(['a'])], {
      fetchOptions: { cache: 'reload' },
    })
    await client.search()
    expect(sent.map(({ init }) => init.cache)).toEqual(['reload', 'reload'])
  })

  it('cannot have a field that the client sets', async () => {
    for (const name of ['method', 'headers', 'body', 'signal', 'redirect', 'duplex']) {
      const fetchOptions: object = { [name]: undefined }
      const message = `options.fetchOptions.${name} must be left out: the client sets it`
      expect(() => clientOf([], { fetchOptions })).toThrow(message)
      const { client, sent } = clientOf([json(['a'])], {})
      expect(await failureOf(client.search({}, { fetchOptions }))).toMatchObject({
        name: 'TypeError',
        message,
      })
      expect(sent).toEqual([])
    }
  })
})
