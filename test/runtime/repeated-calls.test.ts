import { join } from 'node:path'
import { createHttp, type HttpService } from 'twinspec/runtime/http'
import { addPages, createRpc } from 'twinspec/runtime/rpc'
import { expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { importFile } from '../emit/generated-code.js'
import { declaredResponses } from './declared.js'

type Sent = { readonly url: string; readonly headers: Headers; readonly body: unknown }
type Get = (input?: object, options?: object) => Promise<unknown>
type Client = {
  readonly get: Get & {
    readonly items: (input?: object) => AsyncIterable<unknown>
    readonly pages: (input?: object) => AsyncIterable<unknown>
  }
}

const open = { check: () => true, open: () => true }

/** A client of one operation, whose responses come one after the other; `sent` has its requests. */
const client = (operation: object, responses: readonly Response[], options: object = {}) => {
  const sent: Sent[] = []
  const base: HttpService['operations'][string] = {
    kind: 'http',
    id: 'get',
    method: 'POST',
    path: '/orders',
    servers: [],
    parameters: [],
    responses: declaredResponses({ 200: ['application/json'] }),
    security: [],
    schemes: {},
    ...operation,
  }
  const service = { servers: [], limits: {}, operations: { get: base } }
  const { get } = createHttp<Client>(
    service,
    { get: { responses: { 200: open } } },
    {
      server: 'http://127.0.0.1:1',
      clock: {
        sleep: async () => {},
        random: () => 1,
        now: () => Date.parse('2026-01-01T00:00:00Z'),
      },
      fetch: async (url: string, init?: RequestInit) => {
        sent.push({ url, headers: new Headers(init?.headers), body: init?.body })
        return responses[sent.length - 1] ?? Response.json('none is left', { status: 500 })
      },
      ...options,
    },
  )
  return { get, sent }
}

const query = (...names: readonly string[]) => ({
  parameters: names.map((name) => ({
    name,
    in: 'query',
    required: false,
    style: 'form',
    explode: true,
  })),
})

const busy = (retryAfter: string) =>
  new Response(null, { status: 503, headers: { 'retry-after': retryAfter } })

const all = async (items: AsyncIterable<unknown>) => {
  const found: unknown[] = []
  for await (const item of items) found.push(item)
  return found
}

it('a POST with an idempotency key is retried with the same key, after seconds and at a date', async () => {
  const waits: number[] = []
  const clock = {
    now: () => Date.parse('2026-01-01T00:00:00Z'),
    sleep: async (milliseconds: number) => void waits.push(milliseconds),
  }
  const responses = [busy('2'), busy('Thu, 01 Jan 2026 00:00:05 GMT'), Response.json('done')]
  const { get, sent } = client({ idempotencyKey: 'Idempotency-Key' }, responses, { clock })
  expect(await get()).toBe('done')
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
  expect(keys[0]).toMatch(/^[\w-]{16,}$/)
  expect(new Set(keys).size).toBe(1)
  expect(keys).toHaveLength(3)
  expect(waits).toEqual([2_000, 5_000])
})

it.each<[string, number | undefined]>([
  ['3', 3_000],
  ['1.5', 1_500],
  ['Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
  ['Thursday, 01-Jan-26 00:00:05 GMT', 5_000],
  ['Thu Jan  1 00:00:05 2026', 5_000],
  ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
  ['Thu, 01 Jan 2099 00:00:00 GMT', undefined],
  // Of these, `Date.parse` makes dates in the past, before which nobody waits.
  ['-5', 250],
  ['in 5', 250],
  ['3, 5', 250],
  ['soon', 250],
])('Retry-After: %s', async (retryAfter, wait) => {
  const waits: number[] = []
  const clock = {
    sleep: async (milliseconds: number) => void waits.push(milliseconds),
    random: () => 1,
    now: () => Date.parse('2026-01-01T00:00:00Z'),
  }
  const { get } = client({ idempotent: true }, [busy(retryAfter), Response.json('ok')], { clock })
  const result = await get().catch(({ status }) => status)
  expect([result, waits]).toEqual(wait === undefined ? [503, []] : ['ok', [wait]])
})

it('each call has a key of its own, and that of the caller wins', async () => {
  const three = [Response.json(1), Response.json(2), Response.json(3)]
  const { get, sent } = client({ idempotencyKey: 'Idempotency-Key' }, three)
  await get()
  await get()
  await get({}, { headers: { 'Idempotency-Key': 'mine' } })
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
  expect(new Set(keys).size).toBe(3)
  expect(keys[2]).toBe('mine')
})

it('a POST with a key of the caller is retried where the document declares none', async () => {
  const { get, sent } = client({}, [busy('0'), Response.json('done')])
  expect(await get({}, { headers: { 'Idempotency-Key': 'mine' } })).toBe('done')
  expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['mine', 'mine'])
})

it('a POST without a key is not retried', async () => {
  const { get, sent } = client({}, [busy('0'), Response.json('done')])
  await expect(get()).rejects.toMatchObject({ status: 503 })
  expect(sent).toHaveLength(1)
})

it('after a 401 the function of a credential is asked for another one, once', async () => {
  const secured = { security: [['token']], schemes: { token: { kind: 'bearer' } } }
  const refused = () => new Response(null, { status: 401 })
  const asked: unknown[] = []
  const token = (rejected?: string) => {
    asked.push(rejected)
    return rejected === undefined ? 'old' : 'new'
  }
  const { get, sent } = client(secured, [refused(), Response.json('in')], { auth: { token } })
  expect(await get()).toBe('in')
  expect(asked).toEqual([undefined, 'old'])
  expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer old',
    'Bearer new',
  ])
  const again = client(secured, [refused(), refused()], { auth: { token } })
  await expect(again.get()).rejects.toMatchObject({ status: 401 })
  expect(again.sent).toHaveLength(2)
  const same = client(secured, [refused(), refused()], { auth: { token: () => 'same' } })
  await expect(same.get()).rejects.toMatchObject({ status: 401 })
  expect(same.sent).toHaveLength(1)
})

