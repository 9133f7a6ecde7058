import { expect, it } from 'vitest'
import { createHttp, HttpError, type HttpOptions } from '../../src/runtime/http.js'
import type { HttpOperation } from '../../src/runtime/operation.js'
import { declaredResponses } from './declared.js'
import { operation } from './http-fixture.js'
import { listen } from './listen.js'

/** A server whose `/go` redirects, and a client of that operation. */
const going = async (
  status: number,
  declared: readonly string[],
  { location = '/there', ...options }: HttpOptions & { readonly location?: string } = {},
  more: Partial<HttpOperation> = {},
) => {
  const asked: unknown[] = []
  const server = await listen(({ url, headers }, response) => {
    asked.push(url)
    if (url === '/go') response.writeHead(status, { location, etag: '"1"' }).end()
    else
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ sent: headers['x-own'] ?? null }))
  })
  const go = operation('go', {
    responses: declaredResponses(
      Object.fromEntries(declared.map((key) => [key, /^[2d]/.test(key) ? [JSON_TYPE] : []])),
    ),
    ...more,
  })
  const service = { servers: [{ name: 'one', url: server, variables: {} }], limits: {} }
  const client = createHttp<{ go: Go }>(
    { ...service, operations: { go } },
    { go: { responses: {} } },
    options,
  )
  return { go: client.go, asked, server }
}

const JSON_TYPE = 'application/json'

type Go = (() => Promise<unknown>) & {
  readonly exchange: () => Promise<{ status: number; headers: Headers; body: unknown }>
}

const FOLLOWED = { status: 200, location: null, body: { sent: null }, asked: ['/go', '/there'] }
const returned = (status: number) => ({
  ...{ status, location: '/there', body: undefined, asked: ['/go'] },
})

it.each([
  [302, ['302'], returned(302)],
  [301, ['200', '301'], returned(301)],
  [307, ['200', '3XX'], returned(307)],
  [308, ['200', '3XX'], returned(308)],
  [303, ['200', '303', 'default'], returned(303)],
  [304, ['200', '304'], returned(304)],
  // Another status is declared, or none.
  [302, ['200', '301'], FOLLOWED],
  [302, ['200'], FOLLOWED],
  [302, ['200', 'default'], FOLLOWED],
  [302, ['default'], FOLLOWED],
])('exchange: a %i where %j are declared', async (status, declared, want) => {
  for (const fetch of [undefined, globalThis.fetch.bind(globalThis)] as const) {
    const { go, asked } = await going(status, declared, { fetch: fetch as never })
    const { headers, ...found } = await go.exchange()
    expect({ ...found, location: headers.get('location'), asked }).toEqual(want)
  }
})

it('a call follows every redirect, because it resolves with a success', async () => {
  for (const declared of [['200', '302'], ['302'], ['200']]) {
    const { go } = await going(302, declared)
    expect(await go()).toEqual({ sent: null })
  }
})

it('exchange: of a declared and an undeclared redirect in turn, only the first is returned', async () => {
  const last = await listen((_, response) => response.writeHead(302, { location: '/end' }).end())
  const { go } = await going(307, ['200', '302'], { location: `${last}/next` })
  const { status, headers } = await go.exchange()
  expect([status, headers.get('location')]).toEqual([302, '/end'])
})

it('a declared redirect that no browser shows is an error that says so', async () => {
  const opaque = { status: 0, headers: new Headers(), body: null } as Response
  const { go } = await going(302, ['302'], { fetch: async () => opaque })
  await expect(go.exchange()).rejects.toMatchObject({
    reason: 'network',
    message: expect.stringContaining('browsers do not report where'),
  })
})

it('another origin gets the headers of the options, but no credentials', async () => {
  const seen: unknown[] = []
  const far = await listen(({ headers }, response) => {
    seen.push([headers['x-own'], headers.authorization, headers['x-key']])
    response.setHeader('content-type', JSON_TYPE).end('{}')
  })
  const key = { kind: 'key', in: 'header', parameter: 'X-Key' } as const
  for (const more of [{}, { security: [['key']], schemes: { key } }]) {
    const auth = 'schemes' in more ? { key: 'k' } : {}
    const headers = { 'X-Own': 'o', Authorization: 'a' }
    const options = { location: `${far}/there`, headers, auth }
    const { go } = await going(302, ['200'], options, more)
    expect(await go()).toEqual({})
    const declared = await going(302, ['200', '302'], options, more)
    expect(await declared.go.exchange()).toMatchObject({ status: 302 })
  }
  expect(seen).toEqual([
    ['o', undefined, undefined],
    ['o', undefined, undefined],
  ])
})

it('an error after a redirect is an HttpError of its own status', async () => {
  const far = await listen((_, response) => response.writeHead(404).end())
  const { go } = await going(302, ['200', '302', '404'], { location: `${far}/gone` })
  const error = await go().catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(HttpError)
  expect(error).toMatchObject({ status: 404 })
})
