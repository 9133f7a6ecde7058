import { expect, it } from 'vitest'
import { notAllowed } from '../../../src/conform/rpc/expectation.js'
import {
  describeResponse,
  hasResult,
  isRejection,
  lacksId,
  readJsonRpcResponse,
} from '../../../src/conform/rpc/json-rpc-response.js'
import type { HeaderPairs } from '../../../src/runtime/wire/headers.js'

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
