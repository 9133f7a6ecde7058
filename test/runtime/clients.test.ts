import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createHttp } from 'twinspec/runtime/http'
import { createFetch } from 'twinspec/runtime/openapi-fetch'
import { createRpc } from 'twinspec/runtime/rpc'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../generated/client.js'
import { folderOf, twinspec } from '../cli/command-line.js'
import { declaredResponses } from './declared.js'

/** A server on a free port of the loopback, until the test ends. */
const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const ID = '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942'

const check = { check: () => true, open: () => true }

/** An HTTP service of one operation, as generated `operations.ts` has it. */
const http = (more: object = {}) => ({
  servers: [
    { name: 'one', url: 'https://{region}.example', variables: { region: { default: 'eu' } } },
  ],
  limits: {},
  operations: {
    find: {
      kind: 'http' as const,
      id: 'find',
      method: 'GET',
      path: '/find',
      servers: [],
      parameters: [],
      responses: declaredResponses({ 200: ['application/json'] }),
      security: [['key']],
      schemes: { key: { kind: 'key', in: 'header', parameter: 'X-Key' } as const },
      idempotent: true,
      ...more,
    },
  },
})
type Find = ((input?: object, options?: object) => Promise<unknown>) & {
  readonly raw: (input?: object, options?: object) => Promise<Response>
}
const finding = (options: object, more: object = {}): Find =>
  createHttp<{ find: Find }>(http(more), { find: { responses: { 200: check } } }, options).find

/** A JSON-RPC service of one method. */
const rpc = (more: object = {}) => ({
  servers: [
    {
      name: 'one',
      url: 'https://rpc.example/{apiKey}',
      variables: { apiKey: { default: 'open', secret: true } },
    },
  ],
  path: '/{apiKey}',
  operations: {
    ping: {
      kind: 'rpc' as const,
      id: 'ping',
      method: 'ping',
      params: [],
      paramStructure: 'by-position' as const,
      errors: [],
      ...more,
    },
  },
})
type Rpc = {
  readonly ping: () => Promise<unknown>
  readonly raw: (call: object, options?: object) => Promise<Response>
  readonly batch: (collect: (batch: Rpc) => unknown) => Promise<unknown>
}
const pinging = (options: object, more: object = {}): Rpc =>
  createRpc<Rpc>(rpc(more), { ping: { params: check, result: check } }, options)

const failure = (work: Promise<unknown>) =>
  work.then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (error) => error,
  )

it('createClient: options of one protocol that are undefined leave the shared ones, headers are merged', async () => {
  const sent: (readonly [string, string | null, string | null])[] = []
  const fetch = async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    sent.push([url, headers.get('x-shared'), headers.get('x-own')])
    return new Response('{}', { status: 500 })
  }
  const client = createClient({
    server: 'https://h.example',
    auth: { apiKey: 'k' },
    headers: { 'X-Shared': 's' },
    fetch,
    rpc: { server: undefined, headers: { 'X-Own': 'o' } },
  })
  await failure(client.rpc.ethChainId())
  await failure(client.http.getZktTransaction({ path: { queueId: ID } }))
  expect(sent).toEqual([
    ['https://h.example/zgt/k', 's', 'o'],
    [`https://h.example/gtn/v1/zkt/transaction/${ID}`, 's', null],
  ])
})

it('OpenRPC: a method without a result is sent without an id and resolves with undefined', async () => {
  const folder = await folderOf({
    'openrpc.yaml': `openrpc: 1.3.2
info: { title: T, version: '1' }
servers: [{ name: one, url: 'http://h.example/rpc' }]
methods:
  - name: log_write
    x-direction: client
    params: [{ name: text, required: true, schema: { type: string } }]
  - name: log_size
    params: []
    result: { name: size, schema: { type: integer } }
`,
  })
  const out = join(folder, 'out')
  const { code, stderr } = await twinspec(
    'generate',
    '--openrpc',
    join(folder, 'openrpc.yaml'),
    '--out',
    out,
  )
  expect([code, stderr]).toEqual([0, expect.any(String)])
  const { rpcService } = await import(
    /* @vite-ignore */ pathToFileURL(join(out, 'operations.ts')).href
  )
  const { rpcValidators } = await import(
    /* @vite-ignore */ pathToFileURL(join(out, 'validators.ts')).href
  )
  type Log = {
    readonly logWrite: (text: string) => Promise<undefined>
    readonly logSize: () => Promise<number>
    readonly batch: <T>(collect: (batch: Log) => T) => Promise<Awaited<T>>
  }
  const bodies: unknown[] = []
  const fetch = async (_: string, { body }: RequestInit) => {
    const sent = JSON.parse(String(body))
    bodies.push(sent)
    if (!Array.isArray(sent)) return new Response(null, { status: 204 })
    const calls = sent.filter(({ id }) => id !== undefined)
    return Response.json(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: 7 })))
  }
  const log = createRpc<Log>(rpcService, rpcValidators, { fetch })
  expect(await log.logWrite('a')).toBe(undefined)
  expect(await log.batch((b) => Promise.all([b.logWrite('b'), b.logSize()]))).toEqual([
    undefined,
    7,
  ])
  expect(bodies).toEqual([
    { jsonrpc: '2.0', method: 'log_write', params: ['a'] },
    [
      { jsonrpc: '2.0', method: 'log_write', params: ['b'] },
      { jsonrpc: '2.0', id: 1, method: 'log_size', params: [] },
    ],
  ])
})

