import { openrpcOf } from '../read/api-of.js'

/** A document in which both sides send: a call, a subscription with variants, a notification and a request of the server. */
export const DESK = openrpcOf({
  openrpc: '1.4.1',
  servers: [{ name: 'desk', url: 'wss://desk.example/ws' }],
  methods: [
    {
      name: 'add',
      paramStructure: 'by-position',
      params: [param('a', { type: 'integer' }), param('b', { type: 'integer' })],
      result: { name: 'sum', schema: { type: 'integer' } },
      errors: [{ code: 7, message: 'Too large' }],
    },
    {
      name: 'watch',
      paramStructure: 'by-position',
      params: [param('kind', { type: 'string', enum: ['heads', 'prices'] })],
      result: { name: 'id', schema: { type: 'string' } },
      'x-subscription': {
        unsubscribe: 'unwatch',
        id: '/subscription',
        notifications: [{ method: 'item', item: '/value' }],
      },
      'x-variants': {
        heads: { ...variant('heads'), item: { type: 'integer' } },
        prices: { ...variant('prices'), item: { type: 'string' } },
      },
    },
    {
      name: 'unwatch',
      paramStructure: 'by-position',
      params: [param('id', { type: 'string' })],
      result: { name: 'ended', schema: { type: 'boolean' } },
    },
    {
      name: 'item',
      'x-direction': 'server',
      paramStructure: 'by-name',
      params: [
        param('subscription', { type: 'string' }),
        param('value', { type: ['string', 'integer'] }),
      ],
    },
    {
      name: 'progress',
      'x-direction': 'server',
      paramStructure: 'by-position',
      params: [param('percent', { type: 'integer', maximum: 100 })],
    },
    {
      name: 'confirm',
      'x-direction': 'server',
      paramStructure: 'by-position',
      params: [param('question', { type: 'string' })],
      result: { name: 'yes', schema: { type: 'boolean' } },
    },
    {
      name: 'log',
      'x-direction': 'both',
      paramStructure: 'by-position',
      params: [param('text', { type: 'string' })],
    },
  ],
})

function variant(kind: string) {
  return { params: { prefixItems: [{ const: kind }] }, result: { type: 'string' } }
}

function param(name: string, schema: object) {
  return { name, required: true, schema }
}

/** A message of the client, as Chromium writes it into a HAR; a text is the frame as it was. */
export const send = (message: unknown, more: object = {}) => frame('send', message, more)

/** The same of the server. */
export const receive = (message: unknown, more: object = {}) => frame('receive', message, more)

const frame = (type: string, message: unknown, more: object) => ({
  ...{ type, time: 1_790_000_000.25, opcode: 1 },
  data: typeof message === 'string' ? message : JSON.stringify(message),
  ...more,
})

export const call = (id: unknown, method: string, params: unknown) => ({
  ...{ jsonrpc: '2.0', id, method, params },
})
export const notify = (method: string, params: unknown) => ({ jsonrpc: '2.0', method, params })
export const result = (id: unknown, value: unknown) => ({ jsonrpc: '2.0', id, result: value })
export const error = (id: unknown, code: number) => ({
  ...{ jsonrpc: '2.0', id, error: { code, message: 'Failed' } },
})

/** A HAR with one entry for each connection, as Chromium exports it. */
export const harOf = (
  ...connections: readonly {
    readonly url?: string
    readonly messages: readonly object[] | undefined
  }[]
) =>
  JSON.stringify(
    {
      log: {
        version: '1.2',
        creator: { name: 'WebInspector', version: '537.36' },
        pages: [],
        entries: connections.map(({ url = 'wss://desk.example/ws', messages }, index) => ({
          _connectionId: `${index}`,
          _initiator: { type: 'script' },
          _priority: null,
          _resourceType: 'websocket',
          ...(messages && { _webSocketMessages: messages }),
          cache: {},
          request: {
            method: 'GET',
            url,
            httpVersion: 'HTTP/1.1',
            headers: [
              { name: 'Upgrade', value: 'websocket' },
              { name: 'User-Agent', value: 'Mozilla/5.0 (X11) Chrome/140.0.0.0' },
              { name: 'Sec-WebSocket-Version', value: '13' },
            ],
            ...{ queryString: [], cookies: [], headersSize: -1, bodySize: 0 },
          },
          response: {
            ...{ status: 101, statusText: 'Switching Protocols', httpVersion: 'HTTP/1.1' },
            headers: [{ name: 'Upgrade', value: 'websocket' }],
            content: { size: 0, mimeType: 'x-unknown' },
            ...{ cookies: [], redirectURL: '', headersSize: -1, bodySize: -1 },
          },
          startedDateTime: '2026-10-02T08:00:00.000Z',
          time: 1000,
          timings: { blocked: -1, dns: -1, connect: -1, send: 0, wait: 1, receive: 0 },
        })),
      },
    },
    null,
    2,
  )

/** A line of NDJSON: an exchange over HTTP whose response is an event stream with these messages. */
export const streamed = (
  body: unknown,
  messages: readonly unknown[],
  { url = 'https://desk.example/ws', status = 200 } = {},
): string =>
  JSON.stringify({
    request: {
      ...{ method: body === undefined ? 'GET' : 'POST', url },
      headers: { 'content-type': 'application/json', 'user-agent': 'a/1' },
      ...(body !== undefined && { body }),
    },
    response: {
      ...{ status, headers: { 'content-type': 'text/event-stream' } },
      body: messages
        .map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`)
        .join(''),
    },
  })
