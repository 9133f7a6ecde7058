import { describe, expect, it } from 'vitest'
import {
  declaredResponse,
  isRedirectOf,
  isSuccessKey,
  isSuccessOf,
} from '../../../src/runtime/wire/status.js'

describe('declaredResponse', () => {
  it.each<[keys: readonly string[], status: number, want: string | undefined]>([
    [['200', '2XX', 'default'], 200, '200'],
    [['default', '2XX', '200'], 200, '200'],
    [['2XX', 'default'], 204, '2XX'],
    [['2XX', 'default'], 226, '2XX'],
    [['404', '4XX'], 404, '404'],
    [['404', '4XX'], 410, '4XX'],
    // The default describes every status that nothing else describes, also beside a 2xx.
    [['200', 'default'], 202, 'default'],
    [['200', '4XX', 'default'], 204, 'default'],
    [['200', '4XX', 'default'], 503, 'default'],
    [['default'], 200, 'default'],
    [['default'], 304, 'default'],
    [['200'], 201, undefined],
    [['4XX'], 500, undefined],
    [['20'], 200, undefined],
    [['2XX'], 20, undefined],
    [['5XX'], 599, '5XX'],
    [[], 200, undefined],
  ])('of %j for %d is %s', (keys, status, want) => {
    const responses = keys.map((key) => ({ status: key }))
    expect(declaredResponse(responses, status)?.status).toBe(want)
  })
})

it.each<[keys: readonly string[], status: number, want: boolean]>([
  [['200'], 200, true],
  [['200', 'default'], 200, true],
  [['200', 'default'], 202, false],
  [['2XX', 'default'], 202, true],
  [['204', 'default'], 200, false],
  [['302', 'default'], 200, true],
  [['default'], 200, true],
  [['200'], 202, true],
  [[], 200, true],
  [['200', 'default'], 302, false],
  [['default'], 404, false],
])('with %j, the status %d is a success: %s', (keys, status, want) => {
  const responses = keys.map((key) => ({ status: key }))
  expect(isSuccessOf(responses, status)).toBe(want)
})

it.each([
  ['200', true],
  ['204', true],
  ['2XX', true],
  ['2xx', true],
  ['304', false],
  ['4XX', false],
  ['default', false],
])('the key %s is one of success: %s', (key, want) => {
  expect(isSuccessKey(key)).toBe(want)
})

it.each<[keys: readonly string[], status: number, want: boolean]>([
  [['302'], 302, true],
  [['3XX', '404'], 307, true],
  [['200', '302'], 302, false],
  [['2XX', '3XX'], 302, false],
  [['302'], 301, false],
  [['default'], 302, false],
  [['302', 'default'], 307, false],
  [['302', 'default'], 302, true],
  [['404'], 404, false],
])('with %j, the status %d is a redirect that callers expect: %s', (keys, status, want) => {
  const responses = keys.map((key) => ({ status: key }))
  expect(isRedirectOf(responses, status)).toBe(want)
})
