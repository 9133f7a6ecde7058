import { expect, test } from 'vitest'
import { createTally } from '../../src/conform/report/coverage.js'
import { createTarget } from '../../src/conform/target.js'
import { createService } from '../../src/mock/service.js'
import { CallError, RpcError } from '../../src/runtime/errors.js'
import { createRpc } from '../../src/runtime/rpc.js'
import { createNdjsonReader } from '../../src/traffic/ndjson.js'
import type { OperationUsage } from '../../src/usage/usage.js'
import { createUsageCounter } from '../../src/usage/usage-counter.js'
import { apiOf, openrpcOf } from '../read/api-of.js'

const METHODS = ['one', 'two']

const api = await apiOf({
  openrpc: {
    ...openrpcOf({
      methods: METHODS.map((name) => ({
        name,
        params: [],
        result: { name: 'r', schema: { type: 'string' } },
        errors: [{ code: 7, message: 'declared' }],
      })),
    }),
    servers: [{ name: 'main', url: 'https://a.example/rpc' }],
  },
})

/** What a response says about one call: its result, the code of its error, or nothing that can be used. */
type Verdict = 'result' | number | 'unusable'

type Row = {
  readonly name: string
  readonly response: unknown
  /** For `one`, or for a batch of `one` and `two`, whose ids are 1 and 2. */
  readonly verdicts: readonly Verdict[]
}

const ok = (id: unknown) => ({ jsonrpc: '2.0', id, result: 'x' })
const no = (id: unknown, code = 7) => ({ jsonrpc: '2.0', id, error: { code, message: 'no' } })

const row = (name: string, response: unknown, ...verdicts: readonly Verdict[]): Row => ({
  name,
  response,
  verdicts,
})

// JSON-RPC 2.0, 5 and 6.
const ROWS: readonly Row[] = [
  row('a result', ok(1), 'result'),
  row('an error', no(1), 7),
  row('an error whose id is null', no(null), 7),
  row('an error without an id', { jsonrpc: '2.0', error: { code: 7, message: 'no' } }, 7),
  row('an error in an array', [no(null)], 7),
  row('a result in an array', [ok(1)], 'unusable'),
  row('the result of another id', ok(2), 'unusable'),
  row('its id as a text', ok('1'), 'unusable'),
  row('a result whose id is null', ok(null), 'unusable'),
  row('the error of another id', no(2), 'unusable'),
  row('no version', { id: 1, result: 'x' }, 'unusable'),
  row('version 1.0', { jsonrpc: '1.0', id: 1, result: 'x', error: null }, 'unusable'),
  row('an error without a version', { id: 1, error: { code: 7, message: 'no' } }, 'unusable'),
  row('a result and an error', { ...ok(1), ...no(1) }, 'unusable'),
  row('an error without a message', { jsonrpc: '2.0', id: 1, error: { code: 7 } }, 'unusable'),
  row('a code that is no integer', no(1, 7.5), 'unusable'),
  row('neither', { jsonrpc: '2.0', id: 1 }, 'unusable'),
  row('two results', [ok(1), ok(2)], 'result', 'result'),
  row('two in another order', [no(2), ok(1)], 'result', 7),
  row('one of two', [ok(2)], 'unusable', 'result'),
  row('one of two as an object', ok(2), 'unusable', 'result'),
  row('two with one id', [ok(1), no(1), ok(2)], 'unusable', 'result'),
  row('a foreign one', [ok(1), ok(2), ok(3)], 'result', 'result'),
  row('a rejection of all', no(null), 7, 7),
  row('a rejection of all in an array', [no(null)], 7, 7),
  row('a rejection for each', [no(null), no(null)], 7, 7),
  row('a result, and an error without an id', [ok(1), no(null)], 'result', 'unusable'),
  row('two errors without an id that differ', [no(null), no(null, 8)], 'unusable', 'unusable'),
]