it.each<[string, object, readonly unknown[], readonly string[], readonly unknown[]]>([
  [
    'a cursor',
    { items: '/data', next: { cursor: '/next' } },
    [
      { data: [1, 2], next: 'b' },
      { data: [3], next: null },
    ],
    ['', '?cursor=b'],
    [1, 2, 3],
  ],
  [
    'the last item',
    { items: '/data', next: { cursor: '/data/-1/id' }, more: '/more' },
    [
      { data: [{ id: 'a' }], more: true },
      { data: [{ id: 'b' }], more: false },
    ],
    ['', '?cursor=a'],
    [{ id: 'a' }, { id: 'b' }],
  ],
  ['a page', { page: 'page' }, [[1], [2], []], ['', '?page=2', '?page=3'], [1, 2]],
  ['an offset', { offset: 'skip' }, [[1, 2], [3], []], ['', '?skip=2', '?skip=3'], [1, 2, 3]],
  [
    'a cursor that does not move',
    { next: { cursor: '/0' } },
    [['x'], ['x']],
    ['', '?cursor=x'],
    ['x', 'x'],
  ],
])('pages over HTTP, by %s', async (_, pages, bodies, urls, items) => {
  const operation = { method: 'GET', idempotent: true, pages, ...query('cursor', 'page', 'skip') }
  const responses = () => bodies.map((body) => Response.json(body))
  const { get, sent } = client(operation, responses())
  expect(await all(get.items())).toEqual(items)
  expect(sent.map(({ url }) => new URL(url).search)).toEqual(urls)
  expect(await all(client(operation, responses()).get.pages())).toEqual(bodies)
})

it('pages that lead back to one that was read end with an error, and not never', async () => {
  const pages = { items: '/data', next: { cursor: '/next' } }
  const operation = { method: 'GET', pages, ...query('cursor') }
  const page = (item: string, next: string) => Response.json({ data: [item], next })
  const found: unknown[] = []
  const { get, sent } = client(operation, [page('1', 'a'), page('2', 'b'), page('3', 'a')])
  const read = async () => {
    for await (const item of get.items()) found.push(item)
  }
  await expect(read()).rejects.toMatchObject({ reason: 'invalid-answer', operation: 'get' })
  expect(found).toEqual(['1', '2', '3'])
  // The page that a reader begins with counts, too.
  const again = client(operation, [page('2', 'b'), page('3', 'a')])
  await expect(all(again.get.items({ query: { cursor: 'a' } }))).rejects.toMatchObject({
    reason: 'invalid-answer',
  })
  expect([sent.length, again.sent.length]).toEqual([3, 2])
})

