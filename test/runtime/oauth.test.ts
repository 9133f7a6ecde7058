import { createHttp } from 'twinspec/runtime/http'
import { clientCredentials, OAuthError, refreshToken } from 'twinspec/runtime/oauth'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { operation } from './http-fixture.js'
import { listen } from './listen.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const SECRET = 'p%ss w:rd'

/** A token endpoint that gives `token-1`, `token-2` and so on; `more` of the responses, by number. */
const endpoint = (...more: readonly (object | Response)[]) => {
  const requests: {
    readonly headers: Headers
    readonly fields: object
    readonly init: RequestInit
  }[] = []
  const fetch = async (_: string, init: RequestInit) => {
    const fields = Object.fromEntries(new URLSearchParams(String(init.body)))
    requests.push({ headers: new Headers(init.headers), fields, init })
    const own = more[Math.min(requests.length, more.length) - 1] ?? {}
    if (own instanceof Response) return own.clone()
    const access_token = `token-${requests.length}`
    return Response.json({ access_token, token_type: 'Bearer', expires_in: 3600, ...own })
  }
  const options = { tokenUrl: 'https://id.example/token', clientId: 'shop', fetch } as const
  return { requests, options, confidential: { ...options, clientSecret: SECRET } }
}

const failureOf = async (work: Promise<unknown>): Promise<OAuthError> => {
  const error = await work.then(
    () => expect.fail('a token was given'),
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(OAuthError)
  return error
}

describe('clientCredentials', () => {
  it('asks once for calls that wait, and again shortly before the token ends', async () => {
    const { requests, confidential } = endpoint()
    const token = clientCredentials({ ...confidential, scopes: ['orders:read', 'orders:write'] })
    expect(await Promise.all([token(), token(), token()])).toEqual(Array(3).fill('token-1'))
    vi.setSystemTime(Date.now() + 3_569_000)
    expect(await token()).toBe('token-1')
    vi.setSystemTime(Date.now() + 2_000)
    expect(await token()).toBe('token-2')
    expect(requests.map(({ fields }) => fields)).toEqual(
      Array(2).fill({ grant_type: 'client_credentials', scope: 'orders:read orders:write' }),
    )
    expect(requests[0]?.init).toMatchObject({ method: 'POST', redirect: 'error' })
  })

  it('tells the client in HTTP Basic, written as in a form, or in the body', async () => {
    const { requests, confidential } = endpoint()
    await clientCredentials(confidential)()
    const parameters = { audience: 'https://api.example' }
    await clientCredentials({ ...confidential, authentication: 'body', parameters })()
    expect(requests[0]?.headers.get('authorization')).toBe(`Basic ${btoa('shop:p%25ss+w%3Ard')}`)
    expect(requests[1]?.headers.get('authorization')).toBeNull()
    expect(requests[1]?.fields).toEqual({
      grant_type: 'client_credentials',
      client_id: 'shop',
      client_secret: SECRET,
      audience: 'https://api.example',
    })
  })

  it('replaces a rejected token once, whichever calls report it', async () => {
    const { requests, confidential } = endpoint({ expires_in: undefined })
    const token = clientCredentials(confidential)
    await token()
    expect(await Promise.all([token('token-1'), token('token-1')])).toEqual(['token-2', 'token-2'])
    expect(await token('token-1')).toBe('token-2')
    expect(requests).toHaveLength(2)
  })

  it('rejects with the code of the server, without the secret, and asks again at the next call', async () => {
    const refused = Response.json(
      {
        error: 'invalid_client',
        error_description: `wrong secret ${SECRET}`,
        error_uri: 'https://id.example/e',
      },
      { status: 401 },
    )
    const { confidential } = endpoint(refused, {})
    const token = clientCredentials(confidential)
    const error = await failureOf(token())
    expect(error).toMatchObject({
      name: 'OAuthError',
      code: 'invalid_client',
      status: 401,
      uri: 'https://id.example/e',
      message: 'the token endpoint answered 401: invalid_client: wrong secret [redacted]',
    })
    expect(JSON.stringify({ ...error })).not.toContain(SECRET)
    expect(await token()).toBe('token-2')
  })

  it.each([
    ['no JSON', new Response('<h1>busy</h1>', { status: 503 }), 'answered 503: no token'],
    ['no token', Response.json({}), 'answered 200: no token'],
    ['another type', { token_type: 'mac' }, 'answered 200: a token of the type mac'],
  ] as const)('rejects %s', async (_, response, message) => {
    const { confidential } = endpoint(response)
    const error = await failureOf(clientCredentials(confidential)())
    expect(error.message).toContain(message)
    expect(error.code).toBeUndefined()
  })

  it('rejects where nobody answers, and for an address that is none', async () => {
    const fetch = () => Promise.reject(new TypeError(`cannot connect with ${SECRET}`))
    const { confidential } = endpoint()
    const error = await failureOf(clientCredentials({ ...confidential, fetch })())
    expect(error.message).toBe('the token endpoint did not answer: cannot connect with [redacted]')
    expect(() => clientCredentials({ ...confidential, tokenUrl: '/token' })).toThrow(
      'options.tokenUrl must be an absolute URL',
    )
  })
})

describe('refreshToken', () => {
  it('uses the refresh token that the server gave last, and reports it', async () => {
    const { requests, options } = endpoint({ refresh_token: 'second' }, {})
    const stored: string[] = []
    const token = refreshToken({
      ...options,
      refreshToken: 'first',
      onRefreshToken: (next) => void stored.push(next),
    })
    expect(await token()).toBe('token-1')
    expect(await token('token-1')).toBe('token-2')
    expect(stored).toEqual(['second'])
    expect(requests.map(({ fields }) => fields)).toEqual([
      { grant_type: 'refresh_token', refresh_token: 'first', client_id: 'shop' },
      { grant_type: 'refresh_token', refresh_token: 'second', client_id: 'shop' },
    ])
  })

  it('rejects an ended grant without the refresh token', async () => {
    const gone = { error: 'invalid_grant', error_description: 'refresh-abc has ended' }
    const { options } = endpoint(Response.json(gone, { status: 400 }))
    const token = refreshToken({ ...options, refreshToken: 'refresh-abc' })
    expect(await failureOf(token())).toMatchObject({
      code: 'invalid_grant',
      description: '[redacted] has ended',
    })
  })
})

describe('a client with tokens', () => {
  const get = operation('get', {
    security: [['oauth']],
    schemes: { oauth: { kind: 'bearer' } },
  })
  const service = { servers: [], limits: {}, operations: { get } }
  const checks = { get: { responses: { 200: { check: () => true } } } }

  it('sends them, and a call again with another one after 401', async () => {
    const { requests, confidential } = endpoint()
    const seen: unknown[] = []
    const server = await listen(({ headers }, response) => {
      seen.push(headers.authorization)
      const isRejected = headers.authorization === 'Bearer token-1'
      response.writeHead(isRejected ? 401 : 200, { 'content-type': 'application/json' }).end('{}')
    })
    const auth = { oauth: clientCredentials(confidential) }
    const client = createHttp<Record<'get', () => Promise<unknown>>>(service, checks, {
      server,
      auth,
    })
    expect(await client.get()).toEqual({})
    expect(await client.get()).toEqual({})
    expect(seen).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-2'])
    expect(requests).toHaveLength(2)
  })

  it('rejects calls with the error as their cause', async () => {
    const refused = Response.json({ error: 'invalid_scope' }, { status: 400 })
    const auth = { oauth: clientCredentials(endpoint(refused).confidential) }
    const server = 'http://127.0.0.1:9'
    const client = createHttp<Record<'get', () => Promise<unknown>>>(service, checks, {
      server,
      auth,
    })
    await expect(client.get()).rejects.toMatchObject({
      reason: 'invalid-input',
      cause: expect.objectContaining({ code: 'invalid_scope', status: 400 }),
    })
  })
})