it.each([
  ['query', 'pipeDelimited', ['a|b', 'c'], undefined],
  ['query', 'spaceDelimited', ['a b', 'c'], undefined],
  ['header', 'simple', ['a,b', 'c'], undefined],
  ['cookie', 'cookie', 'a; admin=1', undefined],
  ['cookie', 'cookie', ['a,b', 'c'], undefined],
  ['query', 'form', ['a,b', 'c'], '/find?p=a%2Cb,c'],
  ['path', 'label', ['a.b', 'c'], '/.a%2Eb,c'],
] as const)(
  'a delimiter within an item of a %s parameter (%s) is encoded or rejected',
  async (place, style, value, want) => {
    const sent: string[] = []
    const fetch = async (url: string) => {
      sent.push(new URL(url).pathname + new URL(url).search)
      return Response.json({})
    }
    const parameter = {
      name: 'p',
      in: place,
      required: true,
      style,
      explode: false,
      allowReserved: true,
    }
    const path = place === 'path' ? '/{p}' : '/find'
    const find = finding({ fetch, auth: { key: 'k' } }, { parameters: [parameter], path })
    const call = find({ [place]: { p: value } })
    if (want === undefined)
      expect(await failure(call)).toMatchObject({
        reason: 'invalid-input',
        issues: [{ pointer: `/${place}/p` }],
      })
    else await call
    expect(sent).toEqual(want === undefined ? [] : [want])
  },
)

it('a documented API key in a header does not follow a redirect to another origin', async () => {
  const keys: unknown[] = []
  const far = await serve((request, response) => {
    keys.push(['far', request.headers['x-key'], request.headers.authorization])
    response.setHeader('content-type', 'application/json').end('{"far":true}')
  })
  const near = await serve((request, response) => {
    keys.push(['near', request.headers['x-key']])
    const location = request.url === '/find' ? '/here' : `${far}/there`
    response.writeHead(307, { location }).end()
  })
  const find = finding({ server: near, auth: { key: 'secret' }, headers: { Authorization: 'a' } })
  expect(await find()).toEqual({ far: true })
  expect(keys).toEqual([
    ['near', 'secret'],
    ['near', 'secret'],
    ['far', undefined, undefined],
  ])
})

it('JSON-RPC: a redirect that would make a GET of a call is an error, one that keeps the POST is followed', async () => {
  const seen: unknown[] = []
  const server = await serve((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    if (request.url === '/moved')
      response
        .setHeader('content-type', 'application/json')
        .end('{"jsonrpc":"2.0","id":2,"result":1}')
    else response.writeHead(seen.length === 1 ? 302 : 308, { location: '/moved' }).end()
  })
  const client = pinging({ server: `${server}/{apiKey}`, auth: { apiKey: 'k' } })
  const error = await failure(client.ping())
  expect(error).toMatchObject({ name: 'HttpError', status: 302 })
  expect(error.message).toContain('/moved')
  expect(await client.ping()).toBe(1)
  expect(seen).toEqual(['POST /k', 'POST /k', 'POST /moved'])
})

it.each(['http', 'rpc'] as const)(
  '%s raw: the response is there before its body, and the signal ends the body',
  async (protocol) => {
    let hasClosed = false
    const server = await serve((_, response) => {
      response.setHeader('content-type', 'application/json').write('{"half":')
      response.on('close', () => {
        hasClosed = true
      })
    })
    const controller = new AbortController()
    const options = { signal: controller.signal }
    const response =
      protocol === 'http'
        ? await finding({ server, auth: { key: 'k' } }).raw({}, options)
        : await pinging({ server }).raw({ method: 'ping' }, options)
    expect(response.status).toBe(200)
    const body = failure(response.text())
    controller.abort(new Error('enough'))
    expect(await body).toBeInstanceOf(Error)
    await expect.poll(() => hasClosed).toBe(true)
  },
)

it('openapi-fetch: fields of fetch reach it', async () => {
  const seen: RequestInit[] = []
  const options = {
    server: 'https://h.example',
    auth: { key: 'sesame-key' },
    fetchOptions: { keepalive: true },
    fetch: async (_: string, init: RequestInit) => {
      seen.push(init)
      return Response.json({})
    },
  }
  type Paths = {
    '/find': { get: { responses: { 200: { content: { 'application/json': unknown } } } } }
  }
  const client = createFetch<Paths>(http(), { find: { responses: { 200: check } } }, options)
  const next: object = { next: { revalidate: 60 } }
  await client.GET('/find', { cache: 'no-store', credentials: 'include', ...next })
  await client.GET('/find')
  expect(seen).toMatchObject([
    { cache: 'no-store', credentials: 'include', keepalive: true, ...next },
    { keepalive: true },
  ])
  expect(seen[1]).not.toHaveProperty('cache')
})