for (const { name, response, verdicts } of ROWS) {
  const body = JSON.stringify(response)
  const calls = verdicts.map((_, index) => ({
    jsonrpc: '2.0',
    id: index + 1,
    method: METHODS[index],
  }))
  const request = verdicts.length === 1 ? calls[0] : calls

  test(`${name}: the client`, async () => {
    expect(await clientVerdicts(body, verdicts.length)).toEqual(verdicts)
  })

  test(`${name}: usage`, () => {
    expect(usageVerdicts(request, body, verdicts.length)).toEqual(verdicts)
  })

  test(`${name}: the coverage of conform`, () => {
    expect(coverageVerdicts(request, body, verdicts.length)).toEqual(
      verdicts.map((verdict) => [verdict === 'result', verdict !== 'unusable']),
    )
  })
}

type AnyClient = {
  readonly request: (call: { method: string; params: unknown }) => Promise<unknown>
  readonly batch: <T>(collect: (own: AnyClient) => T) => Promise<Awaited<T>>
}

const clientVerdicts = async (body: string, count: number): Promise<readonly Verdict[]> => {
  const { service } = createService(api)
  const rpc = { servers: [], path: '/', operations: {}, limits: {}, ...service.rpc }
  const headers = { 'content-type': 'application/json' }
  const fetchIt = async () => new Response(body, { headers })
  const options = { server: 'https://a.example', fetch: fetchIt, timeout: 5_000 }
  const client = createRpc<AnyClient>(rpc, service.validators, options)
  const start = (own: AnyClient) =>
    METHODS.slice(0, count).map((method) =>
      own.request({ method, params: [] }).then(resolved, verdictOf),
    )
  return count === 1
    ? await Promise.all(start(client))
    : await client.batch((own) => Promise.all(start(own)))
}

const resolved = (): Verdict => 'result'

const verdictOf = (error: unknown): Verdict => {
  if (error instanceof RpcError) return error.code
  if (error instanceof CallError) return 'unusable'
  throw error
}

const recordingOf = (request: unknown, body: string) => {
  const headers = { 'content-type': 'application/json' }
  const sent = { method: 'POST', url: 'https://a.example/rpc', headers, body: request }
  const line = JSON.stringify({ request: sent, response: { status: 200, headers, body } })
  const [recording] = createNdjsonReader('recorded.ndjson', (error) => {
    throw error
  }).push(`${line}\n`)
  if (recording === undefined) throw new Error('nothing was recorded')
  return recording
}

const usageVerdicts = (request: unknown, body: string, count: number): readonly Verdict[] => {
  const counter = createUsageCounter(api, {
    by: { kind: 'user-agent' },
    maxConsumers: 9,
    secret: () => new Uint8Array(16),
  })
  counter.add(recordingOf(request, body))
  const [operations = {}] = Object.values(counter.usage(0).consumers)
  return METHODS.slice(0, count).map((method) => countedOf(operations[method]))
}

/** What was counted of one call; everything, so that a call which counts twice is seen. */
const countedOf = (usage: OperationUsage | undefined): Verdict => {
  const counts = Object.keys(usage?.counts ?? {})
  const isUnread = usage?.response.properties?.result?.unread !== undefined
  if (isUnread && counts.length === 0) return 'unusable'
  const [only = 'nothing'] = counts
  if (isUnread || counts.length > 1) throw new Error(`counted twice: ${counts.join(', ')}`)
  return only === 'result' ? only : Number(only.replace('error ', ''))
}

/** Whether each call is a documented success, and a documented response. */
const coverageVerdicts = (request: unknown, body: string, count: number) => {
  const tally = createTally(api, createTarget(api, { url: 'https://a.example/rpc' }))
  const recording = recordingOf(request, body)
  const sent = { ...recording.sent(), url: 'https://a.example/rpc' }
  tally.note({ sent, answer: recording.answer(), failure: undefined })
  return METHODS.slice(0, count).map((method) => {
    const found = [...tally.counts].find(([one]) => one.kind === 'rpc' && one.method === method)
    return [found?.[1].isMet, found?.[1].isDocumented]
  })
}
