import { describe, expect, test } from 'vitest'
import { responseKind } from '../../../src/conform/report/coverage.js'
import { errorOf } from '../../../src/conform/responses/read.js'
import { rpcOutcome } from '../../../src/conform/responses/rpc-outcome.js'
import { readAnswers } from '../../../src/conform/responses/rpc-response.js'
import { readRpcResponse } from '../../../src/runtime/rpc/match.js'

const RESULT = { jsonrpc: '2.0', id: 1, result: 5 }
const ERROR = { jsonrpc: '2.0', id: 1, error: { code: 7, message: 'no' } }

/** What clients make of a response, and what conform understands. */
const ROWS: readonly (readonly [client: string, conform: string, response: unknown])[] = [
  ['result', 'result', RESULT],
  ['result', 'result', { ...RESULT, result: null }],
  ['rejected', 'error', ERROR],
  ['rejected', 'error', { ...ERROR, id: null }],
  ['unusable', 'result', { id: 1, result: 5 }],
  ['unusable', 'result', { ...RESULT, jsonrpc: '1.0', error: null }],
  ['unusable', 'result', { ...RESULT, error: null }],
  ['unusable', 'error', { ...RESULT, error: { code: 7, message: 'no' } }],
  ['unusable', 'error', { ...ERROR, error: { code: 7 } }],
  ['unusable', 'invalid error', { ...ERROR, error: { code: 7.5, message: 'no' } }],
  ['unusable', 'invalid error', { ...ERROR, error: { code: '7', message: 'no' } }],
  ['unusable', 'invalid error', { ...RESULT, error: 'no' }],
  ['unusable', 'invalid error', { ...RESULT, error: { message: 'no' } }],
  ['unusable', 'neither', { jsonrpc: '2.0', id: 1 }],
  ['unusable', 'neither', { jsonrpc: '2.0', id: 1, error: null }],
  ['unusable', 'neither', [RESULT]],
  ['unusable', 'neither', 5],
  ['unusable', 'neither', null],
]

describe.each(ROWS)('a response that is %s to a client', (client, conform, response) => {
  const answer = {
    ...{ status: 200, headers: [], milliseconds: 1 },
    body: Buffer.from(JSON.stringify(response)),
  }

  test(`is "${conform}" to conform: ${JSON.stringify(response)}`, () => {
    expect(readRpcResponse(response).kind).toBe(client)
    const outcome = rpcOutcome(response)
    expect(outcome.kind).toBe(conform)
    expect(errorOf(answer)?.code).toBe(conform === 'error' ? 7 : undefined)
  })

  test(`is the same to the checks of every response and to the counts: ${JSON.stringify(response)}`, () => {
    const isList = Array.isArray(response)
    expect(readAnswers(JSON.stringify(response))[0]?.outcome.kind).toBe(isList ? 'result' : conform)
    const sent = { method: 'POST', url: 'http://localhost/', headers: {} }
    const { kind } = responseKind({ sent, answer, failure: undefined }, true)
    expect(kind).toBe(conform.includes('error') ? 'error' : 'status')
  })
})
