import { setTimeout as wait } from 'node:timers/promises'
import type { ServerReply } from '../../../src/runtime/server.js'
import { defects } from './defect.js'
import { onTheWire } from './planting.js'

const SHOWN = ['tryZkt, example message']

/** What only a socket can do wrongly. */
export const WIRE_DEFECTS = defects([
  {
    name: 'connection-is-closed-midway',
    around: onTheWire('submission', (response, { status, headers, body }) => {
      response.writeHead(status, { ...headers, 'content-length': '9999' })
      response.write(bytesOf(body), () => response.destroy())
    }),
    by: ['response-truncated'],
    also: ['valid-value-not-answered'],
    only: SHOWN,
  },
  {
    name: 'connection-is-closed-at-once',
    around: onTheWire('submission', (response) => response.destroy()),
    by: ['response-truncated'],
    also: ['valid-value-not-answered'],
    only: SHOWN,
  },
  {
    name: 'body-is-cut',
    around: onTheWire('rpc', (response, { status, headers, body }) => {
      const cut = bytesOf(body).subarray(0, -3)
      response.writeHead(status, { ...headers, 'content-length': String(cut.length) })
      response.end(cut)
    }),
    by: ['response-not-json'],
    only: ['eth_chainId'],
  },
  {
    name: 'answer-comes-late',
    around: onTheWire('submission', (response, { status, headers, body }) => {
      void wait(2_500).then(() => {
        response.writeHead(status, headers)
        response.end(body)
      })
    }),
    by: ['response-late'],
    also: ['operation-never-answered'],
    only: SHOWN,
  },
  {
    name: 'answer-never-ends',
    around: onTheWire('rpc', (response, { status, headers, body }) => {
      const { 'content-length': _, ...others } = headers
      response.writeHead(status, others)
      response.write(body ?? '')
    }),
    by: ['response-late'],
    also: ['operation-never-answered'],
    only: ['eth_chainId, example testnet'],
  },
  {
    name: 'content-type-comes-twice',
    around: onTheWire('submission', (response, { status, headers, body }) => {
      response.writeHead(status, [
        ...Object.entries(headers).flat(),
        ...['content-type', 'text/html'],
      ])
      response.end(body)
    }),
    by: ['header-repeated'],
    only: SHOWN,
  },
  {
    name: 'bytes-that-are-no-utf8',
    around: onTheWire('rpc', (response, { status, headers, body }) => {
      const text = bytesOf(body).toString().replace('"jsonrpc"', '"x":"\xff","jsonrpc"')
      const bytes = Buffer.from(text, 'latin1')
      response.writeHead(status, { ...headers, 'content-length': String(bytes.length) })
      response.end(bytes)
    }),
    by: ['response-not-json'],
    only: ['eth_chainId'],
  },
  {
    name: 'byte-order-mark-before-an-answer',
    around: onTheWire('rpc', (response, { status, headers, body }) => {
      const bytes = Buffer.from(`\ufeff${bytesOf(body)}`)
      response.writeHead(status, { ...headers, 'content-length': String(bytes.length) })
      response.end(bytes)
    }),
    by: ['response-not-json'],
    only: ['eth_chainId'],
  },
  {
    name: 'json-rpc-is-typed-as-a-page',
    around: onTheWire('rpc', (response, { status, headers, body }) => {
      response.writeHead(status, { ...headers, 'content-type': 'text/html' })
      response.end(body)
    }),
    by: ['response-media-type-not-json'],
    also: ['html-instead-of-json'],
    only: ['eth_chainId'],
  },
  {
    name: 'json-rpc-has-no-content-type',
    around: onTheWire('rpc', (response, { status, headers, body }) => {
      const { 'content-type': _, ...others } = headers
      response.writeHead(status, others)
      response.end(body)
    }),
    by: ['response-media-type-not-json'],
    only: ['eth_chainId'],
  },
])

const bytesOf = (body: ServerReply['body']): Buffer =>
  body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(String(body ?? ''))
