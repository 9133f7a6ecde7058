import { expect, it } from 'vitest'
import { createTally } from '../../../src/conform/report/coverage.js'
import { apiOf, openapiOf } from '../../read/api-of.js'

const TYPES = ['application/json', 'text/csv'] as const

it.each([
  ['the declared type', 1, 'application/json', true],
  ['another type', 1, 'text/csv', false],
  ['no type where one is declared', 1, undefined, true],
  ['an empty type where one is declared', 1, '', true],
  ['no type where two are declared', 2, undefined, false],
] as const)('a response is a documented success by its type: %s', async (_, count, type, isMet) => {
  const content = Object.fromEntries(TYPES.slice(0, count).map((one) => [one, {}]))
  const responses = { 200: { description: 'Things.', content } }
  const api = await apiOf({ openapi: openapiOf({ paths: { '/things': { get: { responses } } } }) })
  const http = 'http://127.0.0.1'
  const target = { http, rpc: undefined, rpcWithKey: undefined, key: undefined, secrets: [] }
  const tally = createTally(api, target)
  const headers = type === undefined ? [] : [['Content-Type', type] as const]
  tally.note({
    sent: { method: 'GET', url: `${http}/things`, headers: {} },
    answer: { status: 200, headers, body: new TextEncoder().encode('{}'), milliseconds: 1 },
    failure: undefined,
  })
  expect([...tally.counts.values()].map((one) => one.isMet)).toEqual([isMet])
})
