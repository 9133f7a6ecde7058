import { fastify } from 'fastify'
import { getResponse } from 'msw'
import { toFastifyPlugin } from 'twinspec/runtime/fastify'
import { createHttp, type HttpOptions, type Warning } from 'twinspec/runtime/http'
import { createMockHandlers } from 'twinspec/runtime/msw'
import type { HttpOperation, Parameter } from 'twinspec/runtime/operation'
import { createRpc, type RpcOptions } from 'twinspec/runtime/rpc'
import { createServerCore, type ServerCore, type ServerOptions } from 'twinspec/runtime/server'
import { validator } from 'twinspec/runtime/validate'
import { describe, expect, it } from 'vitest'
import { declaredResponses } from './declared.js'
import { overFetch, overHandle, overNode } from './server-fixture.js'

const any = validator(() => ({}))

const servers = [{ name: 'main', url: 'https://shop.example/v1', variables: {} }]

const inPath = (name: string, more: Partial<Parameter> = {}): Parameter => ({
  name,
  in: 'path',
  required: true,
  style: 'simple',
  explode: false,
  ...more,
})

const operation = (id: string, path: string, more: Partial<HttpOperation> = {}): HttpOperation => ({
  kind: 'http',
  id,
  method: 'GET',
  path,
  servers,
  parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => inPath(name)),
  responses: declaredResponses({ 200: ['application/json'], default: ['application/json'] }),
  security: [],
  schemes: {},
  ...more,
})

const marks = { deprecated: true, deprecatedAt: '2026-01-01', sunset: '2027-06-30' }

const operations: Readonly<Record<string, HttpOperation>> = {
  now: operation('now', '/now'),
  undated: operation('undated', '/undated', { deprecated: true }),
  dated: operation('dated', '/dated', marks),
  ends: operation('ends', '/ends', { sunset: '2027-06-30T12:00:00+02:00' }),
  wrong: operation('wrong', '/wrong', { deprecated: true, sunset: 'soon', deprecatedAt: '2.0' }),
  old: operation('old', '/old/{name}/parts', { ...marks, replacedBy: 'young' }),
  young: operation('young', '/young/{name}'),
  page: operation('page', '/page', { replacedBy: 'https://shop.example/müller' }),
  lacking: operation('lacking', '/lacking', { replacedBy: 'young' }),
  hidden: operation('hidden', '/hidden/{name}', {
    replacedBy: 'young',
    parameters: [inPath('name', { secret: true })],
  }),
  elsewhere: operation('elsewhere', '/elsewhere', { replacedBy: 'other' }),
  other: operation('other', '/other', {
    servers: [{ name: 'second', url: 'https://two.example/v1', variables: {} }],
  }),
  broken: operation('broken', '/broken', marks),
  own: operation('own', '/own', { ...marks, replacedBy: 'now' }),
}

const method = (id: string, more: object = {}) => ({
  kind: 'rpc' as const,
  id,
  method: id,
  params: [],
  paramStructure: 'by-position' as const,
  errors: [],
  ...more,
})

const methods = {
  head: method('head'),
  tail: method('tail', { deprecated: true, deprecatedAt: '2026-03-01' }),
  early: method('early', { deprecated: true, deprecatedAt: '2026-02-01' }),
  last: method('last', { sunset: '2028-01-01' }),
  first: method('first', { deprecated: true, deprecatedAt: '2026-05-01', sunset: '2027-01-01' }),
}

const validators = Object.fromEntries([
  ...Object.keys(operations).map((id) => [id, { responses: { 200: any } }]),
  ...Object.keys(methods).map((id) => [id, { params: any, result: any }]),
])

const rpcServers = [{ name: 'main', url: 'https://shop.example/rpc', variables: {} }]

const service = {
  http: { servers, limits: {}, operations },
  rpc: { servers: rpcServers, path: '/rpc', operations: methods },
  validators,
}

