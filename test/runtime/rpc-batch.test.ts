import '../fixed-seed.js'
import fc from 'fast-check'
import { expect, vi } from 'vitest'
import { planBatches } from '../../src/runtime/rpc/send.js'
import {
  callsOf,
  createTestClient,
  echo,
  errorOf,
  fakeFetch,
  refusal,
  type Sent,
  type TestClient,
  test,
  type WireCall,
} from './rpc-fixture.js'

const off = { request: 'off', response: 'off' } as const
const sizes = (sent: readonly Sent[]) =>
  sent.map(({ body }) => (Array.isArray(body) ? body.length : 'alone'))
const sends = (client: TestClient, count: number) =>
  Array.from({ length: count }, (_, index) => client.nodeSend(`${index}`))
const reason = (settled: PromiseSettledResult<unknown>) =>
  settled.status === 'rejected' ? settled.reason : settled.value

test.each<{ calls: number; explicit: unknown[]; auto: unknown[] }>([
  { calls: 0, explicit: [], auto: [] },
  { calls: 1, explicit: [1], auto: ['alone'] },
  { calls: 2, explicit: [2], auto: [2] },
  { calls: 40, explicit: [40], auto: [40] },
  { calls: 41, explicit: [40, 1], auto: [40, 'alone'] },
  { calls: 81, explicit: [40, 40, 1], auto: [40, 40, 'alone'] },
])('$calls calls are split at the limit of 40', async ({ calls, explicit, auto }) => {
  const want = Array.from({ length: calls }, (_, index) => `node_send ["${index}"]`)

  const asked = fakeFetch(echo)
  const client = createTestClient({ fetch: asked.fetch })
  expect(await client.batch((b) => Promise.all(sends(b, calls)))).toEqual(want)
  expect(sizes(asked.sent)).toEqual(explicit)

  const coalesced = fakeFetch(echo)
  const automatic = createTestClient({ fetch: coalesced.fetch, batch: 'auto' })
  expect(await Promise.all(sends(automatic, calls))).toEqual(want)
  expect(sizes(coalesced.sent)).toEqual(auto)
})

test('batches are split below the bytes that the document allows, to the byte', async () => {
  const { fetch, sent } = fakeFetch(echo)
  const client = createTestClient({ fetch })
  const texts = Array.from({ length: 9 }, () => 'é'.repeat(1_200))
  await client.batch((b) => Promise.all(texts.map((text) => b.nodeSend(text))))
  const bytes = sent.map(({ body }) => Buffer.byteLength(JSON.stringify(body)))
  expect(sizes(sent)).toEqual([4, 4, 1])
  expect(bytes.every((length) => length <= 10_000)).toBe(true)
})

test('a batch of one whose brackets would be too much goes out without them', async () => {
  const { fetch, sent } = fakeFetch(echo)
  const client = createTestClient({ fetch })
  const envelope = '{"jsonrpc":"2.0","method":"node_send","params":[""],"id":1}'.length
  await client.batch((b) => b.nodeSend('a'.repeat(10_000 - envelope - 2)))
  await client.batch((b) => b.nodeSend('a'.repeat(10_000 - envelope - 1)))
  expect(sizes(sent)).toEqual([1, 'alone'])
})

test('a plan keeps every call once, in order, within both limits', () => {
  const items = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 50 }) }))
  const limits = fc.record({
    batchSize: fc.integer({ min: 1, max: 9 }),
    payloadBytes: fc.integer({ min: 10, max: 120 }),
  })
  fc.assert(
    fc.property(items, limits, (calls, limit) => {
      const groups = planBatches(calls, limit)
      expect(groups.flat()).toEqual(calls)
      const length = (group: readonly { bytes: number }[]) =>
        group.reduce((sum, { bytes }) => sum + bytes, group.length + 1)
      for (const [index, group] of groups.entries()) {
        expect(group.length).toBeLessThanOrEqual(limit.batchSize)
        if (group.length > 1) expect(length(group)).toBeLessThanOrEqual(limit.payloadBytes)
        const next = groups[index + 1]?.[0]
        if (next === undefined || group.length === limit.batchSize) continue
        expect(length([...group, next])).toBeGreaterThan(limit.payloadBytes)
      }
    }),
  )
})

