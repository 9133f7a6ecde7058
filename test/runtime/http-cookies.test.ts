import { createHttp, type HttpOptions } from 'twinspec/runtime/http'
import { createRpc } from 'twinspec/runtime/rpc'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { declaredResponses } from './declared.js'

/** What a client sends. */
type Sent = {
  readonly url: string
  readonly cookie: string | null
  readonly authorization: string | null
  readonly key: string | null
  readonly credentials: RequestCredentials | undefined
}

const schemes = {
  session: { kind: 'key', in: 'cookie', parameter: 'sid' },
  csrf: { kind: 'key', in: 'header', parameter: 'X-Csrf' },
  token: { kind: 'bearer' },
} as const

/** Calls an operation, and returns its request; throws what the call throws. */
const call = async (
  security: readonly (readonly string[])[],
  options: HttpOptions = {},
  { input = {}, required = false } = {},
): Promise<Sent> => {
  const get = {
    kind: 'http',
    id: 'get',
    method: 'GET',
    path: '/a',
    servers: [],
    parameters: [{ name: 'lang', in: 'cookie', required, style: 'form', explode: true }],
    responses: declaredResponses({ 204: [] }),
    security,
    schemes,
  } as const
  let sent: Sent | undefined
  const fetch = async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    const [cookie, authorization, key] = ['cookie', 'authorization', 'x-csrf'].map((name) =>
      headers.get(name),
    ) as [string | null, string | null, string | null]
    sent = { url, cookie, authorization, key, credentials: init.credentials }
    return new Response(null, { status: 204 })
  }
  const client = createHttp<{ readonly get: (input: object) => Promise<unknown> }>(
    { servers: [], limits: {}, operations: { get } },
    { get: { responses: {} } },
    { server: 'https://api.example', fetch, ...options },
  )
  await client.get(input)
  if (sent === undefined) throw new Error('nothing was sent')
  return sent
}

const NEEDS = { reason: 'invalid-input' }

describe('cookies in a browser', () => {
  beforeEach(() => void vi.stubGlobal('document', { cookie: '' }))
  afterEach(() => void vi.unstubAllGlobals())

  it('need no secret, and none is sent', async () => {
    expect(await call([['session']])).toMatchObject({ cookie: null })
    expect(await call([['session']], { auth: { session: 's' } })).toMatchObject({ cookie: null })
    expect(await call([['session'], []])).toMatchObject({ cookie: null })
  })

  it('of the option headers and of parameters are left to the browser, too', async () => {
    const headers = { cookie: 'sid=1' }
    expect(await call([['session']], { headers })).toMatchObject({ cookie: null })
    expect(await call([], { headers })).toMatchObject({ cookie: null })
    expect(await call([], {}, { required: true })).toMatchObject({ cookie: null })
    const input = { cookie: { lang: 'de' } }
    expect(await call([], {}, { input, required: true })).toMatchObject({ cookie: null })
  })

  it('stand beside other credentials, which are still needed', async () => {
    await expect(call([['session', 'csrf']])).rejects.toMatchObject(NEEDS)
    const auth = { csrf: 'c' }
    expect(await call([['session', 'csrf']], { auth })).toMatchObject({ cookie: null, key: 'c' })
    await expect(call([['token']])).rejects.toMatchObject(NEEDS)
  })

  it('give way to an alternative for which the caller has credentials', async () => {
    const auth = { token: 't' }
    for (const security of [
      [['session'], ['token']],
      [['token'], ['session']],
      [['session'], [], ['token']],
    ])
      expect(await call(security, { auth })).toMatchObject({ authorization: 'Bearer t' })
    for (const security of [
      [['session'], ['token']],
      [['token'], ['session']],
    ])
      expect(await call(security)).toMatchObject({ authorization: null, cookie: null })
  })

  it.each(['omit', 'same-origin', 'include'] as const)(
    'are sent as fetchOptions say: %s',
    async (credentials) => {
      const fetchOptions = { credentials }
      expect(await call([['session']], { fetchOptions })).toMatchObject({ credentials })
      let seen: unknown
      const fetch = async (_: string, init: RequestInit) => {
        seen = init.credentials
        return new Response('{"jsonrpc":"2.0","id":1,"result":1}')
      }
      const operation = { kind: 'rpc', id: 'get', method: 'get', params: [], errors: [] } as const
      const operations = { get: { ...operation, paramStructure: 'by-position' } } as const
      const any = { check: () => true }
      const client = createRpc<{ readonly get: () => Promise<unknown> }>(
        { servers: [], path: '', operations },
        { get: { params: any, result: any } },
        { server: 'https://api.example', fetch, fetchOptions },
      )
      expect(await client.get()).toBe(1)
      expect(seen).toBe(credentials)
    },
  )
})

describe('cookies in a worker of a browser', () => {
  afterEach(() => void vi.unstubAllGlobals())

  it('are left to it: it has no document, and drops the header', async () => {
    class BrowserRequest extends Request {
      constructor(url: string) {
        super(url)
      }
    }
    vi.stubGlobal('Request', BrowserRequest)
    expect(await call([['session']])).toMatchObject({ cookie: null })
  })
})

describe('cookies on a server', () => {
  it('are credentials of the caller, as they were', async () => {
    await expect(call([['session']])).rejects.toMatchObject(NEEDS)
    expect(await call([['session']], { auth: { session: 's' } })).toMatchObject({ cookie: 'sid=s' })
    const both = { auth: { session: 's', token: 't' } }
    expect(await call([['session'], ['token']], both)).toMatchObject({
      cookie: 'sid=s',
      authorization: null,
    })
    await expect(call([], {}, { required: true })).rejects.toMatchObject(NEEDS)
    const input = { cookie: { lang: 'de' } }
    const headers = { cookie: 'a=1' }
    expect(await call([], { headers }, { input })).toMatchObject({ cookie: 'lang=de; a=1' })
    expect(await call([['session']], { auth: { session: 's' } })).toMatchObject({
      credentials: undefined,
    })
  })
})
