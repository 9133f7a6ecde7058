import { createServer, type ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { conformed, listen } from './rpc-server.js'

const ITEM = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }

const DOCUMENT = JSON.stringify({
  openapi: '3.2.0',
  info: { title: 'T', version: '1' },
  paths: {
    '/events': {
      get: {
        operationId: 'watch',
        responses: {
          200: {
            description: 'd',
            content: { 'text/event-stream': { itemSchema: ITEM, 'x-stream-end': '[DONE]' } },
          },
        },
      },
    },
  },
})

/** A server of one stream. Other methods and paths are refused as HTTP asks. */
const startStream = (send: (response: ServerResponse) => void): Promise<string> =>
  listen(
    createServer((request, response) => {
      request.resume()
      if (request.url?.replace(/\?.*/, '') !== '/events') return void response.writeHead(404).end()
      if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      send(response)
    }),
  )

const rulesOf = async (send: (response: ServerResponse) => void): Promise<readonly string[]> => {
  const { findings } = await conformed(await startStream(send), { openapi: DOCUMENT })
  return [...new Set(findings.map(({ rule }) => rule))].filter((rule) => rule.startsWith('stream-'))
}

it('P3: conform holds each item of a stream against its schema', async () => {
  expect(await rulesOf((response) => response.end('data: {"n":1}\n\ndata: [DONE]\n\n'))).toEqual([])
  expect(await rulesOf((response) => response.end('data: {"n":"x"}\n\ndata: [DONE]\n\n'))).toEqual([
    'stream-item-invalid',
  ])
  expect(await rulesOf((response) => response.end('data: {n\n\ndata: [DONE]\n\n'))).toEqual([
    'stream-item-invalid',
  ])
})

it('P3: conform reports a stream that ends within an event, or without its declared end', async () => {
  expect(await rulesOf((response) => response.end('data: {"n":1}\n\n'))).toEqual([
    'stream-end-missing',
  ])
  const cut = await rulesOf((response) => response.end('data: [DONE]\n\ndata: {"n":1}'))
  expect(cut).toEqual(['stream-framing-invalid'])
})

it('P3: conform leaves a stream that does not end, and reports a server that then answers nobody', async () => {
  let open = 0
  expect(await rulesOf((response) => void response.write('data: {"n":1}\n\n'))).toEqual([])
  const full = await rulesOf((response) => {
    open += 1
    // Streams are never given up: after a few the server has no more to give.
    if (open > 6) response.destroy()
    else response.write('data: {"n":1}\n\n')
  })
  expect(full).toContain('stream-outlives-its-reader')
})
