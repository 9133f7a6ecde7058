import { expect, it } from 'vitest'
import { type Span, traceServer } from '../../src/runtime/open-telemetry.js'

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
