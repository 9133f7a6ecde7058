import { expect, it } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { kindNames } from '../../src/emit/kinds.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { diagnose } from './strictest.js'

const CHUNK = { type: 'object', required: ['delta'], properties: { delta: { type: 'string' } } }
const WHOLE = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ 'application/json': { schema } })
const either = {
  200: {
    description: 'd',
    content: { ...json(ref('Whole')), 'text/event-stream': { itemSchema: ref('Chunk') } },
  },
}

const DOCUMENT = JSON.stringify({
  openapi: '3.2.0',
  info: { title: 'T', version: '1' },
  servers: [{ url: 'https://one.example' }],
  paths: {
    '/chat': {
      post: {
        operationId: 'chat',
        requestBody: { required: true, content: json(ref('Request')) },
        responses: either,
      },
    },
    '/pull': {
      post: {
        operationId: 'pull',
        requestBody: {
          required: true,
          content: json({
            type: 'object',
            properties: { stream: { type: 'boolean', default: true } },
          }),
        },
        responses: either,
      },
    },
    '/ask': {
      post: {
        operationId: 'ask',
        requestBody: { required: true, content: json({ oneOf: [ref('Slow'), ref('Fast')] }) },
        responses: either,
        'x-variants': {
          slow: { request: ref('Slow'), responses: [ref('Whole')] },
          fast: { request: ref('Fast'), responses: [ref('Chunk')] },
        },
      },
    },
    '/chunks': {
      post: {
        operationId: 'add',
        requestBody: {
          required: true,
          content: { 'application/jsonl': { itemSchema: ref('Chunk') } },
        },
        responses: { 204: { description: 'd' } },
      },
      put: {
        operationId: 'replace',
        requestBody: {
          content: {
            ...json(ref('Whole')),
            'application/json-seq': { schema: { type: 'array', items: ref('Chunk') } },
            'application/x-ndjson': {},
          },
        },
        responses: { 204: { description: 'd' } },
      },
    },
    '/events': {
      get: {
        operationId: 'watch',
        responses: {
          200: {
            description: 'd',
            content: {
              'text/event-stream': {
                itemSchema: {
                  type: 'object',
                  required: ['data'],
                  properties: {
                    event: { type: 'string' },
                    data: {
                      type: 'string',
                      contentMediaType: 'application/json',
                      contentSchema: ref('Chunk'),
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Chunk: CHUNK,
      Whole: WHOLE,
      Request: { type: 'object', properties: { stream: { type: ['boolean', 'null'] } } },
      Slow: { type: 'object', required: ['slow'], properties: { slow: { const: true } } },
      Fast: { type: 'object', required: ['fast'], properties: { fast: { const: true } } },
    },
  },
})

const PROGRAM = `
import { createHttpClient } from './http.client.js'
import { createHandlers } from './msw.js'
import { createServer } from './server.js'

const client = createHttpClient()
export const read = async (): Promise<readonly string[]> => {
  const found: string[] = []
  for await (const { delta } of await client.chat({ body: { stream: true } })) found.push(delta)
  found.push((await client.chat({ body: {} })).text)
  found.push((await client.chat({ body: { stream: null } })).text)
  for await (const { delta } of await client.pull({ body: {} })) found.push(delta)
  found.push((await client.pull({ body: { stream: false } })).text)
  found.push((await client.ask({ body: { slow: true } })).text)
  for await (const { delta } of await client.ask({ body: { fast: true } })) found.push(delta)
  const stream = await client.watch()
  found.push(String(stream.response.status))
  for await (const { event = 'message', data } of stream) found.push(event, data.delta)
  const some = await client.chat({ body: { stream: found.length > 3 } })
  found.push(Symbol.asyncIterator in some ? 'a stream' : some.text)
  return found
}
export const write = async (): Promise<void> => {
  await client.add({ body: [{ delta: 'a' }] })
  await client.add({ body: new Blob(['{"delta":"a"}']) })
  const chunks = [{ delta: 'a' }] as const
  await client.replace({ body: chunks, contentType: 'application/json-seq' })
  await client.replace({ body: { text: 'a' } })
  await client.replace({ body: '{"delta":"a"}', contentType: 'application/x-ndjson' })
  // @ts-expect-error an item is no text
  await client.add({ body: [{ delta: 1 }] })
  // @ts-expect-error one item is no list
  await client.add({ body: { delta: 'a' } })
  // @ts-expect-error items without a description are sent as bytes
  await client.replace({ body: chunks, contentType: 'application/x-ndjson' })
}
// @ts-expect-error a stream is no text
export const wrong = async () => (await client.chat({ body: { stream: true } })).text

async function* chunks(signal: AbortSignal) {
  if (!signal.aborted) yield { delta: 'a' }
}
export const server = createServer({
  chat: ({ body }, { signal }) =>
    body.stream === true ? { status: 200, body: chunks(signal) } : { status: 200, body: { text: 'a' } },
  pull: (_, { signal }) => ({ status: 200, body: chunks(signal) }),
  ask: {
    slow: () => ({ status: 200, body: { text: 'a' } }),
    fast: (_, { signal }) => ({ status: 200, body: chunks(signal) }),
  },
  add: ({ body }) => ({ status: body.every(({ delta }) => delta !== '') ? 204 : 204 }),
  replace: ({ body }) => {
    if (body === undefined) return { status: 204 }
    if ('size' in body) body.size satisfies number
    else if ('text' in body) body.text satisfies string
    else for (const { delta } of body) delta satisfies string
    return { status: 204 }
  },
  watch: () => ({
    status: 200,
    body: (async function* () {
      yield { event: 'add', data: { delta: 'a' } }
    })(),
  }),
})
export const handlers = createHandlers({
  overrides: { pull: ({ body }, { signal }) => ({ status: 200, body: chunks(body.stream ? signal : signal) }) },
})
`

it('clients, handlers and mocks of streams have types without a cast', async () => {
  const api = await loadApi({ openapi: parseDocument(DOCUMENT, 'api.json') })
  const files = emitAll(api, ['msw', 'openapi-fetch'], kindNames)
  const code = files.filter(({ name }) => /\.(ts|json)$/.test(name))
  const texts = new Map(code.map(({ name, text }) => [name, text]))
  expect(diagnose(new Map([...texts, ['program.ts', PROGRAM]]))).toEqual([])
})
