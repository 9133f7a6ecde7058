import { inspect } from 'node:util'
import { describe, expect, it, test } from 'vitest'
import type { HttpOptions } from '../../src/runtime/http.js'
import { createHttp } from '../../src/runtime/http.js'
import { secretVariables } from '../../src/runtime/shared/server-url.js'
import { urlSecrets } from '../../src/runtime/shared/written-secrets.js'
import { type Client, service, validators } from './http-fixture.js'
import { createTestClient, errorOf } from './rpc-fixture.js'

const printed = (error: unknown): string =>
  inspect(error, { depth: 10, showHidden: true, getters: true, maxStringLength: null })

const basic = `Basic ${btoa('me:pa55word')}`

test('the value of an undeclared variable in a URL is secret, as where a client fills it in', () => {
  const server = { name: 'main', url: 'https://h.test/zgt/{apiKey}', variables: {} }
  expect(secretVariables(server)).toEqual(['apiKey'])
  expect(urlSecrets('https://h.test/zgt/k3y', [server], ['/zgt/{apiKey}'])).toContain('k3y')
})

/** What a server, or the platform's `fetch`, tells of a request. */
const tellings: Record<string, (request: Request) => Response> = {
  'a refusal': (request) => Response.json(everything(request), { status: 400 }),
  'a text': (request) =>
    new Response(JSON.stringify(everything(request)), {
      status: 500,
      headers: { 'x-echo': encodeURI(JSON.stringify(everything(request))) },
    }),
  'an answer that does not fit': (request) => Response.json([{ at: everything(request) }]),
  'an answer that is not JSON': (request) =>
    new Response(`<${JSON.stringify(everything(request))}>`, {
      headers: { 'content-type': 'application/json' },
    }),
  'a failure': (request) => {
    throw Object.assign(new TypeError(`cannot reach ${request.url}`), {
      request,
      url: new URL(request.url),
      options: { headers: request.headers, list: [new Error(JSON.stringify(everything(request)))] },
    })
  },
}

const everything = ({ url, headers }: Request) => ({
  url,
  headers: [...headers],
  token: headers.get('authorization')?.split(' ')[1],
})

const secretly: readonly (readonly [
  title: string,
  options: HttpOptions,
  call: { headers?: Record<string, string> },
  never: readonly string[],
])[] = [
  ['a bearer', { headers: { authorization: 'Bearer t0ken' } }, {}, ['t0ken']],
  ['a bearer of one call', {}, { headers: { Authorization: 'Bearer t0ken' } }, ['t0ken']],
  ['a pair', { headers: { authorization: basic } }, {}, ['pa55word', btoa('me:pa55word')]],
  ['a key', { headers: { 'x-api-key': 'k3y' } }, {}, ['k3y']],
  ['a session', { headers: { 'x-session': 's3ss10n' } }, {}, ['s3ss10n']],
  ['a password', { headers: { 'x-password': 'pa55' } }, {}, ['pa55']],
  ['a cookie', { headers: { cookie: 'theme=1; sid=s3ss10n1d' } }, {}, ['s3ss10n1d']],
  ['a long part', { server: 'http://h.test/of/0123456789abcdef' }, {}, ['0123456789abcdef']],
  ['a query', { server: new URL('http://h.test/?k=0123456789abcdef') }, {}, ['0123456789abcdef']],
  [
    'a variable of a URL',
    { server: 'http://h.test/{tenant}', variables: { tenant: 'k3y' } },
    {},
    ['k3y'],
  ],
]

describe.each(Object.entries(tellings))('sent by %s', (_, answer) => {
  it.each(secretly)('%s stays a secret', async (_, options, call, never) => {
    const fetch = async (url: string, init: RequestInit) => answer(new Request(url, init))
    const retry = { attempts: 1 }
    const client = createHttp<Client>(service, validators, { ...options, fetch, retry })
    const error = await errorOf(client.search({}, call))
    for (const secret of never) expect(printed(error)).not.toContain(secret)
  })
})

test.each(['http://user:pa55word@h.test', 'http://pa55word@h.test/x', 'http://:pa55word@h.test'])(
  'the password in %s is not shown by either client',
  async (server) => {
    const retry = { attempts: 1 }
    const http = createHttp<Client>(service, validators, { server, retry })
    const rpc = createTestClient({ server, retry })
    for (const call of [http.search(), rpc.nodeHeight()]) {
      const error = await errorOf(call)
      expect(error.name).toBe('CallError')
      expect(printed(error)).not.toContain('pa55word')
    }
  },
)

test('a client of a server that cannot be used is not created, and the error shows no secret', () => {
  const server = 'http://h.test/0123456789abcdef/{tenant}'
  expect(() => createHttp<Client>(service, validators, { server })).toThrow(
    new TypeError("the server URL needs a value for 'tenant'"),
  )
})

test('a client with a header that HTTP does not allow is not created, and the error does not repeat it', () => {
  const headers = { 'x-key': 'open\nsesame' }
  expect(() => createHttp<Client>(service, validators, { headers })).toThrow(
    new TypeError('options.headers contains a name or a value that HTTP does not allow'),
  )
})

test('what a documented address holds is no secret, nor is an ordinary header', async () => {
  const fetch = async (url: string, init: RequestInit) =>
    Response.json({ error: `${url} by ${new Headers(init.headers).get('x-app')}` }, { status: 404 })
  const client = createHttp<Client>(service, validators, { fetch, headers: { 'x-app': 'shop' } })
  const error = await errorOf(client.getStatus({ path: { queueId: 'q' } }))
  expect(error).toMatchObject({ body: { error: 'https://api.test.example/v1/status/q by shop' } })
})

test.each<[title: string, body: string, status: number]>([
  ['text that is not JSON', `["${'-'.repeat(30)}", xk3yk3yk3yk3y, "${'-'.repeat(30)}"]`, 200],
  ['a value', JSON.stringify(`${'-'.repeat(54)}k3yk3yk3yk3y`), 200],
  ['a refusal', JSON.stringify({ code: `${'-'.repeat(54)}k3yk3yk3yk3y` }), 400],
])('not even half a secret is shown of %s, cut short', async (_, body, status) => {
  const fetch = async () =>
    new Response(body, { status, headers: { 'content-type': 'application/json' } })
  const headers = { 'x-api-key': 'k3yk3yk3yk3y' }
  const error = await errorOf(createHttp<Client>(service, validators, { fetch, headers }).search())
  expect(error.name).toMatch(/^(Call|Http)Error$/)
  expect(printed(error)).not.toContain('k3y')
})

test('an answer that only its secret spoils is refused all the same', async () => {
  const fetch = async () => Response.json([12345678])
  const headers = { 'x-api-key': '12345678' }
  const call = createHttp<Client>(service, validators, { fetch, headers }).search()
  expect(await errorOf(call)).toMatchObject({
    reason: 'invalid-answer',
    message: 'search: the response (200) does not match its schema: it must match its schema',
  })
})
