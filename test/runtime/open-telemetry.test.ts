import { expect, it } from 'vitest'
import {
  openTelemetry,
  type Span,
  type Tracer,
  traceServer,
} from '../../src/runtime/open-telemetry.js'
import { createTestClient } from './rpc-fixture.js'

/** The names and routes of the spans that a server with these paths starts for a request. */
const routeOf = async (paths: readonly string[], url: string) => {
  const started: unknown[] = []
  const span: Span = {
    spanContext: () => ({ traceId: '', spanId: '', traceFlags: 0 }),
    setAttributes: () => undefined,
    setStatus: () => undefined,
    end: () => undefined,
  }
  const tracer = {
    startSpan: () => span,
    startActiveSpan: (
      name: string,
      options: { readonly attributes: Readonly<Record<string, unknown>> },
      ...more: readonly unknown[]
    ) => {
      started.push([name, options.attributes['http.route']])
      const run = more.at(-1)
      if (typeof run === 'function') return run(span)
    },
  }
  const server = { paths, handle: async () => ({ status: 200, headers: {} }) }
  const context = { active: () => undefined }
  const propagation = { extract: () => undefined }
  const traced = traceServer(server as never, { tracer, context, propagation } as never)
  await traced.handle({ method: 'GET', url, headers: {} })
  return started
}

it.each([
  [['/users/{id}', '/users/me'], '/users/me', '/users/me'],
  [['/users/{id}', '/users/me'], '/users/7?x=1?y=2', '/users/{id}'],
  [['/users/{id}', '/users/me'], 'http://any.example/users/me?x=1', '/users/me'],
  [['/users/{id}', '/users/me'], '/users/me#part', '/users/me'],
  [['/files/{name}', '/files/{name}.json'], '/files/a.json', '/files/{name}.json'],
  [['/größe/{id}'], '/gr%C3%B6%C3%9Fe/7', '/größe/{id}'],
  [['/users/{id}', '/users/{name}'], '/users/7', '/users/{id}'],
])('of %j, the span of %s has the route that the server takes: %s', async (paths, url, route) => {
  expect(await routeOf(paths, url)).toEqual([[`GET ${route}`, route]])
})

it('the span of an unknown path has no route', async () => {
  expect(await routeOf(['/users/{id}'], '/others/7')).toEqual([['GET', undefined]])
})

type Ended = { readonly name: string; readonly type?: unknown; readonly code?: unknown }

/** A tracer that keeps the errors of the spans that ended. */
const createTracer = () => {
  const ended: Ended[] = []
  const startSpan = (name: string): Span => {
    const attributes: Record<string, unknown> = {}
    return {
      spanContext: () => ({ traceId: '', spanId: '', traceFlags: 0 }),
      setAttributes: (more) => Object.assign(attributes, more),
      setStatus: () => undefined,
      end: () => {
        const { 'error.type': type, 'rpc.jsonrpc.error_code': code } = attributes
        ended.push({
          name,
          ...(type !== undefined && { type }),
          ...(code !== undefined && { code }),
        })
      },
    }
  }
  const startActiveSpan = (name: string, _: unknown, ...more: readonly unknown[]) =>
    (more.at(-1) as (span: Span) => unknown)(startSpan(name))
  return { tracer: { startSpan, startActiveSpan } as Tracer, ended }
}

const error = (id: unknown, code: unknown = 7) => ({
  ...{ jsonrpc: '2.0', id },
  error: { code, message: 'no' },
})
const result = (id: unknown) => ({ jsonrpc: '2.0', id, result: 'of it' })

// Each span has the error that the client throws for its call.
it.each<[string, unknown, Omit<Ended, 'name'>]>([
  ['a result', result(1), {}],
  ['a result with a word', { ...result(1), result: '"error"' }, {}],
  ['an error', error(1), { type: '7', code: 7 }],
  ['an error without an id', error(null), { type: '7', code: 7 }],
  ['an error in an array', [error(null)], { type: '7', code: 7 }],
  ['a code that is no integer', error(1, '7'), { type: 'malformed-answer' }],
  ['a code with a fraction', error(1, 7.5), { type: 'malformed-answer' }],
  ['a result and an error', { ...result(1), ...error(1) }, { type: 'malformed-answer' }],
  ['an error of another version', { ...error(1), jsonrpc: '1.0' }, { type: 'malformed-answer' }],
  ['an error of another id', error('1'), { type: 'unmatched-answer' }],
])('the span of a call knows %s', async (_, body, want) => {
  const { tracer, ended } = createTracer()
  const fetch = async () => Response.json(body)
  const client = createTestClient({ fetch, batch: 'off', ...openTelemetry({ tracer }) })
  await client.nodeHeight().catch(() => undefined)
  expect(ended).toEqual([{ name: 'node_height', ...want }])
})

it('of a batch, each span has the error of its own call', async () => {
  const { tracer, ended } = createTracer()
  const body = [error(3), error(2), result(1), result(4), error(4)]
  const fetch = async () => Response.json(body)
  const client = createTestClient({ fetch, ...openTelemetry({ tracer }) })
  await client
    .batch((b) =>
      Promise.allSettled([b.nodeHeight(), b.nodeSend('a'), b.nodeSend('b'), b.nodeSend('c')]),
    )
    .catch(() => undefined)
  expect(ended).toEqual([
    { name: 'POST' },
    { name: 'node_height' },
    { name: 'node_send', type: '7', code: 7 },
    { name: 'node_send', type: '7', code: 7 },
    { name: 'node_send', type: 'unmatched-answer' },
  ])
})

it.each([
  ['is followed', 307, 'http://there.test/', 2],
  ['is not followed', 302, 'http://there.test/', 1],
  ['leads nowhere', 308, 'ftp://there.test/', 3],
  ['has no location', 307, undefined, 1],
])(
  'each request has one span that ends, although a redirect %s',
  async (_, status, location, count) => {
    const { tracer, ended } = createTracer()
    const fetch = async (url: unknown) =>
      String(url).startsWith('http://there.test')
        ? Response.json(result(1))
        : new Response('', { status, headers: { ...(location && { location }) } })
    const client = createTestClient({ fetch, batch: 'off', ...openTelemetry({ tracer }) })
    await client.nodeHeight().catch(() => undefined)
    expect(ended.map(({ name }) => name)).toEqual(
      Array.from({ length: count }, () => 'node_height'),
    )
  },
)
