import { expect, it } from 'vitest'
import { notAllowed } from '../../../src/conform/rpc/expectation.js'
import {
  describeResponse,
  hasResult,
  isBusyResponse,
  isRejection,
  lacksId,
  readJsonRpcResponse,
} from '../../../src/conform/rpc/json-rpc-response.js'
import type { HeaderPairs } from '../../../src/runtime/wire/headers.js'
import { createTestClient } from '../../runtime/rpc-fixture.js'

const exchangeOf = (status: number, body: string, headers: HeaderPairs = []) => ({
  sent: { method: 'POST', url: 'http://localhost/', headers: {} },
  answer: { status, headers, body: Buffer.from(body), milliseconds: 1 },
  failure: undefined,
})

it.each([
  ['{"id":1,"result":5}', 'a result', 'accepted'],
  ['{"id":1,"result":null}', 'a result', 'accepted'],
  ['{"id":1,"result":5,"error":null}', 'a result', 'accepted'],
  ['{"id":1,"error":{"code":-32601,"message":"no"}}', 'error -32601', 'rejected'],
  ['{"id":1,"result":5,"error":{"code":-32601}}', 'error -32601', 'rejected'],
  ['{"id":1,"error":{"code":1.5}}', 'an error without a code', 'neither'],
  ['{"id":1,"error":"no"}', 'an error without a code', 'neither'],
  ['{"id":1,"error":null}', 'neither a result nor an error', 'neither'],
  ['[{"id":1,"result":5}]', 'an array of one: a result', 'neither'],
  ['[1]', 'an array of one: neither a result nor an error', 'neither'],
])('%s is %s', (body, words, verdict) => {
  const response = readJsonRpcResponse(exchangeOf(200, body))
  const found = hasResult(response) ? 'accepted' : isRejection(response) ? 'rejected' : 'neither'
  expect([describeResponse(response), found]).toEqual([words, verdict])
})

it.each([
  ['{"result":5}', true],
  ['{"id":{},"result":5}', false],
  ['{"id":true,"result":5}', false],
  ['{"id":null,"result":5}', false],
  ['{"id":12345678901234567890,"result":5}', false],
])('whether %s lacks an id: %s', (body, lacks) => {
  expect(lacksId(readJsonRpcResponse(exchangeOf(200, body)))).toBe(lacks)
})

it.each([
  [429, '', true],
  [503, '<html>', true],
  [503, '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}', true],
  [200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"no"}}', true],
  [200, '{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"no"}}', true],
  [400, '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"no"}}', true],
  [200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}', false],
  [500, '', false],
  [502, '', false],
  [400, '{"jsonrpc":"2.0","id":1,"error":{"code":429,"message":"no"}}', false],
  [200, '{"jsonrpc":"2.0","id":1,"result":5}', false],
])(
  'clients and conform expect another response of %d %s later: %s',
  async (status, body, isBusy) => {
    expect(isBusyResponse(readJsonRpcResponse(exchangeOf(status, body)))).toBe(isBusy)
    let sent = 0
    const fetch = async (_: unknown, init?: RequestInit) => {
      sent += 1
      const { id } = JSON.parse(String(init?.body))
      return new Response(body.replace('"id":1', `"id":${id}`), { status })
    }
    const clock = { sleep: async () => undefined }
    const client = createTestClient({ fetch, retry: { attempts: 2, clock } })
    await client.nodeHeight().catch(() => undefined)
    expect(sent).toBe(isBusy ? 2 : 1)
  },
)

it('Allow may be in several lines', () => {
  const fault = (...values: readonly string[]) => {
    const exchange = exchangeOf(
      405,
      '',
      values.map((value) => ['Allow', value]),
    )
    return notAllowed.fault(readJsonRpcResponse(exchange), exchange)
  }
  expect(fault('OPTIONS', 'POST')).toBeUndefined()
  expect(fault('OPTIONS', 'HEAD')).toBe('got 405 with Allow: OPTIONS, HEAD')
  expect(fault()).toBe('got 405 without Allow')
})
