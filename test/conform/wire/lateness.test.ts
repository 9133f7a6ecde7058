import { describe, expect, it } from 'vitest'
import { type ConformOptions, conform } from '../../../src/conform/conform.js'
import type { Wire } from '../../../src/conform/wire/exchange.js'
import type { Exchange, Sent } from '../../../src/traffic/exchange.js'
import { apiOf, openrpcOf } from '../../read/api-of.js'

const api = await apiOf({
  openrpc: openrpcOf({
    methods: ['clock_now', 'clock_day'].map((name) => ({
      name,
      params: [{ name: 'zone', required: name === 'clock_day', schema: { type: 'string' } }],
      result: { name: 'r', schema: { type: 'string' } },
      'x-idempotent': true,
      examples: [
        {
          name: 'noon',
          params: name === 'clock_day' ? [{ name: 'zone', value: 'utc' }] : [],
          result: { name: 'r', value: 'noon' },
        },
      ],
    })),
  }),
})

const noon = (sent: Sent): Exchange => ({
  sent,
  answer: {
    status: 200,
    headers: [['content-type', 'application/json']],
    body: new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"result":"noon"}'),
    milliseconds: 1,
  },
  failure: undefined,
})

const late = (sent: Sent): Exchange => ({
  sent,
  answer: undefined,
  failure: 'no complete response arrived in 10 seconds',
  cause: 'late',
})

const judged = (wire: Wire, options: ConformOptions = {}) =>
  conform(api, {
    ...{
      url: 'http://127.0.0.1:9',
      rate: null,
      maxExamples: 5,
      wire,
      sleep: async () => undefined,
    },
    ...options,
  })

describe('an operation that keeps its callers waiting', () => {
  it('is asked three times and no more, which is reported, and others are tried', async () => {
    let asked = 0
    const verdict = await judged(async (sent) => {
      const text = String(sent.body)
      // What the protocol is tried with is odd in itself, and not counted.
      const isOdd = !text.includes('"id":1}') || /\\ud800|1e400|0{400}/.test(text)
      if (!text.startsWith('{"jsonrpc":"2.0","method":"clock_day"') || isOdd) return noon(sent)
      asked += 1
      return late(sent)
    })
    expect(asked).toBe(3)
    const [left] = verdict.notTested.filter(({ why }) => why === 'it was late 3 times')
    expect(left?.what.some((name) => name.includes('clock_day'))).toBe(true)
    expect(left?.what.some((name) => name.includes('clock_now'))).toBe(false)
    const reported = verdict.findings.filter(({ rule }) => rule === 'response-late')
    expect(reported.map(({ operations }) => operations)).toEqual([['clock_day']])
    const [met] = verdict.coverage.filter(({ kind }) => kind === 'operation')
    expect(met?.met).toEqual(['clock_now'])
  })

  it('is not given up for odd requests that nobody answers', async () => {
    const { notTested } = await judged(async (sent) =>
      // Notifications, and calls with an odd id.
      /"id":1\}/.test(String(sent.body)) ? noon(sent) : late(sent),
    )
    expect(notTested.map(({ why }) => why)).not.toContain('it was late 3 times')
  })
})

it('what is waited for is reported while it lasts', async () => {
  const names: string[] = []
  const wire: Wire = (sent) =>
    String(sent.body).includes('clock_day')
      ? new Promise((resolve) => setTimeout(() => resolve(noon(sent)), 1_300))
      : Promise.resolve(noon(sent))
  await judged(wire, {
    only: ['clock_day, example noon'],
    onProgress: ({ name }) => names.push(name),
  })
  expect(names.slice(0, 2)).toEqual([
    'clock_day, example noon',
    'waiting for a response: clock_day, example noon',
  ])
})