it('openapi-fetch: an undeclared media type is rejected, what hooks throw has no secret', async () => {
  const warnings: unknown[] = []
  const options = {
    server: 'https://h.example',
    auth: { key: 'sesame-key' },
    onWarning: (warning: { message: string }) => void warnings.push(warning.message),
    fetch: async () => new Response('<p>hello</p>', { headers: { 'content-type': 'text/html' } }),
  }
  type Paths = {
    '/find': { get: { responses: { 200: { content: { 'application/json': unknown } } } } }
  }
  const validators = { find: { responses: { 200: check } } }
  const client = createFetch<Paths>(http(), validators, options)
  expect(await failure(client.GET('/find'))).toMatchObject({
    reason: 'malformed-answer',
    mediaType: 'text/html',
    text: '<p>hello</p>',
  })
  expect(warnings).toEqual([])
  const strict = createFetch<Paths>(http(), validators, {
    ...options,
    validate: { response: 'strict' },
  })
  expect(await failure(strict.GET('/find'))).toMatchObject({ reason: 'malformed-answer' })
  for (const name of ['onRequest', 'onResponse', 'onError']) {
    const throwing = () => {
      throw new Error('the key sesame-key is bad')
    }
    const fetch = async () => Response.json({}, { status: name === 'onError' ? 204 : 200 })
    const hooked = createFetch<Paths>(http(), validators, {
      ...options,
      ...(name !== 'onError' && { fetch }),
      [name]: throwing,
      validate: { response: 'strict' },
    })
    expect((await failure(hooked.GET('/find'))).message).toBe('the key [redacted] is bad')
  }
})

it.each<[object, RegExp]>([
  [{ auth: { kee: 'k' } }, /auth.*'kee'.*'key'/],
  [{ auth: { key: 7 } }, /auth\.key/],
  [{ auth: { key: 'a\nb' } }, /auth\.key/],
  [{ variables: { zone: 'eu' } }, /variables.*'zone'.*'region'/],
  [{ server: 'ftp://h.example' }, /https?/],
])('http: options that cannot work fail when the client is created: %j', (options, message) => {
  expect(() => finding(options)).toThrow(message)
  expect(() => finding(options)).toThrow(TypeError)
})

it.each<[object, RegExp]>([
  [{ auth: { key: 'k' } }, /auth.*'key'.*'apiKey'/],
  [{ auth: { apiKey: 7 } }, /auth\.apiKey/],
  [{ auth: { apiKey: 'a\nb' } }, /auth\.apiKey/],
  [{ variables: { zone: 'eu' } }, /variables.*'zone'.*'apiKey'/],
  [{ server: 'ws://h.example' }, /https?/],
])('JSON-RPC: options that cannot work fail when the client is created: %j', (options, message) => {
  expect(() => pinging(options)).toThrow(message)
  expect(() => pinging(options)).toThrow(TypeError)
})

it('a value that no header can carry is an issue with its place', async () => {
  const parameter = {
    name: 'X-Trace',
    in: 'header',
    required: false,
    style: 'simple',
    explode: false,
  }
  const find = finding({ auth: { key: 'k' } }, { parameters: [parameter] })
  expect(await failure(find({ header: { 'X-Trace': 'a\nb' } }))).toMatchObject({
    name: 'CallError',
    reason: 'invalid-input',
    issues: [{ pointer: '/header/X-Trace' }],
  })
})

it('a short secret is not taken out of words', async () => {
  const fetch = async () => Response.json({ error: 'a database of a: bad' }, { status: 400 })
  const error = await failure(finding({ fetch, auth: { key: 'a' } })())
  expect(error.body).toEqual({ error: '[redacted] database of [redacted]: bad' })
})

it('a host alone does not contain a path of variables only', async () => {
  const asked: string[] = []
  const servers = [{ name: 'one', url: 'http://h.example/{key}', variables: {} }]
  const log = createRpc<{ readonly now: () => Promise<unknown> }>(
    { servers, path: '/{key}', operations: { now: NOW } },
    {},
    {
      server: 'http://127.0.0.1:8080',
      auth: { key: 'k' },
      validate: { request: 'off', response: 'off' },
      fetch: async (url) => {
        asked.push(String(url))
        return Response.json({ jsonrpc: '2.0', id: 1, result: 1 })
      },
    },
  )
  await log.now()
  expect(asked).toEqual(['http://127.0.0.1:8080/k'])
})

const NOW = {
  kind: 'rpc',
  id: 'now',
  method: 'now',
  params: [],
  paramStructure: 'by-position',
  errors: [],
  idempotent: true,
} as const
