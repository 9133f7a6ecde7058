import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { folderOf, startTwinspec, twinspec } from '../cli/command-line.js'
import { importFile } from '../emit/generated-code.js'

const PROGRESS = {
  type: 'object',
  required: ['progress'],
  properties: { progress: { type: 'integer' } },
}

const DOCUMENT = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  servers: [{ url: '/' }],
  paths: {
    '/events': {
      get: {
        operationId: 'watch',
        responses: {
          200: {
            description: 'x',
            content: {
              'text/event-stream': {
                schema: PROGRESS,
                example: [{ progress: 1 }, { progress: 2 }],
              },
            },
          },
        },
      },
    },
    '/lines': {
      get: {
        operationId: 'list',
        responses: {
          200: {
            description: 'x',
            content: { 'application/x-ndjson': { schema: { type: 'array', items: PROGRESS } } },
          },
        },
      },
    },
    '/chat': {
      post: {
        operationId: 'chat',
        'x-stream-end': '[DONE]',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', properties: { stream: { type: 'boolean' } } },
            },
          },
        },
        responses: {
          200: {
            description: 'x',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['text'],
                  properties: { text: { type: 'string' } },
                },
              },
              'text/event-stream': { schema: PROGRESS },
            },
          },
        },
      },
    },
  },
})

type Item = { readonly progress: number }
type Items = AsyncIterable<Item> & {
  readonly response: Response
  readonly cancel: () => Promise<void>
}
type Call = (input?: object, options?: object) => Promise<Items>
type Client = {
  readonly watch: Call & { readonly raw: () => Promise<Response> }
  readonly list: Call
  readonly chat: (input: object) => Promise<unknown>
}

type Generated = {
  readonly createHttpClient: (options: object) => Client
  readonly createServer: (handlers: object, options?: object) => unknown
  readonly toNodeListener: (server: unknown) => RequestListener
  readonly toFetchHandler: (server: unknown) => (request: Request) => Promise<Response>
}

const generated = async (): Promise<Generated> => {
  const folder = await folderOf({ 'api.json': DOCUMENT })
  const { code } = await twinspec(
    'generate',
    '--openapi',
    `${folder}/api.json`,
    '--with',
    'server',
    '--out',
    `${folder}/out`,
  )
  expect(code).toBe(0)
  writeFileSync(
    `${folder}/out/all.ts`,
    "export * from './http.client.js'\nexport * from './server.js'\n",
  )
  return await importFile<Generated>(`${folder}/out`, 'all.ts')
}

/** A server on a free port of the loopback, until the test ends. */
const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const listOf = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

it('the events of a stream that does not end are read one by one, and leaving the loop closes the connection', async () => {
  const { createHttpClient } = await generated()
  let closed = (): void => undefined
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve
  })
  const server = await serve((_, response) => {
    response.once('close', closed)
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(': hello\n\ndata: {"progress":1}\n\ndata: {"pro')
    response.write('gress":2}\r\n\r\n')
  })
  const { watch } = createHttpClient({ server })
  const stream = await watch()
  expect(stream.response.headers.get('content-type')).toMatch('event-stream')
  const found: Item[] = []
  for await (const item of stream) {
    found.push(item)
    if (item.progress === 2) break
  }
  expect(found).toEqual([{ progress: 1 }, { progress: 2 }])
  await isClosed
  const raw = await watch.raw()
  expect(raw).toBeInstanceOf(Response)
  await raw.body?.cancel()
})

it('an item that does not fit its schema ends the stream with an error that says which', async () => {
  const { createHttpClient } = await generated()
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"progress":1}\n\ndata: {"progress":"x"}\n\n')
  })
  const stream = await createHttpClient({ server }).watch()
  await expect(listOf(stream)).rejects.toMatchObject({
    name: 'CallError',
    reason: 'invalid-answer',
    issues: [{ path: ['progress'] }],
    message: expect.stringContaining('item 2'),
  })
})