const server = (options: ServerOptions = {}): ServerCore =>
  createServerCore(
    service,
    {
      ...Object.fromEntries(
        Object.keys(operations).map((id) => [id, () => ({ status: 200, body: id })]),
      ),
      ...Object.fromEntries(Object.keys(methods).map((id) => [id, () => id])),
      broken: () => {
        throw new Error('broken')
      },
      own: () => ({
        status: 200,
        body: 'own',
        headers: { Sunset: 'Fri, 01 Jan 2027 00:00:00 GMT', link: '</help>; rel="deprecation"' },
      }),
    },
    { onError: () => undefined, ...options },
  )

const DEPRECATED = '@1767225600'
const SUNSET = 'Wed, 30 Jun 2027 00:00:00 GMT'

describe.each([
  ['handle', overHandle],
  ['a fetch handler', overFetch],
  ['a node socket', overNode],
])('a server over %s', (_, over) => {
  const marksOf = async (url: string, body?: string) => {
    const sent = body === undefined ? { method: 'GET' } : { method: 'POST', body }
    const { headers } = await over(server())({
      ...sent,
      url,
      headers: { 'content-type': 'application/json' },
    })
    const { deprecation, sunset, link } = headers
    return [deprecation, sunset, link]
  }

  it.each<readonly [path: string, ...marks: (string | undefined)[]]>([
    ['now', undefined, undefined, undefined],
    ['undated', undefined, undefined, undefined],
    ['dated', DEPRECATED, SUNSET, undefined],
    ['ends', undefined, 'Wed, 30 Jun 2027 10:00:00 GMT', undefined],
    ['wrong', undefined, undefined, undefined],
    ['old/a%20b/parts', DEPRECATED, SUNSET, '<../../young/a%20b>; rel="successor-version"'],
    ['page', undefined, undefined, '<https://shop.example/m%C3%BCller>; rel="successor-version"'],
    ['lacking', undefined, undefined, undefined],
    ['hidden/s', undefined, undefined, undefined],
    ['elsewhere', undefined, undefined, undefined],
    ['broken', DEPRECATED, SUNSET, undefined],
    [
      'own',
      DEPRECATED,
      'Fri, 01 Jan 2027 00:00:00 GMT',
      '</help>; rel="deprecation", <./now>; rel="successor-version"',
    ],
  ])('GET /%s', async (path, ...due) => {
    expect(await marksOf(`/v1/${path}`)).toEqual(due)
  })

  it.each<readonly [calls: string, deprecation: string | undefined, sunset: string | undefined]>([
    ['head', undefined, undefined],
    ['tail', '@1772323200', undefined],
    ['last', undefined, 'Sat, 01 Jan 2028 00:00:00 GMT'],
    ['head,tail', '@1772323200', undefined],
    ['tail,early', '@1769904000', undefined],
    ['tail,last,first,head', '@1777593600', 'Fri, 01 Jan 2027 00:00:00 GMT'],
    ['last,tail', undefined, 'Sat, 01 Jan 2028 00:00:00 GMT'],
  ])('a request of %s', async (calls, ...due) => {
    const all = calls.split(',').map((name, id) => ({ jsonrpc: '2.0', id, method: name }))
    const body = JSON.stringify(all.length > 1 ? all : all[0])
    expect((await marksOf('/rpc', body)).slice(0, 2)).toEqual(due)
  })

  it('a notification, and an array that holds no call', async () => {
    const notification = JSON.stringify({ jsonrpc: '2.0', method: 'tail' })
    expect(await marksOf('/rpc', notification)).toEqual(['@1772323200', undefined, undefined])
    expect(await marksOf('/rpc', '[null, 1, {}]')).toEqual([undefined, undefined, undefined])
  })
})

it('Fastify sends the same below a prefix, where the link still leads to the successor', async () => {
  const app = fastify()
  app.register(toFastifyPlugin(server()), { prefix: '/shop' })
  const url = '/shop/v1/old/a/parts'
  const { headers } = await app.inject({ method: 'GET', url })
  await app.close()
  expect([headers.deprecation, headers.sunset]).toEqual([DEPRECATED, SUNSET])
  const [, target = ''] = /^<(.*)>; rel="successor-version"$/.exec(String(headers.link)) ?? []
  expect(new URL(target, `https://host.example${url}`).pathname).toBe('/shop/v1/young/a')
})

