import { createServer, type ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { conformed, listen } from '../rpc/rpc-server.js'

const ITEM = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }

const documentOf = (content: object): string =>
  JSON.stringify({
    openapi: '3.2.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/events': {
        get: { operationId: 'watch', responses: { 200: { description: 'd', content } } },
      },
    },
  })

const EVENTS = documentOf({ 'text/event-stream': { itemSchema: ITEM, 'x-stream-end': '[DONE]' } })

/** A server of one stream. Other methods and paths are refused as HTTP asks. */
const startStream = (
  send: (response: ServerResponse) => void,
  type = 'text/event-stream',
): Promise<string> =>
  listen(
    createServer((request, response) => {
      request.resume()
      if (request.url?.replace(/\?.*/, '') !== '/events') return void response.writeHead(404).end()
      if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end()
      response.writeHead(200, { 'content-type': type })
      send(response)
    }),
  )

const rulesOf = async (send: (response: ServerResponse) => void): Promise<readonly string[]> => {
  const { findings } = await conformed(await startStream(send), { openapi: EVENTS })
  return [...new Set(findings.map(({ rule }) => rule))].filter((rule) => rule.startsWith('stream-'))
}

it('conform holds each item of a stream against its schema', async () => {
  expect(await rulesOf((response) => response.end('data: {"n":1}\n\ndata: [DONE]\n\n'))).toEqual([])
  expect(await rulesOf((response) => response.end('data: {"n":"x"}\n\ndata: [DONE]\n\n'))).toEqual([
    'stream-item-invalid',
  ])
  expect(await rulesOf((response) => response.end('data: {n\n\ndata: [DONE]\n\n'))).toEqual([
    'stream-item-invalid',
  ])
})

it('conform reports a number of a JSON text sequence that may be cut off', async () => {
  const type = 'application/json-seq'
  const openapi = documentOf({ [type]: { itemSchema: { type: 'integer' } } })
  for (const [text, count] of [
    ['\u001e1\n\u001e2\n', 0],
    ['\u001e1\n\u001e2', 1],
  ] as const) {
    const { findings } = await conformed(await startStream((to) => to.end(text), type), { openapi })
    const found = findings.filter(({ rule }) => rule === 'stream-item-invalid')
    expect(found).toHaveLength(count)
    if (count > 0) expect(found[0]?.message).toContain('no whitespace at its end')
  }
})

it('conform reports a stream that ends within an event, or without its declared end', async () => {
  expect(await rulesOf((response) => response.end('data: {"n":1}\n\n'))).toEqual([
    'stream-end-missing',
  ])
  const cut = await rulesOf((response) => response.end('data: [DONE]\n\ndata: {"n":1}'))
  expect(cut).toEqual(['stream-framing-invalid'])
})

it('conform leaves a stream that does not end, and reports a server that then answers nobody', async () => {
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

it('conform sends valid and invalid lists of items, one item in a line', async () => {
  const responses = Object.fromEntries([204, 400, 415].map((one) => [one, { description: 'd' }]))
  const media = { itemSchema: ITEM, example: [{ n: 1 }, { n: 2 }] }
  const content = { 'application/jsonl': media }
  const post = { operationId: 'add', requestBody: { required: true, content }, responses }
  const paths = { '/things': { post } }
  const openapi = JSON.stringify({ openapi: '3.2.0', info: { title: 'T', version: '1' }, paths })
  const isItem = (line: string): boolean => {
    try {
      return Number.isInteger(JSON.parse(line).n)
    } catch {
      return false
    }
  }
  const texts = new Set<string>()
  const came = { valid: 0, invalid: 0 }
  const rulesOfServer = async (accepts: (lines: readonly string[]) => boolean) => {
    const server = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const type = request.headers['content-type']?.toLowerCase()
      if (request.url !== '/things') return void response.writeHead(404).end()
      if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end()
      if (type !== 'application/jsonl') return void response.writeHead(415).end()
      texts.add(text)
      const lines = text.split('\n').filter((line) => line !== '')
      came[lines.every(isItem) ? 'valid' : 'invalid'] += 1
      response.writeHead(accepts(lines) ? 204 : 400).end()
    })
    const { findings } = await conformed(await listen(server), { openapi })
    return [...new Set(findings.map(({ rule }) => rule))]
  }
  expect(await rulesOfServer((lines) => lines.every(isItem))).toEqual([])
  expect(texts).toContain('{"n":1}\n{"n":2}\n')
  expect(came.valid).toBeGreaterThan(0)
  expect(came.invalid).toBeGreaterThan(0)
  expect(await rulesOfServer(() => true)).toEqual(['invalid-request-accepted'])
})