it('an address of another origin as the next page is a parameter, and no address', async () => {
  const pages = { items: '/data', next: { cursor: '/next' } }
  const next = 'http://other.example/orders?cursor=b'
  const { get, sent } = client({ method: 'GET', pages, ...query('cursor') }, [
    Response.json({ data: [1], next }),
    Response.json({ data: [2] }),
  ])
  expect(await all(get.items())).toEqual([1, 2])
  expect(sent.map(({ url }) => new URL(url).origin)).toEqual(Array(2).fill('http://127.0.0.1:1'))
})

it.each<['by-name' | 'by-position', (cursor?: string) => unknown]>([
  ['by-name', (cursor) => ({ owner: 'me', ...(cursor && { cursor }) })],
  ['by-position', (cursor) => ['me', ...(cursor ? [cursor] : [])]],
])('pages over JSON-RPC, params %s', async (paramStructure, params) => {
  const sent: unknown[] = []
  const get = {
    kind: 'rpc' as const,
    id: 'get',
    method: 'get',
    params: [
      { name: 'owner', required: true },
      { name: 'cursor', required: false },
    ],
    errors: [],
    paramStructure,
    pages: { items: '/data', next: { cursor: '/nextCursor' }, more: '/hasNextPage' },
  }
  const results = [
    { data: ['a'], nextCursor: 'x', hasNextPage: true },
    { data: ['b'], nextCursor: 'y', hasNextPage: false },
  ]
  type Rpc = { readonly get: { readonly items: (...params: unknown[]) => AsyncIterable<unknown> } }
  const rpc = createRpc<Rpc>(
    { servers: [], path: '', operations: { get } },
    { get: { params: open, result: open } },
    {
      server: 'http://127.0.0.1:1',
      fetch: async (_url: string, init?: RequestInit) => {
        const { id, params } = JSON.parse(String(init?.body))
        sent.push(params)
        return Response.json({ jsonrpc: '2.0', id, result: results[sent.length - 1] })
      },
    },
    undefined,
    { addPages },
  )
  const given = params()
  expect(await all(rpc.get.items(...(Array.isArray(given) ? given : [given])))).toEqual(['a', 'b'])
  expect(sent).toEqual([params(), params('x')])
})

const LINKED = `openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  /orders:
    get:
      operationId: listOrders
      parameters: [{ name: after, in: query, schema: { type: string } }]
      responses:
        '200':
          description: A page
          headers: { X-Next: { schema: { type: string } } }
          content: { application/json: { schema: { type: array, items: { type: integer } } } }
          links:
            next: { operationId: listOrders, parameters: { after: '$response.header.X-Next' } }
`

it('a link of a response to its own operation declares pages', async () => {
  const folder = await folderOf({ 'api.yaml': LINKED })
  const out = join(folder, 'out')
  const flags = ['--openapi', join(folder, 'api.yaml'), '--out', out]
  expect((await twinspec('generate', ...flags)).code).toBe(0)
  type Orders = { readonly listOrders: { readonly pages: () => AsyncIterable<unknown> } }
  const { createHttpClient } = await importFile<{ createHttpClient: (o: object) => Orders }>(
    out,
    'http.client.ts',
  )
  const urls: string[] = []
  const { listOrders } = createHttpClient({
    server: 'http://127.0.0.1:1',
    fetch: async (url: string) => {
      urls.push(new URL(url).search)
      return Response.json([urls.length], { headers: urls.length < 3 ? { 'x-next': 'b' } : {} })
    },
  })
  expect(await all(listOrders.pages())).toEqual([[1], [2]])
  expect(urls).toEqual(['', '?after=b'])
})