it('handlers of MSW and mocks send the same', async () => {
  const handlers = createMockHandlers(
    service,
    {},
    { overrides: { dated: { status: 200, body: 1 } } },
  )
  const response = await getResponse(handlers, new Request('https://shop.example/v1/dated'))
  expect(response?.headers.get('deprecation')).toBe(DEPRECATED)
  expect(response?.headers.get('sunset')).toBe(SUNSET)
})

type Plain = Readonly<Record<string, (input?: object) => Promise<unknown>>>

/** A client of answers with these headers, by the path that is asked. */
const httpClient = (sent: Readonly<Record<string, HeadersInit>>, options: HttpOptions = {}) => {
  const warnings: Warning[] = []
  const client = createHttp<Plain>(service.http, validators, {
    fetch: async (url) =>
      Response.json('ok', { headers: sent[new URL(url).pathname.slice(4)] ?? {} }),
    onWarning: (warning) => warnings.push(warning),
    ...options,
  })
  return { client, warnings }
}

describe('an HTTP client', () => {
  it('reports what a response announces, once for each operation', async () => {
    const headers = { deprecation: DEPRECATED, sunset: SUNSET, link: '</b>; rel="sunset"' }
    const { client, warnings } = httpClient({ now: headers, dated: { sunset: SUNSET } })
    await client.now?.()
    await Promise.all([client.now?.(), client.now?.(), client.dated?.()])
    expect(warnings).toEqual([
      {
        kind: 'deprecation',
        operation: 'now',
        operations: ['now'],
        message:
          'the server says that now is deprecated as of 2026-01-01 and ends on 2027-06-30: see /b (sunset)',
        issues: [],
        since: new Date('2026-01-01T00:00:00Z'),
        sunset: new Date('2027-06-30T00:00:00Z'),
        link: { rel: 'sunset', href: '/b' },
      },
      expect.objectContaining({ operation: 'dated', since: undefined, link: undefined }),
    ])
  })

  it.each<readonly [deprecation: string, since: string | undefined]>([
    ['@1767225600', '2026-01-01T00:00:00.000Z'],
    ['@-1', '1969-12-31T23:59:59.000Z'],
    ['@1767225600;note="a"', '2026-01-01T00:00:00.000Z'],
    ['true', undefined],
    ['@1.5', undefined],
    ['@', undefined],
    ['@999999999999999', undefined],
    ['1767225600', undefined],
    ['@1767225600, @1767225601', undefined],
    ['Thu, 01 Jan 2026 00:00:00 GMT', undefined],
  ])('Deprecation: %s', async (deprecation, since) => {
    const { client, warnings } = httpClient({ now: { deprecation } })
    await client.now?.()
    const seen = warnings.map((one) => one.kind === 'deprecation' && one.since?.toISOString())
    expect(seen).toEqual(since === undefined ? [] : [since])
  })

  it.each<readonly [sunset: string, end: string | undefined]>([
    ['Wed, 30 Jun 2027 23:59:59 GMT', '2027-06-30T23:59:59.000Z'],
    ['Wednesday, 30-Jun-27 23:59:59 GMT', '2027-06-30T23:59:59.000Z'],
    ['Wed Jun  9 23:59:59 2027', '2027-06-09T23:59:59.000Z'],
    ['Wed, 31 Jun 2027 23:59:59 GMT', undefined],
    ['Wed, 30 Foo 2027 23:59:59 GMT', undefined],
    ['2027-06-30', undefined],
    ['@1767225600', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('Sunset: %s', async (sunset, end) => {
    const { client, warnings } = httpClient({ now: { sunset } })
    await client.now?.()
    const seen = warnings.map((one) => one.kind === 'deprecation' && one.sunset?.toISOString())
    expect(seen).toEqual(end === undefined ? [] : [end])
  })

  it.each<readonly [link: string, due: string | undefined]>([
    ['<a>; rel=sunset, <b>; rel="successor-version", <c>; rel=deprecation', 'successor-version b'],
    ['<a>; rel="next"; title="a, <b>; rel=sunset"', undefined],
    ['<a>; title="; rel=sunset"; anchor; rel=next', undefined],
    ['<a>;title="x";rel="alternate DEPRECATION"', 'deprecation a'],
    ['<a>; rel="next", <b?c,d>; REL=sunset', 'sunset b?c,d'],
    ['a; rel=sunset', undefined],
    [`${'<'.repeat(20_000)}`, undefined],
    [`<a>${'; rel="'.repeat(5_000)}`, undefined],
  ])('Link: %.40s', async (link, due) => {
    const { client, warnings } = httpClient({ now: { sunset: SUNSET, link } })
    await client.now?.()
    const seen = warnings.flatMap((one) => (one.kind === 'deprecation' ? [one.link] : []))
    expect(seen.map((one) => one && `${one.rel} ${one.href}`)).toEqual([due])
  })

  it('hides secrets in the link, and rejects with what onWarning throws', async () => {
    const headers = { sunset: SUNSET, link: '<../sesame-4711>; rel=deprecation' }
    const seen: Warning[] = []
    const { client } = httpClient(
      { 'hidden/sesame-4711': headers },
      {
        auth: { name: 'sesame-4711' },
        onWarning: (warning) => {
          seen.push(warning)
          throw new Error('no sesame-4711')
        },
      },
    )
    await expect(client.hidden?.({})).rejects.toThrow('no [redacted]')
    expect(JSON.stringify(seen)).toContain('../[redacted]')
    expect(JSON.stringify(seen)).not.toContain('4711')
  })

  it('of another client, and of a response that is an error', async () => {
    const warnings: Warning[] = []
    for (const _ of [1, 2]) {
      const client = createHttp<Plain>(service.http, validators, {
        fetch: async () => Response.json('no', { status: 404, headers: { sunset: SUNSET } }),
        onWarning: (warning) => warnings.push(warning),
      })
      await expect(client.now?.()).rejects.toThrow('404')
    }
    expect(warnings.map(({ operation }) => operation)).toEqual(['now', 'now'])
  })
})

describe('a JSON-RPC client', () => {
  type Methods = { [Id in keyof typeof methods]: () => Promise<unknown> }
  type Client = Methods & { batch: <T>(collect: (batch: Methods) => T) => Promise<T> }

  const rpcClient = (options: RpcOptions = {}, headers: HeadersInit = { sunset: SUNSET }) => {
    const warnings: Warning[] = []
    const client = createRpc<Client>(service.rpc, validators, {
      fetch: async (_, { body }) => {
        const answer = ({ id }: { readonly id: number }) => ({ jsonrpc: '2.0', id, result: 1 })
        const sent = JSON.parse(String(body))
        return Response.json(Array.isArray(sent) ? sent.map(answer) : answer(sent), { headers })
      },
      onWarning: (warning) => warnings.push(warning),
      ...options,
    })
    return { client, warnings }
  }
  const named = (warnings: readonly Warning[]) => warnings.map(({ operation }) => operation)

  it('reports a method once', async () => {
    const { client, warnings } = rpcClient()
    await client.head()
    await client.head()
    await client.tail()
    expect(named(warnings)).toEqual(['head', 'tail'])
    expect(warnings[0]).toMatchObject({ kind: 'deprecation', sunset: new Date(SUNSET) })
  })

  it('of a batch, the one that its document marks, else those that it may concern', async () => {
    const { client, warnings } = rpcClient()
    const send = (...ids: readonly (keyof Methods)[]) =>
      client.batch((batch) => Promise.all(ids.map((id) => batch[id]())))
    await await send('head', 'tail', 'head')
    await await send('tail')
    expect(named(warnings.splice(0))).toEqual(['tail'])
    await await send('last', 'first')
    expect(named(warnings.splice(0))).toEqual(['last, first'])
    await client.first()
    expect(named(warnings.splice(0))).toEqual(['first'])
  })

  it('rejects the calls with what onWarning throws, and needs no onWarning', async () => {
    const failing = rpcClient({
      onWarning: () => {
        throw new Error('not now')
      },
    })
    await expect(failing.client.head()).rejects.toThrow('not now')
    expect(await rpcClient({ onWarning: undefined }).client.head()).toBe(1)
  })

  it('says nothing of a response without the headers', async () => {
    const { client, warnings } = rpcClient({}, {})
    await client.first()
    expect(warnings).toEqual([])
  })
})
