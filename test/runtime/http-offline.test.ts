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
  expect(page.later).toContainEqual(expect.stringMatching(/^explain-/))
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
  const { search } = open({ ...answering([1]), validate: { response: 'off' } })
  expect(await search()).toEqual([1])
})

const NOT_LOADED = /must match its schema; the explanations could not be loaded$/

test.each<
  [title: string, given: HttpOptions, want: object, call: (client: Client) => Promise<unknown>]
>([
  [
    'a documented error',
    answering({ code: 1 }, 500),
    { name: 'HttpError', status: 500, body: { code: 1 } },
    ({ search }) => search(),
  ],
  [
    'a secret in the path',
    answering({ success: false, error: 'open-sesame' }, 400),
    { name: 'HttpError', body: { success: false, error: '[redacted]' } },
    ({ submit }) => submit({ body: { arguments: 'a' } }),
  ],
  [
    'a call that was aborted before',
    answering([]),
    { reason: 'aborted' },
    ({ search }) => search({}, { signal: AbortSignal.abort() }),
  ],
  [
    'a call without time',
    answering([]),
    { reason: 'timeout' },
    ({ search }) => search({}, { timeout: 0 }),
  ],
  [
    'a response that is invalid',
    answering([1]),
    { reason: 'invalid-answer', message: expect.stringMatching(NOT_LOADED) },
    ({ search }) => search(),
  ],
  [
    'an input that is invalid',
    answering([]),
    { reason: 'invalid-input', message: expect.stringMatching(NOT_LOADED) },
    ({ search }) => search({ query: { limit: 0 } }),
  ],
])('%s is an error as online, but for the explanation', async (_, given, want, call) => {
  const error = await failure(call(open(given)))
  expect(error).toMatchObject(want)
  expect(`${error} ${error.cause}`).not.toMatch(/s3cret|sesame/)
})

test('a call whose failure says when to call again is not retried, because nothing reads that', async () => {
  let count = 0
  const fetch = async () => {
    count += 1
    return Response.json({ code: 1 }, { status: 503, headers: { 'retry-after': '0' } })
  }
  expect(await failure(open({ ...options, fetch }).search())).toMatchObject({
    name: 'HttpError',
    status: 503,
  })
  expect(count).toBe(1)
})

test('a record is polled to its end', async () => {
  const { getStatus } = open(answering({ status: 'completed', queueId: 'a' }))
  const seen: string[] = []
  for await (const { status } of getStatus.poll({ path: { queueId: 'a' } })) seen.push(status)
  expect(seen).toEqual(['completed'])
})
