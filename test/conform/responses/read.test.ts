import { expect, it } from 'vitest'
import { errorOf, valueIn, withValue } from '../../../src/conform/responses/read.js'
import { cbor } from '../../../src/runtime/codecs/cbor.js'
import type { Exchange } from '../../../src/traffic/exchange.js'

const exchangeOf = (type: string, body: Uint8Array): Exchange => ({
  sent: { method: 'GET', url: 'http://127.0.0.1/', headers: {} },
  answer: { status: 200, headers: [['Content-Type', type]], body, milliseconds: 1 },
  failure: undefined,
})
const value = { error: { code: 7, message: 'gone' } }
const json = new TextEncoder().encode(JSON.stringify(value))

it.each<[string, string, Uint8Array, unknown]>([
  ['CBOR', 'application/cbor', cbor.encode(value), value],
  ['CBOR of a suffix', 'application/order+cbor; v=1', cbor.encode(value), value],
  ['JSON', 'application/json', json, value],
  ['JSON that is sent as CBOR', 'application/cbor', json, value],
  ['bytes that are no CBOR', 'application/cbor', new Uint8Array([0xa1, 0x64]), undefined],
  ['bytes', 'application/octet-stream', cbor.encode(value), undefined],
])('the value of a response is known: %s', (_, type, body, expected) => {
  const { answer } = withValue(exchangeOf(type, body), { cbor })
  expect(valueIn(answer)).toEqual(expected)
  expect(errorOf(answer)?.code).toBe(expected && 7)
})