test('off sends each call by itself, auto joins those of one turn', async () => {
  const single = fakeFetch(echo)
  await Promise.all(sends(createTestClient({ fetch: single.fetch }), 3))
  expect(sizes(single.sent)).toEqual(['alone', 'alone', 'alone'])

  const { fetch, sent } = fakeFetch(echo)
  const client = createTestClient({ fetch, batch: 'auto', validate: off })
  const first = Promise.all([client.nodeHeight(), client.with({ timeout: 900 }).nodeSend('a')])
  await first
  await client.nodeHeight()
  expect(sizes(sent)).toEqual([2, 'alone'])
})

test('a batch collects what is called before the callback returns', async () => {
  const { fetch, sent } = fakeFetch(echo)
  const client = createTestClient({ fetch, validate: off })
  const answer = await client.batch(async (b) => {
    const [height] = await Promise.all([
      b.nodeHeight(),
      b.request({ method: 'node_send', params: ['a'] }),
      b.with({ timeout: 900 }).nodeSend('b'),
      b.notify('node_send', ['c']),
    ])
    return [height, await b.nodeSend('later')]
  })
  expect(answer).toEqual(['node_height []', 'node_send ["later"]'])
  expect(sizes(sent)).toEqual([4, 'alone'])
  expect(sent.flatMap(callsOf).map(({ id, params }) => [id, params])).toEqual([
    [1, []],
    [2, ['a']],
    [3, ['b']],
    [undefined, ['c']],
    [4, ['later']],
  ])
})

test('notifications alone are answered by nothing', async () => {
  const { fetch, sent } = fakeFetch(() => new Response(null, { status: 204 }))
  const client = createTestClient({ fetch })
  const both = await client.batch((b) =>
    Promise.all([b.notify('node_send', ['a']), b.notify('node_height')]),
  )
  expect(both).toEqual([undefined, undefined])
  expect(sizes(sent)).toEqual([2])
})

test('a callback that throws sends nothing, and leaves no rejection unheard', async () => {
  const { fetch, sent } = fakeFetch(echo)
  const unheard: unknown[] = []
  const listen = (error: unknown) => unheard.push(error)
  process.on('unhandledRejection', listen)
  const kept: Promise<unknown>[] = []
  const error = await errorOf(
    createTestClient({ fetch }).batch((b) => {
      void b.nodeHeight()
      kept.push(b.request({ method: 'node_height' }))
      throw new Error('oops')
    }),
  )
  expect(error.message).toBe('oops')
  await new Promise((resolve) => setTimeout(resolve, 5))
  process.off('unhandledRejection', listen)
  expect([unheard, sent]).toEqual([[], []])
  expect(await errorOf(kept[0] as Promise<unknown>)).toMatchObject({
    reason: 'aborted',
    message: 'node_height was not sent: its batch was abandoned',
    cause: error,
  })
})

test('one bad member spoils no other', async () => {
  const { fetch, sent } = fakeFetch(({ body }) =>
    (body as WireCall[]).map(({ id, method }) =>
      method === 'node_send'
        ? refusal(-32000, 'refused', id)
        : { jsonrpc: '2.0', id, result: method === 'node_find' ? [1] : '0x1' },
    ),
  )
  const settled = await createTestClient({ fetch }).batch((b) =>
    Promise.allSettled([
      b.nodeHeight(),
      b.nodeBalance('not hex'),
      b.nodeSend('a'),
      b.nodeFind({ topic: 'a' }),
      b.nodeHeight(),
    ]),
  )
  expect(settled.map(reason)).toMatchObject([
    '0x1',
    { name: 'CallError', reason: 'invalid-input', operation: 'node_balance' },
    { name: 'RpcError', code: -32000, method: 'node_send' },
    { name: 'CallError', reason: 'invalid-answer', operation: 'node_find' },
    '0x1',
  ])
  expect(sizes(sent)).toEqual([4])
})