it('a handler of a generated server returns an async iterable, over node:http and as a fetch handler', async () => {
  const { createHttpClient, createServer, toNodeListener, toFetchHandler } = await generated()
  async function* items() {
    yield { progress: 1 }
    yield { progress: 2 }
  }
  const handlers = {
    watch: () => ({ status: 200, body: items() }),
    list: () => ({ status: 200, body: items() }),
    chat: () => ({ status: 200, body: items() }),
  }
  const server = createServer(handlers)
  const { watch, list, chat } = createHttpClient({ server: await serve(toNodeListener(server)) })
  const expected = [{ progress: 1 }, { progress: 2 }]
  expect(await listOf(await watch())).toEqual(expected)
  expect(await listOf(await list())).toEqual(expected)
  expect(await listOf((await chat({ body: { stream: true } })) as Items)).toEqual(expected)
  const handle = toFetchHandler(server)
  const response = await handle(new Request('http://localhost/events'))
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(await response.text()).toBe('data: {"progress":1}\n\ndata: {"progress":2}\n\n')
  const lines = await handle(new Request('http://localhost/lines'))
  expect(await lines.text()).toBe('{"progress":1}\n{"progress":2}\n')
  const posted = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  const chatted = await handle(new Request('http://localhost/chat', posted))
  expect(await chatted.text()).toMatch(/data: \[DONE\]\n\n$/)
})

it('an operation that answers JSON or a stream does what the request asks for', async () => {
  const { createHttpClient, createServer, toFetchHandler } = await generated()
  async function* items() {
    yield { progress: 1 }
  }
  const answer = ({ body }: { body: { stream?: boolean } }) => ({
    status: 200,
    body: body.stream ? items() : { text: 'whole' },
  })
  const handle = toFetchHandler(createServer({ chat: answer, watch: items, list: items }))
  const fetch = (url: string, init: RequestInit) => handle(new Request(url, init))
  const { chat } = createHttpClient({ server: 'http://127.0.0.1:1', fetch })
  expect(await chat({ body: {} })).toEqual({ text: 'whole' })
  expect(await chat({ body: { stream: false } })).toEqual({ text: 'whole' })
  const stream = (await chat({ body: { stream: true } })) as Items
  expect(await listOf(stream)).toEqual([{ progress: 1 }])
})

it('the mock streams its examples', async () => {
  const folder = await folderOf({ 'api.json': DOCUMENT })
  const ended = new AbortController()
  const mock = startTwinspec(
    ['mock', '--openapi', `${folder}/api.json`, '--port', '0'],
    ended.signal,
  )
  onTestFinished(async () => {
    ended.abort()
    await mock.code
  })
  await expect.poll(() => mock.said.stdout, { timeout: 120_000 }).toContain('Ctrl-C')
  const url = /HTTP +(http:\S+)/.exec(mock.said.stdout)?.[1]
  const events = await fetch(`${url}/events`)
  expect(events.headers.get('content-type')).toBe('text/event-stream')
  expect(await events.text()).toBe('data: {"progress":1}\n\ndata: {"progress":2}\n\n')
  const chat = (body: object) =>
    fetch(`${url}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect((await chat({})).headers.get('content-type')).toBe('application/json')
  expect(await (await chat({ stream: true })).text()).toMatch(
    /^data: \{"progress":\d+\}\n\ndata: \[DONE\]\n\n$/,
  )
})

it('the reference shows how a stream is read', async () => {
  const folder = await folderOf({ 'api.json': DOCUMENT })
  const { code } = await twinspec(
    'docs',
    '--openapi',
    `${folder}/api.json`,
    '--out',
    `${folder}/site`,
  )
  expect(code).toBe(0)
  const page = (name: string) =>
    readFileSync(`${folder}/site/operations/${name}.html`, 'utf8').replace(/<[^>]*>/g, '')
  expect(page('watch')).toContain('curl -s -N')
  expect(page('watch')).toMatch(/for await \(const item of await http\.watch\(\)\) \{/)
  expect(page('chat')).not.toContain('for await')
})

it('lint notes a stream whose items no schema describes', async () => {
  const open = JSON.parse(DOCUMENT)
  open.paths['/events'].get.responses[200].content = { 'text/event-stream': {} }
  const folder = await folderOf({ 'api.json': JSON.stringify(open) })
  const { stdout } = await twinspec('lint', '--openapi', `${folder}/api.json`, '--verbose')
  expect(stdout).toMatch(
    /note .*text\/event-stream has no schema for its items.*\[stream-without-item-schema\]/,
  )
})
