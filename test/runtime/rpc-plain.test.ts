import '../fixed-seed.js'
import fc from 'fast-check'
import { expect } from 'vitest'
import {
  callsOf,
  createTestClient,
  errorOf,
  fakeFetch,
  type TestClient,
  test,
  type WireCall,
} from './rpc-fixture.js'

/** The answers of a server to three calls, each with the text that it was asked with. */
type WireResponse = { jsonrpc: string; id: unknown; result?: unknown; error?: unknown }

const unmatched = 'unmatched-answer'
const refused = { code: -32000, message: 'no' }

/** What a server makes of right answers in their order, and what each of three calls comes to. */
const deeds: { title: string; deed: (own: WireResponse[]) => unknown; want: unknown[] }[] = [
  { title: 'leaves them', deed: (own) => own, want: ['a', 'b', 'c'] },
  { title: 'swaps two', deed: ([a, b, c]) => [b, a, c], want: ['a', 'b', 'c'] },
  {
    title: 'swaps the ids of two, which makes them answers to the other',
    deed: ([a, b, c]) => [{ ...a, id: b?.id }, { ...b, id: a?.id }, c],
    want: ['b', 'a', 'c'],
  },
  { title: 'drops one', deed: ([a, , c]) => [a, c], want: ['a', unmatched, 'c'] },
  { title: 'drops the last', deed: ([a, b]) => [a, b], want: ['a', 'b', unmatched] },
  { title: 'doubles one', deed: ([a, b, c]) => [a, b, b, c], want: ['a', unmatched, 'c'] },
  {
    title: 'doubles the last, with another result',
    deed: (own) => [...own, { ...own[2], result: 'other' }],
    want: ['a', 'b', unmatched],
  },
  {
    title: 'doubles one in place of another',
    deed: ([a, b]) => [a, b, b],
    want: ['a', unmatched, unmatched],
  },
  {
    title: 'adds one that nobody asked for',
    deed: (own) => [...own, { ...own[0], id: 99 }],
    want: ['a', 'b', 'c'],
  },
  {
    title: 'writes an id as a text',
    deed: ([a, b, c]) => [a, { ...b, id: String(b?.id) }, c],
    want: ['a', unmatched, 'c'],
  },
  {
    title: 'gives a result of another type',
    deed: ([a, b, c]) => [a, { ...b, result: 7 }, c],
    want: ['a', 'invalid-answer', 'c'],
  },
  {
    title: 'gives null for a result',
    deed: ([a, b, c]) => [a, { ...b, result: null }, c],
    want: ['a', 'invalid-answer', 'c'],
  },
  {
    title: 'gives an error beside a result',
    deed: ([a, b, c]) => [a, { ...b, error: refused }, c],
    want: ['a', 'malformed-answer', 'c'],
  },
  {
    title: 'gives an error of null beside a result',
    deed: ([a, b, c]) => [a, { ...b, error: null }, c],
    want: ['a', 'malformed-answer', 'c'],
  },
  {
    title: 'speaks another version',
    deed: ([a, b, c]) => [{ ...a, jsonrpc: '1.0' }, b, c],
    want: ['malformed-answer', 'b', 'c'],
  },
  {
    title: 'gives neither result nor error',
    deed: ([a, b]) => [a, b, { jsonrpc: '2.0', id: 3 }],
    want: ['a', 'b', 'malformed-answer'],
  },
  {
    title: 'says null in place of one',
    deed: ([a, , c]) => [a, null, c],
    want: ['a', unmatched, 'c'],
  },
]

test.each(deeds)(
  'a server $title: each call has its own answer or none',
  async ({ deed, want }) => {
    const { fetch } = fakeFetch((sent) =>
      deed(callsOf(sent).map(({ id, params }) => ({ jsonrpc: '2.0', id, result: first(params) }))),
    )
    const settled = await createTestClient({ fetch }).batch((b) =>
      Promise.allSettled(['a', 'b', 'c'].map((text) => b.nodeSend(text))),
    )
    const outcomes = settled.map((one) =>
      one.status === 'fulfilled' ? one.value : one.reason.reason,
    )
    expect(outcomes).toEqual(want)
  },
)

test('what a prototype holds is no result', async () => {
  const place = Object.prototype as { result?: unknown }
  const { fetch } = fakeFetch(() => ({ jsonrpc: '2.0', id: 1 }))
  place.result = 'planted'
  try {
    const error = await errorOf(createTestClient({ fetch }).nodeHeight())
    expect(error).toMatchObject({ reason: 'malformed-answer' })
  } finally {
    delete place.result
  }
})

test('whatever a text holds, it goes over the wire as JSON writes it', async () => {
  const { fetch, sent } = fakeFetch(({ body }) => ({
    ...body,
    result: first((body as WireCall).params),
  }))
  const client = createTestClient({ fetch, validate: { request: 'off', response: 'off' } })
  const texts = ['"', '\\', '\n', '\u0000', '\u001f', '\u007f', '\ud800', '\udfff', '\u2028', '😀']
  const any = fc.string({ unit: 'binary' })
  const some = fc.sample(
    fc.oneof(
      any,
      fc.constantFrom(...texts).map((one) => `a${one}`),
    ),
    200,
  )
  for (const text of [...texts, ...some]) await client.nodeBalance(text, text)
  const wanted = [...texts, ...some].map((text) => JSON.parse(JSON.stringify([text, text])))
  expect(sent.map(({ body }) => (body as WireCall).params)).toEqual(wanted)
})

test('params that are nested deeper than can be written are refused, and say so', async () => {
  const { fetch, sent } = fakeFetch(() => undefined)
  let deep: unknown = 1
  for (let level = 0; level < 100_000; level += 1) deep = [deep]
  const client = createTestClient({ fetch, validate: { request: 'off' } })
  const error = await errorOf(client.nodeSend(deep as string))
  expect(error).toMatchObject({ name: 'CallError', reason: 'invalid-input' })
  expect(error.message).toMatch(
    /^node_send was not sent: data \(\/0[/0]{0,99}…\) is nested deeper than \d+ levels$/,
  )
  expect(sent).toEqual([])
})

test('a batch within a batch, and one after another, keep to themselves', async () => {
  const { fetch, sent } = fakeFetch((one) =>
    [one.body].flat().map((call) => ({ ...call, result: first((call as WireCall).params) })),
  )
  const client = createTestClient({ fetch })
  const kept: TestClient[] = []
  await client.batch((before) => before.nodeSend('0'))
  await client.batch((outer) => {
    kept.push(outer)
    return Promise.all([
      outer.nodeSend('1'),
      client.batch((inner) => {
        kept.push(inner)
        return Promise.all([inner.nodeSend('2'), outer.nodeSend('3'), inner.nodeSend('4')])
      }),
      outer.nodeSend('5'),
    ])
  })
  await client.batch((next) => Promise.all([next.nodeSend('6'), next.nodeSend('7')]))
  expect(new Set(kept).size).toBe(2)
  const texts = sent.map((one) => callsOf(one).map(({ params }) => first(params)))
  expect(texts).toEqual([['0'], ['2', '4'], ['1', '3', '5'], ['6', '7']])
})

const first = (params: unknown): unknown => (Array.isArray(params) ? params[0] : undefined)
