import { expect, it } from 'vitest'
import { classify } from '../../../src/conform/outcome.js'
import { createTally } from '../../../src/conform/report/coverage.js'
import { checkExchange } from '../../../src/conform/responses/check-response.js'
import { createChecker } from '../../../src/schema/check.js'
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

// A redirect is what callers expect if the operation declares no success (RFC 9110, 15.4).
it.each<[keys: readonly string[], status: number, isExpected: boolean]>([
  [['200', '302'], 200, true],
  [['200', '302'], 302, false],
  [['2XX', '3XX'], 302, false],
  [['302'], 302, true],
  [['302', '404'], 302, true],
  [['302', 'default'], 302, true],
  [['302', 'default'], 200, true],
  [['3XX', '404'], 307, true],
  [['200', 'default'], 302, false],
  [['200', 'default'], 202, false],
  [['default'], 302, false],
  [['302', '404'], 404, false],
])(
  'of %j, the tally, the coverage and the outcome expect %d: %s',
  async (keys, status, isExpected) => {
    const responses = Object.fromEntries(keys.map((key) => [key, { description: 'One.' }]))
    const get = { operationId: 'read', responses }
    const api = await apiOf({ openapi: openapiOf({ paths: { '/things': { get } } }) })
    const http = 'http://127.0.0.1'
    const target = { http, rpc: undefined, rpcWithKey: undefined, key: undefined, secrets: [] }
    const exchange = {
      sent: { method: 'GET', url: `${http}/things`, headers: {} },
      answer: { status, headers: [], body: new Uint8Array(), milliseconds: 1 },
      failure: undefined,
    }
    const tally = createTally(api, target)
    tally.note(exchange)
    const covered: string[] = []
    const checker = createChecker(api.schemas)
    const found = checkExchange(
      {
        ...{ api, target, checker, skip: () => undefined, notOffered: () => undefined },
        cover: (kind, name) => covered.push(`${kind} ${name}`),
      },
      exchange,
    )
    const [operation] = api.operations
    if (operation === undefined) throw new Error('no operation')
    const outcome = classify(exchange, operation, { checker })
    expect({
      isMet: [...tally.counts.values()].map((one) => one.isMet),
      isCovered: covered.includes('operation read'),
      isAccepted:
        outcome.kind === 'accepted' || (outcome.kind === 'redirected' && outcome.isDeclared),
      rules: found.map(({ rule }) => rule),
    }).toEqual({ isMet: [isExpected], isCovered: isExpected, isAccepted: isExpected, rules: [] })
  },
)
