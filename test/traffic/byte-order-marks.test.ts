import { expect, it } from 'vitest'
import { readExchange } from '../../src/conform/responses/read.js'
import { createHarReader } from '../../src/traffic/har.js'
import { createNdjsonReader } from '../../src/traffic/ndjson.js'
import { apiOf, method, openrpcOf } from '../read/api-of.js'

const CALL = '{"jsonrpc":"2.0","id":1,"method":"get","params":[]}'
const RESULT = '{"jsonrpc":"2.0","id":1,"result":5}'
const MARK = '\ufeff'
const url = 'http://127.0.0.1/rpc'
const pairs = [{ name: 'Content-Type', value: 'application/json' }]
const headers = { 'content-type': 'application/json' }

const har = (sent: string, received: string, encoding?: 'base64') => {
  const content = (text: string) => ({
    mimeType: 'application/json',
    text: encoding ? Buffer.from(text).toString(encoding) : text,
    ...(encoding && { encoding }),
  })
  const entry = {
    request: { method: 'POST', url, headers: pairs, postData: content(sent) },
    response: { status: 200, headers: pairs, content: content(received) },
  }
  return createHarReader('a.har', () => undefined).push(
    JSON.stringify({ log: { entries: [entry] } }),
  )
}

const ndjson = (sent: string, received: string) =>
  createNdjsonReader('a.ndjson', () => undefined).push(
    `${JSON.stringify({
      request: { method: 'POST', url, headers, body: sent },
      response: { status: 200, headers, body: received },
    })}\n`,
  )

const api = await apiOf({
  openrpc: openrpcOf({ methods: [method('get')], servers: [{ url }] }),
})
const target = { http: undefined, rpc: url, rpcWithKey: undefined, key: undefined, secrets: [] }

// Servers reject a mark before JSON, and clients drop it (RFC 8259, 8.1).
it.each([
  ['HAR', har],
  ['bytes in HAR', (sent: string, received: string) => har(sent, received, 'base64')],
  ['NDJSON', ndjson],
])('a byte order mark is read as servers and clients read it: %s', (_, read) => {
  const rows = [
    [CALL, RESULT],
    [MARK + CALL, RESULT],
    [CALL, MARK + RESULT],
  ] as const
  const found = rows.map(([sent, received]) => {
    const [recording] = [...read(sent, received)]
    if (recording === undefined) throw new Error('nothing was read')
    const { facts } = recording
    const exchange = { sent: { ...recording.sent(), url } }
    const reading = readExchange(api, target, exchange)
    return [
      facts.body() !== undefined,
      reading.kind === 'rpc' && reading.request.kind === 'single',
      facts.response?.body() !== undefined,
    ]
  })
  expect(found).toEqual([
    [true, true, true],
    [false, false, true],
    [true, true, true],
  ])
})
