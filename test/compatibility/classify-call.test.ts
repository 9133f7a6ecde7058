import { expect, it } from 'vitest'
import { classifyCall } from '../../src/compatibility/classify-call.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const classified = async (keys: readonly string[], status: number) => {
  const responses = Object.fromEntries(keys.map((key) => [key, { description: 'A response.' }]))
  const paths = { '/thing': { get: { operationId: 'read', responses } } }
  const api = await apiOf({ openapi: openapiOf({ paths }) })
  const [operation] = api.operations
  if (!operation) throw new Error('no operation')
  const error = { name: 'HttpError', status, message: 'no', issues: [] }
  const sending = { kind: 'thrown', error, exchanges: [] } as const
  const expectation = { isOfError: false, isMock: false, mismatch: undefined, hasKey: true }
  return classifyCall(sending, { label: 'the example', operation, ...expectation }).kind
}

it.each([
  [['200', '404'], 404, 'works'],
  [['200', '4XX'], 404, 'works'],
  [['200', '404', '4XX'], 410, 'works'],
  [['200', '4XX'], 423, 'works'],
  [['200', '4XX'], 428, 'works'],
  [['200', '4XX'], 407, 'works'],
  [['200', '4XX'], 408, 'undecided'],
  [['200'], 503, 'undecided'],
  [['200', '5XX'], 502, 'undecided'],
  [['200', '5XX'], 500, 'breaks'],
  [['200', '404'], 410, 'breaks'],
  [['200', '5XX'], 404, 'breaks'],
  [['200', 'default'], 404, 'breaks'],
  [['200', '4XX'], 400, 'breaks'],
])('of an operation that declares %j, the status %d %s', async (keys, status, kind) => {
  expect(await classified(keys, status)).toBe(kind)
})
