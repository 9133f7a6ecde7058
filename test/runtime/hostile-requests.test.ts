import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { importFile } from '../emit/generated-code.js'

const generate = async (files: Readonly<Record<string, object>>): Promise<string> => {
  const texts = Object.entries(files).map(([kind, value]) => [
    `${kind}.json`,
    JSON.stringify(value),
  ])
  const folder = await folderOf(Object.fromEntries(texts))
  const flags = Object.keys(files).flatMap((kind) => [`--${kind}`, join(folder, `${kind}.json`)])
  const out = join(folder, 'out')
  expect((await twinspec('generate', ...flags, '--with', 'server', '--out', out)).code).toBe(0)
  return out
}

const info = { title: 'Hostile', version: '1' }

it('a batch of a megabyte of junk is one error, where the document has no limit of its own', async () => {
  const out = await generate({
    openrpc: {
      openrpc: '1.3.2',
      info,
      servers: [{ url: 'http://api.example/rpc' }],
      methods: [{ name: 'echo', params: [], result: { name: 'all', schema: {} } }],
    },
  })
  const { createServer, toFetchHandler } = await importFile<Server>(out, 'server.ts')
  const send = async (batch: readonly unknown[], options = {}) => {
    const handle = toFetchHandler(createServer({ echo: () => 'yes' }, options))
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(batch) }
    return (await handle(new Request('http://api.example/rpc', request))).json()
  }
  const junk = await send(Array.from({ length: 400_000 }, () => 1))
  expect(junk).toMatchObject({ id: null, error: { code: -32010 } })
  const call = { jsonrpc: '2.0', id: 1, method: 'echo' }
  expect(await send(Array.from({ length: 2_000 }, () => call))).toHaveLength(2_000)
  const few = await send([call, call, call], { batchSize: 2 })
  const rejected = { id: 1, error: { message: 'Batch too large: at most 2' } }
  expect(few).toMatchObject([rejected, rejected, rejected])
})

type Server = {
  readonly createServer: (handlers: object, options: object) => object
  readonly toFetchHandler: (server: object) => (request: Request) => Promise<Response>
}

it('a stream whose line has no end is rejected before it takes all memory', async () => {
  const out = await generate({
    openapi: {
      openapi: '3.2.0',
      info,
      servers: [{ url: 'http://api.example' }],
      paths: {
        '/words': {
          get: {
            operationId: 'readWords',
            responses: {
              200: {
                description: 'Words.',
                content: { 'text/event-stream': { itemSchema: { type: 'object' } } },
              },
            },
          },
        },
      },
    },
  })
  const { createHttpClient } = await importFile<Client>(out, 'http.client.ts')
  const mebibyte = new Uint8Array(1_048_576).fill(0x61)
  let sent = 0
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1
      // Enough to see that the client reads on.
      if (sent > 200) controller.close()
      else controller.enqueue(mebibyte)
    },
  })
  const headers = { 'content-type': 'text/event-stream' }
  const client = createHttpClient({ fetch: async () => new Response(endless, { headers }) })
  const read = async () => {
    for await (const _ of await client.readWords()) expect.unreachable()
  }
  await expect(read()).rejects.toMatchObject({ reason: 'malformed-answer' })
  expect(sent).toBeLessThan(100)
})

type Client = {
  readonly createHttpClient: (options: { readonly fetch: () => Promise<Response> }) => {
    readonly readWords: () => Promise<AsyncIterable<unknown>>
  }
}
