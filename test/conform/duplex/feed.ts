import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { startMock } from '../../../src/mock/mock.js'
import { apiOf, openrpcOf } from '../../read/api-of.js'

const text = { type: 'string' }
const param = (name: string, schema: object, required = true) => ({ name, schema, required })
const Head = { type: 'object', required: ['number'], properties: { number: { type: 'integer' } } }
const Log = { type: 'object', required: ['address'], properties: { address: text } }
const kind = (value: string, item: object) => ({
  params: { prefixItems: [{ const: value }] },
  result: text,
  item,
})
const example = (params: object, result?: unknown) => ({
  name: JSON.stringify(params),
  params: Object.entries(params).map(([name, value]) => ({ name, value })),
  ...(result !== undefined && { result: { name: 'result', value: result } }),
})

/** A feed of heads and logs, with a method that only reads. */
export const FEED = {
  ...openrpcOf({
    methods: [
      {
        name: 'feed_number',
        'x-idempotent': true,
        params: [],
        result: { name: 'number', schema: { type: 'integer' } },
        examples: [example({}, 7)],
      },
      {
        name: 'feed_start',
        paramStructure: 'by-position',
        params: [param('kind', { enum: ['heads', 'logs'] })],
        result: { name: 'id', schema: text },
        'x-subscription': {
          unsubscribe: 'feed_stop',
          id: '/subscription',
          notifications: [{ method: 'feed_item', item: '/result' }],
        },
        'x-variants': { heads: kind('heads', Head), logs: kind('logs', Log) },
        examples: [example({ kind: 'heads' }, '0x1'), example({ kind: 'logs' }, '0x1')],
      },
      {
        name: 'feed_stop',
        paramStructure: 'by-position',
        params: [param('id', text)],
        result: { name: 'ended', schema: { type: 'boolean' } },
        examples: [example({ id: '0x1' }, false)],
      },
      {
        name: 'feed_item',
        'x-direction': 'server',
        paramStructure: 'by-name',
        params: [param('subscription', text), param('result', { anyOf: [Head, Log] })],
      },
    ],
  }),
  servers: [{ url: 'ws://127.0.0.1/feed' }],
}

export const feedApi = () => apiOf({ openrpc: FEED })

/** What a defective server does otherwise. `undefined` passes a text on, and `[]` drops it. */
export type FeedDefect = {
  /** A text of a client; `reply` sends texts to it, `close` ends the connection. */
  readonly sent?: (text: string, client: FeedClient) => readonly string[] | undefined
  /** A text of the server. */
  readonly received?: (text: string, client: FeedClient) => readonly string[] | undefined
}

export type FeedClient = {
  readonly reply: (text: string) => void
  readonly close: () => void
  /** The other connections. */
  readonly others: () => readonly FeedClient[]
}

/** A right server of the feed behind one with a defect: its URL, and a function that stops both. */
export const startFeed = async ({ sent, received }: FeedDefect) => {
  const mock = await startMock(await feedApi(), { pushInterval: 25 })
  const http = createServer()
  const acceptor = new WebSocketServer({ server: http })
  const clients = new Set<FeedClient>()
  acceptor.on('connection', (socket) => {
    const upstream = new WebSocket(mock.socketUrl ?? '')
    const waiting: string[] = []
    const client: FeedClient = {
      reply: (text) => socket.send(text),
      close: () => socket.terminate(),
      others: () => [...clients].filter((one) => one !== client),
    }
    clients.add(client)
    const forward = (text: string): void => {
      if (upstream.readyState === WebSocket.OPEN) upstream.send(text)
      else waiting.push(text)
    }
    upstream.on('open', () => {
      for (const text of waiting) upstream.send(text)
    })
    upstream.on('error', () => socket.terminate())
    upstream.on('close', () => socket.close())
    upstream.on('message', (data) => {
      const text = String(data)
      for (const one of received?.(text, client) ?? [text]) socket.send(one)
    })
    socket.on('message', (data) => {
      const text = String(data)
      for (const one of sent?.(text, client) ?? [text]) forward(one)
    })
    socket.on('close', () => {
      clients.delete(client)
      upstream.close()
    })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}/feed`,
    stop: async () => {
      for (const one of acceptor.clients) one.terminate()
      acceptor.close()
      http.close()
      await mock.stop()
    },
  }
}
