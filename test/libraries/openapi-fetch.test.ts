import { describe, expect, it } from 'vitest'
import { createFetchClient } from '../../generated/openapi-fetch.js'
import type { HttpService } from '../../src/runtime/http/call.js'
import { createFetch } from '../../src/runtime/openapi-fetch.js'
import { contentOf, declaredResponses } from '../runtime/declared.js'

const QUEUE_ID = '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942'
const RECORD = { status: 'pending', queueId: QUEUE_ID }

/** A client whose requests are kept and answered one by one. */
const clientOf = (answers: readonly Response[], onWarning?: (warning: unknown) => void) => {
  const sent: Request[] = []
  const client = createFetchClient({
    server: 'http://service.test',
    auth: { apiKey: 's3cret-key' },
    retry: { clock: { sleep: async () => undefined } },
    onWarning,
    fetch: async (url, init) => {
      sent.push(new Request(url, init))
      return answers[sent.length - 1] ?? Response.json({ error: 'no more' }, { status: 500 })
    },
  })
  return { client, sent }
}

const lookUp = { params: { path: { queueId: QUEUE_ID } } }

describe('a client of openapi-fetch', () => {
  it('fills in the key, and sends what other clients send', async () => {
    const { client, sent } = clientOf([Response.json({ success: true, queueId: QUEUE_ID })])
    const { data, error } = await client.POST('/zkt/{apiKey}', { body: { arguments: 'hello' } })
    expect([data, error]).toEqual([{ success: true, queueId: QUEUE_ID }, undefined])
    const [request] = sent
    expect([request?.method, request?.url]).toEqual(['POST', 'http://service.test/zkt/s3cret-key'])
    expect(await request?.json()).toEqual({ arguments: 'hello' })
    expect([...(request?.headers.keys() ?? [])]).toEqual(['accept', 'content-type'])
  })

  it('validates before it sends, and shows no key', async () => {
    const { client, sent } = clientOf([])
    const body = { arguments: 7 } as never
    const error = await client.POST('/zkt/{apiKey}', { body }).catch((thrown) => thrown)
    expect(error).toMatchObject({ name: 'CallError', reason: 'invalid-input' })
    expect(String(error)).not.toContain('s3cret-key')
    expect(sent).toEqual([])
  })

  it('retries what the document allows', async () => {
    const busy = Response.json({ error: 'later' }, { status: 503 })
    const { client, sent } = clientOf([busy, Response.json(RECORD)])
    const { data } = await client.GET('/gtn/v1/zkt/transaction/{queueId}', lookUp)
    expect([data, sent.length]).toEqual([RECORD, 2])
  })

  it('returns errors as openapi-fetch does', async () => {
    const { client } = clientOf([Response.json({ error: 'none' }, { status: 404 })])
    const { error, response } = await client.GET('/gtn/v1/zkt/transaction/{queueId}', lookUp)
    expect([error, response.status]).toEqual([{ error: 'none' }, 404])
  })

  it('validates responses', async () => {
    const { client } = clientOf([Response.json({ ...RECORD, queueId: 7 })])
    const call = client.GET('/gtn/v1/zkt/transaction/{queueId}', lookUp)
    await expect(call).rejects.toMatchObject({ reason: 'invalid-answer' })
  })

  it('takes middleware of one’s own', async () => {
    const { client, sent } = clientOf([Response.json(RECORD)])
    const seen: number[] = []
    client.use({
      onRequest: ({ request }) => request.headers.set('x-trace', 't'),
      onResponse: ({ response }) => void seen.push(response.status),
    })
    await client.GET('/gtn/v1/zkt/transaction/{queueId}', lookUp)
    expect([sent[0]?.headers.get('x-trace'), seen]).toEqual(['t', [200]])
  })

  it.each([
    ['the default serializer', {}],
    ['the caller’s', { bodySerializer: (items: object[]) => lines(items) }],
  ])('writes a list of items line by line, with %s', async (_, options) => {
    const sent: Request[] = []
    const client = createFetch<LinesPaths>(LINES, CHECKS, {
      server: 'http://service.test',
      fetch: async (url, init) => {
        sent.push(new Request(url, init))
        return new Response(null, { status: 204 })
      },
    })
    const headers = { 'content-type': 'application/jsonl' }
    await client.POST('/items', { body: [{ id: 1 }, { id: 2 }], headers, ...options })
    expect(await sent[0]?.text()).toBe(lines([{ id: 1 }, { id: 2 }]))
    expect(sent[0]?.headers.get('content-type')).toBe('application/jsonl')
    const invalid = client.POST('/items', { body: [{ id: '1' as never }], headers })
    await expect(invalid).rejects.toMatchObject({ reason: 'invalid-input' })
  })
})

const lines = (items: readonly object[]) => items.map((one) => `${JSON.stringify(one)}\n`).join('')

type LinesPaths = {
  '/items': {
    post: {
      requestBody: { content: { 'application/jsonl': { id: number }[] } }
      responses: { 204: { content?: never } }
    }
  }
}

/** What is generated of an operation whose request body is JSON Lines. */
const LINES = {
  servers: [],
  limits: {},
  operations: {
    putItems: {
      kind: 'http',
      id: 'putItems',
      method: 'POST',
      path: '/items',
      servers: [],
      parameters: [],
      body: {
        required: true,
        content: contentOf(['application/jsonl']),
      },
      responses: declaredResponses({ 204: [] }),
      security: [],
      schemes: {},
    },
  },
} satisfies HttpService

const CHECKS = {
  putItems: {
    parameters: {},
    request: {
      check: (items: unknown) =>
        Array.isArray(items) && items.every((one) => typeof one.id === 'number'),
    },
    responses: {},
  },
}
