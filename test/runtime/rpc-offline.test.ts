import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OfflinePage, openOffline } from './offline-page.js'
import { errorOf } from './rpc-fixture.js'

/** A page that went offline for scripts when it had loaded its first file. */
let page: OfflinePage<{ readonly open: (options: object) => Client }>
type Client = {
  readonly batch: (collect: (batch: Client) => unknown) => Promise<unknown>
  readonly nodeHeight: (...params: unknown[]) => Promise<unknown>
}

beforeAll(async () => {
  page = await openOffline(`
    import { createRpc } from 'twinspec/runtime/rpc'
    import { service, validators } from './test/runtime/rpc-plain-service.ts'
    export const open = (options) => createRpc(service, validators, options)`)
  expect(page.later.length).toBeGreaterThan(0)
})

afterAll(() => page.close())

const server = 'https://test.example/{apiKey}'
const auth = { apiKey: 's3cret' }

const answering =
  (...answers: readonly ((id: number) => Response)[]) =>
  async (_: string, { body }: RequestInit) => {
    const sent = JSON.parse(String(body))
    if (Array.isArray(sent)) return Response.json(sent.map(({ id }) => result(id)))
    return (answers[sent.id - 1] ?? ((id: number) => Response.json(result(id))))(sent.id)
  }
const result = (id: number) => ({ jsonrpc: '2.0', id, result: '0x1' })

test('calls with a key, batches, retries and errors need no second file', async () => {
  let count = 0
  const fetch = async (url: string, init: RequestInit) => {
    count += 1
    expect(url).toBe('https://test.example/s3cret')
    if (count === 1) return new Response('', { status: 503 })
    return answering(
      (id) => Response.json(result(id)),
      (id) => Response.json({ jsonrpc: '2.0', id, error: { code: 3, message: 'no s3cret' } }),
      () => new Response('who are you?', { status: 401 }),
      (id) => Response.json(result(id + 1)),
    )(url, init)
  }
  const client = page.exports.open({ server, auth, fetch, retry: { delay: 1 } })
  expect([await client.nodeHeight(), count]).toEqual(['0x1', 2])
  expect(await errorOf(client.nodeHeight())).toMatchObject({ code: 3, message: 'no [redacted]' })
  expect(await errorOf(client.nodeHeight())).toMatchObject({ name: 'HttpError', status: 401 })
  expect(await errorOf(client.nodeHeight())).toMatchObject({ reason: 'unmatched-answer' })
  expect(await client.batch((b) => Promise.all([b.nodeHeight(), b.nodeHeight()]))).toEqual([
    '0x1',
    '0x1',
  ])
})

test('an invalid value is rejected where its explanation cannot be loaded', async () => {
  const fetch = answering((id) => Response.json({ jsonrpc: '2.0', id, result: 1 }))
  const client = page.exports.open({ server, auth, fetch })
  expect(await errorOf(client.nodeHeight())).toMatchObject({
    name: 'CallError',
    reason: 'invalid-answer',
    issues: [{ pointer: '', keyword: 'schema' }],
    message:
      'node_height: the result does not match its schema: it must match its schema; the explanations could not be loaded',
  })
  expect(await errorOf(client.nodeHeight(1))).toMatchObject({
    name: 'CallError',
    reason: 'invalid-input',
    message:
      'node_height was not sent: the params must match its schema; the explanations could not be loaded',
  })
})
