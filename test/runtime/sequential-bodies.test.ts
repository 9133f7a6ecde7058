import { describe, expect, it } from 'vitest'
import { createService } from '../../src/mock/service.js'
import { createHttp } from '../../src/runtime/http.js'
import { createServerCore, toFetchHandler } from '../../src/runtime/server.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const RECORD = { $ref: '#/components/schemas/Entry' }
const LINES = 'application/jsonl'

/** A client and a server of an operation with a body, what was sent, and what the handler received. */
const serviceOf = async (content: object, more: object = {}) => {
  const api = await apiOf({
    openapi: openapiOf({
      version: '3.2.0',
      schemas: {
        Entry: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'integer' }, name: { type: 'string' }, at: { type: 'object' } },
        },
      },
      paths: {
        '/records': {
          post: {
            operationId: 'addEntries',
            requestBody: { required: true, content },
            responses: {
              204: { description: 'd' },
              400: { description: 'd', content: { 'application/json': {} } },
            },
            ...more,
          },
        },
      },
    }),
  })
  const { service } = createService(api)
  const { http, validators } = service
  if (http === undefined) throw new TypeError('there is no HTTP document')
  const received: unknown[] = []
  const handlers = {
    addEntries: ({ body }: { readonly body: unknown }) => {
      received.push(body)
      return { status: 204 }
    },
  }
  const handle = toFetchHandler(createServerCore(service, handlers))
  const sent: { readonly type: string | null; readonly text: string }[] = []
  type Client = { readonly addEntries: (input: object, options?: object) => Promise<unknown> }
  const client = createHttp<Client>({ ...http, limits: http.limits ?? {} }, validators as never, {
    server: 'https://one.example',
    fetch: async (...given) => {
      const request = new Request(...given)
      const text = await request.clone().text()
      sent.push({ type: request.headers.get('content-type'), text })
      return await handle(request)
    },
  })
  const post = (body: string, type = LINES) =>
    handle(
      new Request('https://one.example/records', {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      }),
    )
  return { api, client, post, sent, received }
}

const ITEMS = [{ id: 1, name: 'a\nb' }, { id: 2 }]

describe('a request body of JSON Lines or json-seq', () => {
  it.each([
    ['itemSchema', { itemSchema: RECORD }],
    ['a list in schema', { schema: { type: 'array', items: RECORD } }],
    ['one item in schema', { schema: RECORD }],
  ])('is a list, sent as one line per item: %s', async (_, media) => {
    const { client, sent, received } = await serviceOf({ [LINES]: media })
    await client.addEntries({ body: ITEMS })
    expect(sent).toEqual([{ type: LINES, text: '{"id":1,"name":"a\\nb"}\n{"id":2}\n' }])
    expect(received).toEqual([ITEMS])
  })

  it('json-seq has its separators', async () => {
    const type = 'application/json-seq'
    const { client, sent, received } = await serviceOf({ [type]: { itemSchema: RECORD } })
    await client.addEntries({ body: ITEMS })
    const text = '\u001e{"id":1,"name":"a\\nb"}\n\u001e{"id":2}\n'
    expect(sent).toEqual([{ type, text }])
    expect(received).toEqual([ITEMS])
  })

  it('the client rejects an item that does not match, by its index', async () => {
    const { client, sent } = await serviceOf({ [LINES]: { itemSchema: RECORD } })
    await expect(client.addEntries({ body: [...ITEMS, { id: 'x' }] })).rejects.toMatchObject({
      reason: 'invalid-input',
      issues: [{ path: ['body', '2', 'id'] }],
    })
    await expect(client.addEntries({ body: { id: 1 } })).rejects.toMatchObject({
      issues: [{ path: ['body'] }],
    })
    expect(sent).toEqual([])
  })

  it('the client sends bytes and text as they are', async () => {
    const { client, sent, received } = await serviceOf({ [LINES]: { itemSchema: RECORD } })
    for (const body of ['{"id":1}\n', new TextEncoder().encode('{"id":1}\n')]) {
      await client.addEntries({ body })
      expect(sent.pop()).toEqual({ type: LINES, text: '{"id":1}\n' })
    }
    expect(received).toEqual([[{ id: 1 }], [{ id: 1 }]])
  })

  it('one of several media types is chosen with contentType', async () => {
    const { client, sent, received } = await serviceOf({
      'application/json': { schema: RECORD },
      [LINES]: { itemSchema: RECORD },
    })
    await client.addEntries({ body: ITEMS, contentType: LINES })
    await client.addEntries({ body: { id: 3 } })
    expect(sent.map(({ type }) => type)).toEqual([LINES, 'application/json'])
    expect(received).toEqual([ITEMS, { id: 3 }])
  })

  it.each([
    ['an item that does not match', '{"id":1}\n{"id":2}\n{"id":"x"}\n', /body.2.id/],
    ['a line that is not JSON', '{"id":1}\n{"id":\n', /Item 2 of the body is not valid JSON/],
    ['two items in a line', '{"id":1},{"id":2}', /Item 1 of the body is not valid JSON/],
    ['an item over two lines', '[1\n2]', /Item 1 of the body is not valid JSON/],
    ['an integer that loses digits', '{"id":1}\n{"id":9007199254740993}', /body.1.id/],
  ])('the server rejects %s', async (_, text, message) => {
    const { post, received } = await serviceOf({ [LINES]: { itemSchema: RECORD } })
    const response = await post(text)
    expect(response.status).toBe(400)
    expect(await response.text()).toMatch(message)
    expect(received).toEqual([])
  })

  it('the server skips empty lines, and reads line ends of Windows', async () => {
    const { post, received } = await serviceOf({ [LINES]: { itemSchema: RECORD } })
    expect((await post('{"id":1}\r\n\r\n{"id":2}')).status).toBe(204)
    expect(received).toEqual([[{ id: 1 }, { id: 2 }]])
  })

  it('the server rejects a truncated text of json-seq', async () => {
    const type = 'application/json-seq'
    const { post } = await serviceOf({ [type]: { itemSchema: { type: 'integer' } } })
    expect((await post('\u001e12\n\u001e3', type)).status).toBe(400)
  })

  it('the limit of the body applies', async () => {
    const limits = { 'x-limits': { payloadBytes: 20 } }
    const { client, post } = await serviceOf({ [LINES]: { itemSchema: RECORD } }, limits)
    await expect(client.addEntries({ body: ITEMS })).rejects.toThrow(/bytes/)
    expect((await post('{"id":1}\n'.repeat(3))).status).toBe(413)
  })

  it('without a description, the body is bytes', async () => {
    const { client, sent, received } = await serviceOf({ [LINES]: {} })
    await client.addEntries({ body: '{"id":1}\n' })
    expect(sent).toEqual([{ type: LINES, text: '{"id":1}\n' }])
    expect(received).toMatchObject([{ size: 9 }])
  })

  it('an example is checked item by item', async () => {
    const examples = { wrong: { value: [{ id: 1 }, { id: 'x' }] }, right: { value: ITEMS } }
    const { api } = await serviceOf({ [LINES]: { itemSchema: RECORD, examples } })
    expect(api.findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^the example wrong .* at \/1\/id must be an integer/),
    ])
  })
})
