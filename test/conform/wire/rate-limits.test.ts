import { expect, it } from 'vitest'
import { conform } from '../../../src/conform/conform.js'
import type { Wire } from '../../../src/conform/wire/exchange.js'
import type { Sent } from '../../../src/traffic/exchange.js'
import { apiOf, openapiOf, openrpcOf } from '../../read/api-of.js'
import '../../fixed-seed.js'

const get = (operationId: string) => ({
  get: {
    operationId,
    responses: { 200: { description: 'There.' }, 429: { description: 'Too many requests.' } },
  },
})

const paths = { '/hours': get('hours'), '/days': get('days'), '/weeks': get('weeks') }
const years = { '/years': get('years'), '/moons': get('moons') }

const answered = (sent: Sent, status: number, headers: Readonly<Record<string, string>> = {}) => {
  const isRpc = sent.method === 'POST'
  const body = isRpc && status === 200 ? '{"jsonrpc":"2.0","id":1,"result":"noon"}' : ''
  const all = { ...(body === '' ? {} : { 'content-type': 'application/json' }), ...headers }
  const answer = {
    ...{ status, headers: Object.entries(all), milliseconds: 1 },
    body: new TextEncoder().encode(body),
  }
  return { sent, answer, failure: undefined }
}

/** The result of a run against a server that limits some requests; each request takes 10 ms, and a pause its whole time. */
const runOf = async (
  document: Parameters<typeof apiOf>[0],
  isLimited: (sent: Sent, seconds: number) => boolean,
  headers: Readonly<Record<string, string>> = { 'retry-after': '20' },
) => {
  let time = 0
  const wire: Wire = async (sent) => {
    time += 10
    return isLimited(sent, time / 1_000) ? answered(sent, 429, headers) : answered(sent, 200)
  }
  const verdict = await conform(await apiOf(document), {
    ...{ url: 'http://127.0.0.1:9', rate: null, maxExamples: 1, wire },
    now: () => time,
    sleep: async (milliseconds) => {
      time += milliseconds
    },
  })
  const [operations] = verdict.coverage.filter(({ kind }) => kind === 'operation')
  const limits = verdict.notTested.filter(({ why }) => why.includes('its own rate limit'))
  return { verdict, met: operations?.met ?? [], limits, seconds: time / 1_000 }
}

const isOf = ({ url, body }: Sent, name: string) =>
  url.endsWith(`/${name}`) || String(body).includes(name)

const openapi = openapiOf({ paths })
const openrpc = openrpcOf({
  methods: ['clock_now', 'clock_day', 'clock_week'].map((name) => ({
    name,
    params: [],
    'x-idempotent': true,
    result: { name: 'r', schema: { type: 'string' } },
    examples: [{ name: 'noon', params: [], result: { name: 'r', value: 'noon' } }],
  })),
})

it.each<[string, Parameters<typeof apiOf>[0], string, readonly string[], Record<string, string>]>([
  ['the first operation', { openapi }, 'hours', ['days', 'weeks'], { 'retry-after': '20' }],
  ['a later operation', { openapi }, 'weeks', ['hours', 'days'], { 'retry-after': '3600' }],
  ['an operation without Retry-After', { openapi }, 'days', ['hours', 'weeks'], {}],
  [
    'an operation with a short pause',
    { openapi },
    'hours',
    ['days', 'weeks'],
    { 'retry-after': '1' },
  ],
  ['a method', { openrpc }, 'clock_day', ['clock_now', 'clock_week'], { 'retry-after': '20' }],
])('the limit of %s does not stop the others', async (_, document, name, others, headers) => {
  const { met, limits, seconds } = await runOf(document, (sent) => isOf(sent, name), headers)
  expect(met).toEqual(others)
  expect(seconds).toBeLessThan(15)
  const after = headers['retry-after']
  const header = after === undefined ? 'without Retry-After' : `with Retry-After: ${after}`
  expect(limits.map(({ why }) => why)).toEqual([
    `its own rate limit was exhausted (429 ${header}), while other operations responded`,
  ])
  expect(limits[0]?.what.length).toBeGreaterThan(0)
  expect(limits[0]?.what.filter((one) => others.some((other) => one.includes(other)))).toEqual([])
})

it('an operation whose limit ends is tested after the others', async () => {
  let count = 0
  const { met, limits } = await runOf(
    { openapi },
    (sent, seconds) => {
      count += isOf(sent, 'hours') ? 1 : 0
      return isOf(sent, 'hours') && count === 1 && seconds < 5
    },
    { 'retry-after': '0' },
  )
  expect(met).toEqual(['hours', 'days', 'weeks'])
  expect(limits).toEqual([])
})

it('the protocol is tested with a method that is not limited', async () => {
  const { verdict } = await runOf({ openrpc }, (sent) => isOf(sent, 'clock_now'))
  const untested = verdict.notTested.flatMap(({ what }) => what)
  expect(untested.filter((one) => /^JSON-RPC, (an empty|a batch of t)/.test(one))).toEqual([])
})

it.each([
  ['all operations', { ...paths, ...years }, ['hours', 'days', 'weeks', 'years', 'moons']],
  ['its only operation', { '/hours': get('hours') }, ['hours']],
])('a limit of the server is waited for: %s', async (_, all, names) => {
  const { met, limits } = await runOf(
    { openapi: openapiOf({ paths: all }) },
    (sent, seconds) => names.some((name) => isOf(sent, name)) && seconds < 20,
  )
  expect(met.toSorted()).toEqual(names.toSorted())
  expect(limits).toEqual([])
})
