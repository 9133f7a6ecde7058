import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpOptions } from '../../src/runtime/http.js'
import type { Client } from './http-fixture.js'
import { type OfflinePage, openOffline } from './offline-page.js'

let page: OfflinePage<{ readonly open: (options: HttpOptions) => Client }>

beforeAll(async () => {
  page = await openOffline(`
    import { createHttp } from 'twinspec/runtime/http'
    import { service, validators } from './test/runtime/http-fixture.ts'
    export const open = (options) => createHttp(service, validators, options)`)
  expect(page.later).toContainEqual(expect.stringMatching(/^rest-/))
})

afterAll(() => page.close())

const open = (options: HttpOptions): Client => page.exports.open(options)

const options = { server: 'https://test.example/s3cret', auth: { apiKey: 'open-sesame' } }
const answering = (body: unknown, status = 200) => ({
  ...options,
  fetch: async () => Response.json(body, { status }),
})
const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    (value) => expect.fail(`answered ${JSON.stringify(value)}`),
    (error) => error,
  )

test('a page with its first file alone calls as long as all is ordinary', async () => {
  const { search } = open(answering(['a']))
  expect(await search({ query: { limit: 1 } })).toEqual(['a'])
  const { status, headers } = await search.exchange()
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
  const uploaded = open(answering({ id: 'b' }, 201)).upload({ body: { title: 'c' } })
  expect(await uploaded).toEqual({ id: 'b' })
})

test('an answer may hold more than is documented, and anything where it is not checked', async () => {
  const more = { status: 'pending', queueId: 'a', more: 1 }
  const { getStatus } = open(answering(more))
  expect(await getStatus({ path: { queueId: 'a' } })).toEqual(more)
  const { search } = open({ ...answering([1]), validate: { answer: false } })
  expect(await search()).toEqual([1])
})

test.each<
  [title: string, given: HttpOptions, reason: string, call: (client: Client) => Promise<unknown>]
>([
  ['a refusal', answering({ code: 1 }, 500), 'network', ({ search }) => search()],
  ['an answer that does not fit', answering([1]), 'network', ({ search }) => search()],
  [
    'an input that does not fit',
    answering([]),
    'network',
    ({ search }) => search({ query: { limit: 0 } }),
  ],
  [
    'a call that was aborted before',
    answering([]),
    'aborted',
    ({ search }) => search({}, { signal: AbortSignal.abort() }),
  ],
  ['a call without time', answering([]), 'timeout', ({ search }) => search({}, { timeout: 0 })],
  [
    'a secret in the path',
    answering({}),
    'network',
    ({ submit }) => submit({ body: { arguments: 'a' } }),
  ],
  [
    'a record to be polled',
    answering({}),
    'network',
    async ({ getStatus }) => {
      for await (const one of getStatus.poll({ path: { queueId: 'a' } })) expect.fail(`${one}`)
    },
  ],
])('%s: says that it cannot say why', async (_, given, reason, call) => {
  const error = await failure(call(open(given)))
  expect(error).toMatchObject({ name: 'CallError', reason })
  expect(error.message).toMatch(/^\w+: failed, and what tells why cannot be loaded$/)
  expect(`${error} ${error.cause}`).not.toMatch(/s3cret|sesame/)
})

// The last one, as the page keeps it.
test('what could not be loaded is loaded by the next call that needs it, and then kept', async () => {
  const { search } = open(answering({ code: 1 }, 500))
  expect((await failure(search())).name).toBe('CallError')
  expect((await failure(search())).name).toBe('CallError')
  await page.comeOnline()
  expect(await failure(search())).toMatchObject({ name: 'HttpError', status: 500 })
  await page.goOffline()
  expect(await failure(search())).toMatchObject({ name: 'HttpError', status: 500 })
})