test.each<{ title: string; answer: () => unknown; want: object }>([
  {
    title: 'one object',
    answer: () => refusal(-32010, 'batch too large'),
    want: { name: 'RpcError', code: -32010, message: 'batch too large' },
  },
  {
    title: 'an array of one error',
    answer: () => [refusal(-32600, 'batch too large')],
    want: { name: 'RpcError', code: -32600 },
  },
  {
    title: 'an object under HTTP 413',
    answer: () => Response.json(refusal(-32007, 'too big'), { status: 413 }),
    want: { name: 'RpcError', code: -32007, cause: { name: 'HttpError', status: 413 } },
  },
  {
    title: 'a text under HTTP 413',
    answer: () => new Response('too big', { status: 413 }),
    want: { name: 'HttpError', status: 413, body: 'too big' },
  },
  {
    title: 'nothing',
    answer: () => new Response(null, { status: 204 }),
    want: { name: 'CallError', reason: 'malformed-answer' },
  },
])('a whole batch refused by $title: each call says so itself', async ({ answer, want }) => {
  const { fetch } = fakeFetch(answer)
  const settled = await createTestClient({ fetch }).batch((b) =>
    Promise.allSettled([b.nodeHeight(), b.nodeSend('a'), b.notify('node_send', ['b'])]),
  )
  const calls = settled.slice(0, 2).map(reason)
  expect(calls).toMatchObject([want, want])
  expect(calls.map((error) => error.method ?? error.operation)).toEqual([
    'node_height',
    'node_send',
  ])
  expect(calls[0]).not.toBe(calls[1])
})

test('a call that its batch left unanswered says what the server said', async () => {
  const { fetch } = fakeFetch(() => [refusal(-32600, 'batch too large', 1)])
  const settled = await createTestClient({ fetch }).batch((b) => Promise.allSettled(sends(b, 2)))
  expect(settled.map(reason)).toMatchObject([
    { name: 'RpcError', code: -32600 },
    {
      name: 'CallError',
      reason: 'unmatched-answer',
      message:
        'node_send: no response has id 2 (seen: 1); the server returned the error -32600 batch too large',
      cause: { name: 'RpcError', code: -32600 },
    },
  ])
})

const held = () => {
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const asked = fakeFetch(async (sent) => {
    const { signal } = sent
    const stopped = new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    )
    await Promise.race([gate, stopped])
    return echo(sent)
  })
  return { ...asked, release: () => release() }
}

test('one aborted call leaves its batch alone', async () => {
  const { fetch, sent, release } = held()
  const controller = new AbortController()
  const settled = createTestClient({ fetch }).batch((b) =>
    Promise.allSettled([b.with({ signal: controller.signal }).nodeSend('a'), b.nodeSend('b')]),
  )
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  controller.abort()
  expect(sent[0]?.signal.aborted).toBe(false)
  release()
  expect((await settled).map(reason)).toMatchObject([
    { name: 'CallError', reason: 'aborted', operation: 'node_send' },
    'node_send ["b"]',
  ])
})

test('when the last call of a batch is given up, so is its request', async () => {
  const { fetch, sent } = held()
  const controller = new AbortController()
  const settled = createTestClient({ fetch }).batch((b) =>
    Promise.allSettled([
      b.with({ signal: controller.signal }).nodeSend('a'),
      b.with({ timeout: 5 }).nodeSend('b'),
    ]),
  )
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  controller.abort()
  expect((await settled).map(reason)).toMatchObject([{ reason: 'aborted' }, { reason: 'timeout' }])
  expect(sent[0]?.signal.aborted).toBe(true)
})

