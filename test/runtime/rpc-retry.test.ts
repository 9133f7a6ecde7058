import { expect } from 'vitest'
import { systemClock } from '../../src/runtime/shared/deadline.js'
import { type Retry, waitBefore } from '../../src/runtime/shared/retry.js'
import {
  callsOf,
  createTestClient,
  echo,
  errorOf,
  fakeFetch,
  refusal,
  type Sent,
  test,
  type WireCall,
} from './rpc-fixture.js'

const start = Date.UTC(2026, 0, 1)

/** A clock that moves only when somebody sleeps on it, and remembers how long. */
const patientClock = () => {
  const slept: number[] = []
  const clock = {
    now: () => start + slept.reduce((sum, one) => sum + one, 0),
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds)
    },
    random: () => 1,
  }
  return { clock, slept }
}

const busy = (status: number, retryAfter?: string) =>
  new Response('busy', { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} })
const dead = () => {
  throw new TypeError('fetch failed')
}
const validate = { response: 'off' } as const

/** A client whose server answers each request with the next answer, the last one for ever. */
const clientWith = (answers: ((sent: Sent) => unknown)[], retry: Retry = {}) => {
  const { clock, slept } = patientClock()
  const { fetch, sent } = fakeFetch((one, count) =>
    (answers[Math.min(count, answers.length) - 1] ?? echo)(one),
  )
  return { client: createTestClient({ fetch, validate, retry: { ...retry, clock } }), sent, slept }
}

test.each<{ title: string; failure: (sent: Sent) => unknown; slept: number[] }>([
  { title: 'no connection', failure: dead, slept: [250] },
  {
    title: 'an answer cut short',
    failure: () =>
      new Response(
        new ReadableStream({ start: (stream) => stream.error(new Error('connection reset')) }),
      ),
    slept: [250],
  },
  { title: 'HTTP 429', failure: () => busy(429), slept: [250] },
  { title: 'HTTP 503 and seconds', failure: () => busy(503, '7'), slept: [7_000] },
  {
    title: 'HTTP 429 and a date',
    failure: () => busy(429, 'Thu, 01 Jan 2026 00:00:09 GMT'),
    slept: [9_000],
  },
  {
    title: 'a date gone by',
    failure: () => busy(429, 'Wed, 31 Dec 2025 00:00:00 GMT'),
    slept: [0],
  },
  { title: 'a header that says nothing', failure: () => busy(429, 'soon'), slept: [250] },
  {
    title: '-32005',
    failure: ({ body }) => refusal(-32005, 'limit', (body as { id: number }).id),
    slept: [250],
  },
  {
    title: '-32005 under HTTP 429 and seconds',
    failure: () =>
      Response.json(refusal(-32005, 'limit'), { status: 429, headers: { 'retry-after': '3' } }),
    slept: [3_000],
  },
])('an idempotent call is sent again after $title; another is not', async ({ failure, slept }) => {
  const again = clientWith([failure, echo])
  expect(await again.client.nodeHeight()).toBe('node_height []')
  expect(again.slept).toEqual(slept)
  expect(again.sent.map(({ body }) => body)).toEqual([again.sent[0]?.body, again.sent[0]?.body])

  const once = clientWith([failure, echo])
  expect(await errorOf(once.client.nodeSend('a'))).toBeInstanceOf(Error)
  expect([once.sent.length, once.slept]).toEqual([1, []])
})

test.each<{ title: string; failure: (sent: Sent) => unknown; want: object }>([
  { title: 'HTTP 500', failure: () => busy(500), want: { status: 500 } },
  { title: 'HTTP 403', failure: () => busy(403), want: { status: 403 } },
  { title: '-32603', failure: () => refusal(-32603, 'internal'), want: { code: -32603 } },
  { title: 'HTML', failure: () => new Response('<p>'), want: { reason: 'malformed-answer' } },
  {
    title: 'a foreign id',
    failure: () => ({ jsonrpc: '2.0', id: 9, result: '' }),
    want: { reason: 'unmatched-answer' },
  },
  { title: 'a wait that is too long', failure: () => busy(429, '61'), want: { status: 429 } },
])('nothing is sent again after $title', async ({ failure, want }) => {
  const { client, sent, slept } = clientWith([failure, echo])
  expect(await errorOf(client.nodeHeight())).toMatchObject(want)
  expect([sent.length, slept]).toEqual([1, []])
})

test('attempts end, each wait twice the one before', async () => {
  const few = clientWith([dead])
  expect(await errorOf(few.client.nodeHeight())).toMatchObject({ reason: 'network' })
  expect([few.sent.length, few.slept]).toEqual([3, [250, 500]])

  const many = clientWith([dead], { attempts: 5, delay: 10 })
  await errorOf(many.client.nodeHeight())
  expect([many.sent.length, many.slept]).toEqual([5, [10, 20, 40, 80]])

  const one = clientWith([dead], { attempts: 1 })
  await errorOf(one.client.nodeHeight())
  expect(one.sent.length).toBe(1)
})

