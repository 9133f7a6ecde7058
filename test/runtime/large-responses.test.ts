import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createHttp } from 'twinspec/runtime/http'
import { createRpc } from 'twinspec/runtime/rpc'
import { openStream } from 'twinspec/runtime/streams'
import { expect, it, onTestFinished } from 'vitest'
import { declaredResponses } from './declared.js'

const MEGABYTE = 2 ** 20

/** A server that answers everything with so many megabytes of zeros, compressed and sent in parts. */
const serveZeros = async (megabytes: number, headers: Readonly<Record<string, string>> = {}) => {
  const part = gzipSync(Buffer.alloc(16 * MEGABYTE, '0'))
  const server = createServer(async (_, response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      ...headers,
    })
    for (let sent = 0; sent < megabytes && !response.destroyed; sent += 16) {
      response.write(part)
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const check = { check: () => true, open: () => true }

type Read = ((input?: object) => Promise<unknown>) & {
  readonly raw: () => Promise<Response>
}

const reading = (server: string, options: object, type = 'application/json'): Read => {
  const read = {
    kind: 'http' as const,
    id: 'read',
    method: 'GET',
    path: '/',
    servers: [],
    parameters: [],
    responses: declaredResponses({ 200: [type] }, STREAMS),
    security: [],
    schemes: {},
    idempotent: true,
  }
  const service = { servers: [], limits: {}, operations: { read } }
  const validators = { read: { responses: { 200: check }, items: { 200: check } } }
  const all = { server, ...options }
  return createHttp<{ read: Read }>(service, validators, all, undefined, { openStream }).read
}

const LINES = 'application/jsonl'
const STREAMS = { 200: { [LINES]: { item: 'data', data: 'json' } } } as const

const pinging = (server: string, options: object) => {
  const ping = {
    kind: 'rpc' as const,
    id: 'ping',
    method: 'ping',
    params: [],
    paramStructure: 'by-position' as const,
    errors: [],
    idempotent: true,
  }
  const service = { servers: [], path: '', operations: { ping } }
  const validators = { ping: { params: check, result: check } }
  const client = createRpc<{ ping: () => Promise<unknown> }>(service, validators, {
    server,
    ...options,
  })
  return () => client.ping()
}

const clients: readonly (readonly [
  string,
  (server: string, options: object) => () => Promise<unknown>,
])[] = [
  ['HTTP', (server, options) => () => reading(server, options)()],
  ['HTTP, a file', (server, options) => () => reading(server, options, 'image/png')()],
  ['JSON-RPC', (server, options) => pinging(server, options)],
]
const fetches = [
  ['the built-in transport', {}],
  ['fetch', { fetch: (url: string, init: RequestInit) => fetch(url, init) }],
] as const
const rows = clients.flatMap(([protocol, client]) =>
  fetches.map(([by, options]) => ({ protocol, by, client, options })),
)

it.each(rows)('a compressed response of 1 GB is given up: $protocol by $by', async (row) => {
  const server = await serveZeros(1_024)
  const before = process.resourceUsage().maxRSS
  const call = row.client(server, row.options)
  await expect(call()).rejects.toMatchObject({
    name: 'CallError',
    reason: 'response-too-large',
    message: expect.stringMatching(/more than 104857600 bytes \(options.maxResponseBytes\)/),
    cause: { name: 'ResponseTooLarge' },
  })
  // Kilobytes. All of the response would take 1,048,576 and more.
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(600_000)
})

it.each(rows)(
  'maxResponseBytes counts what arrives after decompression: $protocol by $by',
  async (row) => {
    const server = await serveZeros(16)
    const least = row.client(server, { ...row.options, maxResponseBytes: 16 * MEGABYTE - 1 })
    await expect(least()).rejects.toMatchObject({ reason: 'response-too-large' })
    const enough = row.client(server, { ...row.options, maxResponseBytes: 16 * MEGABYTE })
    const read = enough().catch((error) => error)
    expect(await read).not.toMatchObject({ reason: 'response-too-large' })
  },
)

it('raw responses and streams, which collect nothing, have no limit', async () => {
  const options = { maxResponseBytes: 100 }
  const response = await reading(await serveZeros(16), options).raw()
  expect((await response.arrayBuffer()).byteLength).toBe(16 * MEGABYTE)

  const lines = createServer((_, response) => {
    response.writeHead(200, { 'content-type': LINES })
    response.end(`${JSON.stringify({ text: 'twelve bytes' })}\n`.repeat(100))
  })
  await new Promise<void>((resolve) => lines.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void lines.close())
  const { port } = lines.address() as AddressInfo
  const stream = await reading(`http://127.0.0.1:${port}`, options, LINES)()
  let count = 0
  for await (const _ of stream as AsyncIterable<unknown>) count += 1
  expect(count).toBe(100)
})

it('a limit that is no number is reported when the client is created', () => {
  const options = { maxResponseBytes: Number.NaN }
  expect(() => reading('http://127.0.0.1', options)).toThrow(/options.maxResponseBytes must be/)
})
