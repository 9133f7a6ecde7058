import { expect, it } from 'vitest'
import { checkExchange } from '../../../src/conform/responses/check-response.js'
import { errorOf, readExchange, valueIn, withValue } from '../../../src/conform/responses/read.js'
import { cbor } from '../../../src/runtime/codecs/cbor.js'
import { createChecker } from '../../../src/schema/check.js'
import type { Exchange } from '../../../src/traffic/exchange.js'
import { apiOf, openapiOf } from '../../read/api-of.js'

const ORDER = { schema: { type: 'object', required: ['error'] } }
/** `/TYPE` takes and returns that type. */
const TYPES = ['application/cbor', 'application/order+cbor', 'application/json', 'application/*']
const pathOf = (type: string): string => `/${type.replace(/\W/g, '-')}`
const api = await apiOf({
  openapi: openapiOf({
    paths: Object.fromEntries(
      TYPES.map((type) => {
        const body = { content: { [type]: ORDER } }
        const responses = { 200: { description: 'An order.', ...body } }
        return [pathOf(type), { post: { requestBody: body, responses } }]
      }),
    ),
  }),
})
const http = 'http://127.0.0.1'
const target = {
  ...{ http, rpc: undefined, rpcWithKey: undefined, key: undefined, secrets: [] },
  codecs: { cbor },
}

const exchangeOf = (declared: string, type: string, body: Uint8Array): Exchange => {
  const headers = type === '' ? {} : { 'Content-Type': type }
  return {
    sent: { method: 'POST', url: `${http}${pathOf(declared)}`, headers, body },
    answer: { status: 200, headers: Object.entries(headers), body, milliseconds: 1 },
    failure: undefined,
  }
}
const value = { error: { code: 7, message: 'gone' } }
const json = new TextEncoder().encode(JSON.stringify(value))
const written = cbor.encode(value)
const CBOR = 'application/cbor'

it.each<[string, declared: string, sent: string, Uint8Array, unknown]>([
  ['CBOR', CBOR, CBOR, written, value],
  ['CBOR of a suffix', 'application/order+cbor', 'application/order+cbor; v=1', written, value],
  ['CBOR without a Content-Type', CBOR, '', written, value],
  ['CBOR with an empty Content-Type', CBOR, ' ', written, value],
  ['JSON', 'application/json', 'application/json', json, value],
  ['JSON without a Content-Type', 'application/json', '', json, value],
  ['JSON that is sent as CBOR', CBOR, CBOR, json, value],
  ['bytes that are no CBOR', CBOR, CBOR, new Uint8Array([0xa1, 0x64]), undefined],
  ['bytes', CBOR, 'application/octet-stream', written, undefined],
  ['CBOR that the document does not declare', 'application/json', CBOR, written, undefined],
  ['CBOR in a range, as clients read it', 'application/*', CBOR, written, undefined],
])('the value of a message is known: %s', (_, declared, type, body, expected) => {
  const exchange = withValue(api, target, exchangeOf(declared, type, body))
  expect(valueIn(exchange.answer)).toEqual(expected)
  expect(errorOf(exchange.answer)?.code).toBe(expected && 7)
  const reading = readExchange(api, target, exchange)
  // Only a response that is no CBOR may still be JSON.
  const isRead = type !== CBOR || body !== json
  expect(reading.kind === 'http' && reading.body?.value).toEqual(isRead ? expected : undefined)
})

it.each([
  ['CBOR', written, ['content-type-is-undeclared']],
  ['another body', new Uint8Array([0xa1]), ['content-type-is-undeclared', 'response-not-cbor']],
])('without a Content-Type, %s is read as the only declared type', (_, body, rules) => {
  const none = () => undefined
  const context = { api, target, checker: createChecker(api.schemas) }
  const found = checkExchange(
    { ...context, cover: none, skip: none, notOffered: none },
    withValue(api, target, exchangeOf(CBOR, '', body)),
  )
  expect(found.map(({ rule }) => rule)).toEqual(rules)
})

it.each([
  ['application/json', 'text/html', []],
  ['text/html', 'application/json', ['content-type-is-undeclared']],
])(
  'of two Content-Types the first is checked, and the second is reported: %s, %s',
  (first, second, more) => {
    const none = () => undefined
    const context = { api, target, checker: createChecker(api.schemas) }
    const { sent, ...exchange } = exchangeOf('application/json', first, json)
    const headers = [
      ['Content-Type', first],
      ['content-type', second],
    ] as const
    const answer = exchange.answer && { ...exchange.answer, headers }
    const found = checkExchange(
      { ...context, cover: none, skip: none, notOffered: none },
      withValue(api, target, { ...exchange, sent, answer }),
    )
    expect(found.map(({ rule }) => rule).sort()).toEqual([...more, 'header-repeated'].sort())
  },
)