test('a wait that would outlast the timeout is not begun: the refusal itself is reported', async () => {
  const { client, sent, slept } = clientWith([() => busy(429, '7'), echo])
  const error = await errorOf(client.with({ timeout: 7_000 }).nodeHeight())
  expect(error).toMatchObject({ name: 'HttpError', status: 429 })
  expect([sent.length, slept]).toEqual([1, []])
})

test('of a batch only idempotent members that failed are sent again, as a new batch', async () => {
  const { client, sent, slept } = clientWith([
    ({ body }) =>
      (body as WireCall[]).map(({ id }) =>
        id === 1 ? { jsonrpc: '2.0', id, result: 'first' } : refusal(-32005, 'limit', id),
      ),
    echo,
  ])
  const settled = await client.batch((b) =>
    Promise.allSettled([b.nodeHeight(), b.nodeBalance('0xa'), b.nodeSend('a'), b.nodeHeight()]),
  )
  expect(settled).toMatchObject([
    { value: 'first' },
    { value: 'node_balance ["0xa"]' },
    { reason: { name: 'RpcError', code: -32005, method: 'node_send' } },
    { value: 'node_height []' },
  ])
  expect(sent.map((one) => callsOf(one).map(({ id }) => id))).toEqual([
    [1, 2, 3, 4],
    [2, 4],
  ])
  expect(slept).toEqual([250])
})

test.each<{ title: string; failure: (sent: Sent) => unknown; want: object }>([
  { title: 'the network', failure: dead, want: { reason: 'network' } },
  { title: 'HTTP 429', failure: () => busy(429), want: { status: 429 } },
  { title: 'one error', failure: () => refusal(-32005, 'limit'), want: { code: -32005 } },
])(
  'a batch that failed as a whole by $title is not repeated as a whole',
  async ({ failure, want }) => {
    const { client, sent } = clientWith([failure, echo])
    const settled = await client.batch((b) => Promise.allSettled([b.nodeSend('a'), b.nodeHeight()]))
    expect(settled).toMatchObject([{ reason: want }, { value: 'node_height []' }])
    expect(sent.map((one) => callsOf(one).map(({ method }) => method))).toEqual([
      ['node_send', 'node_height'],
      ['node_height'],
    ])
  },
)

test('an abort ends the wait, and nothing more is sent', async () => {
  const { fetch, sent } = fakeFetch(() => busy(429, '30'))
  const controller = new AbortController()
  const client = createTestClient({ fetch, validate, signal: controller.signal })
  const error = errorOf(client.nodeHeight())
  setTimeout(() => controller.abort(), 10)
  expect(await error).toMatchObject({ reason: 'aborted' })
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(sent).toHaveLength(1)
})

test('a clock that breaks leaves nobody waiting', async () => {
  const { fetch } = fakeFetch(dead)
  const sleep = () => Promise.reject(new Error('the clock is broken'))
  const client = createTestClient({ fetch, clock: { sleep } })
  expect((await errorOf(client.nodeHeight())).message).toBe('the clock is broken')
})

test('a member aborted during the wait is not sent with the others again', async () => {
  const controller = new AbortController()
  const { fetch, sent } = fakeFetch((one, count) => (count === 1 ? busy(503) : echo(one)))
  const sleep = async () => controller.abort()
  const client = createTestClient({ fetch, validate, clock: { sleep } })
  const settled = await client.batch((b) =>
    Promise.allSettled([b.with({ signal: controller.signal }).nodeHeight(), b.nodeHeight()]),
  )
  expect(settled).toMatchObject([{ reason: { reason: 'aborted' } }, { value: 'node_height []' }])
  expect(sent.map((one) => callsOf(one).map(({ id }) => id))).toEqual([[1, 2], [2]])
})

test('chance takes up to half of a wait, never of what the server asks for', async () => {
  const clock = { ...systemClock, random: () => 0 }
  expect(await waitBefore(2, null, {}, clock)).toBe(125)
  expect(await waitBefore(3, null, {}, clock)).toBe(250)
  expect(await waitBefore(2, '4', {}, clock)).toBe(4_000)
  expect(await waitBefore(20, null, { attempts: 50 }, clock)).toBe(30_000)
})

test('a wait of more than 2^31 - 1 ms does not end at once', async () => {
  const { signal } = new AbortController()
  const end = await Promise.race([
    systemClock.sleep(2 ** 31, signal).then(() => 'slept'),
    systemClock.sleep(50, signal).then(() => 'still waiting'),
  ])
  expect(end).toBe('still waiting')
})