test('the calls of a batch that are still open when the time is up are all rejected, and no other', async () => {
  const { fetch } = held()
  const settled = createTestClient({ fetch, timeout: 20 }).batch((b) =>
    Promise.allSettled([
      // Over before it is sent: the others are waited for none the less.
      b.with({ signal: AbortSignal.abort() }).nodeSend('a'),
      b.nodeSend('b'),
      b.with({ timeout: 40 }).nodeSend('c'),
      b.nodeSend('d'),
    ]),
  )
  expect((await settled).map(reason)).toMatchObject([
    { reason: 'aborted' },
    { reason: 'timeout', message: 'node_send: no response within 20 ms' },
    { reason: 'timeout', message: 'node_send: no response within 40 ms' },
    { reason: 'timeout', message: 'node_send: no response within 20 ms' },
  ])
})

test('the timers of a batch end with it', async () => {
  const { fetch } = fakeFetch(echo)
  const [start, stop] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')]
  await createTestClient({ fetch, timeout: 12_345 }).batch((b) => Promise.all(sends(b, 40)))
  const begun = start.mock.calls.flatMap(([, delay], at) =>
    delay === 12_345 ? [start.mock.results[at]?.value] : [],
  )
  expect(begun).toHaveLength(1)
  const ended = new Set(stop.mock.calls.map(([timer]) => timer))
  expect(begun.filter((timer) => !ended.has(timer))).toEqual([])
  vi.restoreAllMocks()
})

test('a call aborted before its turn ends is not sent with the others', async () => {
  const { fetch, sent } = fakeFetch(echo)
  const client = createTestClient({ fetch, batch: 'auto' })
  const controller = new AbortController()
  const settled = Promise.allSettled([
    client.with({ signal: controller.signal }).nodeSend('a'),
    client.nodeSend('b'),
  ])
  controller.abort()
  expect((await settled).map(reason)).toMatchObject([{ reason: 'aborted' }, 'node_send ["b"]'])
  expect(sent.flatMap(callsOf).map(({ params }) => params)).toEqual([['b']])
})

test('whatever a server does to its answers, no caller gets the answer of another', async () => {
  const deed = fc.constantFrom('keep', 'drop', 'double', 'foreign', 'string', 'error')
  await fc.assert(
    fc.asyncProperty(
      fc.array(deed, { minLength: 1, maxLength: 85 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      fc.constantFrom<'off' | 'auto'>('off', 'auto'),
      async (deeds, chance, batch) => {
        const { fetch } = fakeFetch((sent) => {
          const answers = callsOf(sent).flatMap((call): object[] => {
            const [text] = call.params as [string]
            const own = { jsonrpc: '2.0', id: call.id, result: text }
            switch (deeds[Number(text)]) {
              case 'keep':
                return [own]
              case 'double':
                return [own, { ...own, result: 'other' }]
              case 'foreign':
                return [{ ...own, id: 1_000 + Number(text) }]
              case 'string':
                return [{ ...own, id: String(call.id) }]
              case 'error':
                return [refusal(-32000, text, call.id)]
              default:
                return []
            }
          })
          const keys = new Map(answers.map((answer) => [answer, chance.next().value as number]))
          answers.sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0))
          return Array.isArray(sent.body) || answers.length !== 1 ? answers : answers[0]
        })
        const client = createTestClient({ fetch, batch })
        const settled =
          batch === 'auto'
            ? await Promise.allSettled(sends(client, deeds.length))
            : await client.batch((b) => Promise.allSettled(sends(b, deeds.length)))
        for (const [index, one] of settled.entries()) {
          if (one.status === 'fulfilled') expect(one.value).toBe(`${index}`)
          else if (deeds[index] === 'error') expect(one.reason.message).toBe(`${index}`)
          else expect(one.reason).toMatchObject({ name: 'CallError', operation: 'node_send' })
          if (deeds[index] === 'keep') expect(one.status).toBe('fulfilled')
        }
      },
    ),
    { numRuns: 100 },
  )
})
